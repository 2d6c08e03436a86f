"""Collecting training data: random pipelines, proposed schedules, measured times; can be stopped and gone on with."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from pipec.autoschedule.database import Database, TaskKey, task_key
from pipec.autoschedule.fingerprint import fingerprint
from pipec.autoschedule.measure import ImageSource, Measurer, Task, Trial
from pipec.autoschedule.random_pipelines import RandomPipeline, random_pipeline
from pipec.autoschedule.train.proposals import Proposal, Proposer
from pipec.errors import PipecError


@dataclass
class Progress:
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
    """Where the trials of a task are kept."""
    sizes = {f"out {name}": [extent for _, extent in box] for name, box in task.boxes.items()}
    for name, image in task.images.items():
        if isinstance(image, ImageSource):
            sizes[f"in {name}"] = [extent for _, extent in image.box]
    return task_key(fingerprint(task.definition), task.target, sizes, threads)


def collect(
    database: Database,
    measurer: Measurer,
    proposer: Proposer,
    seeds: Iterable[int],
    count: int,
    *,
    source: str,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Progress:
    """Measure `count` schedules of each random pipeline; those with that many trials of this `source` are skipped.

    A pipeline for which none can be proposed or measured is told, and the next one is taken.
    """
    progress = progress or Progress()
    for seed in seeds:
        pipeline = random_pipeline(seed)
        task = pipeline.task()
        key = key_of_task(task, threads)
        done = sum(entry.source == source for entry in database.entries(key))
        if done >= count:
            continue
        try:
            proposals = proposer(pipeline, count, Random(f"{source} {seed}"))
            new = [proposal for proposal in proposals if database.find(key, proposal[0]) is None]
            trials = _measured(database, measurer, pipeline, key, task, new, source)
        except PipecError as error:
            progress.failures.append(f"{pipeline.name}: {error}")
            _tell(f"{pipeline.name}: {type(error).__name__}: {error}")
            continue
        progress.pipelines += 1
        progress.measured += len(trials)
        progress.good += sum(trial.ok for trial in trials)
        _tell(_line(pipeline, trials, progress))
    return progress


def _measured(
    database: Database,
    measurer: Measurer,
    pipeline: RandomPipeline,
    key: TaskKey,
    task: Task,
    proposals: list[Proposal],
    source: str,
) -> list[Trial]:
    database.describe(fingerprint(task.definition), pipeline.name)

    def keep(number: int, trial: Trial) -> None:
        schedule, decisions = proposals[number]
        database.store(key, schedule, trial, decisions=decisions, source=source)

    return measurer.measure(task, [schedule for schedule, _ in proposals], keep)


def _line(pipeline: RandomPipeline, trials: list[Trial], progress: Progress) -> str:
    good = sorted([trial.minimum for trial in trials if trial.ok])
    times = f"{good[0]:.3f} to {good[-1]:.3f} ms" if good else "no times"
    failed = [trial for trial in trials if not trial.ok]
    text = f"{pipeline.name} ({len(pipeline.stages)} kinds): {len(trials)} schedules, {times}"
    if failed:
        first = failed[0].message.splitlines()[0][:100] if failed[0].message else ""
        text += f", {len(failed)} failed ({failed[0].status.value}: {first})"
    return f"{text}; {progress.measured} in all, {progress.rate():.2f} a second"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
