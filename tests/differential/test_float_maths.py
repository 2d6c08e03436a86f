"""Float arithmetic and mathematical functions of 16, 32 and 64 bits, against the wheel."""

import numpy as np
import pytest
from differential import both_equal, equals, evaluate, pairs, same, source, type_of

FLOATS = [np.float16, np.float32, np.float64]
by_type = pytest.mark.parametrize("dtype", FLOATS, ids=lambda t: np.dtype(t).name)
wide = pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda t: np.dtype(t).name)

ORDINARY = np.array(
    [-1000.5, -3.0, -2.5, -1.5, -1.0, -0.75, -0.5, -0.1, 0.0, 0.1, 0.3, 0.5, 1.0, 1.5, 2.5, 3.5, 7.25, 900.0]
)


def tolerance(dtype):
    """A few units in the last place."""
    return 4 * float(np.finfo(dtype).eps)


@by_type
def test_arithmetic_of_ordinary_values(dtype):
    a, b = pairs(ORDINARY.astype(dtype))

    def program(hl):
        x = hl.Var("x")
        p, q = source(hl, a, "a")(x), source(hl, b, "b")(x)
        return evaluate(hl, {"p + q": p + q, "p - q": p - q, "p * q": p * q, "-p": -p, "p * q + p": p * q + p}, a.size)

    # The wheel may fuse a multiplication with an addition.
    same(program, rtol=tolerance(dtype), atol=tolerance(dtype) * 1e3)


@by_type
def test_single_operations_are_correctly_rounded(dtype):
    values = np.random.default_rng(5).normal(size=40) * 10
    a, b = values[:20].astype(dtype), values[20:].astype(dtype)

    def program(hl):
        x = hl.Var("x")
        p, q = source(hl, a, "a")(x), source(hl, b, "b")(x)
        return evaluate(hl, {"sum": p + q, "difference": p - q, "product": p * q, "quotient": p / q}, a.size)

    equals(program, {"sum": a + b, "difference": a - b, "product": a * b, "quotient": a / b})


@wide
def test_division_by_zero_is_infinite_or_nan(dtype):
    a, b = pairs(np.array([-1.5, 0.0, 2.0], dtype), np.array([0.0, 1.0], dtype))

    def program(hl):
        x = hl.Var("x")
        p, q = source(hl, a, "a")(x), source(hl, b, "b")(x)
        return evaluate(hl, {"p / q": p / q}, a.size)

    with np.errstate(all="ignore"):
        equals(program, {"p / q": a / b})
    same(program)


@wide
def test_floor_division_and_remainder_follow_the_divisor(dtype):
    a, b = pairs(
        np.array([-7.5, -3.0, -0.5, 0.0, 0.5, 2.0, 7.5, 100.25], dtype), np.array([-3.0, -0.5, 0.25, 2.0, 7.0], dtype)
    )

    def program(hl):
        x = hl.Var("x")
        p, q = source(hl, a, "a")(x), source(hl, b, "b")(x)
        return evaluate(hl, {"p // q": p // q, "p % q": p % q}, a.size)

    both_equal(program, {"p // q": np.floor(a / b), "p % q": a - b * np.floor(a / b)})


@by_type
def test_comparisons_and_extremes(dtype):
    a, b = pairs(np.array([-np.inf, -1.5, -0.0, 0.0, 1.0, 2.5, np.inf], dtype))

    def program(hl):
        x = hl.Var("x")
        p, q = source(hl, a, "a")(x), source(hl, b, "b")(x)
        compared = {
            "p < q": p < q,
            "p <= q": p <= q,
            "p > q": p > q,
            "p >= q": p >= q,
            "p == q": p == q,
            "p != q": p != q,
        }
        return evaluate(hl, compared | {"min": hl.min(p, q), "max": hl.max(p, q), "abs": hl.abs(p)}, a.size)

    same(program)


@wide
def test_functions_of_any_number(dtype):
    a = np.concatenate([ORDINARY[1:-1], np.linspace(-9, 9, 40)]).astype(dtype)

    def program(hl):
        p = source(hl, a, "a")(hl.Var("x"))
        names = ["sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh", "exp"]
        return evaluate(hl, {name: getattr(hl, name)(p) for name in names}, a.size)

    same(program, rtol=1e-5 if dtype == np.float32 else 1e-12, atol=1e-6 if dtype == np.float32 else 1e-14)


@wide
def test_functions_of_restricted_domain(dtype):
    a = np.linspace(0.01, 0.99, 30).astype(dtype)

    def program(hl):
        p = source(hl, a, "a")(hl.Var("x"))
        values = {name: getattr(hl, name)(p) for name in ["asin", "acos", "atanh", "log", "sqrt"]}
        values |= {
            "acosh": hl.acosh(1 + p * 20),
            "atan2": hl.atan2(p - hl.cast(p.type(), 0.5), p),
            "hypot": hl.hypot(p, 3 * p),
        }
        values |= {"pow": hl.pow(p * 9, p * 4), "log of large": hl.log(p * 10000)}
        return evaluate(hl, values, a.size)

    same(program, rtol=2e-5 if dtype == np.float32 else 1e-12, atol=1e-6 if dtype == np.float32 else 1e-14)


@by_type
def test_rounding_functions(dtype):
    a = np.array([-2.5, -1.5, -1.2, -0.5, -0.2, 0.0, 0.2, 0.5, 1.2, 1.5, 2.5, 3.5, 1000.5], dtype)

    def program(hl):
        p = source(hl, a, "a")(hl.Var("x"))
        return evaluate(hl, {name: getattr(hl, name)(p) for name in ["floor", "ceil", "round", "trunc"]}, a.size)

    both_equal(program, {"floor": np.floor(a), "ceil": np.ceil(a), "round": np.rint(a), "trunc": np.trunc(a)})


@wide
def test_fract_keeps_the_sign(dtype):
    a = np.array([-2.75, -0.25, 0.0, 0.25, 3.5], dtype)
    same(lambda hl: evaluate(hl, {"fract": hl.fract(source(hl, a, "a")(hl.Var("x")))}, a.size))


@wide
def test_classes_of_numbers(dtype):
    a = np.array([-np.inf, -1.0, 0.0, 2.5, np.inf, np.nan], dtype)

    def program(hl):
        p = source(hl, a, "a")(hl.Var("x"))
        strict = hl.strict_float(p)
        return evaluate(hl, {name: getattr(hl, name)(strict) for name in ["is_nan", "is_inf", "is_finite"]}, a.size)

    both_equal(program, {"is_nan": np.isnan(a), "is_inf": np.isinf(a), "is_finite": np.isfinite(a)})


def test_fast_approximations_are_close():
    a = np.linspace(0.05, 5, 50).astype(np.float32)

    def program(hl):
        p = source(hl, a, "a")(hl.Var("x"))
        return evaluate(
            hl,
            {
                "fast_log": hl.fast_log(p),
                "fast_exp": hl.fast_exp(p),
                "fast_pow": hl.fast_pow(p, p / 2),
                "fast_sin": hl.fast_sin(p),
                "fast_cos": hl.fast_cos(p),
                "fast_inverse": hl.fast_inverse(p),
                "fast_inverse_sqrt": hl.fast_inverse_sqrt(p),
                "erf": hl.erf(p - 2.5),
            },
            a.size,
        )

    with np.errstate(all="ignore"):
        half = (a / 2).astype(np.float32)
        expected = {
            "fast_log": np.log(a),
            "fast_exp": np.exp(a),
            "fast_pow": a**half,
            "fast_sin": np.sin(a),
            "fast_cos": np.cos(a),
        }
        expected |= {"fast_inverse": 1 / a, "fast_inverse_sqrt": 1 / np.sqrt(a)}
    results = same(program, rtol=3e-3, atol=2e-4)
    for name, want in expected.items():
        np.testing.assert_allclose(results[name], want, rtol=3e-3, atol=2e-4)


def test_functions_of_integers_give_float32():
    a = np.array([0, 1, 2, 5, 100], np.int32)

    def program(hl):
        p = source(hl, a, "a")(hl.Var("x"))
        names = ["sqrt", "sin", "exp", "floor", "ceil", "round", "trunc"]
        values = {name: getattr(hl, name)(p / 20 if name == "exp" else p) for name in names}
        values |= {"u8": hl.sqrt(hl.u8(p)), "2 ** p": 2 ** (p / 20), "p ** 0.5": p**0.5, "p ** p": p ** (p / 50)}
        return evaluate(hl, values, a.size)

    results = same(program, rtol=1e-6, atol=1e-6)
    assert all(array.dtype == np.float32 for array in results.values())


@wide
def test_integer_powers_of_floats(dtype):
    a = np.array([-2.5, -1.0, 0.0, 0.5, 3.0], dtype)

    def program(hl):
        p = source(hl, a, "a")(hl.Var("x"))
        nonzero = hl.select(p == 0, hl.cast(p.type(), 1), p)
        return evaluate(
            hl, {"p ** 2": p**2, "p ** 5": p**5, "p ** 0": p**0, "q ** -2": nonzero**-2, "q ** -3": nonzero**-3}, a.size
        )

    same(program, rtol=tolerance(dtype))


@wide
def test_constants_fold_to_the_values_the_machine_gives(dtype):
    def program(hl):
        def make(value):
            return hl.cast(type_of(hl, dtype), value)

        x = hl.Var("x")
        values = {
            "product": make(1.25) * make(3),
            "quotient": make(1) / make(3),
            "sqrt": hl.sqrt(make(2)),
            "floor": hl.floor(make(-1.5)),
            "round": hl.round(make(2.5)),
            "min": hl.min(make(2), make(-1)),
            "selected": hl.select(make(2) < make(3), make(1), make(0)),
            "to int": hl.cast(hl.Int(32), make(-3.75)),
            "sin": hl.sin(make(1)),
        }
        return evaluate(hl, {name: value + hl.cast(value.type(), x) for name, value in values.items()}, 3)

    same(program, rtol=tolerance(dtype))


def test_float16_is_computed_in_float16():
    a = np.array([0.1, 1.0, 3.0, 2048.0, 60000.0], np.float16)

    def program(hl):
        p = source(hl, a, "a")(hl.Var("x"))
        return evaluate(
            hl, {"p + p": p + p, "p * p": p * p, "p + 1": p + 1, "sqrt": hl.sqrt(p), "p + 0.5": p + 0.5}, a.size
        )

    with np.errstate(all="ignore"):
        expected = {
            "p + p": a + a,
            "p * p": a * a,
            "p + 1": a + np.float16(1),
            "sqrt": np.sqrt(a),
            "p + 0.5": a.astype(np.float32) + 0.5,
        }
    both_equal(program, expected)
