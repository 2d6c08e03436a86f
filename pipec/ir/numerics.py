"""What arithmetic nodes and conversions mean, as numpy functions: ints wrap, floats round after each operation."""

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
    """The dtype that holds values of `kind` while they are computed: bfloat16 is kept as a rounded float32."""
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
    """The value as it is kept in memory."""
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
    """What stands in lanes that have no value: a pattern that shows when it is used by mistake."""
    return value_dtype(kind).type(_UNDEFINED.get(kind.code(), 0xAA))
