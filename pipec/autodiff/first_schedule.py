"""What gradients compute at root until users or searches decide: Funcs that would be computed again and again inline.

Adjoints read the Funcs of the forward pass and each other at several places. Inlined through a chain of stencils, such
reads multiply with every stage, and so does the code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.autodiff.terms import is_gather
from pipec.func.functions.definition import StageDef
from pipec.func.functions.function import Function
from pipec.ir.expr import Expr, FuncCall, ImageCall, Select, Variable
from pipec.ir.stmt import Partition
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder
from pipec.schedule.directive import Concern
from pipec.schedule.execution import PartitionLoop
from pipec.schedule.fields import ROOT, StageRef
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule

# A Func of which a point loads no more elements than this is always inlined.
MAX_CHEAP_LOADS = 2
# What is inlined loads no more elements than this at all of its places together. Measured with chains of 4-point
# stencils of images of 1500 x 1000: with the adjoints of linear ones, 4 loads at 4 places, a gradient takes 1.5 ms
# inlined and 2.2 ms stored; with squared ones, 4 at 20 places, 40 ms and 29 ms.
MAX_INLINED_LOADS = 40


class FirstSchedule:
    """The Functions to store among `functions`, producers first, of which the last one is the gradient.

    `always`: whether a Function is stored whatever it computes; `may_store`: whether one has a bounded region.
    """

    def __init__(
        self, functions: Sequence[Function], always: Callable[[Function], bool], may_store: Callable[[Function], bool]
    ) -> None:
        self.functions = functions
        self.reads = {function: _reads(function) for function in functions}
        gathered = _read_at_values(functions)
        self.stored = {functions[-1], *filter(always, functions)}
        self.optional = {f for f in functions if f not in gathered and may_store(f)} - self.stored
        places = self._places()
        loads: dict[Function, int] = {}
        for function in functions:
            count = loads[function] = self._loads(function, loads)
            many = places[function] > 1 and places[function] * count > MAX_INLINED_LOADS
            if function in self.optional and count > MAX_CHEAP_LOADS and many:
                self.stored.add(function)
        # Some are read at one place only, since their readers are stored.
        self._places(drop=True)

    def _places(self, drop: bool = False) -> dict[Function, int]:
        """At how many places a point of each Function is computed when those that are not stored are inlined.

        `drop`: stores no optional ones that are read at one place.
        """
        places = dict.fromkeys(self.functions, 0)
        for function in reversed(self.functions):
            if drop and function in self.optional and places[function] <= 1:
                self.stored.discard(function)
            times = 1 if function in self.stored else places[function]
            for callee, count in self.reads[function].items():
                places[callee] += count * times
        return places

    def _loads(self, function: Function, loads: dict[Function, int]) -> int:
        """The elements that a point of a Function loads; of a sum more than may be inlined."""
        if len(function.stages) > 1:
            return MAX_INLINED_LOADS + 1
        total = 0
        for node in postorder(*function.stages[0].roots):
            if isinstance(node, FuncCall) and node.function in loads and node.function not in self.stored:
                total += loads[node.function]
            elif isinstance(node, FuncCall | ImageCall):
                total += 1
        return max(total, 1)


def stored_schedule(function: Function) -> Schedule:
    """The directives of a Function that is stored: loops over sums at the edges of its region are not divided.

    These have few iterations, and more conditions than other loops.
    """
    edges = [
        PartitionLoop(StageRef(function.name, number), name, Partition.Never)
        for number, stage in enumerate(function.stages)
        if any(_is_edge(arg, stage) for arg in stage.args)
        for name in (*_pure_variables(function, stage), *[loop.name for loop in stage.rvars])
    ]
    return Schedule((ComputeAt(function.name, ROOT), *edges))


def has_stored_schedule(function: Function) -> bool:
    """Whether a Function has this schedule, apart from directives about sizes."""
    decisions = tuple([d for d in function.schedule.directives if d.CONCERN is not Concern.SIZE])
    return function.searched is not None and decisions == stored_schedule(function).directives


def _is_edge(arg: Expr, stage: StageDef) -> bool:
    """Whether a coordinate is one of two that no loop changes, as those of sums that were joined are."""
    if not isinstance(arg, Select):
        return False
    loops = {loop.name for loop in stage.rvars}
    chosen = free_variables(arg.true_value) | free_variables(arg.false_value)
    return not free_variables(arg.condition).isdisjoint(loops) and loops.isdisjoint(chosen)


def _pure_variables(function: Function, stage: StageDef) -> list[str]:
    """The Vars that a stage ranges over."""
    pairs = zip(stage.args, function.args, strict=True)
    return [name for arg, name in pairs if arg is Variable(INT32, name)]


def _reads(function: Function) -> dict[Function, int]:
    """How often the stages of a Function read others at a point: twice where loops come back to the same point."""
    reads: dict[Function, int] = {}
    for stage in function.stages:
        loops = len(_pure_variables(function, stage)) + len(stage.rvars)
        for node in postorder(*stage.roots):
            callee = node.function if isinstance(node, FuncCall) else None
            if callee is not None and callee is not function:
                reads[callee] = reads.get(callee, 0) + (2 if loops > callee.dimensions else 1)
    return reads


def _read_at_values(functions: Sequence[Function]) -> set[Function]:
    """The Functions that are read at coordinates that other values give: they may need far more points than they have
    readers.
    """
    return {
        node.function
        for function in functions
        for stage in function.stages
        for node in postorder(*stage.roots)
        if isinstance(node, FuncCall) and node.function is not None and any(map(is_gather, node.args))
    }
