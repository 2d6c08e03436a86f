"""Every operation of every type in machine code, scalar and vector, against the meanings in `pipec.ir`."""

import numpy as np
import pytest
from programs import const, load, loop, ramp, run, store, variable

from pipec.ir import expr as e
from pipec.ir.intrinsics import INTRINSICS, result_type
from pipec.ir.numerics import binary_function, convert
from pipec.ir.stmt import Block
from pipec.ir.types import Type, type_of_numpy

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
LANES = 16
named = lambda t: np.dtype(t).name  # noqa: E731


def edge_values(dtype):
    rng = np.random.default_rng(7)
    if np.dtype(dtype).kind == "f":
        special = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e-3, 100.25, -77.75, 3.0]
        return np.concatenate([np.array(special, dtype), rng.normal(0, 8, 20).astype(dtype)])
    if np.dtype(dtype).kind == "b":
        return np.array([False, True])
    limits = np.iinfo(dtype)
    special = [0, 1, 2, 3, 5, 7, 8, 31, limits.max, limits.max - 1, limits.min, limits.min + 1, limits.max // 3]
    special += [-1, -2, -3, -7] if limits.min else []
    return np.concatenate([np.array(special, dtype), rng.integers(limits.min, limits.max, 11, dtype, endpoint=True)])


def pairs(values, others=None):
    others = values if others is None else others
    a, b = np.repeat(values, len(others)), np.tile(others, len(values))
    whole = -(-len(a) // LANES) * LANES
    return np.resize(a, whole), np.resize(b, whole)


def evaluated(make, inputs, kind):
    """`make(values)` over all elements, once with scalars and once with vectors, which must agree."""
    n = len(next(iter(inputs.values())))
    types = {name: type_of_numpy(value.dtype) for name, value in inputs.items()}
    x = variable("x")
    out = {"scalar": np.zeros(n, kind.numpy()), "vector": np.zeros(n, kind.numpy())}
    vector = ramp(e.Mul(variable("v"), const(LANES)), LANES)
    scalars = loop("x", n, store("scalar", make(*[load(t, name, x) for name, t in types.items()]), x))
    vectors = loop(
        "v", n // LANES, store("vector", make(*[load(t, name, vector) for name, t in types.items()]), vector)
    )
    assert run(Block((scalars, vectors)), inputs, out)[0] == 0
    np.testing.assert_array_equal(out["scalar"], out["vector"])
    return out["scalar"]


def same(found, expected):
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(found, expected)


BINARY = [e.Add, e.Sub, e.Mul, e.Div, e.Mod, e.Min, e.Max, e.EQ, e.NE, e.LT, e.LE, e.GT, e.GE]


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, np.bool_], ids=named)
def test_binary_operations(dtype):
    a, b = pairs(edge_values(dtype))
    kind = type_of_numpy(np.dtype(dtype))
    if kind.floating:
        a, b = a[b != 0], b[b != 0]
        a, b = a[: len(a) // LANES * LANES], b[: len(a) // LANES * LANES]
    for node in BINARY:
        with np.errstate(all="ignore"):
            expected = binary_function(node, kind)(a, b)
        found = evaluated(lambda p, q, node=node: node(p, q), {"a": a, "b": b}, type_of_numpy(expected.dtype))
        if kind.floating and node is e.Mod:
            np.testing.assert_allclose(found, expected, atol=float(np.finfo(dtype).eps) * 500)
        else:
            same(found, expected)


@pytest.mark.parametrize("dtype", INTEGERS, ids=named)
def test_division_by_constants(dtype):
    a = pairs(edge_values(dtype))[0]
    kind, limits = type_of_numpy(np.dtype(dtype)), np.iinfo(dtype)
    divisors = [0, 1, 2, 3, 7, 10, 64, 100, 127, 255, 1000, limits.max, limits.min, limits.max // 2 + 1]
    divisors += [-1, -2, -3, -10, -64] if limits.min else []
    for divisor in {d for d in divisors if limits.min <= d <= limits.max}:
        for node in (e.Div, e.Mod):
            constant = const(divisor, kind)
            with np.errstate(all="ignore"):
                expected = binary_function(node, kind)(a, np.full_like(a, divisor))

            def make(p, node=node, constant=constant):
                return node(p, constant if p.type.nlanes == 1 else e.Broadcast(constant, LANES))

            same(evaluated(make, {"a": a}, kind), expected)


@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS, np.bool_], ids=named)
def test_casts(source):
    values = pairs(edge_values(source))[0]
    kind = type_of_numpy(np.dtype(source))
    for target in [*INTEGERS, *FLOATS, np.bool_]:
        to = type_of_numpy(np.dtype(target))
        own = values
        if kind.floating and not to.signed and not to.boolean:
            own = np.abs(values)
        with np.errstate(all="ignore"):
            expected = convert(own, kind, to)
        same(evaluated(lambda p, to=to: e.Cast(to.with_lanes(p.type.nlanes), p), {"a": own}, to), expected)


EXACT = "abs absd bitwise_and bitwise_or bitwise_xor bitwise_not popcount count_leading_zeros count_trailing_zeros"
EXACT += " div_round_to_zero mod_round_to_zero saturating_add saturating_sub floor ceil round trunc sqrt is_nan is_inf"
EXACT += " is_finite likely return_second shift_left shift_right"


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, np.bool_], ids=named)
def test_exact_intrinsics(dtype):
    kind = type_of_numpy(np.dtype(dtype))
    a, b = pairs(edge_values(dtype))
    if kind.floating:
        a[5], a[6], a[7] = np.nan, np.inf, -np.inf
    for name in EXACT.split():
        rule = INTRINSICS[name]
        if rule.result(*[kind] * rule.arity) is None:
            continue
        own = np.abs(a) if name == "sqrt" else a
        operands = {"a": own, "b": b} if rule.arity == 2 else {"a": own}
        with np.errstate(all="ignore"):
            expected = rule.meaning(*operands.values())

        def make(*values, name=name):
            return e.Intrinsic(result_type(name, tuple(v.type for v in values)), name, values)

        if name.startswith("shift"):
            _check_shifts(name, a, kind)
        else:
            same(evaluated(make, operands, result_type(name, (kind,) * rule.arity)), expected)


def _check_shifts(name, a, kind):
    bits = kind.nbits
    for signed in (False, True):
        count_kind = Type(0 if signed else 1, bits)
        counts = np.array([0, 1, 2, bits - 1, bits, bits + 1, 100, *([-1, -3, -bits, -100] if signed else [])])
        values, by = pairs(np.unique(a), counts.astype(count_kind.numpy()))

        def make(p, q):
            return e.Intrinsic(p.type, name, (p, q))

        expected = INTRINSICS[name].meaning(values, by)
        same(evaluated(make, {"a": values, "b": by}, kind), expected)
        for count in counts:
            by = np.full_like(values, count, dtype=count_kind.numpy())

            def make_constant(p, count=int(count), count_kind=count_kind):
                constant = const(count, count_kind)
                return make(p, constant if p.type.nlanes == 1 else e.Broadcast(constant, LANES))

            same(evaluated(make_constant, {"a": values}, kind), INTRINSICS[name].meaning(values, by))


@pytest.mark.parametrize("dtype", FLOATS, ids=named)
@pytest.mark.parametrize(
    "name", "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log pow atan2".split()
)
def test_functions_are_accurate(dtype, name):
    kind = type_of_numpy(np.dtype(dtype))
    rng = np.random.default_rng(3)
    low, high = {"asin": (-1, 1), "acos": (-1, 1), "atanh": (-0.99, 0.99), "acosh": (1, 50)}.get(name, (-9, 9))
    low = 0.01 if name in ("log", "pow") else low
    a, b = rng.uniform(low, high, 256).astype(dtype), rng.uniform(-4, 4, 256).astype(dtype)
    operands = {"a": a, "b": b} if INTRINSICS[name].arity == 2 else {"a": a}
    found = evaluated(lambda *p: e.Intrinsic(p[0].type, name, p), operands, kind)
    wide = [v.astype(np.longdouble if dtype is np.float64 else np.float64) for v in operands.values()]
    expected = INTRINSICS[name].meaning(*wide)
    error = np.abs(found - expected) / np.spacing(np.abs(expected).astype(dtype)).astype(np.float64)
    assert error.max() <= 2.5, error.max()


def test_reinterpret():
    a = pairs(edge_values(np.float32))[0]
    to = type_of_numpy(np.dtype(np.int32))
    found = evaluated(lambda p: e.Reinterpret(to.with_lanes(p.type.nlanes), p), {"a": a}, to)
    same(found, a.view(np.int32))
