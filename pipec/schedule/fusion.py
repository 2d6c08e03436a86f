"""Checked directive that lets two stages share loops, and which stages a schedule lets share what."""

from __future__ import annotations

from collections.abc import Sequence

from pipec import diagnostics
from pipec.schedule.directive import ComputeWith, StageRef
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape, refuse
from pipec.schedule.specialize import is_specialized


def compute_with(
    schedule: Schedule,
    stage: StageShape,
    other: StageRef,
    var: str,
    starts: Sequence[str] = (),
    ends: Sequence[str] = (),
) -> Schedule:
    """`stage` is computed in the loops of stage `other`, from the outermost one to `var`; the last such wish counts."""
    ref = stage.ref
    if other.func == ref.func:
        raise refuse(
            f"Cannot schedule {ref} to be computed with {loop_text(other, var)}\nThe stages of a Func are computed one "
            f"after the other: compute_with takes a stage of another Func, which {ref.func} neither reads nor feeds.",
            stage.location,
        )
    if ref.path or is_specialized(schedule, ref):
        raise refuse(
            f"Func {ref.func} is scheduled to be computed with {other.func}, so it must not have any specializations.\n"
            f"Leave out the compute_with, or specialize {other.func}: {ref.func} follows it.",
            stage.location,
        )
    before = fused_with(schedule, ref)
    if before is not None and (before.other, before.var) != (other, var):
        diagnostics.warn(
            f"{ref} already has a compute_with at {loop_text(before.other, before.var)}. Replacing it with a new "
            f"compute_with at {loop_text(other, var)}"
        )
    return schedule.add(ComputeWith(ref, other, var, tuple(starts), tuple(ends)))


def fused_with(schedule: Schedule, stage: StageRef) -> ComputeWith | None:
    """What `stage` shares loops with, as far as its own directives say."""
    found = [directive for directive in schedule.of_stage(stage) if isinstance(directive, ComputeWith)]
    return found[-1] if found else None


def fused_pairs(schedule: Schedule) -> list[ComputeWith]:
    """Of each stage that shares another's loops, what it shares."""
    found = {directive.stage: directive for directive in schedule.directives if isinstance(directive, ComputeWith)}
    return list(found.values())


def loop_text(stage: StageRef, var: str) -> str:
    return f"{stage_text(stage)}.{var}"


def stage_text(stage: StageRef) -> str:
    """A stage as loops are named after it."""
    return f"{stage.func}.s{stage.stage}"
