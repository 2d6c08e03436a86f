"""exp, log and the hyperbolic functions by polynomials."""

from __future__ import annotations

from pipec.jit.llvm.math.coefficients import LN_2
from pipec.jit.llvm.math.float_arithmetic import Lanes

# Beyond these e^x / 2 is 0 or infinite.
_RANGE = {32: (-104.0, 90.0), 64: (-746.0, 711.0)}
_LN_2 = LN_2[64][0]


def exp(m: Lanes, x: str) -> str:
    """Emits e^x."""
    return m.scaled(*_exp_parts(m, x))


def _exp_parts(m: Lanes, x: str) -> tuple[str, str]:
    """e^x as a number near 1 and the exponent of a power of 2."""
    x = m.clamped(x, *_RANGE[m.nbits])
    whole = m.nearest(x, 1 / _LN_2)[0]
    high, low = LN_2[m.nbits]
    r = m.fma(whole, m.number(-high), x)
    r = m.fma(whole, m.number(-low), r)
    return m.add(m.fma(m.fitted("exp", r), m.mul(r, r), r), m.number(1.0)), whole


def _half_exp(m: Lanes, x: str) -> str:
    """e^x / 2, finite where e^x is not but its half is."""
    value, power = _exp_parts(m, x)
    return m.scaled(value, m.sub(power, m.number(1.0)))


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
