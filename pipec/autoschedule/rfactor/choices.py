"""Updates that are worth factoring, and the ways to do it: blocks of an RVar for threads, interleaved for lanes.

A block is `size` consecutive iterations of an RVar; an interleaved factoring has `size` partial results of which
iteration r belongs to number r % size, so that neighbouring iterations go to neighbouring lanes or threads.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from pipec.autoschedule.dag.dag import Dag, LoopInfo, StageInfo
from pipec.autoschedule.space.cpu.nests import natural_lanes
from pipec.autoschedule.space.state import Choice, Factoring
from pipec.records import replace

MAX_TARGETS = 4
"""Updates that are factored at most."""
MIN_CPU_WORK = 1 << 14
"""Updates of fewer iterations are done before threads have woken up."""
MIN_CPU_ITERATIONS = 128
"""Of the RDom: fewer are merged in the same time as they are reduced."""
CPU_BLOCKS_PER_THREAD = (1, 4)
SCATTER_LANES = 4
"""Partial results of an update at places that values decide, so that no update waits for the one before."""
MIN_GPU_THREADS = 2048
"""Fewer leave most of a GPU idle."""
MIN_GPU_ITERATIONS = 256
GPU_INTERLEAVED = (64, 256)
"""Partial results of the innermost RVar: neighbouring threads read neighbouring elements."""
GPU_BLOCKS = (16, 64)
"""Blocks of the outermost RVar."""


def reductions(stage: StageInfo) -> list[LoopInfo]:
    """The loops over RVars, innermost first."""
    return [loop for loop in stage.loops if loop.reduction]


def _iterations(loops: Iterable[LoopInfo]) -> int:
    return math.prod([loop.extent for loop in loops])


def cpu_targets(dag: Dag) -> list[StageInfo]:
    """Updates that are worth factoring for the threads and lanes of a CPU, those with most iterations first."""

    def is_target(stage: StageInfo) -> bool:
        iterations, total = _iterations(reductions(stage)), _iterations(stage.loops)
        few_points = total // iterations < 2 * dag.threads * natural_lanes(dag, stage)
        return iterations >= MIN_CPU_ITERATIONS and total >= MIN_CPU_WORK and few_points

    stages = [stage for stage in _associative_updates(dag) if is_target(stage)]
    return sorted(stages, key=lambda stage: -_iterations(stage.loops))[:MAX_TARGETS]


def gpu_targets(dag: Dag) -> list[StageInfo]:
    """Updates with few results of many iterations, which leave a GPU idle, those with most iterations first."""

    def is_target(stage: StageInfo) -> bool:
        parallel = _iterations([loop for loop in stage.loops if loop.parallel and not loop.reduction])
        return parallel < MIN_GPU_THREADS and _iterations(reductions(stage)) >= MIN_GPU_ITERATIONS

    stages = [stage for stage in _associative_updates(dag) if is_target(stage)]
    return sorted(stages, key=lambda stage: -_iterations(reductions(stage)))[:MAX_TARGETS]


def _associative_updates(dag: Dag) -> list[StageInfo]:
    funcs = [func for func in dag.funcs.values() if not (func.fixed or func.extern)]
    return [stage for func in funcs for stage in func.stages[1:] if stage.associative]


def cpu_choices(dag: Dag, stage: StageInfo) -> list[Choice]:
    """Ways to factor an update: blocks for threads, interleaved for lanes, both."""
    blocks = list(_blocks_for_threads(dag, stage))
    lanes = _interleaved_for_lanes(dag, stage)
    if lanes is None:
        return [(block,) for block in blocks]
    both = [combined(block, lanes) for block in blocks]
    return _worthwhile(dag, stage, [(lanes,), *both, *[(block,) for block in blocks]])


def _blocks_for_threads(dag: Dag, stage: StageInfo) -> Iterator[Factoring]:
    """Blocks of the outermost RVar that has enough values."""
    candidates = reductions(stage)[-1:] if stage.ordered else reductions(stage)
    loops = [loop for loop in candidates if loop.extent >= 2 * dag.threads]
    if dag.threads == 1 or not loops:
        return
    sizes = [math.ceil(loops[-1].extent / (dag.threads * count)) for count in CPU_BLOCKS_PER_THREAD]
    for size in dict.fromkeys(sizes):
        yield Factoring(stage.func, stage.number, loops[-1].name, size)


def _interleaved_for_lanes(dag: Dag, stage: StageInfo) -> Factoring | None:
    """The innermost RVar interleaved; None where pure dimensions give vectors that are dense in what is read."""
    lanes = natural_lanes(dag, stage)
    if stage.ordered:
        return None
    if any(loop.extent >= lanes and _dense(stage, d) for d, loop in enumerate(stage.loops) if not loop.reduction):
        return None
    count = SCATTER_LANES if scatters(stage) else lanes
    loop = next((loop for loop in reductions(stage) if loop.extent >= 2 * count), None)
    return None if loop is None else Factoring(stage.func, stage.number, loop.name, count, True)


def _dense(stage: StageInfo, dim: int) -> bool:
    """Whether a loop moves along the innermost dimension alone of what is read, so that its vectors are no gathers."""
    return not any(row is None or row[dim] for load in stage.loads for row in load.jacobian[1:])


def scatters(stage: StageInfo) -> bool:
    """Whether RVars or values decide what is updated."""
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction]
    return any(row is None or any(row[d] for d in reduced) for row in stage.store.jacobian)


def gpu_choices(dag: Dag, stage: StageInfo) -> list[Choice]:
    """Ways to factor an update: the innermost RVar interleaved, blocks of the outermost one, both."""
    loops = reductions(stage)
    interleaved = [
        Factoring(stage.func, stage.number, loops[0].name, count, True)
        for count in GPU_INTERLEAVED
        if loops[0].extent >= 2 * count and not stage.ordered
    ]
    blocks = [
        Factoring(stage.func, stage.number, loops[-1].name, -(-loops[-1].extent // count))
        for count in GPU_BLOCKS
        if loops[-1].extent >= 2 * count
    ]
    both = [combined(block, one) for one in interleaved for block in blocks]
    return _worthwhile(dag, stage, [*[(one,) for one in (*interleaved, *blocks)], *both])


def combined(block: Factoring, interleaved: Factoring) -> Choice:
    """Both factorings; of one RVar, the interleaved one applies to the iterations of a block."""
    if block.rvar != interleaved.rvar:
        return interleaved, block
    return block, replace(interleaved, rvar=f"{block.rvar}$i")


def _worthwhile(dag: Dag, stage: StageInfo, choices: Iterable[Choice]) -> list[Choice]:
    """The choices in which merging partial results is little work beside reducing."""
    extents = {loop.name: loop.extent for loop in reductions(stage)}
    points = math.prod(dag.funcs[stage.func].extent)

    def merged(choice: Choice) -> int:
        return points * math.prod([f.size if f.inner else math.ceil(extents[f.rvar] / f.size) for f in choice])

    return [choice for choice in choices if 2 * merged(choice) <= _iterations(stage.loops)]
