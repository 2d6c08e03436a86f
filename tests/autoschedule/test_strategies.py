"""What the strategies promise: never worse than where they began, at any time, whatever ends them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pipec.autoschedule import strategies
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.state import State, Where
from pipec.autoschedule.strategies.beam import forgotten
from pipec.autoschedule.strategies.deciding import noisy
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import SearchState
from pipec.tuner.bandit import Bandit
from tests.autoschedule.chains import chain, search_by


@pytest.mark.part(10)
@pytest.mark.parametrize("strategy", strategies.FOR_CPU)
def test_no_strategy_ends_with_worse_than_the_fallback(strategy: str) -> None:
    dag = chain()
    result = search_by(strategy, dag)
    assert result.best[0][0] <= result.cost(fallback(dag))
    costs = [cost for cost, _ in result.best]
    assert costs == sorted(costs)


def test_beam_search_leaves_no_chain_of_stencils_at_root() -> None:
    dag = chain()
    state = search_by("beam", dag).best[0][1]
    assert sum(state[name].where is Where.ROOT for name in dag.funcs) < len(dag.funcs)


def test_everything_is_decided_anew_before_the_beam_is_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[forgotten.__module__]
    decided, passes = module.decided, []

    def counted(search: SearchState, start: State, width: int, noise: float = 0.0):
        passes.append((start == search.start, width, noise > 0))
        return decided(search, start, width, noise)

    monkeypatch.setattr(module, "decided", counted)
    monkeypatch.setattr(module, "REGIONS", 0)
    search_by("beam", chain(2), states=100_000)
    assert passes[: 1 + module.RESTARTS] == [(True, 1, False), *[(True, 1, True)] * module.RESTARTS]
    assert [width for _, width, _ in passes].count(3) == 1 and passes[-1][1] == 1


def test_passes_over_many_funcs_perturb_the_costs_of_each_less(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[noisy.__module__]
    amounts: list[float] = []

    def counted(search: SearchState, ranked: list[tuple[float, State]], noise: float) -> list[tuple[float, State]]:
        amounts.append(noise)
        return noisy(search, ranked, noise)

    monkeypatch.setattr(module, "noisy", counted)
    for stages in (2, 20):
        result = search_by("random", chain(stages), states=1)
        for _ in module.decided(result, result.start, 1, 0.4):
            pass
    few, many = amounts[:2], amounts[2:]
    assert few == [0.4] * 2
    assert many == pytest.approx([0.4 * module.FEW_FUNCS / 20] * 20)


def test_forgetting_decisions_leaves_a_legal_state() -> None:
    dag = chain(8)
    result = search_by("beam", dag)
    state = result.best[0][1]
    assert forgotten(result, state, 0.0) == state
    assert forgotten(result, state, 1.0) == result.start
    for seed in range(3):
        result.rng.seed(seed)
        assert problems(dag, forgotten(result, state, 0.5)) == []


def test_chance_changes_the_order_of_states_and_nothing_else() -> None:
    result = search_by("beam", chain(3))
    ranked = [(1.0 + 0.01 * number, result.start) for number in range(20)]
    assert noisy(result, ranked, 0.0) == ranked
    changed = noisy(result, ranked, 0.3)
    assert changed != ranked and sorted(changed, key=lambda item: item[0]) == ranked


def test_a_search_without_time_returns_the_fallback() -> None:
    dag = chain()
    result = search(dag, CpuEvaluator(dag, Roofline()), "beam", budget=Budget(0.0))
    assert result.best, "there is always a state"


def test_searches_of_one_seed_are_the_same() -> None:
    dag = chain()
    assert search_by("beam", dag).best[0] == search_by("beam", dag).best[0]


def test_the_bandit_prefers_what_pays() -> None:
    bandit = Bandit(("good", "bad"))
    uses = []
    for _ in range(100):
        arm = bandit.choose()
        uses.append(arm)
        bandit.reward(arm, arm == "good")
    assert uses.count("good") > 80


DIGESTS = """
import hashlib, os
import pipec as hl
from pipec.autoschedule.strategies import FOR_CPU, Options
from tests.autoschedule.awkward_pipelines import PIPELINES

# Twice as long with all strategies for both: by default these take turns.
step = 1 if os.environ.get("PIPEC_SLOW") else 2
for turn, name in enumerate(("arg_minimum_of_tuples", "transposed_and_resampled")):
    for strategy in [*FOR_CPU][turn % step :: step]:
        outputs = PIPELINES[name]()
        sizes = {func.name(): [640, 480][: func.dimensions()] for func in outputs}
        options = Options(beam=2, rounds=1, patience=1, states=30, samples=4, seed=5)
        result = hl.Pipeline(outputs).autoschedule(
            sizes=sizes, strategy=strategy, options=options, search_seconds=1000, threads=2, verify=False
        )
        print(name, strategy, hashlib.sha256(result.schedule.to_json().encode()).hexdigest())
"""


@pytest.mark.slow
def test_a_seed_gives_the_same_schedules_in_every_process() -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": seed, "PIPEC_MACHINE": "shipped"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "1")
    ]
    first, second = [child.communicate()[0] for child in children]
    assert first == second and len(first.splitlines()) == (2 if os.environ.get("PIPEC_SLOW") else 1) * len(
        strategies.FOR_CPU
    )
