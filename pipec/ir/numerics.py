"""The meaning of arithmetic nodes, conversions and intrinsics as numpy functions: ints wrap, floats round."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from pipec.ir import expr as e
from pipec.ir.types import Type, TypeCode

# Operands and results are numpy scalars or arrays whose dtype is `value_dtype` of the node's type.
Value = Any
Function = Callable[..., Value]


def value_dtype(kind: Type) -> np.dtype[Any]:
    """The dtype of values of `kind` while they are computed: a bfloat16 is a rounded float32."""
    return np.dtype(np.float32) if kind.is_bfloat() else kind.numpy()


def constant(node: e.Const) -> Value:
    """The numpy scalar of a constant."""
    return value_dtype(node.type).type(node.value)


def euclidean_div(a: Value, b: Value) -> Value:
    """Quotient whose remainder is never negative; x / 0 is 0; the smallest int / -1 is itself."""
    zero = b == 0
    safe = np.where(zero, b.dtype.type(1), b)
    quotient = np.floor_divide(a, safe)
    if b.dtype.kind == "i":
        # Floor division leaves a remainder with the divisor's sign: step up when that is negative.
        remainder = a - quotient * safe
        quotient = quotient + (remainder < 0).astype(b.dtype)
    return np.where(zero, b.dtype.type(0), quotient)


def euclidean_mod(a: Value, b: Value) -> Value:
    """Remainder that is never negative; x % 0 is 0."""
    zero = b == 0
    safe = np.where(zero, b.dtype.type(1), b)
    if b.dtype.kind == "i":
        # The smallest int % -1 traps on some machines: it is 0.
        safe = np.where(safe == -1, b.dtype.type(1), safe)
    remainder = np.remainder(a, safe)
    if b.dtype.kind == "i":
        remainder = np.where(remainder < 0, remainder - safe, remainder)
    return np.where(zero, b.dtype.type(0), remainder)


def float_mod(a: Value, b: Value) -> Value:
    """a - b * floor(a / b): the sign of the divisor."""
    return a - b * np.floor(a / b)


def _false(a: Value, b: Value) -> Value:
    return np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)), np.bool_)[()]


_COMPARE: dict[type, Function] = {
    e.EQ: operator.eq,
    e.NE: operator.ne,
    e.LT: operator.lt,
    e.LE: operator.le,
    e.GT: operator.gt,
    e.GE: operator.ge,
    e.And: operator.and_,
    e.Or: operator.or_,
}
_INTEGER: dict[type, Function] = {
    e.Add: operator.add,
    e.Sub: operator.sub,
    e.Mul: operator.mul,
    e.Div: euclidean_div,
    e.Mod: euclidean_mod,
    e.Min: np.minimum,
    e.Max: np.maximum,
}
_FLOAT: dict[type, Function] = _INTEGER | {e.Div: operator.truediv, e.Mod: float_mod}
# One-bit arithmetic: sums modulo 2, and x / 0 = x % 0 = 0.
_BOOL: dict[type, Function] = {
    e.Add: operator.xor,
    e.Sub: operator.xor,
    e.Mul: operator.and_,
    e.Div: operator.and_,
    e.Mod: _false,
    e.Min: operator.and_,
    e.Max: operator.or_,
}


def binary_function(node_class: type[e.Binary], kind: Type) -> Function:
    """The numpy function of a node with two operands of type `kind`."""
    if node_class in _COMPARE:
        return _COMPARE[node_class]
    if kind.boolean:
        return _BOOL[node_class]
    if kind.is_bfloat():
        function = _FLOAT[node_class]
        return lambda a, b: round_bfloat(function(a, b))
    return _FLOAT[node_class] if kind.floating else _INTEGER[node_class]


def select(condition: Value, true_value: Value, false_value: Value) -> Value:
    """`true_value` where the condition holds."""
    if np.ndim(condition) == 0:
        return true_value if condition else false_value
    return np.where(condition, true_value, false_value)


def round_bfloat(value: Value) -> Value:
    """A float32 rounded to the nearest bfloat16, ties to even; NaN stays NaN."""
    bits = np.asarray(value, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(value), np.float32(np.nan), rounded.view(np.float32))[()]


def convert(value: Value, source: Type, target: Type) -> Value:
    """A cast: ints wrap, floats truncate toward zero (out of range: wraps through int64), bool keeps the low bit."""
    if target.floating:
        return round_bfloat(value.astype(np.float32)) if target.is_bfloat() else value.astype(target.numpy())
    if source.floating:
        wide = np.uint64 if target.nbits == 64 and not target.signed else np.int64
        with np.errstate(invalid="ignore"):
            value = np.where(np.isfinite(value), value, 0).astype(wide)
    if target.boolean and not source.boolean:
        return (value & value.dtype.type(1)).astype(np.bool_)
    return value.astype(target.numpy())


def reinterpret(value: Value, source: Type, target: Type) -> Value:
    """The same bits as another type of the same size."""
    stored = to_storage(value, source)
    return from_storage(np.asarray(stored).view(target.numpy())[()], target)


def to_storage(value: Value, kind: Type) -> Value:
    """The value as it is stored in memory."""
    if kind.is_bfloat():
        return (np.asarray(value, np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)[()]
    return value


def from_storage(value: Value, kind: Type) -> Value:
    """The value of an element read from memory."""
    if kind.is_bfloat():
        return (np.asarray(value).astype(np.uint32) << np.uint32(16)).view(np.float32)[()]
    return value


_UNDEFINED = {TypeCode.Int: -86, TypeCode.UInt: 0xAA, TypeCode.Float: float("nan"), TypeCode.BFloat: float("nan")}


def undefined(kind: Type) -> Value:
    """The value of undefined lanes: a conspicuous pattern."""
    return value_dtype(kind).type(_UNDEFINED.get(kind.code(), 0xAA))


# Intrinsics


def _unsigned_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(f"u{dtype.itemsize}") if dtype.kind == "i" else dtype


def magnitude(a: Value) -> Value:
    """|a|, as an unsigned integer for integers."""
    # The negative of the smallest int is itself: its bits, read as unsigned, are its magnitude.
    return np.abs(a).astype(_unsigned_dtype(a.dtype)) if a.dtype.kind == "i" else np.abs(a)


def distance(a: Value, b: Value) -> Value:
    """|a - b| without overflow, as an unsigned integer for integers."""
    if a.dtype.kind == "b":
        return a ^ b
    if a.dtype.kind == "f":
        return np.abs(a - b)
    unsigned = _unsigned_dtype(a.dtype)
    return np.where(a > b, a.astype(unsigned) - b.astype(unsigned), b.astype(unsigned) - a.astype(unsigned))


def shift_left(a: Value, b: Value) -> Value:
    """a * 2^b; see `_shift_by`."""
    return _shift_by(a, b, leftward=True)


def shift_right(a: Value, b: Value) -> Value:
    """a / 2^b, rounded down; see `_shift_by`."""
    return _shift_by(a, b, leftward=False)


def _shift_by(a: Value, b: Value, leftward: bool) -> Value:
    """Negative counts shift the other way; counts of at least the width shift every bit out."""
    bits = a.dtype.itemsize * 8
    count = np.minimum(magnitude(b), bits).astype(np.int64)
    left = np.where(count >= bits, a.dtype.type(0), a << np.minimum(count, bits - 1).astype(a.dtype))
    out = np.where(a < 0, a.dtype.type(-1), a.dtype.type(0)) if a.dtype.kind == "i" else a.dtype.type(0)
    right = np.where(count >= bits, out, a >> np.minimum(count, bits - 1).astype(a.dtype))
    return np.where((b >= 0) == leftward, left, right)


def div_round_to_zero(a: Value, b: Value) -> Value:
    """The quotient rounded toward zero, as in C; x / 0 is 0."""
    zero = b == 0
    safe = np.where(zero, b.dtype.type(1), b)
    quotient = np.floor_divide(a, safe)
    if a.dtype.kind == "i":
        inexact = (a - quotient * safe) != 0
        quotient = quotient + (inexact & ((a < 0) != (safe < 0))).astype(a.dtype)
    return np.where(zero, b.dtype.type(0), quotient)


def mod_round_to_zero(a: Value, b: Value) -> Value:
    """The remainder with the sign of `a`, as in C; x % 0 is 0."""
    return np.where(b == 0, a.dtype.type(0), a - div_round_to_zero(a, b) * b)


def saturating_add(a: Value, b: Value) -> Value:
    """a + b, or the nearest value of the type."""
    limits = np.iinfo(a.dtype)
    total = a + b
    if a.dtype.kind == "u":
        return np.where(total < a, a.dtype.type(limits.max), total)
    clipped = np.where(a < 0, a.dtype.type(limits.min), a.dtype.type(limits.max))
    return np.where(((a < 0) == (b < 0)) & ((total < 0) != (a < 0)), clipped, total)


def saturating_sub(a: Value, b: Value) -> Value:
    """a - b, or the nearest value of the type."""
    limits = np.iinfo(a.dtype)
    total = a - b
    if a.dtype.kind == "u":
        return np.where(b > a, a.dtype.type(0), total)
    clipped = np.where(a < 0, a.dtype.type(limits.min), a.dtype.type(limits.max))
    return np.where(((a < 0) != (b < 0)) & ((total < 0) != (a < 0)), clipped, total)


def popcount(a: Value) -> Value:
    """The number of bits that are set."""
    if a.dtype.kind == "b":
        return a
    return np.bitwise_count(np.asarray(a).view(_unsigned_dtype(a.dtype))).astype(a.dtype)


def _smeared(a: Value) -> Value:
    """All bits below the highest one set, as uint64."""
    bits = np.asarray(a).view(_unsigned_dtype(a.dtype)).astype(np.uint64)
    for distance in (1, 2, 4, 8, 16, 32):
        bits = bits | (bits >> np.uint64(distance))
    return bits


def count_leading_zeros(a: Value) -> Value:
    """The number of zero bits above the highest set one."""
    if a.dtype.kind == "b":
        return ~a
    return (a.dtype.itemsize * 8 - np.bitwise_count(_smeared(a)).astype(np.int64)).astype(a.dtype)


def count_trailing_zeros(a: Value) -> Value:
    """The number of zero bits below the lowest set one."""
    if a.dtype.kind == "b":
        return ~a
    bits = np.asarray(a).view(_unsigned_dtype(a.dtype))
    return np.bitwise_count(~bits & (bits - bits.dtype.type(1))).astype(a.dtype)


def high_product(a: Value, b: Value, count: Value) -> Value:
    """The upper half of the product, shifted right."""
    bits, wide = a.dtype.itemsize * 8, np.int64 if a.dtype.kind == "i" else np.uint64
    product = a.astype(wide) * b.astype(wide) >> wide(bits)
    return shift_right(product, count.astype(wide)).astype(a.dtype)
