"""What of the arguments of a `@filter` is compiled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ArrayKind:
    """What of an array is compiled in: its type, rank and number of channels (0 for rank 2)."""

    dtype: str
    rank: int
    channels: int


@dataclass(frozen=True)
class NumberKind:
    """A number, which is given at each call."""

    dtype: str


Key = tuple[tuple[str, Any], ...]
