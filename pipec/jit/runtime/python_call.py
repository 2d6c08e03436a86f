"""Machine code as a builtin function of the interpreter, if its objects have the expected layout."""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Sequence
from functools import cache as once
from typing import Any

from pipec.jit.runtime.library import python_function, runtime
from pipec.jit.runtime.python_call_layout import TYPE_OF_OBJECT, LayoutHead
from pipec.jit.runtime.units import load_units

Builtin = Callable[..., bool]
# What runtime/python_call.c calls of the interpreter.
_IMPORTS = (
    *("PyByteArray_AsString", "PyBool_FromLong", "PyBytes_AsString", "PyBytes_Size", "PyEval_RestoreThread"),
    *("PyEval_SaveThread", "PyFloat_AsDouble", "PyLong_AsLongLongAndOverflow", "PyTuple_GetItem", "PyTuple_Size"),
    *("Py_DecRef", "Py_IncRef"),
)
_FASTCALL = 0x80  # METH_FASTCALL


class CallTable(bytearray):
    """The `self` of a builtin: what it reads, and whatever must live as long as it does."""

    __slots__ = ("keep", "numbers")

    def __init__(self, head: Sequence[int], rows: Sequence[Sequence[int]], keep: Sequence[Any]) -> None:
        """`head`: the numbers of Head, `rows`: those of Row for each argument of the machine code."""
        numbers = [*head, *[number for row in rows for number in row]]
        super().__init__(struct.pack(f"={len(numbers)}q", *numbers))
        self.keep = list(keep)
        # While this is held, the bytes stay where they are.
        self.numbers = (ctypes.c_int64 * len(numbers)).from_buffer(self)

    @property
    def calls(self) -> int:
        """Returns the number of calls that ran machine code."""
        return self.numbers[LayoutHead.CALLS]


class _MethodDefinition(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


def builtin(table: CallTable) -> Builtin:
    """The builtin that reads `table`; only where `supported()`."""
    result: Builtin = _maker()(table)
    return result


@once
def supported() -> bool:
    """Whether the interpreter is CPython with 64 bits and a GIL, whose objects begin as those of release builds."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8 or hasattr(sys, "getobjects"):
        return False
    if hasattr(sys, "gettotalrefcount") or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    # Objects of free-threaded builds, with or without a GIL, begin otherwise.
    probes = (1, 1.5, b"", (), True)
    return all(ctypes.c_size_t.from_address(id(p) + TYPE_OF_OBJECT).value == id(type(p)) for p in probes)


@once
def _maker() -> Callable[[CallTable], Any]:
    """The function that creates a builtin; machine code and definition live as long as the process."""
    imports = {name: python_function(name) for name in _IMPORTS} | dict(runtime().call_addresses)
    library = load_units(("python_call",), ("pipec_python_call",), imports)
    definition = _MethodDefinition(b"call", library["pipec_python_call"], _FASTCALL, None)
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi)
    )
    place = ctypes.addressof(definition)
    _for_life.extend([library, definition])
    return lambda table: make(place, table, None)


# Builtins may be called as long as the interpreter runs.
_for_life: list[Any] = []
