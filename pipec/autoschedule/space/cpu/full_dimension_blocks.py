"""Blocks with all of a short dimension (colours) by which values are chosen, or with a point for each quotient by which
they are: nothing is left to choose there."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.space.cpu.variations import interleavings, small_dims
from pipec.autoschedule.space.edits import with_nest
from pipec.autoschedule.space.legalize import readers
from pipec.autoschedule.space.state import FULL, Nest, State, Where


def full_dimension_blocks(dag: Dag, state: State, func: str) -> Iterator[State]:
    """The state in which the blocks that compute choices of `func` have all there is to choose from."""
    stages = dag.funcs[func].stages
    if not any(_chooses(stage) for stage in stages):
        return
    if state[func].where is Where.INLINE:
        computed = readers(dag, state, func)
    else:
        computed = tuple([(func, stage.number) for stage in stages])
    for name, number in computed:
        if not dag.funcs[name].fixed and number < len(state[name].nests):
            yield from _whole(dag, state, name, number)


def _chooses(stage: StageInfo) -> bool:
    """Whether values are chosen by a short dimension."""
    periods = stage.phases.periods if stage.phases is not None else ()
    return bool(stage.interleaves) or any(
        1 < period == loop.extent for period, loop in zip(periods, stage.loops, strict=False)
    )


def _whole(dag: Dag, state: State, func: str, number: int) -> Iterator[State]:
    nest = state[func].nests[number]
    for other, moved in small_dims(dag.funcs[func].stages[number], nest):
        if _all(other) > _all(nest):
            yield with_nest(dag, state, func, number, other, moved)
    for other, moved in interleavings(dag.funcs[func].stages[number], nest):
        if other.interleaved is not None:
            yield with_nest(dag, state, func, number, other, moved)


def _all(nest: Nest) -> int:
    """Of how many dimensions a block has all."""
    return nest.tiles[-1].count(FULL)
