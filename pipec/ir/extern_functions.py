"""The C functions that extern stages call: where they are in this process."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

from pipec.errors import ExternError
from pipec.ir.types import Type

# The class of all function pointers of ctypes.
_FunctionPointer: Any = ctypes.CFUNCTYPE(None).__mro__[1]
# Functions of the runtime for memoised Funcs (`pipeline/calls/memo_cache.py`).
MEMO_LOOKUP, MEMO_KEEP, MEMO_DIGEST = "pipec_memo_lookup", "pipec_memo_keep", "pipec_memo_digest"
# Functions that users passed as pointers, by the names that they were given; the table keeps them alive.
_pointers: dict[str, Any] = {}


def address_of_pointer(function: Any) -> int | None:
    """The address of a ctypes function pointer, or of anything with an int `address`; None for anything else."""
    if isinstance(function, _FunctionPointer):
        return ctypes.cast(function, ctypes.c_void_p).value
    address = getattr(function, "address", None)
    return address if isinstance(address, int) else None


def name_of_pointer(function: Any) -> str:
    """The name that machine code uses for a function pointer."""
    for name, pointer in _pointers.items():
        if pointer is function:
            return name
    name = f"pipec_extern_{len(_pointers)}"
    _pointers[name] = function
    return name


def is_pointer_name(name: str) -> bool:
    """Whether the name stands for a function pointer, which has a meaning in this process only."""
    return name in _pointers


def provide(name: str, function: Any) -> None:
    """Defines the name that machine code uses for a function pointer."""
    _pointers[name] = function


def pointer_addresses() -> dict[str, int]:
    """The addresses of function pointers, by name."""
    return {name: address_of_pointer(function) or 0 for name, function in _pointers.items()}


def require_function(name: str, func: str) -> None:
    """ExternError unless machine code of this process can call the function, which computes Func `func`."""
    if name in _pointers:
        return
    try:
        getattr(ctypes.CDLL(None), name)
    except AttributeError:
        raise ExternError(
            f"Error: The function {name}, which computes the externally defined Func {func}, was not found. It was "
            "looked for in this program and in the shared libraries that it has loaded for all to see. Load the "
            "library first: ctypes.CDLL(path, ctypes.RTLD_GLOBAL)."
        ) from None


class BufferQuery(NamedTuple):
    """A buffer without memory: its type, and (min, extent) of each dimension."""

    type: Type
    box: Sequence[tuple[int, int]]


class Number(NamedTuple):
    """A scalar operand."""

    type: Type
    value: int | float


class _Dimension(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("min", "extent", "stride", "flags")]


class HalideBuffer(ctypes.Structure):
    """halide_buffer_t."""

    _fields_ = [
        ("device", ctypes.c_uint64),
        ("device_interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.POINTER(_Dimension)),
        ("padding", ctypes.c_void_p),
    ]


def query_bounds(name: str, operands: Sequence[Number | BufferQuery]) -> list[list[tuple[int, int]]]:
    """Runs a bounds query of a function: for each View the (min, extent) of each dimension after the call."""
    function = _pointers.get(name)
    address = address_of_pointer(getattr(ctypes.CDLL(None), name) if function is None else function)
    assert address is not None
    buffers: list[HalideBuffer] = []
    values: list[Any] = []
    for operand in operands:
        if isinstance(operand, Number):
            values.append(_c_number(operand))
            continue
        dims = (_Dimension * max(len(operand.box), 1))(*[_Dimension(low, extent, 0, 0) for low, extent in operand.box])
        kind = operand.type
        buffers.append(HalideBuffer(0, None, None, 0, kind.code().value, kind.nbits, 1, len(operand.box), dims, None))
        values.append(ctypes.byref(buffers[-1]))
    status = ctypes.CFUNCTYPE(ctypes.c_int)(address)(*values)
    if status:
        raise ExternError(f"Error: Call to external stage {name} returned non-zero value: {status}")
    return [[(buffer.dim[d].min, buffer.dim[d].extent) for d in range(buffer.dimensions)] for buffer in buffers]


def _c_number(operand: Number) -> Any:
    kind, value = operand.type, operand.value
    if kind.floating:
        return ctypes.c_float(value) if kind.nbits == 32 else ctypes.c_double(value)
    sign = "" if kind.signed else "u"
    return getattr(ctypes, f"c_{sign}int{max(kind.nbits, 8)}")(int(value))
