"""Funcs stored in another order, so that the lanes of those that read them lie side by side in memory.

What still goes across their rows does it in squares, which are transposed in registers.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, StageInfo
from pipec.autoschedule.dag.inlining import InlinedStages
from pipec.autoschedule.space.cpu.nests import default_nests
from pipec.autoschedule.space.edits import placed, root, with_nest
from pipec.autoschedule.space.legalize import readers
from pipec.autoschedule.space.state import FULL, Nest, State, Where
from pipec.records import replace


def innermost_first(func: FuncInfo, dim: int) -> tuple[int, ...]:
    """The order of storage in which `dim` is innermost; () when it is anyway."""
    return (dim, *[d for d in range(len(func.arguments)) if d != dim]) if dim else ()


def layout_changes(dag: Dag, state: State, func: str) -> Iterator[State]:
    """Yields the states that change how vectors of `func` read Funcs across rows.

    First these Funcs are stored along the lanes: those that are stored anyway, or else those inlined into `func`. Then
    `func` reads them in squares, which are transposed in registers.
    """
    if state[func].where is Where.INLINE:
        return
    yield _stored_along_lanes(dag, state, func)
    yield _read_in_squares(dag, state, func)
    loads = dict.fromkeys([load.name for stage in dag.funcs[func].stages for load in stage.loads])
    copies = [name for name in loads if name in dag.funcs and state[name].where is Where.INLINE]
    copies = [name for name in copies if not dag.funcs[name].must_inline]
    if copies and _stored_along_lanes(dag, state, func) != state:
        for name in copies:
            state = placed(dag, state, name, root(default_nests(dag, dag.funcs[name], root=True)))
        yield _stored_along_lanes(dag, state, func)


def _stored_along_lanes(dag: Dag, state: State, func: str) -> State:
    changed = {}
    for name, dim in _along_lanes(dag, state, func).items():
        info = dag.funcs[name]
        storage = () if dim is None else innermost_first(info, dim)
        if dim is not None and storage != state[name].storage and not (info.fixed or info.extern or info.output):
            changed[name] = storage
    for name, storage in changed.items():
        state = in_squares(dag, state.placing(**{name: replace(state[name], storage=storage)}), name)
    return in_squares(dag, state, func) if state[func].storage else state


def in_squares(dag: Dag, state: State, func: str) -> State:
    """The state in which all stages that store `func`, or load it, across its rows have blocks of whole squares."""
    inner = state[func].storage[0] if state[func].storage else 0
    stages = [(func, stage.number) for stage in dag.funcs[func].stages]
    for name, number in (*stages, *readers(dag, state, func)):
        nest, info = state[name].nests[number], _stage(dag, state, name, number)
        accesses = [info.store] if name == func else [load for load in info.loads if load.name == func]
        for along in _across(accesses, inner, nest):
            other = squared(info, nest, along)
            if other is not None:
                state = with_nest(dag, state, name, number, other)
                break
    return state


def _read_in_squares(dag: Dag, state: State, func: str) -> State:
    for number, nest in enumerate(state[func].nests):
        info = _stage(dag, state, func, number)
        for load in info.loads:
            storage = state[load.name].storage if load.name in dag.funcs else ()
            for along in _across([load], storage[0] if storage else 0, nest):
                nest = squared(info, nest, along) or nest
        if nest != state[func].nests[number]:
            state = with_nest(dag, state, func, number, nest)
    return state


def squared(stage: StageInfo, nest: Nest, along: int) -> Nest | None:
    """The nest with a block of as many points of a dimension as it has lanes; None where it has, or cannot."""
    lanes = nest.lanes
    if (
        stage.loops[along].reduction
        or nest.tiles[-1][along] == FULL
        or nest.tiles[-1][along] % lanes == 0
        or stage.loops[along].extent < lanes
    ):
        return None
    tiles = [list(tile) for tile in nest.tiles]
    for tile in tiles:
        if tile[along] != FULL:
            tile[along] = max(lanes, tile[along] - tile[along] % lanes)
    return replace(nest, tiles=tuple([tuple(tile) for tile in tiles]))


def _across(accesses: list[Access], inner: int, nest: Nest) -> Iterator[int]:
    """The loops that go along the rows of what vectors access across them."""
    for access in accesses:
        row = access.jacobian[inner] if access.jacobian else None
        if nest.vector is not None and row is not None and not row[nest.vector]:
            if nest.vector in _moving_loops(access):
                yield from [j for j, factor in enumerate(row) if abs(factor) == 1]


def _moving_loops(access: Access) -> set[int]:
    return {j for row in access.jacobian for j, factor in enumerate(row or ()) if factor}.union(*access.values)


def _along_lanes(dag: Dag, state: State, func: str) -> dict[str, int | None]:
    """For each stored Func that `func` loads the dimension in which neighbouring lanes differ; None for several."""
    dims: dict[str, int | None] = {}
    for stage, nest in zip(dag.funcs[func].stages, state[func].nests, strict=True):
        if nest.vector is None:
            continue
        for load in _stage(dag, state, func, stage.number).loads:
            moving = [d for d in range(len(load.jacobian)) if _changes(load, d, nest.vector)]
            if load.name in dag.funcs and moving:
                dim = moving[0] if len(moving) == 1 else None
                dims[load.name] = dim if dims.get(load.name, dim) == dim else None
    return dims


def _changes(load: Access, d: int, loop: int) -> bool:
    """Whether a coordinate changes with a loop."""
    row = load.jacobian[d]
    if load.values and loop in load.values[d]:
        return True
    return not load.values if row is None else row[loop] != 0


def _stage(dag: Dag, state: State, func: str, number: int) -> StageInfo:
    """A stage with what the state inlines."""
    question = (InlinedStages,)
    inlining = dag.notes.get(question)
    if inlining is None:
        inlining = dag.notes[question] = InlinedStages(dag)
    result: StageInfo = inlining.stage(func, number, state.inlined)
    return result
