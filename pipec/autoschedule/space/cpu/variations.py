"""Other nests for one stage: tiles, rows, register tiles, sizes, lanes, orders; each with the map of its levels."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.space.cpu.nests import (
    SMALL,
    default_nest,
    has_reduction,
    loads_neighbours,
    summed_vectors,
    vector_candidates,
    whole_block,
)
from pipec.autoschedule.space.cpu.tensors import tensor_nests
from pipec.autoschedule.space.edits import LevelMap, inserted, removed, scaled, with_lanes, with_tile
from pipec.autoschedule.space.state import FULL, Nest
from pipec.records import replace

Variation = tuple[Nest, LevelMap]
STRIPS = (4, 8, 16, 32, 64, 128)
SLABS = (1, 4, 16)
COLUMNS = (32, 64, 128, 256)
TILES = ((512, 16), (256, 32), (128, 64), (64, 64), (256, 128))
MAX_UNROLLED = 16
"""Points of a dimension that a block may have all of, whatever their number."""
REGISTER_TILES = ((1, 4), (1, 8), (2, 4), (4, 2), (4, 4), (4, 6), (2, 8))
"""Vectors times rows of a block of sums that stays in registers."""


def nest_variations(dag: Dag, stage: StageInfo, nest: Nest, reduction: bool) -> Iterator[Variation]:
    """Nests with other outer tiles, with a level of rows, with a level that is one register tile."""
    same = _same_level
    outers = list(outer_tiles(dag, stage, nest))
    yield from ((other, same) for other in outers)
    for other in (nest, *outers):
        rows = row_level(stage, other)
        if rows is not None:
            yield rows
    each = reduction_level(stage, nest)
    if each is not None:
        yield each
    if reduction:
        yield from register_levels(stage, nest)


def _same_level(level: int) -> int:
    return level


def outer_tiles(dag: Dag, stage: StageInfo, nest: Nest) -> Iterator[Nest]:
    """The nest with other strips or tiles of its parallel level."""
    if not nest.parallel:
        return
    rows = outer_dim(stage, nest)
    if rows is None:
        return
    sizes = [loop.extent for loop in stage.loops]
    block = nest.tiles[-1]
    inside = [max(tile[rows] for tile in nest.tiles[1:])] if len(nest.tiles) > 1 else [1]
    for height in STRIPS:
        if height * 2 <= sizes[rows] and height % max(1, inside[0]) == 0 and height != nest.tiles[0][rows]:
            tile = [FULL] * len(sizes)
            for dim in nest.parallel:
                tile[dim] = nest.tiles[0][dim] if dim != rows else FULL
            tile[rows] = height
            yield parallel_over(nest, tuple(tile), stage)
    across = nest.vector
    if across is None or across == rows or block[across] == FULL:
        return
    for width, height in TILES:
        if 2 * width <= sizes[across] and 2 * height <= sizes[rows] and width % block[across] == 0:
            if any(tile[across] not in (FULL, block[across]) for tile in nest.tiles[1:]):
                continue
            tile = [FULL if extent <= SMALL else 1 for extent in sizes]
            for dim, loop in enumerate(stage.loops):
                if loop.reduction or block[dim] == FULL:
                    tile[dim] = FULL
            tile[across], tile[rows] = width, height
            if height % max(1, inside[0]) == 0:
                yield parallel_over(nest, tuple(tile), stage)


def slabs(stage: StageInfo, nest: Nest, whole: frozenset[int]) -> Iterator[Variation]:
    """The nest with strips of few rows or columns, and all of dimensions `whole`, along which a producer is whole."""
    others = [(loop.extent, -d) for d, loop in enumerate(stage.loops) if not loop.reduction and d not in whole]
    rows = [(extent, d) for extent, d in others if -d != nest.vector and extent > SMALL]
    if not whole or not nest.parallel:
        return
    if rows:
        dim = -max(rows)[1]
        order = (*[d for d in nest.order if d != dim], dim)
        yield from _slabs(stage, replace(nest, order=order), dim, SLABS)
    if nest.vector is not None and (stage.loops[nest.vector].extent, -nest.vector) in others:
        yield from _slabs(stage, nest, nest.vector, COLUMNS)


def _slabs(stage: StageInfo, nest: Nest, dim: int, sizes: tuple[int, ...]) -> Iterator[Variation]:
    """The nest with its outermost tile cut in one dimension only, of each size that fits the levels inside."""
    least = max([1, *[tile[dim] for tile in nest.tiles[1:]]])
    for size in sizes:
        if size >= least and size % least == 0 and 2 * size <= stage.loops[dim].extent and stage.loops[dim].parallel:
            tile = [FULL] * len(stage.loops)
            tile[dim] = size
            yield replace(with_tile(nest, 0, tuple(tile)), parallel=(dim,)), _same_level


def parallel_over(nest: Nest, tile: tuple[int, ...], stage: StageInfo) -> Nest:
    """The nest with another outermost tile, its loops parallel from the outside in until a dimension may not be."""
    parallel = []
    for dim in reversed(nest.order):
        if tile[dim] != FULL:
            if not stage.loops[dim].parallel or dim == nest.vector:
                break
            parallel.append(dim)
    if not parallel:
        return nest
    return replace(with_tile(nest, 0, tile), parallel=tuple(parallel))


def outer_dim(stage: StageInfo, nest: Nest) -> int | None:
    """The pure dimension of most points other than the vector's: the rows of an image."""
    candidates = [
        (loop.extent, -dim) for dim, loop in enumerate(stage.loops) if not loop.reduction and dim != nest.vector
    ]
    if not candidates:
        return None
    extent, dim = max(candidates)
    return -dim if extent > SMALL else None


def row_level(stage: StageInfo, nest: Nest) -> Variation | None:
    """The nest with a level that covers one row of blocks, inside of which windows can slide down."""
    rows = outer_dim(stage, nest)
    if rows is None or nest.tiles[-1][rows] == FULL:
        return None
    tile = [FULL] * len(stage.loops)
    tile[rows] = nest.tiles[-1][rows]
    level = next((k for k, t in enumerate(nest.tiles) if t[rows] == tile[rows]), len(nest.tiles))
    if level < len(nest.tiles) - 1 or (level == 0 and len(nest.tiles) == 1):
        return None
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction]
    if any(nest.tiles[max(0, level - 1)][d] != FULL for d in reduced):
        for dim in reduced:
            tile[dim] = nest.tiles[level - 1][dim]
    # Small dimensions that are loops go inside the rows, so that what is made for a row serves all of them.
    small = [
        d
        for d, loop in enumerate(stage.loops)
        if not loop.reduction and d not in (rows, nest.vector) and loop.extent <= SMALL and nest.tiles[-1][d] != FULL
    ]
    order = nest.order
    if level > 0 and all(nest.tiles[0][d] == FULL for d in small):
        order = _moved_inside(order, small, rows)
    return inserted(replace(nest, order=order), level, tuple(tile))


def _moved_inside(order: tuple[int, ...], dims: list[int], below: int) -> tuple[int, ...]:
    """The order with `dims` just inside the loop over `below`."""
    rest = [d for d in order if d not in dims]
    place = rest.index(below)
    return (*rest[:place], *dims, *rest[place:])


def reduction_level(stage: StageInfo, nest: Nest) -> Variation | None:
    """The nest with a level for each iteration of the RVars, all pure dimensions inside."""
    reduced = [d for d, loop in enumerate(stage.loops) if loop.reduction]
    if not reduced or not all(stage.loops[d].reorderable for d in reduced):
        return None
    if nest.vector in reduced or any(nest.tiles[-1][d] != 1 for d in reduced):
        return None
    tile = tuple([1 if d in reduced else FULL for d in range(len(stage.loops))])
    if tile in nest.tiles:
        return None
    outer = [t for t in nest.tiles if all(t[d] == FULL for d in reduced) and nest.parallel and t is nest.tiles[0]]
    order = (*[d for d in nest.order if d not in reduced], *[d for d in nest.order if d in reduced])
    new = replace(nest, tiles=(*outer, tile, nest.tiles[-1]), order=order)
    return new, lambda k: 0 if outer and k == 0 else -1


def register_levels(stage: StageInfo, nest: Nest) -> Iterator[Variation]:
    """The nest with a level around its block that covers a few vectors times a few rows."""
    if nest.vector is None or nest.tiles[-1][nest.vector] == FULL:
        return
    across = nest.vector
    pure = [d for d, loop in enumerate(stage.loops) if not loop.reduction and d != across and loop.extent > 1]
    if not pure or any(loop.reduction for loop in stage.loops):
        return
    rows = next((d for d in nest.order if d in pure), None)
    assert rows is not None
    for vectors, height in REGISTER_TILES:
        tile = [1] * len(stage.loops)
        tile[across], tile[rows] = vectors * nest.lanes, height
        for dim in pure:
            if nest.tiles[-1][dim] == FULL:
                tile[dim] = FULL
        if stage.loops[across].extent < tile[across] or stage.loops[rows].extent < height:
            continue
        around = nest.tiles[:-1]
        fits = all(a == FULL or (t != FULL and a >= t) for one in around for a, t in zip(one, tile, strict=True))
        outer = tuple([_multiples(one, tile) for one in around])
        block = tuple([1 if d != across and b != FULL else b for d, b in enumerate(nest.tiles[-1])])
        block = tuple([nest.lanes if d == across else b for d, b in enumerate(block)])
        if fits and tuple(tile) not in nest.tiles:
            yield inserted(replace(nest, tiles=(*outer, block)), len(nest.tiles) - 1, tuple(tile))


def _multiples(around: tuple[int, ...], tile: list[int]) -> tuple[int, ...]:
    """The tile around, made of whole tiles of the inner level."""
    return tuple([a if FULL in (a, t) else a - a % t for a, t in zip(around, tile, strict=True)])


def nest_changes(dag: Dag, func: FuncInfo, stage: StageInfo, nest: Nest, at_root: bool) -> Iterator[Variation]:
    """Other sizes of tiles, lanes, vector dimensions, orders, blocks, levels and parallel loops of one nest."""
    yield from _other_sizes(stage, nest)
    yield from _other_loops(stage, nest)
    for level in range(len(nest.tiles) - 1):
        if level > 0 or not nest.parallel:
            yield removed(nest, level)
    yield from small_dims(stage, nest)
    yield from interleavings(stage, nest)
    yield from ((other, _same_level) for other in tensor_nests(stage, nest))
    yield from _one_by_one(stage, nest)
    yield from _summed_lanes(dag, stage, nest)
    if has_reduction(stage):
        if not at_root:
            yield whole_block(nest, stage), _removed_level
        for outer in (False, True):
            new = default_nest(dag, func, stage, root=at_root, vector=nest.vector, outer_reduction=outer)
            yield new, _removed_level
            if at_root:
                yield strip_by_strip(new), _removed_level
    for vector in vector_candidates(dag, func, stage):
        if vector != nest.vector and not stage.loops[vector].reduction:
            yield default_nest(dag, func, stage, root=at_root, vector=vector), _removed_level


def strip_by_strip(nest: Nest) -> Nest:
    """The nest with RVars just inside of its parallel loops, so that the values of a strip wait in the cache."""
    return replace(nest, tiles=(nest.tiles[0], nest.tiles[-1])) if nest.parallel else nest


def interleavings(stage: StageInfo, nest: Nest) -> Iterator[Variation]:
    """Yields the nest with blocks of every n-th point, or of neighbours."""
    if nest.interleaved is not None:
        block = tuple([1 if d == nest.interleaved else size for d, size in enumerate(nest.tiles[-1])])
        yield replace(nest, tiles=(*nest.tiles[:-1], block), interleaved=None), _same_level
    for d, interleave in stage.interleaves.items():
        if d not in (nest.interleaved, nest.vector, *nest.parallel):
            tiles = [tuple([FULL if k == d else size for k, size in enumerate(tile)]) for tile in nest.tiles[:-1]]
            block = tuple([interleave.copies if k == d else size for k, size in enumerate(nest.tiles[-1])])
            order = [k for k in nest.order if k != d]
            order.insert(order.index(nest.vector) + 1 if nest.vector is not None else 0, d)
            yield replace(nest, tiles=(*tiles, block), order=tuple(order), interleaved=d), _same_level


def _other_sizes(stage: StageInfo, nest: Nest) -> Iterator[Variation]:
    """Tiles and vectors twice or half as large."""
    for level, tile in enumerate(nest.tiles):
        for dim, extent in enumerate(tile):
            if extent == FULL or stage.loops[dim].extent <= 1 or dim == nest.interleaved:
                continue
            if level == len(nest.tiles) - 1 and stage.loops[dim].reduction and dim != nest.vector:
                continue  # a guard inside the block would cost more than copies of it save
            whole = stage.loops[dim].extent / extent
            ends = (whole,) if level == len(nest.tiles) - 1 and 1 < whole < 2 and whole * extent <= MAX_UNROLLED else ()
            for factor in (2.0, 0.5, *ends):
                other = scaled(nest, level, dim, factor)
                if other is not None and other.tiles[level][dim] <= stage.loops[dim].extent:
                    yield other, _same_level
    if nest.vector is not None:
        for lanes in (nest.lanes * 2, nest.lanes // 2):
            other = with_lanes(nest, lanes)
            if other is not None and 2 <= lanes <= 64:
                yield other, _same_level


def _other_loops(stage: StageInfo, nest: Nest) -> Iterator[Variation]:
    """Another dimension looped over at a level, or one less."""
    for level, tile in enumerate(nest.tiles[:-1]):
        for dim, loop in enumerate(stage.loops):
            if loop.reduction or loop.extent <= 1:
                continue
            steps = tuple([other[dim] for other in nest.tiles[level + 1 :]])
            at_level = tuple([size if d != dim else FULL for d, size in enumerate(tile)])
            if tile[dim] == FULL and FULL not in steps:
                looped = tuple([size if d != dim else max(steps) for d, size in enumerate(tile)])
                threads = level == 0 and nest.parallel and loop.parallel and dim != nest.vector
                parallel = (*nest.parallel, dim) if threads else nest.parallel
                yield replace(with_tile(nest, level, looped), parallel=_outermost_first(nest, parallel)), _same_level
            elif tile[dim] != FULL and any(at_level):
                parallel = tuple([d for d in nest.parallel if level > 0 or d != dim])
                if bool(parallel) == bool(nest.parallel):
                    yield replace(with_tile(nest, level, at_level), parallel=parallel), _same_level


def _outermost_first(nest: Nest, dims: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([d for d in reversed(nest.order) if d in dims])


def _one_by_one(stage: StageInfo, nest: Nest) -> Iterator[Variation]:
    """The lanes of vectors that are scattered to where pixels say as single values."""
    if nest.vector is not None and any(row is None for row in stage.store.jacobian):
        atomic = nest.atomic and any(stage.loops[d].reduction for d in nest.parallel)
        yield replace(nest, vector=None, lanes=1, atomic=atomic), _same_level


def _summed_lanes(dag: Dag, stage: StageInfo, nest: Nest) -> Iterator[Variation]:
    """Vectors along an RVar whose lanes are combined at the end, where those along another loop gather what they read.

    Sums of differences between patches of images at places that data decide are such.
    """
    if nest.vector is None or not stage.associative or not stage.atomic or loads_neighbours(stage, nest.vector):
        return
    for dim, lanes in summed_vectors(dag, stage, [loop.extent for loop in stage.loops]):
        if loads_neighbours(stage, dim) and dim not in nest.parallel:
            block = [1 if d == nest.vector else lanes if d == dim else size for d, size in enumerate(nest.tiles[-1])]
            around = tuple([tuple([FULL if d == dim else t for d, t in enumerate(tile)]) for tile in nest.tiles[:-1]])
            order = (dim, *[d for d in nest.order if d != dim])
            lanes_of_rvar = replace(nest, order=order, vector=dim, lanes=lanes, atomic=True, tensor="")
            yield replace(lanes_of_rvar, tiles=(*around, tuple(block))), _same_level


def _removed_level(level: int) -> int:
    return min(level, 0)


def chooses_by(stage: StageInfo, dim: int) -> bool:
    """Whether each point of a short dimension has another definition."""
    periods = stage.phases.periods if stage.phases is not None else ()
    return dim < len(periods) and 1 < periods[dim] == stage.loops[dim].extent


def small_dims(stage: StageInfo, nest: Nest) -> Iterator[Variation]:
    """Small dimensions unrolled inside the block instead of being loops, and back."""
    for dim, loop in enumerate(stage.loops):
        limit = MAX_UNROLLED if chooses_by(stage, dim) else SMALL
        if loop.reduction or not 1 < loop.extent <= limit or dim == nest.vector:
            continue
        unrolled = nest.tiles[-1][dim] == FULL
        tiles = [list(tile) for tile in nest.tiles]
        if unrolled:
            tiles[-1][dim] = 1
        else:
            for tile in tiles:
                tile[dim] = FULL
        order = [d for d in nest.order if d != dim]
        order.insert(order.index(nest.vector) + 1 if nest.vector is not None else 0, dim)
        parallel = tuple([d for d in nest.parallel if d != dim])
        if bool(parallel) == bool(nest.parallel):
            changed = tuple([tuple(tile) for tile in tiles])
            yield replace(nest, tiles=changed, order=tuple(order), parallel=parallel), _same_level
