"""Conversions to coordinates that have a lower end only: what is too large for an integer is not below it.

    f[min(int32(abs(v)), 9)]   -->   f[min(max(int32(abs(v)), 0), 9)]

Processors convert floats beyond the largest integer, and NaN, to the least one, which is its own magnitude, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from pipec.bounds.interval import IntervalAnalysis
from pipec.func.functions.definition import FuncDef, StageDef
from pipec.ir import build
from pipec.ir.expr import Cast, Expr, FuncCall, ImageCall
from pipec.ir.walk import instances, rewrite
from pipec.lower.context import LoweringContext
from pipec.lower.planning.value_ranges import ValueRanges
from pipec.records import replace


def limit_float_coordinates(context: LoweringContext) -> None:
    """Gives conversions the lower ends of what they convert where their values are coordinates, or those of a Func."""
    stages = [stage for func in context.funcs.values() for stage in func.stages]
    if not any(True for stage in stages for _ in instances(Cast, *stage.roots)):
        return
    limits = _Limits(IntervalAnalysis(lambda name: None, ValueRanges(context.funcs, ()).of))
    sources = _sources(context.funcs)
    context.funcs = {name: limits.of_func(func, whole=name in sources) for name, func in context.funcs.items()}


def _sources(funcs: Mapping[str, FuncDef]) -> set[str]:
    """The Funcs whose values are in coordinates, directly or through others."""
    stages = [stage for func in funcs.values() for stage in func.stages]
    pending = [*chain.from_iterable(map(_coordinates, stages))]
    sources: set[str] = set()
    while pending:
        names = {call.name for call in instances(FuncCall, *pending)} - sources
        sources |= names
        pending = [value for name in names & funcs.keys() for stage in funcs[name].stages for value in stage.values]
    return sources


def _coordinates(stage: StageDef) -> list[Expr]:
    calls = instances((FuncCall, ImageCall), *stage.roots)
    return [*stage.args, *chain.from_iterable(call.args for call in calls)]


class _Limits:
    def __init__(self, analysis: IntervalAnalysis) -> None:
        self.analysis = analysis

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
        """An expression with limits of all conversions that have a lower end only."""

        def change(node: Any) -> Any:
            low = self.analysis.lower_end_alone(node) if isinstance(node, Cast) else None
            return node if low is None else build.max_(node, low)

        return rewrite(e, change)
