"""Schedules from JSON text of unknown origin: every field is checked, so that the result is a schedule or an error."""

from __future__ import annotations

import enum
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pipec.errors import InternalError, ScheduleError
from pipec.ir import expr as nodes
from pipec.ir.expr import Binary, Const, Expr, Intrinsic, Not, ParameterRef, Select
from pipec.ir.stmt import LoopKind, MemoryType, Partition
from pipec.ir.type_data import constant_of_data, type_of_data
from pipec.ir.types import INT32
from pipec.ir.verify import check_type
from pipec.records import fields
from pipec.schedule import directive as records
from pipec.schedule.directive import (
    AlignBounds,
    AlignStorage,
    Directive,
    FoldStorage,
    LoopLevel,
    Rfactor,
    Specialize,
    SpecializeFail,
    Split,
    StageRef,
    TailStrategy,
    Traced,
)
from pipec.schedule.schedule import Schedule

FORMAT = "pipec schedule"
VERSION = 1
_SHOWN = 200
"""Characters of damaged data that a message quotes."""
_DIRECTIVES: dict[str, type[Directive]] = {
    kind.__name__: kind
    for kind in vars(records).values()
    if isinstance(kind, type) and issubclass(kind, Directive) and kind is not Directive
}
_ENUMS: dict[str, type[enum.Enum]] = {
    kind.__name__: kind for kind in (TailStrategy, LoopKind, MemoryType, Partition, Traced)
}
_PLAIN: dict[str, type] = {"int": int, "bool": bool, "str": str}
_BINARY: dict[str, type[Expr]] = {
    kind.__name__: kind
    for kind in vars(nodes).values()
    if isinstance(kind, type) and issubclass(kind, Binary) and kind.SYMBOL
}


def from_json(text: str) -> Schedule:
    """The Schedule that `to_json` wrote. ScheduleError when the text is something else, or damaged."""
    try:
        return schedule_of_data(json.loads(text))
    except ValueError as error:
        raise ScheduleError(f"Error: This is not the JSON text of a schedule: {error}.") from None
    except RecursionError:
        raise ScheduleError("Error: This is not the JSON text of a schedule: it nests too deep.") from None


def schedule_of_data(data: Any) -> Schedule:
    """As `from_json`, from what the JSON text holds."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ScheduleError(f'Error: This JSON is not a schedule: it has no "format": "{FORMAT}".')
    if data.get("version") != VERSION:
        raise ScheduleError(
            f"Error: The schedule was written in version {data.get('version')!r:.80} of its format; this pipec reads"
            f" version {VERSION}."
        )
    if not isinstance(data.get("directives"), list):
        raise ScheduleError('Error: This JSON is not a schedule: it has no list of "directives".')
    directives: list[Directive] = []
    versions: Counter[StageRef] = Counter()  # how many specialisations each stage has so far
    for item in data["directives"]:
        directive = _directive(item)
        for stage in (getattr(directive, "stage", None), getattr(directive, "other", None)):
            if isinstance(stage, StageRef):
                _check_version(stage, versions)
        if isinstance(directive, Specialize | SpecializeFail):
            versions[directive.stage] += 1
        directives.append(directive)
    return Schedule(tuple(directives))


def _check_version(stage: StageRef, versions: Mapping[StageRef, int]) -> None:
    for depth, number in enumerate(stage.path):
        owner = StageRef(stage.func, stage.stage, stage.path[:depth])
        if number >= versions.get(owner, 0):
            raise ScheduleError(
                f"Error: The schedule has directives for specialization {number} of {stage}, which has"
                f" {versions.get(owner, 0)}."
            )


def _directive(data: Any) -> Directive:
    word = data.get("do") if isinstance(data, dict) else None
    kind = _DIRECTIVES.get(word) if isinstance(word, str) else None
    if kind is None:
        known = ", ".join(sorted(_DIRECTIVES))
        raise ScheduleError(f"Error: Unknown directive in a schedule: {data!r:.{_SHOWN}}. Known: {known}.")
    try:
        values = [_value(str(field.type), _part(data, field.name)) for field in fields(kind)]
        made = kind(*values)
        _check(made)
    except (ValueError, RecursionError) as error:
        raise ScheduleError(f"Error: A directive of a schedule can't be read: {data!r:.{_SHOWN}}: {error}.") from None
    return made


def _part(data: dict[str, Any], name: str) -> Any:
    if name not in data:
        raise ValueError(f"it has no {name}")
    return data[name]


def _check(directive: Directive) -> None:
    """ValueError when a directive has no meaning for any stage or Func."""
    match directive:
        case Split(factor=Const(value=number)) | FoldStorage(factor=Const(value=number)) if number < 1:
            raise ValueError(f"the factor {number} is not positive")
        case AlignBounds(modulus=number) | AlignStorage(alignment=number) if number < 1:
            raise ValueError(f"the alignment {number} is not positive")
        case Specialize(condition=condition) if not condition.type.boolean:
            raise ValueError(f"the condition {condition} is no bool")
        case Rfactor(rvars=rvars, variables=variables) if len(rvars) != len(variables):
            raise ValueError("there are not as many variables as rvars")
        case Rfactor(merging=merging, inner=inner) if merging < 0 or inner < 0:
            raise ValueError("numbers of directives are negative")


def _value(annotation: str, data: Any) -> Any:
    """A field of a directive, which must be of the annotated type."""
    if annotation.endswith(" | None"):
        return None if data is None else _value(annotation.removesuffix(" | None"), data)
    if annotation in _PLAIN:
        if type(data) is not _PLAIN[annotation]:
            raise ValueError(f"{data!r:.80} is no {annotation}")
        return data
    if annotation in _ENUMS:
        if not isinstance(data, str) or data not in _ENUMS[annotation].__members__:
            raise ValueError(f"{data!r:.80} is no {annotation}")
        return _ENUMS[annotation][data]
    match annotation, data:
        case "Expr", _:
            return _expr(data)
        case "StageRef", [str(func), *numbers] if func and numbers and all(map(_is_index, numbers)):
            return StageRef(func, numbers[0], tuple(numbers[1:]))
        case "LoopLevel", [str(func), str(var), stage] if stage is None or _is_index(stage):
            level = LoopLevel(func, var, stage)
            if bool(func and var) or level.is_root or level.is_inlined:
                return level
        case "tuple[str, ...]", [*_] if all(type(item) is str for item in data):
            return tuple(data)
        case "tuple[Directive, ...]", [*_]:
            return tuple([_directive(item) for item in data])
    raise ValueError(f"{data!r:.80} is no {annotation}")


def _is_index(value: Any) -> bool:
    return type(value) is int and value >= 0


def _expr(data: Any) -> Expr:
    if type(data) is int:
        return Const(INT32, constant_of_data(INT32, data))
    made = _node(data)
    try:
        check_type(made)
    except InternalError:
        raise ValueError(f"{data!r:.80} is no expression") from None
    return made


def _node(data: Any) -> Expr:
    match data:
        case ["Const", kind, value]:
            return Const(type_of_data(kind), constant_of_data(type_of_data(kind), value))
        case ["Param", kind, str(name)] if name:
            return ParameterRef(type_of_data(kind), name, None)
        case ["Cast", kind, value]:
            return nodes.Cast(type_of_data(kind), _expr(value))
        case ["Intrinsic", kind, str(name), *args]:
            return Intrinsic(type_of_data(kind), name, tuple([_expr(arg) for arg in args]))
        case ["Not", value]:
            return Not(_expr(value))
        case ["Select", condition, true_value, false_value]:
            chosen = _expr(true_value), _expr(false_value)
            if chosen[0].type is chosen[1].type:
                return Select(_expr(condition), *chosen)
        case [str(word), left, right] if word in _BINARY:
            a, b = _expr(left), _expr(right)
            if a.type is b.type:
                return _BINARY[word](a, b)
    raise ValueError(f"{data!r:.80} is no expression")
