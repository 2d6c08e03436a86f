"""Measured plans from a database as rows of features: each random pipeline is built again from its seed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipec.autoschedule.cost.fit import Sample
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.database import Database, Entry
from pipec.autoschedule.evaluate import Evaluator
from pipec.autoschedule.plan_text import from_json
from pipec.autoschedule.random_pipelines import random_pipeline
from pipec.autoschedule.train.proposals import problem_of_pipeline

_NAME = re.compile(r"random-(\d+)-(\d+)$")


def samples(database: Database, threads: int | None = None) -> Iterator[Sample]:
    """One for each schedule of a random pipeline and number of threads (all numbers, or `threads`) it was timed on."""
    groups: dict[tuple[str, str, int], list[Entry]] = {}
    for name, entry in database.all_entries():
        if entry.trial.ok and entry.decisions and _NAME.match(name) and threads in (None, entry.threads):
            groups.setdefault((name, entry.machine, entry.threads), []).append(entry)
    for (name, machine, count), entries in groups.items():
        yield from _of_pipeline(name, f"{machine} {count}", entries, count)


def _of_pipeline(name: str, setting: str, entries: list[Entry], threads: int) -> Iterator[Sample]:
    match = _NAME.match(name)
    assert match is not None
    version, seed = map(int, match.groups())
    evaluator = Evaluator(problem_of_pipeline(random_pipeline(seed, version), threads).dag, Roofline())
    for entry in entries:
        batch = evaluator.batch([from_json(entry.decisions)])
        yield Sample(name, setting, batch.features, batch.operations, entry.trial.minimum * 1e-3)
