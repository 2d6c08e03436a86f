"""`Pipeline.autoschedule`: from a pipeline to its best schedule, by one call."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from pipec.autoschedule.budget import seconds_of
from pipec.autoschedule.cost.blend import Blend
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.cost.host_machine import here
from pipec.autoschedule.cost.machine import Machine
from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.cost.network import Network
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.features.gpu.device import GpuDevice, device_of
from pipec.autoschedule.measure.trial_history import DatabaseLike
from pipec.autoschedule.measure.tuning import tuned
from pipec.autoschedule.memory import MemoryLimited, memory_of
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.progress import Progress, duration, milliseconds
from pipec.autoschedule.result import Candidate, Result
from pipec.autoschedule.space.cpu.alternatives import Alternative, Look, explored
from pipec.autoschedule.space.gpu.freezing import freeze_most
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.space.gpu.space import GpuSpace
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.autoschedule.strategies.tune import Tuned
from pipec.deep_stack import gc_paused
from pipec.errors import ArgumentError, NotSupportedError, ScheduleError
from pipec.func.functions.function import Function
from pipec.pipeline.calls.runnable import jit_target
from pipec.target import Target

MODELS: dict[str, Callable[[Machine], CostModel]] = {
    "blend": Blend.shipped,
    "network": Network.shipped,
    "roofline": Roofline,
}
MIN_SECONDS, FEW_FUNCS = 8.0, 26
MAX_SECONDS = 24.0


def autoschedule(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    *,
    model: str | CostModel | GpuDevice | None = None,
    strategy: str = "beam",
    budget: str | float | timedelta | None = None,
    trials: int | None = None,
    search_seconds: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    memory_limit: int | None = None,
    database: DatabaseLike = None,
    target: Target | None = None,
    options: Options | None = None,
    verbose: bool | None = None,
    apply: bool = True,
    kernels: GpuOptions | None = None,
    for_cpu: bool = False,
) -> Result:
    """As `Pipeline.autoschedule`, of these outputs.

    `kernels`: what of the space for a GPU is looked through; `for_cpu`: no kernels, although the target allows them.
    """
    _check(strategy, threads, trials)
    seconds = math.inf if budget is None else seconds_of(budget)
    began = time.perf_counter()
    with gc_paused():
        device = None if for_cpu else gpu_of(model, target)
        _check_for_gpu(device, strategy, memory_limit)
        problem = problem_of(outputs, like, sizes, threads, target, device, kernels)
        progress = Progress(problem.definition.name, verbose)
        allowed = _usual_seconds(problem) if search_seconds is None else search_seconds
        thinking = min(allowed, seconds / 4)
        look = _looking(strategy, None if device else model_of(model), memory_limit, progress)
        explore = explored if strategy == "beam" else _one
        ways = explore(problem, look, options or Options(seed=seed), thinking)
        problem, evaluator, found = ways[0].problem, ways[0].evaluator, ways[0].found
        _refuse_excess(problem, found, memory_limit)
    candidates = [Candidate(problem, evaluator, state, cost * 1e3) for cost, state in found.best]
    measured: Tuned | None = None
    if budget is not None or trials is not None:
        left = seconds - (time.perf_counter() - began)
        measured = _measured(problem, found, like, left, trials, threads, seed, database, progress)
        candidates = _by_measured(problem, evaluator, measured) or candidates
    result = _result(candidates, found, measured, time.perf_counter() - began)
    progress.end()
    if apply:
        result.apply()
    return result


def _usual_seconds(problem: Problem) -> float:
    """How long a search may take: a pass decides every Func, and each decision is the dearer the more there are."""
    funcs = sum([not func.must_inline for func in problem.dag.funcs.values()])
    return min(MAX_SECONDS, max(MIN_SECONDS, MIN_SECONDS * (funcs / FEW_FUNCS) ** 2))


def _check(strategy: str, threads: int | None, trials: int | None) -> None:
    if strategy not in STRATEGIES:
        raise ArgumentError(f"Error: There is no strategy {strategy!r}; there are {', '.join(STRATEGIES)}.")
    if threads is not None and threads < 1:
        raise ArgumentError(f"Error: A schedule is for at least one thread, not for {threads}.")
    if trials is not None and trials < 1:
        raise ArgumentError(f"Error: {trials} trials measure nothing; leave trials= out to search without measuring.")


def gpu_of(model: str | CostModel | GpuDevice | None, target: Target | None) -> GpuDevice | None:
    """The GPU that a search is for: the one at hand or that `model` names where the target has kernels, else None."""
    chosen = jit_target(target)
    if not chosen.has_gpu_feature():
        return None
    if isinstance(model, CostModel):
        raise NotSupportedError(
            "Error: This cost model is for CPUs. For a target with a GPU leave model= out, or give the name or the"
            " GpuDevice of a device; kernels are evaluated by what that can do."
        )
    return device_of(model, chosen.device)


def _check_for_gpu(device: GpuDevice | None, strategy: str, memory_limit: int | None) -> None:
    if device is None:
        return
    if strategy == "grouping":
        raise NotSupportedError(
            "Error: The strategy 'grouping' merges loops of a CPU. For a target with a GPU take 'beam', 'random' or"
            " 'fallback'."
        )
    if memory_limit is not None:
        raise NotSupportedError(
            "Error: memory_limit is about the memory of the CPU; searches for a GPU have none. Leave it out."
        )


def model_of(model: str | CostModel | GpuDevice | None) -> CostModel:
    """The cost model of that name; the blend for None."""
    if isinstance(model, CostModel):
        return model
    made = MODELS.get("blend" if model is None else str(model))
    if made is None:
        raise ArgumentError(f"Error: There is no cost model {model!r}; there are {', '.join(MODELS)}.")
    return made(here())


def _one(problem: Problem, look: Look, options: Options, seconds: float) -> list[Alternative]:
    return [look(problem, options, seconds)]


def _looking(strategy: str, model: CostModel | None, memory_limit: int | None, progress: Progress) -> Look:
    cheapest = math.inf

    def tell(search: SearchState, left: float) -> None:
        nonlocal cheapest
        cheapest = min(cheapest, search.best[0][0])
        best = milliseconds(cheapest * 1e3)
        progress.tell(f"best {best} predicted, {search.states} states, at most {duration(left)} left")

    def look(problem: Problem, options: Options, seconds: float) -> Alternative:
        evaluator = _evaluator(problem, model, memory_limit)
        start = problem.start()
        if isinstance(evaluator.space, GpuSpace) and strategy == "beam":
            start = freeze_most(evaluator.space, start)
        budget = Budget(seconds, options.states)
        found = search(problem.dag, evaluator, strategy, options, budget, start, progress=tell)
        return Alternative(problem, evaluator, found)

    return look


def _evaluator(problem: Problem, model: CostModel | None, memory_limit: int | None) -> Evaluator[Any]:
    if isinstance(problem.space, GpuSpace):
        return problem.space.evaluator
    assert model is not None
    if memory_limit is None:
        return CpuEvaluator(problem.dag, model)
    return MemoryLimited(problem.dag, model, memory_limit)


def _refuse_excess(problem: Problem, search: SearchState, limit: int | None) -> None:
    if limit is None:
        return
    needed = memory_of(problem.dag, search.best[0][1])
    if needed > limit:
        raise ScheduleError(
            f"Error: No schedule of {problem.definition.name} within memory_limit={limit} bytes was found; the least"
            f" needs {needed} bytes. Give more memory, or schedule the large Funcs by hand."
        )


def _measured(
    problem: Problem,
    search: SearchState,
    like: Like,
    seconds: float,
    trials: int | None,
    threads: int | None,
    seed: int,
    database: DatabaseLike,
    progress: Progress,
) -> Tuned:
    def tell(tuned: Tuned, left: float) -> None:
        best = tuned.best()
        text = "first trials" if best is None else f"best {milliseconds(best[0])}"
        time_left = "" if math.isinf(left) else f", {duration(max(left, 0.0))} left"
        progress.tell(f"{text}, {tuned.trials} schedules measured{time_left}")

    most = 1_000_000 if trials is None else trials
    return tuned(problem, search, like, seconds, most, threads=threads, seed=seed, database=database, progress=tell)


def _by_measured(problem: Problem, evaluator: Evaluator[Any], tuned: Tuned) -> list[Candidate]:
    """What was measured, the fastest first."""
    ranked = sorted([(ms, number) for number, ms in enumerate(tuned.times.values()) if math.isfinite(ms)])
    states = list(tuned.times)
    chosen = [states[number] for _, number in ranked]
    predicted = evaluator.costs(chosen) if chosen else []
    return [
        Candidate(problem, evaluator, state, seconds * 1e3, ms)
        for state, seconds, (ms, _) in zip(chosen, predicted, ranked, strict=True)
    ]


def _result(candidates: Sequence[Candidate], search: SearchState, measured: Tuned | None, seconds: float) -> Result:
    best = candidates[0]
    return Result(
        best.problem,
        best.evaluator,
        best.state,
        best.predicted_ms,
        best.measured_ms,
        candidates[1:],
        seconds,
        search.states,
        0 if measured is None else measured.trials,
        tuple([(when, cost * 1e3) for when, cost in search.history]),
        () if measured is None else tuple(measured.history),
    )
