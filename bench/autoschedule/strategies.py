"""`python -m bench.autoschedule.strategies`: all strategies with the same budget, on applications and the zoo.

Each strategy searches for so many seconds of CPU time by the cost model; so other work on the machine changes nothing.
Then the best schedules of all are timed side by side (`--measure`), or each strategy gets so many trials (`--trials`).
Writes out/strategies.json after each pipeline, the tables that docs/searchers.md has, and out/strategies.png.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pipec as hl
from bench.autoschedule.search import estimated
from bench.autoschedule.strategy_tables import summary_text, write_plot
from bench.autoschedule.subjects import SUBJECTS
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.network import Blend
from pipec.autoschedule.measure import Measurer, TrialLimits
from pipec.autoschedule.measure.database import Database
from pipec.autoschedule.measure.tuning import task_of_problem, tuned
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.rfactor.search import Searched, search_with_factorings
from pipec.autoschedule.strategies import STRATEGIES, Options, SearchState, Strategy
from pipec.autoschedule.strategies.tune import TuningBudget
from pipec.deep_stack import gc_paused
from pipec.records import replace

SEARCHING = [name for name, strategy in STRATEGIES.items() if strategy.cpu and strategy.verified and name != "mixed"]
RULES = ("grouping", "mullapudi2016")
DATABASE = Path("out/strategies.sqlite")
LIMITS = TrialLimits(run_seconds=5.0)


class Run:
    """One search within a budget of CPU seconds. `curve`: (seconds, cost in seconds) at every improvement."""

    def __init__(self, strategy: Strategy, problem: Problem, seconds: float, seed: int) -> None:
        self.strategy, self.seed, self.model = strategy, seed, Blend.shipped(host_machine())
        self.curve: list[tuple[float, float]] = []
        self.began = time.process_time()
        with gc_paused():
            if strategy.thorough:
                self.searched = search_with_factorings(problem, self._search, Options(seed=seed), seconds)[0]
            else:
                self.searched = self._search(problem, Options(seed=seed), seconds)

    def _search(self, problem: Problem, options: Options, seconds: float) -> Searched:
        evaluator = CpuEvaluator(problem.dag, self.model)
        search = SearchState(problem.dag, evaluator, problem.start())
        search.rng.seed(self.seed)
        search.cost(search.start)
        end = time.process_time() + seconds
        for _ in self.strategy.search(search, options):
            now, cost = time.process_time(), search.best[0][0]
            if not self.curve or cost < self.curve[-1][1]:
                self.curve.append((now - self.began, cost))
            if now > end:
                break
        return Searched(problem, evaluator, search)


def problem_of_subject(name: str, threads: int) -> Problem:
    """The problem of an application or an entry at its benchmark's size."""
    _, pipeline = estimated(hl, SUBJECTS[name])
    return problem_of([func.function for func in pipeline.outputs()], threads=threads)


def searched(name: str, strategies: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    """The curves of all strategies, and with --measure the milliseconds of their best schedules, timed in turns."""
    problem = problem_of_subject(name, options.threads)
    runs = {s: Run(STRATEGIES[s], problem, options.seconds, options.seed) for s in strategies}
    record: dict[str, Any] = {
        "curves": {s: run.curve for s, run in runs.items()},
        "states": {s: run.searched.search.states for s, run in runs.items()},
    }
    if options.measure:
        record["milliseconds"] = measured(problem, runs)
    return record


def measured(problem: Problem, runs: Mapping[str, Run]) -> dict[str, float]:
    """Milliseconds of the best schedule of each strategy."""
    best = [(run.searched.problem, run.searched.search.best[0][1]) for run in runs.values()]
    task = replace(task_of_problem(problem), trusted=problem.space.emit(problem.trivial()))
    definitions = {k: own.definition for k, (own, _) in enumerate(best) if own.definition is not problem.definition}
    schedules = [own.space.emit(state) for own, state in best]
    with Measurer(compilers=2, threads=problem.dag.threads, limits=LIMITS) as measurer:
        trials = measurer.measure(task, schedules, definitions=definitions, longer=4)
    return {name: trial.minimum if trial.ok else math.inf for name, trial in zip(runs, trials, strict=True)}


def tuned_by(name: str, strategies: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    """The best milliseconds after each trial of each strategy; all begin with a search of so many seconds."""
    problem = problem_of_subject(name, options.threads)
    task = replace(task_of_problem(problem), trusted=problem.space.emit(problem.trivial()))
    curves, finals = {}, {}
    with Measurer(compilers=2, threads=problem.dag.threads, limits=LIMITS) as measurer:
        for strategy in strategies:
            run = Run(STRATEGIES[strategy], problem, options.seconds, options.seed)
            DATABASE.unlink(missing_ok=True)
            with Database(DATABASE) as database:
                own = run.searched
                budget = TuningBudget(trials=options.trials)
                result = tuned(STRATEGIES[strategy], own.problem, own.search, task, measurer, budget, {}, database)
            times = [ms for ms in result.times.values() if math.isfinite(ms)]
            curves[strategy] = [(k, min(times[:k])) for k in range(1, len(times) + 1)]
            best = result.best()
            if best is not None:
                finals[strategy] = own.problem, best[1]
        schedules = [own.space.emit(state) for own, state in finals.values()]
        trials = measurer.measure(task, schedules, longer=4)
    final = {s: trial.minimum for s, trial in zip(finals, trials, strict=True) if trial.ok}
    return {"trials": {s: scaled(curves[s], final[s]) for s in final}, "milliseconds": final}


def scaled(curve: Sequence[tuple[int, float]], last: float) -> list[tuple[int, float]]:
    """The curve with another last value: strategies are measured at different times, their results side by side."""
    return [(trial, value * last / curve[-1][1]) for trial, value in curve]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.strategies", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="pipeline", help="which (default: all applications and the zoo)")
    parser.add_argument("--strategies", nargs="+", choices=STRATEGIES, help="which (default: all that search)")
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU time of each search")
    parser.add_argument("--trials", type=int, default=0, help="also measure so many schedules of each strategy")
    parser.add_argument("--measure", action="store_true", help="time the best schedules by the model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path("out/strategies.json"))
    options = parser.parse_args()
    if unknown := set(options.names) - set(SUBJECTS):
        parser.error(f"no pipeline named {', '.join(sorted(unknown))}")
    return options


def main() -> None:
    options = parse()
    options.json.parent.mkdir(parents=True, exist_ok=True)
    strategies = options.strategies or ([*SEARCHING, "mixed"] if options.trials else [*SEARCHING, *RULES])
    records: dict[str, Any] = json.loads(options.json.read_text()) if options.json.exists() else {}
    for name in options.names or SUBJECTS:
        if name not in records:
            run = tuned_by if options.trials else searched
            records[name] = run(name, strategies, options)
            options.json.write_text(json.dumps(records))
            print(name, flush=True)
    print(summary_text(records, options.seconds))
    write_plot(records, options.seconds, options.json.with_suffix(".png"))


if __name__ == "__main__":
    main()
