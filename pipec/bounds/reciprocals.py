"""Quotients of floats by constants: a product and a multiply-add, which are rounded as the division would be.

N. Brisebarre, J.-M. Muller, S. K. Raina, Accelerating Correctly Rounded Floating-Point Division When the Divisor Is
Known in Advance, IEEE Transactions on Computers 53(8), 2004.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from pipec.bounds.float_steps import step_of
from pipec.ir import expr as e
from pipec.ir.build import constant


class _Format(NamedTuple):
    """A type of floats: bits of its significands, and what keeps products and quotients from being subnormal numbers:
    the exponent of the smallest dividend, and the smallest part of a reciprocal, by the other."""

    precision: int
    min_step: int
    min_low: Fraction


_FORMATS = {32: _Format(24, -30, Fraction(1, 1 << 56)), 64: _Format(53, -300, Fraction(1, 1 << 200))}
MAX_EXPONENT = 20  # of a divisor or its reciprocal
UNCERTAIN = 4
"""How far a quotient that may be rounded wrongly is from the middle of two floats: |x * 2^k - divisor * middle|, all of
them whole numbers. The sum of both products is at most 2^(1 - 2 * precision) away from a quotient below 2."""


class Reciprocal(NamedTuple):
    """1 / divisor is about high + low: x / divisor, rounded, is `fma(x, high, x * low)`.

    Both have the same sign, so that it is for zeros of both signs, infinite and NaN as well.
    """

    high: float
    low: float


def reciprocal(quotient: e.Expr) -> Reciprocal | None:
    """By which the dividend of a quotient of floats may be multiplied; None where it has to be divided."""
    if not isinstance(quotient, e.Div) or not quotient.type.floating or quotient.type.nbits not in _FORMATS:
        return None
    divisor, format_ = constant(quotient.b), _FORMATS[quotient.type.nbits]
    if divisor is None or not isfinite(divisor) or not 2**-MAX_EXPONENT < abs(divisor) < 2**MAX_EXPONENT:
        return None
    step = step_of(quotient.a)
    if step is None or step < format_.min_step:
        return None
    return _reciprocal_of(float(divisor), format_)


@lru_cache(maxsize=256)
def _reciprocal_of(divisor: float, format_: _Format) -> Reciprocal | None:
    """The reciprocal, where the sum of products with it is rounded as all quotients are; not for powers of two."""
    exact, precision = 1 / Fraction(divisor), format_.precision
    high, low = _parts(exact, precision)
    if abs(low) < format_.min_low * abs(high):
        return None
    size = Fraction(2) ** _exponent(abs(Fraction(divisor)))
    parts = abs(high) * size, abs(low) * size
    significand = int(abs(Fraction(divisor)) / size * 2 ** (precision - 1))
    return Reciprocal(float(high), float(low)) if _is_exact(significand, precision, *parts) else None


def _is_exact(divisor: int, precision: int, high: Fraction, low: Fraction) -> bool:
    """Tries all significands whose quotients are next to the middle of two floats.

    `high`, `low`: of the reciprocal of divisor / 2^(precision - 1), which is 1 or more and less than 2.
    """
    zeros = (divisor & -divisor).bit_length() - 1
    unit = 1 << (precision - 1)
    # Middles are odd multiples of 2^-shift: quotients are 1 or more, or less than 1.
    for shift in (precision, precision + 1):
        modulus = 1 << (shift - zeros)
        inverse = pow(divisor >> zeros, -1, modulus)
        for rest in range(-UNCERTAIN, UNCERTAIN + 1):
            if rest == 0 or rest % (1 << zeros):
                continue
            first = -(rest >> zeros) * inverse % modulus
            for middle in range(2 * unit + (first - 2 * unit) % modulus, 4 * unit, modulus):
                dividend = (middle * divisor + rest) >> shift
                if middle % 2 == 0 or not unit <= dividend < 2 * unit or (dividend >= divisor) != (shift == precision):
                    continue
                x = Fraction(dividend, unit)
                distance = x * high + _rounded(x * low, precision) - Fraction(middle, 1 << shift)
                if distance == 0 or (distance > 0) != (rest > 0):
                    return False
    return True


def _exponent(value: Fraction) -> int:
    """The largest k for which 2^k is not greater than a positive value."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if value >= Fraction(2) ** guess else guess - 1


def _parts(value: Fraction, precision: int) -> tuple[Fraction, Fraction]:
    """The next number towards zero with so many bits, and one for the rest."""
    unit = Fraction(2) ** (_exponent(abs(value)) - precision + 1)
    high = int(value / unit) * unit
    return high, _rounded(value - high, precision)


def _rounded(value: Fraction, precision: int) -> Fraction:
    """The nearest number with so many bits, an even one of two."""
    if value == 0:
        return value
    unit = Fraction(2) ** (_exponent(abs(value)) - precision + 1)
    return round(value / unit) * unit
