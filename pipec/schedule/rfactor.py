"""The record of an rfactor, and the order in which directives of factored updates are replayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipec.errors import ScheduleError
from pipec.schedule.directive import Directive, StageDirective
from pipec.schedule.fields import Count, DimName, FuncName, LoopName, StageRef
from pipec.schedule.schedule import Schedule

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter


class Rfactor(StageDirective):
    """The update was factored: Func `intermediate` has `variables` in the places of the loops over `rvars`.

    `before`: the directives of the stage until then. Of the directives that follow, rfactor itself derived the first
    `merging` ones of this stage and the first `inner` ones of the intermediate Func's update from these.
    """

    METHOD = "rfactor"
    RETURNS_SUBJECT = False

    rvars: tuple[LoopName, ...]
    variables: tuple[DimName, ...]
    intermediate: FuncName
    before: tuple[Directive, ...]
    merging: Count
    inner: Count

    def preserved(self) -> list[tuple[str, str]]:
        """The pairs of an RVar and the Var in its place."""
        if len(self.rvars) != len(self.variables):
            counts = f"{len(self.rvars)} RVars and {len(self.variables)} Vars"
            raise ScheduleError(f"Error: The schedule factors {self.stage} by {counts}; they must be pairs.")
        return list(zip(self.rvars, self.variables, strict=True))

    def to_call(self, writer: CallWriter) -> str:
        """A list of pairs of an RVar and a Var."""
        words = [f"({writer.loop(self.stage, rvar)}, {writer.variable(var)})" for rvar, var in self.preserved()]
        return f".rfactor([{', '.join(words)}])"


def in_replay_order(schedule: Schedule) -> Schedule:
    """The directives that the user gave, in an order in which they can be given to a program without factored updates.

    First those about factored stages, each rfactor once, without the directives that it derives; then all others.
    """
    records = list(_records(schedule.directives))
    if not records:
        return schedule
    inner = {StageRef(record.intermediate, 1): record.inner for record in records}
    factored = {record.stage for record in records}
    ordered: list[Directive] = []
    pending = set(factored)
    while pending:
        # An update of an intermediate Func comes after the update whose partial results it computes.
        later = {record.intermediate for record in records if record.stage in pending}
        ready = sorted([stage for stage in pending if stage.func not in later], key=str)
        if not ready:
            names = ", ".join(sorted(later))
            raise ScheduleError(f"Error: The schedule makes the Funcs {names} by rfactor of one another.")
        for stage in ready:
            ordered += _without_derived(schedule.of_stage(stage), inner.get(stage, 0))
        pending -= set(ready)
    # A specialization inherits from its stage; these directives are not given again.
    own: dict[StageRef, list[Directive]] = {}
    others: list[Directive] = []
    for directive in schedule.directives:
        if not isinstance(directive, StageDirective):
            others.append(directive)
        elif directive.stage not in factored:
            own.setdefault(directive.stage, []).append(directive)
    for stage, directives in own.items():
        ordered += directives[inner.get(stage, 0) :]
    return Schedule((*ordered, *others))


def of_factoring(schedule: Schedule) -> list[Directive]:
    """The records of the factored updates, and the directives that rfactor derived: what belongs to the definitions."""
    result: list[Directive] = []
    for record in schedule.directives:
        if isinstance(record, Rfactor):
            result += schedule.of_stage(record.stage)[: 1 + record.merging]
            partial = schedule.of_stage(StageRef(record.intermediate, 1))
            if not partial or not isinstance(partial[0], Rfactor):
                result += partial[: record.inner]
    return result


def _records(directives: Sequence[Directive]) -> Iterator[Rfactor]:
    for directive in directives:
        if isinstance(directive, Rfactor):
            yield from _records(directive.before)
            yield directive


def _without_derived(directives: Sequence[Directive], derived: int) -> list[Directive]:
    """The directives of one stage, of which the first `derived` come from an rfactor of another one."""
    if not directives or not isinstance(directives[0], Rfactor):
        return list(directives[derived:])
    record = directives[0]
    return [*_without_derived(record.before, derived), record, *directives[1 + record.merging :]]
