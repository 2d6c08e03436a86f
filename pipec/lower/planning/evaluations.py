"""How often Funcs that are inlined are evaluated for each point of the stages that they are inlined into.

A Func without a schedule is computed at each use. Uses at constant offsets share values, as common subexpressions; uses
in the iterations of a reduction do not, so that reductions inlined into each other multiply. An update that writes
along an RVar, as a scan does, is computed with all points along it, although one of them is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from pipec.bounds.linear import linear
from pipec.func.functions.definition import FuncDef, PipelineDef, ReductionLoop, StageDef
from pipec.ir.expr import Const, Expr, FuncCall, ReductionVariable, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import instances, postorder
from pipec.records import dataclass, field


@dataclass
class Uses:
    """The uses of a Func for each point of a stage: the number of calls, and the box of their constant offsets.

    `box` is None where a coordinate is something else than the same variable plus a constant.
    """

    calls: float = 0.0
    box: list[tuple[int, int]] | None = field(default_factory=list)

    def add(self, calls: float, box: list[tuple[int, int]] | None) -> None:
        """Adds `calls` at the offsets of `box`."""
        if not self.calls:
            self.box = box
        elif self.box is not None:
            self.box = (
                None if box is None else [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(self.box, box, strict=True)]
            )
        self.calls += calls

    def distinct(self) -> float:
        """The number of different points among the calls."""
        return self.calls if self.box is None else min(self.calls, math.prod([b - a + 1.0 for a, b in self.box]))


class Evaluations:
    """The operations that a pipeline takes for each point of its outputs, and the evaluations of each inlined Func."""

    def __init__(
        self, definition: PipelineDef, stored: Collection[str], extent: Callable[[ReductionLoop], float]
    ) -> None:
        """`stored`: the Funcs that are not inlined. `extent`: the iterations of a loop of an RDom."""
        self._definition, self._stored, self._extent = definition, stored, extent
        self._costs: dict[str, float] = {}
        self._evaluations: dict[str, float] = {}
        # Consumers after their producers, as in a definition.
        self.operations = sum([self._cost(name) for name in definition.funcs if name in stored])

    def most_repeated(self, funcs: Collection[str]) -> str:
        """Returns the one of `funcs` whose repeated evaluations take most operations; "" when none is repeated."""
        repeated = {
            name: (count - 1) * self._cost(name) / math.prod(self._widths(name))
            for name, count in self._evaluations.items()
            if name in funcs
        }
        blamed = max(repeated, key=repeated.__getitem__, default="")
        return blamed if repeated.get(blamed) else ""

    def of(self, name: str) -> float:
        """Returns how often a Func is evaluated for a point of a stage that it is inlined into, at most."""
        return self._evaluations.get(name, 1.0)

    def _cost(self, name: str) -> float:
        """The operations for one use of a Func, with all that is inlined into it."""
        if name not in self._costs:
            func, widths = self._definition.funcs[name], self._widths(name)
            self._costs[name] = sum(
                [
                    self._stage_cost(func, stage)
                    * math.prod([w for w, arg in zip(widths, stage.args, strict=True) if not _rvars(arg)])
                    for stage in func.stages
                ]
            )
        return self._costs[name]

    def _widths(self, name: str) -> list[float]:
        """The points in each dimension that are computed for one use of a Func that is inlined."""
        func = self._definition.funcs[name]
        if name in self._stored:
            return [1.0] * len(func.args)
        return [
            max([self._iterations(stage, _rvars(stage.args[k])) for stage in func.stages])
            for k in range(len(func.args))
        ]

    def _iterations(self, stage: StageDef, names: Collection[str]) -> float:
        return math.prod([self._extent(loop) for loop in stage.rvars if loop.name in names])

    def _stage_cost(self, func: FuncDef, stage: StageDef) -> float:
        """The operations of a stage at one point, with the Funcs that are inlined into it in one go."""
        iterations = math.prod(map(self._extent, stage.rvars))
        own = _nodes(stage)
        operations = float(len(own))
        uses: dict[str, Uses] = {}
        self._add_uses(func.name, own, func.args, [(0, 0)] * len(func.args), 1.0, uses)
        order = [name for name in reversed(self._definition.funcs) if name not in self._stored]
        for name in order:
            if name not in uses:
                continue
            callee, count = self._definition.funcs[name], uses[name].distinct()
            evaluations = count * iterations * math.prod(self._widths(name))
            self._evaluations[name] = max(self._evaluations.get(name, 0.0), evaluations)
            if callee.pure:
                nodes = _nodes(callee.stages[0])
                operations += count * len(nodes)
                self._add_uses(name, nodes, callee.args, uses[name].box, count, uses)
            else:
                operations += count * self._cost(name)
        return iterations * operations

    def _add_uses(
        self,
        name: str,
        nodes: list[Expr],
        args: tuple[str, ...],
        box: list[tuple[int, int]] | None,
        count: float,
        uses: dict[str, Uses],
    ) -> None:
        """Adds the calls among `nodes`, which stand at the points of `box`, to `uses`."""
        for node in nodes:
            if isinstance(node, FuncCall) and node.name != name and node.name not in self._stored:
                offsets = _offsets(node, args)
                shifted = None
                if offsets is not None and box is not None:
                    shifted = [(low + k, high + k) for (low, high), k in zip(box, offsets, strict=True)]
                uses.setdefault(node.name, Uses()).add(count, shifted)


def _nodes(stage: StageDef) -> list[Expr]:
    nodes = postorder(*stage.roots)
    return [node for node in nodes if isinstance(node, Expr) and not isinstance(node, Const | Variable)]


def _rvars(coordinate: Expr) -> set[str]:
    return {variable.name for variable in instances(ReductionVariable, coordinate)}


def _offsets(call: FuncCall, args: tuple[str, ...]) -> list[int] | None:
    """The constant offsets of a call from the variables `args` in their order; None for other coordinates."""
    if len(call.args) != len(args):
        return None
    offsets = []
    for arg, name in zip(call.args, args, strict=True):
        form = linear(arg) if arg.type is INT32 else None
        if form is None or form.terms != {Variable(INT32, name): 1}:
            return None
        offsets.append(form.constant)
    return offsets
