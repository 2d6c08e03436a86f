"""The directives of a schedule as they were given: rfactor once, without what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.schedule.directive import Directive, Rfactor, StageRef
from pipec.schedule.schedule import Schedule


def as_given(schedule: Schedule) -> Schedule:
    """The directives about stages that were taken apart, then all others, those first that make a Func.

    In this order they can be given to a program in which nothing has been taken apart yet.
    """
    records = list(_records(schedule.directives))
    if not records:
        return schedule
    inner = {StageRef(record.intermediate, 1): record.inner for record in records}
    factored = {record.stage for record in records}
    given: list[Directive] = []
    while factored:
        # A stage of an intermediate Func comes after the one whose parts it reduces.
        made_later = {record.intermediate for record in records if record.stage in factored}
        ready = sorted([stage for stage in factored if stage.func not in made_later], key=str)
        for stage in ready:
            given += _given(schedule.of_stage(stage), inner.get(stage, 0))
        factored -= set(ready)
    done = {record.stage for record in records}
    # What a specialization inherits from its stage is not given again.
    own: dict[StageRef, list[Directive]] = {}
    for directive in schedule.directives:
        about = getattr(directive, "stage", None)
        if isinstance(about, StageRef) and about not in done:
            own.setdefault(about, []).append(directive)
    for stage, directives in own.items():
        given += directives[inner.get(stage, 0) :]
    others = [d for d in schedule.directives if not isinstance(getattr(d, "stage", None), StageRef)]
    return Schedule((*given, *others))


def _records(directives: tuple[Directive, ...]) -> Iterator[Rfactor]:
    for directive in directives:
        if isinstance(directive, Rfactor):
            yield from _records(directive.before)
            yield directive


def _given(directives: tuple[Directive, ...], implied: int) -> list[Directive]:
    """The directives of one stage, of which the first `implied` come from an rfactor of another one."""
    if not directives or not isinstance(directives[0], Rfactor):
        return list(directives[implied:])
    record = directives[0]
    return [*_given(record.before, implied), record, *directives[1 + record.merging :]]
