"""Runs functions on a large stack: the nesting of statements grows with the stages of a pipeline."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

_STACK_BYTES = 1 << 29
_RECURSION_LIMIT = 1 << 20
_lock = threading.Lock()
_thread_state = threading.local()
_running = 0
_usual_limit = 0
_pauses = 0
_collected = False


def with_deep_stack(function: Callable[..., T], *arguments: Any) -> T:
    """`function(*arguments)` on a thread with a large stack; called from such a thread, it runs there.

    The stack is reserved, not used: only the pages that are touched take memory.
    """
    if getattr(_thread_state, "deep", False):
        return function(*arguments)
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        _thread_state.deep = True
        try:
            results.append(function(*arguments))
        except BaseException as error:
            errors.append(error)

    with gc_paused(), _deep_recursion():
        thread = _start(run)
        thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _start(run: Callable[[], None]) -> threading.Thread:
    with _lock:
        usual = threading.stack_size(_STACK_BYTES)
        try:
            thread = threading.Thread(target=run, name="pipec-compile", daemon=True)
            thread.start()
        finally:
            threading.stack_size(usual)
    return thread


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
def _deep_recursion() -> Iterator[None]:
    global _running, _usual_limit
    with _lock:
        if _running == 0:
            _usual_limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_RECURSION_LIMIT, _usual_limit))
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if _running == 0:
                sys.setrecursionlimit(_usual_limit)
