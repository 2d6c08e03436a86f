"""Compiling ahead: a thread has schedules compiled while its owner searches for others."""

from __future__ import annotations

import math
import select
import threading
import time
from collections.abc import Iterable, Mapping
from itertools import islice

from pipec.autoschedule.measure.candidate import AHEAD, TrialCandidate, TrialCandidates
from pipec.autoschedule.measure.compiling import GLANCE_SECONDS, Compiling
from pipec.autoschedule.measure.timing import PREPARE_SECONDS
from pipec.autoschedule.processes.channel import TimedOut
from pipec.autoschedule.processes.process import Crashed, Process, Refused
from pipec.errors import PipecError
from pipec.func.functions.definition import PipelineDef
from pipec.schedule.schedule import Schedule


class CompilingAhead:
    """Compiles the reference, has the child that times compute the right pixels by it, then compiles the schedules.

    What fails here fails once more where it is measured, and is reported there.
    """

    def __init__(
        self,
        compiling: Compiling,
        timer: Process,
        schedules: Iterable[Schedule],
        definitions: Mapping[int, PipelineDef],
    ) -> None:
        self.compiling, self._timer = compiling, timer
        self.reference_seconds = 0.0
        """Of a run of the reference; 0 where it has not been run."""
        self._until = math.inf
        self._done = threading.Event()
        candidates = TrialCandidates(compiling.task, schedules, definitions)
        try:
            threading.Thread(target=self._run, args=(candidates,), name="pipec-compile-ahead", daemon=True).start()
        except RuntimeError:
            self._done.set()  # no memory for a thread: nothing is compiled ahead

    def _run(self, candidates: TrialCandidates) -> None:
        ahead = (TrialCandidate(AHEAD, one.schedule, one.definition) for one in candidates)
        try:
            self.compiling.advance(islice(ahead, 1))
            if time.monotonic() < self.compiling.until:
                self._compute_right_pixels(candidates.reference.schedule)
            self.compiling.advance(ahead)
        except (PipecError, Refused, Crashed, TimedOut, OSError, MemoryError):
            pass
        finally:
            self._done.set()

    def _compute_right_pixels(self, reference: Schedule) -> None:
        timer, task = self._timer, self.compiling.task
        timer.ask(PREPARE_SECONDS, "task", task)
        timer.send("prepare", reference)
        deadline = time.monotonic() + PREPARE_SECONDS
        while not select.select([timer.source], [], [], GLANCE_SECONDS)[0]:
            if time.monotonic() > min(deadline, self._until):
                timer.kill()
                return
        self.reference_seconds = timer.answer(PREPARE_SECONDS)
        timer.ready_for = task

    def finish(self, until: float) -> None:
        """Begins nothing more, and returns at once, or when the right pixels are there; these are given up `until`."""
        self.compiling.until, self._until = -math.inf, until
        self._done.wait()
