"""The functions that compiled pipelines call: thread pool and memory, loaded once for the life of the process."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from pipec.diagnostics import warn_once
from pipec.jit.runtime.units import load_units

# What LLVM calls on machines without instructions for 16-bit floats.
_HALF = ("__extendhfsf2", "__truncsfhf2", "__truncsfbf2")
_FOR_SIGNALS = ("pipec_attention", "pipec_check")
FOR_PROGRAMS = (
    *("pipec_parallel_for", "pipec_fork", "pipec_wait", "pipec_post", "pipec_malloc", "pipec_free"),
    *_HALF,
)
# The functions that only programs compiled for profiling call.
_PROFILE = ("begin", "spend", "enter", "wait", "thread", "allocated", "release")
FOR_PROFILES = tuple([f"pipec_profile_{name}" for name in _PROFILE])
_SAMPLER = ("pipec_profile_sample", "pipec_profile_watch", "pipec_profile_forget", "pipec_profile_forked")
_WATCH = ("pipec_set_handler", "pipec_set_attention", "pipec_cancel", "pipec_end_cancellation")
_PYTHON = (
    *("PyGILState_Ensure", "PyGILState_Release", "PyErr_CheckSignals", "PyErr_Fetch", "PyErr_Restore", "Py_IncRef"),
)
_OWN = (*_FOR_SIGNALS, *_WATCH, "pipec_set_threads", "pipec_threads", "pipec_forked", "pipec_trim", "pipec_memory")
_LIMITS = ("pipec_limit_call", "pipec_end_limit")
# How often an idle worker looks for work before it sleeps: about 0.3 ms.
DEFAULT_SPINS = 10_000

_lock = threading.RLock()
_runtime: Runtime | None = None


class Runtime:
    """Addresses of the run-time functions, and the calls that Python makes."""

    def __init__(self) -> None:
        self.library = load_units(("pool",), FOR_PROGRAMS + _OWN + _LIMITS, {})
        # Threads of the pool may be in this code after the interpreter has ended: it is never unloaded.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.library))
        self.addresses: Mapping[str, int] = {name: self.library[name] for name in (*FOR_PROGRAMS, *_FOR_SIGNALS)}
        # Functions of interrupt.c: the address of `run` for other machine code, and `run(entry, slots)` for Python.
        own = {name: self.library[name] for name in (*_WATCH, *_LIMITS)}
        imports = own | {name: python_function(name) for name in _PYTHON}
        exports = ("pipec_run", "pipec_watch", "pipec_restore_exception", "pipec_end_call", "pipec_run_limited")
        self._signals = load_units(("interrupt",), exports, imports)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._signals))
        self.call_addresses: Mapping[str, int] = {name: self._signals[name] for name in exports if name != exports[1]}
        run = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t, ctypes.c_size_t)
        self.run = run(self._signals["pipec_run"])
        # `run_limited(entry, slots, threads)`: on at most so many threads, the caller among them.
        run_limited = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int32)
        self.run_limited = run_limited(self._signals["pipec_run_limited"])
        self._watch = ctypes.CFUNCTYPE(None, ctypes.c_ulong)(self._signals["pipec_watch"])
        self._end_call = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.py_object)(self._signals["pipec_end_call"])
        self._restore = ctypes.PYFUNCTYPE(ctypes.c_int32)(self._signals["pipec_restore_exception"])
        self._watch_signals()
        self._profiles: Any = None
        self._set_threads = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int32)(self.library["pipec_set_threads"])
        self._threads = ctypes.CFUNCTYPE(ctypes.c_int32)(self.library["pipec_threads"])
        self._forked = ctypes.CFUNCTYPE(None)(self.library["pipec_forked"])
        self._memory = ctypes.CFUNCTYPE(None, ctypes.c_size_t)(self.library["pipec_memory"])
        self._trim = ctypes.CFUNCTYPE(None)(self.library["pipec_trim"])
        self.set_threads(default_threads())
        os.register_at_fork(after_in_child=self._after_fork)

    def _watch_signals(self) -> None:
        self._watch(threading.main_thread().ident)

    def _after_fork(self) -> None:
        self._forked()
        self._watch_signals()

    def end_call(self, error: BaseException) -> bool:
        """Ends the call that the main thread is in with an exception; False where the caller is not in it."""
        return bool(self._end_call(error))

    def raise_exception(self) -> None:
        """Raises the exception that ended a call, if there is one: that of a signal handler, or of `end_call`."""
        # A function of `ctypes.pythonapi`'s kind raises the exception that it finds set.
        self._restore()

    def addresses_for_profiles(self) -> Mapping[str, int]:
        """The addresses of what programs call that are compiled for profiling, loaded when there is one."""
        profiles = self._loaded_profiles()
        return {**self.addresses, **{name: profiles[name] for name in FOR_PROFILES}}

    def sampler(self) -> Mapping[str, Any]:
        """The functions `sample`, `watch`, `forget` and `forked` of profile.c; none of them needs the GIL."""
        profiles = self._loaded_profiles()
        kinds = {"sample": (ctypes.c_int64, ctypes.c_int64), "forked": ()}
        functions = {}
        for symbol in _SAMPLER:
            name = symbol.rpartition("_")[2]
            result = ctypes.c_int32 if name == "watch" else None
            functions[name] = ctypes.CFUNCTYPE(result, *kinds.get(name, (ctypes.c_size_t,)))(profiles[symbol])
        return functions

    def _loaded_profiles(self) -> Any:
        with _lock:
            if self._profiles is None:
                imports = {"pipec_free": self.addresses["pipec_free"]}
                self._profiles = load_units(("profile",), FOR_PROFILES + _SAMPLER, imports)
                # The sampler's thread may be in this code after the interpreter has ended.
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._profiles))
            return self._profiles

    def set_threads(self, count: int) -> None:
        """Sets how many threads, including the caller, run a parallel loop."""
        spins = os.environ.get("PIPEC_SPINS", "")
        self._set_threads(max(1, min(count, 1024)), int(spins) if spins.isdigit() else DEFAULT_SPINS)

    def threads(self) -> int:
        """Returns the number of threads that run a parallel loop."""
        return int(self._threads())

    def memory(self) -> tuple[int, int, int, int]:
        """Counts blocks of 16 KiB and more: bytes in use, their maximum, and all bytes and blocks ever allocated."""
        counts = (ctypes.c_int64 * 4)()
        self._memory(ctypes.addressof(counts))
        live, peak, total, blocks = counts
        return live, peak, total, blocks

    def trim(self) -> None:
        """Returns cached memory to the system."""
        self._trim()


def python_function(name: str) -> int:
    """The address of a function of CPython's C API."""
    address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert address is not None
    return address


def runtime() -> Runtime:
    """The runtime, loaded at its first use."""
    global _runtime
    with _lock:
        if _runtime is None:
            _runtime = Runtime()
        return _runtime


@contextmanager
def loading_runtime() -> Iterator[None]:
    """Loads the runtime in a thread while the caller lowers a program, if that has not been done.

    LLVM takes 0.05 s to compile it on a machine with an empty cache, without the GIL. The thread has ended when the
    context ends: a fork while LLVM is at work would leave a lock behind that nobody releases.
    """
    if _runtime is not None:
        yield
        return
    thread = threading.Thread(target=_load, name="pipec runtime")
    try:
        thread.start()
    except RuntimeError:
        # The system gives no thread: the runtime is loaded later.
        yield
        return
    try:
        yield
    finally:
        thread.join()


def _load() -> None:
    # The caller meets the same error when it needs the runtime.
    with suppress(Exception):
        runtime()


def default_threads() -> int:
    """PIPEC_NUM_THREADS or HL_NUM_THREADS, else the CPUs of the affinity mask, at most the cgroup's quota."""
    for name in ("PIPEC_NUM_THREADS", "HL_NUM_THREADS"):
        text = os.environ.get(name, "").strip()
        if text.isdigit() and int(text) > 0:
            return int(text)
        if text:
            warn_once(f"{name}={text!r} is not a positive number; all CPUs are used.")
    try:
        cpus = len(os.sched_getaffinity(0))
    except AttributeError:
        cpus = os.cpu_count() or 1
    return min(cpus, cpu_quota() or cpus)


def cpu_quota(root: str = "/") -> int | None:
    """The CPUs, rounded up, whose time the cgroup of this process may use; None where it has no limit.

    Containers are limited so. Reads cgroups of version 2, and the cpu controller of version 1, and counts the tightest
    limit on the way to the root.
    """
    quotas = []
    try:
        with open(os.path.join(root, "proc/self/cgroup")) as file:
            lines = [line.strip().split(":", 2) for line in file]
    except OSError:
        return None
    for _, controllers, place in [line for line in lines if len(line) == 3]:
        if controllers and "cpu" not in controllers.split(","):
            continue
        mount = os.path.join(root, "sys/fs/cgroup", *([] if not controllers else [controllers]))
        parts = [part for part in place.split("/") if part]
        # Inside a container the path of the host may be missing: its own folder is the root then.
        for depth in range(len(parts) + 1):
            quotas.append(_quota_in(os.path.join(mount, *parts[:depth]), version_2=not controllers))
    limits = [quota for quota in quotas if quota is not None]
    return min(limits, default=None)


def _quota_in(folder: str, version_2: bool) -> int | None:
    """The limit of one cgroup."""
    try:
        if version_2:
            with open(os.path.join(folder, "cpu.max")) as file:
                quota, period = file.read().split()
        else:
            with open(os.path.join(folder, "cpu.cfs_quota_us")) as file:
                quota = file.read().strip()
            with open(os.path.join(folder, "cpu.cfs_period_us")) as file:
                period = file.read().strip()
    except (OSError, ValueError):
        return None
    if not quota.isdigit() or not period.isdigit() or int(quota) == 0 or int(period) == 0:
        return None
    return max(1, -(-int(quota) // int(period)))


def _forget_after_fork() -> None:
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_forget_after_fork)
