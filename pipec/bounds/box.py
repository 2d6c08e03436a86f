"""Boxes: products of intervals, one for each dimension of a Func or buffer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.ir.expr import Expr, FuncCall, ImageCall
from pipec.ir.walk import postorder

# Longer indices are not quoted.
MAX_QUOTED = 120
Box = tuple[Interval, ...]


def union(boxes: Iterable[Box]) -> Box | None:
    """The smallest box that holds all of them; None when there are none."""
    all_boxes = list(boxes)
    if not all_boxes:
        return None
    return tuple([Interval.union_of(intervals) for intervals in zip(*all_boxes, strict=True)])


def box_of_accesses(accesses: Sequence[tuple[Expr, ...]], analysis: IntervalAnalysis) -> Box | None:
    """The box that all accesses (tuples of coordinates) touch: each distinct coordinate is analysed once."""
    if not accesses:
        return None
    return tuple(
        [
            Interval.union_of([analysis.of(coordinate) for coordinate in dict.fromkeys(coordinates)])
            for coordinates in zip(*accesses, strict=True)
        ]
    )


def reason_unbounded(accesses: Iterable[tuple[Expr, ...]], analysis: IntervalAnalysis, dimension: int) -> str:
    """A sentence about the first access without limits in a dimension; nothing where there is none."""
    for coordinates in accesses:
        index = coordinates[dimension]
        if not analysis.of(index).bounded:
            # Loop variables are named after their Func and stage.
            text = re.sub(r"[\w$]+\.s\d+\.", "", str(index))
            quoted = f" {text}" if len(text) <= MAX_QUOTED else ""
            if any(isinstance(node, FuncCall | ImageCall) for node in postorder(index)):
                return f"Its index{quoted} depends on values that are known only when the pipeline runs. "
            return f"No limits of its index{quoted} follow from those of its variables. "
    return ""
