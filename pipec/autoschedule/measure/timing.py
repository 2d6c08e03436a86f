"""Timing the compiled schedules of a task in one child: in turn, A B C A B C, so that a busy moment affects all of
them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from pipec.autoschedule.measure.candidate import Results, TrialCandidate, TrialLimits
from pipec.autoschedule.measure.core_latency import Nearness
from pipec.autoschedule.measure.other_work import OtherWork
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.trial import Status
from pipec.autoschedule.processes.channel import TimedOut
from pipec.autoschedule.processes.process import Crashed, Process, Refused

# Inputs are made and a whole pipeline is run in the simplest way.
PREPARE_SECONDS = 120.0


class Timing:
    """A child that dies takes the schedule with it that ran; the others go on in a new one."""

    def __init__(
        self,
        process: Process,
        nearness: Nearness,
        other_work: OtherWork,
        task: Task,
        reference: TrialCandidate,
        limits: TrialLimits,
        until: float,
        results: Results,
    ) -> None:
        self.process, self.nearness, self.other_work = process, nearness, other_work
        self.task, self.reference = task, reference
        self.limits, self.until, self.results = limits, until, results
        self.candidates: list[TrialCandidate] = []
        self.prepared = False
        self.best = float("inf")  # seconds
        self.threads: int | None = None  # None: the usual number of the child

    def run(self, candidates: Sequence[TrialCandidate]) -> None:
        """Times all candidates; each gets its Trial, the reference only when it fails."""
        self.candidates = list(candidates)
        alive = list(candidates)
        while alive and (self.prepared or self._prepare()):
            if self.other_work.is_busy or not alive[0].rounds:
                self.other_work.wait(self.until)
            timed = []
            for candidate in alive:
                if not self.prepared and not self._prepare():
                    return
                if time.monotonic() >= self.until:
                    self._stop(alive)
                    return
                if self._turn(candidate):
                    timed.append(candidate)
                    self.best = min(self.best, *candidate.seconds)
            alive = []
            for candidate in timed:
                if candidate.enough(self.best, self.limits, self.other_work.is_busy):
                    self.results.finish(candidate, Status.OK)
                else:
                    alive.append(candidate)

    def _stop(self, alive: Sequence[TrialCandidate]) -> None:
        """Time is up: what was timed at all has to do."""
        for candidate in alive:
            self.results.finish(candidate, Status.OK if candidate.seconds else Status.SKIPPED)

    def time_on_threads(self, threads: int, candidates: Sequence[TrialCandidate], results: Results) -> None:
        """Time schedules that are loaded on another number of threads."""
        self.results, self.threads, self.best = results, threads, float("inf")
        self.process.ready_for = None
        if self.prepared:
            try:
                self.process.ask(PREPARE_SECONDS, "threads", threads)
            except (Refused, Crashed, TimedOut):
                self.prepared = False  # `run` prepares a new child
        for candidate in candidates:
            candidate.seconds, candidate.groups, candidate.rounds = [], {}, 0
        self.run(candidates)

    def _prepare(self) -> bool:
        """Inputs and right pixels in a child that is alive."""
        for candidate in self.candidates:
            candidate.loaded = False
        if self.process.ready_for is self.task and self.threads is None:
            self.prepared = True
            return True
        try:
            self._ask_in_time("task", self.task)
            self._ask_in_time("prepare", self.reference.schedule)
            if self.threads is not None:
                self._ask_in_time("threads", self.threads)
        except (Refused, Crashed) as error:
            self.results.finish(self.reference, Status.FAILED, str(error))
            return False
        except TimedOut:
            if time.monotonic() < self.until:
                self.results.finish(self.reference, Status.TIMEOUT, f"takes more than {PREPARE_SECONDS:g} s")
            return False
        self.prepared = True
        self.process.ready_for = self.task if self.threads is None else None
        return True

    def _ask_in_time(self, word: str, *arguments: object) -> None:
        self.process.ask(min(PREPARE_SECONDS, max(0.0, self.until - time.monotonic())), word, *arguments)

    def _turn(self, candidate: TrialCandidate) -> bool:
        """A few runs; False when it is out of the race."""
        limits = self.limits
        try:
            if not candidate.loaded:
                allowed = limits.run_seconds + limits.compile_seconds
                arguments = candidate.number, candidate.schedule, candidate.definition
                wrong, seconds = self.process.ask(allowed, "check", *arguments)
                if wrong:
                    self.results.finish(candidate, Status.WRONG, wrong)
                    return False
                candidate.loaded = True
                if not candidate.seconds:
                    candidate.seconds = [seconds]
                    if candidate.very_slow(self.best, limits):
                        candidate.rounds = 1
                        return True
                    candidate.seconds = []
            if not self.other_work.is_busy:
                self.nearness.wait(lambda: self.process.ask(limits.run_seconds, "exchange"), self.until)
            slow = candidate.very_slow(self.best, limits)
            turn = (candidate.number, limits.seconds_of_a_turn, limits.runs_of_a_turn, not slow)
            candidate.add(*self.process.ask(limits.run_seconds, "measure", *turn))
            return True
        except Refused as error:
            self.results.finish(candidate, Status.FAILED, str(error))
        except Crashed as error:
            self.results.finish(candidate, Status.CRASHED, str(error))
            self.prepared = False
        except TimedOut:
            self.results.finish(candidate, Status.TIMEOUT, f"a run took more than {limits.run_seconds:g} s")
            self.prepared = False
        return False
