"""The most threads of calls: a setting of each Python thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pipec.errors import ArgumentError
from pipec.func.buffers.elements import plain_index


class _Setting(threading.local):
    threads: int | None = None


SETTING = _Setting()


def checked_threads(threads: int | None) -> int | None:
    """A limit of threads that a user gives. Raises ArgumentError unless it is a positive number."""
    count = plain_index(threads) if threads is not None else None
    if threads is not None and (count is None or count < 1):
        raise ArgumentError(f"Error: threads={threads!r} must be a positive number.")
    return count


@contextmanager
def limited_threads(threads: int | None) -> Iterator[None]:
    """Calls of this Python thread inside the context use at most `threads` threads; None changes nothing.

    Calls are prebuilt without a limit: they look at SETTING first where one may be set.
    """
    count = checked_threads(threads)
    before = SETTING.threads
    SETTING.threads = count or before
    try:
        yield
    finally:
        SETTING.threads = before
