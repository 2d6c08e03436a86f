"""Runs functions on a large stack: the nesting of statements grows with the stages of a pipeline."""

from __future__ import annotations

import _thread
import functools
import gc
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from pipec.endings import at_end
from pipec.errors import OutOfMemoryError

T = TypeVar("T")
P = ParamSpec("P")

# The stacks to ask for: most pipelines need little, but under a limit of memory (ulimit -v) there may be little.
_STACK_SIZES = (1 << 29, 1 << 27, 1 << 25, 1 << 23, 1 << 21)
# Those of functions that are only not to be interrupted: as the main thread's usually is.
_USUAL_STACK_SIZES = (1 << 23, 1 << 21)
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


class _Pause:
    """Searches for reference cycles are off while it lives."""


class _ThreadEnd:
    """Dies with its thread."""


_last_pause: weakref.ref[_Pause] = weakref.ref(_Pause())


class _DeepCall:
    """A call on a large stack, and what its thread and its caller tell each other.

    By locks of C alone: an exception of a signal handler inside of `threading.Event` or `threading.Thread` leaves locks
    of theirs locked, or releases them twice.
    """

    def __init__(self, function: Callable[[], object], stack_sizes: Sequence[int]) -> None:
        self.function, self.stack_sizes = function, stack_sizes
        self.start, self.end = threading.Lock(), threading.Lock()
        # Who holds it decides whether an exception may be raised in the middle of the call.
        self.shield = threading.RLock()
        self.is_cancelled = self.is_done = False
        self.stack_bytes = self.thread = 0
        self.results: list[Any] = []
        self.errors: list[BaseException] = []
        self.start.acquire()
        self.end.acquire()

    def run(self) -> None:
        """What the thread does."""
        # As threads of Python's own do, for debuggers and measurements of coverage.
        sys.settrace(threading.gettrace())
        sys.setprofile(threading.getprofile())
        with self.shield:
            try:
                _thread_state.call, _thread_state.end = self, _ThreadEnd()
                # Not before: the stack and the memory of a thread that ends are those of the next one.
                at_end(_thread_state.end, self.end.release)
                self.start.acquire()
                with _recursion_limit(self.stack_bytes // _BYTES_PER_CALL):
                    self._run_unshielded()
            except BaseException as error:
                self.errors.append(error)
            finally:
                self.is_done = True

    def _run_unshielded(self) -> None:
        try:
            self.shield.release()
            end_if_cancelled()
            self.results.append(self.function())
        finally:
            self.shield.acquire()

    def wait(self) -> None:
        """Waits for the thread. An exception of a signal handler, as KeyboardInterrupt, ends the thread too."""
        try:
            self.start.release()
            while not self.is_done:
                self.end.acquire(timeout=_WAIT_SECONDS)
        except BaseException:
            # The program may change its Funcs next.
            self.is_cancelled = True
            self.end.acquire(timeout=_CANCEL_SECONDS)
            while not self.is_done:
                # A long function of Python that does not call `end_if_cancelled`.
                self._raise_in_thread(_Cancelled)
                self.end.acquire(timeout=_CANCEL_SECONDS)
            raise

    def _raise_in_thread(self, error: type[BaseException]) -> None:
        import ctypes

        if self.shield.acquire(blocking=False):
            try:
                if not self.is_done:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(error))
            finally:
                self.shield.release()

    def give_up(self) -> None:
        """Lets a thread for which nobody waits end at once."""
        self.is_cancelled = True
        if self.start.locked():
            self.start.release()


def with_deep_stack(function: Callable[..., T], *arguments: Any) -> T:
    """`function(*arguments)` on a thread with a large stack; called from such a thread, it runs there.

    The stack is reserved, not used: only the pages that are touched take memory. Where there is too little, the stack
    is smaller. Raises OutOfMemoryError if even that fails, or if `function` needs more.
    """
    if _deep_call() is not None:
        return function(*arguments)
    result: T = _result(_DeepCall(functools.partial(function, *arguments), _STACK_SIZES))
    return result


def _result(call: _DeepCall) -> Any:
    with gc_paused():
        try:
            _start(call)
            call.wait()
        finally:
            call.give_up()
    if call.errors:
        error = call.errors[0]
        is_short = isinstance(error, RecursionError) and call.stack_bytes < call.stack_sizes[0]
        if is_short or isinstance(error, MemoryError):
            raise _out_of_memory() from call.errors.pop()
        del error
        # Out of the list, which a frame of its traceback holds: no cycle keeps what the frames hold.
        raise call.errors.pop()
    return call.results.pop()


def uninterrupted(function: Callable[P, T]) -> Callable[P, T]:
    """Decorates a function that exceptions of signal handlers may not end half-way; they are raised when it has ended.

    In the main thread it runs on another one. Code that owns memory of a library is such: an exception between the
    library's call and the note of it would release that memory twice.
    """

    @functools.wraps(function)
    def shielded(*arguments: P.args, **named: P.kwargs) -> T:
        call = _deep_call()
        if call is None and threading.get_ident() != threading.main_thread().ident:
            # Python handles signals in the main thread only.
            return function(*arguments, **named)
        if call is None:
            result: T = _result(_DeepCall(functools.partial(shielded, *arguments, **named), _USUAL_STACK_SIZES))
            return result
        with call.shield:
            return function(*arguments, **named)

    return shielded


def _deep_call() -> _DeepCall | None:
    """The call on a large stack that runs in this thread."""
    return getattr(_thread_state, "call", None)


class _Cancelled(SystemExit):
    """Ends a function on its large stack, or its thread: threads report no SystemExit."""


def end_if_cancelled() -> None:
    """Ends the function that runs here on a large stack if nobody waits for its result any more.

    What takes long calls it now and then.
    """
    call = _deep_call()
    if call is not None and call.is_cancelled:
        raise _Cancelled


def _out_of_memory() -> OutOfMemoryError:
    return OutOfMemoryError(
        "Error: Out of memory while the pipeline is compiled: the limit of this process leaves too little. Raise the"
        " limit (ulimit -v), or compile fewer stages at once."
    )


def _start(call: _DeepCall) -> None:
    """Starts the thread of a call, with the largest stack that the system grants."""
    with _lock:
        usual = threading.stack_size()
        try:
            for size in call.stack_sizes:
                threading.stack_size(size)
                call.stack_bytes = size
                try:
                    call.thread = _thread.start_new_thread(call.run, ())
                except (RuntimeError, MemoryError) as error:
                    if size == call.stack_sizes[-1]:
                        raise _out_of_memory() from error
                else:
                    break
        finally:
            threading.stack_size(usual)


MANY_OBJECTS = 100_000
"""That are young: a collection of fewer takes as long as finding out how many are frozen."""


def age_objects() -> None:
    """Moves all objects to the oldest generation of garbage collection, of which none may be frozen."""
    gc.freeze()
    gc.unfreeze()


def _resume_gc() -> None:
    """Enables garbage collection. The next ones do not go through what the pause made, unless the program froze some.

    That takes 2 s after the search of a large pipeline.
    """
    if gc.get_count()[0] > MANY_OBJECTS and not gc.get_freeze_count():
        age_objects()
    gc.enable()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pauses garbage collection: IR nodes form no reference cycles, so looking for cycles among them is wasted time."""
    global _last_pause
    with _lock:
        pause = _last_pause()
        if pause is None:
            pause = _Pause()
            _last_pause = weakref.ref(pause)
            if gc.isenabled():
                # Not by `finally`, in which KeyboardInterrupt may be raised before the call.
                at_end(pause, _resume_gc)
                gc.disable()
    try:
        yield
    finally:
        # A traceback may keep this frame.
        del pause


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
