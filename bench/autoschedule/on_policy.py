"""`python -m bench.autoschedule.on_policy collect|fit|judge`: training data from the ends of searches.

A search finds what its model is wrong about, so a model is trained on what searches by it end with: the finalists, the best
states of perturbed models and of each part of the blend, the trivial and the grouping state, and mutants of the best.
Pipelines are the applications and the development half of the zoo; the other half is only reported.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pipec as hl
from bench.autoschedule.search import estimated
from bench.autoschedule.subjects import SUBJECTS
from bench.zoo.entry import is_reported
from bench.zoo.registry import ZOO
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.model import CostModel, Roofline
from pipec.autoschedule.cost.network import Blend, Network, Weights
from pipec.autoschedule.dag.fingerprint import fingerprint
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.measure import Measurer, Trial, TrialLimits
from pipec.autoschedule.measure.database import Database
from pipec.autoschedule.measure.tuning import task_of_problem
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.progress import ProgressLine
from pipec.autoschedule.searchers import Searching
from pipec.autoschedule.space.state import State
from pipec.autoschedule.space.state_text import to_json
from pipec.autoschedule.strategies.dropout import random_mutant
from pipec.autoschedule.strategies.evolution import Evolution
from pipec.autoschedule.strategies.search_state import Options
from pipec.autoschedule.train.collect import key_of_task
from pipec.autoschedule.verification import finalists_of
from pipec.errors import PipecError
from pipec.func.functions.names import local_names
from pipec.schedule.schedule import Schedule

PREFIX = "bench-"
SEARCH_SECONDS = 4.0
PERTURBED = 3


def development() -> list[str]:
    """The subjects that may be trained on."""
    return [name for name in SUBJECTS if name not in ZOO or not is_reported(name)]


def problem_of_subject(name: str, threads: int | None = None) -> Problem:
    with local_names():
        _, pipeline = estimated(hl, SUBJECTS[name])
        return problem_of([func.function for func in pipeline.outputs()], threads=threads)


def proposals(problem: Problem, model: CostModel, count: int, rng: Random) -> Iterator[State]:
    """States that a search by `model` ends with, and some around them; those of rewritten definitions are left out."""
    searching = Searching(model, None, Options(seed=rng.getrandbits(30), patience=6), ProgressLine("", False))
    searches = searching.by("beam", problem, SEARCH_SECONDS)
    rivals = [r for r in searching.rivals(problem, searches[0].problem) if r.problem.rewrite is None]
    yield from [candidate.state for candidate in finalists_of(searches, rivals, None)]
    best = searches[0].search
    evolution = Evolution(best, trains=False)
    evolution._first.rng.seed(rng.getrandbits(30))
    for part in model.parts():
        yield evolution._cheapest_by(searches[0].evaluator.with_model(part), 2.0)[0]
    for _ in range(PERTURBED):
        perturbed = evolution.perturbed_search()
        yield perturbed.best[0][1]
    for _ in range(count):
        yield random_mutant(best, best.best[0][1], rng.choice([1, 2, 4]))


def chosen(problem: Problem, model: CostModel, count: int, rng: Random) -> list[tuple[Schedule, str]]:
    different: dict[Schedule, str] = {}
    for state in proposals(problem, model, count, rng):
        dag = (problem.factored(state.factorings) if state.factorings else problem).dag
        different.setdefault(emit(dag, state), to_json(state))
        if len(different) == count:
            break
    return list(different.items())


def collect(options: argparse.Namespace) -> None:
    machine = host_machine()
    weights = Network.shipped(machine) if options.weights is None else Network(Weights.load(options.weights), machine)
    model = Blend(Roofline(machine), weights)
    limits = TrialLimits(compile_seconds=20.0, run_seconds=1.5, rounds=4)
    names = options.names or development()
    with Database(options.database) as database, Measurer(threads=2, limits=limits) as measurer:
        for name in names:
            began = time.monotonic()
            try:
                line = collected(database, measurer, name, model, options)
            except (PipecError, OSError) as error:
                line = f"{type(error).__name__}: {error!s:.200}"
            print(f"{name}: {line} ({time.monotonic() - began:.0f} s)", flush=True)


def collected(database: Database, measurer: Measurer, name: str, model: CostModel, options) -> str:
    problem = problem_of_subject(name)
    task = task_of_problem(problem)
    key = key_of_task(task, 2)
    database.describe(fingerprint(task.definition), PREFIX + name)
    if sum(entry.source == options.source for entry in database.entries(key)):
        return "is there"
    found = chosen(problem, model, options.schedules, Random(f"{options.source} {name}"))
    new = [pair for pair in found if database.find(key, pair[0]) is None]

    def store(number: int, trial: Trial) -> None:
        database.store(key, new[number][0], trial, decisions=new[number][1], source=options.source)

    trials = measurer.measure(task, [schedule for schedule, _ in new], store)
    good = sorted([t.minimum for t in trials if t.ok])
    failed = [t for t in trials if not t.ok]
    times = f"{good[0]:.3f} to {good[-1]:.3f} ms" if good else "no times"
    return f"{len(good)} of {len(trials)}, {times}" + (
        f"; {failed[0].status.value} {failed[0].message[:80]}" if failed else ""
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.on_policy", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--database", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--schedules", type=int, default=14)
    parser.add_argument("--source", default="blend")
    collect(parser.parse_args())


if __name__ == "__main__":
    main()
