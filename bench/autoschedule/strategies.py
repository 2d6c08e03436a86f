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
from bench.zoo.contest import best_file
from bench.zoo.registry import ZOO
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.network import Blend
from pipec.autoschedule.emit.schedule_file import save
from pipec.autoschedule.measure import Measurer, TrialLimits
from pipec.autoschedule.measure.database import Database
from pipec.autoschedule.measure.tuning import task_of_problem, tuned_by_rounds
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.rfactor.search import Searched, search_with_factorings
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies import STRATEGIES, Options, SearchState, Strategy
from pipec.autoschedule.strategies.tune import Tuned, TuningBudget
from pipec.autoschedule.task_scheduler import RoundEnd
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
                self.searched = search_with_factorings([problem], self._search, Options(seed=seed), seconds)[0]
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
    """Milliseconds of the best schedule of each strategy, infinite where it doesn't run."""
    best = {name: (run.searched.problem, run.searched.search.best[0][1]) for name, run in runs.items()}
    with Measurer(compilers=2, threads=problem.dag.threads, limits=LIMITS) as measurer:
        return dict.fromkeys(runs, math.inf) | side_by_side(problem, best, measurer)


def tuned_by(name: str, strategies: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    """The best milliseconds after each trial of each strategy; all begin with a search of so many seconds.

    `rounds`: the ends of its rounds.
    """
    problem = problem_of_subject(name, options.threads)
    curves, rounds, best = {}, {}, {}
    with Measurer(compilers=2, threads=problem.dag.threads, limits=LIMITS) as measurer:
        for strategy in strategies:
            run = Run(STRATEGIES[strategy], problem, options.seconds, options.seed)
            result, rounds[strategy] = _tuning(STRATEGIES[strategy], run.searched, measurer, options.trials)
            times = [ms for ms in result.times.values() if math.isfinite(ms)]
            curves[strategy] = [(k, min(times[:k])) for k in range(1, len(times) + 1)]
            if (fastest := result.best()) is not None:
                best[strategy] = run.searched.problem, fastest[1]
        final = side_by_side(problem, best, measurer)
    if options.store_best and name in ZOO:
        _store_best(name, problem, best, final)
    return {"trials": {s: scaled(curves[s], final[s]) for s in final}, "rounds": rounds, "milliseconds": final}


def _tuning(strategy: Strategy, own: Searched, measurer: Measurer, trials: int) -> tuple[Tuned, list[RoundEnd]]:
    task = replace(task_of_problem(own.problem), trusted=own.problem.space.emit(own.problem.trivial()))
    DATABASE.unlink(missing_ok=True)
    rounds: list[RoundEnd] = []
    began = time.perf_counter()
    with Database(DATABASE) as database:
        budget = TuningBudget(trials=trials)
        tuning = tuned_by_rounds(strategy, own.problem, own.search, task, measurer, budget, {}, database)
        try:
            while True:
                state = next(tuning)
                if (best := state.best()) is not None:
                    rounds.append(RoundEnd(time.perf_counter() - began, state.trials, best[0]))
        except StopIteration as end:
            return end.value, rounds


def side_by_side(problem: Problem, best: Mapping[str, tuple[Problem, State]], measurer: Measurer) -> dict[str, float]:
    """Milliseconds of a state of each strategy, timed in turns; of those that run."""
    task = replace(task_of_problem(problem), trusted=problem.space.emit(problem.trivial()))
    states = list(best.values())
    definitions = {k: own.definition for k, (own, _) in enumerate(states) if own.definition is not problem.definition}
    schedules = [own.space.emit(state) for own, state in states]
    trials = measurer.measure(task, schedules, definitions=definitions, longer=4)
    return {strategy: trial.minimum for strategy, trial in zip(best, trials, strict=True) if trial.ok}


def _store_best(
    name: str, problem: Problem, best: Mapping[str, tuple[Problem, State]], final: Mapping[str, float]
) -> None:
    """Stores the fastest schedule as the best known one where there is none yet."""
    if best_file(name).exists() or not final:
        return
    fastest = min(final, key=final.__getitem__)
    own, state = best[fastest]
    cost = CpuEvaluator(own.dag, Blend.shipped(host_machine())).costs([state])[0]
    save(best_file(name), own, own.space.emit(state), cost * 1e3, final[fastest])


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
    parser.add_argument(
        "--store-best", action="store_true", help="write what trials find to bench/zoo/best/, where none is"
    )
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
