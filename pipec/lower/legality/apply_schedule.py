"""A whole schedule checked against a pipeline, directive by directive: for schedules read from files or searched."""

from __future__ import annotations

from pipec.func.functions.definition import PipelineDef, replayed, require_func
from pipec.lower.legality.check_schedule import check_schedule
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule


def apply_schedule(definition: PipelineDef, schedule: Schedule) -> Schedule:
    """`schedule` with every directive checked in turn and TailStrategy.Auto resolved; or a ScheduleError."""
    result = Schedule()
    for directive in schedule.directives:
        if isinstance(directive, Rfactor):
            # `definition` is the pipeline after its updates were factored: the intermediate Func is part of it.
            require_func(definition.funcs, directive.intermediate)
        result = replayed(directive, result, definition.funcs)
    check_schedule(definition, result)
    return result
