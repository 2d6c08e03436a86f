"""The arguments of a lowered program: their order, strides and constraints, and Params as variables of the same name.

A value that a constraint fixes (`image.dim(2).set_bounds(0, 3)`) is a constant: the call raises an error otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import ImageDef, PipelineDef
from pipec.ir import build
from pipec.ir.expr import Const, Expr, ParameterRef, ReductionVariable, Variable, const
from pipec.ir.node import Node
from pipec.ir.program import ProgramArgument, ProgramArgumentKind
from pipec.ir.types import UInt
from pipec.ir.walk import rewrite
from pipec.lower.planning.names import buffer_symbol, output_buffers
from pipec.lower.planning.plan import LoweringPlan, PlannedCheck
from pipec.schedule.fields import Renaming
from pipec.schedule.schedule import Schedule


def program_arguments(definition: PipelineDef) -> tuple[ProgramArgument, ...]:
    """Images, scalars, then outputs (one for each element of a Tuple)."""
    arguments = [
        ProgramArgument(i.name, ProgramArgumentKind.INPUT, i.type, i.dimensions) for i in definition.images.values()
    ]
    arguments += [
        ProgramArgument(name, ProgramArgumentKind.SCALAR, type_) for name, type_ in definition.scalars.items()
    ]
    for output in definition.outputs:
        func = definition.funcs[output]
        for buffer, type_ in zip(output_buffers(func), func.types, strict=True):
            arguments.append(ProgramArgument(buffer, ProgramArgumentKind.OUTPUT, type_, len(func.args)))
    return tuple(arguments)


def argument_strides(definition: PipelineDef) -> dict[tuple[str, int], Expr]:
    """Returns the stride of each dimension of each buffer argument: a constant where it is constrained to one."""
    strides: dict[tuple[str, int], Expr] = {}
    for argument in program_arguments(definition):
        image = _constrained(definition, argument.name)
        for dimension in range(argument.dimensions):
            stride = _constraint(image, dimension)[2]
            value = None if stride is None else simplify(as_variables(stride))
            if value is not None and build.constant(value) is not None:
                strides[argument.name, dimension] = value
            else:
                strides[argument.name, dimension] = buffer_symbol(argument.name, "stride", dimension)
    return strides


def check_constraints(plan: LoweringPlan) -> None:
    """Adds a check for each minimum, extent and stride that a buffer argument must have."""
    for argument in program_arguments(plan.definition):
        image = _constrained(plan.definition, argument.name)
        for dimension in range(argument.dimensions):
            for what, constraint in zip(("min", "extent", "stride"), _constraint(image, dimension), strict=True):
                if constraint is None:
                    continue
                required = plan.simplifier(as_variables(constraint))
                actual = buffer_symbol(argument.name, what, dimension)
                details = (("buffer", argument.name), ("dimension", str(dimension)), ("what", what))
                values = (("actual", actual), ("wanted", required))
                condition = build.eq(actual, required)
                if what == "stride":
                    # No address depends on the stride of a single element; numpy leaves it to chance.
                    extent = buffer_symbol(argument.name, "extent", dimension)
                    condition = build.or_(condition, build.le(extent, const(1)))
                # In front: a wrong stride is reported before the errors that follow from it.
                plan.checks.insert(0, PlannedCheck(condition, "constraint", details, values))


def _constrained(definition: PipelineDef, name: str) -> ImageDef:
    """Returns an image, or the constraints of an output: a dense first dimension unless the user said otherwise."""
    return (
        definition.images.get(name)
        or definition.output_constraints.get(name)
        or ImageDef(name, UInt(8), 1, ((None, None, const(1)),))
    )


def constraint_of(definition: PipelineDef, buffer: str, dimension: int) -> tuple[Expr | None, Expr | None, Expr | None]:
    """Returns the minimum, extent and stride that a dimension of a buffer argument must have; None: any."""
    return _constraint(_constrained(definition, buffer), dimension)


def _constraint(image: ImageDef, dimension: int) -> tuple[Expr | None, Expr | None, Expr | None]:
    """Returns the minimum, extent and stride that a dimension must have."""
    return image.constraints[dimension] if dimension < len(image.constraints) else (None, None, None)


def constrained_constants(definition: PipelineDef) -> dict[str, Const]:
    """Returns the minima and extents of buffer arguments that constraints fix, by the names that expressions use."""
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
