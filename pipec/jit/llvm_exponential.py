"""exp, log and the hyperbolic functions by polynomials."""

from __future__ import annotations

from pipec.jit.llvm_lanes import Lanes
from pipec.jit.math_coefficients import LN_2

# Beyond these e^x / 2 is 0 or infinite.
_RANGE = {32: (-104.0, 90.0), 64: (-746.0, 711.0)}
_LN_2 = LN_2[64][0]


def exp(m: Lanes, x: str) -> str:
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
    exponent, mantissa = m.decomposed(x)
    part = m.sub(mantissa, m.number(1.0))
    value = (_log_by_powers if m.nbits == 32 else _log_by_quotient)(m, part, exponent)
    if m.takes_any_apart:
        return value
    zero, infinity = m.number(0.0), m.number(float("inf"))
    outside = m.select(m.test("oeq", x, zero), m.number(float("-inf")), m.number(float("nan")))
    value = m.select(m.test("ogt", x, zero), value, outside)
    return m.select(m.test("oeq", x, infinity), infinity, value)


def _log_by_powers(m: Lanes, part: str, exponent: str) -> str:
    """log(1 + part) + exponent log(2)."""
    high, low = LN_2[m.nbits]
    tail = m.fma(m.mul(part, part), m.fitted("log", part), m.mul(exponent, m.number(low)))
    return m.fma(exponent, m.number(high), m.add(part, tail))


def _log_by_quotient(m: Lanes, part: str, exponent: str) -> str:
    """The same by powers of part / (2 + part), of which few are needed."""
    high, low = LN_2[m.nbits]
    quotient = m.div(part, m.add(part, m.number(2.0)))
    squared = m.mul(quotient, quotient)
    half = m.mul(m.mul(part, part), m.number(0.5))
    tail = m.fma(squared, m.fitted("log", squared), half)
    tail = m.fma(quotient, tail, m.mul(exponent, m.number(low)))
    return m.fma(exponent, m.number(high), m.sub(part, m.sub(half, tail)))


def tanh(m: Lanes, x: str) -> str:
    magnitude = m.magnitude(x)
    grown = exp(m, m.add(magnitude, magnitude))
    far = m.sub(m.number(1.0), m.div(m.number(2.0), m.add(grown, m.number(1.0))))
    return _near_or_far(m, "tanh", x, m.test("olt", magnitude, m.number(0.625)), far)


def sinh(m: Lanes, x: str) -> str:
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
    half = _half_exp(m, m.magnitude(x))
    return m.add(half, m.div(m.number(0.25), half))


def _log2_in_double(m: Lanes, x: str) -> str:
    """log2 of a positive normal double, as exactly as float32 asks for, relatively also near 1."""
    exponent, mantissa = m.decomposed(x)
    part = m.sub(mantissa, m.number(1.0))
    return m.fma(part, m.fitted("short log2", part), exponent)


def _log_in_double(m: Lanes, x: str, factor: float = 1.0) -> str:
    return m.mul(_log2_in_double(m, x), m.number(factor * _LN_2))


# The inverse hyperbolic functions of float32 in double: rounding an argument of log near 1 costs nothing there. What
# is so small that it would is its own value.
_OWN_VALUE = 2.0**-12


def asinh(m: Lanes, x: str) -> str:
    d = m.double()
    magnitude = m.magnitude(x)
    wide = m.widened(magnitude)
    root = d.root(d.fma(wide, wide, d.number(1.0)))
    value = m.narrowed(_log_in_double(d, d.add(wide, root)))
    return m.signed_as(_own(m, magnitude, value), x)


def _own(m: Lanes, magnitude: str, value: str) -> str:
    """The value, or the magnitude itself where it is small, infinite or NaN."""
    small = m.test("ult", magnitude, m.number(_OWN_VALUE))
    return m.select(m.either(small, m.test("oeq", magnitude, m.number(float("inf")))), magnitude, value)


def acosh(m: Lanes, x: str) -> str:
    d = m.double()
    wide = m.widened(x)
    root = d.root(d.fma(wide, wide, d.number(-1.0)))
    value = m.narrowed(_log_in_double(d, d.add(wide, root)))
    value = m.select(m.test("oge", x, m.number(1.0)), value, m.number(float("nan")))
    return m.select(m.test("oeq", x, m.number(float("inf"))), x, value)


def atanh(m: Lanes, x: str) -> str:
    d = m.double()
    one = d.number(1.0)
    magnitude = m.magnitude(x)
    wide = m.widened(magnitude)
    value = m.narrowed(_log_in_double(d, d.div(d.add(one, wide), d.sub(one, wide)), 0.5))
    small = m.test("ult", magnitude, m.number(_OWN_VALUE))
    value = m.select(small, magnitude, value)
    value = m.select(m.test("oeq", magnitude, m.number(1.0)), m.number(float("inf")), value)
    invalid = m.test("ogt", magnitude, m.number(1.0))
    return m.signed_as(m.select(invalid, m.number(float("nan")), value), x)
