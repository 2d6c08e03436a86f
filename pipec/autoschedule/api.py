"""`Pipeline.autoschedule`: from a pipeline to its best schedule, by one call."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta

from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.measure.trial_history import DatabaseLike
from pipec.autoschedule.measure.tuning import tuned
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.progress import ProgressLine, duration, milliseconds, seconds_of
from pipec.autoschedule.result import Result
from pipec.autoschedule.returned import best_and_others, fastest_of, predicted
from pipec.autoschedule.rfactor.search import Searched
from pipec.autoschedule.searchers import Searching, check_for_gpu, gpu_of, model_of, refuse_excess
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.search_state import Options
from pipec.autoschedule.strategies.tune import Tuned
from pipec.autoschedule.verification import Verification, Verified, finalists_of, obstacle
from pipec.deep_stack import gc_paused
from pipec.errors import ArgumentError
from pipec.func.functions.function import Function
from pipec.target import Target

MIN_SECONDS, FEW_FUNCS = 8.0, 26
MAX_SECONDS = 24.0
VERIFIED_STRATEGIES = ("beam", "random")
"""Those whose result is verified unless the user says otherwise; of the others a certain schedule is expected."""
VERIFY_SECONDS, VERIFY_SHARE = 6.0, 0.5
"""Seconds that verification may take, or this share of the seconds of a long search."""


def autoschedule(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    *,
    model: str | CostModel | GpuDevice | None = None,
    strategy: str = "beam",
    verify: bool | None = None,
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
    tunes = budget is not None or trials is not None
    with gc_paused():
        device = None if for_cpu else gpu_of(model, target)
        check_for_gpu(device, strategy, memory_limit)
        problem = problem_of(outputs, like, sizes, threads, target, device, kernels)
    progress = ProgressLine(problem.definition.name, verbose)
    allowed = min(_usual_seconds(problem) if search_seconds is None else search_seconds, seconds / 4)
    search = Searching(None if device else model_of(model), memory_limit, options or Options(seed=seed), progress)
    verifies = not tunes and (strategy in VERIFIED_STRATEGIES if verify is None else verify)
    verified = Verified()
    with Verification(problem, like, obstacle(problem, model) if verifies else None) as verification:
        with gc_paused():
            searches = search.by(strategy, problem, allowed)
        best = searches[0]
        refuse_excess(best, memory_limit)
        if verifies and not best.search.interrupted:
            rivals = search.rivals(problem, best.problem) if verification.is_possible else []
            verified = verification.run(
                finalists_of(searches, rivals), max(VERIFY_SECONDS, VERIFY_SHARE * allowed), progress
            )
    candidates = [*verified.candidates, *[c for c in predicted(best) if c.state not in verified.states]]
    measured = None
    if tunes and not best.search.interrupted:
        left = seconds - (time.perf_counter() - began)
        measured = _measured(best, like, left, trials, threads, seed, database, progress)
        candidates = fastest_of(best, measured) or [c for c in candidates if c.state not in measured.times]
    first, others = best_and_others(best, candidates)
    result = Result(
        first.problem,
        first.evaluator,
        first.state,
        first.predicted_ms,
        first.measured_ms,
        others,
        time.perf_counter() - began,
        best.search.states,
        len(verified.candidates) if measured is None else measured.trials,
        tuple([(when, cost * 1e3) for when, cost in best.search.history]),
        () if measured is None else tuple(measured.history),
        verified.seconds,
        verified.note,
    )
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
