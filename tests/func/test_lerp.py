"""lerp, for all types of values and weights, against exact arithmetic."""

import numpy as np
import pytest

import pipec as hl

x, y, z = hl.vars("x y z")
TYPES = {
    "bool": hl.Bool(), "uint8": hl.UInt(8), "uint16": hl.UInt(16), "uint32": hl.UInt(32), "int8": hl.Int(8),
    "int16": hl.Int(16), "int32": hl.Int(32), "float16": hl.Float(16), "bfloat16": hl.BFloat(16),
    "float32": hl.Float(32), "float64": hl.Float(64),
}  # fmt: skip
WEIGHTS = {name: kind for name, kind in TYPES.items() if kind.is_float() or kind.is_uint()} | {"uint64": hl.UInt(64)}
COUNT = 400
# What float arithmetic loses of values up to 100 in the type of the values.
TOLERANCES = {"float16": 0.1, "bfloat16": 1, "float32": 3e-5, "float64": 1e-12}


def ends(kind, rng):
    """Values, exact in their type, as float64, and the same as an Expr over x."""
    if kind.is_float():
        values = rng.integers(-100, 101, COUNT).astype(np.float64)
    else:
        limits = [kind.min_value(), kind.max_value()]
        values = rng.integers(limits[0], limits[1], COUNT, endpoint=True).astype(np.float64)
        values[: COUNT // 2] = rng.choice([*limits, 0, 1], COUNT // 2)
    return values, hl.cast(kind, hl.Buffer(values)[x])


def shares(kind, rng):
    """Weights in [0, 1] as float64, the Expr over x, and whether they are more than a half."""
    if kind.is_float():
        exact = rng.integers(0, 257, COUNT) / 256
        return exact, hl.cast(kind, hl.Buffer(exact)[x]), exact > 0.5
    largest = (1 << kind.bits()) - 1
    whole = [int(rng.integers(0, largest, endpoint=True, dtype=np.uint64)) for _ in range(COUNT)]
    special = [0, largest // 2, largest // 2 + 1, largest]
    whole[: COUNT // 4] = [special[at] for at in rng.integers(0, 4, COUNT // 4)]
    weights = np.array(whole, np.uint64)
    return weights / largest, hl.cast(kind, hl.Buffer(weights)[x]), weights > largest // 2


@pytest.mark.part(4)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("kind", TYPES)
def test_lerp_is_the_nearest_value_between_the_ends(kind, weight):
    rng = np.random.default_rng(len(kind) + 100 * len(weight))
    (zero, first), (one, last) = ends(TYPES[kind], rng), ends(TYPES[kind], rng)
    share, w, near_one = shares(WEIGHTS[weight], rng)
    f, result = hl.Func(), hl.lerp(first, last, w)
    f[x] = hl.f64(hl.i64(result) if TYPES[kind].is_int_or_uint() else result)
    assert result.type() == TYPES[kind]
    actual = np.asarray(f.realize([COUNT]))
    exact = zero * (1 - share) + one * share
    if kind == "bool":
        assert (actual == np.where(near_one, one, zero)).all()
        return
    # A weight is first rounded down to the type of the values; the values are then rounded to the nearest.
    bits = TYPES[kind].bits()
    off = TOLERANCES.get(kind, 0.5 + np.abs(one - zero) / ((1 << bits) - 1) + 1e-9 * 2.0**bits)
    assert (np.abs(actual - exact) <= off).all()
    assert (actual[share == 0] == zero[share == 0]).all() and (actual[share == 1] == one[share == 1]).all()


def test_lerp_of_bytes_rounds_to_the_nearest():
    f = hl.Func()
    f[x, y, z] = hl.lerp(hl.u8(x * 15), hl.u8(y * 15), hl.u8(z))
    w, b, a = np.ogrid[0:256, 0:256:15, 0:256:15]
    assert (np.asarray(f.realize([18, 18, 256])) == (a * (255 - w) + b * w + 127) // 255).all()


def test_lerp_of_bools_is_the_nearer_end():
    f = hl.Func()
    f[x] = hl.lerp(hl.cast(hl.Bool(), 0), hl.cast(hl.Bool(), 1), hl.u8(x))
    assert np.asarray(f.realize([256])).tolist() == [False] * 128 + [True] * 128
