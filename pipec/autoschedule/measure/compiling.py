"""Compiling many schedules of a task in several children; the code goes to a folder that all children read."""

from __future__ import annotations

import math
import select
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from pipec.autoschedule.measure.candidate import AHEAD, FIRST, REFERENCE, Results, TrialCandidate
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.trial import Status
from pipec.autoschedule.processes.channel import TimedOut
from pipec.autoschedule.processes.process import Crashed, Process, Refused
from pipec.errors import PipecError
from pipec.records import replace

_ANSWER_SECONDS = 5.0  # for what has begun to arrive
_START_SECONDS = 60.0  # a child imports the package before it answers for the first time
PATIENCE = 10
"""Seconds that one second of calculation may take on a busy machine."""
GLANCE_SECONDS = 0.1
"""How often a thread that waits for children looks whether it is to end."""


class Compiling:
    """Gives each child a schedule as soon as it is free, until `until` (of `time.monotonic`), which may change.

    `seconds`: of calculation, for one schedule. `timing_seconds`: what timing one takes; each that is compiled ends
    compiling so much sooner. `latest`: when the first schedule, which is waited for alone after `until`, must be timed.
    `busy`: the children that compile something, and when each should have answered.
    """

    def __init__(
        self,
        processes: Sequence[Process],
        task: Task,
        seconds: float,
        until: float,
        results: Results,
        timing_seconds: float = 0.0,
        latest: float = -math.inf,
    ) -> None:
        self.processes, self.task, self.seconds, self.until, self.results = processes, task, seconds, until, results
        self.timing_seconds, self.latest = timing_seconds, latest
        self.busy: dict[Process, tuple[TrialCandidate, float]] = {}

    def run(self, candidates: Iterable[TrialCandidate]) -> list[TrialCandidate]:
        """Those that compile before it is `until`, in the given order; the others get their Trials."""
        waiting = iter(candidates)
        compiled = self.advance(waiting)
        if any(candidate.number == FIRST for candidate, _ in self.busy.values()):
            self._skip_busy(lambda candidate: candidate.number != FIRST)
            self.until = self.latest - self._seconds_of_timing(compiled) - self.timing_seconds
            compiled += self.advance(iter(()))
        self._skip(waiting)
        return sorted(compiled, key=lambda candidate: candidate.number)

    def advance(self, waiting: Iterator[TrialCandidate]) -> list[TrialCandidate]:
        """Those that compile before it is `until`; children that are busy then are left so.

        The next one is requested when a child is free, so an iterator may take its time while others compile.
        """
        compiled: list[TrialCandidate] = []
        more = True
        while (more or self.busy) and time.monotonic() < self.until - self._seconds_of_timing(compiled):
            idle = [process for process in self.processes if process not in self.busy] if more else []
            if idle:
                more = self._begin_next(idle[0], waiting)
            for process, seconds in self._answering(wait=not idle):
                candidate, _ = self.busy.pop(process)
                if self._settle(process, candidate, seconds) and candidate.number != AHEAD:
                    compiled.append(candidate)
        return compiled

    def _seconds_of_timing(self, compiled: Sequence[TrialCandidate]) -> float:
        return self.timing_seconds * sum(candidate.number != REFERENCE for candidate in compiled)

    def _begin_next(self, process: Process, waiting: Iterator[TrialCandidate]) -> bool:
        """Whether there was one more."""
        candidate = next(waiting, None)
        if candidate is None:
            return False
        for compiler, (ahead, deadline) in self.busy.items():
            if ahead.number == AHEAD and ahead.is_same(candidate):
                self.busy[compiler] = candidate, deadline
                return True
        self._begin(process, candidate)
        return True

    def _skip(self, waiting: Iterable[TrialCandidate]) -> None:
        self._skip_busy(lambda _: True)
        for candidate in waiting:
            self.results.finish(candidate, Status.SKIPPED)

    def _skip_busy(self, skipped: Callable[[TrialCandidate], bool]) -> None:
        for process, (candidate, _) in list(self.busy.items()):
            if skipped(candidate):
                del self.busy[process]
                process.kill()
                self.results.finish(candidate, Status.SKIPPED)

    def _begin(self, process: Process, candidate: TrialCandidate) -> None:
        if process.ready_for is not self.task:
            self._send_task(process)
        process.send("compile", candidate.schedule, candidate.definition, self.seconds)
        self.busy[process] = candidate, time.monotonic() + PATIENCE * self.seconds

    def _send_task(self, process: Process) -> None:
        """Give a child the task; it is a new one, or has done nothing but others."""
        try:
            allowed = min(max(_START_SECONDS, PATIENCE * self.seconds), self.until - time.monotonic())
            # Compiling needs no pixels.
            process.ask(max(_ANSWER_SECONDS, allowed), "task", replace(self.task, images={}))
        except (Crashed, Refused, TimedOut) as error:
            raise PipecError(
                f"Error: A process that measures schedules does not work: {error or 'it does not answer'}. What it said"
                " about this stands on stderr; it needs the package pipec, its dependencies and memory."
            ) from None
        process.ready_for = self.task

    def _answering(self, *, wait: bool) -> list[tuple[Process, float]]:
        """The children that have answered, or should have, each with the seconds it still has."""
        earliest = min([self.until, *[deadline for _, deadline in self.busy.values()]])
        sources = {process.source: process for process in self.busy}
        patience = min(GLANCE_SECONDS, max(0.0, earliest - time.monotonic())) if wait else 0.0
        ready, _, _ = select.select(list(sources), [], [], patience)
        if ready:
            return [(sources[source], _ANSWER_SECONDS) for source in ready]
        now = time.monotonic()
        return [(process, 0.0) for process, (_, deadline) in self.busy.items() if deadline <= now]

    def _settle(self, process: Process, candidate: TrialCandidate, seconds: float) -> bool:
        try:
            candidate.compile_seconds = process.answer(seconds)
            return True
        except Refused as error:
            self.results.finish(candidate, Status.FAILED, str(error))
        except Crashed as error:
            if "SIGXCPU" in str(error):
                self._too_slow(candidate)
            else:
                self.results.finish(candidate, Status.CRASHED, f"while compiling: {error}")
        except TimedOut:
            self._too_slow(candidate)
        return False

    def _too_slow(self, candidate: TrialCandidate) -> None:
        self.results.finish(candidate, Status.TIMEOUT, f"compiling takes more than {self.seconds:g} s")
