"""Schedules as text: JSON that comes back as the same value."""

from __future__ import annotations

import enum
import json
from typing import Any

from pipec.errors import ScheduleError
from pipec.ir import expr as nodes
from pipec.ir.expr import Binary, Const, Expr, Intrinsic, Not, ParameterRef, Select
from pipec.ir.stmt import LoopKind, MemoryType, Partition
from pipec.ir.types import INT32, Type, TypeCode
from pipec.records import fields
from pipec.schedule import directive as records
from pipec.schedule.directive import Directive, LoopLevel, StageRef, TailStrategy
from pipec.schedule.python_text import to_python
from pipec.schedule.schedule import Schedule

__all__ = ["from_json", "to_json", "to_python"]

FORMAT = "pipec schedule"
VERSION = 1

_DIRECTIVES: dict[str, type[Directive]] = {
    kind.__name__: kind
    for kind in vars(records).values()
    if isinstance(kind, type) and issubclass(kind, Directive) and kind is not Directive
}
_ENUMS: dict[str, type[enum.Enum]] = {
    "TailStrategy": TailStrategy,
    "LoopKind": LoopKind,
    "MemoryType": MemoryType,
    "Partition": Partition,
}
_BINARY: dict[str, type[Expr]] = {
    kind.__name__: kind
    for kind in vars(nodes).values()
    if isinstance(kind, type) and issubclass(kind, Binary) and kind.SYMBOL
}


def to_json(schedule: Schedule) -> str:
    """One directive a line, with a version number; Params appear by name."""
    lines = [json.dumps(_directive_to_data(d)) for d in schedule.directives]
    body = ",\n    ".join(lines)
    body = f"\n    {body}\n  " if lines else ""
    return f'{{\n  "format": "{FORMAT}",\n  "version": {VERSION},\n  "directives": [{body}]\n}}\n'


def from_json(text: str) -> Schedule:
    """The Schedule that `to_json` wrote."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ScheduleError(f"This is not the JSON text of a schedule: {error}.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ScheduleError(f'This JSON is not a schedule: it has no "format": "{FORMAT}".')
    if data.get("version") != VERSION:
        raise ScheduleError(
            f"The schedule was written in version {data.get('version')} of its format; this pipec reads version "
            f"{VERSION}."
        )
    return Schedule(tuple(_directive(item) for item in data.get("directives", ())))


def _directive_to_data(directive: Directive) -> dict[str, Any]:
    data: dict[str, Any] = {"do": type(directive).__name__}
    for field in fields(directive):
        data[field.name] = _to_data(getattr(directive, field.name))
    return data


def _to_data(value: Any) -> Any:
    match value:
        case Expr():
            return _expr_to_data(value)
        case Directive():
            return _directive_to_data(value)
        case StageRef():
            return [value.func, value.stage, *value.path]
        case LoopLevel():
            return [value.func, value.var, value.stage]
        case enum.Enum():
            return value.name
        case tuple():
            return [_to_data(item) for item in value]
    return value


def _expr_to_data(e: Expr) -> Any:
    match e:
        case Const(type=type_, value=value):
            return value if type_ is INT32 else ["Const", _type_to_data(type_), value]
        case ParameterRef(type=type_, name=name):
            return ["Param", _type_to_data(type_), name]
        case Binary(a=a, b=b):
            return [type(e).__name__, _expr_to_data(a), _expr_to_data(b)]
        case Not(value=value):
            return ["Not", _expr_to_data(value)]
        case nodes.Cast(type=type_, value=value):
            return ["Cast", _type_to_data(type_), _expr_to_data(value)]
        case Select():
            return ["Select", *(_expr_to_data(child) for child in (e.condition, e.true_value, e.false_value))]
        case Intrinsic(type=type_, name=name, args=args):
            return ["Intrinsic", _type_to_data(type_), name, *(_expr_to_data(a) for a in args)]
    raise ScheduleError(f"A schedule can't be written with the expression {e}: use constants and Params only.")


def _type_to_data(type_: Type) -> list[Any]:
    return [type_.code().name, type_.nbits]


def _directive(data: Any) -> Directive:
    """Rebuilds a directive from data of unknown origin."""
    kind = _DIRECTIVES.get(str(data.get("do"))) if isinstance(data, dict) else None
    if kind is None:
        raise ScheduleError(f"Unknown directive in a schedule: {data}. Known: {', '.join(sorted(_DIRECTIVES))}.")
    try:
        values = [_value(str(f.type), data[f.name]) for f in fields(kind)]
        return kind(*values)
    except (KeyError, TypeError, ValueError, AssertionError) as error:
        raise ScheduleError(f"A directive of a schedule can't be read: {data} ({error}).") from None


def _value(annotation: str, data: Any) -> Any:
    match annotation:
        case "StageRef":
            return StageRef(str(data[0]), int(data[1]), tuple(int(number) for number in data[2:]))
        case "LoopLevel":
            return LoopLevel(str(data[0]), str(data[1]), None if data[2] is None else int(data[2]))
        case "Expr":
            return _expr(data)
        case "Expr | None":
            return None if data is None else _expr(data)
        case "tuple[str, ...]":
            return tuple(str(item) for item in data)
        case "tuple[Directive, ...]":
            return tuple(_directive(item) for item in data)
        case "int" | "bool" | "str":
            return {"int": int, "bool": bool, "str": str}[annotation](data)
    return _ENUMS[annotation][data]


def _expr(data: Any) -> Expr:
    if isinstance(data, int):
        return Const(INT32, data)
    kind, *rest = data
    match kind:
        case "Const":
            return Const(_type(rest[0]), rest[1])
        case "Param":
            return ParameterRef(_type(rest[0]), str(rest[1]), None)
        case "Cast":
            return nodes.Cast(_type(rest[0]), _expr(rest[1]))
        case "Intrinsic":
            return Intrinsic(_type(rest[0]), str(rest[1]), tuple(_expr(a) for a in rest[2:]))
        case "Not":
            return Not(_expr(rest[0]))
        case "Select":
            return Select(*(_expr(a) for a in rest))
    return _BINARY[kind](*(_expr(a) for a in rest))


def _type(data: Any) -> Type:
    return Type(TypeCode[data[0]], int(data[1]))
