"""The directives that give a stage several versions of its loops, chosen when the pipeline runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipec.errors import NotSupportedError, ScheduleError
from pipec.ir.expr import Binary, Expr, FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.walk import postorder
from pipec.schedule.directive import StageDirective
from pipec.schedule.fields import Condition, StageRef
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape, refuse

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter


class Specialize(StageDirective):
    """Where `condition` holds the stage runs in another version, whose schedule begins as that of `stage` is now.

    The version's path is that of `stage` and the number of specializations that `stage` had before.
    """

    METHOD = "specialize"
    ADDS_VERSION = True

    condition: Condition

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, condition: Expr) -> Schedule:
        """Refuses conditions that are not constant during a run; a condition given before changes nothing."""
        _check_condition(stage, condition)
        before = versions(schedule, stage.ref)
        if any(isinstance(d, Specialize) and d.condition is condition for d in before):
            return schedule
        if before and isinstance(before[-1], SpecializeFail):
            raise refuse(
                "Cannot add new specializations after specialize_fail().\n"
                f"In schedule for {stage.ref}: specialize_fail() applies to all other cases, so it comes last.",
                stage.location,
            )
        return schedule.add(cls(stage.ref, condition))

    def to_call(self, writer: CallWriter) -> str:
        """The condition stands without parentheses."""
        return f".specialize({writer.condition(self.condition)})"


class SpecializeFail(StageDirective):
    """Where none of the specializations before applies, the pipeline fails with `message`."""

    METHOD = "specialize_fail"
    ADDS_VERSION = True
    RETURNS_SUBJECT = False

    message: str

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, message: str) -> Schedule:
        """Refuses an empty message, and a second one."""
        if not message:
            text = f"Argument passed to specialize_fail() must not be empty. (In schedule for {stage.ref}.)"
            raise refuse(text, stage.location)
        if any(isinstance(d, SpecializeFail) for d in versions(schedule, stage.ref)):
            text = f"Only one specialize_fail() may be defined per Stage. (In schedule for {stage.ref}.)"
            raise refuse(text, stage.location)
        return schedule.add(cls(stage.ref, message))


def versions(schedule: Schedule, stage: StageRef) -> list[StageDirective]:
    """The directives that give the stage its versions."""
    return [directive for directive in schedule.of_stage(stage) if directive.ADDS_VERSION]


def version_for(schedule: Schedule, stage: StageRef, condition: Expr) -> StageRef:
    """The version of `stage` for where `condition` holds, which the schedule must have."""
    conditions = [getattr(directive, "condition", None) for directive in versions(schedule, stage)]
    return StageRef(stage.func, stage.stage, (*stage.path, conditions.index(condition)))


def is_specialized(schedule: Schedule, stage: StageRef) -> bool:
    """Whether the stage has versions."""
    return bool(versions(schedule, stage))


def require_version(schedule: Schedule, stage: StageRef) -> None:
    """Raises unless the schedule gives `stage` the specialization that it names."""
    for depth, number in enumerate(stage.path):
        parent = StageRef(stage.func, stage.stage, stage.path[:depth])
        count = len(versions(schedule, parent))
        if not 0 <= number < count:
            raise ScheduleError(
                f"Error: The schedule has directives for specialization {number} of {stage}, which has {count}."
            )


def _check_condition(stage: StageShape, condition: Expr) -> None:
    if not condition.type.boolean:
        raise refuse(
            f"Argument passed to specialize must be of type bool\nIn schedule for {stage.ref}: {condition} has type "
            f"{condition.type}. Compare it, for example with == or >.",
            stage.location,
        )
    text = f"({condition})" if isinstance(condition, Binary) else str(condition)
    for node in postorder(condition):
        if isinstance(node, Variable | ReductionVariable):
            raise refuse(
                f"Specialization condition {text} for {stage.ref} depends on Var or RVar {node.name}. "
                "Specialization conditions may not depend on any Vars or RVars.\n"
                "One version of the loops runs for all of them: use constants, Params and sizes of buffers.",
                stage.location,
            )
        if isinstance(node, FuncCall | ImageCall):
            kind = "Func" if isinstance(node, FuncCall) else "buffer"
            raise NotSupportedError(
                f"Error: Specialization condition {text} for {stage.ref} reads the {kind} {node.name}, which is "
                "not supported: use constants, Params and sizes of buffers, and pass what is read as a Param. "
                f"({stage.location})"
            )
