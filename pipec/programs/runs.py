"""Runs of schedule programs: the schedule that one trace gives, without a change to the live Funcs; and applying it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipec.autoschedule.problem import Problem, remember, without_searches
from pipec.errors import NotSupportedError
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import freeze, reachable, schedule_of
from pipec.func.functions.function import Function
from pipec.func.math.target_query import for_target
from pipec.programs.sampler import Choose, Program, Sampler, replaying
from pipec.programs.trace import ProgramTrace
from pipec.records import dataclass
from pipec.schedule.schedule import Schedule


@dataclass(frozen=True)
class Run:
    """One run of a program: its draws and the directives that it gave the Funcs, beside the user's own.

    `definition`: where the program changed definitions, as rfactor() does, the definitions that the schedule is for.
    """

    trace: ProgramTrace
    schedule: Schedule
    definition: PipelineDef | None = None

    @property
    def key(self) -> tuple[Schedule, tuple[str, ...]]:
        """The same for runs with the same schedule."""
        return self.schedule, () if self.definition is None else tuple(self.definition.funcs)


def run(problem: Problem, program: Program, choose: Choose) -> Run:
    """Runs a program on the Funcs, which afterwards are as they were. Raises what the program raises: ScheduleError for
    an illegal directive."""
    with without_searches(problem.outputs):
        before = {function: function.state() for function in reachable(problem.outputs)}
        own = {function.name: len(function.schedule) for function in before}
        stand_ins = _StandIns(before)
        sampler = Sampler(problem, choose)
        try:
            program(sampler)
            stand_ins.refuse_new()
            schedule = _added(schedule_of(problem.outputs), own)
            changed = any([function.state().stages != state.stages for function, state in before.items()])
            definition = for_target(freeze(problem.outputs)[0], problem.target) if changed else None
        finally:
            for function, state in before.items():
                function.return_to(state)
            stand_ins.restore()
    return Run(sampler.trace, schedule, definition)


def apply(problem: Problem, program: Program, trace: ProgramTrace) -> None:
    """Gives the Funcs the schedule of a trace, in the place of what an earlier search gave them."""
    remember(problem.outputs, lambda: _replayed(problem, program, trace))


class _StandIns:
    """The wrappers and clones of Funcs and images before a run."""

    def __init__(self, functions: Iterable[Function]) -> None:
        functions = list(functions)
        images = {parameter: None for function in functions for parameter in function.parameters}
        self.substitutes = {function: dict(function.substitutes) for function in functions}
        self.wrappers = {source: source.wrapper for source in (*functions, *images) if hasattr(source, "wrapper")}

    def refuse_new(self) -> None:
        """Raises NotSupportedError where the program has made one."""
        names = [function.name for function, own in self.substitutes.items() if function.substitutes != own]
        names += [str(source.wrapper.name) for source, old in self.wrappers.items() if source.wrapper is not old]
        if names:
            raise NotSupportedError(
                "Error: A schedule program or template may not call in_() or clone_in(), which make new Funcs: it runs"
                f" many times, and each run would add others (here for {', '.join(names)}). Call them once, before the"
                " search, and let the program schedule the Funcs that they return."
            )

    def restore(self) -> None:
        """Takes the new ones away."""
        for function, own in self.substitutes.items():
            function.substitutes = own
        for source, own_wrapper in self.wrappers.items():
            source.wrapper = own_wrapper


def _replayed(problem: Problem, program: Program, trace: ProgramTrace) -> None:
    program(Sampler(problem, replaying(trace.values)))


def _added(schedule: Schedule, own: dict[str, int]) -> Schedule:
    """The directives of each Func but the first ones, which it had before."""
    seen: dict[str, int] = {}
    added = []
    for directive in schedule.directives:
        seen[directive.owner] = seen.get(directive.owner, 0) + 1
        if seen[directive.owner] > own.get(directive.owner, 0):
            added.append(directive)
    return Schedule(tuple(added))


def unique_runs(runs: Sequence[Run]) -> list[Run]:
    """The runs without those whose schedule an earlier one has."""
    return list({run.key: run for run in reversed(runs)}.values())[::-1]
