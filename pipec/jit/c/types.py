"""Types and constants of the IR in C99."""

from __future__ import annotations

import math

import numpy as np

from pipec.ir.types import Type


def value_type(kind: Type) -> str:
    """The C type in which one lane is computed; 16-bit floats are rounded floats."""
    if kind.boolean:
        return "bool"
    if kind.is_handle():
        return "uint64_t"
    if kind.floating:
        return "double" if kind.nbits == 64 else "float"
    return f"{'' if kind.signed else 'u'}int{kind.nbits}_t"


def storage_type(kind: Type) -> str:
    """The C type of an element in memory."""
    if kind.boolean:
        return "uint8_t"
    return "uint16_t" if small_float(kind) else value_type(kind)


def small_float(kind: Type) -> bool:
    """Whether it is a float that C99 has no type for."""
    return kind.floating and kind.nbits == 16


def suffix(kind: Type) -> str:
    """Returns the spelling of the type in the names of helper functions."""
    element = kind.element_of()
    return "handle" if element.is_handle() else str(element)


def constant(kind: Type, value: int | float) -> str:
    """The C text of a scalar constant."""
    if kind.boolean:
        return "true" if value else "false"
    if kind.floating:
        return _float_constant(kind, value)
    number = int(value)
    if kind.nbits < 32:
        return str(number)
    if kind.signed and number == kind.min_value():
        return f"INT{kind.nbits}_MIN"
    if kind.nbits == 32:
        return str(number) if kind.signed else f"{number}u"
    small = kind.signed and abs(number) < 1 << 31
    return str(number) if small else f"{'' if kind.signed else 'U'}INT64_C({number})"


def _float_constant(kind: Type, value: float) -> str:
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    # The shortest digits that give the same number again.
    text = repr(float(value)) if kind.nbits == 64 else str(np.float32(value))
    if not any(mark in text for mark in ".e"):
        text += ".0"
    return text if kind.nbits == 64 else f"{text}f"
