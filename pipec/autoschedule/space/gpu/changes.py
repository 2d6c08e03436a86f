"""Small changes of the nest of one stage in a kernel."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.space.gpu.nests import AXES, BLOCK, NEAR, THREAD, is_single, spread_dims, threads_of
from pipec.autoschedule.space.gpu.slices import slice_changes
from pipec.autoschedule.space.gpu.tilings import MAX_POINTS, atomic_nests
from pipec.autoschedule.space.state import FULL, Nest
from pipec.records import replace

LONGEST_POINTS = 16
"""Points of one dimension in a thread."""


def kernel_changes(dag: Dag, func: FuncInfo, stage: StageInfo, nest: Nest, device: GpuDevice) -> Iterator[Nest]:
    """Other threads or points of a thread in one dimension, other neighbours, short dimensions in threads or out."""
    if is_single(nest):
        return
    for d in nest.order:
        if nest.tiles[BLOCK][d] != FULL:
            yield from _resized(stage, nest, d)
    spread = [d for d in nest.order if nest.tiles[BLOCK][d] != FULL]
    for k in range(1, min(AXES, len(spread))):
        yield replace(nest, order=(spread[k], *[d for d in nest.order if d != spread[k]]))
    yield from _whole_or_spread(dag, func, stage, nest)
    if not nest.atomic:
        yield from atomic_nests(dag, func, stage, device)


def _resized(stage: StageInfo, nest: Nest, d: int) -> Iterator[Nest]:
    block, points = nest.tiles[BLOCK][d], nest.tiles[THREAD][d]
    threads, extent = block // points, stage.loops[d].extent
    spread = len(threads_of(nest))
    for count in (threads * 2, threads // 2):
        enters = threads == 1 and spread == AXES
        if count >= 1 and not enters and (count < threads or threads * points < extent):
            yield _with(nest, d, count, points)
    for own in (points * 2, points // 2, 3 if points == 1 else 0):
        if 1 <= own <= LONGEST_POINTS and (own < points or points * threads < 2 * extent):
            yield _with(nest, d, threads, own)
            # The block stays as large.
            if own > points and threads % 2 == 0 and own % 2 == 0:
                yield _with(nest, d, threads // 2, own)


def _with(nest: Nest, d: int, threads: int, points: int) -> Nest:
    tiles = [list(tile) for tile in nest.tiles]
    tiles[BLOCK][d], tiles[THREAD][d] = threads * points, points
    return replace(nest, tiles=tuple([tuple(tile) for tile in tiles]))


def _whole_or_spread(dag: Dag, func: FuncInfo, stage: StageInfo, nest: Nest) -> Iterator[Nest]:
    """Short dimensions that each thread has all of, or one of."""
    for d in spread_dims(dag, func, stage):
        extent = stage.loops[d].extent
        if not 1 < extent <= NEAR or nest.tiles[BLOCK][d] == FULL:
            continue
        points = nest.tiles[THREAD][d]
        yield _with(nest, d, 1, extent if points < extent else 1)


def block_changes(stage: StageInfo, nest: Nest) -> Iterator[Nest]:
    """Another dimension of a Func in a block along the first threads; or one that each thread has all of; slices."""
    yield from slice_changes(stage, nest)
    spread = [d for d in nest.order if nest.tiles[THREAD][d] != FULL]
    for k in range(1, len(spread)):
        yield replace(nest, order=(spread[k], *[d for d in nest.order if d != spread[k]]))
    for d, loop in enumerate(stage.loops):
        if loop.reduction or not loop.parallel:
            continue
        size = FULL if nest.tiles[THREAD][d] else 1
        if (size == 1 and len(spread) < AXES) or (size == FULL and len(spread) > 1):
            points = tuple([size if k == d else own for k, own in enumerate(nest.tiles[THREAD])])
            rest = [k for k in nest.order if k != d]
            yield replace(nest, tiles=(nest.tiles[BLOCK], points), order=(*rest, d) if size == FULL else (d, *rest))


def fits_in_thread(nest: Nest) -> bool:
    """Whether a thread has not too many points."""
    points = 1
    for size in nest.tiles[THREAD]:
        points *= size or 1
    return points <= MAX_POINTS


def has_one_point(nest: Nest) -> bool:
    """Whether a thread has one point of each dimension that others have points of."""
    return all(size <= 1 for size in nest.tiles[THREAD])
