"""What compiled pipelines call at run time: thread pool and memory, loaded once and kept for the process's life."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Mapping

from pipec.diagnostics import warn_once
from pipec.jit.llvm.engine import Machine, object_code
from pipec.jit.llvm.host import host, llvm_version
from pipec.jit.objects import cache
from pipec.jit.objects.link import link
from pipec.jit.runtime.fork import fork_text
from pipec.jit.runtime.half import NAMES, half_text
from pipec.jit.runtime.memory import memory_text
from pipec.jit.runtime.pool import APPLE_MUTEX, pool_text

_THREADS = ("pipec_parallel_for", "pipec_fork", "pipec_wait", "pipec_post")
FOR_PROGRAMS = (*_THREADS, "pipec_malloc", "pipec_free", "pipec_clock", "pipec_self", *NAMES)
_OWN = ("pipec_set_threads", "pipec_threads", "pipec_forked", "pipec_trim", "pipec_memory")
# How often a worker without work looks for more before it sleeps: about 0.3 ms.
DEFAULT_SPINS = 10_000

_lock = threading.RLock()
_runtime: Runtime | None = None


def runtime_text(machine: Machine) -> str:
    """The runtime as LLVM text for a machine."""
    apple = "apple" in machine.triple
    memory = memory_text(APPLE_MUTEX if apple else 0)
    return pool_text(machine.architecture, apple) + fork_text(apple) + memory + half_text()


class Runtime:
    """Addresses of the run-time functions, and the calls that Python makes."""

    def __init__(self) -> None:
        # The bare architecture: nothing here gains from vectors, and the object serves every machine of its kind.
        own = host()
        machine = Machine(own.triple, "", "")
        text = runtime_text(own)
        data = object_code(lambda: text, cache.key_of("runtime", text, machine.triple, llvm_version()), machine)
        self.library = link(data, FOR_PROGRAMS + _OWN, {})
        # Threads of the pool may be in this code when the interpreter has been taken apart: it is never unloaded.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.library))
        self.addresses: Mapping[str, int] = {name: self.library[name] for name in FOR_PROGRAMS}
        self._set_threads = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int32)(self.library["pipec_set_threads"])
        self._threads = ctypes.CFUNCTYPE(ctypes.c_int32)(self.library["pipec_threads"])
        self._forked = ctypes.CFUNCTYPE(None)(self.library["pipec_forked"])
        self._memory = ctypes.CFUNCTYPE(None, ctypes.c_size_t)(self.library["pipec_memory"])
        self._trim = ctypes.CFUNCTYPE(None)(self.library["pipec_trim"])
        self.set_threads(default_threads())
        os.register_at_fork(after_in_child=self._forked)

    def set_threads(self, count: int) -> None:
        """How many threads, the caller's among them, run a parallel loop."""
        spins = os.environ.get("PIPEC_SPINS", "")
        self._set_threads(max(1, min(count, 1024)), int(spins) if spins.isdigit() else DEFAULT_SPINS)

    def threads(self) -> int:
        return int(self._threads())

    def memory(self) -> tuple[int, int, int, int]:
        """Of blocks of 64 KiB and more: bytes in use, the most that ever were, bytes and blocks given out in all."""
        counts = (ctypes.c_int64 * 4)()
        self._memory(ctypes.addressof(counts))
        live, peak, total, blocks = counts
        return live, peak, total, blocks

    def trim(self) -> None:
        """Give memory kept for later calls back to the system."""
        self._trim()


def runtime() -> Runtime:
    """The runtime, loaded at its first use."""
    global _runtime
    with _lock:
        if _runtime is None:
            _runtime = Runtime()
        return _runtime


def default_threads() -> int:
    """PIPEC_NUM_THREADS or HL_NUM_THREADS, else the number of CPUs that this process may use."""
    for name in ("PIPEC_NUM_THREADS", "HL_NUM_THREADS"):
        text = os.environ.get(name, "").strip()
        if text.isdigit() and int(text) > 0:
            return int(text)
        if text:
            warn_once(f"{name}={text!r} is not a positive number; all CPUs are used.")
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _forget_after_fork() -> None:
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_forget_after_fork)
