"""What in a legal schedule deserves a warning. It is asked for at every compilation, also of what is cached."""

from __future__ import annotations

from collections.abc import Iterable

from pipec.func.functions.definition import FuncDef, PipelineDef
from pipec.schedule.directive import StageRef, Unscheduled
from pipec.schedule.fusion import fused_pairs
from pipec.schedule.schedule import FuncSchedule, Schedule, func_schedule


def schedule_warnings(definition: PipelineDef, schedule: Schedule) -> list[str]:
    """Directives without effect and update stages that were perhaps forgotten, in words."""
    warnings: list[str] = []
    for name, func in definition.funcs.items():
        place = func_schedule(schedule, name)
        if func.pure and place.compute.is_inlined and name not in definition.outputs:
            warnings += _meaningless(name, place)
        warnings += _forgotten(name, func, schedule)
    if fused_pairs(schedule):
        from pipec.lower.legality.check_fused_stages import idle_alignments

        warnings += idle_alignments(definition, schedule)
    return warnings


def _meaningless(name: str, place: FuncSchedule) -> Iterable[str]:
    for var, (low, extent) in place.bounds.items():
        yield (
            f"It is meaningless to bound dimension {var} of function {name} to be within [{low}, {extent}] because "
            "the function is scheduled inline."
        )
    for var, multiple in place.align_extents.items():
        yield (
            f"It is meaningless to align the bounds of dimension {var} of function {name} to have modulus/remainder "
            f"[{multiple}, (undefined)] because the function is scheduled inline."
        )
    for var, (modulus, remainder) in place.align_bounds.items():
        yield (
            f"It is meaningless to align the bounds of dimension {var} of function {name} to have modulus/remainder "
            f"[{modulus}, {remainder}] because the function is scheduled inline."
        )


def _forgotten(name: str, func: FuncDef, schedule: Schedule) -> Iterable[str]:
    touched = [bool(schedule.of_stage(StageRef(name, number))) for number in range(len(func.stages))]
    real = [
        any(not isinstance(d, Unscheduled) for d in schedule.of_stage(StageRef(name, n))) for n in range(len(touched))
    ]
    for number, done in enumerate(touched):
        if number and not done and any(real):
            yield (
                f"Update definition {number - 1} of function {name} has not been scheduled, even though some other "
                "definitions have been. You may have forgotten to schedule it. If this was intentional, call "
                f"{name}.update({number - 1}).unscheduled() to suppress this warning."
            )
