"""The directive that lets two stages share loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipec import diagnostics
from pipec.schedule.directive import StageDirective
from pipec.schedule.fields import LoopName, StageRef
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape, refuse
from pipec.schedule.specialize import is_specialized

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter


class ComputeWith(StageDirective):
    """The stage shares the loops of stage `other` from the outermost one to `var`. The last one for a stage counts.

    `starts` and `ends`: the shared loops whose first, or last, iterations coincide; in all others the iterations with
    the same number do.
    """

    METHOD = "compute_with"

    other: StageRef
    var: LoopName
    starts: tuple[LoopName, ...] = ()
    ends: tuple[LoopName, ...] = ()

    @classmethod
    def apply(
        cls,
        schedule: Schedule,
        stage: StageShape,
        other: StageRef,
        var: str,
        starts: Sequence[str] = (),
        ends: Sequence[str] = (),
    ) -> Schedule:
        """Refuses a stage of the same Func and a stage with specializations; warns where it replaces another one."""
        ref = stage.ref
        if other.func == ref.func:
            raise refuse(
                f"Cannot schedule {ref} to be computed with {loop_text(other, var)}\nThe stages of a Func are computed "
                "one after the other: compute_with takes a stage of another Func, which "
                f"{ref.func} neither reads nor feeds.",
                stage.location,
            )
        if ref.path or is_specialized(schedule, ref):
            raise refuse(
                f"Func {ref.func} is scheduled to be computed with {other.func}, so it must not have any "
                f"specializations.\nLeave out the compute_with, or specialize {other.func}: {ref.func} follows it.",
                stage.location,
            )
        for before in schedule.of_stage(ref)[::-1]:
            if isinstance(before, ComputeWith):
                if (before.other, before.var) != (other, var):
                    diagnostics.warn(
                        f"{ref} already has a compute_with at {loop_text(before.other, before.var)}. Replacing it with "
                        f"a new compute_with at {loop_text(other, var)}"
                    )
                break
        return schedule.add(cls(ref, other, var, tuple(starts), tuple(ends)))

    def to_call(self, writer: CallWriter) -> str:
        """The alignments are a LoopAlignStrategy of `var`, or a list for several loops."""
        strategies = [(var, "AlignStart") for var in self.starts] + [(var, "AlignEnd") for var in self.ends]
        words = [(writer.loop(self.stage, var), f"hl.LoopAlignStrategy.{strategy}") for var, strategy in strategies]
        if [var for var, _ in strategies] == [self.var]:
            align = f", {words[0][1]}"
        else:
            align = f", [{', '.join(f'({var}, {word})' for var, word in words)}]" if words else ""
        return f".compute_with({writer.stage(self.other)}, {writer.loop(self.stage, self.var)}{align})"


def fused_pairs(schedule: Schedule) -> list[ComputeWith]:
    """Returns the effective directive of each stage that shares loops of another one."""
    last = {directive.stage: directive for directive in schedule.directives if isinstance(directive, ComputeWith)}
    return list(last.values())


def loop_text(stage: StageRef, var: str) -> str:
    """A loop as loop nests print it."""
    return f"{stage_text(stage)}.{var}"


def stage_text(stage: StageRef) -> str:
    """A stage as loop nests print it."""
    return f"{stage.func}.s{stage.stage}"
