"""Frozen definitions of Funcs and pipelines: all that lowering, autodiff and the search see of a user's program."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, wraps
from typing import Any, Protocol, TypeVar, cast

from pipec.bounds.simplify import simplify
from pipec.diagnostics import TOPICS, enabled
from pipec.errors import DefinitionError, PipecError, ScheduleError
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr, ExternValue, FuncCall, Undef, Variable
from pipec.ir.placeholders import defined_parts, mentions_undef
from pipec.ir.types import Type
from pipec.ir.walk import instances
from pipec.records import dataclass, field, replace
from pipec.schedule.directive import Directive, StageDirective
from pipec.schedule.fields import StageRef
from pipec.schedule.schedule import Dim, Schedule
from pipec.schedule.shape import FuncShape, StageShape
from pipec.schedule.specialize import require_version


@dataclass(frozen=True)
class SourceLocation:
    """The user's file and line that created an object."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else "unknown line"


Change = Callable[[Expr], Expr]


@dataclass(frozen=True, eq=False)
class ReductionLoop:
    """One dimension of a reduction domain: int32 expressions of Params and constants only."""

    name: str
    minimum: Expr
    extent: Expr


@dataclass(frozen=True, eq=False)
class StageDef:
    """A definition of a Func: stage 0 is pure (its args are Variables), later ones are updates.

    `rvars`: the loops of the RDom, innermost (fastest) first; `predicate`: its where-condition (bool).
    """

    args: tuple[Expr, ...]
    values: tuple[Expr, ...]
    rvars: tuple[ReductionLoop, ...] = ()
    predicate: Expr = TRUE
    location: SourceLocation = field(default_factory=SourceLocation)

    @property
    def roots(self) -> tuple[Expr, ...]:
        """The coordinates, the values and the predicate."""
        return (*self.args, *self.values, self.predicate)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """The roots, and the minimum and extent of each loop of the RDom."""
        return (*self.roots, *[end for loop in self.rvars for end in (loop.minimum, loop.extent)])

    @cached_property
    def callees(self) -> tuple[str, ...]:
        """The names of the Funcs that it calls, in order of first mention."""
        return tuple(dict.fromkeys([call.name for call in instances(FuncCall, *self.expressions)]))

    def mapped(self, change: Change) -> StageDef:
        """Returns the stage with `change` applied to every expression."""
        loops = tuple([ReductionLoop(loop.name, change(loop.minimum), change(loop.extent)) for loop in self.rvars])
        args, values = tuple(map(change, self.args)), tuple(map(change, self.values))
        return replace(self, args=args, values=values, rvars=loops, predicate=change(self.predicate))


@dataclass(frozen=True, eq=False)
class FuncDef:
    """A Func: pure variable names (dimension 0 first), a type for each element of its value, its stages."""

    name: str
    args: tuple[str, ...]
    types: tuple[Type, ...]
    stages: tuple[StageDef, ...]
    location: SourceLocation = field(default_factory=SourceLocation)

    @property
    def pure(self) -> bool:
        """Whether the Func has a pure definition only: no updates and no C function."""
        return len(self.stages) == 1 and self.extern is None

    @property
    def extern(self) -> ExternValue | None:
        """The call of the C function that computes it; None for other Funcs."""
        value = self.stages[0].values[0] if self.stages else None
        return value if isinstance(value, ExternValue) else None

    def mapped(self, change: Change) -> FuncDef:
        """Returns the Func with `change` applied to every expression."""
        return replace(self, stages=tuple([stage.mapped(change) for stage in self.stages]))


class Definitions(Protocol):
    """A Func with its definitions: a FuncDef, or a Function that still grows."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def args(self) -> tuple[str, ...]:
        """Its pure variables, dimension 0 first."""

    @property
    def stages(self) -> Sequence[StageDef]:
        """Its definitions."""

    @property
    def location(self) -> SourceLocation:
        """The user's line that created it."""


def stage_dims(func: Definitions, number: int) -> tuple[Dim, ...]:
    """The variables of a stage as defined, innermost first: reduction variables inside pure ones."""
    if number == 0:
        extern = any(isinstance(value, ExternValue) for value in func.stages[0].values)
        return tuple([Dim(name, extern=extern) for name in func.args])
    stage = func.stages[number]
    reductions = [Dim(loop.name, True) for loop in stage.rvars]
    pure = [Dim(name) for name, arg in zip(func.args, stage.args, strict=True) if is_pure_arg(arg, name)]
    return tuple(reductions + pure)


def is_pure_arg(arg: Expr, name: str) -> bool:
    """Whether an index of an update is the pure variable of that name."""
    return isinstance(arg, Variable) and arg.name == name


def stage_shape(func: Definitions, number: int, path: tuple[int, ...] = ()) -> StageShape:
    """The shape of a stage, or of its specialization at `path`, for the checks of directives."""
    stage = func.stages[number]
    rvars = tuple([(loop.name, loop.minimum, loop.extent) for loop in stage.rvars])
    ref, dims, location = StageRef(func.name, number, path), stage_dims(func, number), str(stage.location)
    return StageShape(ref, dims, func.args, stage.args, stage.values, stage.predicate, rvars, location)


def func_shape(func: Definitions) -> FuncShape:
    """The shape of a Func for the checks of directives."""
    return FuncShape(func.name, func.args, str(func.location))


def require_func(funcs: Mapping[str, Definitions], name: str) -> None:
    """Raises ScheduleError when a schedule has directives for a Func that is none of `funcs`."""
    if name not in funcs:
        raise ScheduleError(
            f'Error: The schedule has directives for Func "{name}", which is not part of this pipeline. '
            f"Its Funcs are: {', '.join(funcs)}."
        )


def require_stage(funcs: Mapping[str, Definitions], stage: StageRef) -> None:
    """Raises ScheduleError when a schedule has directives for a stage that its Func, one of `funcs`, does not have."""
    func = funcs[stage.func]
    if not 0 <= stage.stage < len(func.stages):
        raise ScheduleError(
            f'Error: The schedule has directives for {stage}, but Func "{func.name}" has {len(func.stages) - 1} update '
            f"definitions. ({func.location})"
        )


def replayed(directive: Directive, schedule: Schedule, funcs: Mapping[str, Definitions]) -> Schedule:
    """`schedule` followed by `directive`, which is checked as if the user gave it to one of `funcs`."""
    require_func(funcs, directive.owner)
    shape: StageShape | FuncShape = func_shape(funcs[directive.owner])
    if isinstance(directive, StageDirective):
        require_stage(funcs, directive.stage)
        require_version(schedule, directive.stage)
        shape = stage_shape(funcs[directive.owner], directive.stage.stage, directive.stage.path)
    return directive.apply(schedule, shape, *directive.arguments())


@dataclass(frozen=True, eq=False)
class ImageDef:
    """A buffer argument: what ImageCalls of this name read (or, for an output, constraints on it).

    `constraints[d]` = (min, extent, stride), each None or an int32 expression that the buffer must have.
    `traced`: loads are reported. `any_stride`: the stride of dimension 0 is 1 by default, not by a constraint of the
    user, so that calls may pass other strides: code for them is compiled when first needed.
    """

    name: str
    type: Type
    dimensions: int
    constraints: tuple[tuple[Expr | None, Expr | None, Expr | None], ...] = ()
    traced: bool = False
    any_stride: bool = False


@dataclass(frozen=True, eq=False)
class PipelineDef:
    """A whole program. `funcs` holds every Func reachable from the outputs, producers before consumers.

    Expressions refer to Funcs, images and scalars by name: FuncCall.name, ImageCall.name, ParameterRef.name.
    `facts`: questions about the target (TargetFact) among the ParameterRefs; `for_target` answers them.
    """

    name: str
    outputs: tuple[str, ...]
    funcs: dict[str, FuncDef]
    images: dict[str, ImageDef]
    scalars: dict[str, Type]
    output_constraints: dict[str, ImageDef] = field(default_factory=dict)
    requirements: tuple[tuple[Expr, tuple[Expr | str, ...]], ...] = ()
    facts: tuple[Any, ...] = ()


def without_undef(func: FuncDef) -> FuncDef:
    """The Func with conditions on its stages in the place of undef; elements never stored stay Undef."""
    stages = tuple([_defined_part(stage, func.name) for stage in func.stages])
    return func if all(a is b for a, b in zip(stages, func.stages, strict=True)) else replace(func, stages=stages)


def _defined_part(stage: StageDef, name: str) -> StageDef:
    if not mentions_undef((*stage.args, *stage.values)):
        return stage
    parts = defined_parts((*stage.args, *stage.values))
    args, values = parts[: len(stage.args)], parts[len(stage.args) :]
    nothing = any(arg is None for arg, _ in args)
    value_conditions = [condition for value, condition in values if value is not None]
    _check_conditions("args", [condition for _, condition in args], name, stage)
    _check_conditions("values", value_conditions, name, stage)
    condition = build.all_of([stage.predicate, *[condition for _, condition in args], *value_conditions[:1]])
    return replace(
        stage,
        args=tuple([own if new is None else new for own, (new, _) in zip(stage.args, args, strict=True)]),
        values=tuple(
            [
                Undef(own.type) if new is None or nothing else new
                for own, (new, _) in zip(stage.values, values, strict=True)
            ]
        ),
        predicate=simplify(condition),
    )


def _check_conditions(what: str, conditions: Sequence[Expr], name: str, stage: StageDef) -> None:
    """The elements of a Tuple are stored together or not at all."""
    if what == "args":
        conditions = [condition for condition in conditions if condition is not TRUE]
    for number in range(1, len(conditions)):
        if conditions[number] is not conditions[0]:
            shown = ["(undefined)" if c is TRUE else str(c) for c in (conditions[number - 1], conditions[number])]
            raise DefinitionError(
                f"Error: Conditionally-undef {what} in a Tuple should have the same conditions\n"
                f"  Condition {number - 1}: {shown[0]}\n  Condition {number}: {shown[1]}\n"
                f"In a definition of Func {name} ({stage.location}): give all elements undef under one condition, or "
                "make the elements Funcs of their own."
            )


_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))) + os.sep


F = TypeVar("F", bound=Callable[..., Any])


def short_traceback(error: PipecError) -> PipecError:
    """The error without the frames inside of pipec so far: users look for their own line. PIPEC_LOG keeps them."""
    return error if any(map(enabled, TOPICS)) else error.with_traceback(None)


def with_short_tracebacks(method: F) -> F:
    """Decorates a method that users call: its errors have tracebacks that end there."""

    @wraps(method)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            return method(*args, **keywords)
        except PipecError as error:
            raise short_traceback(error) from error.__cause__

    return cast(F, call)


def frames_to_user() -> int:
    """Returns the number of frames between the caller and the user's code (as `stacklevel` counts)."""
    depth = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        depth += 1
    return depth


def user_location() -> SourceLocation:
    """The user's file and line that is running now."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return SourceLocation(frame.f_code.co_filename, frame.f_lineno)
