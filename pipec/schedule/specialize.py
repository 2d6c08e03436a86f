"""Checked directives that give a stage several versions of its loops, chosen when the pipeline runs."""

from __future__ import annotations

from pipec.errors import NotSupportedError, ScheduleError
from pipec.ir.expr import Binary, Expr, FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.walk import postorder
from pipec.schedule.directive import Specialize, SpecializeFail, StageRef
from pipec.schedule.schedule import Schedule, version_of
from pipec.schedule.shape import StageShape, refuse


def specialize(schedule: Schedule, stage: StageShape, condition: Expr) -> tuple[Schedule, StageRef]:
    """A version of `stage` for where `condition` holds; the same condition gives the same version again."""
    _check_condition(stage, condition)
    given = [d for d in schedule.of_stage(stage.ref) if isinstance(d, Specialize | SpecializeFail)]
    for number, known in enumerate(given):
        if isinstance(known, Specialize) and known.condition is condition:
            return schedule, StageRef(stage.ref.func, stage.ref.stage, (*stage.ref.path, number))
    if given and isinstance(given[-1], SpecializeFail):
        raise refuse(
            "Cannot add new specializations after specialize_fail().\n"
            f"In schedule for {stage.ref}: specialize_fail() answers all that is left, so it comes last.",
            stage.location,
        )
    added = Specialize(stage.ref, condition)
    return schedule.add(added), version_of(added, given)[0]


def specialize_fail(schedule: Schedule, stage: StageShape, message: str) -> Schedule:
    """The pipeline fails with `message` where no specialisation before applies."""
    if not message:
        raise refuse(
            f"Argument passed to specialize_fail() must not be empty. (In schedule for {stage.ref}.)", stage.location
        )
    if any(isinstance(d, SpecializeFail) for d in schedule.of_stage(stage.ref)):
        raise refuse(
            f"Only one specialize_fail() may be defined per Stage. (In schedule for {stage.ref}.)", stage.location
        )
    return schedule.add(SpecializeFail(stage.ref, message))


def is_specialized(schedule: Schedule, stage: StageRef) -> bool:
    """Whether the stage has versions."""
    return any(isinstance(d, Specialize | SpecializeFail) for d in schedule.of_stage(stage))


def require_version(schedule: Schedule, stage: StageRef) -> None:
    """Raises unless the schedule gives `stage` the specialisation that it names."""
    if not stage.path:
        return
    parent = StageRef(stage.func, stage.stage, stage.path[:-1])
    require_version(schedule, parent)
    count = sum(isinstance(d, Specialize | SpecializeFail) for d in schedule.of_stage(parent))
    if not 0 <= stage.path[-1] < count:
        raise ScheduleError(
            f"Error: The schedule has directives for specialization {stage.path[-1]} of {stage}, which has {count}."
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
