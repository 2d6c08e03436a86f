"""The compute levels that enclose a Func's consumers, and what CPUs and GPUs share of checking and repairing states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.space.cpu.nests import default_nests
from pipec.autoschedule.space.state import ROOT_STORE, FuncPlacement, Nest, NestLevel, State, Where

Path = tuple[NestLevel, ...]
"""Compute levels from the outermost to the innermost, each inside the one before."""


def stage_path(state: State, func: str, stage: int) -> Path:
    """The compute levels around the block of one stage: those around the Func, then its own that hold whole tiles."""
    nest = state[func].nests[stage]
    # Between points that are apart lies what other blocks compute.
    levels = len(nest.tiles) - (nest.interleaved is not None)
    return path_of(state, NestLevel(func, stage, 0), levels)


def func_path(state: State, func: str) -> Path:
    """All compute levels around a Func that is computed at a compute level; () at root."""
    nest_level = state[func].compute
    if nest_level is None:
        return ()
    return path_of(state, nest_level)


def path_of(state: State, nest_level: NestLevel, levels: int | None = None) -> Path:
    """The compute levels around and including `nest_level`; `levels`: of its nest only so many."""
    count = nest_level.level + 1 if levels is None else levels
    own = tuple([NestLevel(nest_level.func, nest_level.stage, level) for level in range(count)])
    return func_path(state, nest_level.func) + own


def readers(dag: Dag, state: State, func: str) -> tuple[tuple[str, int], ...]:
    """The stages that load `func`, through inlined Funcs too."""
    stages: dict[tuple[str, int], None] = {}
    visited: set[str] = set()
    pending = list(dag.consumers[func])
    while pending:
        name, stage = pending.pop()
        if state[name].where is not Where.INLINE:
            stages[name, stage] = None
        elif name not in visited:
            visited.add(name)
            pending += dag.consumers[name]
    return tuple(stages)


def common_path(dag: Dag, state: State, func: str) -> Path:
    """The compute levels that enclose every stage that loads `func`; () when it can only be at root."""
    if dag.funcs[func].output:
        return ()
    stages = readers(dag, state, func)
    if any(dag.funcs[name].fixed for name, _ in stages):
        return ()
    path = shared_prefix([stage_path(state, *stage) for stage in stages])
    # A call of a C function computes all of its box: there is nothing inside.
    return tuple([level for level in path if level.stage or not dag.funcs[level.func].extern])


def shared_prefix(paths: Iterable[Path]) -> Path:
    """Returns the longest common prefix of several paths of loops."""
    shared: Path | None = None
    for path in paths:
        if shared is None:
            shared = path
            continue
        length = 0
        for a, b in zip(shared, path, strict=False):
            if a != b:
                break
            length += 1
        shared = shared[:length]
    return shared or ()


def parallel_depth(state: State, path: Path) -> int:
    """Returns how many levels of a path lie in or outside of parallel loops, across which windows cannot slide."""
    if not path:
        return 0
    root = path[0]
    return 1 if state[root.func].nests[root.stage].parallel else 0


MoveOut = Callable[[Dag, State, str], FuncPlacement]


def legalized(dag: Dag, state: State, changed: str, move_out: MoveOut | None = None) -> State:
    """The state with every Func whose compute level no longer encloses its readers moved outwards until it does.

    `changed`: the Func whose placement or nests are new; only that, and what it reads or encloses, can have come out of
    order: a placement of another state names a loop that may be missing in this one.
    `move_out`: returns the legal placement of a Func that is computed inside another one; by default for CPUs.
    """
    pending = affected(dag, state, changed) | {changed}
    for func in dag.funcs:
        if func in pending and state[func].where is Where.AT:
            new = (move_out or _moved_out)(dag, state, func)
            if new is not state[func]:
                state = state.placing_all({func: new})
                pending |= affected(dag, state, func)
    return state


def problems_of_state(dag: Dag, state: State, check: Callable[[FuncInfo], str | None]) -> list[str]:
    """Why `state` can't be carried out; nothing when it can. `check`: the first problem of one Func."""
    texts = [f"{name}: is not part of the pipeline" for name in state.placements if name not in dag.funcs]
    texts += [f"{name}: has no place" for name in dag.funcs if name not in state.placements]
    if texts:
        return texts
    checked = [(name, None if func.fixed else check(func)) for name, func in dag.funcs.items()]
    return [f"{name}: {text}" for name, text in checked if text is not None]


def problems_of_nests(
    func: FuncInfo, placement: FuncPlacement, check: Callable[[StageInfo, Nest], Iterable[str]]
) -> Iterator[str]:
    """Yields what is wrong with the storage order of a Func and, by `check`, with the nest of each stage."""
    if len(placement.nests) != len(func.stages):
        yield f"has {len(func.stages)} stages and {len(placement.nests)} nests"
        return
    if placement.storage and sorted(placement.storage) != list(range(len(func.arguments))):
        yield f"the order of storage {placement.storage} does not name every dimension once"
    for stage, nest in zip(func.stages, placement.nests, strict=True):
        for text in check(stage, nest):
            yield f"stage {stage.number}: {text}"


def affected(dag: Dag, state: State, changed: str) -> set[str]:
    """The Funcs whose legal compute levels depend on that of `changed`: those inside it, and all that these read."""
    inside = [changed]
    for name in dag.funcs:
        nest_level = state.placements[name].compute
        if nest_level is not None and nest_level.func in inside:
            inside.append(name)
    names: set[str] = set(inside)
    pending = inside
    while pending:
        for name in dag.producers[pending.pop()]:
            if name not in names:
                names.add(name)
                if state[name].where is Where.INLINE:
                    pending.append(name)
    names.discard(changed)
    return names


def _moved_out(dag: Dag, state: State, func: str) -> FuncPlacement:
    placement, allowed = state[func], common_path(dag, state, func)
    nest_level, store = placement.compute, placement.store
    assert nest_level is not None
    if nest_level in allowed:
        within = allowed[: allowed.index(nest_level) + 1]
        if store is None or may_store(state, within, store):
            return placement
        return FuncPlacement(Where.AT, nest_level, None, placement.nests, placement.storage)
    around = _chain(state, nest_level)
    shared = shared_prefix([around, allowed])
    if not shared:
        return FuncPlacement(Where.ROOT, None, None, default_nests(dag, dag.funcs[func], root=True), placement.storage)
    keep = store if store is not None and may_store(state, shared, store) else None
    return FuncPlacement(Where.AT, shared[-1], keep, placement.nests, placement.storage)


def may_store(state: State, path: Path, store: NestLevel) -> bool:
    """Whether what is computed at the end of `path` may be stored at `store`."""
    if store == ROOT_STORE:
        return parallel_depth(state, path) == 0
    return store in path[:-1]


def _chain(state: State, nest_level: NestLevel) -> Path:
    """The compute levels around and including `nest_level`, as far as they still exist."""
    placement = state[nest_level.func]
    if placement.where is Where.INLINE or nest_level.stage >= len(placement.nests):
        return ()
    return path_of(state, nest_level, min(nest_level.level + 1, len(placement.nests[nest_level.stage].tiles)))
