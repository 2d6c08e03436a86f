"""`python -m bench.autoschedule.ranks`: how well cost models rank measured states of the applications.

None of these states is trained on. What was measured is kept in a database; a second run goes on from there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pipec as hl
from apps.app import App
from apps.registry import APPS
from bench.autoschedule.search import estimated
from pipec.autoschedule.cost.fit import Sample, judge
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import CostModel, Roofline
from pipec.autoschedule.cost.network import SHIPPED, Network, Weights
from pipec.autoschedule.cost.scores import Scores
from pipec.autoschedule.measure import Measurer, Task, Trial, TrialLimits
from pipec.autoschedule.measure.database import Database, TaskKey
from pipec.autoschedule.measure.tuning import task_of_problem
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.space.state_text import from_json
from pipec.autoschedule.train.collect import key_of_task
from pipec.autoschedule.train.proposals import proposed
from pipec.autoschedule.train.samples import Evaluators


def problem_of_app(app: App, threads: int | None) -> Problem:
    algorithm, _ = estimated(hl, app)
    return problem_of([algorithm.output.function], threads=threads)


def measure(database: Database, measurer: Measurer, problem: Problem, task: Task, key: TaskKey, count: int) -> None:
    """Measure states until there are `count`: good ones, neighbours of good ones, and random ones."""
    if len(database.entries(key)) >= count:
        return
    proposals = proposed(problem, count, Random(key.fingerprint))
    new = [proposal for proposal in proposals if database.find(key, proposal[0]) is None]

    def keep(number: int, trial: Trial) -> None:
        schedule, decisions = new[number]
        database.store(key, schedule, trial, decisions=decisions, source="ranks")

    measurer.measure(task, [schedule for schedule, _ in new], keep)


def samples(database: Database, name: str, problem: Problem, key: TaskKey) -> list[Sample]:
    evaluators = Evaluators(problem, Roofline(host_machine()))
    result = []
    for entry in database.entries(key):
        if entry.trial.ok and entry.decisions:
            state = from_json(entry.decisions)
            if (evaluator := evaluators.of(state)) is not None:
                batch, seconds = evaluator.batch([state]), entry.trial.minimum * 1e-3
                result.append(Sample(name, "", batch.features, batch.operations, seconds, host_machine()))
    return result


def row(name: str, scores: Scores) -> str:
    numbers = (scores.spearman, scores.pairwise, scores.regret_1, scores.regret_8)
    return f"{name:24}" + "".join([f"{number:9.3f}" for number in numbers])


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.ranks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="app", help="which (default: all)")
    parser.add_argument(
        "--database", type=Path, default=Path("out/ranks.sqlite"), help="where measured states are kept"
    )
    parser.add_argument("--states", type=int, default=24, help="of each application")
    parser.add_argument("--weights", type=Path, default=SHIPPED, help="of the network (default: those shipped)")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def main() -> None:
    options = parse()
    models: dict[str, Callable[[MachineModel], CostModel]] = {"roofline": Roofline}
    if options.weights.exists():
        models["network"] = partial(Network, Weights.load(options.weights))
    result: list[Sample] = []
    options.database.parent.mkdir(parents=True, exist_ok=True)
    limits = TrialLimits(compile_seconds=30.0, run_seconds=5.0)
    with Database(options.database) as database, Measurer(threads=options.threads, limits=limits) as measurer:
        for name in options.names or APPS:
            problem = problem_of_app(APPS[name], options.threads)
            task = task_of_problem(problem)
            key = key_of_task(task, options.threads)
            measure(database, measurer, problem, task, key, options.states)
            result += samples(database, name, problem, key)
    for title, model in models.items():
        print(f"{title:24} spearman pairwise regret@1 regret@8")
        for name, scores in sorted(judge(model, result).items()):
            print(row(name.strip() or "all", scores))


if __name__ == "__main__":
    main()
