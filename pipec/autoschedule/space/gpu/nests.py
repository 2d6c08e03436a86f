"""Nests of kernels. States for GPUs are States as for CPUs; only what the levels of a nest stand for is another thing.

`tiles[0]`: points of each dimension that a block covers, so the loops of level 0 are the grid. `tiles[1]`: points that
a thread covers, so the loops of level 1 are the threads of a block. What is FULL in both is a serial loop of a thread.
The threads of a dimension lie along `order`, innermost first: those of the first one are neighbours in a warp. A Func
that is computed in a block has no grid. What has a size in tiles[1] is spread over the threads of the block, so many
points each. tiles[0] is FULL, or slices a reduction: for so many of its iterations at a time the threads go through all
points, and what they read can be computed for each slice anew, at level 0 of that stage. One that is computed in a
thread is FULL throughout. A nest of one level is that of a stage on the CPU.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.emit.loops import ranges_over
from pipec.autoschedule.space.cpu.nests import vector_candidates
from pipec.autoschedule.space.state import FULL, FuncPlacement, Nest, State, Where

AXES = 3
"""Dimensions of grids and of blocks."""
USUAL_THREADS = (32, 8)
NEAR = 8
"""Points of a dimension (colours, taps) that each thread may have all of."""

BLOCK, THREAD = 0, 1
"""The levels of a kernel's nest, and of the compute levels in it."""


def on_gpu(nest: Nest) -> bool:
    """Returns whether the nest runs as a kernel."""
    return len(nest.tiles) == 2


def cpu_nest(stage: StageInfo) -> Nest:
    """The loops as they were defined, on the CPU."""
    count = len(stage.loops)
    return Nest(((FULL,) * count,), tuple(range(count)))


def threads_of(nest: Nest) -> dict[int, int]:
    """The threads of each dimension that has some, in the order of the dimensions of a block; of a nest with a grid."""
    block, thread = nest.tiles
    return {d: block[d] // thread[d] for d in nest.order if block[d] and block[d] > thread[d]}


def grid_of(nest: Nest) -> list[int]:
    """The dimensions that the grid ranges over, innermost first."""
    return [d for d in nest.order if nest.tiles[BLOCK][d] != FULL]


def is_single(nest: Nest) -> bool:
    """Whether one thread of one block does all."""
    return not grid_of(nest)


def sliced(nest: Nest) -> list[int]:
    """The dimensions of a stage in a block that the block goes through in slices."""
    return [d for d, size in enumerate(nest.tiles[BLOCK]) if size]


def may_slice(stage: StageInfo) -> list[int]:
    """The reductions that may be the outermost loop of a stage: one that is already, or whose order is free."""
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction and loop.extent > 1 and not loop.parallel]
    return [d for d in reduced if d == reduced[-1] or stage.loops[d].reorderable]


def spread_dims(dag: Dag, func: FuncInfo, stage: StageInfo) -> list[int]:
    """The dimensions whose points any thread may compute: first the one along which memory lies in order."""
    question = spread_dims, stage
    cached: list[int] | None = dag.notes.get(question)
    if cached is None:
        free = [
            d
            for d, loop in enumerate(stage.loops)
            if loop.parallel and ranges_over(stage, d) and (loop.extent > 1 or not loop.reduction)
        ]
        best = [d for d in vector_candidates(dag, func, stage, len(func.arguments)) if d in free]
        # Long dimensions first, so that the threads of a block have work.
        rest = sorted([d for d in free if d not in best], key=lambda d: (stage.loops[d].reduction, d))
        cached = dag.notes[question] = [*best[:1], *sorted([*best[1:], *rest], key=lambda d: _rank(stage, d))]
    return cached


def _rank(stage: StageInfo, dim: int) -> tuple[bool, bool, int]:
    loop = stage.loops[dim]
    return loop.extent <= NEAR, loop.reduction, dim


def kernel_nest(
    stage: StageInfo,
    spread: Sequence[int],
    threads: Mapping[int, int],
    serial: Mapping[int, int] | None = None,
    atomic: bool = False,
) -> Nest:
    """A kernel: the grid over the dimensions of `spread`, so many `threads` of a block and points of a thread of each.

    Threads are no more than there are points, in powers of two.
    """
    serial = serial or {}
    blocks, points = [FULL] * len(stage.loops), [FULL] * len(stage.loops)
    for d in spread:
        points[d] = serial.get(d, 1)
        blocks[d] = points[d] * min(threads.get(d, 1), ceiling_power(-(-stage.loops[d].extent // points[d])))
    rest = [d for d in range(len(stage.loops)) if d not in spread]
    return Nest((tuple(blocks), tuple(points)), (*spread, *rest), atomic=atomic)


def ceiling_power(value: int) -> int:
    """The least power of two that is not below."""
    return 1 << max(0, value - 1).bit_length()


def single_nest(stage: StageInfo) -> Nest:
    """All of the stage in one thread."""
    return kernel_nest(stage, [], {})


def default_kernel(dag: Dag, func: FuncInfo, stage: StageInfo) -> Nest:
    """A point a thread, 32 by 8 of them a block, further dimensions in the grid."""
    dims = spread_dims(dag, func, stage)
    long = [d for d in dims if stage.loops[d].extent > 1] or dims
    return kernel_nest(stage, dims, dict(zip(long, USUAL_THREADS if len(long) > 1 else (256,), strict=False)))


def block_nest(dag: Dag, func: FuncInfo, stage: StageInfo) -> Nest:
    """The stage of a Func in a block: the first dimensions over its threads, the others in each of them."""
    dims = [d for d in spread_dims(dag, func, stage) if not stage.loops[d].reduction]
    return spread_nest(stage, [d for d in dims if stage.loops[d].extent > 1] or dims[:1])


def spread_nest(stage: StageInfo, dims: Sequence[int]) -> Nest:
    """The stage of a Func in a block, with these dimensions over its threads."""
    points = tuple([1 if d in dims[:AXES] else FULL for d in range(len(stage.loops))])
    rest = [d for d in range(len(stage.loops)) if d not in dims]
    return Nest(((FULL,) * len(stage.loops), points), (*dims, *rest))


def thread_nest(stage: StageInfo) -> Nest:
    """The stage of a Func in a thread."""
    whole = (FULL,) * len(stage.loops)
    return Nest((whole, whole), tuple(range(len(stage.loops))))


def interleaved(state: State, func: str, stage: int) -> int | None:
    """The dimension along which neighbouring threads compute neighbouring points even where each has several.

    Reads and writes of a warp lie side by side then; it is the first that has threads. None where something is computed
    in the thread: what a thread needs of it should lie close together.
    """
    nest = state[func].nests[stage]
    first = next(iter(threads_of(nest)), None) if on_gpu(nest) else None
    inside = any(
        p.compute is not None and p.compute.level == THREAD and (p.compute.func, p.compute.stage) == (func, stage)
        for p in state.placements.values()
    )
    return None if inside else first


def root_placement(dag: Dag, func: FuncInfo, cpu_only: bool = False) -> FuncPlacement:
    """The Func with a kernel for each stage, or on the CPU."""
    if cpu_only:
        return FuncPlacement(Where.ROOT, nests=tuple(map(cpu_nest, func.stages)))
    return FuncPlacement(Where.ROOT, nests=tuple([default_kernel(dag, func, stage) for stage in func.stages]))
