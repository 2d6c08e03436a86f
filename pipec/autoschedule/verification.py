"""The finalists of a search, compiled and timed side by side on this machine; the fastest is returned."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import cached_property
from typing import Self

from pipec.autoschedule.cost.model import CostModel
from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.measure import Measurer, Measuring, Task, Trial, TrialLimits
from pipec.autoschedule.measure.tuning import task_of_problem
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.processes.process import UNLIMITED
from pipec.autoschedule.progress import ProgressLine
from pipec.autoschedule.result import Candidate
from pipec.autoschedule.rfactor.search import Searched
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.finalists import finalists
from pipec.errors import PipecError
from pipec.func.functions.definition import PipelineDef
from pipec.jit.device import device_api
from pipec.jit.runtime.library import default_threads
from pipec.records import dataclass, field, replace
from pipec.schedule.schedule import Schedule

MAX_FINALISTS = 8
MAX_FACTORINGS = 2
"""Finalists with other factorings of reductions than the best has."""
LIMITS = TrialLimits(run_seconds=5.0, hopeless=2.5)
"""A finalist that takes so many times as long as the fastest after two rounds is out. Disturbances of several rounds
double all runs at most: two CPUs of a virtual machine may be one core for half a second."""
MAX_COMPILERS = 8

NEAR = 1.1
"""Times of candidates that were not timed at the same time may differ by this factor for no reason."""


def limits_for(gpu: bool) -> TrialLimits:
    """The limits of trials; drivers of GPUs take addresses without end."""
    return replace(LIMITS, memory=UNLIMITED) if gpu else LIMITS


def finalists_of(searches: Sequence[Searched], rivals: Sequence[Searched], trials: int | None) -> list[Candidate]:
    """The cheapest candidate, the best of each rival and of other factorings, and more that differ in structure.

    Different states may have the same schedule, which is measured once.
    `trials`: how many may be measured in all, of which half are finalists.
    """
    count = MAX_FINALISTS if trials is None else min(MAX_FINALISTS, trials // 2)
    best, *factored = searches
    others = [*rivals, *factored[:MAX_FACTORINGS]]
    candidates = [_candidate(best, cost, state) for cost, state in finalists(best.search, MAX_FINALISTS - len(others))]
    candidates[1:1] = [_best(other) for other in others]
    different: list[Candidate] = []
    for candidate in candidates:
        if not any(candidate.same_program(other) for other in different):
            different.append(candidate)
    return different[:count]


def _best(searched: Searched) -> Candidate:
    return _candidate(searched, *searched.search.best[0])


def _candidate(searched: Searched, cost: float, state: State) -> Candidate:
    return Candidate(searched.problem, searched.evaluator, state, cost * 1e3)


@dataclass
class Verified:
    """The candidates that were timed, the fastest first, and the trials of these and of those that failed.

    `interrupted`: by Ctrl-C.
    """

    candidates: list[Candidate] = field(default_factory=list)
    trials: list[tuple[Candidate, Trial]] = field(default_factory=list)
    interrupted: bool = False

    def trials_of(self, problem: Problem) -> dict[State, Trial]:
        """The trials of the states of one problem."""
        return {candidate.state: trial for candidate, trial in self.trials if candidate.problem is problem}


class Verification:
    """Children that time candidates of one problem, started at once so that they are ready when the search ends.

    `obstacle`: why nothing can be timed here; None: nothing is to be timed. Whatever fails here, the search does not.
    `patience`: seconds that timing waits for the end of other work on the machine. `seconds`: what timing took.
    `measurer`: what measures, in the place of children of its own; None where there is none.
    """

    def __init__(
        self,
        problem: Problem,
        like: Like,
        seed: int,
        patience: float | None,
        obstacle: str | None,
        measurer: Measuring | None = None,
    ) -> None:
        self.problem, self.like, self.seed, self.patience = problem, like, seed, patience
        self.measurer = measurer
        self._own: Measurer | None = None
        self.seconds = 0.0
        self._enabled, self._failure = obstacle == "", obstacle or ""

    def __enter__(self) -> Self:
        if self._enabled and self.measurer is None:
            limits = limits_for(self.problem.device is not None)
            compilers, threads = min(MAX_COMPILERS, default_threads()), self.problem.dag.threads
            try:
                measurer = Measurer(compilers=compilers, threads=threads, limits=limits, patience=self.patience)
                self.measurer = self._own = measurer.__enter__()
            except (PipecError, OSError) as error:
                self._failure = f"no process that measures can be started: {error}"
        return self

    def __exit__(self, *_: object) -> None:
        if self._own is not None:
            self._own.close()

    @cached_property
    def task(self) -> Task:
        """What the children run; the pixels of the trivial schedule are right."""
        trusted = self.problem.apart.space.emit(self.problem.apart.trivial())
        return replace(task_of_problem(self.problem, self.like, self.seed), trusted=trusted)

    def task_of(self, problem: Problem) -> Task:
        """The task for schedules of a problem that may have other definitions."""
        if problem.rewrite is None:
            return self.task
        return replace(self.task, definition=problem.definition, trusted=problem.space.emit(problem.trivial()))

    @property
    def note(self) -> str:
        """Why nothing was timed, or what was unusual; nothing as a rule."""
        return self._failure or ("" if self.measurer is None else self.measurer.note)

    def compile_ahead(self, rivals: Sequence[Searched]) -> None:
        """Starts to compile the best of each rival, which `run` will time with others that are yet to be searched."""
        if self._own is None or not rivals:
            return
        try:
            self._own.compile_ahead(self.task, *self._schedules([_best(rival) for rival in rivals]))
        except (PipecError, OSError, MemoryError):
            return  # `run` meets the same obstacle, and says so

    def _schedules(self, candidates: Sequence[Candidate]) -> tuple[list[Schedule], dict[int, PipelineDef]]:
        """The schedules of candidates, and by their number the definitions that are not the task's."""
        definitions = {number: candidate.problem.definition for number, candidate in enumerate(candidates)}
        rewritten = {number: own for number, own in definitions.items() if own is not self.task.definition}
        return [candidate.schedule for candidate in candidates], rewritten

    def run(self, candidates: Sequence[Candidate], seconds: float, progress: ProgressLine) -> Verified:
        """Times candidates within so many seconds. On Ctrl-C what has been timed so far is the result."""
        verified, began = Verified(), time.perf_counter()
        assert self.measurer is not None

        def receive(number: int, trial: Trial) -> None:
            verified.trials.append((candidates[number], trial))
            if trial.ok:
                verified.candidates.append(replace(candidates[number], measured_ms=trial.minimum))
            progress.show(f"{len(verified.trials)} of {len(candidates)} finalists timed")

        try:
            schedules, rewritten = self._schedules(candidates)
            self.measurer.measure(self.task, schedules, receive, seconds=seconds, definitions=rewritten)
            if not verified.candidates:
                self._failure = f"no finalist was compiled and timed within {seconds:.0f} s"
        except KeyboardInterrupt:
            verified.interrupted, self._failure = True, "interrupted"
        except (PipecError, OSError, MemoryError) as error:
            self._failure = str(error).removeprefix("Error: ") or type(error).__name__
        verified.candidates.sort(key=_milliseconds)
        self.seconds += time.perf_counter() - began
        return verified

    def run_cheapest(
        self, verified: Verified, finalists: Sequence[Candidate], seconds: float, progress: ProgressLine
    ) -> Verified:
        """What was timed, with the first finalist where there was no time for it, if there is more time now."""
        timed = [candidate for candidate, _ in verified.trials]
        first = [finalist for finalist in finalists[:1] if not any(finalist is candidate for candidate in timed)]
        if verified.interrupted or seconds <= self.seconds or not first:
            return verified
        more = self.run(first, seconds, progress)
        candidates = sorted([*verified.candidates, *more.candidates], key=_milliseconds)
        if candidates:
            self._failure = ""
        return Verified(candidates, verified.trials + more.trials, more.interrupted)

    def decided(
        self, tuned: Sequence[Candidate], verified: Sequence[Candidate], seconds: float, progress: ProgressLine
    ) -> list[Candidate]:
        """All candidates, the fastest first. Where one that was not tuned is nearly the fastest, both run once more."""
        others = [candidate for candidate in verified if not tuned or candidate.problem is not tuned[0].problem]
        ranked = sorted([*tuned, *others], key=_milliseconds)
        if tuned and others and 1 / NEAR < _milliseconds(others[0]) / _milliseconds(tuned[0]) < NEAR:
            pair = self.run([tuned[0], others[0]], seconds, progress).candidates
            if len(pair) == 2:
                ranked = [*pair, *[c for c in ranked if c is not tuned[0] and c is not others[0]]]
        return ranked


def _milliseconds(candidate: Candidate) -> float:
    return math.inf if candidate.measured_ms is None else candidate.measured_ms


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
