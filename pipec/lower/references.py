"""Params and reduction variables as plain variables of the same name, which is all that statements know."""

from __future__ import annotations

from dataclasses import fields, replace

from pipec.ir.expr import Const, Expr, ParameterRef, ReductionVariable, Variable
from pipec.ir.node import Node
from pipec.ir.walk import rewrite
from pipec.schedule.directive import Directive
from pipec.schedule.schedule import Schedule


def as_variables(e: Expr, memo: dict[Node, Expr] | None = None) -> Expr:
    """`e` without ParameterRef and ReductionVariable."""

    def change(node: Expr) -> Expr:
        if isinstance(node, ParameterRef | ReductionVariable):
            return Variable(node.type, node.name)
        return node

    return rewrite(e, change, memo)


def schedule_as_variables(schedule: Schedule) -> Schedule:
    """`schedule` with such factors and bounds."""
    if not any(_symbolic(directive) for directive in schedule.directives):
        return schedule
    memo: dict[Node, Expr] = {}
    changed = [
        replace(directive, **{name: as_variables(value, memo) for name, value in _symbolic(directive).items()})
        for directive in schedule.directives
    ]
    return Schedule(tuple(changed))


def _symbolic(directive: Directive) -> dict[str, Expr]:
    """The fields that hold an expression other than a number."""
    values = {field.name: getattr(directive, field.name) for field in fields(directive)}
    return {name: value for name, value in values.items() if isinstance(value, Expr) and not isinstance(value, Const)}
