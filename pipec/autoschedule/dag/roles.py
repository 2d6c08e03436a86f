"""The roles of Funcs in the search: scheduled by the user, always inline (as lowering demands), ever inline."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pipec.autoschedule.dag.affine_forms import EVERYTHING, Forms, Limits
from pipec.autoschedule.dag.dag import Operation, StageInfo
from pipec.autoschedule.dag.operations import total
from pipec.bounds.interval import UNBOUNDED, Interval, IntervalAnalysis
from pipec.errors import BoundsError
from pipec.func.functions.definition import FuncDef, PipelineDef, StageDef
from pipec.ir.expr import FuncCall, ImageCall, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import instances, postorder
from pipec.lower.lower import make_plan
from pipec.lower.planning.value_ranges import ValueRanges
from pipec.schedule.compute_with import ComputeWith
from pipec.schedule.directive import Concern, Directive
from pipec.schedule.fields import ROOT
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule


def is_fixed(schedule: Schedule, name: str) -> bool:
    """Whether the user decided where or how a Func is computed, or refers to its loops."""
    own = [directive for directive in schedule.directives if directive.owner == name]
    decided = any(d.CONCERN is Concern.COMPUTATION and not isinstance(d, Rfactor) for d in own)
    return decided or any(name in _with_loops(directive) for directive in schedule.directives)


def _with_loops(directive: Directive) -> list[str]:
    """Returns the Funcs whose loops a directive about another Func names."""
    if isinstance(directive, ComputeAt | StoreAt):
        return [directive.level.func]
    return [directive.other.func] if isinstance(directive, ComputeWith) else []


def may_inline(schedule: Schedule, name: str) -> bool:
    """Whether the directives about a Func allow that it is not stored."""
    return not any(directive.NEEDS_STORAGE and directive.owner == name for directive in schedule.directives)


def must_inline(stage: StageInfo, arguments: tuple[str, ...]) -> bool:
    """Whether a pure Func is a mere view of what it reads: the same elements elsewhere, or beyond the edges.

    What reads nothing is one if an operation or none gives it, constants and sums of coordinates: a load is no cheaper.
    """
    if not stage.loads:
        return total(stage.operations, *Operation) <= 1
    if len(stage.loads) != 1:
        return False
    (load,) = stage.loads
    arithmetic = total(stage.operations, *[kind for kind in Operation if kind is not Operation.COMPARE])
    if arithmetic or load.count > 1 and len(load.offsets) != 1:
        return False
    compared = total(stage.operations, Operation.COMPARE)
    return load.boundary if compared else load.boundary or _same_place(load.jacobian, len(arguments))


def _same_place(jacobian: tuple[tuple[float, ...] | None, ...], dimensions: int) -> bool:
    rows = [tuple([float(d == j) for j in range(dimensions)]) for d in range(dimensions)]
    return len(jacobian) == dimensions and all(row == own for row, own in zip(jacobian, rows, strict=True))


def unbounded_funcs(definition: PipelineDef) -> frozenset[str]:
    """Returns the Funcs of which lowering cannot bound the region that is read.

    Lowering bounds values by their types and by the definitions of pure Funcs, and so knows less than the limits of
    the Dag, which follow values through updates.
    """
    names = _read_without_bounds(definition)
    if not names:
        return names
    try:
        # Conditions and simplification may give bounds to what the coordinates alone do not.
        make_plan(definition, at_root(definition))
    except BoundsError:
        return names
    return frozenset()


class EdgeLimits:
    """The coordinates beyond which a Func that is read anywhere reads nothing else, as it clamps them.

    `numbers`: Params and properties of images by name. Memoised.
    """

    def __init__(self, funcs: Mapping[str, FuncDef], numbers: Mapping[str, float]) -> None:
        self._funcs, self._numbers = funcs, numbers
        self._memo: dict[tuple[str, int], Limits] = {}

    def __call__(self, name: str, dimension: int) -> Limits:
        """The limits of one dimension: infinite where nothing is clamped.

        Where it loads nothing, coordinates do not matter and one of them stands for all.
        """
        cached = self._memo.get((name, dimension))
        if cached is None:
            ends = self._ends(self._funcs[name], dimension)
            lows, highs = zip(*ends, strict=True) if ends else ((0.0,), (0.0,))
            cached = self._memo[name, dimension] = min(lows), max(highs)
        return cached

    def _ends(self, func: FuncDef, dimension: int) -> list[Limits]:
        """What each coordinate of a load allows."""
        var, ends = func.args[dimension], list[Limits]()
        for stage in func.stages:
            loops = self._reductions(stage)
            forms = Forms({**dict.fromkeys(func.args, EVERYTHING), **loops}, self._numbers)
            for call in instances((FuncCall, ImageCall), *stage.roots):
                inner = self._funcs.get(call.name) if isinstance(call, FuncCall) else None
                for d, arg in enumerate(call.args):
                    form = forms.of(arg)
                    coefficient = form.terms.get(var)
                    if coefficient is None or inner is func:
                        continue
                    least, most = form.least, form.most
                    if inner is not None and -least == most == math.inf:
                        least, most = self(inner.name, d)
                    steps = [(loops[name], factor) for name, factor in form.terms.items() if name in loops]
                    low = form.low + sum([min(factor * end for end in limits) for limits, factor in steps])
                    high = form.high + sum([max(factor * end for end in limits) for limits, factor in steps])
                    one, other = (least - high) / coefficient, (most - low) / coefficient
                    ends.append((min(one, other), max(one, other)))
        return ends

    def _reductions(self, stage: StageDef) -> dict[str, Limits]:
        """The first and last value of each RVar of a stage."""
        outside, loops = Forms({}, self._numbers), dict[str, Limits]()
        for loop in stage.rvars:
            low, extent = outside.of(loop.minimum).least, outside.of(loop.extent).most
            loops[loop.name] = (low, low + extent - 1) if math.isfinite(low) else EVERYTHING
        return loops


def at_root(definition: PipelineDef, inlined: frozenset[str] = frozenset()) -> Schedule:
    """Returns the schedule that computes every Func whole before its consumers, except those of `inlined`."""
    names = [name for name in definition.funcs if name not in definition.outputs and name not in inlined]
    return Schedule(tuple([ComputeAt(name, ROOT) for name in names]))


def _read_without_bounds(definition: PipelineDef) -> frozenset[str]:
    ranges = ValueRanges(definition.funcs, ())
    dims: dict[str, set[int]] = {name: set() for name in definition.funcs}
    for name in reversed(definition.funcs):
        func = definition.funcs[name]
        for stage in func.stages:
            loops = {var: UNBOUNDED if d in dims[name] else _symbolic(var) for d, var in enumerate(func.args)}
            loops |= {loop.name: _symbolic(loop.name) for loop in stage.rvars}
            analysis = IntervalAnalysis(loops.get, ranges.of)
            for node in postorder(*stage.roots):
                if isinstance(node, FuncCall) and node.name in dims and node.name != name:
                    dims[node.name].update([d for d, arg in enumerate(node.args) if not analysis.of(arg).bounded])
    return frozenset([name for name, unbounded in dims.items() if unbounded])


def _symbolic(name: str) -> Interval:
    """Returns the interval of a loop whose ends are known when the pipeline runs."""
    return Interval(Variable(INT32, f"{name}.min"), Variable(INT32, f"{name}.max"))
