"""Collecting training data: random pipelines, proposed schedules, measured times; can be stopped and continued."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from random import Random

from pipec.autoschedule.dag.fingerprint import fingerprint
from pipec.autoschedule.measure import ImageSource, Measuring, Task, Trial
from pipec.autoschedule.measure.database import Database, TaskKey, task_key
from pipec.autoschedule.random_pipelines import VERSION, RandomPipeline, random_pipeline
from pipec.autoschedule.train.proposals import Proposal, Proposer
from pipec.errors import PipecError
from pipec.records import dataclass, field


@dataclass
class CollectionProgress:
    """What has been done since the start."""

    started: float = field(default_factory=time.monotonic)
    pipelines: int = 0
    measured: int = 0
    good: int = 0
    failures: list[str] = field(default_factory=list)

    def rate(self) -> float:
        """Schedules a second."""
        return self.measured / max(1e-9, time.monotonic() - self.started)


def key_of_task(task: Task, threads: int | None = None) -> TaskKey:
    """Returns the key under which the trials of a task are stored."""
    sizes = {f"out {name}": [extent for _, extent in box] for name, box in task.boxes.items()}
    for name, image in task.images.items():
        if isinstance(image, ImageSource):
            sizes[f"in {name}"] = [extent for _, extent in image.box]
    return task_key(fingerprint(task.definition), task.target, sizes, threads)


def collect(
    database: Database,
    measurer: Measuring,
    proposer: Proposer,
    seeds: Iterable[int],
    count: int,
    *,
    source: str,
    threads: int | None = None,
    also: Sequence[int] = (),
    version: int = VERSION,
    progress: CollectionProgress | None = None,
) -> CollectionProgress:
    """Measure `count` schedules of each random pipeline; those with that many trials of this `source` are skipped.

    `also`: other numbers of threads that each is timed on, which takes no further compilation.
    `version`: of the random pipelines.
    A pipeline for which none can be proposed or measured is reported and skipped.
    """
    progress = progress or CollectionProgress()
    with ThreadPoolExecutor(1, "proposals") as ahead:
        works = map(partial(_work, threads, version), seeds)
        missing = (work for work in works if _missing(database, work, source, count))
        for work in _one_ahead(ahead, missing, partial(_propose, proposer, source, count)):
            try:
                new = [proposal for proposal in work.proposals() if database.find(work.key, proposal[0]) is None]
                trials = _measured(database, measurer, work, also, new, source)
            except PipecError as error:
                progress.failures.append(f"{work.pipeline.name}: {error}")
                _report(f"{work.pipeline.name}: {type(error).__name__}: {error}")
                continue
            progress.pipelines += 1
            progress.measured += len(trials)
            progress.good += sum(trial.ok for trial in trials)
            _report(_line(work.pipeline, trials, progress))
    return progress


@dataclass
class _Work:
    """A pipeline that is to be measured, and what is proposed for it once that is known."""

    seed: int
    pipeline: RandomPipeline
    task: Task
    key: TaskKey
    proposals: Callable[[], Sequence[Proposal]] = tuple


def _work(threads: int | None, version: int, seed: int) -> _Work:
    pipeline = random_pipeline(seed, version)
    task = pipeline.task()
    return _Work(seed, pipeline, task, key_of_task(task, threads))


def _missing(database: Database, work: _Work, source: str, count: int) -> bool:
    return sum(entry.source == source for entry in database.entries(work.key)) < count


def _propose(proposer: Proposer, source: str, count: int, work: _Work) -> Sequence[Proposal]:
    return proposer(work.pipeline, count, Random(f"{source} {work.seed}"))


def _one_ahead(
    pool: Executor, works: Iterable[_Work], propose: Callable[[_Work], Sequence[Proposal]]
) -> Iterator[_Work]:
    """Each piece of work, while schedules for the next one are searched: children do the measuring."""
    before: _Work | None = None
    for work in works:
        work.proposals = pool.submit(propose, work).result
        if before is not None:
            yield before
        before = work
    if before is not None:
        yield before


def _measured(
    database: Database,
    measurer: Measuring,
    work: _Work,
    also: Sequence[int],
    proposals: list[Proposal],
    source: str,
) -> list[Trial]:
    database.describe(fingerprint(work.task.definition), work.pipeline.name)

    def keep(key: TaskKey, number: int, trial: Trial) -> None:
        schedule, decisions = proposals[number]
        database.store(key, schedule, trial, decisions=decisions, source=source)

    further = {threads: partial(keep, key_of_task(work.task, threads)) for threads in also}
    schedules = [schedule for schedule, _ in proposals]
    return measurer.measure(work.task, schedules, partial(keep, work.key), also=further)


def _line(pipeline: RandomPipeline, trials: list[Trial], progress: CollectionProgress) -> str:
    good = sorted([trial.minimum for trial in trials if trial.ok])
    times = f"{good[0]:.3f} to {good[-1]:.3f} ms" if good else "no times"
    failed = [trial for trial in trials if not trial.ok]
    text = f"{pipeline.name} ({len(pipeline.stages)} kinds): {len(trials)} schedules, {times}"
    if failed:
        first = failed[0].message.splitlines()[0][:100] if failed[0].message else ""
        text += f", {len(failed)} failed ({failed[0].status.value}: {first})"
    return f"{text}; {progress.measured} in all, {progress.rate():.2f} a second"


def _report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
