"""Limits of the values of intrinsics, and arithmetic nodes that have the same value."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pipec.ir.build import as_expr
from pipec.ir.expr import Add, Div, Expr, Intrinsic, Mod, Mul, Sub
from pipec.ir.types import Type

# The minimum and the maximum of a value; infinities where there is no limit.
Limits = tuple[float, float]
# Returns limits of the result without overflow, from its type and the limits of the operands; None: those of its type.
LimitsRule = Callable[..., Limits | None]
# Returns the value of a constant operand, None for other operands.
Number = Callable[[Expr], float | None]


def magnitude(kind: Type, a: Limits) -> Limits:
    """The limits of |a|."""
    low, high = abs(a[0]), abs(a[1])
    return (0 if a[0] <= 0 <= a[1] else min(low, high)), max(low, high)


def distance(kind: Type, a: Limits, b: Limits) -> Limits:
    """The limits of |a - b|."""
    return max(0, a[0] - b[1], b[0] - a[1]), max(0, a[1] - b[0], b[1] - a[0])


def common_bits(kind: Type, a: Limits, b: Limits) -> Limits:
    """The limits of `&`: the result is not greater than an operand that is not negative."""
    highs = [high for low, high in (a, b) if low >= 0]
    return (0, min(highs)) if highs else (_block_of(a, b)[0], max(a[1], b[1]))


def all_bits(kind: Type, a: Limits, b: Limits) -> Limits:
    """The limits of `|`: no operand that is not negative is greater than the result."""
    low = max(a[0], b[0]) if a[0] >= 0 and b[0] >= 0 else min(a[0], b[0])
    return low, -1 if a[1] < 0 or b[1] < 0 else _block_of((0, a[1]), (0, b[1]))[1]


def different_bits(kind: Type, a: Limits, b: Limits) -> Limits:
    """The limits of `^`."""
    return _block_of(a, b)


def _block_of(a: Limits, b: Limits) -> Limits:
    """The limits of integers that have no more bits than the operands, apart from copies of the sign."""
    low, high = min(a[0], b[0]), max(a[1], b[1])
    largest = max(high, -1 - low)
    end = largest if math.isinf(largest) else (1 << int(largest).bit_length()) - 1
    return (0 if low >= 0 else -1 - end), end


def complement(kind: Type, a: Limits) -> Limits:
    """The limits of `~`: an operand a gives -1 - a, or for unsigned types the maximum - a."""
    ones = -1 if kind.signed else int(kind.max_value())
    return ones - a[1], ones - a[0]


def _shifted(kind: Type, a: Limits, count: Limits, leftward: bool) -> Limits | None:
    if count[0] < 0:
        return None
    ends = [_shifted_end(end, int(min(shift, kind.nbits)), leftward) for end in a for shift in count]
    return min(ends), max(ends)


shifted_left, shifted_right = partial(_shifted, leftward=True), partial(_shifted, leftward=False)


def _shifted_end(end: float, count: int, leftward: bool) -> float:
    if math.isinf(end):
        return end
    return int(end) << count if leftward else int(end) >> count


def bit_count(kind: Type, a: Limits) -> Limits:
    """The limits of counts of bits."""
    return 0, kind.nbits


def quotient_to_zero(kind: Type, a: Limits, b: Limits) -> Limits:
    """The limits of a quotient that is rounded toward zero."""
    reach = max(abs(a[0]), abs(a[1]))
    return (0 if a[0] >= 0 and b[0] >= 0 else -reach), reach


def remainder_to_zero(kind: Type, a: Limits, b: Limits) -> Limits:
    """The limits of a remainder that has the sign of the first operand."""
    reach = max(0, min(max(abs(a[0]), abs(a[1])), max(abs(b[0]), abs(b[1])) - 1))
    return (0 if a[0] >= 0 else -reach), (0 if a[1] <= 0 else reach)


def _saturated(kind: Type, a: Limits, b: Limits, sign: int) -> Limits:
    low, high = (a[0] + b[0], a[1] + b[1]) if sign > 0 else (a[0] - b[1], a[1] - b[0])
    minimum, maximum = int(kind.min_value()), int(kind.max_value())
    return min(max(low, minimum), maximum), min(max(high, minimum), maximum)


saturated_sum, saturated_difference = partial(_saturated, sign=1), partial(_saturated, sign=-1)


def high_product(kind: Type, a: Limits, b: Limits, count: Limits) -> Limits | None:
    """The limits of the upper half of a product, shifted right."""
    if any(map(math.isinf, (*a, *b))):
        return None
    products = [int(x) * int(y) >> kind.nbits for x in a for y in b]
    return shifted_right(kind, (min(products), max(products)), count)


def promised(kind: Type, a: Limits, low: Limits, high: Limits) -> Limits:
    """The limits of a value that is asserted to lie between the other operands."""
    return max(a[0], low[0]), min(a[1], high[1])


def any_of(kind: Type, *operands: Limits) -> Limits:
    """The limits of a value that is one of the operands."""
    return min([low for low, _ in operands]), max([high for _, high in operands])


def between(low: float, high: float) -> LimitsRule:
    """Limits that do not depend on the operands."""
    return lambda kind, *operands: (low, high)


def at_ends(function: Callable[[Any], Any]) -> LimitsRule:
    """The limits of an increasing function: its values at the limits of the operand."""

    def rule(kind: Type, a: Limits) -> Limits:
        with np.errstate(all="ignore"):
            low, high = function(np.float64(a[0])), function(np.float64(a[1]))
        return -math.inf if np.isnan(low) else float(low), math.inf if np.isnan(high) else float(high)

    return rule


def root(kind: Type, a: Limits) -> Limits:
    """The limits of a square root; NaN is ignored."""
    return math.sqrt(max(a[0], 0)), math.sqrt(max(a[1], 0))


# Arithmetic that has the same value


def shift_as_arithmetic(e: Intrinsic, value: Number) -> Expr | None:
    """A shift by a constant as a product or quotient."""
    count = value(e.args[1])
    if count is None or not 0 <= count < e.type.nbits - e.type.signed:
        return None
    node = Mul if e.name == "shift_left" else Div
    return node(e.args[0], as_expr(1 << int(count), e.type))


def mask_as_arithmetic(e: Intrinsic, value: Number) -> Expr | None:
    """`&` with 2^n - 1 as a remainder, with the complement of such a number as a multiple of 2^n."""
    x, ones = _low_ones(e, value)
    if ones is not None:
        return Mod(x, as_expr(ones + 1, e.type))
    x, zeros = _low_ones(e, lambda operand: _inverted(value(operand)))
    return None if zeros is None else _without_low_bits(x, zeros)


def ones_as_sum(e: Intrinsic, value: Number) -> Expr | None:
    """`|` with 2^n - 1 as a multiple of 2^n and that."""
    x, ones = _low_ones(e, value)
    return None if ones is None else _with_low_bits(x, ones)


def flips_as_sum(e: Intrinsic, value: Number) -> Expr | None:
    """`^` with 2^n - 1 as a multiple of 2^n and what the remainder lacks to that."""
    x, ones = _low_ones(e, value)
    return None if ones is None else Sub(_with_low_bits(x, ones), Mod(x, as_expr(ones + 1, e.type)))


def complement_as_difference(e: Intrinsic, value: Number) -> Expr | None:
    """`~x` of signed numbers is -1 - x."""
    return _complement(e.args[0]) if e.type.signed else None


def _low_ones(e: Intrinsic, value: Number) -> tuple[Expr, int | None]:
    """An operand, and the other one where that is 2^n - 1."""
    for x, other in (e.args, e.args[::-1]):
        ones = value(other)
        if ones is not None and 0 <= ones < e.type.max_value() and int(ones) & (int(ones) + 1) == 0:
            return x, int(ones)
    return e.args[0], None


def _inverted(value: float | None) -> int | None:
    return None if value is None else ~int(value)


# Functions that enclose a value


def mask_between(e: Intrinsic, value: Number) -> tuple[Expr, Expr] | None:
    """`&` with a negative constant clears low bits only."""
    x, bits = _constant_operand(e, value)
    return None if bits is None or bits >= 0 else (_without_low_bits(x, ~bits), x)


def all_bits_between(e: Intrinsic, value: Number) -> tuple[Expr, Expr] | None:
    """`|` with a constant sets low bits; with a negative one it is ~(~x & ~constant)."""
    x, bits = _constant_operand(e, value)
    if bits is None:
        return None
    if bits >= 0:
        return x, _with_low_bits(x, bits)
    return _same(_complement(Intrinsic(e.type, "bitwise_and", (_complement(x), as_expr(~bits, e.type)))))


def different_bits_between(e: Intrinsic, value: Number) -> tuple[Expr, Expr] | None:
    """`^` with a constant changes low bits; with a negative one it is ~(x ^ ~constant)."""
    x, bits = _constant_operand(e, value)
    if bits is None:
        return None
    if bits >= 0:
        return _without_low_bits(x, bits), _with_low_bits(x, bits)
    return _same(_complement(Intrinsic(e.type, "bitwise_xor", (x, as_expr(~bits, e.type)))))


def complement_between(e: Intrinsic, value: Number) -> tuple[Expr, Expr]:
    """`~x` is -1 - x."""
    return _same(_complement(e.args[0]))


def _same(x: Expr) -> tuple[Expr, Expr]:
    return x, x


def _complement(x: Expr) -> Expr:
    return Sub(as_expr(-1, x.type), x)


def _without_low_bits(x: Expr, bits: int) -> Expr:
    """x with all bits cleared from the lowest to the highest of `bits`."""
    block = as_expr(1 << bits.bit_length(), x.type)
    return Mul(Div(x, block), block)


def _with_low_bits(x: Expr, bits: int) -> Expr:
    return Add(_without_low_bits(x, bits), as_expr((1 << bits.bit_length()) - 1, x.type))


def _constant_operand(e: Intrinsic, value: Number) -> tuple[Expr, int | None]:
    """The other operand and the constant one; None where neither is constant, or its block exceeds the type."""
    for x, other in (e.args, e.args[::-1]):
        bits = value(other)
        if bits is not None and abs(bits) < e.type.max_value() // 2:
            return x, int(bits)
    return e.args[0], None
