"""Arrays of coordinates, and what a pipeline has traced."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

Box = tuple[tuple[int, int], ...]


def grid(*sizes: int, mins: tuple[int, ...] | None = None) -> tuple[np.ndarray, ...]:
    """The coordinates x, y, ... of an output of these sizes, as int32 arrays of its shape (dimensions reversed)."""
    mins = mins or (0,) * len(sizes)
    axes = [np.arange(low, low + size, dtype=np.int32) for low, size in zip(mins, sizes, strict=True)]
    return tuple(reversed(np.meshgrid(*reversed(axes), indexing="ij")))


def image(hl: Any, array: Any) -> Any:
    """A Buffer with a copy of an array: an Expr of the wheel does not keep the array alive."""
    return hl.Buffer(np.ascontiguousarray(array)).copy()


def check(actual: Any, expected: Any, **tolerances: float) -> None:
    """The values of a Buffer are these; exactly, or within `rtol` and `atol`."""
    actual = np.asarray(actual)
    expected = np.broadcast_to(expected, actual.shape)
    if tolerances:
        np.testing.assert_allclose(actual, expected, **tolerances)
    else:
        np.testing.assert_array_equal(actual, expected)


@dataclass(frozen=True)
class Trace:
    """The lines that a pipeline has written."""

    text: str

    def stores(self, func: Any) -> list[tuple[int, ...]]:
        """The coordinates of all elements that were stored, one entry for each lane, in order."""
        return [point for place in self._places("Store", func) for point in _lanes(place)]

    def loads(self, func: Any) -> list[tuple[int, ...]]:
        """The coordinates of all elements that were loaded, one entry for each lane, in order."""
        return [point for place in self._places("Load", func) for point in _lanes(place)]

    def realizations(self, func: Any) -> list[Box]:
        """The boxes that were stored: minimum and extent of each dimension."""
        return [_box(place) for place in self._places("Begin realization", func)]

    def productions(self, func: Any) -> list[Box]:
        """The boxes that were computed: minimum and extent of each dimension."""
        return [_box(place) for place in self._places("Produce", func)]

    def lanes(self, event: str, func: Any) -> set[int]:
        """The numbers of elements that single accesses had."""
        return {len(_lanes(place)) for place in self._places(event, func)}

    def _places(self, event: str, func: Any) -> list[str]:
        return re.findall(rf"^{event} {re.escape(func.name())}\.0\((.*?)\)", self.text, re.MULTILINE)


def _box(place: str) -> Box:
    numbers = [int(number) for number in place.split(",")] if place else []
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _lanes(place: str) -> list[tuple[int, ...]]:
    """`<0, 1>, <5, 5>` is (0, 5) and (1, 5)."""
    columns = [[int(n) for n in re.findall(r"-?\d+", part)] for part in re.findall(r"<[^>]*>|-?\d+", place)]
    return list(zip(*columns, strict=True)) if columns else [()]
