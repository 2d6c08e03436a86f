"""`Pipeline.autoschedule`: from a pipeline to its best schedule, by one call."""

from __future__ import annotations

import math
import mmap
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.measure import Measuring
from pipec.autoschedule.measure.other_work import slowdown, usual_patience
from pipec.autoschedule.measure.trial_history import DatabaseLike
from pipec.autoschedule.measure.tuning import tuned_by_rounds
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.progress import ProgressLine, duration, milliseconds, seconds_of
from pipec.autoschedule.result import Candidate, Result
from pipec.autoschedule.returned import best_and_others, fastest_of, predicted
from pipec.autoschedule.rfactor.search import Searched
from pipec.autoschedule.search_workers import SearchWorkers
from pipec.autoschedule.searchers import Searching, check_device, gpu_of, model_of, refuse_excess
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.strategies import STRATEGIES, Strategy
from pipec.autoschedule.strategies.search_state import Options
from pipec.autoschedule.strategies.tune import MAX_TRIALS, Rounds, Tuned, TuningBudget, completed
from pipec.autoschedule.verification import Verification, Verified, finalists_of, obstacle
from pipec.deep_stack import gc_paused
from pipec.errors import ArgumentError, OutOfMemoryError
from pipec.func.functions.function import Function
from pipec.records import dataclass
from pipec.target import Target

MIN_SECONDS, FEW_FUNCS = 4.5, 26
MAX_SECONDS = 9.0
"""The searches of the applications find nothing better after 4 s."""
SHARED_SEARCH = 0.75
"""Of longer searches, where processes search as well and what they find is timed, which needs the rest."""
DEFAULT_SECONDS = 20.0
"""Of search, verification and neighbours of the fastest finalist, where the user gives no budget."""
MIN_GAIN = 0.02
"""Neighbours are measured until a round makes the fastest schedule faster by less than this share,"""
WORTH_IMPROVING_MS = 0.1
"""and only those of schedules that take so long."""
VERIFY_SECONDS, VERIFY_SHARE = 6.0, 0.5
"""Seconds that verification may take at least, or this share of the seconds of a long search."""
SEARCH_SHARE, FINALISTS_SHARE = 0.2, 0.3
"""Of a budget, for the search by the model and for its finalists; the rest is for what they suggest."""
NEEDED_BYTES = 96 << 20
"""Of addresses. The library of linear algebra, which computes the costs, ends the process where it gets no memory."""
PATIENCE_SHARE = 0.1
"""Of a budget, at most, for waiting until other work on the machine ends."""


def autoschedule(outputs: Sequence[Function], *arguments: Any, **options: Any) -> Result:
    """As `Pipeline.autoschedule`, of these outputs."""
    return completed(autoschedule_by_rounds(outputs, *arguments, **options))


def autoschedule_by_rounds(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    *,
    model: str | CostModel | GpuDevice | None = None,
    strategy: str = "mixed",
    verify: bool | None = None,
    budget: str | float | timedelta | None = None,
    trials: int | None = None,
    search_seconds: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    memory_limit: int | None = None,
    patience: str | float | timedelta | None = None,
    database: DatabaseLike = None,
    measurer: Measuring | None = None,
    target: Target | None = None,
    options: Options | None = None,
    verbose: bool | None = None,
    apply: bool = True,
    kernels: GpuOptions | None = None,
    for_cpu: bool = False,
    finalists_seconds: float | None = None,
) -> Rounds[Result]:
    """As `Pipeline.autoschedule`, of these outputs; yields before each round of trials, and ends when False is sent.

    `kernels`: the part of the space for a GPU that is searched; `for_cpu`: no kernels, although the target allows them;
    `finalists_seconds`: the time for finalists where there is no budget.
    """
    chosen = STRATEGIES.named(strategy)
    _check(threads, trials)
    limits = _Limits.of(budget, trials)
    with gc_paused():
        device = None if for_cpu else gpu_of(model, target)
        check_device(device, chosen, memory_limit)
        problem = problem_of(outputs, like, sizes, threads, target, device, kernels)
    progress = ProgressLine(problem.definition.name, verbose)
    options = options or Options(seed=seed)
    verifies = chosen.verified if verify is None else verify
    cost_model = None if device else model_of(model)
    workers = SearchWorkers(options, cost_model)
    usual = _usual_seconds(problem, SHARED_SEARCH if verifies and workers.count else 1.0)
    allowed = limits.of_search(usual if search_seconds is None else search_seconds)
    hindrance = "" if limits.tunes or (verifies and measurer) else obstacle(problem, model) if verifies else None
    verified, measured = Verified(), None
    with Verification(problem, like, seed, limits.waiting(patience), hindrance, measurer) as verification:
        verifies = verifies and verification.measurer is not None
        with workers:
            search = Searching(cost_model, memory_limit, options, progress, workers)
            searches, rivals = _searched(search, chosen, problem, allowed, verification if verifies else None)
        best = searches[0]
        refuse_excess(best, memory_limit)
        if verifies and not best.search.interrupted:
            with gc_paused():
                rivals += search.grouped(best.problem) if best.problem is not problem else []
                finalists = finalists_of(searches, rivals, trials)
            verified = verification.run(finalists, limits.of_finalists(allowed, finalists_seconds), progress)
            verified = verification.run_cheapest(verified, finalists, limits.left(), progress)
        candidates, goes_on = verified.candidates, limits.tunes or _is_worth_improving(verified.candidates)
        if goes_on and verification.measurer and not (best.search.interrupted or verified.interrupted):
            best, allowance = _fastest_search(searches, candidates), limits.of_tuning(verification, verified)
            history = database if limits.tunes else False
            measured = yield from _tuned(chosen, best, verification, verified, allowance, history, progress)
            candidates = verification.decided(fastest_of(best, measured), candidates, VERIFY_SECONDS, progress)
    result = _result(best, candidates, verification, verified, measured, limits.began)
    progress.end()
    if apply:
        result.apply()
    return result


@dataclass(frozen=True)
class _Limits:
    """Of a call that began at a time: seconds of its budget, infinite where it has none, and trials.

    `tunes`: whether it also searches by measuring.
    """

    began: float
    seconds: float
    trials: int | None
    tunes: bool

    @staticmethod
    def of(budget: str | float | timedelta | None, trials: int | None) -> _Limits:
        """Of a call that begins now."""
        seconds = math.inf if budget is None else seconds_of(budget)
        return _Limits(time.perf_counter(), seconds, trials, budget is not None or trials is not None)

    def left(self) -> float:
        """Seconds until the call should end."""
        allowed = self.seconds if math.isfinite(self.seconds) else DEFAULT_SECONDS
        return allowed - (time.perf_counter() - self.began)

    def of_search(self, usual: float) -> float:
        """Seconds of the search by the model."""
        return min(usual, self.seconds * SEARCH_SHARE)

    def of_finalists(self, search_seconds: float, unlimited: float | None) -> float:
        """Seconds in which finalists are compiled and timed, after a search of so many; `unlimited`: without a budget,
        None for what is usual."""
        if math.isfinite(self.seconds):
            return self.seconds * FINALISTS_SHARE
        return unlimited or max(VERIFY_SECONDS, VERIFY_SHARE * search_seconds, self.left()) * slowdown()

    def waiting(self, patience: str | float | timedelta | None) -> float:
        """Seconds that timing waits for the end of other work; `patience`: as the user gave it."""
        if patience is not None:
            return seconds_of(patience) if patience else 0.0
        return min(usual_patience(), PATIENCE_SHARE * self.seconds)

    def of_tuning(self, verification: Verification, verified: Verified) -> TuningBudget:
        """What is left of the seconds and trials after the finalists were measured."""
        count = len(verified.trials)
        trials = MAX_TRIALS if self.trials is None else self.trials - count
        seconds = math.inf if self.tunes and math.isinf(self.seconds) else self.left()
        min_gain = 0.0 if self.tunes else MIN_GAIN
        return TuningBudget(seconds, trials, verification.seconds / count if count else 0.0, min_gain)


def _searched(
    search: Searching, strategy: Strategy, problem: Problem, seconds: float, verification: Verification | None
) -> tuple[list[Searched], list[Searched]]:
    """The searches by the strategy, the best first, and the rivals of its finalists, where there are any."""
    with gc_paused():
        rivals = [] if verification is None else search.rivals(problem)
        if verification is not None:
            verification.compile_ahead(rivals)
        interrupted = [rival for rival in rivals if rival.search.interrupted]
        return interrupted[:1] or search.by(strategy, problem, seconds), rivals


def _result(
    best: Searched,
    candidates: list[Candidate],
    verification: Verification,
    verified: Verified,
    measured: Tuned | None,
    began: float,
) -> Result:
    """The fastest candidate that was measured, or the cheapest of the search, with the others after it."""
    tried = {**verified.trials_of(best.problem), **({} if measured is None else measured.times)}
    candidates += [candidate for candidate in predicted(best) if candidate.state not in tried]
    first, others = best_and_others(best, candidates)
    return Result(
        first.problem,
        first.evaluator,
        first.state,
        first.predicted_ms,
        first.measured_ms,
        others,
        time.perf_counter() - began,
        best.search.states,
        len(verified.trials) + (0 if measured is None else measured.trials),
        tuple([(when, cost * 1e3) for when, cost in best.search.history]),
        () if measured is None else tuple(measured.history),
        verification.seconds,
        verification.note,
    )


def _usual_seconds(problem: Problem, share: float) -> float:
    """Seconds that a search may take: a pass decides every Func, and each decision takes longer the more there are.

    `share`: of them, where they are more than the least.
    """
    funcs = sum([not func.must_inline for func in problem.dag.funcs.values()])
    return max(MIN_SECONDS, share * min(MAX_SECONDS, MIN_SECONDS * (funcs / FEW_FUNCS) ** 2))


def _check(threads: int | None, trials: int | None) -> None:
    if threads is not None and threads < 1:
        raise ArgumentError(f"Error: A schedule is for at least one thread, not for {threads}.")
    if trials is not None and trials < 1:
        raise ArgumentError(f"Error: {trials} trials measure nothing; leave trials= out to search without measuring.")
    try:
        mmap.mmap(-1, NEEDED_BYTES).close()
    except (OSError, MemoryError):
        raise OutOfMemoryError(
            f"Error: A search for schedules needs {NEEDED_BYTES >> 20} MB of addresses at least, more than this process"
            " may have: raise its limit (ulimit -v), or search in another process and load the schedule with"
            " hl.load_schedule()."
        ) from None


def _is_worth_improving(candidates: Sequence[Candidate]) -> bool:
    """Whether the fastest candidate takes long enough for its neighbours to be measured, too."""
    return bool(candidates) and (candidates[0].measured_ms or 0.0) >= WORTH_IMPROVING_MS


def _fastest_search(searches: Sequence[Searched], candidates: Sequence[Candidate]) -> Searched:
    """Returns the search of the problem that the fastest candidate is for: factorings compete to the end."""
    of_problem = {id(searched.problem): searched for searched in searches}
    fastest = [of_problem[id(c.problem)] for c in candidates if id(c.problem) in of_problem]
    return fastest[0] if fastest else searches[0]


def _tuned(
    strategy: Strategy,
    searched: Searched,
    verification: Verification,
    verified: Verified,
    budget: TuningBudget,
    database: DatabaseLike | bool,
    progress: ProgressLine,
) -> Rounds[Tuned]:
    """Measures what the strategy proposes; the verified states are measured already."""

    def report(tuning: Tuned, left: float) -> None:
        best = tuning.best()
        text = "first trials" if best is None else f"best {milliseconds(best[0])}"
        time_left = "" if math.isinf(left) else f", {duration(max(left, 0.0))} left"
        progress.show(f"{text}, {tuning.trials} schedules measured{time_left}")

    assert verification.measurer is not None
    trials_before = verified.trials_of(searched.problem)
    measurer, problem, search = verification.measurer, searched.problem, searched.search
    task = verification.task_of(problem)
    return tuned_by_rounds(strategy, problem, search, task, measurer, budget, trials_before, database, report)
