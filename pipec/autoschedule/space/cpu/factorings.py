"""Reductions in strips: the rfactor directives of a state's factorings, and the definitions after them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from pipec.autoschedule.space.cpu.factored import factored
from pipec.autoschedule.space.state import Factoring
from pipec.func.directives.rfactor import rfactor
from pipec.func.directives.scheduled import replay
from pipec.func.functions.definition import PipelineDef, require_func, require_stage
from pipec.func.functions.function import Function
from pipec.ir.expr import Const
from pipec.ir.types import INT32
from pipec.schedule.directive import Directive
from pipec.schedule.fields import Renaming, StageRef
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule
from pipec.schedule.split import Split, TailStrategy


def factored_by(definition: PipelineDef, factorings: Sequence[Factoring]) -> PipelineDef:
    """The definitions with each factored update reduced in strips by a Func of its own; the Dag is made of these.

    ScheduleError when an update is not proved associative.
    """
    return factored(definition, Schedule(records(factorings)))


def records(factorings: Sequence[Factoring]) -> tuple[Rfactor, ...]:
    """One directive for each stage that is factored."""
    groups = groupby(factorings, key=lambda factoring: StageRef(factoring.func, factoring.stage))
    return tuple([_record(stage, list(group)) for stage, group in groups])


def _record(stage: StageRef, group: Sequence[Factoring]) -> Rfactor:
    # The names hold what separates the words of unique names, so that no program has them already.
    before = [
        Split(stage, f.rvar, f"{f.rvar}$o", f"{f.rvar}$i", Const(INT32, f.size), TailStrategy.GuardWithIf)
        for f in group
    ]
    strips = tuple([f"{f.rvar}$strip" for f in group])
    rvars = tuple([split.inner if f.inner else split.outer for f, split in zip(group, before, strict=True)])
    return Rfactor(stage, rvars, strips, intermediate(stage), tuple(before), 0, 0)


def intermediate(stage: StageRef) -> str:
    """The name of the Func that reduces the strips of a stage."""
    return f"{stage.func}$strips{stage.stage}"


def take_apart(record: Rfactor, functions: dict[str, Function]) -> None:
    """Do to live Funcs what `record` says; `functions` knows the Func that is made by the name in the record."""
    for directive in record.before:
        replay(renamed(directive, functions), {function.name: function for function in functions.values()})
    require_func(functions, record.stage.func)
    require_stage(functions, record.stage)
    function = functions[record.stage.func]
    functions[record.intermediate] = rfactor(function, record.stage.stage, record.preserved())


def renamed(directive: Directive, functions: dict[str, Function]) -> Directive:
    """The directive with Funcs by the names that they have, which may be others than the schedule knows."""
    return directive.renamed(Renaming(lambda name: functions[name].name if name in functions else name))
