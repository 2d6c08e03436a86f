"""Names that are unique in the process."""

from __future__ import annotations

import threading
from collections import defaultdict

_lock = threading.Lock()
_given: dict[str, int] = defaultdict(int)
_numbered: dict[str, int] = defaultdict(int)


def unique_name(wanted: str) -> str:
    """`wanted` the first time, then wanted$1, wanted$2, ..."""
    with _lock:
        count = _given[wanted]
        _given[wanted] += 1
    return wanted if count == 0 else f"{wanted}${count}"


def numbered_name(prefix: str) -> str:
    """prefix0, prefix1, ...: names for what the user left unnamed."""
    with _lock:
        count = _numbered[prefix]
        _numbered[prefix] += 1
    return unique_name(f"{prefix}{count}")
