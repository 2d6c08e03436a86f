"""Schedules as text: JSON that comes back as the same value."""

from __future__ import annotations

import enum
import json
from typing import Any

from pipec.errors import ScheduleError
from pipec.ir import expr as nodes
from pipec.ir.expr import Binary, Const, Expr, Intrinsic, Not, ParameterRef, Select
from pipec.ir.type_data import type_to_data
from pipec.ir.types import INT32
from pipec.records import fields
from pipec.schedule.directive import Directive, LoopLevel, StageRef
from pipec.schedule.json_reader import FORMAT, VERSION, from_json
from pipec.schedule.python_text import to_python
from pipec.schedule.schedule import Schedule

__all__ = ["from_json", "to_json", "to_python"]


def to_json(schedule: Schedule) -> str:
    """One directive a line, with a version number; Params appear by name."""
    lines = [json.dumps(_directive_to_data(d)) for d in schedule.directives]
    body = ",\n    ".join(lines)
    body = f"\n    {body}\n  " if lines else ""
    return f'{{\n  "format": "{FORMAT}",\n  "version": {VERSION},\n  "directives": [{body}]\n}}\n'


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
            return value if type_ is INT32 else ["Const", type_to_data(type_), value]
        case ParameterRef(type=type_, name=name):
            return ["Param", type_to_data(type_), name]
        case Binary(a=a, b=b):
            return [type(e).__name__, _expr_to_data(a), _expr_to_data(b)]
        case Not(value=value):
            return ["Not", _expr_to_data(value)]
        case nodes.Cast(type=type_, value=value):
            return ["Cast", type_to_data(type_), _expr_to_data(value)]
        case Select():
            return ["Select", *(_expr_to_data(child) for child in (e.condition, e.true_value, e.false_value))]
        case Intrinsic(type=type_, name=name, args=args):
            return ["Intrinsic", type_to_data(type_), name, *(_expr_to_data(a) for a in args)]
    raise ScheduleError(f"A schedule can't be written with the expression {e}: use constants and Params only.")
