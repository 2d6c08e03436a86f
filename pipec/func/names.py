"""Names that are unique in the process."""

from __future__ import annotations

import threading
from collections import defaultdict

_lock = threading.Lock()
# The names given so far, and the number that follows the next time each is wanted.
_given: dict[str, int] = {}
_numbered: dict[str, int] = defaultdict(int)


def unique_name(wanted: str) -> str:
    """`wanted` the first time, then wanted$1, wanted$2, ..."""
    with _lock:
        name = wanted
        while name in _given:
            name = f"{wanted}${_given[wanted]}"
            _given[wanted] += 1
        _given[name] = 1
    return name


def numbered_name(prefix: str) -> str:
    """prefix0, prefix1, ...: names for what the user left unnamed."""
    with _lock:
        count = _numbered[prefix]
        _numbered[prefix] += 1
    return unique_name(f"{prefix}{count}")
