"""Schedules as JSON text that reads back as the same value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pipec.errors import ScheduleError
from pipec.ir.expr import Binary, Cast, Const, Expr, Intrinsic, Not, ParameterRef, Select
from pipec.ir.node_data import NODES, checked_node, constant_of_data, node_data, node_fields
from pipec.ir.types import INT32
from pipec.schedule.directive import Directive, StageDirective, directive_from_data
from pipec.schedule.fields import StageRef, shortened

FORMAT = "pipec schedule"
VERSION = 1

_NODES = {
    name: kind
    for name, kind in NODES.items()
    if issubclass(kind, Binary) or kind in (Const, ParameterRef, Cast, Not, Select, Intrinsic)
}
"""The nodes that expressions in a schedule consist of."""


def to_json(directives: Sequence[Directive]) -> str:
    """The text of a schedule: one directive a line, with a version number; Params appear by name."""
    lines = [json.dumps(directive.to_data(_expr_to_data)) for directive in directives]
    body = ",\n    ".join(lines)
    body = f"\n    {body}\n  " if lines else ""
    return f'{{\n  "format": "{FORMAT}",\n  "version": {VERSION},\n  "directives": [{body}]\n}}\n'


def from_json(text: str) -> tuple[Directive, ...]:
    """The directives that `to_json` wrote. ScheduleError when the text is something else, or damaged."""
    try:
        return directives_of_data(json.loads(text))
    except ValueError as error:
        raise ScheduleError(f"Error: This is not the JSON text of a schedule: {error}.") from None
    except RecursionError:
        raise ScheduleError("Error: This is not the JSON text of a schedule: it nests too deep.") from None


def directives_of_data(data: Any) -> tuple[Directive, ...]:
    """As `from_json`, from the data in the JSON text."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ScheduleError(f'Error: This JSON is not a schedule: it has no "format": "{FORMAT}".')
    if data.get("version") != VERSION:
        raise ScheduleError(
            f"Error: The schedule was written in version {shortened(data.get('version'))} of its format; this pipec"
            f" reads version {VERSION}."
        )
    if not isinstance(data.get("directives"), list):
        raise ScheduleError('Error: This JSON is not a schedule: it has no list of "directives".')
    directives = tuple([_directive(item) for item in data["directives"]])
    versions: Counter[StageRef] = Counter()  # how many specializations each stage has so far
    for directive in directives:
        for stage in [value for value in vars(directive).values() if isinstance(value, StageRef)]:
            for depth, number in enumerate(stage.path):
                count = versions[StageRef(stage.func, stage.stage, stage.path[:depth])]
                if number >= count:
                    raise ScheduleError(
                        f"Error: The schedule has directives for specialization {number} of {stage}, which has {count}."
                    )
        if isinstance(directive, StageDirective) and directive.ADDS_VERSION:
            versions[directive.stage] += 1
    return directives


def _directive(item: Any) -> Directive:
    try:
        return directive_from_data(item, _expr)
    except (ValueError, TypeError, RecursionError) as error:
        raise ScheduleError(f"Error: A directive of a schedule can't be read: {shortened(item)}: {error}.") from None


def _expr_to_data(e: Expr) -> Any:
    """An int32 constant as a number, another node as a list of its kind and its fields."""
    if isinstance(e, Const) and e.type is INT32:
        return e.value
    if type(e).__name__ not in _NODES:
        raise ScheduleError(f"A schedule can't be written with the expression {e}: use constants and Params only.")
    return node_data(e, _expr_to_data)


def _expr(data: Any) -> Expr:
    if type(data) is int:
        return constant_of_data(INT32, data)
    if not isinstance(data, list) or not data or not isinstance(data[0], str) or data[0] not in _NODES:
        raise ValueError(f"{shortened(data)} is no expression")
    kind = _NODES[data[0]]
    return checked_node(kind, node_fields(kind, data[1:], _expr))
