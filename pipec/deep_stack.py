"""Runs functions on a large stack: the nesting of statements grows with the stages of a pipeline."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from pipec.errors import OutOfMemoryError

T = TypeVar("T")

# The stacks to ask for: most pipelines need little, but under a limit of memory (ulimit -v) there may be little.
_STACK_SIZES = (1 << 29, 1 << 27, 1 << 25, 1 << 23, 1 << 21)
# The bytes of stack for each call of the interpreter, measured with recursive functions of C.
_BYTES_PER_CALL = 512
# How long an interrupted thread has for ending by itself.
_CANCEL_SECONDS = 0.1
# A signal that comes just before the wait for a thread begins does not end it.
_WAIT_SECONDS = 0.1
_lock = threading.Lock()
_thread_state = threading.local()
# The recursion limits of the threads that run now, and the limit without them.
_limits: list[int] = []
_usual_limit = 0
_pauses = 0
_collected = False


def with_deep_stack(function: Callable[..., T], *arguments: Any) -> T:
    """`function(*arguments)` on a thread with a large stack; called from such a thread, it runs there.

    The stack is reserved, not used: only the pages that are touched take memory. Where there is too little, the stack
    is smaller. Raises OutOfMemoryError if even that fails, or if `function` needs more.
    """
    if getattr(_thread_state, "deep", False):
        return function(*arguments)
    results: list[T] = []
    errors: list[BaseException] = []
    started, done, is_cancelled = threading.Event(), threading.Event(), threading.Event()

    def run() -> None:
        _thread_state.deep, _thread_state.is_cancelled = True, is_cancelled
        started.wait()
        try:
            end_if_cancelled()
            results.append(function(*arguments))
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    with gc_paused():
        try:
            thread, size = _start(run)
            with _recursion_limit(size // _BYTES_PER_CALL):
                started.set()
                _wait(thread, done, is_cancelled)
        finally:
            # Where a signal handler raises an exception while the thread starts, nobody waits for it.
            is_cancelled.set()
            started.set()
        thread.join()
    if errors:
        is_short = isinstance(errors[0], RecursionError) and size < _STACK_SIZES[0]
        if is_short or isinstance(errors[0], MemoryError):
            raise _out_of_memory() from errors.pop()
        # Out of the list, which a frame of its traceback holds: no cycle keeps what the frames hold.
        raise errors.pop()
    return results[0]


def _wait(thread: threading.Thread, done: threading.Event, is_cancelled: threading.Event) -> None:
    """Waits for a thread. An exception of a signal handler, as KeyboardInterrupt, ends the thread too."""
    # Not by `thread.join`: interrupted, it takes the thread for ended in Python 3.11.
    try:
        while not done.wait(_WAIT_SECONDS):
            pass
    except BaseException:
        import ctypes

        # The program may change its Funcs next.
        is_cancelled.set()
        while thread.is_alive() and not done.wait(_CANCEL_SECONDS):
            # A long function of Python that does not call `end_if_cancelled`.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Cancelled))
        raise


class _Cancelled(SystemExit):
    """Ends a function on its large stack, or its thread: threads report no SystemExit."""


def end_if_cancelled() -> None:
    """Ends the function that runs here on a large stack if nobody waits for its result any more.

    What takes long calls it now and then.
    """
    if getattr(_thread_state, "deep", False) and _thread_state.is_cancelled.is_set():
        raise _Cancelled


def _out_of_memory() -> OutOfMemoryError:
    return OutOfMemoryError(
        "Error: Out of memory while the pipeline is compiled: the limit of this process leaves too little. Raise the"
        " limit (ulimit -v), or compile fewer stages at once."
    )


def _start(run: Callable[[], None]) -> tuple[threading.Thread, int]:
    """The thread, and the bytes of its stack: the largest that the system grants."""
    with _lock:
        usual = threading.stack_size()
        try:
            for size in _STACK_SIZES:
                threading.stack_size(size)
                thread = threading.Thread(target=run, name="pipec-compile", daemon=True)
                try:
                    thread.start()
                except (RuntimeError, MemoryError) as error:
                    if size == _STACK_SIZES[-1]:
                        raise _out_of_memory() from error
                else:
                    break
        finally:
            threading.stack_size(usual)
    return thread, size


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pauses garbage collection: IR nodes form no reference cycles, so looking for cycles among them is wasted time."""
    global _pauses, _collected
    with _lock:
        if _pauses == 0:
            _collected = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _collected:
                gc.enable()


@contextmanager
def _recursion_limit(limit: int) -> Iterator[None]:
    """Sets the recursion limit of all threads: the least of those that are needed now."""
    global _usual_limit
    with _lock:
        if not _limits:
            _usual_limit = sys.getrecursionlimit()
        _limits.append(limit)
        sys.setrecursionlimit(max(min(_limits), _usual_limit))
    try:
        yield
    finally:
        with _lock:
            _limits.remove(limit)
            sys.setrecursionlimit(max(min(_limits), _usual_limit) if _limits else _usual_limit)
