"""Blocks that a tensor intrinsic computes: which ones do, and the nests that have such blocks."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Dag, StageInfo, TensorMatch
from pipec.autoschedule.space.edits import with_lanes, with_nest
from pipec.autoschedule.space.state import FULL, Nest, State, Where
from pipec.records import replace


def tensor_of(stage: StageInfo, nest: Nest) -> TensorMatch | None:
    """The tensor intrinsic that computes the blocks of a nest; None where the nest names none, or has other blocks."""
    if not nest.tensor or nest.atomic or nest.interleaved is not None:
        return None
    for match in stage.tensors:
        if (match.name, match.vector, match.lanes) == (nest.tensor, nest.vector, nest.lanes):
            return match if nest.tiles[-1][match.rvar] == match.terms else None
    return None


def tensor_nests(stage: StageInfo, nest: Nest) -> Iterator[Nest]:
    """The nest with blocks for each tensor intrinsic that fits its vectors; one that has such blocks without them."""
    own = tensor_of(stage, nest)
    if own is not None:
        block = tuple([1 if d == own.rvar else size for d, size in enumerate(nest.tiles[-1])])
        yield replace(nest, tiles=(*nest.tiles[:-1], block), tensor="")
    for match in stage.tensors:
        if match is own or match.vector != nest.vector or nest.atomic or nest.interleaved is not None:
            continue
        resized = nest if nest.lanes == match.lanes else with_lanes(nest, match.lanes)
        if resized is None or resized.tiles[-1][match.rvar] not in (1, match.terms):
            continue
        if any(tile[match.rvar] not in (FULL, 1) and tile[match.rvar] % match.terms for tile in resized.tiles[:-1]):
            continue
        tiles = [
            tuple([match.terms if d == match.rvar and size == 1 else size for d, size in enumerate(tile)])
            for tile in resized.tiles
        ]
        yield replace(resized, tiles=tuple(tiles), tensor=match.name)


def tensor_states(dag: Dag, state: State, func: str) -> Iterator[State]:
    """The state with a tensor intrinsic in each update of `func` that one fits."""
    info, placement = dag.funcs[func], state[func]
    if placement.where is Where.INLINE or not any(stage.tensors for stage in info.stages):
        return
    for stage, nest in zip(info.stages, placement.nests, strict=True):
        for other in tensor_nests(stage, nest):
            if other.tensor:
                yield with_nest(dag, state, func, stage.number, other)
