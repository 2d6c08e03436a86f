"""Regions: which box of a producer a box of a stage's loops reads."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pipec.autoschedule.dag.dag import Access, FuncInfo, ImageInfo

# Coordinates are sums of fractions; sums that should be whole are rounded.
ROUNDING = 1e-6
Box = tuple[tuple[int, ...], tuple[int, ...]]
"""The first and the last coordinate (inclusive) in each dimension."""
Terms = tuple[tuple[int, float], ...]
"""Loops and their coefficients."""


class Need:
    """The regions of one Func or image that some accesses of one stage touch, memoised."""

    __slots__ = ("_first", "_memo", "_last", "_parts", "_places", "_values", "_whole")

    def __init__(self, accesses: Sequence[Access], producer: FuncInfo | ImageInfo) -> None:
        self._first = tuple(producer.minimum)
        self._last = tuple([m + e - 1 for m, e in zip(producer.minimum, producer.extent, strict=True)])
        self._memo: dict[Box, Box] = {}
        # For each dimension: the coefficients that are not zero (none where it is not affine), and the ends of all
        # accesses that share them.
        ends_of: list[dict[Terms, tuple[float, float]]] = [{} for _ in self._first]
        for access in accesses:
            for d, (row, low, high) in enumerate(zip(access.jacobian, access.low, access.high, strict=True)):
                terms = tuple([(j, c) for j, c in enumerate(row or ()) if c])
                start, end = ends_of[d].get(terms, (low, high))
                ends_of[d][terms] = min(start, low), max(end, high)
        self._parts = [list(ends.items()) for ends in ends_of]
        self._places = [_places(accesses, d) for d in range(len(self._first))]
        self._values = [_values(accesses, d) for d in range(len(self._first))]
        # Dimensions that follow one loop step by step, as most do.
        self._whole = [_followed(parts) for parts in self._parts]

    def box(self, first: Sequence[int], last: Sequence[int]) -> Box:
        """The box that is read while loop j runs from first[j] to last[j]."""
        key = tuple(first), tuple(last)
        cached = self._memo.get(key)
        if cached is not None:
            return cached
        lows: list[int] = []
        highs: list[int] = []
        for least, most, followed, parts in zip(self._first, self._last, self._whole, self._parts, strict=True):
            if followed is not None:
                j, start, end = followed
                start += first[j]
                end += last[j]
                lows.append(least if start < least else most if start > most else start)
                highs.append(least if end < least else most if end > most else end)
                continue
            low, high = math.inf, -math.inf
            for terms, (begin, close) in parts:
                for j, c in terms:
                    begin += c * (first[j] if c > 0 else last[j])
                    close += c * (last[j] if c > 0 else first[j])
                low, high = min(low, begin), max(high, close)
            lows.append(_clipped(low, least, most))
            highs.append(_clipped(high, least, most))
        result = self._memo[key] = tuple(lows), tuple(highs)
        return result

    def distinct(self, d: int, first: Sequence[int], last: Sequence[int]) -> float:
        """How many coordinates of dimension `d` are read at most: taps that are far apart leave some of a box out."""
        if self._values[d]:
            return sum([n * math.prod([last[j] - first[j] + 1 for j in loops]) for n, loops in self._values[d]])
        if not self._places[d] or len(self._parts[d]) != 1:
            return math.inf
        ((terms, _),) = self._parts[d]
        span = sum([abs(c) * (last[j] - first[j]) for j, c in terms]) + 1
        return self._places[d] * min(span, math.prod([last[j] - first[j] + 1 for j, _ in terms]))


def _followed(parts: Sequence[tuple[Terms, tuple[float, float]]]) -> tuple[int, int, int] | None:
    """(j, a, b) where all that is read lies in v[j] + a .. v[j] + b, whole numbers."""
    if len(parts) != 1:
        return None
    terms, (low, high) = parts[0]
    if len(terms) != 1 or terms[0][1] != 1 or not (float(low).is_integer() and float(high).is_integer()):
        return None
    return terms[0][0], int(low), int(high)


def _places(accesses: Sequence[Access], d: int) -> int:
    """How many places along dimension `d` the accesses begin at; 0 when that is not known."""
    if not all(access.offsets for access in accesses):
        return 0
    return len({offset[d] for access in accesses for offset in access.offsets})


def _values(accesses: Sequence[Access], d: int) -> list[tuple[int, frozenset[int]]]:
    """For each access how many places along dimension `d` it has and the loops that change them; nothing when all of
    them, or too few, are known."""
    if all(not access.values or not access.values[d] for access in accesses):
        return []
    if not all(access.values or access.offsets for access in accesses):
        return []
    places_of = []
    for access in accesses:
        moving = {j for j, c in enumerate(access.jacobian[d] or ()) if c}
        places = len({offset[d] for offset in access.offsets}) or access.count
        places_of.append((places, frozenset(moving).union(*access.values[d : d + 1])))
    return places_of


def _clipped(value: float, least: int, most: int) -> int:
    if value <= least:
        return least
    return most if value >= most else math.floor(value + ROUNDING)


def extents(box: Box) -> tuple[int, ...]:
    """How many points lie in each dimension of a box."""
    return tuple([last - first + 1 for first, last in zip(*box, strict=True)])


def union(boxes: Sequence[Box]) -> Box:
    """Returns the smallest box around several."""
    if len(boxes) == 1:
        return boxes[0]
    return (
        tuple([min(ends) for ends in zip(*(box[0] for box in boxes), strict=True)]),
        tuple([max(ends) for ends in zip(*(box[1] for box in boxes), strict=True)]),
    )
