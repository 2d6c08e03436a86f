"""exp, log, powers and the hyperbolic functions by polynomials."""

from __future__ import annotations

from pipec.jit.llvm.math.arithmetic import call_intrinsic
from pipec.jit.llvm.math.coefficients import LN_2, THIRD_TWO_LOG2_E, TWO_LOG2_E
from pipec.jit.llvm.math.float_arithmetic import Lanes, Usual

# Beyond these e^x / 2 is 0 or infinite.
_RANGE = {32: (-104.0, 90.0), 64: (-746.0, 711.0)}
# From the first to the second e^x is a normal number, to the last e^x / 2 is not infinite.
_NORMAL = {
    32: (-87.33654022216797, 88.72283172607422, 89.41598510742188),
    64: (-708.3964185322641, 709.782712893384, 710.4758600739439),
}
_LN_2 = LN_2[64][0]


def exp(m: Lanes, x: str) -> str:
    """Emits e^x."""
    least, greatest, _ = _NORMAL[m.nbits]
    return _exp(m, x, least, greatest)


def _half_exp(m: Lanes, x: str) -> str:
    """e^x / 2 of a number that is not negative, finite where e^x is not but its half is."""
    return _exp(m, x, 0.0, _NORMAL[m.nbits][2], 1.0)


def _exp(m: Lanes, x: str, least: float, greatest: float, halved: float = 0.0) -> str:
    """e^x / 2^halved, a normal number from `least` to `greatest`."""
    flushes = not m.has_decomposition and not m.has_denormals
    value, power = _exp_parts(m, x if flushes else m.clamped(x, *_RANGE[m.nbits]))
    if halved:
        power = m.sub(power, m.number(halved))
    if not flushes:
        return m.scaled(value, power)
    value = m.select(m.test("olt", x, m.number(least)), m.number(0.0), m.scaled_to_normal(value, power))
    return m.select(m.test("ugt", x, m.number(greatest)), m.add(x, m.number(float("inf"))), value)


def _exp_parts(m: Lanes, x: str) -> tuple[str, str]:
    """e^x as a number near 1 and the exponent of a power of 2."""
    whole = m.nearest(x, 1 / _LN_2)[0]
    high, low = LN_2[m.nbits]
    r = m.fma(whole, m.number(-high), x)
    r = m.fma(whole, m.number(-low), r)
    return m.add(m.fma(m.fitted("exp", r), m.mul(r, r), r), m.number(1.0)), whole


def log(m: Lanes, x: str) -> str:
    """Emits the natural logarithm of x."""
    exponent, mantissa = m.decomposed(x)
    value = _log_of_parts(m, mantissa, exponent, m.mul(exponent, m.number(LN_2[m.nbits][1])))
    if m.has_decomposition:
        return value
    zero, infinity = m.number(0.0), m.number(float("inf"))
    outside = m.select(m.test("oeq", x, zero), m.number(float("-inf")), m.number(float("nan")))
    value = m.select(m.test("ogt", x, zero), value, outside)
    return m.select(m.test("oeq", x, infinity), infinity, value)


def _log_of_parts(m: Lanes, mantissa: str, exponent: str, rest: str) -> str:
    """log(mantissa) + exponent times the first part of log(2) + rest, which is small."""
    part = m.sub(mantissa, m.number(1.0))
    high = m.number(LN_2[m.nbits][0])
    squared = m.mul(part, part)
    if m.nbits == 32:
        tail = m.fma(squared, m.fitted("log", part), rest)
        return m.fma(exponent, high, m.add(part, tail))
    # By powers of part / (2 + part), of which few are needed.
    quotient = m.div(part, m.add(part, m.number(2.0)))
    powers = m.mul(quotient, quotient)
    half = m.mul(squared, m.number(0.5))
    tail = m.fma(quotient, m.fma(powers, m.fitted("log", powers), half), rest)
    return m.fma(exponent, high, m.sub(part, m.sub(half, tail)))


def tanh(m: Lanes, x: str) -> str:
    """Emits the hyperbolic tangent of x."""
    magnitude = m.magnitude(x)
    grown = exp(m, m.add(magnitude, magnitude))
    far = m.sub(m.number(1.0), m.div(m.number(2.0), m.add(grown, m.number(1.0))))
    return _near_or_far(m, "tanh", x, m.test("olt", magnitude, m.number(0.625)), far)


def sinh(m: Lanes, x: str) -> str:
    """Emits the hyperbolic sine of x."""
    magnitude = m.magnitude(x)
    half = _half_exp(m, magnitude)
    far = m.sub(half, m.div(m.number(0.25), half))
    return _near_or_far(m, "sinh", x, m.test("olt", magnitude, m.number(1.0)), far)


def _near_or_far(m: Lanes, name: str, x: str, near: str, far: str) -> str:
    """Where near, x plus x^3 times the polynomial of this name in x^2."""
    squared = m.mul(x, x)
    value = m.fma(m.mul(squared, x), m.fitted(name, squared), x)
    return m.signed_as(m.select(near, value, far), x)


def cosh(m: Lanes, x: str) -> str:
    """Emits the hyperbolic cosine of x."""
    half = _half_exp(m, m.magnitude(x))
    return m.add(half, m.div(m.number(0.25), half))


def asinh(m: Lanes, x: str) -> str:
    """Emits the inverse hyperbolic sine of x."""
    magnitude = m.magnitude(x)
    huge = _squares_are_infinite(m, magnitude)
    root = m.root(m.fma(magnitude, magnitude, m.number(1.0)))
    far = _log_of_sum(m, m.select(huge, m.number(0.0), root), magnitude, huge)
    far = m.select(m.test("oeq", magnitude, m.number(float("inf"))), magnitude, far)
    return _near_or_far(m, "asinh", x, m.test("ult", magnitude, m.number(0.75)), far)


def acosh(m: Lanes, x: str) -> str:
    """Emits the inverse hyperbolic cosine of x."""
    huge = _squares_are_infinite(m, x)
    root = m.root(m.fma(x, x, m.number(-1.0)))
    value = _log_of_sum(m, x, m.select(huge, m.number(0.0), root), huge)
    value = m.select(m.test("oge", x, m.number(1.0)), value, m.number(float("nan")))
    return m.select(m.test("oeq", x, m.number(float("inf"))), x, value)


def _squares_are_infinite(m: Lanes, x: str) -> str:
    return m.test("oge", x, m.number(2.0 ** (m.bias // 2)))


def _log_of_sum(m: Lanes, a: str, b: str, doubled: str) -> str:
    """log(a + b), or log(2 (a + b)) where doubled, with what rounding takes from the sum; a >= b >= 0 or a = 0."""
    total = m.add(a, b)
    lost = m.div(m.add(m.sub(a, total), b), total)
    exponent, mantissa = m.decomposed(total)
    exponent = m.select(doubled, m.add(exponent, m.number(1.0)), exponent)
    return _log_of_parts(m, mantissa, exponent, m.fma(exponent, m.number(LN_2[m.nbits][1]), lost))


def atanh(m: Lanes, x: str) -> str:
    """Emits the inverse hyperbolic tangent of x."""
    magnitude = m.magnitude(x)
    one = m.number(1.0)
    far = m.mul(log(m, m.div(m.add(one, magnitude), m.sub(one, magnitude))), m.number(0.5))
    return _near_or_far(m, "atanh", x, m.test("ult", magnitude, m.number(0.5)), far)


# Beyond this exponent a power of 2 is infinite, or 0; up to the other it is a normal number.
_GREATEST_EXPONENT = {32: 160.0, 64: 1100.0}
_GREATEST_NORMAL_EXPONENT = {32: 125.0, 64: 1021.0}


def pow_(m: Lanes, x: str, y: str) -> Usual:
    """Emits x to the power y, and the mask of lanes that need the general function."""
    magnitude = m.magnitude(x)
    logarithm, rest = _exact_log2(m, magnitude)
    product = m.mul(logarithm, y)
    error = m.fma(rest, y, m.fma(logarithm, y, m.negated(product)))
    greatest = _GREATEST_EXPONENT[m.nbits]
    usual = greatest if m.has_decomposition else _GREATEST_NORMAL_EXPONENT[m.nbits]
    # So it is where y, or the logarithm of 0, infinity or NaN, is not finite.
    far = m.test("uge", m.magnitude(product), m.number(usual))
    if m.has_decomposition:
        odd = m.bit_test("slt", m.bits(x), m.whole(0))
    else:
        # Not by its bits: a denormal number is 0 where the mode says so.
        odd = m.either(m.test("ule", x, m.number(0.0)), m.test("uge", x, m.number(float("inf"))))

    def mend() -> str:
        beyond = m.test("uge", m.magnitude(product), m.number(greatest))
        limited = m.select(beyond, m.clamped(product, -greatest, greatest), product)
        value = m.scaled(*_power_of_two(m, limited, m.select(beyond, m.number(0.0), error)))
        return _with_special_powers(m, value, x, magnitude, y)

    return Usual(m.scaled_to_normal(*_power_of_two(m, product, error)), m.either(odd, far), mend)


def _power_of_two(m: Lanes, product: str, error: str) -> tuple[str, str]:
    """2 to the power product + error as a number near 1 and the exponent of a power of 2."""
    whole = call_intrinsic(m.f, "roundeven", m.kind, product)
    r = m.add(m.sub(product, whole), error)
    return m.fma(m.fitted("exp2", r), r, m.number(1.0)), whole


def _exact_log2(m: Lanes, x: str) -> tuple[str, str]:
    """log2 of a positive number as a sum of two: it has about 10 bits more than one."""
    exponent, mantissa = m.decomposed(x)
    s, s_rest = _quotient(m, mantissa)
    z = m.mul(s, s)
    z_rest = m.fma(m.add(s, s), s_rest, m.fma(s, s, m.negated(z)))
    # exponent + s (c1 + z (c3 + z polynomial)): the innermost sum needs fewest bits, in float32 no more than there are.
    c1, c1_rest = (m.number(part) for part in TWO_LOG2_E[m.nbits])
    c3, c3_rest = (m.number(part) for part in THIRD_TWO_LOG2_E[m.nbits])
    polynomial = m.fitted("log2", z)
    inner, inner_rest = _fused(m, z, polynomial, c3)
    outer, outer_rest = _fused(m, z, inner, c1)
    outer_rest = m.add(outer_rest, m.fma(z_rest, inner, c1_rest))
    if m.nbits == 64:
        outer_rest = m.fma(z, m.add(inner_rest, c3_rest), outer_rest)
    # Not fused, as the product may be more than half of an exponent of -1: the difference would not be exact.
    total = m.add(exponent, m.mul(s, outer))
    rest = m.fma(s, outer, m.sub(exponent, total))
    return total, m.fma(s_rest, outer, m.fma(s, outer_rest, rest))


def _quotient(m: Lanes, mantissa: str) -> tuple[str, str]:
    """(mantissa - 1) / (mantissa + 1) as a sum of two numbers, with one division."""
    one = m.number(1.0)
    numerator = m.sub(mantissa, one)
    denominator = m.add(mantissa, one)
    denominator_rest = m.sub(mantissa, m.sub(denominator, one))
    inverse = m.div(one, denominator)
    quotient = m.mul(numerator, inverse)
    minus = m.negated(quotient)
    remainder = m.fma(minus, denominator_rest, m.fma(minus, denominator, numerator))
    return quotient, m.mul(remainder, inverse)


def _fused(m: Lanes, a: str, b: str, c: str) -> tuple[str, str]:
    """a b + c and what rounding took from it, for |c| >= 2 |a b|."""
    total = m.fma(a, b, c)
    return total, m.fma(a, b, m.sub(c, total))


def _with_special_powers(m: Lanes, value: str, x: str, magnitude: str, y: str) -> str:
    """x to the power y for any x and y, given the power of a finite |x| above 0."""
    zero, one, infinity, invalid = (m.number(v) for v in (0.0, 1.0, float("inf"), float("nan")))
    # 0 and infinity give 0 or infinity.
    at_zero, at_infinity = m.test("oeq", magnitude, zero), m.test("oeq", magnitude, infinity)
    up = m.test("ogt", y, zero)
    extreme = m.select(m.differ(at_zero, up), infinity, zero)
    value = m.select(m.either(at_zero, at_infinity), extreme, value)
    # An odd power keeps the sign; powers that are not whole have no value for negative numbers.
    whole = m.test("oeq", call_intrinsic(m.f, "floor", m.kind, y), y)
    half = m.mul(y, m.number(0.5))
    odd = m.both(whole, m.test("une", call_intrinsic(m.f, "floor", m.kind, half), half))
    value = m.select(odd, m.of_bits(m.bit_op("or", m.bits(value), m.sign_bit(x))), value)
    negative = m.both(m.test("olt", x, zero), m.inverted(m.either(whole, at_infinity)))
    value = m.select(m.either(negative, m.test("uno", x, y)), invalid, value)
    # 1 to any power, anything to the power 0, and -1 to an infinite power, are 1.
    flat = m.both(m.test("oeq", magnitude, one), m.test("oeq", m.magnitude(y), infinity))
    certain = m.either(m.test("oeq", x, one), m.test("oeq", y, zero))
    return m.select(m.either(certain, flat), one, value)
