"""What the checks of directives know about a stage and a Func, and how they word a refusal."""

from __future__ import annotations

from collections.abc import Iterable

from pipec.errors import ScheduleError
from pipec.ir.expr import TRUE, Const, Expr, FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import postorder
from pipec.records import dataclass
from pipec.schedule.directive import StageRef
from pipec.schedule.schedule import Dim, Schedule, StageLoops, stage_loops

OUTERMOST = "__outermost"


@dataclass(frozen=True, eq=False)
class StageShape:
    """A stage as far as its schedule is concerned.

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
        return self.ref.stage > 0

    def loops(self, schedule: Schedule) -> StageLoops:
        return stage_loops(schedule, self.ref, self.dims)


@dataclass(frozen=True, eq=False)
class FuncShape:
    """A Func as far as its place and storage are concerned: its name and pure variables, dimension 0 first."""

    name: str
    args: tuple[str, ...]
    location: str = ""


Name = str | Dim
"""A variable given to a directive: a Dim says whether it was a Var or an RVar, a str stands for either."""


def name_of(variable: Name) -> str:
    return variable if isinstance(variable, str) else variable.name


def as_factor(factor: Expr | int) -> Expr:
    return factor if isinstance(factor, Expr) else Const(INT32, factor)


def refuse(text: str, location: str, loops: StageLoops | Iterable[str] | None = None) -> ScheduleError:
    """The error `text`, followed by the names that could have been used and the user's line of the definition."""
    lines = [f"Error: {text}"]
    if loops is not None:
        names = loops.names() if isinstance(loops, StageLoops) else tuple(loops)
        lines.append(f"Vars: {' '.join(names)}")
    if location:
        lines.append(f"Defined at {location}.")
    return ScheduleError("\n".join(lines))


def check_scalar(value: Expr, what: str, subject: str, location: str) -> None:
    """Raises unless `value` is an int32 made of constants and Params."""
    if value.type is not INT32:
        text = f"In schedule for {subject}, {what} has type {value.type}, not int32."
        raise refuse(f"{text} Use an int, or hl.i32(...).", location)
    for node in postorder(value):
        if isinstance(node, Variable | ReductionVariable | FuncCall | ImageCall):
            text = f"In schedule for {subject}, {what} depends on {node}."
            raise refuse(f"{text} It may use constants and Params only.", location)
