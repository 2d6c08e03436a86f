"""Arithmetic of every integer type: wrapping, Euclidean division, shifts, bits; against the wheel and numpy."""

import numpy as np
import pytest
from differential import both_equal, edge_values, equals, evaluate, pairs, same, source, type_of

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
WRAPPING = [np.int8, np.int16, np.uint8, np.uint16, np.uint32, np.uint64]
SIGNED = [np.int8, np.int16, np.int32, np.int64]
by_type = pytest.mark.parametrize("dtype", INTEGERS, ids=lambda t: np.dtype(t).name)


def operands(hl, dtype, values=None):
    a, b = pairs(edge_values(dtype) if values is None else values)
    x = hl.Var("x")
    return source(hl, a, "a")(x), source(hl, b, "b")(x), a.size


def euclidean(a, b):
    """Quotient and remainder as Halide defines them, of two arrays, in exact Python integers, wrapped to the type."""
    limits = np.iinfo(a.dtype)
    quotients, remainders = [], []
    for n, d in zip(a.tolist(), b.tolist(), strict=True):
        remainder = n % abs(d) if d else 0
        quotient = (n - remainder) // d if d else 0
        quotients.append(quotient if limits.min <= quotient <= limits.max else limits.min)
        remainders.append(remainder)
    return np.array(quotients, a.dtype), np.array(remainders, a.dtype)


@by_type
@pytest.mark.part(3)
def test_sum_difference_and_product_wrap(dtype):
    # Overflow of int32 and int64 is undefined in Halide, so those get values that cannot overflow.
    values = edge_values(dtype) if dtype in WRAPPING else np.array([-30000, -7, -1, 0, 1, 3, 30000], dtype)

    def program(hl):
        a, b, n = operands(hl, dtype, values)
        # Halide asks that constants fit, so each constant is one that every type has.
        constant = {"a + 5": a + 5, "7 - a": 7 - a, "3 * a": 3 * a, "a - 1": a - 1}
        return evaluate(hl, {"a + b": a + b, "a - b": a - b, "a * b": a * b, "a * a - b": a * a - b, **constant}, n)

    same(program)


@by_type
@pytest.mark.part(3)
def test_division_and_remainder_are_euclidean_and_total(dtype):
    a, b = pairs(edge_values(dtype))

    def program(hl):
        left, right, n = operands(hl, dtype)
        return evaluate(hl, {"a / b": left / right, "a % b": left % right, "a // b": left // right}, n)

    quotient, remainder = euclidean(a, b)
    both_equal(program, {"a / b": quotient, "a % b": remainder, "a // b": quotient})


@by_type
@pytest.mark.part(3)
def test_division_by_constants(dtype):
    limits = np.iinfo(dtype)
    divisors = [-128, -16, -7, -3, -2, -1, 1, 2, 3, 5, 7, 8, 10, 16, 25, 100, 127, 1000, 4096, 65535, 2**31 - 1]
    divisors = [d for d in divisors if limits.min <= d <= limits.max]
    samples = np.random.default_rng(3).integers(limits.min, limits.max, 60, dtype=dtype, endpoint=True)
    a = np.concatenate([edge_values(dtype), samples])

    def program(hl):
        value = source(hl, a, "a")(hl.Var("x"))
        quotients = {f"a / {d}": value / d for d in divisors}
        return evaluate(hl, quotients | {f"a % {d}": value % d for d in divisors}, a.size)

    expected = {f"a / {d}": euclidean(a, np.full(a.size, d, dtype))[0] for d in divisors}
    expected |= {f"a % {d}": euclidean(a, np.full(a.size, d, dtype))[1] for d in divisors}
    equals(program, expected)


@by_type
@pytest.mark.part(3)
def test_division_and_remainder_that_round_to_zero(dtype):
    values = edge_values(dtype)
    a, b = pairs(values, values[(values != 0) & (values != (-1 if np.iinfo(dtype).min < 0 else 0))])

    def program(hl):
        x = hl.Var("x")
        left, right = source(hl, a, "a")(x), source(hl, b, "b")(x)
        quotient, remainder = hl.div_round_to_zero(left, right), hl.mod_round_to_zero(left, right)
        return evaluate(hl, {"quotient": quotient, "remainder": remainder}, a.size)

    same(program)


@by_type
@pytest.mark.part(3)
def test_bit_operations(dtype):
    def program(hl):
        a, b, n = operands(hl, dtype)
        return evaluate(
            hl, {"a & b": a & b, "a | b": a | b, "a ^ b": a ^ b, "~a": ~a, "a & 5": a & 5, "6 | a": 6 | a}, n
        )

    same(program)


@by_type
@pytest.mark.part(3)
def test_shifts_by_counts_of_both_signs(dtype):
    bits = np.iinfo(dtype).bits
    counts = np.array([-(bits - 1), -3, -1, 0, 1, 2, bits - 1], np.int64).astype(f"int{bits}")
    a, b = pairs(edge_values(dtype), counts)

    def program(hl):
        x = hl.Var("x")
        left, count = source(hl, a, "a")(x), source(hl, b, "b")(x)
        unsigned = hl.cast(hl.UInt(bits), hl.max(count, 0))
        return evaluate(
            hl,
            {
                "a >> b": left >> count,
                "a << b": left << count,
                "a >> u": left >> unsigned,
                "a << u": left << unsigned,
                "a >> 3": left >> 3,
                "a << 3": left << 3,
            },
            a.size,
        )

    same(program)


@by_type
@pytest.mark.part(3)
def test_comparisons_min_and_max(dtype):
    def program(hl):
        a, b, n = operands(hl, dtype)
        compared = {
            "a < b": a < b,
            "a <= b": a <= b,
            "a > b": a > b,
            "a >= b": a >= b,
            "a == b": a == b,
            "a != b": a != b,
        }
        extremes = {
            "min": hl.min(a, b),
            "max": hl.max(a, b),
            "min of 3": hl.min(a, b, 3),
            "max of 4": hl.max(3, a, b, a),
        }
        return evaluate(hl, compared | extremes, n)

    same(program)


@by_type
@pytest.mark.part(3)
def test_absolute_value_and_difference_are_unsigned(dtype):
    def program(hl):
        a, b, n = operands(hl, dtype)
        values = {"absd": hl.absd(a, b)}
        if np.dtype(dtype).kind == "i":
            values["abs"] = hl.abs(a)
        return evaluate(hl, values, n)

    results = same(program)
    assert all(array.dtype.kind == "u" for array in results.values())


@pytest.mark.parametrize("dtype", SIGNED, ids=lambda t: np.dtype(t).name)
def test_negation_of_all_but_the_least_value(dtype):
    values = edge_values(dtype)[1:]

    def program(hl):
        a = source(hl, values, "a")(hl.Var("x"))
        return evaluate(hl, {"-a": -a, "-a * 1": (-a) * 1, "0 - a": 0 - a}, values.size)

    same(program)


@by_type
def test_counting_bits(dtype):
    values = edge_values(dtype)

    def program(hl):
        a = source(hl, values, "a")(hl.Var("x"))
        nonzero = hl.select(a == 0, hl.cast(type_of(hl, dtype), 1), a)
        return evaluate(
            hl,
            {
                "popcount": hl.popcount(a),
                "leading": hl.count_leading_zeros(nonzero),
                "trailing": hl.count_trailing_zeros(nonzero),
            },
            values.size,
        )

    same(program)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32], ids=lambda t: np.dtype(t).name
)
@pytest.mark.part(3)
def test_widening_and_saturating_intrinsics(dtype):
    def program(hl):
        a, b, n = operands(hl, dtype)
        values = {
            "widening_add": hl.widening_add(a, b),
            "widening_sub": hl.widening_sub(a, b),
            "widening_mul": hl.widening_mul(a, b),
            "saturating_add": hl.saturating_add(a, b),
            "saturating_sub": hl.saturating_sub(a, b),
            "halving_add": hl.halving_add(a, b),
            "halving_sub": hl.halving_sub(a, b),
            "rounding_halving_add": hl.rounding_halving_add(a, b),
        }
        return evaluate(hl, values, n)

    same(program)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint8, np.uint16], ids=lambda t: np.dtype(t).name)
def test_rounding_and_multiplying_shifts(dtype):
    bits = np.iinfo(dtype).bits
    a, b = pairs(edge_values(dtype), np.arange(0, bits, dtype=f"uint{bits}"))

    def program(hl):
        x = hl.Var("x")
        left, count = source(hl, a, "a")(x), source(hl, b, "b")(x)
        values = {
            "rounding_shift_right": hl.rounding_shift_right(left, count),
            "rounding_shift_left": hl.rounding_shift_left(left, count),
            "widening_shift_left": hl.widening_shift_left(left, count),
            "mul_shift_right": hl.mul_shift_right(left, left, bits // 2 + 3),
            "rounding_mul_shift_right": hl.rounding_mul_shift_right(left, left, bits - 1),
        }
        return evaluate(hl, values, a.size)

    same(program)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint8, np.uint32], ids=lambda t: np.dtype(t).name)
def test_integer_power_keeps_the_type(dtype):
    values = np.array([0, 1, 2, 3, 5] + ([-1, -2, -5] if np.dtype(dtype).kind == "i" else []), dtype)

    def program(hl):
        a = source(hl, values, "a")(hl.Var("x"))
        return evaluate(hl, {"a ** 2": a**2, "a ** 3": a**3, "a ** 1": a**1}, values.size)

    same(program)


def test_narrow_operands_are_not_widened():
    def program(hl):
        a = source(hl, np.array([200, 255, 7], np.uint8), "a")(hl.Var("x"))
        return evaluate(hl, {"(a + 100) / 2": (a + 100) / 2, "(a + a) / 2": (a + a) / 2, "a * a >> 4": a * a >> 4}, 3)

    equals(
        program,
        {
            "(a + 100) / 2": np.array([22, 49, 53], np.uint8),
            "(a + a) / 2": np.array([72, 127, 7], np.uint8),
            "a * a >> 4": np.array([4, 0, 3], np.uint8),
        },
    )
    same(program)


def test_index_arithmetic_of_loop_variables():
    def program(hl):
        x = hl.Var("x")
        values = {
            "x / 3": x / 3,
            "(x - 7) / 3": (x - 7) / 3,
            "(x - 7) % 3": (x - 7) % 3,
            "(7 - x) / -2": (7 - x) / -2,
            "x * 6 / 4": x * 6 / 4,
            "(x * 4 + 3) / 4": (x * 4 + 3) / 4,
            "(x * 4 + 3) % 4": (x * 4 + 3) % 4,
            "x / 2 / 3": x / 2 / 3,
            "x / 3 * 3 + x % 3": x / 3 * 3 + x % 3,
            "(x + x % 2) / 2": (x + x % 2) / 2,
            "min(x, 5) - max(x, 3)": hl.min(x, 5) - hl.max(x, 3),
            "(x - 10) >> 1": (x - 10) >> 1,
            "x - x": x - x,
            "(x + 5) - (x + 2)": (x + 5) - (x + 2),
            "-x / 4": -x / 4,
            "abs(x - 8)": hl.cast(hl.Int(32), hl.abs(x - 8)),
        }
        return evaluate(hl, values, 20)

    same(program)
