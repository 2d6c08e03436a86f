"""A pipeline to be scheduled: its definitions, the sizes that are expected, its Dag; and giving it a schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from pipec.autoschedule.build_dag import Sizes, build_dag
from pipec.autoschedule.dag import Dag
from pipec.autoschedule.emit import apply
from pipec.autoschedule.estimates import Like, estimated
from pipec.func.definition import PipelineDef
from pipec.func.freeze import freeze, reachable, schedule_of
from pipec.func.function import Function
from pipec.func.target_query import for_target
from pipec.jit.runtime import default_threads
from pipec.pipeline.runnable import jit_target
from pipec.schedule.schedule import Schedule
from pipec.target import Target

# What searches gave to Funcs: the schedule that a Func had before, and the one that it was given. A Func that still
# has the latter is free to be scheduled anew.
_given: WeakKeyDictionary[Function, tuple[Schedule, Schedule]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Problem:
    """What a search works on. `schedule`: the user's own directives."""

    outputs: tuple[Function, ...]
    definition: PipelineDef
    bindings: Mapping[str, Any]
    schedule: Schedule
    sizes: Sizes
    target: Target
    dag: Dag

    def apply(self, schedule: Schedule) -> None:
        """Give the Funcs these directives beside the user's own, in the place of what an earlier search gave."""
        remember(self.outputs, lambda: apply(schedule, self.outputs))


def remember(outputs: Sequence[Function], give: Callable[[], None]) -> None:
    """Run `give`, which gives Funcs directives, and note them as those of a search, in the place of earlier ones."""
    functions = reachable(outputs)
    now = {function: function.schedule for function in functions}
    _forget(functions)
    before = {function: function.schedule for function in functions}
    try:
        give()
    except BaseException:
        for function, known in now.items():
            function.schedule = known
        raise
    for function, known in before.items():
        _given[function] = known, function.schedule


@contextmanager
def without_searches(outputs: Sequence[Function]) -> Iterator[None]:
    """Meanwhile the Funcs have only what users gave them."""
    functions = reachable(outputs)
    now = {function: function.schedule for function in functions}
    _forget(functions)
    try:
        yield
    finally:
        for function, known in now.items():
            function.schedule = known


def _forget(functions: Sequence[Function]) -> None:
    """Take away what searches gave to the Funcs and nobody changed since."""
    for function in functions:
        before, after = _given.get(function, (None, None))
        if before is not None and function.schedule == after:
            function.schedule = before


def problem_of(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    threads: int | None = None,
    target: Target | None = None,
) -> Problem:
    """The problem of scheduling these outputs. What an earlier search gave is not taken for the user's own."""
    chosen = jit_target(target)
    with without_searches(outputs):
        definition, bindings = freeze(outputs)
        definition, schedule = for_target(definition, chosen), schedule_of(outputs)
    expected = estimated(outputs, definition, bindings, schedule, like, sizes)
    dag = build_dag(definition, expected, schedule, threads or default_threads(), chosen)
    return Problem(tuple(outputs), definition, bindings, schedule, expected, chosen, dag)
