"""Params and reduction variables as plain variables of the same name: statements have no other kind.

A value that a constraint fixes (`image.dim(2).set_bounds(0, 3)`) is a constant: the call raises an error otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from pipec.func.functions.definition import PipelineDef
from pipec.ir.expr import Const, Expr, ParameterRef, ReductionVariable, Variable
from pipec.ir.node import Node
from pipec.ir.simplify import simplify
from pipec.ir.walk import rewrite
from pipec.lower.planning.names import buffer_symbol
from pipec.schedule.fields import Renaming
from pipec.schedule.schedule import Schedule


def constrained_constants(definition: PipelineDef) -> dict[str, Const]:
    """The minima and extents of buffer arguments that constraints fix, by the names that expressions use."""
    constants: dict[str, Const] = {}
    for image in chain(definition.images.values(), definition.output_constraints.values()):
        for dimension, (minimum, extent, _) in enumerate(image.constraints):
            for what, constraint in (("min", minimum), ("extent", extent)):
                value = None if constraint is None else simplify(constraint)
                if isinstance(value, Const):
                    constants[buffer_symbol(image.name, what, dimension).name] = value
    return constants


def as_variables(e: Expr, memo: dict[Node, Expr] | None = None, constants: Mapping[str, Const] | None = None) -> Expr:
    """Returns `e` with each ParameterRef and ReductionVariable as a Variable, or its constant if it has one."""
    values = constants or {}

    def change(node: Expr) -> Expr:
        if isinstance(node, (ParameterRef, ReductionVariable)):
            return values.get(node.name) or Variable(node.type, node.name)
        return node

    return rewrite(e, change, memo)


def schedule_as_variables(schedule: Schedule, constants: Mapping[str, Const]) -> Schedule:
    """Returns `schedule` with plain variables in its factors, bounds and conditions."""
    expressions = [e for directive in schedule.directives for e in directive.expressions().values()]
    if all(isinstance(e, Const) for e in expressions):
        return schedule
    memo: dict[Node, Expr] = {}
    renaming = Renaming(expression=lambda e: as_variables(e, memo, constants))
    return Schedule(tuple([directive.renamed(renaming) for directive in schedule.directives]))
