"""Scalar and vector types of values, their ranges, and the promotion rules of Halide."""

from __future__ import annotations

import enum
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pipec.errors import NotSupportedError

if TYPE_CHECKING:
    from pipec.func.math.expr import Expr


class TypeCode(enum.IntEnum):
    """The interpretation of the bits of a value."""

    Int = 0
    UInt = 1
    Float = 2
    Handle = 3
    BFloat = 4


MAX_BITS = 255
"""As in Halide, whose types hold the number of bits in a byte."""
_INTERNED: dict[tuple[TypeCode, int, int], Type] = {}


class Type:
    """A type of values: code, bits of one lane, number of lanes. Equal types are identical. Type() has no values.

    >>> hl.UInt(8).bits(), hl.UInt(8).is_uint(), hl.UInt(8).with_bits(16)
    (8, True, <halide.Type uint16>)
    """

    __slots__ = ("_code", "nbits", "nlanes", "signed", "integral", "floating", "boolean", "_low", "_high")
    _code: TypeCode
    nbits: int
    nlanes: int
    signed: bool
    integral: bool
    floating: bool
    boolean: bool
    _low: int | float
    _high: int | float

    def __new__(cls, code: TypeCode | None = None, bits: int = 0, lanes: int = 1) -> Type:
        if code is None:
            code, lanes = TypeCode.Handle, 0
        if not isinstance(code, TypeCode):
            raise TypeError(f"Type(): incompatible constructor arguments: a TypeCode is needed, not {code!r}")
        try:
            existing = _INTERNED.get((code, bits, lanes))
        except TypeError:  # what can't be hashed is no size
            existing = None
        if existing is not None:
            return existing
        if not all(isinstance(size, int | np.integer) for size in (bits, lanes)) or (
            not 0 < bits <= MAX_BITS and code != TypeCode.Handle
        ):
            raise TypeError(f"Type(): incompatible constructor arguments: {bits!r} bits; give code, bits and lanes")
        key = (code, int(bits), int(lanes))
        self = object.__new__(cls)
        self._code, self.nbits, self.nlanes = key
        self.signed = self._code == TypeCode.Int
        self.integral = self._code in (TypeCode.Int, TypeCode.UInt)
        self.floating = self._code in (TypeCode.Float, TypeCode.BFloat)
        self.boolean = self._code == TypeCode.UInt and self.nbits == 1
        self._low, self._high = self.min_value(), self.max_value()
        return _INTERNED.setdefault(key, self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Type, (self._code, self.nbits, self.nlanes)

    def code(self) -> TypeCode:
        """Returns the interpretation of the bits."""
        return self._code

    def bits(self) -> int:
        """The bits of one lane."""
        return self.nbits

    def lanes(self) -> int:
        """The number of lanes; 1 for scalars."""
        return self.nlanes

    def bytes(self) -> int:
        """The bytes of one lane in memory."""
        return (self.nbits + 7) // 8

    def is_bool(self) -> bool:
        """Whether this is UInt(1), with any number of lanes."""
        return self.boolean

    def is_vector(self) -> bool:
        """Whether there are several lanes."""
        return self.nlanes != 1

    def is_scalar(self) -> bool:
        """Whether there is one lane."""
        return self.nlanes == 1

    def is_float(self) -> bool:
        """Whether this is a floating-point type, bfloat included."""
        return self.floating

    def is_bfloat(self) -> bool:
        """Whether this is a brain float."""
        return self._code == TypeCode.BFloat

    def is_int(self) -> bool:
        """Whether this is a signed integer type."""
        return self._code == TypeCode.Int

    def is_uint(self) -> bool:
        """Whether this is an unsigned integer type, bool included."""
        return self._code == TypeCode.UInt

    def is_int_or_uint(self) -> bool:
        """Whether this is an integer type, bool included."""
        return self.integral

    def is_handle(self) -> bool:
        """Whether this is an opaque pointer."""
        return self._code == TypeCode.Handle

    def same_handle_type(self, other: Type) -> bool:
        """Whether both are handles or neither is."""
        if not isinstance(other, Type):
            raise TypeError(f"same_handle_type(): incompatible function arguments: a Type is needed, not {other!r}")
        return self.is_handle() == other.is_handle()

    def with_bits(self, bits: int) -> Type:
        """The type with another width."""
        return Type(self._code, bits, self.nlanes)

    def with_lanes(self, lanes: int) -> Type:
        """The type with another number of lanes."""
        return self if lanes == self.nlanes else Type(self._code, self.nbits, lanes)

    def with_code(self, code: TypeCode) -> Type:
        """The type with another code."""
        if not isinstance(code, TypeCode):
            raise TypeError(f"with_code(): incompatible function arguments: a TypeCode is needed, not {code!r}")
        return Type(code, self.nbits, self.nlanes)

    def element_of(self) -> Type:
        """The type of one lane."""
        return self if self.nlanes == 1 else Type(self._code, self.nbits, 1)

    def min_value(self) -> int | float:
        """The smallest value: -inf for floats."""
        if self.floating:
            return float("-inf")
        return -(1 << (self.nbits - 1)) if self.signed else 0

    def max_value(self) -> int | float:
        """The largest value: inf for floats."""
        if self.floating:
            return float("inf")
        return (1 << (self.nbits - 1)) - 1 if self.signed else (1 << self.nbits) - 1

    def max(self) -> Expr:
        """The largest value, as an Expr of the type."""
        return self._expr(self.max_value())

    def min(self) -> Expr:
        """The smallest value, as an Expr of the type."""
        return self._expr(self.min_value())

    def _expr(self, value: int | float) -> Expr:
        from pipec.func.math.expr import wrap
        from pipec.ir.expr import Const

        return wrap(Const(self, value))

    def is_max(self, value: int | float) -> bool:
        """Whether `value` is the largest value."""
        return value == self.max_value()

    def is_min(self, value: int | float) -> bool:
        """Whether `value` is the smallest value."""
        return value == self.min_value()

    def can_represent(self, other: Type | int | float) -> bool:
        """Whether every value of `other` (a Type), or the number `other`, is exact in this type."""
        if isinstance(other, Type):
            return _covers(self, other)
        if self.floating:
            return other != other or float(self.wrap(other)) == other
        return float(other).is_integer() and self.min_value() <= other <= self.max_value()

    def wrap(self, value: int | float) -> int | float:
        """The number `value` converted to this type as a cast does it: ints wrap, floats round."""
        if self.floating:
            return _round_float(self, value)
        if type(value) is int and self._low <= value <= self._high:
            return value
        number = int(value)
        if self.boolean:
            return number & 1
        number &= (1 << self.nbits) - 1
        if self.signed and number >> (self.nbits - 1):
            number -= 1 << self.nbits
        return number

    def numpy(self) -> np.dtype[Any]:
        """The numpy type of one element; bool is stored as one byte."""
        return _numpy_type(self._code, self.nbits)

    def __str__(self) -> str:
        name = "bool" if self.boolean else f"{self._code.name.lower()}{self.nbits}"
        return name if self.nlanes <= 1 else f"{name}x{self.nlanes}"

    def __repr__(self) -> str:
        return f"<halide.Type {self}>"


def _round_float(kind: Type, value: int | float) -> float:
    if kind.is_bfloat():
        bits = int(np.float32(value).view(np.uint32))
        if value == value:
            bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
        return float(np.uint32(bits & 0xFFFF0000).view(np.float32))
    with np.errstate(over="ignore"):
        return float(kind.numpy().type(value))


def _covers(wide: Type, narrow: Type) -> bool:
    if wide == narrow:
        return True
    if wide.floating:
        if narrow.floating:
            return wide.nbits >= narrow.nbits and not wide.is_bfloat()
        # The same as in Halide: no 16-bit float counts as exact for any integer type.
        return narrow.integral and wide.nbits > 16 and 2 * narrow.nbits <= wide.nbits
    if wide.integral and narrow.integral:
        if wide.signed:
            return wide.nbits > narrow.nbits - narrow.signed
        return not narrow.signed and wide.nbits >= narrow.nbits
    return False


@cache
def _numpy_type(code: TypeCode, bits: int) -> np.dtype[Any]:
    if code == TypeCode.UInt and bits == 1:
        return np.dtype(np.bool_)
    if code == TypeCode.Handle:
        return np.dtype(np.uint64)
    if code == TypeCode.BFloat:
        return np.dtype(np.uint16)
    if bits not in (8, 16, 32, 64):
        raise NotSupportedError(f"Error: Values of {bits} bits can't be stored. Use a type of 8, 16, 32 or 64 bits.")
    return np.dtype(f"{ {TypeCode.Int: 'i', TypeCode.UInt: 'u', TypeCode.Float: 'f'}[code] }{bits // 8}")


def Int(bits: int, lanes: int = 1) -> Type:
    """A signed integer type of 8, 16, 32 or 64 bits.

    >>> hl.Int(32)
    <halide.Type int32>
    """
    return Type(TypeCode.Int, bits, lanes)


def UInt(bits: int, lanes: int = 1) -> Type:
    """An unsigned integer type of 1 (bool), 8, 16, 32 or 64 bits.

    >>> hl.UInt(8)
    <halide.Type uint8>
    """
    return Type(TypeCode.UInt, bits, lanes)


def Float(bits: int, lanes: int = 1) -> Type:
    """An IEEE floating point type of 16, 32 or 64 bits.

    >>> hl.Float(64)
    <halide.Type float64>
    """
    return Type(TypeCode.Float, bits, lanes)


def BFloat(bits: int, lanes: int = 1) -> Type:
    """The 16-bit brain float.

    >>> hl.BFloat(16)
    <halide.Type bfloat16>
    """
    return Type(TypeCode.BFloat, bits, lanes)


def Bool(lanes: int = 1) -> Type:
    """Truth values: UInt(1).

    >>> hl.Bool()
    <halide.Type bool>
    """
    return Type(TypeCode.UInt, 1, lanes)


def Handle(lanes: int = 1) -> Type:
    """An opaque 64-bit pointer.

    >>> hl.Handle()
    <halide.Type handle64>
    """
    return Type(TypeCode.Handle, 64, lanes)


INT32 = Int(32)
INT64 = Int(64)
BOOL = Bool()


def type_of_numpy(dtype: np.dtype[Any]) -> Type | None:
    """The Type of a numpy dtype, or None when there is none."""
    codes = {"i": TypeCode.Int, "u": TypeCode.UInt, "f": TypeCode.Float}
    if dtype.kind == "b":
        return BOOL
    if dtype.kind in codes and dtype.itemsize <= 8:
        return Type(codes[dtype.kind], dtype.itemsize * 8, 1)
    return None


def promote(a: Type, b: Type) -> Type:
    """The common element type of two operands (Halide's rules); lanes are those of the wider operand.

    float with float: the wider, of two 16-bit ones the second. float with int: the float. int with int: the widest
    bits, signed if either is.
    """
    lanes = max(a.nlanes, b.nlanes)
    if a.floating or b.floating:
        wide = (a if a.nbits > b.nbits else b) if a.floating and b.floating else (a if a.floating else b)
        return wide.with_lanes(lanes)
    code = TypeCode.Int if a.signed or b.signed else TypeCode.UInt
    return Type(code, max(a.nbits, b.nbits), lanes)
