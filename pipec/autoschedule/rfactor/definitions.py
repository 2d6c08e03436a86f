"""Factorings as rfactor directives, and the definitions, frozen or live, that these result in.

Names that end in "$strips1" or "$strip" are part of archives, databases and saved schedules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from pipec.autoschedule.space.state import Factoring
from pipec.errors import ScheduleError
from pipec.func.directives.rfactor import rfactor
from pipec.func.directives.scheduled import replay
from pipec.func.functions.definition import FuncDef, PipelineDef, require_func, require_stage
from pipec.func.functions.function import Function
from pipec.ir.expr import Const
from pipec.ir.types import INT32
from pipec.ir.walk import renaming_calls
from pipec.records import replace
from pipec.schedule.directive import Directive
from pipec.schedule.fields import Renaming, StageRef
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule
from pipec.schedule.split import Split, TailStrategy


def factored(definition: PipelineDef, schedule: Schedule) -> PipelineDef:
    """Returns `definition` with the updates factored that `schedule` factors; itself when it factors none.

    ScheduleError when an update is not proved associative, or when the schedule is for another pipeline.
    """
    for directive in schedule.directives:
        if isinstance(directive, Rfactor) and directive.intermediate not in definition.funcs:
            definition = _factored_once(definition, directive)
    return definition


def _factored_once(definition: PipelineDef, directive: Rfactor) -> PipelineDef:
    name = directive.stage.func
    func = definition.funcs.get(name)
    if func is None or not 1 <= directive.stage.stage < len(func.stages):
        raise ScheduleError(
            f"Error: The schedule factors {directive.stage}, which is not part of this pipeline. Its Funcs are:"
            f" {', '.join(definition.funcs)}."
        )
    function = _function(func)
    for before in directive.before:
        replay(before, {name: function})
    intermediate = rfactor(function, directive.stage.stage, directive.preserved())
    old, new = intermediate.name, directive.intermediate
    rename = renaming_calls({old: new})
    parts = {
        new: replace(intermediate.definition().mapped(rename), name=new),
        name: function.definition().mapped(rename),
    }
    funcs: dict[str, FuncDef] = {}
    for other, unchanged in definition.funcs.items():
        funcs |= parts if other == name else {other: unchanged}
    return replace(definition, funcs=funcs)


def _function(func: FuncDef) -> Function:
    """Returns a Function with these definitions and exactly this name, whatever other Functions there are."""
    function = Function(func.name, func.location)
    function.name = func.name
    function.args, function.types, function.stages = func.args, func.types, list(func.stages)
    return function


def factored_by(definition: PipelineDef, factorings: Sequence[Factoring]) -> PipelineDef:
    """Returns the definitions after these factorings, each update with its intermediate Func.

    ScheduleError when an update is not proved associative.
    """
    return factored(definition, Schedule(rfactor_directives(factorings)))


def rfactor_directives(factorings: Sequence[Factoring]) -> tuple[Rfactor, ...]:
    """Returns one directive for each stage that is factored."""
    groups = groupby(factorings, key=lambda factoring: StageRef(factoring.func, factoring.stage))
    return tuple([_directive(stage, list(group)) for stage, group in groups])


def _directive(stage: StageRef, group: Sequence[Factoring]) -> Rfactor:
    # No program has names with a "$" in this place: it separates the number of a unique name.
    before = [
        Split(stage, f.rvar, f"{f.rvar}$o", f"{f.rvar}$i", Const(INT32, f.size), TailStrategy.GuardWithIf)
        for f in group
    ]
    strips = tuple([f"{f.rvar}$strip" for f in group])
    rvars = tuple([split.inner if f.inner else split.outer for f, split in zip(group, before, strict=True)])
    return Rfactor(stage, rvars, strips, intermediate(stage), tuple(before), 0, 0)


def intermediate(stage: StageRef) -> str:
    """Returns the name of the intermediate Func, which computes the partial results of a stage."""
    return f"{stage.func}$strips{stage.stage}"


def apply_rfactor(directive: Rfactor, functions: dict[str, Function]) -> None:
    """Factors an update of live Funcs; `functions` gets the intermediate Func under its name in the directive."""
    for before in directive.before:
        replay(renamed(before, functions), {function.name: function for function in functions.values()})
    require_func(functions, directive.stage.func)
    require_stage(functions, directive.stage)
    function = functions[directive.stage.func]
    functions[directive.intermediate] = rfactor(function, directive.stage.stage, directive.preserved())


def renamed(directive: Directive, functions: dict[str, Function]) -> Directive:
    """Returns the directive with the names that live Funcs have, which may differ from those in the schedule."""
    return directive.renamed(Renaming(lambda name: functions[name].name if name in functions else name))
