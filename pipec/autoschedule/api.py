"""`Pipeline.autoschedule`: from a pipeline to its best schedule, by one call."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from datetime import timedelta
from itertools import chain
from typing import Any

from pipec.autoschedule.cost.cpu import CpuEvaluator, MemoryLimited, memory_of
from pipec.autoschedule.cost.evaluator import Evaluator
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import CostModel, Roofline
from pipec.autoschedule.cost.network import Blend, Network
from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.features.gpu.device import GpuDevice, device_of
from pipec.autoschedule.li2018.schedule import li2018
from pipec.autoschedule.measure.trial_history import DatabaseLike
from pipec.autoschedule.measure.tuning import tuned
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.progress import ProgressLine, duration, milliseconds, seconds_of
from pipec.autoschedule.result import Candidate, Result
from pipec.autoschedule.rfactor.search import Searched, Searcher, search_with_factorings
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.space.gpu.space import GpuSpace, freeze_most
from pipec.autoschedule.space.state import INLINED, State
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.autoschedule.strategies.tune import Tuned
from pipec.deep_stack import gc_paused
from pipec.errors import ArgumentError, NotSupportedError, ScheduleError
from pipec.func.functions.function import Function
from pipec.pipeline.calls.runnable import jit_target
from pipec.target import Target

MODELS: dict[str, Callable[[MachineModel], CostModel]] = {
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

    `kernels`: the part of the space for a GPU that is searched; `for_cpu`: no kernels, although the target allows them.
    """
    _check(strategy, threads, trials)
    seconds = math.inf if budget is None else seconds_of(budget)
    began = time.perf_counter()
    with gc_paused():
        device = None if for_cpu else gpu_of(model, target)
        _check_for_gpu(device, strategy, memory_limit)
        problem = problem_of(outputs, like, sizes, threads, target, device, kernels)
        progress = ProgressLine(problem.definition.name, verbose)
        allowed = _usual_seconds(problem) if search_seconds is None else search_seconds
        searcher = _searcher(strategy, None if device else model_of(model), memory_limit, progress)
        options = options or Options(seed=seed)
        if strategy == "beam":
            best = search_with_factorings(problem, searcher, options, min(allowed, seconds / 4))[0]
        else:
            best = searcher(problem, options, min(allowed, seconds / 4))
        _refuse_excess(best, memory_limit)
    measured: Tuned | None = None
    if (budget is not None or trials is not None) and not best.search.interrupted:
        left = seconds - (time.perf_counter() - began)
        measured = _measured(best, like, left, trials, threads, seed, database, progress)
    result = _result(best, measured, time.perf_counter() - began)
    progress.end()
    if apply:
        result.apply()
    return result


def _usual_seconds(problem: Problem) -> float:
    """Seconds that a search may take: a pass decides every Func, and each decision takes longer the more there are."""
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


def _check_for_gpu(device: GpuDevice | None, strategy: str, memory_limit: int | None) -> None:
    if device is None:
        return
    if strategy in ("grouping", "li2018"):
        raise NotSupportedError(
            f"Error: The strategy {strategy!r} decides about loops of a CPU. For a target with a GPU take 'beam',"
            " 'random' or 'fallback'."
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


def _searcher(strategy: str, model: CostModel | None, memory_limit: int | None, progress: ProgressLine) -> Searcher:
    lowest = math.inf

    def report(state: SearchState, left: float) -> None:
        nonlocal lowest
        lowest = min(lowest, state.best[0][0])
        best = milliseconds(lowest * 1e3)
        progress.show(f"best {best} predicted, {state.states} states, at most {duration(left)} left")

    def searched(problem: Problem, options: Options, seconds: float) -> Searched:
        problem, start = li2018(problem) if strategy == "li2018" else (problem, problem.start())
        evaluator = _evaluator(problem, model, memory_limit)
        if isinstance(evaluator.space, GpuSpace) and strategy == "beam":
            start = freeze_most(evaluator.space, start)
        budget = Budget(seconds, options.states)
        return Searched(problem, evaluator, search(problem.dag, evaluator, strategy, options, budget, start, report))

    return searched


def _evaluator(problem: Problem, model: CostModel | None, memory_limit: int | None) -> Evaluator[Any]:
    if isinstance(problem.space, GpuSpace):
        return problem.space.evaluator
    assert model is not None
    if memory_limit is None:
        return CpuEvaluator(problem.dag, model)
    return MemoryLimited(problem.dag, model, memory_limit)


def _refuse_excess(searched: Searched, limit: int | None) -> None:
    if limit is None:
        return
    least = memory_of(searched.problem.dag, searched.search.best[0][1])
    if least > limit:
        raise ScheduleError(
            f"Error: No schedule of {searched.problem.definition.name} within memory_limit={limit} bytes was found; the"
            f" least needs {least} bytes. Give more memory, or schedule the large Funcs by hand."
        )


def _measured(
    searched: Searched,
    like: Like,
    seconds: float,
    trials: int | None,
    threads: int | None,
    seed: int,
    database: DatabaseLike,
    progress: ProgressLine,
) -> Tuned:
    def report(tuning: Tuned, left: float) -> None:
        best = tuning.best()
        text = "first trials" if best is None else f"best {milliseconds(best[0])}"
        time_left = "" if math.isinf(left) else f", {duration(max(left, 0.0))} left"
        progress.show(f"{text}, {tuning.trials} schedules measured{time_left}")

    return tuned(
        searched.problem,
        searched.search,
        like,
        seconds,
        1_000_000 if trials is None else trials,
        threads=threads,
        seed=seed,
        database=database,
        progress=report,
    )


def _result(searched: Searched, measured: Tuned | None, seconds: float) -> Result:
    """Returns the best candidate that can be compiled, the measured ones first, and the others after it."""
    problem, evaluator, times = searched.problem, searched.evaluator, {} if measured is None else measured.times
    fastest = sorted([state for state, ms in times.items() if math.isfinite(ms)], key=times.__getitem__)
    costs = evaluator.costs(fastest) if fastest else []
    candidates = [
        Candidate(problem, evaluator, state, cost * 1e3, times[state])
        for state, cost in zip(fastest, costs, strict=True)
    ]
    if not candidates:
        candidates = [
            Candidate(problem, evaluator, state, cost * 1e3)
            for cost, state in searched.search.best
            if state not in times
        ]
    best = _first_that_lowers(searched, candidates)
    others = candidates[candidates.index(best) + 1 :] if best in candidates else []
    return Result(
        problem,
        evaluator,
        best.state,
        best.predicted_ms,
        best.measured_ms,
        others,
        seconds,
        searched.search.states,
        0 if measured is None else measured.trials,
        tuple([(when, cost * 1e3) for when, cost in searched.search.history]),
        () if measured is None else tuple(measured.history),
    )


def _first_that_lowers(searched: Searched, candidates: Sequence[Candidate]) -> Candidate:
    """Returns the first candidate that can be compiled; after them the start state and all Funcs inlined are tried.

    Raises the error of the best candidate when none can.
    """
    errors = []
    with gc_paused():
        for candidate in chain(candidates, _simple_candidates(searched, {candidate.state for candidate in candidates})):
            if candidate.lowering_error is None:
                return candidate
            errors.append(candidate.lowering_error)
    raise errors[0]


def _simple_candidates(searched: Searched, tried: Set[State]) -> Iterator[Candidate]:
    space, start = searched.evaluator.space, searched.search.start
    inlinable = [name for name in space.decided() if searched.problem.dag.funcs[name].inlinable]
    states = dict.fromkeys([start, searched.problem.start(), start.placing_all(dict.fromkeys(inlinable, INLINED))])
    for state in [state for state in states if state not in tried]:
        yield Candidate(searched.problem, searched.evaluator, state, searched.evaluator.cost(state) * 1e3)
