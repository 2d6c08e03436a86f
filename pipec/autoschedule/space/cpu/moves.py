"""The space: what may be decided for one Func of a state, and small changes of complete states. All of it is legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.space.cpu.layout_changes import innermost_first, layout_changes
from pipec.autoschedule.space.cpu.nests import (
    default_nests,
    has_reduction,
    is_scan,
    scalar_scans,
    vector_candidates,
    whole_block,
)
from pipec.autoschedule.space.cpu.tensors import tensor_states
from pipec.autoschedule.space.cpu.variations import (
    chooses_by,
    interleavings,
    nest_changes,
    nest_variations,
    slabs,
    small_dims,
    strip_by_strip,
)
from pipec.autoschedule.space.edits import at, placed, root, with_nest
from pipec.autoschedule.space.legalize import common_path, may_store, readers
from pipec.autoschedule.space.state import FULL, INLINED, ROOT_STORE, FuncPlacement, Nest, NestLevel, State, Where
from pipec.records import replace

MAX_CHILDREN = 96


def children(dag: Dag, state: State, func: str) -> list[State]:
    """The states in which `func` has been decided, its readers having been; the state itself is among them."""
    info = dag.funcs[func]
    if info.fixed or info.extern:
        return [state]
    if info.must_inline and info.inlinable:
        return [placed(dag, state, func, INLINED)]
    states: dict[State, None] = {state: None}
    if info.inlinable:
        states[placed(dag, state, func, INLINED)] = None
    for nests in root_nests(dag, info):
        for storage in storages(info, nests, state[func]):
            states[placed(dag, state, func, replace(root(nests), storage=storage))] = None
    if not info.output:
        streams = [placements_inside(dag, state, func)]
        streams += [places(dag, varied, func) for varied in host_variations(dag, state, func)]
        for candidate in round_robin(streams):
            states[candidate] = None
            if len(states) >= MAX_CHILDREN:
                break
    for changes in (layout_changes, full_dimension_blocks, packings, tensor_states):
        states |= dict.fromkeys([other for candidate in states for other in changes(dag, candidate, func)])
    return list(states)


def packings(dag: Dag, state: State, func: str) -> Iterator[State]:
    """The state with a copy that `func` reads stored at each compute level around it.

    Blocks that read across the rows of memory pay only together with a copy in which these are neighbours.
    """
    names = dict.fromkeys([load.name for stage in dag.funcs[func].stages for load in stage.loads])
    for name in names:
        info = dag.funcs.get(name)
        if info is None or not info.copies or info.must_inline or state[name].where is not Where.INLINE:
            continue
        for nest_level in common_path(dag, state, name)[:-1]:
            nests = next(inner_nests(dag, state, info, nest_level))
            yield placed(dag, state, name, at(nest_level, nests))


def round_robin(streams: list[Iterator[State]]) -> Iterator[State]:
    """One of each in turn, so that a cap cuts no kind of child off."""
    while streams:
        left = []
        for stream in streams:
            candidate = next(stream, None)
            if candidate is not None:
                yield candidate
                left.append(stream)
        streams = left


def root_nests(dag: Dag, func: FuncInfo) -> Iterator[tuple[Nest, ...]]:
    """Nests of a Func at root: other vector dimensions, blocks of several rows, reductions outside or inside."""
    vectors: list[int | None] = [*vector_candidates(dag, func, func.stages[0])] or [None]
    for place, vector in enumerate(vectors):
        for unroll in (1, 2, 4) if place == 0 else (1,):
            yield default_nests(dag, func, root=True, vector=vector, unroll=unroll)
        if any(map(has_reduction, func.stages)):
            nests = default_nests(dag, func, root=True, vector=vector, outer_reduction=_is_no_scan)
            yield nests
            yield tuple(map(strip_by_strip, nests))
    scans = scalar_scans(dag, func)
    if scans is not None:
        yield scans


def _is_no_scan(stage: StageInfo) -> bool:
    return not is_scan(stage)


def places(dag: Dag, state: State, func: str) -> Iterator[State]:
    """The state with `func` at each compute level around its readers, innermost first; stored there or one further."""
    path = common_path(dag, state, func)
    info = dag.funcs[func]
    for depth in range(len(path) - 1, -1, -1):
        kinds = 2 if any(has_reduction(stage) for stage in info.stages) else 1
        storage = state[func].storage
        for nests in islice(inner_nests(dag, state, info, path[depth]), kinds):
            yield placed(dag, state, func, replace(at(path[depth], nests), storage=storage))
        store = next(stores(state, path[: depth + 1]), None)
        if info.pure and store is not None:
            yield placed(dag, state, func, at(path[depth], nests, store))


def placements_inside(dag: Dag, state: State, func: str) -> Iterator[State]:
    """The same with all nests, orders of storage and compute levels to store at."""
    path = common_path(dag, state, func)
    info = dag.funcs[func]
    for depth in range(len(path) - 1, -1, -1):
        for nests in inner_nests(dag, state, info, path[depth]):
            for storage in storages(info, nests, state[func]):
                yield placed(dag, state, func, replace(at(path[depth], nests), storage=storage))
            if info.pure:
                for store in stores(state, path[: depth + 1]):
                    yield placed(dag, state, func, at(path[depth], nests, store))


def storages(func: FuncInfo, nests: tuple[Nest, ...], placement: FuncPlacement) -> list[tuple[int, ...]]:
    """Orders of storage to try: that of the arguments, the one in which the vectors of the last stage are dense, and
    the one that its readers are best served with."""
    orders: dict[tuple[int, ...], None] = {(): None}
    vector = nests[-1].vector
    if vector and vector < len(func.arguments) and not func.output:
        orders[innermost_first(func, vector)] = None
    orders[placement.storage] = None
    return list(orders)


def stores(state: State, path: tuple[NestLevel, ...]) -> Iterator[NestLevel]:
    """Compute levels further out than the end of `path` where a sliding window may be stored."""
    for nest_level in reversed(path[:-1]):
        if may_store(state, path, nest_level):
            yield nest_level
    if may_store(state, path, ROOT_STORE):
        yield ROOT_STORE


def inner_nests(dag: Dag, state: State, func: FuncInfo, nest_level: NestLevel) -> Iterator[tuple[Nest, ...]]:
    """Nests of a Func that is computed at `nest_level`."""
    host = state[nest_level.func].nests[nest_level.stage]
    innermost = nest_level.level == len(host.tiles) - 1
    vectors: list[int | None] = [*vector_candidates(dag, func, func.stages[0])] or [None]
    for vector in vectors:
        plain = default_nests(dag, func, root=False, vector=vector)
        reduces = any(map(has_reduction, func.stages))
        if innermost:
            # One block of the host is a block here too: values stay in registers.
            yield tuple(map(whole_block, plain, func.stages))
            continue
        if reduces:
            yield tuple(map(whole_block, plain, func.stages))
        yield plain
        rows = _rows_of_block(host)
        if rows > 1:
            yield default_nests(dag, func, root=False, vector=vector, unroll=rows)
        if reduces:
            yield default_nests(dag, func, root=False, vector=vector, outer_reduction=_is_no_scan)


def _rows_of_block(nest: Nest) -> int:
    rows = [extent for d, extent in enumerate(nest.tiles[-1]) if d != nest.vector and extent > 1]
    return min(rows) if rows else 1


def host_variations(dag: Dag, state: State, func: str) -> Iterator[State]:
    """The state with other levels in the nests around the readers of `func`, the innermost nests first."""
    path = common_path(dag, state, func)
    if not path:
        return
    reduction = any(has_reduction(stage) for stage in dag.funcs[func].stages)
    for host, stage in dict.fromkeys((nest_level.func, nest_level.stage) for nest_level in reversed(path)):
        nest, reader = state[host].nests[stage], dag.funcs[host].stages[stage]
        strips = slabs(reader, nest, _followed(reader, dag.funcs[func]))
        for other, moved in (*strips, *nest_variations(dag, reader, nest, reduction)):
            varied = with_nest(dag, state, host, stage, other, moved)
            if varied != state:
                yield varied


def _followed(reader: StageInfo, func: FuncInfo) -> frozenset[int]:
    """The loops of a reader that move along dimensions of `func` that its updates write whole, as scans do."""
    whole = [d for d, ends in enumerate(func.written) if ends is not None]
    rows = [load.jacobian[d] for load in reader.loads if load.name == func.name for d in whole]
    return frozenset([loop for row in rows if row is not None for loop, factor in enumerate(row) if factor])


def neighbours(dag: Dag, state: State, func: str) -> list[State]:
    """States that differ from `state` by one change at `func`: its place, its store, or the nest of one stage."""
    info, placement = dag.funcs[func], state[func]
    at_root = placement.where is Where.ROOT
    if info.fixed or info.extern or (info.must_inline and info.inlinable):
        return []
    states: dict[State, None] = {}
    for candidate in _other_places(dag, state, info, placement):
        states[candidate] = None
    if placement.where is not Where.INLINE:
        for dim in range(len(info.arguments)):
            storage = innermost_first(info, dim)
            if not info.output and info.extent[dim] > 1 and storage != placement.storage:
                states[placed(dag, state, func, replace(placement, storage=storage))] = None
        for number, stage in enumerate(info.stages):
            nest = placement.nests[number]
            for other, moved in nest_changes(dag, info, stage, nest, at_root):
                states[with_nest(dag, state, func, number, other, moved)] = None
            if at_root:
                for other, moved in nest_variations(dag, stage, nest, False):
                    states[with_nest(dag, state, func, number, other, moved)] = None
        for candidate in _other_lanes(dag, state, info, placement):
            states[candidate] = None
    states.pop(state, None)
    return list(states)


def _other_lanes(dag: Dag, state: State, info: FuncInfo, placement: FuncPlacement) -> Iterator[State]:
    """The state with the vectors of all stages along each dimension, and what they read stored in that order."""
    yield from layout_changes(dag, state, info.name)
    kinds = root_nests(dag, info) if placement.compute is None else inner_nests(dag, state, info, placement.compute)
    for nests in kinds:
        vector = nests[-1].vector
        if vector is None or vector == placement.nests[-1].vector:
            continue
        for storage in storages(info, nests, placement):
            other = placed(dag, state, info.name, replace(placement, nests=nests, storage=storage))
            yield other
            yield from layout_changes(dag, other, info.name)


def _other_places(dag: Dag, state: State, info: FuncInfo, placement: FuncPlacement) -> Iterator[State]:
    if info.inlinable and placement.where is not Where.INLINE:
        yield placed(dag, state, info.name, INLINED)
    if placement.where is not Where.ROOT:
        yield placed(dag, state, info.name, root(default_nests(dag, info, root=True)))
    if placement.where is Where.AT:
        path = common_path(dag, state, info.name)
        for depth, nest_level in enumerate(path):
            if nest_level != placement.compute:
                yield placed(dag, state, info.name, replace(placement, compute=nest_level, store=None))
            if info.pure:
                for store in stores(state, path[: depth + 1]):
                    if (nest_level, store) != (placement.compute, placement.store):
                        yield placed(dag, state, info.name, replace(placement, compute=nest_level, store=store))
    elif not info.output:
        yield from placements_inside(dag, state, info.name)


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
    return bool(stage.interleaves) or any([chooses_by(stage, dim) for dim in range(len(stage.loops))])


def _whole(dag: Dag, state: State, func: str, number: int) -> Iterator[State]:
    nest = state[func].nests[number]
    for other, moved in small_dims(dag.funcs[func].stages[number], nest):
        if _all(other) > _all(nest):
            yield with_nest(dag, state, func, number, other, moved)
    for other, moved in interleavings(dag.funcs[func].stages[number], nest):
        if other.interleaved is not None:
            yield with_nest(dag, state, func, number, other, moved)


def _all(nest: Nest) -> int:
    """Returns the number of dimensions that a block covers fully."""
    return nest.tiles[-1].count(FULL)
