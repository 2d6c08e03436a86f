"""Params and reduction variables as plain variables of the same name, which is all that statements know.

What a constraint fixes to a number (`image.dim(2).set_bounds(0, 3)`) is that number: the call is refused otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from pipec.func.functions.definition import PipelineDef
from pipec.ir.expr import Const, Expr, ParameterRef, ReductionVariable, Variable
from pipec.ir.node import Node
from pipec.ir.simplify import simplify
from pipec.ir.walk import rewrite
from pipec.lower.planning.plan import buffer_symbol
from pipec.records import fields, replace
from pipec.schedule.directive import Directive
from pipec.schedule.schedule import Schedule


def constrained_numbers(definition: PipelineDef) -> dict[str, Const]:
    """The minima and extents of buffer arguments that constraints fix, by the names that expressions call them."""
    numbers: dict[str, Const] = {}
    for image in chain(definition.images.values(), definition.output_constraints.values()):
        for dimension, (minimum, extent, _) in enumerate(image.constraints):
            for what, given in (("min", minimum), ("extent", extent)):
                value = None if given is None else simplify(given)
                if isinstance(value, Const):
                    numbers[buffer_symbol(image.name, what, dimension).name] = value
    return numbers


def as_variables(
    e: Expr, memo: dict[Node, Expr] | None = None, numbers: Mapping[str, Const] | None = None
) -> Expr:
    """`e` without ParameterRef and ReductionVariable; `numbers`: names whose values are known."""
    known = numbers or {}

    def change(node: Expr) -> Expr:
        if isinstance(node, (ParameterRef, ReductionVariable)):
            return known.get(node.name) or Variable(node.type, node.name)
        return node

    return rewrite(e, change, memo)


def schedule_as_variables(schedule: Schedule, numbers: Mapping[str, Const]) -> Schedule:
    """`schedule` with such factors and bounds."""
    if not any(_symbolic(directive) for directive in schedule.directives):
        return schedule
    memo: dict[Node, Expr] = {}
    changed = [
        replace(directive, **{name: as_variables(value, memo, numbers) for name, value in _symbolic(directive).items()})
        for directive in schedule.directives
    ]
    return Schedule(tuple(changed))


def _symbolic(directive: Directive) -> dict[str, Expr]:
    """The fields that hold an expression other than a number."""
    values = {field.name: getattr(directive, field.name) for field in fields(directive)}
    return {name: value for name, value in values.items() if isinstance(value, Expr) and not isinstance(value, Const)}
