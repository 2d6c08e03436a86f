"""Python functions that machine code calls: what they raise ends the call.

An exception cannot pass through machine code. ctypes gives it to `sys.unraisablehook`, and so a Ctrl-C would be lost
that Python handles in such a function: the first moment that it can after machine code.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from pipec.jit.runtime.library import runtime


class _Hook:
    """In place of another hook, which gets all exceptions but those that end a call."""

    def __init__(self, before: Callable[[Any], object]) -> None:
        self._before = before

    def __call__(self, unraisable: Any) -> None:
        in_callback = "ctypes callback" in (unraisable.err_msg or "")
        if not (in_callback and runtime().end_call(unraisable.exc_value)):
            self._before(unraisable)


def watch_callbacks() -> None:
    """Lets exceptions of Python functions end the call of the main thread; other libraries may replace the hook."""
    if type(sys.unraisablehook) is not _Hook:
        sys.unraisablehook = _Hook(sys.unraisablehook)
