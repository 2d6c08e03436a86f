"""A pipeline to be scheduled: its definitions, the sizes that are expected, its Dag; and giving it a schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any, TypeVar

from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.dag.estimates import Like, estimated
from pipec.autoschedule.emit.emit import apply
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.rfactor.definitions import factored, factored_by
from pipec.autoschedule.space.cpu.space import CpuSpace
from pipec.autoschedule.space.gpu.legality import cpu_only_funcs
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.space.gpu.space import GpuSpace
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import Factoring, State
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import freeze, reachable, schedule_of
from pipec.func.functions.function import Function
from pipec.func.math.target_query import for_target
from pipec.jit.runtime.library import default_threads
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.lower.lower import lower
from pipec.pipeline.calls.runnable import jit_target
from pipec.records import dataclass, replace
from pipec.schedule.directive import Concern
from pipec.schedule.schedule import Schedule
from pipec.target import Target

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Problem:
    """The input of a search. `schedule`: the user's own directives; `device`: the GPU that it is for, if any;
    `kernels`: the part of its space that is searched; `rewrite`: changes the definitions of the Functions to
    `definition` before a schedule is applied; `joins`: whether reductions that share values are one in the Dag;
    `first`: the state that a search begins with, where it is not that of the space."""

    outputs: tuple[Function, ...]
    definition: PipelineDef
    bindings: Mapping[str, Any]
    schedule: Schedule
    sizes: Sizes
    target: Target
    dag: Dag
    factorings: tuple[Factoring, ...] = ()
    device: GpuDevice | None = None
    kernels: GpuOptions = GpuOptions()
    rewrite: Callable[[], object] | None = None
    joins: bool = False
    first: State | None = None

    @cached_property
    def space(self) -> Space:
        """The states that the search looks through."""
        if self.device is None:
            return CpuSpace(self.dag)
        definition = factored_by(self.definition, self.factorings)
        return GpuSpace(self.dag, self.device, cpu_only_funcs(definition, self.schedule, self.device), self.kernels)

    def factored(self, factorings: Sequence[Factoring]) -> Problem:
        """Returns the problem with factored reductions, whose intermediate Funcs its Dag has; live Funcs do not change.

        ScheduleError when an update is not proved associative.
        """
        dag = self._dag(factored_by(self.definition, factorings), self.joins)
        return replace(self, dag=dag, factorings=tuple(factorings), first=None)

    @cached_property
    def apart(self) -> Problem:
        """The problem whose Dag has all Funcs of the pipeline, one by one."""
        return replace(self, dag=self._dag(self.definition, False), joins=False) if self.dag.joint else self

    def _dag(self, definition: PipelineDef, joins: bool) -> Dag:
        return build_dag(definition, self.sizes, self.schedule, self.dag.threads, self.target, joins)

    def rewritten(self, rewrite: Callable[[Dag, Sequence[Function]], T]) -> tuple[Problem, T]:
        """The same problem with definitions that `rewrite` changes, always in the same way, and what it returns.

        The Functions stay as they are until a schedule is applied.
        """
        with without_searches(self.outputs):
            result = rewrite(self.dag, self.outputs)
            definition = for_target(freeze(self.outputs)[0], self.target)
        dag = self._dag(definition, False)
        change = partial(rewrite, self.dag, self.outputs)
        return replace(self, definition=definition, dag=dag, factorings=(), rewrite=change, joins=False), result

    def start(self) -> State:
        """The state that a search begins with."""
        return self.first or self.fallback()

    def fallback(self) -> State:
        """The state of the space that needs no search."""
        return State(self.space.start().placements, self.factorings)

    def trivial(self) -> State:
        """The state that computes everything at root."""
        return State(self.space.trivial().placements, self.factorings)

    @property
    def without_reports(self) -> Schedule:
        """The user's own directives but those for traces, files and warnings."""
        return Schedule(tuple([d for d in self.schedule.directives if d.CONCERN is not Concern.REMARK]))

    def lower(self, schedule: Schedule) -> None:
        """Lowers the pipeline with a schedule beside the user's own. Raises the error that compiling it would raise."""
        definition = factored(self.definition, schedule)
        lower(definition, apply_schedule(definition, self.schedule + schedule), self.target)

    def apply(self, schedule: Schedule) -> None:
        """Give the Funcs these directives beside the user's own, in the place of what an earlier search gave.

        Factored reductions change definitions of the Funcs for good, as rfactor() does; the next search, or another
        schedule that is applied, undoes that first.
        """

        def give() -> None:
            if self.rewrite is not None:
                self.rewrite()
            apply(schedule, self.outputs)

        remember(self.outputs, give)


def remember(outputs: Sequence[Function], give: Callable[[], None]) -> None:
    """Run `give`, which gives Funcs directives, and note them as those of a search, in the place of earlier ones."""
    functions = reachable(outputs)
    now = {function: function.state() for function in functions}
    for function in functions:
        function.forget_search()
    before = {function: function.state() for function in reachable(outputs)}
    try:
        give()
    except BaseException:
        for function, state in now.items():
            function.return_to(state)
        raise
    for function, state in before.items():
        function.searched = state, function.state()


@contextmanager
def without_searches(outputs: Sequence[Function]) -> Iterator[None]:
    """Meanwhile the Funcs have only what users gave them."""
    now = {function: function.state() for function in reachable(outputs)}
    for function in now:
        function.forget_search()
    try:
        yield
    finally:
        for function, state in now.items():
            function.return_to(state)


def problem_of(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    threads: int | None = None,
    target: Target | None = None,
    device: GpuDevice | None = None,
    kernels: GpuOptions | None = None,
) -> Problem:
    """The problem of scheduling these outputs, for a GPU where `device` is one.

    Directives of an earlier search are left out.
    """
    chosen = jit_target(target)
    with without_searches(outputs):
        definition, bindings = freeze(outputs)
        definition, schedule = for_target(definition, chosen), schedule_of(outputs)
    expected = estimated(outputs, definition, bindings, schedule, like, sizes)
    joins = device is None
    dag = build_dag(definition, expected, schedule, threads or default_threads(), chosen, joins)
    kernels = kernels or GpuOptions()
    return Problem(
        tuple(outputs), definition, bindings, schedule, expected, chosen, dag, (), device, kernels, joins=joins
    )
