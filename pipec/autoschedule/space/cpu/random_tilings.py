"""Random sizes of all levels of one stage's tiles at once: single changes of sizes do not reach most of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.space.edits import LevelMap, inserted, removed, with_nest
from pipec.autoschedule.space.state import FULL, Nest, State
from pipec.records import replace

MAX_LEVELS = 3
"""Around the block."""
FACTORS = (1, 1, 2, 4, 8, 16)
WHOLE = 0.35
"""How often a level covers all that the level around it covers."""


def random_tilings(dag: Dag, state: State, func: str, rng: Random, count: int) -> Iterator[State]:
    """The state with other tiles of one stage, `count` times at most; what is computed at a level stays there."""
    numbers = [number for number, nest in enumerate(state[func].nests) if len(nest.tiles) > 1]
    if not numbers:
        return
    number = max(numbers)
    stage = dag.funcs[func].stages[number]
    for _ in range(count):
        nest, moved = _other_levels(state[func].nests[number], rng)
        other = _retiled(stage, nest, rng)
        if other is not None:
            yield with_nest(dag, state, func, number, other, moved)


def _other_levels(nest: Nest, rng: Random) -> tuple[Nest, LevelMap]:
    """The nest with one level more, or less, or as it is."""
    block = len(nest.tiles) - 1
    change = rng.choice(("", "", "less", "outside", "inside"))
    level = rng.randrange(block)
    if change == "less" and block > 1:
        return removed(nest, max(level, 1))
    if change in ("outside", "inside") and block < MAX_LEVELS:
        more, moved = inserted(nest, level, nest.tiles[level])
        return more, moved if change == "outside" else lambda k: k if k <= level else k + 1
    return nest, lambda k: k


def _retiled(stage: StageInfo, nest: Nest, rng: Random) -> Nest | None:
    """The nest with the same block and number of levels, and pure dimensions of random sizes; None for none."""
    columns = [_sizes(stage, nest, dim, rng) for dim in range(len(stage.loops))]
    tiles = tuple(zip(*columns, strict=True))
    if not all(map(any, tiles[:-1])):
        return None
    parallel = [d for d in reversed(nest.order) if tiles[0][d] != FULL and stage.loops[d].parallel and d != nest.vector]
    if nest.parallel and (nest.atomic or not parallel):
        return None
    return replace(nest, tiles=tiles, parallel=tuple(parallel) if nest.parallel else ())


def _sizes(stage: StageInfo, nest: Nest, dim: int, rng: Random) -> list[int]:
    """The sizes of one dimension at all levels."""
    size, extent = nest.tiles[-1][dim], stage.loops[dim].extent
    if stage.loops[dim].reduction or size == FULL or extent <= 1:
        return [tile[dim] for tile in nest.tiles]
    sizes = [size]
    for _ in nest.tiles[1:]:
        larger = size * rng.choice(FACTORS)
        if rng.random() < WHOLE or larger >= extent:
            sizes.append(FULL)
        else:
            size = larger
            sizes.append(size)
    return sizes[::-1]
