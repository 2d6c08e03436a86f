"""What happens where a tile does not divide the extent: the fastest tail strategy that is right for every size."""

from __future__ import annotations

from pipec.autoschedule.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.plan import Plan, Where
from pipec.schedule.directive import TailStrategy


def tail_of(
    func: FuncInfo, stage: StageInfo, reaches_out: bool, dim: int, factor: int, around: int | None
) -> TailStrategy:
    """The tail of a split of dimension `dim` by `factor`.

    `around`: how long the loop is when an earlier split made it. `reaches_out`: more points of the stage would ask
    more of an input, which may not have it; then the slow variant for such inputs would run.
    """
    if around is not None and around % factor == 0:
        return TailStrategy.RoundUp
    if stage.loops[dim].reduction:
        return TailStrategy.GuardWithIf
    if stage.number > 0:
        careful = func.output or reaches_out or around is not None
        return TailStrategy.GuardWithIf if careful else TailStrategy.RoundUp
    if around is not None:
        return TailStrategy.ShiftInwards if factor <= around else TailStrategy.GuardWithIf
    return TailStrategy.ShiftInwards if func.output or reaches_out else TailStrategy.RoundUp


def reaching_out(dag: Dag, plan: Plan) -> frozenset[tuple[str, int]]:
    """The stages that read an input at coordinates that are not clamped to it, themselves or through inlined Funcs."""
    found: set[tuple[str, int]] = set()
    inlined: set[str] = set()
    for func in reversed(list(dag.funcs.values())):
        for stage in func.stages:
            loads = [load for load in stage.loads if not load.boundary]
            if any(load.name in dag.images or load.name in inlined for load in loads):
                found.add((func.name, stage.number))
                if plan[func.name].where is Where.INLINE:
                    inlined.add(func.name)
    return frozenset(found)
