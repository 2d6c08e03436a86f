"""Values as pipelines print them, from the 64 bits in which machine code hands them over."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

from pipec.ir.types import Type


def number_of_bits(kind: Type, bits: int) -> int | float | bool:
    """The number that 64 bits of a slot stand for: integers extended, floats as doubles."""
    if kind.floating:
        return float(struct.unpack("=d", struct.pack("=q", bits))[0])
    if kind.boolean:
        return bool(bits & 1)
    return bits if kind.signed else bits & ((1 << kind.nbits) - 1)


def line_of(parts: Sequence[str | Type], values: Sequence[Any]) -> str:
    """The texts, and the values in the places of their types, as one line."""
    rest = iter(values)
    return " ".join([part if isinstance(part, str) else text_of(part, next(rest)) for part in parts]) + "\n"


def text_of(kind: Type, value: Any) -> str:
    """A value as pipelines print it."""
    if kind.boolean:
        return "true" if value else "false"
    if not kind.floating:
        return str(int(value))
    if math.isnan(value):
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    return f"{value:e}" if kind.nbits == 64 else f"{value:f}"


def text_of_bits(kind: Type, bits: int) -> str:
    """As text_of, from the bits of a slot."""
    return text_of(kind, number_of_bits(kind, bits))
