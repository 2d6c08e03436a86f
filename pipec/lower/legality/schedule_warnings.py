"""Warnings about legal schedules. They are issued at every compilation, also when the result comes from the cache."""

from __future__ import annotations

from collections.abc import Iterable

from pipec.func.functions.definition import FuncDef, PipelineDef
from pipec.schedule.bounds import AlignBounds, AlignExtent, Bound
from pipec.schedule.compute_with import fused_pairs
from pipec.schedule.fields import StageRef
from pipec.schedule.loops import Unscheduled
from pipec.schedule.placement import FuncSchedule, func_schedule
from pipec.schedule.schedule import Schedule


def schedule_warnings(definition: PipelineDef, schedule: Schedule) -> list[str]:
    """Warnings about directives without effect and update stages that were perhaps forgotten."""
    warnings: list[str] = []
    for name, func in definition.funcs.items():
        place = func_schedule(schedule, name)
        if func.pure and place.compute.is_inlined and name not in definition.outputs:
            warnings += _meaningless(name, place)
        warnings += _overwritten(name, place)
        warnings += _forgotten(name, func, schedule)
    if fused_pairs(schedule):
        from pipec.lower.legality.check_fused_stages import idle_alignments

        warnings += idle_alignments(definition, schedule)
    return warnings


def _meaningless(name: str, place: FuncSchedule) -> Iterable[str]:
    where = "because the function is scheduled inline."
    for var, bound in place.by_dim(Bound).items():
        interval = f"[{bound.minimum}, {bound.extent}]"
        yield f"It is meaningless to bound dimension {var} of function {name} to be within {interval} {where}"
    aligned = [(var, f"[{d.modulus}, (undefined)]") for var, d in place.by_dim(AlignExtent).items()]
    aligned += [(var, f"[{d.modulus}, {d.remainder}]") for var, d in place.by_dim(AlignBounds).items()]
    for var, modulus in aligned:
        yield (
            f"It is meaningless to align the bounds of dimension {var} of function {name} to have modulus/remainder "
            f"{modulus} {where}"
        )


def _overwritten(name: str, place: FuncSchedule) -> Iterable[str]:
    earlier: dict[str, Bound] = {}
    for bound in place.all(Bound):
        before = earlier.get(bound.var)
        moved = before is not None and before.minimum is not None and before.minimum != bound.minimum
        if before is not None and (moved or before.extent != bound.extent):
            yield (
                f"The bound of dimension {bound.var} of function {name}, {_interval(before)}, is replaced by a later "
                f"one, {_interval(bound)}. Bound it once."
            )
        earlier[bound.var] = bound


def _interval(bound: Bound) -> str:
    return f"[{bound.minimum}, {bound.extent}]" if bound.minimum is not None else f"extent {bound.extent}"


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
