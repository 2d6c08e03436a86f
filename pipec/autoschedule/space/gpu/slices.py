"""Reductions in a block, slice by slice: what they read can be staged for each slice, as in products of matrices.

The block goes through the iterations in slices; for each the threads go through all points, several of them at once, so
that what a thread has loaded is used more than once.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.space.gpu.nests import BLOCK, THREAD, may_slice, sliced
from pipec.autoschedule.space.legalize import readers
from pipec.autoschedule.space.state import FULL, FuncPlacement, Nest, State, Where
from pipec.records import replace

SIZES = (8, 16, 32)
POINTS = ((1, 1), (1, 4), (2, 2), (4, 4))
"""Of the first two dimensions over the threads."""
USUAL_SIZE, USUAL_POINTS = 16, (4, 4)


def in_slices(info: FuncInfo, placement: FuncPlacement) -> Iterator[FuncPlacement]:
    """The Func of a block with its longest reduction in slices, and points of a thread; for all sizes of these."""
    number = _longest(info)
    if number is None:
        return
    for points in POINTS:
        for size in (FULL, *SIZES):
            if size or points != POINTS[0]:
                yield _with(info, placement, number, size, points)


def _longest(info: FuncInfo) -> int | None:
    """The update with the longest reduction that may be sliced; None where there is none worth it."""
    best, most = None, 2 * SIZES[0]
    for stage in info.stages[1:]:
        for d in may_slice(stage):
            if stage.loops[d].extent >= most:
                best, most = stage.number, stage.loops[d].extent
    return best


def _with(info: FuncInfo, placement: FuncPlacement, number: int, size: int, points: tuple[int, ...]) -> FuncPlacement:
    stage, nest = info.stages[number], placement.nests[number]
    d = max(may_slice(stage), key=lambda d: stage.loops[d].extent)
    sliced_nest = _with_points(_with_slice(nest, d, size), points)
    return replace(placement, nests=(*placement.nests[:number], sliced_nest, *placement.nests[number + 1 :]))


def _with_slice(nest: Nest, d: int, size: int) -> Nest:
    return replace(nest, tiles=(tuple([size if k == d else FULL for k in range(len(nest.order))]), nest.tiles[THREAD]))


def _with_points(nest: Nest, points: tuple[int, ...]) -> Nest:
    own = list(nest.tiles[THREAD])
    spread = [d for d in nest.order if own[d]]
    for d, count in zip(spread, points, strict=False):
        own[d] = count
    return replace(nest, tiles=(nest.tiles[BLOCK], tuple(own)))


def slicing_readers(dag: Dag, state: State, func: str) -> Iterator[State]:
    """The state with the reduction of a reader in slices, for which `func` might be computed."""
    for name, number in readers(dag, state, func):
        placement, info = state[name], dag.funcs[name]
        inside = placement.where is Where.AT and placement.compute is not None and placement.compute.level == BLOCK
        if inside and number == _longest(info) and not sliced(placement.nests[number]):
            yield state.placing_all({name: _with(info, placement, number, USUAL_SIZE, USUAL_POINTS)})


def slice_changes(stage: StageInfo, nest: Nest) -> Iterator[Nest]:
    """Other slices, or none; more or fewer points of a thread."""
    for d in may_slice(stage):
        if stage.loops[d].extent >= 2 * SIZES[0] and sliced(nest) in ([], [d]):
            for size in (FULL, *SIZES):
                yield _with_slice(nest, d, size)
    if may_slice(stage):
        for d in [d for d in nest.order if nest.tiles[THREAD][d]][:2]:
            own = nest.tiles[THREAD][d]
            for count in (own * 2, own // 2):
                if count:
                    tile = tuple([count if k == d else size for k, size in enumerate(nest.tiles[THREAD])])
                    yield replace(nest, tiles=(nest.tiles[BLOCK], tile))
