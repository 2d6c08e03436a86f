"""Changes of one nest or one placement in a state; compute levels inside a changed nest follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.legalize import func_path, legalized
from pipec.autoschedule.space.state import FULL, ROOT_STORE, FuncPlacement, Nest, NestLevel, State, Where
from pipec.records import replace

LevelMap = Callable[[int], int]
"""From a level of the old nest to the level of the new one that encloses the same; -1: the level was removed."""


def with_nest(dag: Dag, state: State, func: str, stage: int, nest: Nest, moved: LevelMap | None = None) -> State:
    """The state with another nest for one stage; `moved` maps the compute levels in it."""
    own = state[func]
    nests = (*own.nests[:stage], nest, *own.nests[stage + 1 :])
    changes = {func: replace(own, nests=nests)}
    if moved is not None:
        outside = func_path(state, func)
        for name, placement in state.placements.items():
            changed = _moved(placement, func, stage, moved, outside)
            if changed is not placement:
                changes[name] = changed
    return legalized(dag, state.placing_all(changes), func)


def _moved(
    placement: FuncPlacement, func: str, stage: int, moved: LevelMap, outside: Sequence[NestLevel]
) -> FuncPlacement:
    compute, store = placement.compute, placement.store
    if compute is not None and (compute.func, compute.stage) == (func, stage):
        level = moved(compute.level)
        # Nothing can be computed at a removed level: legalization moves it outwards from an impossible compute level.
        compute = (
            NestLevel(func, stage, level) if level >= 0 else (outside[-1] if outside else NestLevel(func, stage, 10**6))
        )
    if store is not None and store != ROOT_STORE and (store.func, store.stage) == (func, stage):
        level = moved(store.level)
        store = NestLevel(func, stage, level) if level >= 0 else None
    if compute is placement.compute and store is placement.store:
        return placement
    return replace(placement, compute=compute, store=None if store == compute else store)


def inserted(nest: Nest, level: int, tile: tuple[int, ...]) -> tuple[Nest, LevelMap]:
    """The nest with one level more before `level`."""
    tiles = (*nest.tiles[:level], tile, *nest.tiles[level:])
    return replace(nest, tiles=tiles), lambda k: k if k < level else k + 1


def removed(nest: Nest, level: int) -> tuple[Nest, LevelMap]:
    """The nest without a level that is not the block."""
    tiles = (*nest.tiles[:level], *nest.tiles[level + 1 :])
    parallel = nest.parallel if level > 0 else ()
    return replace(nest, tiles=tiles, parallel=parallel), lambda k: k if k < level else k - 1


def scaled(nest: Nest, level: int, dim: int, factor: float) -> Nest | None:
    """The nest with a tile's extent multiplied, and those of the levels around that are the same; None: not possible.

    Tiles stay multiples of the tiles inside them.
    """
    old = nest.tiles[level][dim]
    new = int(old * factor)
    if old == FULL or new < 1 or new * 1.0 != old * factor:
        return None
    if level + 1 < len(nest.tiles):
        inside = nest.tiles[level + 1][dim]
        if inside == FULL or new % inside:
            return None
    elif dim == nest.vector and new % nest.lanes:
        return None
    tiles = [list(tile) for tile in nest.tiles]
    k = level
    while k >= 0 and tiles[k][dim] == old:
        tiles[k][dim] = new
        k -= 1
    while k >= 0 and tiles[k][dim] == FULL:
        k -= 1
    if k >= 0 and tiles[k][dim] % new:
        return None
    return replace(nest, tiles=tuple([tuple(tile) for tile in tiles]))


def with_tile(nest: Nest, level: int, tile: tuple[int, ...]) -> Nest:
    """Returns the nest with another tile at one level."""
    return replace(nest, tiles=(*nest.tiles[:level], tile, *nest.tiles[level + 1 :]))


def with_lanes(nest: Nest, lanes: int) -> Nest | None:
    """Vectors of another width; the block grows or shrinks with them when it is one vector wide."""
    if nest.vector is None or lanes < 2:
        return None
    dim, block = nest.vector, nest.tiles[-1][nest.vector]
    if block == FULL:
        return replace(nest, lanes=lanes)
    if block == nest.lanes or block % lanes:
        resized = scaled(replace(nest, lanes=min(nest.lanes, lanes)), len(nest.tiles) - 1, dim, lanes / nest.lanes)
        return None if resized is None else replace(resized, lanes=lanes)
    return replace(nest, lanes=lanes)


def placed(dag: Dag, state: State, func: str, placement: FuncPlacement) -> State:
    """The state with another placement for one Func, legalized."""
    return legalized(dag, state.placing_all({func: placement}), func)


def at(nest_level: NestLevel, nests: tuple[Nest, ...], store: NestLevel | None = None) -> FuncPlacement:
    """Returns a placement at a compute level inside a consumer."""
    return FuncPlacement(Where.AT, nest_level, store, nests)


def root(nests: tuple[Nest, ...]) -> FuncPlacement:
    """Returns a placement at root."""
    return FuncPlacement(Where.ROOT, None, None, nests)
