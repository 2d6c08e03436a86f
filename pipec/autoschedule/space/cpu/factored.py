"""The definitions of a pipeline as they are after the rfactor directives of a schedule."""

from __future__ import annotations

from typing import Any

from pipec.errors import ScheduleError
from pipec.func.directives.rfactor import rfactor
from pipec.func.functions.definition import FuncDef, PipelineDef, StageDef
from pipec.func.functions.function import Function
from pipec.ir.expr import Expr, FuncCall
from pipec.ir.walk import rewrite
from pipec.records import replace
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule


def factored(definition: PipelineDef, schedule: Schedule) -> PipelineDef:
    """`definition` with the updates taken apart that `schedule` takes apart; itself when it takes none.

    ScheduleError when an update can't be, or when the schedule is for another pipeline.
    """
    for directive in schedule.directives:
        if isinstance(directive, Rfactor) and directive.intermediate not in definition.funcs:
            definition = _one(definition, directive)
    return definition


def _one(definition: PipelineDef, directive: Rfactor) -> PipelineDef:
    name = directive.stage.func
    func = definition.funcs.get(name)
    if func is None or not 1 <= directive.stage.stage < len(func.stages):
        raise ScheduleError(
            f"Error: The schedule takes {directive.stage} apart, which is not part of this pipeline. Its Funcs are:"
            f" {', '.join(definition.funcs)}."
        )
    function = _function(func)
    function.schedule = Schedule(directive.before)
    made = rfactor(function, directive.stage.stage, directive.preserved())
    parts = [_renamed(part, made.name, directive.intermediate) for part in (made.definition(), function.definition())]
    funcs: dict[str, FuncDef] = {}
    for other, known in definition.funcs.items():
        if other == name:
            funcs[directive.intermediate] = parts[0]
        funcs[other] = parts[1] if other == name else known
    return replace(definition, funcs=funcs)


def _function(func: FuncDef) -> Function:
    """A Function with these definitions, and with that name whatever other Functions there are."""
    function = Function(func.name, func.location)
    function.name = func.name
    function.args, function.types, function.stages = func.args, func.types, list(func.stages)
    return function


def _renamed(func: FuncDef, old: str, new: str) -> FuncDef:
    def change(node: Any) -> Any:
        if isinstance(node, FuncCall) and node.name == old:
            return FuncCall(node.type, new, node.args, node.value_index, None)
        return node

    def part(root: Expr) -> Expr:
        return rewrite(root, change)

    stages = [
        replace(
            stage,
            args=tuple(map(part, stage.args)),
            values=tuple(map(part, stage.values)),
            predicate=part(stage.predicate),
        )
        for stage in func.stages
    ]
    return replace(func, name=new if func.name == old else func.name, stages=tuple[StageDef, ...](stages))
