"""The float32 functions that are made of polynomials: error in ulp over the whole range, and special values."""

import numpy as np
import pytest
from programs import const, load, loop, ramp, run, store, variable

from pipec.ir.expr import Intrinsic, Mul
from pipec.ir.stmt import Block
from pipec.ir.types import Float

F32 = Float(32)
LANES = 8


def applied(name, *operands):
    """The function of all elements, in scalars and in vectors, which must agree to the bit."""
    count = len(operands[0])
    x, block = variable("x"), variable("block")
    loops = []
    for buffer, variable_, extent in (("scalar", x, count), ("vector", block, count // LANES)):
        index = x if variable_ is x else ramp(Mul(block, const(LANES)), LANES)
        values = tuple(load(F32, f"a{i}", index) for i in range(len(operands)))
        body = store(buffer, Intrinsic(values[0].type, name, values), index)
        loops.append(loop(variable_.name, extent, body))
    out = {"scalar": np.zeros(count, np.float32), "vector": np.zeros(count, np.float32)}
    run(Block(tuple(loops)), {f"a{i}": operand for i, operand in enumerate(operands)}, out)
    assert (out["scalar"].view(np.int32) == out["vector"].view(np.int32))[~np.isnan(out["scalar"])].all()
    return out["scalar"]


def samples(low, high, count=12_000):
    """Values spread over the bit patterns between two limits, and evenly."""
    rng = np.random.default_rng(11)
    even = rng.uniform(low, high, count)
    with np.errstate(all="ignore"):
        magnitude = np.exp(rng.uniform(np.log(1e-44), np.log(max(abs(low), abs(high))), count))
    sign = np.where(rng.integers(0, 2, count) == 1, 1, -1) if low < 0 else 1
    return np.concatenate([even, magnitude * sign]).astype(np.float32)


def ulps(found, expected):
    with np.errstate(all="ignore"):
        single = expected.astype(np.float32)
        spacing = np.maximum(np.spacing(np.abs(single)), np.float32(1e-45)).astype(np.float64)
        error = np.abs(found.astype(np.float64) - expected) / spacing
        both = (found == single) | (np.isnan(found) & np.isnan(single))
        return np.where(both, 0, error)


@pytest.mark.parametrize(
    "name, low, high, limit",
    [
        ("exp", -110, 100, 1.2),
        ("log", 0, 3e38, 1.0),
        ("sin", -1e5, 1e5, 1.9),
        ("cos", -1e5, 1e5, 1.9),
        ("tanh", -12, 12, 2),
    ],
)
def test_error_in_ulp(name, low, high, limit):
    x = samples(low, high)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x.astype(np.float64))
    error = ulps(applied(name, x), expected)
    assert error.max() <= limit, (error.max(), x[error.argmax()])


def test_large_angles_are_accurate():
    x = np.array([1e5, 123456.7, 1e6, 1e10, -1e15, 3e38, 2.0**24, -7e7], np.float32)
    for name in ("sin", "cos"):
        assert ulps(applied(name, x), getattr(np, name)(x.astype(np.float64))).max() <= 2


def test_power():
    rng = np.random.default_rng(5)
    x = np.exp(rng.uniform(-80, 80, 12_000)).astype(np.float32)
    y = (rng.uniform(-90, 90, 12_000) / np.maximum(np.abs(np.log(x)), 0.5)).astype(np.float32)
    x[:4000] = rng.uniform(0.9, 1.1, 4000)
    y[:4000] = rng.uniform(-800, 800, 4000)
    with np.errstate(all="ignore"):
        expected = np.power(x.astype(np.float64), y.astype(np.float64))
    error = ulps(applied("pow", x, y), expected)
    assert error.max() <= 2, (error.max(), x[error.argmax()], y[error.argmax()])


SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1e-45, -1e-45, 1e-40, 3.4e38, -3.4e38, 1e30]
SPECIAL += [np.inf, -np.inf, np.nan, 16777216.0, 16777217.0, 1.5, -1.5, 88.8]


@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "tanh"])
def test_special_values(name):
    x = np.array(SPECIAL, np.float32)
    found = applied(name, x)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x.astype(np.float64)).astype(np.float32)
    np.testing.assert_allclose(found, expected, rtol=3e-7, atol=0)
    zero = found == 0
    assert (np.signbit(found) == np.signbit(expected))[zero].all()


def test_special_powers():
    x, y = [np.ravel(v).astype(np.float32) for v in np.meshgrid(SPECIAL, SPECIAL)]
    found = applied("pow", x, y)
    with np.errstate(all="ignore"):
        expected = np.power(x.astype(np.float64), y.astype(np.float64)).astype(np.float32)
    np.testing.assert_allclose(found, expected, rtol=2e-7, atol=0)
    assert (np.signbit(found) == np.signbit(expected))[~np.isnan(expected)].all()
