"""Updates taken apart for a GPU: strips of a large RDom, so that there are threads enough."""

from __future__ import annotations

import math

from pipec.autoschedule.dag.dag import Dag, LoopInfo, StageInfo
from pipec.autoschedule.space.cpu.strips import pays, reductions, together
from pipec.autoschedule.space.space import Choice
from pipec.autoschedule.space.state import Factoring

FEW_THREADS = 2048
"""Fewer leave most of a GPU idle."""
MIN_ITERATIONS = 256
NEIGHBOURS = (64, 256)
"""Strips across the innermost RVar: threads side by side read side by side."""
PIECES = (16, 64)
"""Strips of the outermost RVar."""
MAX_TARGETS = 4


def targets(dag: Dag) -> list[StageInfo]:
    """Updates with few results of many iterations, those with most first."""
    stages = [stage for func in dag.funcs.values() for stage in func.stages[1:] if _is_target(dag, stage)]
    return sorted(stages, key=lambda stage: -_trips(reductions(stage)))[:MAX_TARGETS]


def _is_target(dag: Dag, stage: StageInfo) -> bool:
    func = dag.funcs[stage.func]
    if func.fixed or func.extern or not stage.associative:
        return False
    side_by_side = _trips([loop for loop in stage.loops if loop.parallel and not loop.reduction])
    return side_by_side < FEW_THREADS and _trips(reductions(stage)) >= MIN_ITERATIONS


def choices(dag: Dag, stage: StageInfo) -> list[Choice]:
    """Strips across the innermost RVar, strips of the outermost one, both."""
    loops = reductions(stage)
    across = [Factoring(stage.func, stage.number, loops[0].name, size, True) for size in NEIGHBOURS]
    across = [factoring for factoring in across if loops[0].extent >= 2 * factoring.size]
    pieces = [
        Factoring(stage.func, stage.number, loops[-1].name, -(-loops[-1].extent // count))
        for count in PIECES
        if loops[-1].extent >= 2 * count
    ]
    both = [together(two, one) for one in across for two in pieces]
    found = [*[(one,) for one in (*across, *pieces)], *both]
    return [choice for choice in found if pays(dag, stage, choice)]


def _trips(loops: list[LoopInfo]) -> int:
    return math.prod([loop.extent for loop in loops])
