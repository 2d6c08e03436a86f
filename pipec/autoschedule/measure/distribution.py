"""Jobs of a pool: batches of schedules go to idle workers, those of lost workers to others."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import cached_property
from typing import Protocol

import numpy as np

from pipec.autoschedule.measure.candidate import Results, TrialCandidate, TrialLimits
from pipec.autoschedule.measure.pixels import difference
from pipec.autoschedule.measure.task import ImageSource, Task
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.autoschedule.measure.worker import Job, Outcome, digest_of, job_seconds, run_job
from pipec.autoschedule.processes.channel import dumps, loads
from pipec.diagnostics import write as write_log
from pipec.records import dataclass, field, replace
from pipec.schedule.schedule import Schedule

MAX_BATCH = 6
"""Schedules of a job, which are timed in turn."""
RETRIES = 2
"""How often schedules go to another worker because theirs was lost, or the process that ran them died."""
LOOK_SECONDS = 0.5
"""Between two looks at whether the workers are still there."""
ANCHOR = -2
"""The number of the schedule that all batches have in common, which makes their times comparable."""


class Connection(Protocol):
    """How a pool reaches one worker. `call` runs `run_job` or `greet` of `measure.worker` there.

    `remote`: whether it may be on another machine, whose results are compared with those of this one.
    """

    name: str
    remote: bool

    def call(self, function: Callable[..., bytes], *arguments: bytes) -> Future[bytes]:
        """Begins a call of a function in the worker."""

    def alive(self) -> bool:
        """Whether the worker is there; a call to one that is not would never end."""

    def close(self) -> None:
        """Ends the worker, where it is the pool's own."""


@dataclass(eq=False)
class Member:
    """A worker that a pool uses, and what it has been sent."""

    connection: Connection
    tasks: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class JobSource:
    """What all jobs of a measurement have in common. `files`: compiled code by the number of the schedule."""

    task: Task
    reference: Schedule
    files: Mapping[int, Mapping[str, bytes]]
    limits: TrialLimits
    threads: int | None
    also: tuple[int, ...]

    @cached_property
    def portable_task(self) -> Task:
        """The task without files, which other machines can't read."""
        images = {
            name: image.buffer() if isinstance(image, ImageSource) and image.file is not None else image
            for name, image in self.task.images.items()
        }
        return replace(self.task, images=images)

    @cached_property
    def digest(self) -> str:
        """The name of the task."""
        return digest_of(dumps(self.portable_task))

    def job(self, member: Member, batch: Sequence[TrialCandidate], seconds: float) -> Job:
        """The job of a worker, with what it has not been sent before."""
        files: dict[str, bytes] = {}
        for number in (-1, *[candidate.number for candidate in batch]):
            files |= {name: data for name, data in self.files.get(number, {}).items() if name not in member.files}
        task = None if self.digest in member.tasks else self.portable_task
        if task is not None:
            member.files.clear()
        member.files.update(files)
        member.tasks.add(self.digest)
        candidates = [(candidate.number, candidate.schedule, candidate.definition) for candidate in batch]
        return Job(self.digest, task, self.reference, candidates, files, self.limits, seconds, self.also, self.threads)


class Members(Protocol):
    """What a distribution needs of a pool. `members`: the workers that can be used, by name."""

    members: dict[str, Member]

    def workers(self) -> list[str]:
        """Looks for workers that can be used. PipecError where there is none."""

    def refuse(self, name: str, reason: str) -> None:
        """Leaves a worker out from now on."""

    def right_sample(self, source: JobSource) -> Sequence[np.ndarray]:
        """Some values of each output as this machine computes them; none where it can't."""


@dataclass(eq=False)
class Batch:
    """Candidates that are timed in turn, and how often a worker was lost with them. `refused`: workers not to ask."""

    candidates: list[TrialCandidate]
    losses: int = 0
    refused: set[str] = field(default_factory=set)


class Distribution:
    """One measurement by a pool. `until`: what is not timed by then is skipped; `others`: by number of threads."""

    def __init__(
        self,
        pool: Members,
        source: JobSource,
        reference: TrialCandidate,
        until: float,
        results: Results,
        others: Mapping[int, Results],
    ) -> None:
        self.pool, self.source, self.reference, self.until = pool, source, reference, until
        self.results, self.others = results, others
        self.waiting: deque[Batch] = deque()
        self.running: dict[Future[bytes], tuple[str, Batch, float]] = {}
        self.anchor: TrialCandidate | None = None
        self.anchor_ms: float | None = None
        self.sample: Sequence[np.ndarray] | None = None

    def run(self, candidates: Sequence[TrialCandidate]) -> None:
        """Times all candidates. PipecError where no worker is left."""
        if not candidates:
            return
        size = min(MAX_BATCH, -(-len(candidates) // len(self.pool.members)))
        self.waiting.extend([Batch(list(candidates[k : k + size])) for k in range(0, len(candidates), size)])
        if len(self.waiting) > 1:
            self.anchor = TrialCandidate(ANCHOR, candidates[0].schedule, candidates[0].definition)
        while (self.waiting or self.running) and time.monotonic() < self.until:
            self._start()
            if not self.running:
                self.pool.workers()
                continue
            finished, _ = wait(self.running, LOOK_SECONDS, FIRST_COMPLETED)
            for future in finished:
                self._receive(future)
            self._look()

    def _start(self) -> None:
        busy = {name for name, _, _ in self.running.values()}
        for name in [name for name in self.pool.members if name not in busy]:
            batch = next(
                (b for b in self.waiting if name not in b.refused or b.refused >= self.pool.members.keys()), None
            )
            if batch is not None:
                self.waiting.remove(batch)
                self._send(name, batch)

    def _send(self, name: str, batch: Batch) -> None:
        candidates = [*([self.anchor] if self.anchor else []), *batch.candidates]
        seconds = max(0.0, self.until - time.monotonic())
        member, limits = self.pool.members[name], self.source.limits
        job = self.source.job(member, candidates, seconds)
        future = member.connection.call(run_job, dumps(job))
        self.running[future] = name, batch, time.monotonic() + job_seconds(limits, len(candidates), seconds)

    def _look(self) -> None:
        """Takes their jobs from workers that are not there any more, or do not answer."""
        for future, (name, batch, deadline) in list(self.running.items()):
            alive = self.pool.members[name].connection.alive()
            if alive and time.monotonic() < deadline:
                continue
            del self.running[future]
            future.cancel()
            if alive:
                self.pool.refuse(name, "does not answer")
            self._lost(name, batch, "does not answer" if alive else "has ended")

    def _lost(self, name: str, batch: Batch, reason: str) -> None:
        write_log("search", f"the worker {name} {reason}")
        self.pool.members.pop(name, None)
        self._retry(name, batch, f"the worker {name} {reason}")

    def _retry(self, name: str, batch: Batch, message: str) -> None:
        """Gives a batch to another worker, unless that has been done often enough."""
        batch.losses += 1
        batch.refused.add(name)
        if batch.losses <= RETRIES:
            self.waiting.appendleft(batch)
            return
        for candidate in batch.candidates:
            self.results.finish(candidate, Status.CRASHED, message)

    def _receive(self, future: Future[bytes]) -> None:
        name, batch, _ = self.running.pop(future)
        error = future.exception()
        if error is not None:
            self._lost(name, batch, f"has failed: {error!r:.200}")
            return
        outcome: Outcome = loads(future.result())
        member = self.pool.members[name]
        if outcome.needs_task:
            member.tasks.discard(self.source.digest)
            self.waiting.appendleft(batch)
        elif outcome.failure:
            self.results.finish(self.reference, Status.FAILED, outcome.failure)
            self.waiting.clear()
        elif wrong := self._disagreement(member, outcome):
            self.pool.refuse(name, f"computes other values: {wrong}")
            self._retry(name, batch, wrong)
        else:
            self._finish(name, batch, outcome)

    def _disagreement(self, member: Member, outcome: Outcome) -> str:
        """What is wrong with the results of a worker, by those of this machine, or else of the first worker."""
        if not member.connection.remote or not outcome.sample:
            return ""
        if self.sample is None:
            self.sample = self.pool.right_sample(self.source) or outcome.sample
        return difference(self.sample, outcome.sample, outcome.exact)

    def _finish(self, name: str, batch: Batch, outcome: Outcome) -> None:
        trials = outcome.trials[None]
        scale = self._scale(trials.get(ANCHOR))
        for candidate in batch.candidates:
            trial = trials.get(candidate.number)
            if trial is None or trial.status is Status.SKIPPED:
                continue
            if trial.status is Status.CRASHED and batch.losses < RETRIES:
                self._retry(name, Batch([candidate], batch.losses, set(batch.refused)), trial.message)
                continue
            _give(self.results, candidate, trial, scale)
            for threads, results in self.others.items():
                other = outcome.trials.get(threads, {}).get(candidate.number)
                if other is not None:
                    _give(results, TrialCandidate(candidate.number, candidate.schedule), other, 1.0)

    def _scale(self, anchor: Trial | None) -> float:
        """The factor on the times of a batch, by the schedule that all batches have in common."""
        if anchor is None or not anchor.ok:
            return 1.0
        self.anchor_ms = self.anchor_ms or anchor.minimum
        return self.anchor_ms / anchor.minimum


def _give(results: Results, candidate: TrialCandidate, trial: Trial, scale: float) -> None:
    candidate.seconds = [scale * milliseconds / 1e3 for milliseconds in trial.milliseconds]
    candidate.groups = {name: scale * milliseconds / 1e3 for name, milliseconds in trial.groups.items()}
    results.finish(candidate, trial.status, trial.message)
