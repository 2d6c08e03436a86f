"""A pool of measurers: schedules are compiled here and timed by workers, in processes here or on other machines."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from pipec.autoschedule.measure.candidate import Results, TrialCandidate, TrialCandidates, TrialLimits
from pipec.autoschedule.measure.compiling import Compiling
from pipec.autoschedule.measure.database import compiler, machine_id
from pipec.autoschedule.measure.distribution import Connection, Distribution, JobSource, Member
from pipec.autoschedule.measure.measurer import CALLS_OF_A_CHILD, COMPILING, Done, Measurer
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.timing import PREPARE_SECONDS
from pipec.autoschedule.measure.trial import Trial
from pipec.autoschedule.measure.worker import Greeting, Worker, greet, run_job
from pipec.autoschedule.processes.channel import TimedOut, dumps, loads
from pipec.autoschedule.processes.process import Crashed, Process, Refused
from pipec.diagnostics import warn_once
from pipec.errors import ArgumentError, NotSupportedError, PipecError
from pipec.func.functions.definition import PipelineDef
from pipec.records import replace
from pipec.schedule.schedule import Schedule
from pipec.target import Target
from pipec.target.names import FEATURES_OF_ARCH

GREETING_SECONDS = 60.0


class LocalConnection:
    """A worker in a thread of this process, with a child process of its own."""

    remote = False

    def __init__(self, name: str, patience: float | None = None) -> None:
        self.name, self._worker = name, Worker(patience)
        self._thread = ThreadPoolExecutor(1, name)

    def call(self, function: Callable[..., bytes], *arguments: bytes) -> Future[bytes]:
        """Begins a call; that of a job goes to the worker of this connection, not to the one of the process."""
        if function is run_job:
            return self._thread.submit(self._run, *arguments)
        return self._thread.submit(function, *arguments)

    def _run(self, job: bytes) -> bytes:
        return dumps(self._worker.run(loads(job)))

    def alive(self) -> bool:
        """It lives as long as this process: its child is started again after it died."""
        return True

    def close(self) -> None:
        """Ends the child, and with it the call that waits for it."""
        self._worker.close()
        self._thread.shutdown()


class MeasurerPool:
    """Workers that time schedules; give it as `autoschedule(measurer=...)` or `hl.programs.search(measurer=...)`.

    `hl.MeasurerPool.local(2)` has processes on this machine, `hl.MeasurerPool.dask(client)` the workers of a
    dask.distributed cluster on other machines, which need the same version of pipec and its dependencies. Schedules are
    compiled here. All workers have to be machines of one kind (the kind of the first, or `machine=`), since times of
    others can't be compared; others are left out with a warning. A job whose worker dies or does not answer goes to
    another one. Workers whose pixels differ are left out. Closing the pool, or leaving its `with`, ends what it has
    started.

    >>> with hl.MeasurerPool.local(2) as pool:
    ...     len(pool.workers())
    2
    """

    def __init__(
        self,
        connections: Callable[[], Sequence[Connection]],
        *,
        compilers: int | None = None,
        threads: int | None = None,
        limits: TrialLimits | None = None,
        machine: str | None = None,
        close: Callable[[], None] | None = None,
    ) -> None:
        self._connections, self._close = connections, close
        # Its children compile; they are started by the first measurement.
        self._own = Measurer(compilers=compilers, threads=1, limits=limits)
        self.limits, self.threads = self._own.limits, threads
        self._folders: dict[Process, Path] = {}
        for number, process in enumerate(self._own.compilers):
            folder = self._folders[process] = self._own.folder / str(number)
            folder.mkdir(mode=0o700)
            process.environment["PIPEC_CACHE_DIR"] = str(folder)
        self.members: dict[str, Member] = {}
        self._refused: set[str] = set()
        self._machine = machine
        self._target = ""
        self._calls = 0
        self._samples: dict[str, Sequence[np.ndarray]] = {}

    @staticmethod
    def local(count: int, **options: Any) -> MeasurerPool:
        """A pool of so many child processes of this machine. They time at once, so each needs cores of its own.

        `options`: `compilers` (processes that compile), `threads` of each child, `limits`, `patience` (seconds that
        timing waits for other work on the machine).
        """
        if count < 1:
            raise ArgumentError(f"Error: A MeasurerPool needs at least one worker, not {count}.")
        patience = options.pop("patience", None)
        workers = [LocalConnection(f"local-{number}", patience) for number in range(count)]
        return MeasurerPool(lambda: workers, **options)

    @staticmethod
    def dask(client: Any, **options: Any) -> MeasurerPool:
        """A pool of the workers of a dask.distributed cluster: a Client, or the address of its scheduler.

        Start one worker process on each machine, with one thread: `dask worker ADDRESS --nthreads 1`. Workers that join
        later take part from the next measurement on. NotSupportedError where dask.distributed is not installed.
        """
        from pipec.autoschedule.measure.dask_workers import dask_connections

        connections, close = dask_connections(client)
        return MeasurerPool(connections, close=close, **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the processes that it has started; workers of a cluster stay."""
        for connection in self._connections():
            connection.close()
        if self._close is not None:
            self._close()
        self._own.close()

    @property
    def machine(self) -> str:
        """The kind of machine that its times are of."""
        self.workers()
        assert self._machine is not None
        return self._machine

    @property
    def note(self) -> str:
        """Nothing: each worker waits for the end of other work on its machine."""
        return ""

    def workers(self) -> list[str]:
        """The names of the workers that can be used now. PipecError where there is none."""
        present = {c.name: c for c in self._connections() if c.name not in self._refused and c.alive()}
        self.members = {name: member for name, member in self.members.items() if name in present}
        calls = {name: c.call(greet) for name, c in present.items() if name not in self.members}
        wait(calls.values(), GREETING_SECONDS)
        for name, call in calls.items():
            if call.done() and call.exception() is None:
                self._admit(present[name], loads(call.result()))
        if not self.members:
            raise PipecError("Error: The MeasurerPool has no worker that can be used; start one, or see the warnings.")
        return list(self.members)

    def _admit(self, connection: Connection, greeting: Greeting) -> None:
        self._machine = self._machine or greeting.machine
        self._target = self._target or greeting.target
        if greeting.compiler != compiler():
            self.refuse(connection.name, "has another version of pipec")
        elif greeting.machine != self._machine:
            self.refuse(connection.name, f"is a machine of another kind ({greeting.machine}, not {self._machine})")
        else:
            self.members[connection.name] = Member(connection)

    def refuse(self, name: str, reason: str) -> None:
        """Leaves a worker out from now on."""
        warn_once(f"The worker {name} of a MeasurerPool is left out: it {reason}.")
        self._refused.add(name)
        self.members.pop(name, None)

    def right_sample(self, source: JobSource) -> Sequence[np.ndarray]:
        """Some values of each output as this machine computes them; none where it can't."""
        if source.digest not in self._samples:
            timer = self._own.timer
            try:
                timer.ask(PREPARE_SECONDS, "task", source.task)
                timer.ask(PREPARE_SECONDS, "prepare", source.reference)
                sample, _ = timer.ask(PREPARE_SECONDS, "sample")
            except (Refused, Crashed, TimedOut):
                sample = ()
            self._samples = {source.digest: sample}
        return self._samples[source.digest]

    def measure(
        self,
        task: Task,
        schedules: Iterable[Schedule],
        done: Done | None = None,
        *,
        also: Mapping[int, Done] = MappingProxyType({}),
        seconds: float = math.inf,
        longer: int = 1,
        definitions: Mapping[int, PipelineDef] = MappingProxyType({}),
    ) -> list[Trial]:
        """A Trial for each schedule, as `Measurer.measure` gives; PipecError when no worker is left."""
        self.workers()
        self._check_target(task)
        began = time.monotonic()
        results = Results(done)
        candidates = TrialCandidates(task, schedules, definitions)
        reference = candidates.reference
        self._calls += 1
        if self._calls % CALLS_OF_A_CHILD == 0:
            self._end_compilers()
        files: dict[int, dict[str, bytes]] = {}
        until = began + COMPILING * seconds
        compiling = _Collecting(self._folders, files, task, self.limits.compile_seconds, until, results)
        try:
            self._measure(task, compiling.run(candidates), reference, files, results, began + seconds, longer, also)
        except BaseException:
            self._end_compilers()
            raise
        return candidates.trials(results)

    def _measure(
        self,
        task: Task,
        compiled: Sequence[TrialCandidate],
        reference: TrialCandidate,
        files: Mapping[int, Mapping[str, bytes]],
        results: Results,
        until: float,
        longer: int,
        also: Mapping[int, Done],
    ) -> None:
        if reference not in compiled:
            return
        usual = self.limits
        limits = replace(usual, rounds=longer * usual.rounds, most_seconds=longer * usual.most_seconds)
        others = {threads: Results(receive) for threads, receive in also.items()}
        source = JobSource(task, reference.schedule, files, limits, self.threads, tuple(also))
        Distribution(self, source, reference, until, results, others).run(compiled[1:])

    def _end_compilers(self) -> None:
        for process in self._own.compilers:
            process.kill()

    def _check_target(self, task: Task) -> None:
        if self._machine == machine_id():
            return
        asked, there = Target(task.target), Target(self._target)
        extensions = FEATURES_OF_ARCH.get(asked.arch, ())
        missing = [f.name for f in extensions if asked.has_feature(f) and not there.has_feature(f)]
        if missing or asked.arch is not there.arch:
            raise NotSupportedError(
                f"Error: The schedules are for {task.target}, and the workers are {self._target}, without"
                f" {', '.join(missing) or asked.arch.name}. Search with target=hl.Target({self._target!r})."
            )


class _Collecting(Compiling):
    """Compiles as usual, and takes the code of each schedule out of the folder of the process that compiled it."""

    def __init__(self, folders: Mapping[Process, Path], files: dict[int, dict[str, bytes]], *rest: Any) -> None:
        super().__init__(list(folders), *rest)
        self.folders, self.files = folders, files

    def _settle(self, process: Process, candidate: TrialCandidate, seconds: float) -> bool:
        compiled = super()._settle(process, candidate, seconds)
        paths = [path for path in self.folders[process].iterdir() if path.is_file()]
        if compiled:
            self.files[candidate.number] = {path.name: path.read_bytes() for path in paths}
        for path in paths:
            path.unlink(missing_ok=True)
        return compiled
