"""Scalar arguments as the 64 bits that compiled code reads."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from pipec.errors import ArgumentError
from pipec.func.buffers.elements import plain_number
from pipec.ir.types import Type


def bits_of(kind: Type, name: str) -> Callable[[Any], int]:
    """A function from a Python number to the signed 64-bit integer that holds its bits."""
    if kind.floating:
        return _float_bits(kind, name)
    low, high = (0, (1 << 64) - 1) if kind.is_handle() else (int(kind.min_value()), int(kind.max_value()))

    def integer_bits(value: Any) -> int:
        number = value if type(value) is int else _integer(value, kind, name)
        if not low <= number <= high:
            raise _wrong_value(value, kind, name)
        return number if number < 1 << 63 else number - (1 << 64)

    return integer_bits


def _integer(value: Any, kind: Type, name: str) -> int:
    number = plain_number(value)
    if not isinstance(number, int):
        raise _wrong_value(value, kind, name)
    return int(number)


def _float_bits(kind: Type, name: str) -> Callable[[Any], int]:
    code = {16: "<e6x", 32: "<f4x", 64: "<d"}[kind.nbits]
    pack, unpack = struct.Struct(code).pack, struct.Struct("<q").unpack

    def float_bits(value: Any) -> int:
        number = value if type(value) is float else plain_number(value)
        if number is None:
            raise _wrong_value(value, kind, name)
        rounded = float(kind.wrap(number))
        if kind.is_bfloat():
            return int(np.float32(rounded).view(np.uint32)) >> 16
        return int(unpack(pack(rounded))[0])

    return float_bits


def _wrong_value(value: Any, kind: Type, name: str) -> ArgumentError:
    legal = "a number" if kind.floating else f"an int from {kind.min_value()} to {kind.max_value()}"
    return ArgumentError(
        f"Unable to cast Python instance of type {type(value)} to C++ type '?': argument {name} is {kind}, so it takes"
        f" {legal}, not {value!r}."
    )
