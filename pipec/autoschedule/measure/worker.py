"""What a worker of a pool does: it times schedules whose code was compiled elsewhere, in a child process of its own.

A worker is a process on any machine. Jobs and outcomes cross as bytes, so that whatever carries them needs no pipec.
"""

from __future__ import annotations

import hashlib
import math
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np

from pipec.autoschedule.measure.candidate import CHILD, Results, TrialCandidate, TrialLimits
from pipec.autoschedule.measure.core_latency import Nearness
from pipec.autoschedule.measure.database import compiler, machine_id
from pipec.autoschedule.measure.other_work import OtherWork
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.timing import PREPARE_SECONDS, Timing
from pipec.autoschedule.measure.trial import Trial
from pipec.autoschedule.processes.channel import dumps, loads
from pipec.autoschedule.processes.process import Process
from pipec.func.functions.definition import PipelineDef
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule
from pipec.target import get_host_target

MAX_TASKS = 4
"""Tasks that a worker remembers, so that they need not be sent with each job."""
REFERENCE_SECONDS = 20.0


@dataclass(frozen=True)
class Greeting:
    """What a worker says of itself: the kind of its machine, the digest of its compiler, its target."""

    machine: str
    compiler: str
    target: str


@dataclass(frozen=True)
class Job:
    """Schedules of one task to be timed in turn. `task`: None where the worker should know it by its `digest`.

    `files`: compiled code by the names of the files in the cache of a worker; `seconds`: what is not timed by then is
    skipped; `also`: further numbers of threads; `threads`: those of the worker's child, None for all.
    """

    digest: str
    task: Task | None
    reference: Schedule
    candidates: Sequence[tuple[int, Schedule, PipelineDef | None]]
    files: Mapping[str, bytes]
    limits: TrialLimits
    seconds: float
    also: tuple[int, ...] = ()
    threads: int | None = None


@dataclass(frozen=True)
class Outcome:
    """The trials of a job by the numbers of schedules, for each number of threads (None: the usual one).

    `needs_task`: nothing was timed, since the worker does not know the task. `failure`: why the reference schedule
    fails. `sample`: some values of each output, `exact`: whether machines must agree on them to the bit.
    """

    trials: Mapping[int | None, Mapping[int, Trial]] = field(default_factory=dict)
    needs_task: bool = False
    failure: str = ""
    sample: Sequence[np.ndarray] = ()
    exact: bool = False


class Worker:
    """Runs jobs one after the other; its child and its cache of code stay from job to job."""

    def __init__(self, patience: float | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pipec-worker-"))
        self.nearness, self.other_work = Nearness(), OtherWork(patience)
        self._process: Process | None = None
        self._setting: tuple[int, int | None] | None = None
        self._tasks: dict[str, Task] = {}
        self._busy = Lock()

    def run(self, job: Job) -> Outcome:
        """Times the schedules of a job."""
        with self._busy:
            task = self._task(job)
            if task is None:
                return Outcome(needs_task=True)
            for name, data in job.files.items():
                (self.folder / name).write_bytes(data)
            return self._timed(job, task)

    def _timed(self, job: Job, task: Task) -> Outcome:
        process = self._child(job)
        candidates = [TrialCandidate(*candidate) for candidate in job.candidates]
        reference = TrialCandidate(-1, job.reference)
        results, until = Results(None), time.monotonic() + job.seconds
        waits = self.nearness, self.other_work
        timing = Timing(process, *waits, task, reference, job.limits, until, results)
        timing.run(candidates)
        trials: dict[int | None, Mapping[int, Trial]] = {None: _of_candidates(results)}
        good = [candidate for candidate in candidates if results.ok(candidate)]
        for threads in job.also:
            others = Results(None)
            timing.time_on_threads(threads, good, others)
            trials[threads] = _of_candidates(others)
        failed = results.trials.get(-1)
        if failed is not None:
            return Outcome(trials, failure=failed.message or failed.status.value)
        if not good:
            return Outcome(trials)
        sample, exact = process.ask(REFERENCE_SECONDS, "sample")
        return Outcome(trials, sample=sample, exact=exact)

    def _task(self, job: Job) -> Task | None:
        if job.task is not None and job.digest not in self._tasks:
            while len(self._tasks) >= MAX_TASKS:
                del self._tasks[next(iter(self._tasks))]
            for file in self.folder.iterdir():
                file.unlink(missing_ok=True)
            self._tasks[job.digest] = job.task
        return self._tasks.get(job.digest)

    def _child(self, job: Job) -> Process:
        setting = job.limits.memory, job.threads
        if self._process is None or self._setting != setting:
            if self._process is not None:
                self._process.kill()
            environment = {"PIPEC_CACHE_DIR": str(self.folder), "PIPEC_CACHE": "1", "PIPEC_LOG": ""}
            environment |= {} if job.threads is None else {"PIPEC_NUM_THREADS": str(job.threads)}
            self._process, self._setting = Process(CHILD, "usual", job.limits.memory, environment), setting
        return self._process

    def close(self) -> None:
        """Ends the child and removes the code."""
        if self._process is not None:
            self._process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def _of_candidates(results: Results) -> dict[int, Trial]:
    return {number: trial for number, trial in results.trials.items() if number >= 0}


def greet() -> bytes:
    """The Greeting of this process."""
    return dumps(Greeting(machine_id(), compiler(), get_host_target().to_string()))


def run_job(job: bytes) -> bytes:
    """The Outcome of a Job, by the one Worker of this process: what a cluster calls."""
    return dumps(_worker().run(loads(job)))


@cache
def _worker() -> Worker:
    return Worker()


def digest_of(task: bytes) -> str:
    """The name of a task between a pool and its workers."""
    return hashlib.blake2b(task, digest_size=16).hexdigest()


def job_seconds(limits: TrialLimits, count: int, seconds: float) -> float:
    """How long a pool waits for a job of so many schedules before the worker counts as lost."""
    usual = 2 * PREPARE_SECONDS + count * (limits.compile_seconds + limits.run_seconds * (limits.rounds + 1))
    return min(usual, seconds + PREPARE_SECONDS) if math.isfinite(seconds) else usual
