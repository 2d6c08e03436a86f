"""Searches by one strategy, cost model and limit of memory, for CPUs and GPUs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from pipec.autoschedule.cost.cpu import CpuEvaluator, MemoryLimited, memory_of
from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import CostModel, Roofline
from pipec.autoschedule.cost.network import Blend, Network
from pipec.autoschedule.features.gpu.device import GpuDevice, device_of
from pipec.autoschedule.li2018.schedule import li2018
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.progress import ProgressLine, duration, milliseconds
from pipec.autoschedule.rfactor.search import Searched, search_with_factorings
from pipec.autoschedule.search_workers import STARTED_AFTER, SearchWorkers
from pipec.autoschedule.space.gpu.space import GpuSpace, freeze_most
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies import STRATEGIES, Strategy
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.errors import ArgumentError, NotSupportedError, ScheduleError
from pipec.pipeline.calls.runnable import jit_target
from pipec.records import dataclass, field, replace
from pipec.target import Target

MODELS: dict[str, Callable[[MachineModel], CostModel]] = {
    "blend": Blend.shipped,
    "network": Network.shipped,
    "roofline": Roofline,
}


def gpu_of(model: str | CostModel | GpuDevice | None, target: Target | None) -> GpuDevice | None:
    """Returns the GPU to search for, named by `model` or at hand; None where the target has no kernels."""
    chosen = jit_target(target)
    if not chosen.has_gpu_feature():
        return None
    if isinstance(model, CostModel):
        raise NotSupportedError(
            "Error: This cost model is for CPUs. For a target with a GPU leave model= out, or give the name or the"
            " GpuDevice of a device; their cost follows from what it can do."
        )
    return device_of(model, chosen.device)


def check_device(device: GpuDevice | None, strategy: Strategy, memory_limit: int | None) -> None:
    """Raises NotSupportedError for what searches for a GPU, or for a CPU, do not have."""
    if device is None:
        if not strategy.cpu:
            raise NotSupportedError(
                f"Error: The strategy {strategy.name!r} decides about kernels. Give a target with a GPU, such as"
                ' hl.Target("host-opencl"), or take another strategy.'
            )
        return
    if not strategy.gpu:
        others = ", ".join([repr(name) for name, other in STRATEGIES.items() if other.gpu])
        raise NotSupportedError(
            f"Error: The strategy {strategy.name!r} decides about loops of a CPU. For a target with a GPU there are"
            f" {others}."
        )
    if memory_limit is not None:
        raise NotSupportedError(
            "Error: memory_limit is about the memory of the CPU; searches for a GPU have none. Leave it out."
        )


def model_of(model: str | CostModel | GpuDevice | None) -> CostModel:
    """Returns the cost model of that name; the blend for None."""
    if isinstance(model, CostModel):
        return model
    factory = MODELS.get("blend" if model is None else str(model))
    if factory is None:
        raise ArgumentError(f"Error: There is no cost model {model!r}; there are {', '.join(MODELS)}.")
    return factory(host_machine())


GROUPING_SECONDS = 1.0
"""At most, of the search by grouping whose best state competes with that of another search."""


@dataclass(frozen=True, eq=False)
class Searching:
    """Searches, which show their progress. `model`: None for a GPU; `memory_limit`: bytes of intermediate results."""

    model: CostModel | None
    memory_limit: int | None
    options: Options
    progress: ProgressLine
    workers: SearchWorkers
    _rules: dict[Problem, Problem] = field(default_factory=dict)
    """The problems of Li2018."""

    def by(self, strategy: Strategy, problem: Problem, seconds: float) -> list[Searched]:
        """Searches by a strategy, the best first; thorough ones also with reductions factored."""
        searcher = partial(self._searched, strategy)
        if strategy.thorough:
            return search_with_factorings([problem, *self._rewritten(problem)], searcher, self.options, seconds)
        return [searcher(problem, self.options, seconds)]

    def _rewritten(self, problem: Problem) -> list[Problem]:
        """The problem of Li2018 where it merges updates that are alike, such as those of gradients that scatter."""
        if problem.device is not None or not any(len(func.stages) > 2 for func in problem.dag.funcs.values()):
            return []
        rules = self._by_rules(problem)
        stages = {name: len(func.stages) for name, func in rules.definition.funcs.items()}
        merges = any(1 < stages[name] < len(func.stages) for name, func in problem.definition.funcs.items())
        return [rules] if merges else []

    def _by_rules(self, problem: Problem) -> Problem:
        if problem not in self._rules:
            self._rules[problem] = li2018(problem.apart)
        return self._rules[problem]

    def rivals(self, problem: Problem) -> list[Searched]:
        """Simple strategies whose schedules compete with the best one: sometimes a model is wrong about all others."""
        rivals = self.by(STRATEGIES["trivial"], problem, 0.0)
        if problem.device is None and _has_updates(problem):
            rivals += self.by(STRATEGIES["li2018"], problem, 0.0)
        return [*self._within_limit(rivals), *self.grouped(problem)]

    def grouped(self, problem: Problem) -> list[Searched]:
        """The rival by grouping, which CPUs have."""
        if problem.device is not None:
            return []
        return self._within_limit(self.by(STRATEGIES["grouping"], problem, GROUPING_SECONDS))

    def _within_limit(self, rivals: list[Searched]) -> list[Searched]:
        limit = self.memory_limit
        return [rival for rival in rivals if limit is None or least_memory(rival) <= limit]

    def _searched(self, strategy: Strategy, problem: Problem, options: Options, seconds: float) -> Searched:
        lowest, workers_wait = math.inf, self.workers.count > 0

        def report(state: SearchState, left: float) -> None:
            nonlocal lowest, workers_wait
            if workers_wait and seconds - left >= STARTED_AFTER:
                workers_wait = False
                self.workers.begin(self._without_caches(problem, evaluator), strategy.name, options, start, left)
            lowest = min(lowest, state.best[0][0])
            best = milliseconds(lowest * 1e3)
            self.progress.show(f"best {best} predicted, {state.states} states, at most {duration(left)} left")

        problem, start = self._started(problem, strategy.name)
        evaluator = self._evaluator(problem)
        if isinstance(evaluator.space, GpuSpace) and strategy.thorough:
            start = freeze_most(evaluator.space, start)
        budget = Budget(seconds, options.states)
        searched = search(problem.dag, evaluator, strategy.name, options, budget, start, report)
        self.workers.join(searched)
        return Searched(problem, evaluator, searched)

    def _evaluator(self, problem: Problem) -> Evaluator[Any]:
        if isinstance(problem.space, GpuSpace):
            return problem.space.evaluator
        assert self.model is not None
        if self.memory_limit is None:
            return CpuEvaluator(problem.dag, self.model)
        return MemoryLimited(problem.dag, self.model, self.memory_limit)

    def _without_caches(self, problem: Problem, evaluator: Evaluator[Any]) -> Evaluator[Any]:
        """An evaluator of the same space that is quickly sent to a process."""
        evaluator_there = self._evaluator(replace(problem, dag=replace(problem.dag)))
        if isinstance(evaluator.space, GpuSpace) and isinstance(evaluator_there.space, GpuSpace):
            evaluator_there.space.frozen = evaluator.space.frozen
        return evaluator_there

    def _started(self, problem: Problem, strategy: str) -> tuple[Problem, State]:
        if strategy == "li2018":
            problem = self._by_rules(problem)
        if strategy == "trivial":
            return problem.apart, problem.apart.trivial()
        return problem, problem.start()


def _has_updates(problem: Problem) -> bool:
    return any(len(func.stages) > 1 for func in problem.dag.funcs.values())


def least_memory(searched: Searched) -> int:
    """Returns the bytes of intermediate results of the best state of a search."""
    return memory_of(searched.problem.dag, searched.search.best[0][1])


def refuse_excess(searched: Searched, limit: int | None) -> None:
    """Raises ScheduleError when the best schedule of a search needs more bytes than the limit."""
    if limit is None:
        return
    least = least_memory(searched)
    if least > limit:
        raise ScheduleError(
            f"Error: No schedule of {searched.problem.definition.name} within memory_limit={limit} bytes was found; the"
            f" least needs {least} bytes. Give more memory, or schedule the large Funcs by hand."
        )
