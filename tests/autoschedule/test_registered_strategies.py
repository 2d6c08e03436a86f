"""What every registered strategy promises: legal states for CPUs and GPUs, the same for a seed, at any time."""

from __future__ import annotations

from functools import cache

import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.features.gpu.device import GENERIC
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.space.gpu.space import GpuSpace
from pipec.autoschedule.strategies import FOR_CPU, STRATEGIES
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.errors import ArgumentError
from tests.autoschedule.awkward_pipelines import PIPELINES
from tests.autoschedule.chains import chain

FEW = Options(beam=2, rounds=1, patience=1, samples=3, seed=3)
FOR_GPU = [name for name, strategy in STRATEGIES.items() if strategy.gpu]


@cache
def problem(name: str, gpu: bool = False) -> Problem:
    outputs = PIPELINES[name]()
    sizes = {func.name(): [640, 480][: func.dimensions()] for func in outputs}
    return problem_of([func.function for func in outputs], sizes=sizes, threads=2, device=GENERIC if gpu else None)


def searched(strategy: str, name: str, states: int = 150, seconds: float = 1000.0) -> SearchState:
    dag = problem(name).dag
    return search(dag, CpuEvaluator(dag, Roofline()), strategy, FEW, Budget(seconds, states))


def test_all_strategies_but_that_for_kernels_search_for_cpus() -> None:
    assert set(STRATEGIES) - set(FOR_CPU) == {"anderson2021"}


@pytest.mark.part(6)
@pytest.mark.parametrize("strategy", FOR_CPU)
def test_states_are_legal_and_the_same_for_a_seed(strategy: str) -> None:
    for name in ("scan_both_ways", "transposed_and_resampled"):
        first, second = searched(strategy, name), searched(strategy, name)
        assert first.best == second.best and first.states == second.states
        for _, state in first.best:
            assert first.space.problems(state) == []


@pytest.mark.parametrize("strategy", FOR_CPU)
def test_a_strategy_ends_soon_after_its_budget(strategy: str) -> None:
    assert searched(strategy, "scan_both_ways", seconds=0.0).best
    assert searched(strategy, "scan_both_ways", states=1).states < 400


@pytest.mark.parametrize("strategy", FOR_CPU)
def test_ctrl_c_ends_a_strategy_with_the_best_so_far(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    costs, asked = SearchState.costs, 0

    def interrupted(self: SearchState, states: list) -> list[float]:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise KeyboardInterrupt
        return costs(self, states)

    monkeypatch.setattr(SearchState, "costs", interrupted)
    dag = chain(2)
    result = search(dag, CpuEvaluator(dag, Roofline()), strategy, FEW, Budget(60.0, 300))
    assert result.best and result.interrupted == (asked >= 3)


@pytest.mark.parametrize("strategy", FOR_GPU)
def test_kernels_are_legal_and_no_worse_than_the_start(strategy: str) -> None:
    subject = problem("transposed_and_resampled", gpu=True)
    assert isinstance(subject.space, GpuSpace)
    start = subject.trivial() if strategy == "trivial" else subject.start()
    result = search(subject.dag, subject.space.evaluator, strategy, FEW, Budget(1000.0, 100), start)
    assert result.best[0][0] <= result.cost(start)
    for _, state in result.best:
        assert subject.space.problems(state) == []


def test_the_public_list_has_a_line_about_each() -> None:
    lines = hl.autoschedule_strategies()
    assert list(lines) == list(STRATEGIES)
    assert all(line.endswith(".") and "\n" not in line and len(line) < 120 for line in lines.values())


def test_an_unknown_strategy_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(ArgumentError, match=r"no strategy 'bean'; there are .*beam, .*autoschedule_strategies\(\)"):
        PIPELINES["scan_both_ways"]()[0].autoschedule(sizes=[8, 8], strategy="bean")
