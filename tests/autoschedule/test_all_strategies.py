"""Every strategy finds a legal schedule, of the right pixels, for every application and 200 random pipelines."""

from __future__ import annotations

import pytest

import pipec as hl
from apps.registry import APPS
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.measure.child import Bench
from pipec.autoschedule.measure.tuning import task_of_problem
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.random_pipelines import random_pipeline
from pipec.autoschedule.strategies import FOR_CPU
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options

RANDOM = [f"random {seed}" for seed in range(200)]
FEW, BUDGET = Options(beam=2, rounds=1, patience=1, samples=4, seed=1), Budget(60.0, 250)


def problem(name: str) -> Problem:
    if name in APPS:
        app = APPS[name]
        algorithm = app.build(hl)
        for image, array in app.example(app.test_size).items():
            for dimension, extent in enumerate(array.shape[::-1]):
                algorithm.images[image].dim(dimension).set_estimate(0, extent)
        for param, value in app.settings.items():
            algorithm.params[param].set_estimate(value)
        algorithm.output.set_estimates([(0, extent) for extent in app.test_size])
        return problem_of([algorithm.output.function], threads=2)
    pipeline = random_pipeline(int(name.split()[1]), shrink=16)
    return problem_of([func.function for func in pipeline.outputs], sizes=pipeline.sizes, threads=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*APPS, *RANDOM])
def test_every_strategy_finds_a_legal_and_right_schedule(name: str) -> None:
    subject = problem(name)
    bench = Bench(task_of_problem(subject))
    bench.prepare(subject.space.emit(subject.trivial()))
    strategies_of: dict[object, list[str]] = {}
    for strategy in FOR_CPU:
        state = search(subject.dag, CpuEvaluator(subject.dag, Roofline()), strategy, FEW, BUDGET).best[0][1]
        assert subject.space.problems(state) == [], strategy
        strategies_of.setdefault(subject.space.emit(state), []).append(strategy)
    for schedule, strategies in strategies_of.items():
        wrong, _ = bench.check(0, schedule)
        assert not wrong, strategies
