"""Coordinates with one known end, whose computation may overflow: they get that end, or saturate.

    f[min(int32(abs(v)), 9)]   -->   f[min(max(int32(abs(v)), 0), 9)]
    f[min(max(i, 0) + 1, 9)]   -->   f[min(int32(min(int64(max(i, 0)) + 1, 2147483647)), 9)]

Bounds inference takes neither to be below 0. But processors convert floats beyond the largest integer, and NaN, to the
least one, which is its own magnitude, too, and vectors of sums and products overflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from pipec.bounds.conditions import is_likely
from pipec.bounds.interval import IntervalAnalysis
from pipec.func.functions.definition import FuncDef, StageDef
from pipec.ir import build
from pipec.ir.expr import Add, Cast, Const, Div, Expr, FuncCall, ImageCall, Max, Min, Mod, Mul, Select, Sub
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import instances, rewrite
from pipec.lower.context import LoweringContext
from pipec.lower.planning.value_ranges import ValueRanges
from pipec.records import replace


def limit_coordinates(context: LoweringContext) -> None:
    """Changes what may overflow in coordinates and in the values of Funcs that are coordinates."""
    stages = [stage for func in context.funcs.values() for stage in func.stages]
    coordinates = list(chain.from_iterable(map(_coordinates, stages)))
    if not any(True for _ in instances((FuncCall, ImageCall), *coordinates)):
        return
    limits = _Limits(IntervalAnalysis(lambda name: None, ValueRanges(context.funcs, ()).of))
    sources = _sources(context.funcs, coordinates)
    context.funcs = {name: limits.of_func(func, whole=name in sources) for name, func in context.funcs.items()}


def _sources(funcs: Mapping[str, FuncDef], coordinates: Iterable[Expr]) -> set[str]:
    """The Funcs whose values are in coordinates, directly or through others."""
    pending = list(coordinates)
    sources: set[str] = set()
    while pending:
        names = {call.name for call in instances(FuncCall, *pending)} - sources
        sources |= names
        pending = [value for name in names & funcs.keys() for stage in funcs[name].stages for value in stage.values]
    return sources


def _coordinates(stage: StageDef) -> list[Expr]:
    calls = instances((FuncCall, ImageCall), *stage.roots)
    return [*stage.args, *chain.from_iterable(call.args for call in calls)]


_OVERFLOWING = (Add, Sub, Mul)
# Their limits follow from those of their operands.
_PASSED_ON = (*_OVERFLOWING, Div, Mod, Min, Max)


class _Limits:
    def __init__(self, analysis: IntervalAnalysis) -> None:
        self.analysis = analysis
        self._memo: dict[Expr, Expr] = {}

    def of_func(self, func: FuncDef, whole: bool) -> FuncDef:
        """The definitions with limits in all coordinates; `whole`: in the values, too, which are coordinates
        elsewhere."""
        return replace(func, stages=tuple([self._of_stage(stage, whole) for stage in func.stages]))

    def _of_stage(self, stage: StageDef, whole: bool) -> StageDef:
        values = tuple(map(self.limited if whole else self._in_coordinates, stage.values))
        predicate = self._in_coordinates(stage.predicate)
        return replace(stage, args=tuple(map(self.limited, stage.args)), values=values, predicate=predicate)

    def _in_coordinates(self, e: Expr) -> Expr:
        """An expression with limits in the coordinates of what it reads."""
        return rewrite(e, lambda node: node.rebuild(self.limited) if isinstance(node, FuncCall | ImageCall) else node)

    def limited(self, e: Expr) -> Expr:
        """An expression with limits of all that has one end only, down to what has the limits of a shorter type."""
        result = self._memo.get(e)
        if result is None:
            result = self._memo[e] = self._limited(e)
        return result

    def _limited(self, e: Any) -> Expr:
        if is_likely(e):
            likely: Expr = e.rebuild(self.limited)
            return likely
        if isinstance(e, Select):
            values = self.limited(e.true_value), self.limited(e.false_value)
            return Select(self._in_coordinates(e.condition), *values)
        if isinstance(e, Cast) and e.type.integral and e.type.nbits >= 32:
            low, value = self.analysis.lower_end_alone(e), e.value
            changed = Cast(e.type, self.limited(value) if value.type.integral else self._in_coordinates(value))
            return changed if low is None else build.max_(changed, low)
        if not isinstance(e, _PASSED_ON) or not e.type.integral:
            return self._in_coordinates(e)
        low, high = self.analysis.of(e)
        changed = e.rebuild(self.limited)
        is_open = isinstance(e, _OVERFLOWING) and e.type is INT32 and (low is None) != (high is None)
        return _saturated(changed) if is_open else changed


def _saturated(node: Any) -> Expr:
    """The nearest 32-bit integer to a sum, difference or product."""
    a, b = (build.cast(INT64, operand) for operand in (node.a, node.b))
    limits = (Const(INT64, INT32.min_value()), Const(INT64, INT32.max_value()))
    return Cast(INT32, build.min_(build.max_(type(node)(a, b), limits[0]), limits[1]))
