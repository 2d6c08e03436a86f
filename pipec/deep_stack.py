"""Runs a function where it may recurse deeply: statements nest as deep as a pipeline has stages and bounds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

_STACK_BYTES = 1 << 29
_RECURSION_LIMIT = 1 << 20
_lock = threading.Lock()
_here = threading.local()
_running = 0
_usual_limit = 0


def with_deep_stack(function: Callable[..., T], *arguments: Any) -> T:
    """`function(*arguments)` on a thread with a large stack; called from such a thread, it runs there.

    The stack is reserved, not used: only the pages that are touched take memory.
    """
    if getattr(_here, "deep", False):
        return function(*arguments)
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        _here.deep = True
        try:
            results.append(function(*arguments))
        except BaseException as error:
            errors.append(error)

    _raise_limit()
    try:
        thread = _start(run)
        thread.join()
    finally:
        _restore_limit()
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


def _raise_limit() -> None:
    global _running, _usual_limit
    with _lock:
        if _running == 0:
            _usual_limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_RECURSION_LIMIT, _usual_limit))
        _running += 1


def _restore_limit() -> None:
    global _running
    with _lock:
        _running -= 1
        if _running == 0:
            sys.setrecursionlimit(_usual_limit)
