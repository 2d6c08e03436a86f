"""Boxes of stages with several versions: the box of the version that runs.

where p == 1: f reads [0, 9], else [5, 20]  -->  [select(p == 1, 0, 5), select(p == 1, 9, 20)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pipec.bounds.box import Box
from pipec.bounds.interval import Interval
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr
from pipec.lower.planning.nest import LoopNest


def boxes_of_stages(nests: Iterable[LoopNest], box_of: Callable[[LoopNest], Box | None]) -> list[Box]:
    """Returns the box of each stage among the nests; `box_of` returns the box of one version, None if it has none."""
    stages: dict[tuple[str, int], list[LoopNest]] = {}
    for nest in nests:
        stages.setdefault((nest.func, nest.stage), []).append(nest)
    boxes = []
    for versions in stages.values():
        total: Box | None = None
        for nest in reversed(versions):
            box = box_of(nest)
            if box is not None:
                total = box if total is None else _chosen(nest.condition, box, total)
        if total is not None:
            boxes.append(total)
    return boxes


def _chosen(condition: Expr, box: Box, other: Box) -> Box:
    """`box` where the condition holds, `other` elsewhere."""
    if condition is TRUE:
        return box
    return tuple([Interval(_end(condition, a.low, b.low), _end(condition, a.high, b.high))
                  for a, b in zip(box, other, strict=True)])  # fmt: skip


def _end(condition: Expr, a: Expr | None, b: Expr | None) -> Expr | None:
    return None if a is None or b is None else build.select(condition, a, b)
