"""The measurer: compiles the schedules of a task on all cores, then times them one at a time, in turn."""

from __future__ import annotations

import math
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, Self

from pipec.autoschedule.measure.ahead import CompilingAhead
from pipec.autoschedule.measure.candidate import CHILD, Results, TrialCandidates, TrialLimits
from pipec.autoschedule.measure.compiling import Compiling
from pipec.autoschedule.measure.core_latency import Nearness
from pipec.autoschedule.measure.database import machine_id
from pipec.autoschedule.measure.other_work import OtherWork
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.timing import Timing
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.autoschedule.processes.process import Process
from pipec.diagnostics import warn_once
from pipec.errors import ArgumentError
from pipec.func.functions.definition import PipelineDef
from pipec.jit.objects.private_folder import folder_problem
from pipec.jit.runtime.library import default_threads
from pipec.records import replace
from pipec.schedule.schedule import Schedule

# Machine code and interned expressions add up in a child, and files in their cache.
CALLS_OF_A_CHILD = 200
COMPILING, FIRST_COMPILING = 0.75, 0.95
"""The shares of the time allowed after which nothing more is compiled, and not even the first schedule."""
RUNS_OF_TIMING = 3
"""At least, of a schedule that is timed."""
Done = Callable[[int, Trial], None]
_NONE: Mapping[int, Done] = MappingProxyType({})


class Measuring(Protocol):
    """What measures schedules: a Measurer, or a MeasurerPool. `machine`: the kind of machine that its times are of."""

    @property
    def machine(self) -> str:
        """The kind of machine, as `database.machine_id` names it."""

    @property
    def note(self) -> str:
        """What was unusual about the machine while it measured; nothing as a rule."""

    def measure(
        self,
        task: Task,
        schedules: Iterable[Schedule],
        done: Done | None = None,
        *,
        also: Mapping[int, Done] = _NONE,
        seconds: float = math.inf,
        longer: int = 1,
        definitions: Mapping[int, PipelineDef] = MappingProxyType({}),
    ) -> list[Trial]:
        """A Trial for each schedule."""


class Measurer:
    """Children that measure. Closing it, or leaving its `with`, ends them; so does Ctrl-C.

    `compilers`: how many compile at once; `threads`: how many run parallel loops (default of both: all CPUs).
    `realtime`: timing comes before all other processes of the machine, if the system permits it, so that a busy
    machine disturbs it less. `patience`: seconds that timing waits in all for the end of other work on the machine.
    """

    def __init__(
        self,
        *,
        compilers: int | None = None,
        threads: int | None = None,
        realtime: bool = False,
        limits: TrialLimits | None = None,
        patience: float | None = None,
    ) -> None:
        count = default_threads() if compilers is None else compilers
        if count < 1:
            raise ArgumentError(f"Error: A Measurer needs at least one process that compiles, not {compilers}.")
        self.limits = limits or TrialLimits()
        self.folder = Path(tempfile.mkdtemp(prefix="pipec-measure-"))
        problem = folder_problem(self.folder)
        if problem:
            warn_once(f"Every schedule is compiled twice, since no code is loaded from {self.folder}: {problem}.")
        # Code goes from child to child through a cache of their own, which is emptied before each task.
        environment = {"PIPEC_CACHE_DIR": str(self.folder), "PIPEC_CACHE": "1", "PIPEC_LOG": ""}
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        if threads is not None:
            environment["PIPEC_NUM_THREADS"] = str(threads)
        memory = self.limits.memory
        self.compilers = [Process(CHILD, "low", memory, environment) for _ in range(count)]
        self.timer = Process(CHILD, "realtime" if realtime else "usual", memory, environment)
        self.nearness, self.other_work = Nearness(), OtherWork(patience)
        self._task: Task | None = None
        self._ahead: CompilingAhead | None = None
        self._calls = 0

    def __enter__(self) -> Self:
        for process in (*self.compilers, self.timer):
            process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def machine(self) -> str:
        """This kind of machine."""
        return machine_id()

    @property
    def note(self) -> str:
        """What other work there was on the machine; nothing as a rule."""
        return self.other_work.note

    def close(self) -> None:
        """End the children and remove what they compiled."""
        if self._ahead is not None:
            self._ahead.finish(-math.inf)
        self._end_children()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end_children(self) -> None:
        for process in (*self.compilers, self.timer):
            process.kill()

    def compile_ahead(
        self, task: Task, schedules: Iterable[Schedule], definitions: Mapping[int, PipelineDef] = MappingProxyType({})
    ) -> None:
        """Starts to compile what the next call of `measure` has among its schedules, and to compute the right pixels.

        All compilers but one work on it, so that a CPU is left for the caller; where there is but one nothing is done.
        """
        if len(self.compilers) > 1 and self._ahead is None:
            self._make_room(task)
            compiling = Compiling(self.compilers[:-1], task, self.limits.compile_seconds, math.inf, Results(None))
            self._ahead = CompilingAhead(compiling, self.timer, schedules, definitions)

    def _compiling(self, task: Task, limits: TrialLimits, began: float, seconds: float, results: Results) -> Compiling:
        """Goes on where compiling ahead of this task has ended."""
        compiled_by = began + COMPILING * seconds
        compiling = Compiling(
            self.compilers, task, limits.compile_seconds, compiled_by, results, latest=began + FIRST_COMPILING * seconds
        )
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            ahead.finish(compiled_by)
            if ahead.compiling.task is task:
                compiling.busy.update(ahead.compiling.busy)
                compiling.timing_seconds = RUNS_OF_TIMING * ahead.reference_seconds
            else:
                for process in ahead.compiling.busy:
                    process.kill()
        self._make_room(task)
        return compiling

    def measure(
        self,
        task: Task,
        schedules: Iterable[Schedule],
        done: Done | None = None,
        *,
        also: Mapping[int, Done] = _NONE,
        seconds: float = math.inf,
        longer: int = 1,
        definitions: Mapping[int, PipelineDef] = MappingProxyType({}),
    ) -> list[Trial]:
        """A Trial for each schedule. `done` gets each, with its number, as soon as it is final.

        `schedules`: an iterator is asked for the next one while the last ones compile, and may search for it. `also`:
        further numbers of threads, on which those that are good are timed again, and the function that gets these
        Trials. `seconds`: what has not been timed by then is skipped, without a call of `done`. `longer`: each is timed
        this many times as long as usual. `definitions`: by number of the schedule, definitions other than the task's
        that compute the same outputs from the same inputs. ArgumentError when the pipeline can't be run even with the
        reference schedule. On Ctrl-C the children end, `done` gets what has been timed so far, and KeyboardInterrupt
        propagates."""
        usual = self.limits
        limits = replace(usual, rounds=longer * usual.rounds, most_seconds=longer * usual.most_seconds)
        results = Results(done)
        began = time.monotonic()
        candidates = TrialCandidates(task, schedules, definitions)
        reference = candidates.reference
        try:
            compiled = self._compiling(task, limits, began, seconds, results).run(candidates)
            if reference in compiled:
                waits = self.nearness, self.other_work
                timing = Timing(self.timer, *waits, task, reference, limits, began + seconds, results)
                timing.run(compiled[1:])
                good = [candidate for candidate in compiled[1:] if results.ok(candidate)]
                for threads, receive in also.items():
                    timing.time_on_threads(threads, good, Results(receive))
        except BaseException:
            self._end_children()
            for candidate in candidates.asked:
                if candidate.rounds:
                    results.finish(candidate, Status.OK)
            raise
        return candidates.trials(results)

    def _make_room(self, task: Task) -> None:
        """What was compiled for a task serves while it lasts: some schedules are measured in every round."""
        self._calls += 1
        old = self._calls % CALLS_OF_A_CHILD == 0
        if old:
            self._end_children()
        if old or task is not self._task:
            for file in self.folder.iterdir():
                file.unlink(missing_ok=True)
        self._task = task
