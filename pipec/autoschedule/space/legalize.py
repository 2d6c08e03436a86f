"""The compute levels that enclose a Func's consumers, and states made legal after a change."""

from __future__ import annotations

from collections.abc import Iterable

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.cpu.nests import default_nests
from pipec.autoschedule.space.state import ROOT_STORE, FuncPlacement, NestLevel, State, Where

Path = tuple[NestLevel, ...]
"""Compute levels from the outermost to the innermost, each inside the one before."""


def stage_path(state: State, func: str, stage: int) -> Path:
    """The compute levels around the block of one stage: those around the Func, then its own that hold whole tiles."""
    nest = state[func].nests[stage]
    # Between points that are apart lies what other blocks compute.
    levels = len(nest.tiles) - (nest.interleaved is not None)
    return func_path(state, func) + tuple([NestLevel(func, stage, level) for level in range(levels)])


def func_path(state: State, func: str) -> Path:
    """All compute levels around a Func that is computed at a compute level; () at root."""
    nest_level = state[func].compute
    if nest_level is None:
        return ()
    levels = tuple([NestLevel(nest_level.func, nest_level.stage, level) for level in range(nest_level.level + 1)])
    return func_path(state, nest_level.func) + levels


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
    return shared_prefix([stage_path(state, *stage) for stage in stages])


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


def legalized(dag: Dag, state: State, changed: str) -> State:
    """The state with every Func that no longer encloses its readers moved outwards until it does.

    `changed`: the Func whose placement or nests are new; only what it reads or encloses can have come out of order.
    """
    placements: dict[str, FuncPlacement] = {}
    current: State = state
    pending = affected(dag, state, changed)
    for func in dag.funcs:
        if func not in pending or current[func].where is not Where.AT:
            continue
        placement = current[func]
        new = _moved_out(dag, func, placement, current, common_path(dag, current, func))
        if new is not placement:
            placements[func] = new
            current = state.placing_all(placements)
            pending |= affected(dag, current, func)
    return current


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


def _moved_out(dag: Dag, func: str, placement: FuncPlacement, state: State, allowed: Path) -> FuncPlacement:
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
    levels = min(nest_level.level + 1, len(placement.nests[nest_level.stage].tiles))
    return func_path(state, nest_level.func) + tuple(
        [NestLevel(nest_level.func, nest_level.stage, k) for k in range(levels)]
    )
