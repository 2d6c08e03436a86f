"""Regions: which box of a producer a box of a stage's loops reads, in plain numbers or numpy arrays of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pipec.autoschedule.dag import Access, FuncInfo, ImageInfo

# Coordinates are sums of fractions; a sum that ought to be whole is taken as such.
ROUNDING = 1e-6
Box = tuple[tuple[int, ...], tuple[int, ...]]
"""The first and the last coordinate (inclusive) in each dimension."""


class Need:
    """What some accesses of one stage touch of one Func or image. Made once for a stage, asked many times."""

    __slots__ = ("_first", "_last", "_parts")

    def __init__(self, accesses: Iterable[Access], producer: FuncInfo | ImageInfo) -> None:
        self._first = tuple(producer.minimum)
        self._last = tuple([m + e - 1 for m, e in zip(producer.minimum, producer.extent, strict=True)])
        # For each access and dimension: its coefficients that are not zero (None: not affine), and its ends.
        self._parts = [
            [
                (None if row is None else tuple([(j, c) for j, c in enumerate(row) if c]), low, high)
                for row, low, high in zip(access.jacobian, access.low, access.high, strict=True)
            ]
            for access in accesses
        ]

    def box(self, first: Sequence[int], last: Sequence[int]) -> Box:
        """The box that is read while loop j runs from first[j] to last[j]."""
        lows: list[int] = []
        highs: list[int] = []
        for d, (least, most) in enumerate(zip(self._first, self._last, strict=True)):
            low, high = math.inf, -math.inf
            for parts in self._parts:
                terms, start, end = parts[d]
                for j, c in terms or ():
                    start += c * (first[j] if c > 0 else last[j])
                    end += c * (last[j] if c > 0 else first[j])
                low, high = min(low, start), max(high, end)
            lows.append(_clipped(low, least, most))
            highs.append(_clipped(high, least, most))
        return tuple(lows), tuple(highs)

    def boxes(self, first: Any, last: Any) -> tuple[Any, Any]:
        """As `box` for many at once: arrays [..., loops] in, int64 arrays [..., dimensions] out."""
        first, last = np.asarray(first), np.asarray(last)
        shape = (*first.shape[:-1], len(self._first))
        low, high = np.full(shape, np.inf), np.full(shape, -np.inf)
        for parts in self._parts:
            for d, (terms, start, end) in enumerate(parts):
                for j, c in terms or ():
                    start = start + c * (first if c > 0 else last)[..., j]
                    end = end + c * (last if c > 0 else first)[..., j]
                low[..., d] = np.minimum(low[..., d], start)
                high[..., d] = np.maximum(high[..., d], end)
        least, most = np.array(self._first, np.int64), np.array(self._last, np.int64)
        return _all_clipped(low, least, most), _all_clipped(high, least, most)


def _all_clipped(values: Any, least: Any, most: Any) -> Any:
    return np.clip(np.floor(np.clip(values, -1e15, 1e15) + ROUNDING).astype(np.int64), least, most)


def _clipped(value: float, least: int, most: int) -> int:
    if value <= least:
        return least
    return most if value >= most else math.floor(value + ROUNDING)


def extents(box: Box) -> tuple[int, ...]:
    """How many points lie in each dimension of a box."""
    return tuple([last - first + 1 for first, last in zip(*box, strict=True)])
