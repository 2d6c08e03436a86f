"""The functions that are made of polynomials: error in ulp over the whole range, and special values."""

import numpy as np
import pytest
from programs import const, load, loop, ramp, run, store, variable

from pipec.ir.expr import Intrinsic, Mul
from pipec.ir.stmt import Block
from pipec.ir.types import Float
from pipec.target import Target

LANES = 8
# Denormal numbers are as exact as others.
STRICT = Target("host-strict_float")
# numpy's name of each function, and the range in which arguments are spread evenly.
FUNCTIONS = {
    "exp": ("exp", -110, 100),
    "log": ("log", 0, 3e38),
    "sin": ("sin", -1e4, 1e4),
    "cos": ("cos", -1e4, 1e4),
    "tan": ("tan", -1e4, 1e4),
    "asin": ("arcsin", -1, 1),
    "acos": ("arccos", -1, 1),
    "atan": ("arctan", -5, 5),
    "sinh": ("sinh", -91, 91),
    "cosh": ("cosh", -91, 91),
    "tanh": ("tanh", -12, 12),
    "asinh": ("arcsinh", -100, 100),
    "acosh": ("arccosh", 1, 100),
    "atanh": ("arctanh", -1, 1),
}
EXACT = {np.float16: np.float64, np.float32: np.float64, np.float64: np.longdouble}
CASES = [(name, kind) for kind in (np.float32, np.float64) for name in FUNCTIONS]
PAIRS = ("pow", "atan2")
needs_wide_floats = pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="no reference for double")


def applied(name, *operands, target=STRICT):
    """The function of all elements, in scalars and in vectors, which must agree to the bit."""
    kind, count = operands[0].dtype, len(operands[0])
    float_type = Float(kind.itemsize * 8)
    x, block = variable("x"), variable("block")
    loops = []
    for buffer, variable_, extent in (("scalar", x, count), ("vector", block, count // LANES)):
        index = x if variable_ is x else ramp(Mul(block, const(LANES)), LANES)
        values = tuple(load(float_type, f"a{i}", index) for i in range(len(operands)))
        body = store(buffer, Intrinsic(values[0].type, name, values), index)
        loops.append(loop(variable_.name, extent, body))
    out = {"scalar": np.zeros(count, kind), "vector": np.zeros(count, kind)}
    run(Block(tuple(loops)), {f"a{i}": operand for i, operand in enumerate(operands)}, out, target=target)
    np.testing.assert_array_equal(out["scalar"], out["vector"])
    return out["scalar"]


def expected(name, *operands):
    """The exact value, in a wider type."""
    numpy_name = {"pow": "power", "atan2": "arctan2"}.get(name) or FUNCTIONS[name][0]
    with np.errstate(all="ignore"):
        return getattr(np, numpy_name)(*[operand.astype(EXACT[operand.dtype.type]) for operand in operands])


def samples(low, high, kind, count=40_000):
    """Values spread evenly between two limits, over the magnitudes down to the smallest numbers, and near 1."""
    rng = np.random.default_rng(11)
    even = rng.uniform(low, high, count)
    least = np.log(1e-44 if kind is np.float32 else 5e-324)
    magnitude = np.exp(rng.uniform(least, np.log(max(abs(low), abs(high))), count))
    near_one = 1 + np.exp(rng.uniform(-35, 0, count // 4)) * rng.choice([-1, 1], count // 4)
    sign = rng.choice([-1, 1], count) if low < 0 else 1
    return np.concatenate([even, magnitude * sign, near_one]).astype(kind)


def ulps(actual, exact):
    """How far from the exact values, in units of the last place of the nearest number of the type."""
    with np.errstate(all="ignore"):
        nearest = exact.astype(actual.dtype)
        spacing = np.maximum(np.spacing(np.abs(nearest)), np.finfo(actual.dtype).smallest_subnormal)
        error = np.abs(actual.astype(exact.dtype) - exact) / spacing
        same = (actual == nearest) | (np.isnan(actual) & np.isnan(nearest))
        return np.where(same, 0, error)


def assert_within_two_ulps(name, *operands):
    error = ulps(applied(name, *operands), expected(name, *operands))
    worst = error.argmax()
    assert error[worst] <= 2, (error[worst], [operand[worst] for operand in operands])


@needs_wide_floats
@pytest.mark.parametrize("name, kind", CASES)
@pytest.mark.part(3)
def test_error_in_ulp(name, kind):
    _, low, high = FUNCTIONS[name]
    grown = 8 if name in ("exp", "sinh", "cosh") and kind is np.float64 else 1
    assert_within_two_ulps(name, samples(low * grown, high * grown, kind))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_half_floats_are_rounded_once(name):
    x = np.arange(65536, dtype=np.uint16).view(np.float16)
    error = ulps(applied(name, x), expected(name, x))
    assert error.max() < 0.51


@needs_wide_floats
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_large_angles_are_accurate(name, kind):
    facts = [1e5, 123456.7, 1e6, 1e10, -1e15, 3e38, 2.0**24, -7e7, 2.0**40, 2.0**41]
    spread = np.exp(np.random.default_rng(3).uniform(0, 80, 80_000))
    assert_within_two_ulps(name, np.array(facts + list(spread) + [1.0] * 6).astype(kind))


@needs_wide_floats
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_angles_near_multiples_of_half_pi_are_accurate(name, kind):
    turns = np.arange(-20_000, 20_000) * (np.pi / 2)
    assert_within_two_ulps(name, np.concatenate([turns, np.nextafter(turns, 0)]).astype(kind))


@needs_wide_floats
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_power(kind):
    rng = np.random.default_rng(5)
    scale = 1 if kind is np.float32 else 8
    x = np.exp(rng.uniform(-80 * scale, 80 * scale, 48_000))
    y = rng.uniform(-100 * scale, 100 * scale, 48_000) / np.maximum(np.abs(np.log(x)), 0.5)
    x[:16_000] = rng.uniform(0.9, 1.1, 16_000)
    y[:16_000] = rng.uniform(-800 * scale, 800 * scale, 16_000)
    x[16_000:24_000] = rng.uniform(0, 4, 8_000)
    y[16_000:24_000] = rng.uniform(-3, 3, 8_000)
    assert_within_two_ulps("pow", x.astype(kind), y.astype(kind))


@needs_wide_floats
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_powers_near_the_greatest_and_least(kind):
    rng = np.random.default_rng(8)
    x = rng.choice([rng.uniform(0.75, 0.78, 80_000), rng.uniform(1.4, 1.5, 80_000)], axis=0)
    x = (x * 2.0 ** rng.choice([-2, -1, 0, 0, 1, 5], 80_000)).astype(kind)
    greatest = np.finfo(kind).maxexp
    y = rng.uniform(0.8 * greatest, greatest, 80_000) * rng.choice([-1, 1], 80_000) / np.log2(x.astype(np.float64))
    assert_within_two_ulps("pow", x, y.astype(kind))


@needs_wide_floats
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_direction(kind):
    rng = np.random.default_rng(6)
    y, x = rng.normal(0, 1, (2, 48_000))
    y[:16_000] *= np.exp(rng.uniform(-80, 80, 16_000))
    x[16_000:24_000] = y[16_000:24_000] * rng.uniform(0.99, 1.01, 8_000)
    assert_within_two_ulps("atan2", y.astype(kind), x.astype(kind))


SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1e-45, -1e-45, 1e-40, 3.4e38, -3.4e38, 1e30]
SPECIAL += [np.inf, -np.inf, np.nan, 16777216.0, 16777217.0, 1.5, -1.5, 88.8]
SPECIAL += [5e-324, -5e-324, 1e-310, 1.7e308, -1.7e308, 709.9, -745.2, 9007199254740993.0]


def of_kind(values, kind):
    with np.errstate(over="ignore"):
        return np.array(values).astype(kind)


def assert_nearly_equal(actual, exact):
    """Equal to the last digits, to the sign of zeros."""
    with np.errstate(all="ignore"):
        nearest = exact.astype(actual.dtype)
    np.testing.assert_allclose(actual, nearest, rtol=2.5 * np.finfo(actual.dtype).eps, atol=0)
    there = ~np.isnan(nearest)
    assert (np.signbit(actual) == np.signbit(nearest))[there].all()


@pytest.mark.parametrize("name, kind", CASES)
def test_special_values(name, kind):
    x = of_kind(SPECIAL, kind)
    assert_nearly_equal(applied(name, x), expected(name, x))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", PAIRS)
def test_special_pairs(name, kind):
    x, y = [np.ravel(v) for v in np.meshgrid(of_kind(SPECIAL, kind), of_kind(SPECIAL, kind))]
    assert_nearly_equal(applied(name, x, y), expected(name, x, y))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["sin", "cos"])
def test_waves_stay_between_minus_one_and_one(name, kind):
    near = (np.arange(-4000, 4000) * (np.pi / 2)).astype(kind)
    assert np.abs(applied(name, near)).max() <= 1


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_functions_without_fused_multiplication(kind):
    plain = Target("x86-64-linux-sse41-strict_float")
    x = of_kind(SPECIAL + list(np.linspace(-3, 3, 32)), kind)
    for name in FUNCTIONS:
        assert_nearly_equal(applied(name, x, target=plain), expected(name, x))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_functions_on_machines_without_avx512(kind):
    plain = Target("x86-64-linux-sse41-avx-avx2-fma-strict_float")
    x = of_kind(SPECIAL + list(np.exp(np.linspace(-80, 80, 1000))) + list(np.linspace(-3, 3, 1000)), kind)
    for name in FUNCTIONS:
        result = applied(name, x, target=plain)
        assert_nearly_equal(result, expected(name, x))
        np.testing.assert_array_equal(result, applied(name, x))
    x, y = [np.ravel(v) for v in np.meshgrid(of_kind(SPECIAL, kind), of_kind(SPECIAL, kind))]
    for name in PAIRS:
        assert_nearly_equal(applied(name, x, y, target=plain), expected(name, x, y))


def small(values):
    return (np.abs(values) < np.finfo(values.dtype).tiny) & (values != 0)


def flushed(values):
    return np.where(small(values), np.copysign(values.dtype.type(0), values), values)


@pytest.mark.parametrize("name, kind", [*CASES, *[(name, kind) for kind in (np.float32, np.float64) for name in PAIRS]])
@pytest.mark.part(3)
def test_without_strictness_only_small_operands_and_results_differ_and_these_are_zero(name, kind):
    _, low, high = FUNCTIONS.get(name, ("", 0, 100))
    rng, grown = np.random.default_rng(4), 8 if name in ("exp", "sinh", "cosh", "pow") and kind is np.float64 else 1
    operands = [samples(low * grown, high * grown, kind)]
    operands += [rng.permutation(operands[0])] * (name in PAIRS)
    strict, plain = applied(name, *operands), applied(name, *operands, target=Target("host"))
    assert not small(plain).any()
    usual = ~np.any([small(values) for values in (*operands, strict)], axis=0)
    np.testing.assert_array_equal(plain[usual], strict[usual])
    of_zeros = applied(name, *map(flushed, operands))
    np.testing.assert_array_equal(plain, flushed(of_zeros))


@needs_wide_floats
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["exp", "sinh", "cosh"])
def test_without_avx512_results_near_the_greatest_and_the_least_normal_number_are_right(name, kind):
    limits = np.finfo(kind)
    middle = [np.log(limits.tiny), np.log(limits.max), np.log(limits.max) + np.log(2)]
    steps = np.arange(-8, 8)[:, None] * limits.eps
    special = np.array([0x7FC001FF], np.uint32).view(np.float32)  # a NaN with other bits than usual
    x = np.concatenate([np.ravel(np.array(middle) * (1 + steps)), special, [np.inf, -np.inf, np.nan], [0.5] * 4])
    x = x.astype(kind)
    result = applied(name, x, target=Target("x86-64-linux-sse41-avx-avx2-fma"))
    exact = expected(name, x)
    with np.errstate(all="ignore"):
        exact = np.where(np.abs(exact) < limits.tiny, 0, exact)
    assert ulps(result, exact).max() <= 2
