"""Reductions in Li2018: partial sums of many values for few elements, scatters into copies for threads."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence

from pipec.autoschedule.dag.dag import Dag, FuncInfo, LoopInfo, StageInfo
from pipec.autoschedule.li2018.rewriting import has_few_elements, scatters, vector_lanes
from pipec.autoschedule.rfactor.choices import combined
from pipec.autoschedule.space.state import Factoring

MIN_WORK = 1 << 13
"""Iterations: fewer are done before a thread has started."""
TASKS_PER_THREAD = 4
"""Partial sums for each thread, so that all end at about the same time."""
MAX_COPIES = 2
"""Private copies of all elements may cost so many times what one atomic update for each value would."""
MAX_SHORT_EXTENT = 16
"""All elements of so short a dimension are one vector when a scatter adds to them at once."""
MIN_SHARE = 8
"""Where zeroing copies takes more than this share (1/8) of the values, threads divide the elements instead."""


class Method(enum.Enum):
    """The ways to compute a reduction."""

    LOOPS = "loops over the elements, each of them summed by one thread"
    LANES = "partial sums of threads and of vector lanes"
    ACROSS = "copies for threads, vectors along a short dimension of the elements"
    COPIES = "copies for threads"
    ELEMENTS = "threads divide a dimension of the elements"
    ATOMIC = "atomic updates by all threads"


Methods = Mapping[tuple[str, int], tuple[Method, tuple[Factoring, ...]]]
"""By Func and stage: the method, and the factorings that it takes."""


def reductions(stage: StageInfo, merged: frozenset[str]) -> list[int]:
    """The RVars of an update, innermost first, without those that number merged updates."""
    return [d for d, loop in enumerate(stage.loops) if loop.reduction and loop.name not in merged]


def method_of(dag: Dag, func: FuncInfo, stage: StageInfo, merged: frozenset[str]) -> Method:
    """Returns the way to compute an update; LOOPS if it is no reduction."""
    loops = reductions(stage, merged)
    pure = pure_loops(stage, func)
    iterations, points = _product([stage.loops[d] for d in loops]), _product(pure)
    if iterations <= 1 or not stage.associative or points * iterations < MIN_WORK:
        return Method.LOOPS
    if not scatters(stage, loops):
        few = has_few_elements(dag, func, [loop.extent for loop in pure], iterations)
        return Method.LANES if few else Method.LOOPS
    elements, values = math.prod(func.extent), _product(stage.loops)
    if short_dimension(stage, func) is not None and elements * dag.threads <= MAX_COPIES * values:
        return Method.ACROSS
    if dag.threads == 1 or MIN_SHARE * elements > values and pure and pure[-1].extent >= dag.threads:
        return Method.ELEMENTS
    return Method.ATOMIC if elements * dag.threads > MAX_COPIES * values else Method.COPIES


def methods_of(dag: Dag, merged: frozenset[str]) -> Methods:
    """The method of every update, and how it is factored."""
    methods = {}
    for func in dag.funcs.values():
        for stage in () if func.fixed or func.extern else func.stages[1:]:
            method = method_of(dag, func, stage, merged)
            loops = reductions(stage, merged)
            methods[func.name, stage.number] = method, _factorings(dag, func, stage, method, loops)
    return methods


def _factorings(
    dag: Dag, func: FuncInfo, stage: StageInfo, method: Method, loops: Sequence[int]
) -> tuple[Factoring, ...]:
    if method not in (Method.LANES, Method.ACROSS, Method.COPIES):
        return ()
    count = dag.threads * (TASKS_PER_THREAD if method is Method.LANES and dag.threads > 1 else 1)
    trips = [stage.loops[d].extent for d in loops]
    choice = range(len(loops))[-1:] if stage.ordered else range(len(loops))
    at = max(choice, key=lambda k: (trips[k] >= count, trips[k] >= dag.threads, k))
    size = -(-trips[at] // count)
    strip = Factoring(func.name, stage.number, stage.loops[loops[at]].name, size)
    lanes = vector_lanes(dag, func)
    if method is not Method.LANES or stage.ordered or (size if at == 0 else trips[0]) < 2 * lanes:
        return (strip,)
    return combined(strip, Factoring(func.name, stage.number, stage.loops[loops[0]].name, lanes, True))


def pure_loops(stage: StageInfo, func: FuncInfo) -> list[LoopInfo]:
    """The loops over Vars that an update has, innermost first."""
    return [stage.loops[d] for d in pure_dimensions(stage, func)]


def pure_dimensions(stage: StageInfo, func: FuncInfo) -> list[int]:
    """The dimensions of a Func that an update ranges over by Vars."""
    rows = stage.store.jacobian
    return [
        d
        for d in range(len(func.arguments))
        if (row := rows[d]) is not None and row[d] == 1 and sum(map(abs, row)) == 1
    ]


def short_dimension(stage: StageInfo, func: FuncInfo) -> int | None:
    """The first dimension of the elements that is as long as a short vector."""
    fitting = [d for d in pure_dimensions(stage, func) if 1 < stage.loops[d].extent <= MAX_SHORT_EXTENT]
    return fitting[0] if fitting else None


def _product(loops: Sequence[LoopInfo]) -> int:
    return math.prod([loop.extent for loop in loops])
