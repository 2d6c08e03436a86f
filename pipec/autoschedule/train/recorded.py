"""States of archives as proposals: they are measured again when the compiler, or the way of measuring, has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.random_pipelines import RandomPipeline
from pipec.autoschedule.space.state_text import from_json
from pipec.autoschedule.train.archive import read
from pipec.autoschedule.train.proposals import Proposal, Proposer, problem_of_pipeline
from pipec.autoschedule.train.samples import Evaluators, seed_of


def recorded(archives: Iterable[Path], version: int) -> Mapping[int, Sequence[str]]:
    """The states of archives by the seeds of their pipelines, of one version, in the order of the archives."""
    found: dict[int, dict[str, None]] = {}
    for archive in archives:
        for one in read(archive):
            name = seed_of(one.pipeline)
            if name is not None and name[0] == version:
                found.setdefault(name[1], {})[one.decisions] = None
    return {seed: list(states) for seed, states in found.items()}


def by_record(states: Mapping[int, Sequence[str]], threads: int | None = None) -> Proposer:
    """The first states that are recorded of each pipeline."""

    def propose(pipeline: RandomPipeline, count: int, rng: Random) -> list[Proposal]:
        evaluators = Evaluators(problem_of_pipeline(pipeline, threads), Roofline(host_machine()))
        found = []
        for text in states.get(pipeline.seed, ())[:count]:
            state = from_json(text)
            found.append((emit(evaluators.of(state).dag, state), text))
        return found

    return propose
