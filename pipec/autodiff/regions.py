"""The boxes of Funcs and images that outputs need: what a pipeline reads, before anything is scheduled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.autodiff.stages import StageView, stage_views
from pipec.autodiff.terms import narrowed
from pipec.bounds.box import Box
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.func.functions.function import Function
from pipec.ir.expr import Expr, FuncCall, ImageCall
from pipec.ir.node import Node
from pipec.ir.walk import postorder
from pipec.lower.planning.value_ranges import ValueRanges

# A Function that reads itself at places further away in each round has no bounds.
MAX_ROUNDS = 4


class Regions:
    """For each Function and image the box that is read of it, from the boxes of the outputs."""

    def __init__(self, functions: Sequence[Function], outputs: Mapping[Function, Box]) -> None:
        self.boxes: dict[Any, Box] = dict(outputs)
        self._ranges = ValueRanges({function.name: function.definition() for function in functions}, [])
        for function in reversed(functions):
            self.spread(function)

    def spread(self, function: Function) -> None:
        """Adds what a Function reads over its own box."""
        for _ in range(MAX_ROUNDS):
            before = self.boxes.get(function)
            if before is None:
                return
            for view in stage_views(function):
                self._reads(view, before)
            if self.boxes[function] == before:
                return

    def _reads(self, view: StageView, box: Box) -> None:
        dims = view.dims_over(box)
        bounded = [dim for dim in dims if dim is not None]
        inside = narrowed(bounded, view.condition) if len(bounded) == len(dims) else tuple(bounded)
        if inside is None:
            return
        intervals = {dim.name: Interval(dim.low, dim.high) for dim in inside}
        analysis = IntervalAnalysis(lambda name: intervals.get(name, _unknown(view, name)), self._ranges.of)
        visited: set[Node] = set()
        roots = (*view.values, *view.args, view.condition)
        for node in [n for root in roots for n in postorder(root, visited)]:
            if isinstance(node, FuncCall | ImageCall):
                self._add(_source(view, node), tuple([analysis.of(arg) for arg in node.args]))
        # An update computes what it writes, read or not.
        for args, _ in view.stores if view.number else ():
            self._add(view.function, tuple([analysis.of(arg) for arg in args]))

    def _add(self, source: object, box: Box) -> None:
        before = self.boxes.get(source)
        self.boxes[source] = box if before is None else tuple([a.union(b) for a, b in zip(before, box, strict=True)])


def _unknown(view: StageView, name: str) -> Interval | None:
    return Interval(None, None) if name in view.names else None


def _source(view: StageView, node: Expr) -> object:
    if isinstance(node, ImageCall):
        return node.image
    assert isinstance(node, FuncCall)
    return node.function if node.function is not None else view.function
