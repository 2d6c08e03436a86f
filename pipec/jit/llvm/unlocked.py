"""What of LLVM takes long, called without the lock of llvmlite, which lets one thread at a time into LLVM.

LLVM itself allows for threads whose contexts and target machines are their own.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import ffi
from llvmlite.binding.module import ModuleRef
from llvmlite.utils import get_library_name

from pipec.errors import InternalError


@functools.cache
def _function(name: str) -> Any:
    """A function of llvmlite's library, with the types that llvmlite declares for it."""
    function = getattr(ctypes.CDLL(str(Path(llvm.__file__).with_name(get_library_name()))), name)
    declared = getattr(ffi.lib, name)
    function.argtypes, function.restype = declared.argtypes, declared.restype
    return function


class _Context:
    """The types and constants of some modules: it ends with the last of them."""

    def __init__(self) -> None:
        self.pointer = ffi.lib.LLVMPY_ContextCreate()
        self.users = 1

    def release(self) -> None:
        """One user less."""
        self.users -= 1
        if not self.users:
            ffi.lib.LLVMPY_ContextDispose(self.pointer)


class _Module(ModuleRef):  # type: ignore[misc]
    """A module that releases its context after its own end.

    A context that ended by itself could end before: objects of a cycle, such as that of an exception and the frames
    that it passed, end in any order.
    """

    def __init__(self, pointer: Any, context: _Context) -> None:
        context.users += 1
        super().__init__(pointer, context)

    def detach(self) -> None:
        if not self.closed:
            super().detach()
            self._context.release()


def parse(texts: Sequence[str]) -> list[Any]:
    """A module of each text, all in one context. Raises RuntimeError for what LLVM cannot read."""
    context = _Context()
    try:
        return [_parsed(text, context) for text in texts]
    finally:
        context.release()


def _parsed(text: str, context: _Context) -> Any:
    message = ctypes.c_char_p()
    pointer = _function("LLVMPY_ParseAssembly")(context.pointer, text.encode(), ctypes.byref(message))
    if not pointer:
        raise RuntimeError((message.value or b"").decode(errors="replace"))
    return _Module(pointer, context)


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


def run_passes(passes: Any, module: Any, builder: Any) -> None:
    """Runs the passes of a manager on a module."""
    _function("LLVMPY_RunNewModulePassManager")(passes, module, builder)
