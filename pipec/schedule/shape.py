"""Shapes of stages and Funcs: the input of the checks of directives, which raise ScheduleErrors of one form."""

from __future__ import annotations

from collections.abc import Iterable

from pipec.errors import ScheduleError
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Const, Expr, FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import postorder
from pipec.records import dataclass
from pipec.schedule.fields import OUTERMOST, StageRef
from pipec.schedule.schedule import Dim, Loop, Schedule, StageLoops, stage_loops


@dataclass(frozen=True, eq=False)
class StageShape:
    """The parts of a stage that the checks of its schedule read.

    `dims`: its variables, innermost first. `func_args`: the Func's pure variables. `args`, `values`, `predicate`: the
    definition. `rvars`: (name, minimum, extent) of each reduction variable. `location`: the user's line, for errors.
    """

    ref: StageRef
    dims: tuple[Dim, ...]
    func_args: tuple[str, ...] = ()
    args: tuple[Expr, ...] = ()
    values: tuple[Expr, ...] = ()
    predicate: Expr = TRUE
    rvars: tuple[tuple[str, Expr, Expr], ...] = ()
    location: str = ""

    @property
    def is_update(self) -> bool:
        """Whether the stage is an update definition."""
        return self.ref.stage > 0

    def loops(self, schedule: Schedule) -> StageLoops:
        """The loops that `schedule` gives the stage."""
        return stage_loops(schedule, self.ref, self.dims)


@dataclass(frozen=True, eq=False)
class FuncShape:
    """The parts of a Func that the checks of its schedule read: its name and pure variables, dimension 0 first."""

    name: str
    args: tuple[str, ...]
    location: str = ""

    @property
    def ref(self) -> str:
        """The reference by which directives name the Func."""
        return self.name


Name = str | Dim
"""A variable in a directive: a Dim says whether it was a Var or an RVar, a str stands for either."""


def name_of(variable: Name) -> str:
    """The name of a variable."""
    return variable if isinstance(variable, str) else variable.name


def refuse(text: str, location: str, loops: StageLoops | Iterable[str] | None = None) -> ScheduleError:
    """The error `text`, followed by the names that could have been used and the user's line of the definition."""
    lines = [f"Error: {text}"]
    if loops is not None:
        names = loops.names() if isinstance(loops, StageLoops) else tuple(loops)
        lines.append(f"Vars: {' '.join(names)}")
    if location:
        lines.append(f"Defined at {location}.")
    return ScheduleError("\n".join(lines))


def scalar(shape: StageShape | FuncShape, value: Expr | int, what: str, least: int | None = None) -> Expr:
    """`value` as an int32 expression of constants and Params; a constant one must be at least `least`.

    `what`: the name of the value in the ScheduleError that refuses another one.
    """
    where = f"In schedule for {shape.ref}, {what}"
    expression = value if isinstance(value, Expr) else Const(INT32, value)
    if expression.type is not INT32:
        raise refuse(
            f"{where} {expression} has type {expression.type}, not int32. Use an int, or hl.i32(...).", shape.location
        )
    for node in postorder(expression):
        if isinstance(node, Variable | ReductionVariable | FuncCall | ImageCall):
            text = f"{where} {expression} depends on {node}. It may use constants and Params only."
            raise refuse(text, shape.location)
    number = constant(expression)
    if least is not None and number is not None and number < least:
        raise refuse(f"{where} is {number}, but must be at least {least}.", shape.location)
    return expression


def variable_kind(reduction: bool) -> str:
    """Returns the user's word for a variable."""
    return "RVar" if reduction else "Var"


def find_loop(stage: StageShape, loops: StageLoops, variable: Name, purpose: str) -> Loop:
    """The loop that a user's variable names; `purpose` completes "could not ..." in the ScheduleError if none does."""
    check_kind(stage, loops, variable)
    loop = loops.find(name_of(variable))
    if loop is None:
        text = f"In schedule for {stage.ref}, could not {purpose} {name_of(variable)}"
        if name_of(variable) == OUTERMOST:
            text += "\nVar.outermost() is the place outside all loops: it runs once and can't be changed."
        raise refuse(text, stage.location, loops)
    return loop


def check_kind(stage: StageShape, loops: StageLoops, variable: Name) -> None:
    """Refuses a Var for an RVar of the same name, and the reverse."""
    loop = loops.find(name_of(variable))
    if isinstance(variable, Dim) and loop is not None and loop.reduction != variable.reduction:
        text = (
            f"{variable_kind(variable.reduction)} {variable.name} used in scheduling directive has the same name as "
            f"existing {variable_kind(loop.reduction)} {loop.name} of {stage.ref}: give the "
            f"{variable_kind(loop.reduction)} itself."
        )
        raise refuse(text, stage.location, loops)
