"""Names that are unique in the process, or among what is built together."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pipec.errors import DefinitionError


class _Names:
    """The names in use, each with the number of its next copy."""

    def __init__(self) -> None:
        self.used: dict[str, int] = {}
        self.numbered: dict[str, int] = defaultdict(int)


_lock = threading.Lock()
_process = _Names()
_names: ContextVar[_Names] = ContextVar("names", default=_process)


@contextmanager
def local_names() -> Iterator[None]:
    """Names created inside are unique among themselves only, so that they are the same in every process.

    It must not be combined in one pipeline with what is built outside.
    """
    token = _names.set(_Names())
    try:
        yield
    finally:
        _names.reset(token)


def reserve_name(name: str) -> None:
    """Lets later unique names differ from `name`, which the user gave an input of a pipeline."""
    _names.get().used.setdefault(name, 1)


def require_plain_name(name: str) -> None:
    """Raises DefinitionError for the name of a Func or ImageParam with the character that separates internal names."""
    if "." in name:
        raise DefinitionError(
            f'Error: Func name "{name}" is invalid. Names of Funcs and ImageParams may not contain the character '
            "'.', which stands between the parts of names such as f.0 and f.min.0. Use _ instead."
        )


def unique_name(stem: str) -> str:
    """Returns `stem` the first time, then stem$1, stem$2, ...; also when an input of a pipeline has that name."""
    used = _names.get().used
    with _lock:
        name = stem
        while name in used:
            name = f"{stem}${used[stem]}"
            used[stem] += 1
        used[name] = 1
    return name


def numbered_name(prefix: str) -> str:
    """Returns prefix0, prefix1, ...: names of objects that the user has not named."""
    numbered = _names.get().numbered
    with _lock:
        count = numbered[prefix]
        numbered[prefix] += 1
    return unique_name(f"{prefix}{count}")
