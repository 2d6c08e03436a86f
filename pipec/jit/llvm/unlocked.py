"""What of LLVM takes long, called without the lock of llvmlite, which lets one thread at a time into LLVM.

LLVM itself allows for threads whose contexts and target machines are their own.
"""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import ffi
from llvmlite.utils import get_library_name

from pipec.errors import InternalError


@functools.cache
def _function(name: str) -> Any:
    """A function of llvmlite's library, with the types that llvmlite declares for it."""
    function = getattr(ctypes.CDLL(str(Path(llvm.__file__).with_name(get_library_name()))), name)
    declared = getattr(ffi.lib, name)
    function.argtypes, function.restype = declared.argtypes, declared.restype
    return function


def emit_object(target_machine: Any, module: Any) -> bytes:
    """The object code of a module."""
    message = ctypes.c_char_p()
    buffer = _function("LLVMPY_TargetMachineEmitToMemory")(target_machine, module, 1, ctypes.byref(message))
    if not buffer:
        raise InternalError(f"LLVM cannot make an object: {(message.value or b'').decode(errors='replace')}")
    try:
        return ctypes.string_at(ffi.lib.LLVMPY_GetBufferStart(buffer), ffi.lib.LLVMPY_GetBufferSize(buffer))
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)


def run_passes(passes: Any, function: Any, builder: Any) -> None:
    """Runs a FunctionPassManager on a function."""
    _function("LLVMPY_RunNewFunctionPassManager")(passes, function, builder)
