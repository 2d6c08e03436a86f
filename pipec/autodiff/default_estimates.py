"""How large Funcs and loops are, as the default schedule of gradients takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from pipec.autodiff.backward import callees_first
from pipec.autodiff.regions import Regions
from pipec.autodiff.stages import StageView, stage_views
from pipec.autodiff.terms import Dim
from pipec.bounds.box import Box
from pipec.bounds.interval import Interval
from pipec.func.functions.function import Function
from pipec.ir.build import constant
from pipec.ir.expr import Expr, FuncCall, ParameterRef
from pipec.ir.tape import evaluate
from pipec.ir.walk import free_variables, postorder
from pipec.schedule.bounds import AlignBounds, AlignExtent, Bound, Estimate
from pipec.schedule.storage import BoundStorage
from pipec.target import get_host_target

UNKNOWN = 1024


class Estimates:
    """The Functions that the outputs need, producers first, their stages, and the sizes of both.

    `boxes`: those of the outputs. `values`: what Params and properties of images are taken for.
    """

    def __init__(self, outputs: Sequence[Function], boxes: Mapping[Function, Box], values: Mapping[str, int]) -> None:
        self.outputs, self.values = outputs, values
        self._boxes = boxes
        self.look()

    def look(self) -> None:
        """Look at the definitions again, after they have changed."""
        self.functions = list(dict.fromkeys(f for output in self.outputs for f in callees_first(output)))
        self.extern = {f for f in self.functions if f.definition().extern is not None}
        self._regions = Regions([f for f in self.functions if f not in self.extern], self._boxes)
        self.views = {f: stage_views(f) for f in self.functions if f not in self.extern}

    def extents(self, function: Function) -> list[int]:
        """How large a Func is, dimension by dimension."""
        box = self._regions.boxes.get(function, tuple([Interval(None, None)] * len(function.args)))
        return [max(1, self._number(b.high) - self._number(b.low) + 1) if b.bounded else UNKNOWN for b in box]

    def dims(self, function: Function) -> list[tuple[str, int]]:
        """The names of the dimensions with their extents."""
        return list(zip(function.args, self.extents(function), strict=True))

    def loops(self, view: StageView) -> list[int]:
        """How many iterations the loops of the RDom have."""
        return [max(1, self._extent(dim)) for dim in view.loops]

    def empty(self, view: StageView) -> bool:
        """Whether a stage has nothing to do, as it seems."""
        return any(self._extent(dim) < 1 for dim in view.loops)

    def _extent(self, dim: Dim) -> int:
        return self._number(dim.high) - self._number(dim.low) + 1

    def _number(self, e: Expr | None) -> int:
        """The value of a bound with what is estimated."""
        if e is None or any(isinstance(n, FuncCall) for n in postorder(e)):
            return UNKNOWN
        found = {name: self.values.get(name, _known(e, name)) for name in free_variables(e)}
        return int(evaluate(e, found).item())


def _known(e: Expr, name: str) -> int:
    for node in postorder(e):
        if isinstance(node, ParameterRef) and node.name == name:
            scalar = getattr(node.parameter, "scalar", None)
            value = scalar() if scalar is not None else None
            if value is not None:
                return int(value)
    return 0 if ".min." in name else UNKNOWN


def calls(view: StageView) -> list[FuncCall]:
    """The reads of Funcs in a definition, each once."""
    seen: set[Any] = set()
    roots = (*view.values, *view.args, view.condition)
    return [node for root in roots for node in postorder(root, seen) if isinstance(node, FuncCall)]


def constant_work(view: StageView, operations: int) -> int | None:
    """The operations of all iterations of a stage's loops; None when their number is no constant."""
    sizes = [dim.size for dim in view.loops]
    return None if None in sizes else operations * prod([size for size in sizes if size is not None])


def lanes_of(function: Function) -> int:
    """How many values of a Func fill a vector."""
    return max(get_host_target().natural_vector_size(kind) for kind in function.types)


def fixed_dims(function: Function) -> set[str]:
    """The dimensions to which the user gave a size."""
    bounds = [directive for directive in function.schedule.directives if isinstance(directive, Bound)]
    return {bound.var for bound in bounds if bound.extent is not None and constant(bound.extent) is not None}


def is_scheduled(function: Function) -> bool:
    """Whether the user said how a Func is computed; estimates and bounds say nothing of that."""
    remarks = (AlignBounds, AlignExtent, Bound, BoundStorage, Estimate)
    return any(not isinstance(directive, remarks) for directive in function.schedule.directives)
