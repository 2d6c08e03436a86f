"""Updates taken apart for a CPU: strips of a large RDom for threads, strips across it for lanes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Dag, FuncInfo, LoopInfo, StageInfo
from pipec.autoschedule.space.cpu.nests import natural_lanes
from pipec.autoschedule.space.space import Choice
from pipec.autoschedule.space.state import Factoring
from pipec.records import replace

MIN_WORK = 1 << 14
"""Updates of fewer iterations are done before threads have woken up."""
MIN_ITERATIONS = 64
"""Of the RDom for each strip: fewer are merged in the same time as they are reduced."""
TASKS = (1, 4)
"""Strips for each thread that are tried."""
WAYS = 4
"""Strips across an update at places that pixels decide, so that no count waits for the one before."""
MAX_TARGETS = 4


def targets(dag: Dag) -> list[StageInfo]:
    """Updates that are worth being taken apart, those with most iterations first."""
    stages = [stage for func in dag.funcs.values() for stage in func.stages[1:] if _is_target(dag, func, stage)]
    return sorted(stages, key=lambda stage: -math.prod([loop.extent for loop in stage.loops]))[:MAX_TARGETS]


def _is_target(dag: Dag, func: FuncInfo, stage: StageInfo) -> bool:
    if func.fixed or func.extern or not stage.associative:
        return False
    iterations = math.prod([loop.extent for loop in reductions(stage)])
    pure = math.prod([loop.extent for loop in stage.loops if not loop.reduction])
    if iterations < 2 * MIN_ITERATIONS or iterations * pure < MIN_WORK:
        return False
    return pure < 2 * dag.threads * natural_lanes(dag, stage)


def reductions(stage: StageInfo) -> list[LoopInfo]:
    """The loops over RVars, innermost first."""
    return [loop for loop in stage.loops if loop.reduction]


def choices(dag: Dag, stage: StageInfo) -> list[Choice]:
    """Ways to take an update apart: strips for threads, strips across for lanes, both."""
    threaded = list(_strips(dag, stage))
    ways = _ways(dag, stage)
    if ways is None:
        return [(strip,) for strip in threaded]
    both = [together(strip, ways) for strip in threaded]
    return [choice for choice in ((ways,), *both, *[(strip,) for strip in threaded]) if pays(dag, stage, choice)]


def _strips(dag: Dag, stage: StageInfo) -> Iterator[Factoring]:
    """Strips of the outermost RVar that has enough values."""
    loops = [loop for loop in reductions(stage) if loop.extent >= 2 * dag.threads]
    if dag.threads == 1 or not loops:
        return
    sizes = [math.ceil(loops[-1].extent / (dag.threads * tasks)) for tasks in TASKS]
    for size in dict.fromkeys(sizes):
        yield Factoring(stage.func, stage.number, loops[-1].name, size)


def _ways(dag: Dag, stage: StageInfo) -> Factoring | None:
    """Strips across the innermost RVar, for lanes; None where pure dimensions give vectors."""
    lanes = natural_lanes(dag, stage)
    if any(loop.extent >= lanes for loop in stage.loops if not loop.reduction):
        return None
    ways = WAYS if scatters(stage) else lanes
    loop = next((loop for loop in reductions(stage) if loop.extent >= 2 * ways), None)
    return None if loop is None else Factoring(stage.func, stage.number, loop.name, ways, True)


def scatters(stage: StageInfo) -> bool:
    """Whether RVars or pixels decide what is updated."""
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction]
    return any(row is None or any(row[d] for d in reduced) for row in stage.store.jacobian)


def together(strip: Factoring, across: Factoring) -> Choice:
    """Both; of one RVar, the strips across are of what one strip has."""
    if strip.rvar != across.rvar:
        return across, strip
    return strip, replace(across, rvar=f"{strip.rvar}$i")


def pays(dag: Dag, stage: StageInfo, choice: Choice) -> bool:
    """Whether merging is little work beside reducing."""
    trips = {loop.name: loop.extent for loop in reductions(stage)}
    strips = [f.size if f.inner else math.ceil(trips[f.rvar] / f.size) for f in choice]
    merged = math.prod(strips) * math.prod(dag.funcs[stage.func].extent)
    return merged * 2 <= math.prod([loop.extent for loop in stage.loops])
