"""The arguments of a lowered program: their order, their strides, and the checks of what constraints demand of them."""

from __future__ import annotations

from pipec.func.functions.definition import ImageDef, PipelineDef
from pipec.ir import build
from pipec.ir.expr import Expr, const
from pipec.ir.program import Argument, ArgumentKind
from pipec.ir.simplify import simplify
from pipec.ir.types import UInt
from pipec.lower.planning.names import buffer_symbol, output_buffers
from pipec.lower.planning.plain_variables import as_variables
from pipec.lower.planning.plan import LoweringPlan, PlannedCheck


def program_arguments(definition: PipelineDef) -> tuple[Argument, ...]:
    """Images, scalars, then outputs (one for each element of a Tuple)."""
    arguments = [Argument(i.name, ArgumentKind.INPUT, i.type, i.dimensions) for i in definition.images.values()]
    arguments += [Argument(name, ArgumentKind.SCALAR, type_) for name, type_ in definition.scalars.items()]
    for output in definition.outputs:
        func = definition.funcs[output]
        for buffer, type_ in zip(output_buffers(func), func.types, strict=True):
            arguments.append(Argument(buffer, ArgumentKind.OUTPUT, type_, len(func.args)))
    return tuple(arguments)


def known_strides(definition: PipelineDef) -> dict[tuple[str, int], Expr]:
    """The stride of each dimension of each buffer argument: a constant where it is constrained to one."""
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
                # In front: a wrong stride is reported before the errors that follow from it.
                plan.checks.insert(0, PlannedCheck(build.eq(actual, required), "constraint", details, values))


def _constrained(definition: PipelineDef, name: str) -> ImageDef:
    """An image, or the constraints of an output: a dense first dimension unless the user said otherwise."""
    return (
        definition.images.get(name)
        or definition.output_constraints.get(name)
        or ImageDef(name, UInt(8), 1, ((None, None, const(1)),))
    )


def _constraint(image: ImageDef, dimension: int) -> tuple[Expr | None, Expr | None, Expr | None]:
    """The minimum, extent and stride that a dimension must have."""
    return image.constraints[dimension] if dimension < len(image.constraints) else (None, None, None)
