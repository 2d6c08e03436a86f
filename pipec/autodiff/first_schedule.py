"""What gradients compute at root until users or searches decide: Funcs that would be computed again and again inline.

Adjoints read the Funcs of the forward pass and each other at several places. Inlined through a chain of stencils, such
reads multiply with every stage, and so does the code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.autodiff.terms import is_gather
from pipec.func.functions.function import Function
from pipec.ir.expr import FuncCall, ImageCall, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import postorder

# A Func of which a point evaluates no more definitions and loads than this is always inlined.
MAX_CHEAP_EVALUATIONS = 8
# What is inlined evaluates no more than this at all of its places together. Measured with chains of 4-point stencils of
# images of 1500 x 1000: with the adjoints of linear ones, 9 evaluations at 4 places, a gradient takes 1.5 ms inlined
# and 2.2 ms stored; with squared ones, 9 at 20 places, 40 ms and 29 ms.
MAX_INLINED_EVALUATIONS = 40


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
        evaluations: dict[Function, int] = {}
        for function in functions:
            count = evaluations[function] = self._evaluations(function, evaluations)
            many = places[function] > 1 and places[function] * count > MAX_INLINED_EVALUATIONS
            if function in self.optional and count > MAX_CHEAP_EVALUATIONS and many:
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

    def _evaluations(self, function: Function, evaluations: dict[Function, int]) -> int:
        """The definitions and loads that a point of a Function evaluates; of a sum more than may be inlined."""
        if len(function.stages) > 1:
            return MAX_INLINED_EVALUATIONS + 1
        total = 1
        for node in postorder(*function.stages[0].roots):
            if isinstance(node, FuncCall) and node.function in evaluations and node.function not in self.stored:
                total += evaluations[node.function]
            elif isinstance(node, FuncCall | ImageCall):
                total += 1
        return total


def _reads(function: Function) -> dict[Function, int]:
    """How often the stages of a Function read others at a point: twice where loops come back to the same point."""
    reads: dict[Function, int] = {}
    for stage in function.stages:
        pure = sum(arg is Variable(INT32, name) for arg, name in zip(stage.args, function.args, strict=True))
        loops = pure + len(stage.rvars)
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
