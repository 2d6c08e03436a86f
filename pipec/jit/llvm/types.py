"""Types and constants of the IR as LLVM text."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache

import numpy as np

from pipec.errors import InternalError
from pipec.ir.types import Type

_FLOATS = {16: "half", 32: "float", 64: "double"}


@cache
def scalar_type(kind: Type) -> str:
    """The LLVM type of one lane: integers by their bits, bool i1, bfloat16 its bits (see math/bfloat.py)."""
    if kind.floating and not kind.is_bfloat():
        return _FLOATS[kind.nbits]
    return f"i{kind.nbits}"


@cache
def value_type(kind: Type) -> str:
    """The LLVM type of a value."""
    return scalar_type(kind) if kind.nlanes == 1 else f"<{kind.nlanes} x {scalar_type(kind)}>"


@cache
def memory_scalar(kind: Type) -> str:
    """The LLVM type of one element in memory: bool is a byte."""
    return "i8" if kind.boolean else scalar_type(kind)


def vector_of(scalar: str, lanes: int) -> str:
    """Returns the LLVM type of `lanes` scalars."""
    return scalar if lanes == 1 else f"<{lanes} x {scalar}>"


def scalar_constant(kind: Type, value: int | float) -> str:
    """The LLVM text of one lane's constant, without its type."""
    if not kind.floating:
        return ("true" if value else "false") if kind.boolean else str(int(value))
    if kind.is_bfloat():
        return str(int(np.float32(value).view(np.uint32)) >> 16)
    if kind.nbits == 16:
        return f"0xH{int(np.float16(value).view(np.uint16)):04X}"
    # A float is spelled as the double of the same value.
    exact = float(np.float32(value)) if kind.nbits == 32 else float(value)
    (bits,) = struct.unpack("<Q", struct.pack("<d", exact))
    return f"0x{bits:016X}"


def constant_text(kind: Type, value: int | float) -> str:
    """The LLVM text of a constant in all lanes, without its type."""
    text = scalar_constant(kind, value)
    return text if kind.nlanes == 1 else f"splat ({scalar_type(kind)} {text})"


def vector_constant(scalar: str, values: Sequence[object]) -> str:
    """A vector constant with these lanes."""
    return "<" + ", ".join([f"{scalar} {value}" for value in values]) + ">"


def mask_constant(indices: Sequence[int]) -> str:
    """The mask operand of a shufflevector; negative indices are lanes that do not matter."""
    lanes = ", ".join([f"i32 {i}" if i >= 0 else "i32 poison" for i in indices])
    return f"<{len(indices)} x i32> <{lanes}>"


def intrinsic_suffix(kind: Type) -> str:
    """Returns LLVM's spelling of the type in the name of an overloaded intrinsic: v8f32, i16."""
    lane = f"{'f' if kind.floating and not kind.is_bfloat() else 'i'}{kind.nbits}"
    return lane if kind.nlanes == 1 else f"v{kind.nlanes}{lane}"


def memory_suffix(kind: Type) -> str:
    """Returns the suffix of LLVM's memory intrinsics for a type; masks are stored as bytes."""
    return f"v{kind.nlanes}i8" if kind.boolean else intrinsic_suffix(kind)


def element_bytes(kind: Type) -> int:
    """Returns the bytes of an element in memory. Raises InternalError for types without a size."""
    size = kind.bytes()
    if size == 0:
        raise InternalError(f"{kind} has no size in memory.")
    return size


def escaped(data: bytes) -> str:
    """Bytes as LLVM spells them in a string."""
    return "".join([chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data])
