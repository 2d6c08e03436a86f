"""The machine code that launches kernels, and the functions of the driver that it calls."""

from __future__ import annotations

import ctypes
import os
import threading
from functools import cache as once
from typing import Any

from pipec.jit.llvm.host import host
from pipec.jit.opencl.tables import LOCK_WORDS
from pipec.jit.runtime.units import load_units, new_lock_word

_EXPORTS = ("pipec_device", "pipec_device_run", "pipec_pool_take", "pipec_pool_give")


class Native:
    """The functions of runtime/device.c: `report` and `run` are addresses, the others can be called."""

    def __init__(self) -> None:
        self._library = load_units(("device",), _EXPORTS, {})
        self.report, self.run, take, give = [int(self._library[name]) for name in _EXPORTS]
        self.take = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_size_t, ctypes.c_int64)(take)
        self.give = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t, ctypes.c_int64, ctypes.c_int64)(give)


_lock = threading.Lock()
_native: Native | None = None


def native() -> Native:
    """The functions, loaded at their first use and kept for the process's life."""
    global _native
    if _native is None:
        with _lock:
            # Code that is loaded twice would be taken away from a thread that is in it.
            if _native is None:
                _native = Native()
    return _native


def _forget_after_fork() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_after_fork)


@once
def driver_function(name: str) -> int:
    """The address of a function of the OpenCL loader that pyopencl uses."""
    import pyopencl

    # What a library depends on is searched as well.
    library = ctypes.CDLL(pyopencl._cl.__file__)
    return int(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0)


def share_loader() -> None:
    """Let other libraries of this process find the OpenCL loader that pyopencl brings, if it is there."""
    try:
        import pyopencl
    except ImportError:
        return
    ctypes.CDLL(pyopencl._cl.__file__, ctypes.RTLD_GLOBAL)


def words(count: int) -> Any:
    """A row of so many 64-bit numbers, all 0."""
    return (ctypes.c_int64 * count)()


def mutex() -> Any:
    """A mutex that nobody holds."""
    made = words(LOCK_WORDS)
    made[0] = new_lock_word(host())
    return made
