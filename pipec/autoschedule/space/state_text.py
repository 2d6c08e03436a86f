"""States as JSON text and back, for databases and training data."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.space.state import ROOT_STORE, Factoring, FuncPlacement, Nest, NestLevel, State, Where
from pipec.errors import ArgumentError
from pipec.records import replace


def to_json(state: State) -> str:
    """The state as one line of JSON."""
    funcs = {name: _placement(placement) for name, placement in state.placements.items()}
    factorings = [[f.func, f.stage, f.rvar, f.size, f.inner] for f in state.factorings]
    return json.dumps({"funcs": funcs, "factorings": factorings}, separators=(",", ":"))


def from_json(text: str) -> State:
    """The state that `to_json` wrote. ArgumentError when the text is something else."""
    try:
        return state_of_data(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"Error: This is not the JSON text of a state of the search: {error}.") from None


def state_of_data(data: Any) -> State:
    """As `from_json`, from what the JSON text holds."""
    match data:
        case {"funcs": dict(funcs), "factorings": [*factorings]}:
            placements = {name: _read_placement(fields) for name, fields in funcs.items()}
            return State(placements, tuple([_read_factoring(fields) for fields in factorings]))
    raise ArgumentError(f"Error: This is no state of the search: {data!r:.80}.")


def malformed(dag: Dag, state: State) -> str:
    """Why the numbers and names of a state are not about the Funcs of a dag; empty when they are.

    `Space.problems` assumes a state that passes.
    """
    if set(state.placements) != set(dag.funcs):
        return "it is about other Funcs"
    for func in dag.funcs.values():
        placement = state[func.name]
        if placement.where is not Where.INLINE and not func.fixed and len(placement.nests) != len(func.stages):
            return f"{func.name} has {len(func.stages)} stages and {len(placement.nests)} nests"
        for stage, nest in zip(func.stages, placement.nests, strict=False):
            count = len(stage.loops)
            dims = (*nest.order, *nest.parallel, *[dim for dim in (nest.vector, nest.interleaved) if dim is not None])
            if any(len(tile) != count for tile in nest.tiles) or any(not 0 <= dim < count for dim in dims):
                return f"{func.name} has {count} loops"
        for nest_level in (placement.compute, placement.store):
            if nest_level is not None and nest_level != ROOT_STORE and not _exists(state, nest_level):
                return f"there is no {nest_level}"
    for name in dag.funcs:
        around, depth = state[name].compute, 0
        while around is not None and depth <= len(dag.funcs):
            around, depth = state[around.func].compute, depth + 1
        if around is not None:
            return f"{name} is computed inside of itself"
    return ""


def _exists(state: State, nest_level: NestLevel) -> bool:
    nests = state[nest_level.func].nests if nest_level.func in state.placements else ()
    return 0 <= nest_level.stage < len(nests) and 0 <= nest_level.level < len(nests[nest_level.stage].tiles)


def _placement(placement: FuncPlacement) -> list[Any]:
    nests = [_nest(nest) for nest in placement.nests]
    nest_levels = [_nest_level(placement.compute), _nest_level(placement.store)]
    return [placement.where.value, *nest_levels, nests, placement.storage, int(placement.streamed)]


def _nest(nest: Nest) -> list[Any]:
    fields = [nest.tiles, nest.order, nest.vector, nest.lanes, nest.parallel, int(nest.atomic)]
    if nest.tensor:
        return [*fields, nest.interleaved, nest.tensor]
    return fields if nest.interleaved is None else [*fields, nest.interleaved]


def _nest_level(nest_level: NestLevel | None) -> list[Any] | None:
    return None if nest_level is None else [nest_level.func, nest_level.stage, nest_level.level]


def _read_placement(data: Any) -> FuncPlacement:
    match data:
        case [str(where), compute, store, [*nests], storage, streamed] if where in [kind.value for kind in Where]:
            read = tuple([_read_nest(fields) for fields in nests])
            return FuncPlacement(
                Where(where),
                _read_nest_level(compute),
                _read_nest_level(store),
                read,
                _numbers(storage),
                _flag(streamed),
            )
    raise ValueError(f"{data!r:.80} is no place of a Func")


def _read_nest(data: Any) -> Nest:
    match data:
        case [[*tiles], order, vector, lanes, parallel, atomic, *rest, str(tensor)] if len(rest) == 1:
            dims = [dim for dim in rest if dim is not None]
            return replace(_read_nest([tiles, order, vector, lanes, parallel, atomic, *dims]), tensor=tensor)
        case [[*tiles], order, vector, lanes, parallel, atomic, *rest] if len(rest) <= 1:
            sizes = tuple([_numbers(tile) for tile in tiles])
            dim = None if vector is None else _number(vector)
            interleaved = _number(rest[0]) if rest and rest[0] is not None else None
            return Nest(sizes, _numbers(order), dim, _number(lanes), _numbers(parallel), _flag(atomic), interleaved)
    raise ValueError(f"{data!r:.80} are no loops of a stage")


def _read_nest_level(data: Any) -> NestLevel | None:
    if data is None or data == list(astuple(ROOT_STORE)):
        return None if data is None else ROOT_STORE
    match data:
        case [str(func), stage, level]:
            return NestLevel(func, _number(stage), _number(level))
    raise ValueError(f"{data!r:.80} is no compute level")


def _read_factoring(data: Any) -> Factoring:
    match data:
        case [str(func), stage, str(rvar), size, inner] if _number(size) > 0:
            return Factoring(func, _number(stage), rvar, size, _flag(inner))
    raise ValueError(f"{data!r:.80} is no factoring")


def _numbers(data: Any) -> tuple[int, ...]:
    if not isinstance(data, list):
        raise ValueError(f"{data!r:.80} are no numbers")
    return tuple([_number(value) for value in data])


def _number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 31:
        raise ValueError(f"{value!r:.80} is no size or number")
    return value


def _flag(value: Any) -> bool:
    if type(value) not in (bool, int) or value not in (0, 1):
        raise ValueError(f"{value!r:.80} is not true or false")
    return bool(value)
