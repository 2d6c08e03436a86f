"""A stage of a frozen definition as its schedule sees it."""

from __future__ import annotations

from pipec.func.definition import FuncDef
from pipec.ir.expr import Expr, Variable
from pipec.schedule.directive import StageRef
from pipec.schedule.schedule import Dim
from pipec.schedule.shape import StageShape


def stage_dims(func: FuncDef, number: int) -> tuple[Dim, ...]:
    """The variables of a stage as defined, innermost first: reduction variables inside pure ones."""
    if number == 0:
        return tuple(Dim(name) for name in func.args)
    stage = func.stages[number]
    reductions = tuple(Dim(loop.name, True) for loop in stage.rvars)
    pure = tuple(Dim(name) for name, arg in zip(func.args, stage.args, strict=True) if is_pure_arg(arg, name))
    return reductions + pure


def is_pure_arg(arg: Expr, name: str) -> bool:
    return isinstance(arg, Variable) and arg.name == name


def stage_shape(func: FuncDef, number: int) -> StageShape:
    """What the checks of directives need to know of a stage."""
    stage = func.stages[number]
    rvars = tuple((loop.name, loop.minimum, loop.extent) for loop in stage.rvars)
    return StageShape(
        StageRef(func.name, number),
        stage_dims(func, number),
        func.args,
        stage.args,
        stage.values,
        stage.predicate,
        rvars,
        str(stage.location),
    )
