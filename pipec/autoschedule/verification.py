"""The finalists of a search, compiled and timed side by side on this machine; the fastest is returned."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.measure import Measurer, Trial, TrialLimits
from pipec.autoschedule.measure.other_work import slowdown
from pipec.autoschedule.measure.tuning import task_of_problem
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.progress import ProgressLine
from pipec.autoschedule.result import Candidate
from pipec.autoschedule.rfactor.search import Searched
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.finalists import finalists
from pipec.errors import PipecError
from pipec.jit.device import device_api
from pipec.jit.runtime.library import default_threads
from pipec.records import dataclass, field, replace

MAX_FINALISTS = 8
MAX_FACTORINGS = 2
"""Finalists with other factorings of reductions than the best has."""
LIMITS = TrialLimits(run_seconds=5.0, hopeless=1.3)
"""A finalist that is a third slower than the fastest after two rounds is out."""
MAX_COMPILERS = 8


def finalists_of(searches: Sequence[Searched], rivals: Sequence[Searched]) -> list[Candidate]:
    """Candidates that differ in structure, the cheapest first, then the best of each rival and of other factorings."""
    best, *factored = searches
    others = [*rivals, *factored[:MAX_FACTORINGS]]
    candidates = [_candidate(best, cost, state) for cost, state in finalists(best.search, MAX_FINALISTS - len(others))]
    candidates[1:1] = [_candidate(other, *other.search.best[0]) for other in others]
    unique = {(id(candidate.problem.definition), candidate.state): candidate for candidate in reversed(candidates)}
    return list(reversed(unique.values()))


def _candidate(searched: Searched, cost: float, state: State) -> Candidate:
    return Candidate(searched.problem, searched.evaluator, state, cost * 1e3)


@dataclass
class Verified:
    """The candidates that were timed, the fastest first; of those and the ones that failed the `states`.

    `seconds` that it took; `note`: why there are none, or what was unusual."""

    candidates: list[Candidate] = field(default_factory=list)
    states: set[State] = field(default_factory=set)
    seconds: float = 0.0
    note: str = ""


class Verification:
    """Children that time candidates of one problem, started at once so that they are ready when the search ends.

    `obstacle`: why nothing can be timed here; None: nothing is to be timed. Whatever fails here, the search does not.
    """

    def __init__(self, problem: Problem, like: Like, obstacle: str | None) -> None:
        self.problem, self.like, self.note = problem, like, obstacle or ""
        self._enabled = obstacle == ""
        self._measurer: Measurer | None = None

    def __enter__(self) -> Self:
        if self._enabled:
            limits = LIMITS if self.problem.device is None else replace(LIMITS, memory=-1)
            compilers, threads = min(MAX_COMPILERS, default_threads()), self.problem.dag.threads
            try:
                self._measurer = Measurer(compilers=compilers, threads=threads, limits=limits).__enter__()
            except (PipecError, OSError) as error:
                self.note = f"no process that measures can be started: {error}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._measurer is not None:
            self._measurer.close()

    @property
    def is_possible(self) -> bool:
        """Whether candidates can be timed."""
        return self._measurer is not None

    def run(self, candidates: Sequence[Candidate], seconds: float, progress: ProgressLine) -> Verified:
        """Times candidates within so many seconds. On Ctrl-C what has been timed so far is the result."""
        if self._measurer is None:
            return Verified(note=self.note)
        verified, began = Verified(), time.perf_counter()

        def receive(number: int, trial: Trial) -> None:
            candidate = candidates[number]
            verified.states.add(candidate.state)
            if trial.ok:
                verified.candidates.append(replace(candidate, measured_ms=trial.minimum))
            progress.show(f"{len(verified.states)} of {len(candidates)} finalists timed")

        try:
            trusted = self.problem.space.emit(self.problem.trivial())
            task = replace(task_of_problem(self.problem, self.like), trusted=trusted)
            definitions = {number: candidate.problem.definition for number, candidate in enumerate(candidates)}
            rewritten = {number: own for number, own in definitions.items() if own is not task.definition}
            schedules = [candidate.schedule for candidate in candidates]
            allowed = seconds * slowdown()
            self._measurer.measure(task, schedules, receive, seconds=allowed, definitions=rewritten)
            verified.note = self._measurer.other_work.note
        except KeyboardInterrupt:
            verified.note = "interrupted"
        except (PipecError, OSError, MemoryError) as error:
            verified.note = str(error).removeprefix("Error: ") or type(error).__name__
        verified.candidates.sort(key=lambda candidate: candidate.measured_ms or 0.0)
        if not verified.candidates and not verified.note:
            verified.note = f"no finalist was compiled and timed within {allowed:.0f} s"
        verified.seconds = time.perf_counter() - began
        return verified


def obstacle(problem: Problem, model: str | CostModel | GpuDevice | None) -> str:
    """Why schedules of a problem can't be timed here; nothing if they can. `model`: as the user gave it."""
    if problem.device is None:
        threads, present = problem.dag.threads, default_threads()
        return f"the schedule is for {threads} threads, and here are {present}" if threads > present else ""
    if model is not None:
        return f"the schedule is for the GPU {problem.device.name}"
    api = device_api()
    is_here = api.devices() and api.open_device(problem.target.device).properties().is_gpu
    return "" if is_here else "there is no GPU here"
