"""Schedules as values given to the Funcs of a pipeline, in the place of those that the Funcs have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from pipec.autoschedule.emit.emit import apply
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import Bindings, freeze, reachable
from pipec.func.functions.function import Function
from pipec.ir.expr import ParameterRef
from pipec.ir.walk import rewrite
from pipec.schedule.directive import Concern, Directive
from pipec.schedule.fields import Renaming
from pipec.schedule.rfactor import Rfactor, in_replay_order, of_factoring
from pipec.schedule.schedule import Schedule

_NUMBER = re.compile(r"\$\d+")


def replace_schedule(schedule: Schedule, outputs: Sequence[Function]) -> None:
    """Give the Funcs behind `outputs` the directives of `schedule` in the place of all that say how they are computed.

    Bounds, estimates and reports stay, as do definitions that the user has factored, with the directives of that. When
    a directive is illegal, nothing changes.
    """
    _, bindings = freeze(outputs)
    now = {function: function.state() for function in reachable(outputs)}
    for function in now:
        function.forget_search()
    functions = reachable(outputs)
    present = [directive for function in functions for directive in function.schedule.directives]
    staying = {*of_factoring(Schedule(tuple(present)))}
    staying |= {directive for directive in present if directive.CONCERN is not Concern.COMPUTATION}
    for function in functions:
        function.schedule = Schedule(tuple([d for d in function.schedule.directives if d in staying]))
        function.deferred = {}
    try:
        own = [directive for directive in _with_names_of(functions, bindings, schedule) if directive not in staying]
        apply(Schedule(tuple(map(_by_itself, in_replay_order(Schedule(tuple(own))).directives))), outputs)
    except BaseException:
        for function, state in now.items():
            function.return_to(state)
        raise


def _by_itself(directive: Directive) -> Directive:
    """The directive without those of its stage that came before; in replay order these are given by themselves."""
    return directive.replace(before=()) if isinstance(directive, Rfactor) else directive


def _with_names_of(functions: Sequence[Function], bindings: Bindings, schedule: Schedule) -> list[Directive]:
    """The directives about these Funcs and Params, whose names have numbers of their own in this process (`f$1`)."""
    mentioned = {name for directive in schedule.directives for name in directive.funcs()}
    names, others = _unnumbered(function.name for function in functions), _unnumbered(mentioned)
    rvars = {
        function.name: _unnumbered({loop.name for stage in function.stages for loop in stage.rvars})
        for function in functions
    }

    def func(name: str) -> str:
        plain = _NUMBER.sub("", name)
        return names[plain] if plain in names and plain in others else name

    def loop(owner: str, name: str) -> str:
        return rvars.get(func(owner), {}).get(_NUMBER.sub("", name), name)

    def live(node: Any) -> Any:
        if isinstance(node, ParameterRef):
            return ParameterRef(node.type, node.name, _parameter(node, bindings))
        return node

    renaming = Renaming(func, loop, lambda expression: rewrite(expression, live))
    return [directive.renamed(renaming) for directive in schedule.directives]


def _parameter(node: ParameterRef, bindings: Bindings) -> Any:
    """The Param that a directive mentions, or the image of whose shape it mentions a number."""
    for name in (node.name, node.name.rsplit(".", 2)[0]):
        if name in bindings:
            return bindings[name]
    raise ScheduleError(
        f"Error: The schedule mentions {node.name}, but this pipeline has no Param or image of that name: it has"
        f" {', '.join(bindings) or 'none'}."
    )


def _unnumbered(names: Iterable[str]) -> dict[str, str]:
    """The names by what they are without numbers, as far as that tells which is meant."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[_NUMBER.sub("", name)].append(name)
    return {plain: group[0] for plain, group in groups.items() if len(group) == 1}
