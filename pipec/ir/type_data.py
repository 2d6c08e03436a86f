"""Scalar types in files: [code, bits], such as ["UInt", 8]."""

from __future__ import annotations

import sys
from typing import Any

from pipec.ir.types import Type, TypeCode

_BITS = {
    TypeCode.Int: (8, 16, 32, 64),
    TypeCode.UInt: (1, 8, 16, 32, 64),
    TypeCode.Float: (16, 32, 64),
    TypeCode.Handle: (64,),
    TypeCode.BFloat: (16,),
}


def type_to_data(kind: Type) -> list[Any]:
    """The code and the bits of a scalar type."""
    return [kind.code().name, kind.nbits]


def type_of_data(data: Any) -> Type:
    """The type that `type_to_data` wrote. ValueError when there is no such type."""
    match data:
        case [str(code), int(bits)] if code in TypeCode.__members__ and bits in _BITS[TypeCode[code]]:
            # Types are interned by values that compare equal: True must not become the 1 bit of bool.
            return Type(TypeCode[code], int(bits))
    raise ValueError(f"{data!r:.80} is no type")


def constant_of_data(kind: Type, value: Any) -> int | float:
    """A constant of a type in a file: a number that it can hold. ValueError when the value is none."""
    if type(value) is int and kind.floating and abs(value) <= sys.float_info.max:
        return float(value)
    if type(value) is int and not kind.floating and kind.min_value() <= value <= kind.max_value():
        return value
    if type(value) is float and kind.floating:
        return value
    raise ValueError(f"{value!r:.80} is no {kind}")
