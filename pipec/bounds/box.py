"""Boxes: products of intervals, one for each dimension of a Func or buffer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.ir.expr import Expr

Box = tuple[Interval, ...]


def union(boxes: Iterable[Box]) -> Box | None:
    """The smallest box that holds all of them; None when there are none."""
    result: Box | None = None
    for box in boxes:
        result = box if result is None else tuple([a.union(b) for a, b in zip(result, box, strict=True)])
    return result


def box_of_accesses(accesses: Sequence[tuple[Expr, ...]], analysis: IntervalAnalysis) -> Box | None:
    """The box that all accesses (tuples of coordinates) touch: each distinct coordinate is analysed once."""
    if not accesses:
        return None
    dimensions = []
    for coordinates in zip(*accesses, strict=True):
        total: Interval | None = None
        for coordinate in dict.fromkeys(coordinates):
            interval = analysis.of(coordinate)
            total = interval if total is None else total.union(interval)
        assert total is not None
        dimensions.append(total)
    return tuple(dimensions)
