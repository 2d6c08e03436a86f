"""What one access of a warp costs: the pieces of memory that its lanes touch, and the conflicts of local memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

WORD = 4
"""Bytes of a word of local memory."""


@lru_cache(maxsize=100_000)
def sectors(group: tuple[int, ...], steps: tuple[float, ...], size: int, lanes: int, sector: int) -> int:
    """Pieces of `sector` bytes that the lanes of a warp touch.

    `group`: threads of a block by dimension; `steps`: elements between neighbours in each; `size`: bytes of an element.
    """
    return len({int(place) * size // sector for place in _places(group, steps, lanes)})


@lru_cache(maxsize=100_000)
def conflicts(group: tuple[int, ...], steps: tuple[float, ...], size: int, lanes: int, banks: int) -> int:
    """How often local memory is asked until every lane has its element: a bank gives one word at a time."""
    asked: dict[int, set[int]] = {}
    for place in _places(group, steps, lanes):
        word = int(place) * size // WORD
        asked.setdefault(word % banks, set()).add(word)
    return max(map(len, asked.values())) * max(1, size // WORD)


def _places(group: Sequence[int], steps: Sequence[float], lanes: int) -> list[float]:
    """The elements of the first warp, in the middle of a long row so that rounding down shows."""
    places = []
    threads = 1
    for size in group:
        threads *= size
    for lane in range(min(lanes, threads)):
        place, rest = 0.0, lane
        for size, step in zip(group, steps, strict=True):
            place += step * (rest % size)
            rest //= size
        places.append(place + 1e-6)
    return places
