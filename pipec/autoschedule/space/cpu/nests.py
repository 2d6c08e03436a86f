"""Nests to begin with: for each stage a vector dimension, a block, an order of loops and a parallel cut."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from pipec.autoschedule.dag.dag import TYPE_CLASSES, Access, Dag, FuncInfo, Operation, StageInfo
from pipec.autoschedule.space.state import FULL, Nest
from pipec.records import replace

SMALL = 4
"""Points of a dimension (colours, components) that is unrolled rather than vectorized."""
TASKS_PER_THREAD = 8


def power_of_two_below(value: float) -> int:
    """Returns the largest power of two that is not greater than `value`, at least 1."""
    return 1 << max(0, int(value).bit_length() - 1)


def type_class(bits: int, floating: bool) -> str:
    """Returns the name of a type class, for example "int16" or "float32"."""
    return f"float{bits}" if floating else f"int{max(8, bits)}"


def natural_lanes(dag: Dag, stage: StageInfo) -> int:
    """Lanes of a vector of the type that most of the arithmetic is done in, wide types counting for more."""
    func = dag.funcs[stage.func]
    weights = dict.fromkeys(TYPE_CLASSES, 0)
    for operation, row in enumerate(stage.operations):
        if operation in (Operation.CAST, Operation.OTHER):
            continue
        for name, count in zip(TYPE_CLASSES, row, strict=True):
            weights[name] += count * int(name.lstrip("intfloa"))
    own = type_class(func.types[0].nbits, func.types[0].floating)
    heaviest = max(weights, key=lambda name: weights[name])
    name = heaviest if weights[heaviest] else own
    return dag.lanes.get(name, 16)


def vector_candidates(dag: Dag, func: FuncInfo, stage: StageInfo, most: int = 2) -> list[int]:
    """Pure dimensions worth making vectors of, best first: those along which memory is read and written in order."""
    question = vector_candidates, stage
    ranked: list[int] | None = dag.notes.get(question)
    if ranked is None:
        ranked = dag.notes[question] = _by_memory(func, stage)
    return ranked[:most]


def _by_memory(func: FuncInfo, stage: StageInfo) -> list[int]:
    ranked = []
    for dim in range(len(func.arguments)):
        extent = stage.loops[dim].extent
        if extent > SMALL:
            ranked.append((-_contiguous(stage, dim), dim))
    if not ranked:
        ranked = [(0, d) for d in range(len(func.arguments)) if stage.loops[d].extent > 1]
    return [dim for _, dim in sorted(ranked)]


def _contiguous(stage: StageInfo, dim: int) -> float:
    """Returns the number of loads and stores contiguous along `dim`; large strides and gathers count little."""
    votes = 0.0
    accesses: Sequence[Access] = (stage.store, stage.store, *stage.loads, *stage.self_loads)
    for access in accesses:
        if not access.jacobian or access.jacobian[0] is None or dim >= len(access.jacobian[0]):
            continue
        step = abs(access.jacobian[0][dim])
        weight = math.sqrt(max(1, access.count))
        if 0 < step <= 1:
            votes += weight
        elif 1 < step <= SMALL:
            votes += weight / step
    return votes


def is_scan(stage: StageInfo) -> bool:
    """Whether a point needs other points of the Func that the same stage computes."""
    elsewhere = (any(any(offset) for offset in load.offsets) or not load.offsets for load in stage.self_loads)
    return has_reduction(stage) and any(elsewhere)


def has_reduction(stage: StageInfo) -> bool:
    """Returns whether a loop of the stage runs over an RVar."""
    return any(loop.reduction for loop in stage.loops)


def default_order(stage: StageInfo, inner: Sequence[int], outer_reduction: bool) -> tuple[int, ...]:
    """Innermost first: `inner`, then RVars and the other pure dimensions (RVars last when `outer_reduction`)."""
    pure = [d for d, loop in enumerate(stage.loops) if not loop.reduction and d not in inner]
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction and d not in inner]
    middle = [*pure, *reduced] if outer_reduction else [*reduced, *pure]
    return (*inner, *middle)


def default_nest(
    dag: Dag,
    func: FuncInfo,
    stage: StageInfo,
    *,
    root: bool,
    vector: int | None = None,
    unroll: int = 1,
    outer_reduction: bool | None = None,
    scalar: bool = False,
) -> Nest:
    """A sound nest for one stage.

    `vector`: the dimension that is preferred; `unroll`: rows of the next dimension in the block; `outer_reduction`:
    RVars are the outer loops (scans have it so by default), else the loops just around the block; `scalar`: there are
    no vectors."""
    question = default_nest, stage, root, vector, unroll, outer_reduction, scalar
    cached: Nest | None = dag.notes.get(question)
    if cached is None:
        cached = dag.notes[question] = _default_nest(dag, func, stage, root, vector, unroll, outer_reduction, scalar)
    return cached


def _default_nest(
    dag: Dag,
    func: FuncInfo,
    stage: StageInfo,
    root: bool,
    vector: int | None,
    unroll: int,
    outer_reduction: bool | None,
    scalar: bool,
) -> Nest:
    sizes = [loop.extent for loop in stage.loops]
    vector, lanes = (None, 1) if scalar else _vector(dag, func, stage, vector)
    block, inner = _block(func, stage, vector, lanes, unroll)
    if outer_reduction is None:
        outer_reduction = is_scan(stage)
    order = default_order(stage, inner, outer_reduction)
    tiles = [tuple(block)]
    if has_reduction(stage):
        tiles.insert(0, _around(stage, block, outer_reduction))
    parallel: tuple[int, ...] = ()
    if root:
        parallel, strip = parallel_cut(dag, stage, sizes, order, block, outer_reduction)
        if parallel:
            tiles.insert(0, strip)
    atomic = vector is not None and stage.loops[vector].reduction
    return Nest(tuple(_without_repeats(tiles)), order, vector, lanes, parallel, atomic)


def _vector(dag: Dag, func: FuncInfo, stage: StageInfo, preferred: int | None) -> tuple[int | None, int]:
    """The vector dimension and its lanes; (None, 1) when nothing can be a vector."""
    sizes = [loop.extent for loop in stage.loops]
    if preferred is None or sizes[preferred] <= 1:
        preferred = next((d for d in vector_candidates(dag, func, stage, most=4) if sizes[d] > 1), None)
    if preferred is not None:
        lanes = min(natural_lanes(dag, stage), power_of_two_below(sizes[preferred]))
        return (preferred, lanes) if lanes > 1 else (None, 1)
    return _reduction_vector(dag, stage, sizes) if stage.associative else (None, 1)


def _block(
    func: FuncInfo, stage: StageInfo, vector: int | None, lanes: int, unroll: int
) -> tuple[list[int], list[int]]:
    """The extents of the block, and its dimensions innermost first."""
    block = [1] * len(stage.loops)
    inner: list[int] = []
    if vector is not None:
        block[vector] = lanes
        inner.append(vector)
    pure = [d for d in range(len(func.arguments)) if d != vector]
    for dim in pure:
        if 1 < stage.loops[dim].extent <= SMALL and _is_innermost(stage, dim, vector):
            block[dim] = FULL
            inner.append(dim)
    rows = next((d for d in pure if d not in inner and stage.loops[d].extent >= 2 * unroll), None)
    if unroll > 1 and rows is not None:
        block[rows] = unroll
        inner.append(rows)
    return block, inner


def _around(stage: StageInfo, block: list[int], outer_reduction: bool) -> tuple[int, ...]:
    """The tile of the level around the block: its pure extents and all of the RVars, or the reverse."""
    return tuple([FULL if loop.reduction != outer_reduction else block[dim] for dim, loop in enumerate(stage.loops)])


def _reduction_vector(dag: Dag, stage: StageInfo, sizes: Sequence[int]) -> tuple[int | None, int]:
    """The innermost RVar as a vector whose lanes are combined at the end."""
    return next(summed_vectors(dag, stage, sizes), (None, 1))


def summed_vectors(dag: Dag, stage: StageInfo, sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The RVars that may be vectors whose lanes are combined at the end, and the lanes."""
    for dim, loop in enumerate(stage.loops):
        if loop.reduction and loop.reorderable and sizes[dim] >= 2 * SMALL and not _scatters(stage, dim):
            yield dim, min(natural_lanes(dag, stage), power_of_two_below(sizes[dim]))


def loads_neighbours(stage: StageInfo, dim: int) -> bool:
    """Whether steps of a loop lead to the same element of what is read or to the next one in memory."""
    for load in stage.loads:
        if any(dim in values for values in load.values):
            return False
        for d, row in enumerate(load.jacobian):
            if row is None or row[dim] not in ((0, 1) if d == 0 else (0,)):
                return False
    return True


def _scatters(stage: StageInfo, dim: int) -> bool:
    return any(row is None or row[dim] for row in stage.store.jacobian)


def _is_innermost(stage: StageInfo, dim: int, vector: int | None) -> bool:
    """Whether a small dimension lies inside the vector dimension in memory, as interleaved colours do."""
    return vector is not None and dim < vector


def parallel_cut(
    dag: Dag, stage: StageInfo, sizes: Sequence[int], order: Sequence[int], block: Sequence[int], outer_reduction: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The dimensions of the outermost loops to run on many threads, and the tile of one task.

    With RVars outside nothing inside of them is cut.
    """
    max_tasks = dag.threads * TASKS_PER_THREAD
    strip = [FULL] * len(sizes)
    chosen: list[int] = []
    tasks = 1
    for dim in reversed(order):
        loop = stage.loops[dim]
        # The block's own dimensions are cut only when nothing else is there to cut.
        blocks = sizes[dim] if block[dim] == FULL else max(1, sizes[dim] // max(1, block[dim]))
        if not loop.parallel or loop.reduction or block[dim] == FULL or blocks < 2:
            if outer_reduction and loop.reduction and sizes[dim] > 1:
                break
            continue
        per_task = max(1, power_of_two_below(blocks * tasks / max_tasks)) if tasks < max_tasks else blocks
        chosen.append(dim)
        strip[dim] = per_task * max(1, block[dim])
        tasks *= math.ceil(blocks / per_task)
        if tasks >= dag.threads * 2:
            break
    return (tuple(chosen), tuple(strip)) if chosen else ((), tuple(strip))


def _without_repeats(tiles: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    result: list[tuple[int, ...]] = []
    for tile in tiles:
        if not result or tile != result[-1]:
            result.append(tile)
    return result


def whole_block(nest: Nest, stage: StageInfo) -> Nest:
    """A nest whose block is the whole region in the pure dimensions; RVars stay loops around it."""
    pure = [d for d, loop in enumerate(stage.loops) if not loop.reduction]
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction]
    if nest.vector is None or nest.vector in reduced:
        return nest
    block = tuple([nest.tiles[-1][d] if d in reduced else FULL for d in range(len(stage.loops))])
    order = (nest.vector, *[d for d in pure if d != nest.vector], *[d for d in nest.order if d in reduced])
    return replace(nest, tiles=(block,), order=order)


def scalar_scans(dag: Dag, func: FuncInfo) -> tuple[Nest, ...] | None:
    """Nests at root whose scans run along their RVars, value by value; None for Funcs without scans.

    Their iterations leave values in registers; lanes of another dimension would each be in a row of their own.
    """
    if not any(map(is_scan, func.stages)):
        return None
    plain = default_nests(dag, func, root=True)
    nests = []
    for stage, nest in zip(func.stages, plain, strict=True):
        values = default_nest(dag, func, stage, root=True, outer_reduction=False, scalar=True)
        nests.append(values if is_scan(stage) and not _is_dense(stage, nest.vector) else nest)
    return tuple(nests)


def _is_dense(stage: StageInfo, vector: int | None) -> bool:
    """Whether lanes along a dimension are stored side by side."""
    row = stage.store.jacobian[0] if stage.store.jacobian else None
    return vector is not None and row is not None and row[vector] == 1


def default_nests(
    dag: Dag,
    func: FuncInfo,
    *,
    root: bool,
    vector: int | None = None,
    unroll: int = 1,
    outer_reduction: Callable[[StageInfo], bool] | None = None,
) -> tuple[Nest, ...]:
    """Returns `default_nest` of each stage of a Func; `outer_reduction` is called for each stage."""
    nests = []
    for stage in func.stages:
        outer = None if outer_reduction is None else outer_reduction(stage)
        nests.append(default_nest(dag, func, stage, root=root, vector=vector, unroll=unroll, outer_reduction=outer))
    return tuple(nests)
