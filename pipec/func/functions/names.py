"""Names that are unique in the process, or among what is built together."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class _Names:
    """The names given so far, and the number that follows the next time each is wanted."""

    def __init__(self) -> None:
        self.given: dict[str, int] = {}
        self.numbered: dict[str, int] = defaultdict(int)


_lock = threading.Lock()
_process = _Names()
_names: ContextVar[_Names] = ContextVar("names", default=_process)


@contextmanager
def names_of_their_own() -> Iterator[None]:
    """Names given inside are unique among themselves only: what is built inside has the same names in every process.

    It must not be combined in one pipeline with what is built outside.
    """
    token = _names.set(_Names())
    try:
        yield
    finally:
        _names.reset(token)


def unique_name(wanted: str) -> str:
    """`wanted` the first time, then wanted$1, wanted$2, ..."""
    given = _names.get().given
    with _lock:
        name = wanted
        while name in given:
            name = f"{wanted}${given[wanted]}"
            given[wanted] += 1
        given[name] = 1
    return name


def numbered_name(prefix: str) -> str:
    """prefix0, prefix1, ...: names for what the user left unnamed."""
    numbered = _names.get().numbered
    with _lock:
        count = numbered[prefix]
        numbered[prefix] += 1
    return unique_name(f"{prefix}{count}")
