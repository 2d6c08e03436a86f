"""Measured states as rows of features: each random pipeline is rebuilt from its seed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.fit import Sample
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import CostModel, Roofline
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.random_pipelines import RandomPipeline, random_pipeline
from pipec.autoschedule.space.cpu.space import CpuSpace
from pipec.autoschedule.space.state import Factoring, State
from pipec.autoschedule.space.state_text import from_json, malformed
from pipec.autoschedule.train.archive import Machines, Measured

_NAME = re.compile(r"random-(\d+)-(\d+)$")


def seed_of(pipeline: str) -> tuple[int, int] | None:
    """The version and the seed of a random pipeline by its name; None for others."""
    match = _NAME.match(pipeline)
    return None if match is None else (int(match[1]), int(match[2]))


def problem_of_pipeline(pipeline: RandomPipeline, threads: int | None = None) -> Problem:
    """Returns the problem of a random pipeline, at the pipeline's own sizes."""
    return problem_of([func.function for func in pipeline.outputs], sizes=pipeline.sizes, threads=threads)


class Evaluators:
    """The evaluators of one problem, one for each way to factor its reductions."""

    def __init__(self, problem: Problem, model: CostModel) -> None:
        self.problem, self.model = problem, model
        self._evaluators: dict[tuple[Factoring, ...], CpuEvaluator] = {}

    def of(self, state: State) -> CpuEvaluator | None:
        """Returns the evaluator for the factored definitions of a state, cached; None where the space does not have the
        state, as of some that were measured when it had. ScheduleError where definitions refuse its factorings."""
        if state.factorings not in self._evaluators:
            problem = self.problem.factored(state.factorings) if state.factorings else self.problem
            self._evaluators[state.factorings] = CpuEvaluator(problem.dag, self.model)
        dag = self._evaluators[state.factorings].dag
        is_legal = not malformed(dag, state) and not any(CpuSpace(dag).problems(state))
        return self._evaluators[state.factorings] if is_legal else None


Problems = Callable[[str, int], Problem | None]
"""The problem of a pipeline by its name, for a number of threads; None for a name that stands for nothing."""


def problem_of_random(name: str, threads: int) -> Problem | None:
    """The problem of a random pipeline by its name; None for others."""
    numbers = seed_of(name)
    if numbers is None:
        return None
    version, seed = numbers
    return problem_of_pipeline(random_pipeline(seed, version), threads)


def samples(
    measured: Iterable[Measured],
    machines: Machines,
    threads: int | None = None,
    problems: Problems = problem_of_random,
) -> Iterator[Sample]:
    """One for each schedule of a pipeline and number of threads (all numbers, or `threads`) it was timed on.

    `machines`: the rates of machines by their names; those of others are the ones that come with pipec. Pipelines that
    `problems` does not know are left out, and states that the space does not have, with a warning that counts them.
    """
    groups: dict[tuple[str, str, int], list[Measured]] = {}
    for one in measured:
        if threads in (None, one.threads):
            groups.setdefault((one.pipeline, one.machine, one.threads), []).append(one)
    left_out = 0
    for (name, machine, number), group in groups.items():
        problem = problems(name, number)
        if problem is not None:
            own = list(_of_pipeline(group, problem, machines.get(machine, MachineModel())))
            left_out += len(group) - len(own)
            yield from own
    if left_out:
        text = f"{left_out} states are left out: the space of their pipelines does not have them any more."
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def _of_pipeline(group: Sequence[Measured], problem: Problem, rates: MachineModel) -> Iterator[Sample]:
    name, machine, threads = group[0][:3]
    evaluators = Evaluators(problem, Roofline(rates))
    for one in group:
        state = from_json(one.decisions)
        evaluator = evaluators.of(state)
        if evaluator is not None:
            batch = evaluator.batch([state])
            setting, seconds = f"{machine} {threads}", one.milliseconds * 1e-3
            yield Sample(name, setting, batch.features, batch.operations, seconds, rates)
