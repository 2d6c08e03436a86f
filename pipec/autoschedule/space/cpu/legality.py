"""Legality of states for CPUs, with the reasons as texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.emit.constants import Constants
from pipec.autoschedule.emit.loops import ranges_over, steps_of
from pipec.autoschedule.space.legalize import common_path, path_of, problems_of_nests, problems_of_state
from pipec.autoschedule.space.loop_tree import MAX_COPIES
from pipec.autoschedule.space.state import FULL, ROOT_STORE, FuncPlacement, Nest, NestLevel, State, Where

MAX_LANES = 512


def problems(dag: Dag, state: State) -> list[str]:
    """Why `state` can't be carried out; nothing when it can."""
    return problems_of_state(dag, state, lambda func: problem_of(dag, state, func))


def problem_of(dag: Dag, state: State, func: FuncInfo) -> str | None:
    """The first thing that is wrong with the place or the loops of one Func."""
    # The first problem causes those that follow.
    return next(_of_func(dag, state, func, Constants(dag, state)), None)


def _of_func(dag: Dag, state: State, func: FuncInfo, constants: Constants) -> Iterator[str]:
    placement = state[func.name]
    if placement.where is Where.INLINE:
        if not func.inlinable:
            yield "can't be inline"
        return
    yield from _of_place(dag, state, func, placement)
    if placement.streamed and not may_stream(dag, func):
        yield "only stores to outputs that nobody reads and nothing updates go past the cache"
    root = placement.where is Where.ROOT
    yield from problems_of_nests(func, placement, lambda stage, nest: _of_nest(func, stage, nest, root, constants))


class LegalNests:
    """Whether the loops of placements are legal, whatever the state around them; each placement is looked at once."""

    def __init__(self, dag: Dag) -> None:
        self._dag = dag
        self._verdicts: dict[tuple[str, FuncPlacement], bool] = {}

    def among(self, states: Iterable[State], origin: State) -> list[State]:
        """Those of `states`, each derived from `origin`, whose loops are legal where they differ from its loops."""
        before = origin.placements
        return [
            state
            for state in states
            if all(self._hold(name, new) for name, new in state.placements.items() if new is not before[name])
        ]

    def _hold(self, name: str, placement: FuncPlacement) -> bool:
        key = name, placement
        verdict = self._verdicts.get(key)
        if verdict is None:
            func, root = self._dag.funcs[name], placement.where is Where.ROOT
            checked = placement.where is not Where.INLINE and not func.fixed
            texts = problems_of_nests(func, placement, lambda stage, nest: _of_loops(func, stage, nest, root))
            verdict = self._verdicts[key] = not checked or next(texts, None) is None
        return verdict


def may_stream(dag: Dag, func: FuncInfo) -> bool:
    """Returns whether non-temporal stores suit the Func: an output that the pipeline does not read."""
    return func.output and func.pure and not dag.consumers[func.name]


def _of_place(dag: Dag, state: State, func: FuncInfo, placement: FuncPlacement) -> Iterator[str]:
    nest_level, store = placement.compute, placement.store
    if placement.where is Where.ROOT:
        if nest_level is not None or store is not None:
            yield "what is at root has no compute levels"
    elif func.output:
        yield "outputs are computed at root"
    elif nest_level is None:
        yield "has no compute level"
    elif any(dag.funcs[reader].fixed for reader, _ in dag.consumers[func.name]):
        yield "is read by a Func that keeps the user's schedule, whose loops are not the state's"
    else:
        yield from _of_nest_level(dag, state, func, nest_level, store)


def _of_nest_level(
    dag: Dag, state: State, func: FuncInfo, nest_level: NestLevel, store: NestLevel | None
) -> Iterator[str]:
    if not _exists(dag, state, func, nest_level):
        yield f"the compute level {nest_level} does not exist"
    elif nest_level not in common_path(dag, state, func.name):
        yield f"the compute level {nest_level} is not around all that read it"
    elif store is not None:
        yield from _of_store(state, nest_level, store)


def _exists(dag: Dag, state: State, func: FuncInfo, nest_level: NestLevel) -> bool:
    holder = dag.funcs.get(nest_level.func)
    if holder is None or holder is func or holder.fixed or (holder.extern and nest_level.stage == 0):
        return False
    nests = state[nest_level.func].nests
    return 0 <= nest_level.stage < len(nests) and 0 <= nest_level.level < len(nests[nest_level.stage].tiles)


def _of_store(state: State, nest_level: NestLevel, store: NestLevel) -> Iterator[str]:
    path = path_of(state, nest_level)
    if store == ROOT_STORE:
        if state[path[0].func].nests[path[0].stage].parallel:
            yield "is stored outside of parallel loops and computed inside"
    elif store not in path[:-1]:
        yield f"the store level {store} is not around the compute level {nest_level}"


def _of_nest(func: FuncInfo, stage: StageInfo, nest: Nest, root: bool, constants: Constants) -> Iterator[str]:
    yield from _of_loops(func, stage, nest, root)
    copies = _copies(stage, nest, constants.of(func, stage, nest))
    if copies > MAX_COPIES:
        yield f"its block has {copies} copies of the body, more than {MAX_COPIES}"


def _of_output(stage: StageInfo, nest: Nest) -> Iterator[str]:
    """The last tile of an output overlaps the one before: where there is none, a slow variant of the program runs."""
    for dim, loop in enumerate(stage.loops):
        largest = max([tile[dim] for tile in nest.tiles])
        if largest > max(loop.extent, 1):
            yield f"its tiles have {largest} values of {loop.name}, which has {loop.extent}"


def _of_loops(func: FuncInfo, stage: StageInfo, nest: Nest, root: bool) -> Iterator[str]:
    """What is wrong with the loops of a stage, whatever is around them."""
    count = len(stage.loops)
    if not nest.tiles or any(len(tile) != count for tile in nest.tiles):
        yield f"each of its tiles must have {count} sizes"
        return
    if sorted(nest.order) != list(range(count)):
        yield f"the order {nest.order} does not name every dimension once"
        return
    for dim, loop in enumerate(stage.loops):
        sizes = [FULL, *[size for _, size in steps_of(nest, dim)[0]]]
        if any(size < 0 for size in sizes) or any(0 < a < b for a, b in zip(sizes, sizes[1:], strict=False)):
            yield f"the tiles of {loop.name} grow inwards"
    if func.output and stage.number == 0:
        yield from _of_output(stage, nest)
    yield from _of_vector(stage, nest)
    yield from _of_parallel(stage, nest, root)
    yield from _of_order(stage, nest)
    if nest.interleaved is not None and (nest.interleaved not in stage.interleaves or nest.interleaved == nest.vector):
        yield f"no values are chosen by quotients of dimension {nest.interleaved}"
    if nest.atomic and not stage.atomic:
        yield "its partial results can't be combined"
    if _copies(stage, nest, {}) > MAX_COPIES:
        yield f"its block has more than {MAX_COPIES} copies of the body"


def _of_vector(stage: StageInfo, nest: Nest) -> Iterator[str]:
    if not 1 <= nest.lanes <= MAX_LANES:
        yield f"vectors of {nest.lanes} lanes"
    if nest.vector is None:
        if nest.lanes != 1:
            yield "lanes of no dimension"
        return
    if not 0 <= nest.vector < len(stage.loops):
        yield f"there is no dimension {nest.vector}"
        return
    loop, block = stage.loops[nest.vector], steps_of(nest, nest.vector)[1]
    if nest.lanes > 1 and block % nest.lanes:
        yield f"vectors of {nest.lanes} lanes do not divide a block of {block} in {loop.name}"
    if nest.lanes > 1 and not (loop.parallel or nest.atomic):
        yield f"lanes of {loop.name} would race"


def _of_parallel(stage: StageInfo, nest: Nest, root: bool) -> Iterator[str]:
    if nest.parallel and not root:
        yield "only loops at root are parallel"
    for dim in nest.parallel:
        if not 0 <= dim < len(stage.loops) or not ranges_over(stage, dim) or nest.tiles[0][dim] == FULL:
            yield f"there is no outermost loop over dimension {dim} to be parallel"
        elif not (stage.loops[dim].parallel or nest.atomic):
            yield f"iterations of {stage.loops[dim].name} would race"


def _of_order(stage: StageInfo, nest: Nest) -> Iterator[str]:
    """Loops that depend on each other stay in the order in which they were defined, all parts of them together."""
    fixed = [d for d, loop in enumerate(stage.loops) if loop.reduction and not loop.reorderable]
    if len(fixed) < 2:
        return
    rank = [dim for dim in loop_sequence(nest) if dim in fixed]
    if rank != sorted(rank):
        names = ", ".join([stage.loops[d].name for d in fixed])
        yield f"the loops over {names} depend on each other and must keep their order"


def loop_sequence(nest: Nest) -> list[int]:
    """The dimension of every loop, innermost first: those that are unrolled, then those of each level."""
    chains = {dim: steps_of(nest, dim) for dim in nest.order}
    block = [dim for dim in nest.order if chains[dim][1] != 1]
    block.sort(key=lambda dim: dim != nest.vector)
    levels = reversed(range(len(nest.tiles)))
    return block + [dim for level in levels for dim in nest.order if any(at == level for at, _ in chains[dim][0])]


def _copies(stage: StageInfo, nest: Nest, whole: Mapping[int, int]) -> int:
    """Copies of the body in the block. `whole`: the extents of dimensions that lie whole in it, as far as known."""
    sizes = []
    for dim in range(len(stage.loops)):
        size = steps_of(nest, dim)[1]
        if ranges_over(stage, dim):
            sizes.append(size if size != FULL else whole.get(dim, 1))
    return max(1, math.prod(sizes) // nest.lanes)
