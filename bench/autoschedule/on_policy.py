"""`python -m bench.autoschedule.on_policy collect|export|fit|roofline|judge`: training data from the ends of searches.

A search finds what its model is wrong about, so the model is trained on what searches by it end with: the finalists,
the best states of perturbed models and of each part of the blend, and mutants of the best state. Pipelines are the
applications and the development half of the zoo; nothing is collected of the other half, which is only reported.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pipec as hl
from bench.autoschedule.search import estimated
from bench.autoschedule.subjects import SUBJECTS
from bench.zoo.entry import is_reported
from bench.zoo.registry import ZOO
from pipec.autoschedule.cost.fit import by_pipeline, fit, judge
from pipec.autoschedule.cost.fit_roofline import fitted_coefficients
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import CostModel, Roofline
from pipec.autoschedule.cost.network import Blend, Network, Weights
from pipec.autoschedule.dag.fingerprint import fingerprint
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.measure import Measurer, Trial, TrialLimits
from pipec.autoschedule.measure.database import Database, machine_id
from pipec.autoschedule.measure.tuning import task_of_problem
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.progress import ProgressLine
from pipec.autoschedule.rfactor.search import Searched
from pipec.autoschedule.search_workers import SearchWorkers
from pipec.autoschedule.searchers import Searching
from pipec.autoschedule.space.state import State
from pipec.autoschedule.space.state_text import to_json
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.dropout import random_mutant
from pipec.autoschedule.strategies.mixed import Mixed
from pipec.autoschedule.strategies.search_state import Options
from pipec.autoschedule.train.archive import Measured, in_database, machines_in, read, write
from pipec.autoschedule.train.collect import key_of_task
from pipec.autoschedule.train.samples import problem_of_random, samples
from pipec.autoschedule.verification import finalists_of
from pipec.errors import PipecError
from pipec.func.functions.names import local_names
from pipec.schedule.schedule import Schedule

PREFIX = "bench-"
"""Before the name of a subject in archives, where random pipelines have names of their own."""
SEARCH_SECONDS, PART_SECONDS = 3.0, 2.0
PERTURBED = 2
THREADS = 2
LIMITS = TrialLimits(compile_seconds=12.0, run_seconds=1.5, rounds=4)


def development() -> list[str]:
    """The subjects that a model may be trained on."""
    return [name for name in SUBJECTS if name not in ZOO or not is_reported(name)]


def problem_named(name: str, threads: int) -> Problem | None:
    """The problem of a subject or of a random pipeline, by its name in an archive."""
    if not name.startswith(PREFIX):
        return problem_of_random(name, threads)
    with local_names():
        _, pipeline = estimated(hl, SUBJECTS[name.removeprefix(PREFIX)])
        return problem_of([func.function for func in pipeline.outputs()], threads=threads)


def proposals(problem: Problem, model: CostModel, count: int, rng: Random) -> Iterator[State]:
    """States that a search by `model` ends with, and mutants of the best, all of the same definitions."""
    options = Options(seed=rng.getrandbits(30), patience=6, workers=0)
    searching = Searching(model, None, options, ProgressLine("", False), SearchWorkers(options, model))
    searches = _of_own_definitions(searching.by(STRATEGIES["beam"], problem, SEARCH_SECONDS))
    rivals = _of_own_definitions([*searching.rivals(problem), *searching.grouped(searches[0].problem)])
    yield from [candidate.state for candidate in finalists_of(searches, rivals, None)]
    best = searches[0].search
    mixed = Mixed(best, trains=False)
    yield from mixed.best_of_parts(PART_SECONDS)
    for _ in range(PERTURBED):
        perturbed = mixed.perturbed_search()
        if perturbed is not None:
            yield perturbed.best[0][1]
    for _ in range(count):
        yield random_mutant(best, best.best[0][1], rng.choice([1, 2, 4]))


def _of_own_definitions(searches: Sequence[Searched]) -> list[Searched]:
    return [searched for searched in searches if searched.problem.rewrite is None]


def chosen(problem: Problem, model: CostModel, count: int, rng: Random) -> list[tuple[Schedule, str]]:
    """Different schedules, and their states as text."""
    different: dict[Schedule, str] = {}
    for state in proposals(problem, model, count, rng):
        dag = (problem.factored(state.factorings) if state.factorings else problem).dag
        different.setdefault(emit(dag, state), to_json(state))
        if len(different) == count:
            break
    return list(different.items())


def collect(options: argparse.Namespace) -> int:
    """Measures schedules of each subject that has none of this round."""
    machine = host_machine()
    network = Network.shipped(machine) if options.weights is None else Network(Weights.load(options.weights), machine)
    model = Blend(Roofline(machine), network)
    with Database(options.database) as database, Measurer(threads=THREADS, limits=LIMITS) as measurer:
        for name in options.names or development():
            began = time.monotonic()
            try:
                line = collected(database, measurer, name, model, options)
            except PipecError as error:
                line = f"{type(error).__name__}: {error!s:.200}"
            print(f"{name}: {line} ({time.monotonic() - began:.0f} s)", flush=True)
    return 0


def collected(database: Database, measurer: Measurer, name: str, model: CostModel, options: argparse.Namespace) -> str:
    """Measures schedules of one subject; what came of it, in words."""
    problem = problem_named(PREFIX + name, THREADS)
    assert problem is not None
    subject = SUBJECTS[name]
    task = task_of_problem(problem, like=subject.example(subject.bench_size))
    key = key_of_task(task, THREADS)
    database.describe(fingerprint(task.definition), PREFIX + name)
    if any(entry.source == options.source for entry in database.entries(key)):
        return "is there"
    proposals = chosen(problem, model, options.schedules, Random(f"{options.source} {name}"))
    new = [pair for pair in proposals if database.find(key, pair[0]) is None]

    def store(number: int, trial: Trial) -> None:
        database.store(key, new[number][0], trial, decisions=new[number][1], source=options.source)

    trials = measurer.measure(task, [schedule for schedule, _ in new], store)
    good, failed = sorted([t.minimum for t in trials if t.ok]), [t for t in trials if not t.ok]
    times = f"{good[0]:.3f} to {good[-1]:.3f} ms" if good else "no times"
    return f"{len(good)} of {len(trials)}, {times}" + "".join(
        [f"; {t.status.value} {t.message:.60}" for t in failed[:1]]
    )


def export(options: argparse.Namespace) -> int:
    """Writes what was measured of subjects as an archive."""
    with Database(options.database) as database:
        measured = [one for one in in_database(database) if one.pipeline.startswith(PREFIX)]
    count = write(measured, {machine_id(): host_machine()}, options.archive)
    print(f"{count} schedules in {options.archive}")
    return 0


def train(options: argparse.Namespace) -> int:
    """Fits weights to all states of the archives: what is judged by them is the reported half of the zoo."""
    states = list(samples(_measured(options.data), _machines(options.data), problems=problem_named))

    def report(epoch: int, loss: float) -> None:
        if epoch % 10 == 0:
            print(f"epoch {epoch}: loss {loss:.4f}", file=sys.stderr, flush=True)

    fit(states, options.epochs, progress=report).save(options.weights)
    print(f"trained on {len(states)} states of {len(by_pipeline(states))} pipelines and settings")
    return 0


def roofline(options: argparse.Namespace) -> int:
    """Prints the roofline's costs as they are fitted to the states of the archives, on as many threads as usual."""
    machines = _machines(options.data)
    archives = [list(samples(read(path), machines, THREADS, problem_named)) for path in options.data]
    for name, cost in fitted_coefficients(archives).items():
        print(f"{name}: {cost:.2f}")
    return 0


def judged(options: argparse.Namespace) -> int:
    """Scores the roofline, and a network, on the states of the archives."""
    states = list(samples(_measured(options.data), _machines(options.data), problems=problem_named))
    weights = Weights.load(options.weights) if options.weights else None
    print(f"roofline: {judge(Roofline, states)['']}")
    if weights is not None:
        print(f"network: {judge(lambda machine: Network(weights, machine), states)['']}")
        print(f"blend: {judge(lambda m: Blend(Roofline(m), Network(weights, m)), states)['']}")
    return 0


def _measured(archives: list[Path]) -> list[Measured]:
    return [one for archive in archives for one in read(archive)]


def _machines(archives: list[Path]) -> dict[str, MachineModel]:
    return {name: machine for archive in archives for name, machine in machines_in(archive).items()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.on_policy", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    of = {name: commands.add_parser(name) for name in ("collect", "export", "fit", "roofline", "judge")}
    of["collect"].add_argument("names", nargs="*", help="subjects (default: all that may be trained on)")
    of["collect"].add_argument("--weights", type=Path, help="of the network that proposes (default: those shipped)")
    of["collect"].add_argument("--schedules", type=int, default=12, metavar="N", help="of each subject")
    of["collect"].add_argument("--source", default="on-policy", help="a tag for this round")
    of["export"].add_argument("archive", type=Path)
    for name in ("collect", "export"):
        of[name].add_argument("--database", type=Path, required=True)
    of["fit"].add_argument("weights", type=Path, help="where to write them")
    of["fit"].add_argument("--epochs", type=int, default=60)
    of["judge"].add_argument("--weights", type=Path)
    for name in ("fit", "roofline", "judge"):
        of[name].add_argument("--data", type=Path, nargs="+", required=True, metavar="ARCHIVE")
    options = parser.parse_args()
    run = {"collect": collect, "export": export, "fit": train, "roofline": roofline, "judge": judged}
    return run[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
