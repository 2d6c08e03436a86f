"""The choices for one Func of a state for a GPU, and small changes of it; some are too large to run."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.space.gpu.compute_levels import ComputeLevels
from pipec.autoschedule.space.gpu.nests import (
    AXES,
    BLOCK,
    NEAR,
    THREAD,
    is_single,
    on_gpu,
    root_placement,
    spread_dims,
    threads_of,
)
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.space.gpu.slices import in_slices, slice_changes, slicing_readers
from pipec.autoschedule.space.gpu.tilings import MAX_POINTS, atomic_nests, sampled, tilings
from pipec.autoschedule.space.legalize import common_path
from pipec.autoschedule.space.state import FULL, INLINED, FuncPlacement, Nest, State, Where
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


MAX_HOSTS = 10
"""Tilings of a reader that are tried together with a place in it."""


class Moves:
    """The moves of one dag."""

    def __init__(self, dag: Dag, device: GpuDevice, nest_levels: ComputeLevels, options: GpuOptions) -> None:
        self.dag, self.device, self.nest_levels, self.options = dag, device, nest_levels, options

    def children(self, state: State, func: str, rng: random.Random) -> Iterator[State]:
        """Inline, kernels of its own, places in the kernels of its readers, these tiled in other ways."""
        info = self.dag.funcs[func]
        inline = self.may_inline(info)
        if inline and (self.options.inline or info.must_inline):
            yield self.nest_levels.placed(state, func, INLINED)
        if inline and info.must_inline:
            return
        if self.options.root or info.output:
            for placement in self._kernels(info, rng):
                yield self.nest_levels.placed(state, func, placement)
        if not info.output:
            yield from self._in_readers(state, info, rng)

    def _in_readers(self, state: State, info: FuncInfo, rng: random.Random) -> Iterator[State]:
        """The Func in the blocks and threads of its readers, whole or in slices."""
        func = info.name
        for candidate in (state, *self._hosts(state, func, rng)):
            for nest_level in self.nest_levels.of(candidate, func):
                placement = self.nest_levels.at(info, nest_level)
                yield self.nest_levels.placed(candidate, func, placement)
                if nest_level.level == BLOCK and candidate is state and self.options.points:
                    for other in in_slices(info, placement):
                        yield self.nest_levels.placed(state, func, other)
        if self.options.points and self.options.block:
            for candidate in slicing_readers(self.dag, state, func):
                for nest_level in self.nest_levels.of(candidate, func):
                    if nest_level.level == BLOCK and candidate[nest_level.func].where is Where.AT:
                        yield self.nest_levels.placed(candidate, func, self.nest_levels.at(info, nest_level))

    def may_inline(self, info: FuncInfo) -> bool:
        """Returns whether the Func can be inlined into kernels."""
        return info.inlinable and info.name not in self.nest_levels.cpu_only

    def _kernels(self, info: FuncInfo, rng: random.Random) -> Iterator[FuncPlacement]:
        """The Func at root; all its stages in the same manner as the one with most points."""
        yield root_placement(self.dag, info)
        main = max(info.stages, key=lambda stage: sum([loop.extent for loop in stage.loops]))
        for nest in self._some(self._tilings(info, main), rng):
            nests = [nest if stage is main else self._similar(info, stage.number, nest) for stage in info.stages]
            yield FuncPlacement(Where.ROOT, nests=tuple(nests))

    def _similar(self, info: FuncInfo, number: int, nest: Nest) -> Nest:
        """The tiling of another stage that has the most sizes in common with `nest`."""
        arguments = len(info.arguments)
        tiles = [tile[:arguments] for tile in nest.tiles]

        def distance(other: Nest) -> int:
            pairs = zip(tiles, other.tiles, strict=True)
            return sum([a != b for one, two in pairs for a, b in zip(one, two, strict=False)]) + 4 * other.atomic

        return min(self._tilings(info, info.stages[number]), key=distance)

    def _tilings(self, info: FuncInfo, stage: StageInfo) -> list[Nest]:
        """The kernels of a stage that are offered."""
        nests = tilings(self.dag, info, stage, self.device)
        return nests if self.options.points else [nest for nest in nests if has_one_point(nest)] or nests[:1]

    def _some(self, nests: list[Nest], rng: random.Random) -> list[Nest]:
        return sampled(nests, rng) if self.options.sampled else nests

    def _hosts(self, state: State, func: str, rng: random.Random) -> Iterator[State]:
        """The state with other tilings of the kernel in which all readers lie."""
        path = common_path(self.dag, state, func)
        if not path or state[path[0].func].where is not Where.ROOT:
            return
        host, stage = path[0].func, path[0].stage
        if not on_gpu(state[host].nests[stage]):
            return
        info = self.dag.funcs[host]
        nests = self._some(self._tilings(info, info.stages[stage]), rng)
        for nest in nests if len(nests) <= MAX_HOSTS else rng.sample(nests, MAX_HOSTS):
            yield self._with_nest(state, host, stage, nest)

    def _with_nest(self, state: State, func: str, stage: int, nest: Nest) -> State:
        own = state[func]
        nests = (*own.nests[:stage], nest, *own.nests[stage + 1 :])
        return self.nest_levels.placed(state, func, replace(own, nests=nests))

    def neighbours(self, state: State, func: str) -> Iterator[State]:
        """One change: another place, another order in memory, another nest of one stage."""
        info, placement = self.dag.funcs[func], state[func]
        yield from self._other_places(state, info, placement)
        if placement.where is Where.INLINE:
            return
        for storage in self._storages(info):
            if storage != placement.storage:
                yield self.nest_levels.placed(state, func, replace(placement, storage=storage))
        for number, stage in enumerate(info.stages):
            nest = placement.nests[number]
            if not on_gpu(nest):
                continue
            if placement.where is Where.ROOT:
                changes = kernel_changes(self.dag, info, stage, nest, self.device)
            elif placement.compute is not None and placement.compute.level == BLOCK:
                changes = block_changes(stage, nest)
            else:
                continue
            for other in changes:
                if other != nest and (fits_in_thread(other) if self.options.points else has_one_point(other)):
                    yield self._with_nest(state, func, number, other)

    def _other_places(self, state: State, info: FuncInfo, placement: FuncPlacement) -> Iterator[State]:
        if self.options.inline and self.may_inline(info) and placement.where is not Where.INLINE:
            yield self.nest_levels.placed(state, info.name, INLINED)
        if self.options.root and placement.where is not Where.ROOT:
            yield self.nest_levels.placed(state, info.name, root_placement(self.dag, info))
        for nest_level in self.nest_levels.of(state, info.name):
            if nest_level != placement.compute:
                moved = replace(self.nest_levels.at(info, nest_level), storage=placement.storage)
                yield self.nest_levels.placed(state, info.name, moved)

    def _storages(self, info: FuncInfo) -> list[tuple[int, ...]]:
        """Orders in memory with each of the longer dimensions innermost."""
        if info.output or len(info.arguments) < 2:
            return []
        dims = range(len(info.arguments))
        return [(), *[(d, *[k for k in dims if k != d]) for d in dims if d and info.extent[d] > 1]]
