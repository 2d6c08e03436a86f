"""What the strategies promise: never worse than where they began, at any time, whatever ends them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule import strategies
from pipec.autoschedule.cost.blend import Blend
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.dag import Dag
from pipec.autoschedule.evaluate import Evaluator
from pipec.autoschedule.fallback import fallback
from pipec.autoschedule.legality import problems
from pipec.autoschedule.plan import Plan, Where
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.search import Budget, search
from pipec.autoschedule.strategies.bandit import Bandit
from pipec.autoschedule.strategies.beam import forgotten, noisy
from pipec.autoschedule.strategies.evolution import Evolution
from pipec.autoschedule.strategies.found import Found, Options


def chain(stages: int = 4) -> Dag:
    x, y = hl.vars("x y")
    before: hl.ImageParam | hl.Func = hl.ImageParam(hl.Float(32), 2, "image")
    for k in range(stages):
        func = hl.Func(f"stage_{k}")
        func[x, y] = before[x, y] + before[x + 1, y] + before[x, y + 1]
        before = func
    return problem_of([before.function], sizes=[1024, 1024], threads=2).dag


def found_by(strategy: str, dag: Dag, states: int = 600) -> Found:
    return search(dag, Evaluator(dag, Roofline()), strategy, Options(beam=3), Budget(60.0, states))


@pytest.mark.parametrize("strategy", strategies.STRATEGIES)
def test_no_strategy_ends_with_worse_than_the_fallback(strategy: str) -> None:
    dag = chain()
    found = found_by(strategy, dag)
    assert found.best[0][0] <= found.price(fallback(dag))
    prices = [price for price, _ in found.best]
    assert prices == sorted(prices)


def test_beam_search_leaves_no_chain_of_stencils_at_root() -> None:
    dag = chain()
    plan = found_by("beam", dag).best[0][1]
    assert sum(plan[name].where is Where.ROOT for name in dag.funcs) < len(dag.funcs)


def test_forgetting_decisions_leaves_a_legal_plan() -> None:
    dag = chain(8)
    found = found_by("beam", dag)
    plan = found.best[0][1]
    assert forgotten(found, plan, 0.0) == plan
    assert forgotten(found, plan, 1.0) == found.start
    for seed in range(3):
        found.rng.seed(seed)
        assert problems(dag, forgotten(found, plan, 0.5)) == []


def test_chance_changes_the_order_of_plans_and_nothing_else() -> None:
    found = found_by("beam", chain(3))
    ranked = [(1.0 + 0.01 * number, found.start) for number in range(20)]
    assert noisy(found, ranked, 0.0) == ranked
    changed = noisy(found, ranked, 0.3)
    assert changed != ranked and sorted(changed, key=lambda item: item[0]) == ranked


def test_a_search_without_time_returns_the_fallback() -> None:
    dag = chain()
    found = search(dag, Evaluator(dag, Roofline()), "beam", budget=Budget(0.0))
    assert found.best, "there is always a plan"


def test_an_interrupt_ends_the_search_with_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    dag = chain()

    def interrupted(found: Found, options: Options) -> Iterator[None]:
        yield
        raise KeyboardInterrupt

    monkeypatch.setitem(strategies.STRATEGIES, "interrupted", interrupted)  # type: ignore[arg-type]
    assert found_by("interrupted", dag).best[0][1] == fallback(dag)


def test_searches_of_one_seed_are_the_same() -> None:
    dag = chain()
    assert found_by("beam", dag).best[0] == found_by("beam", dag).best[0]


def test_the_bandit_prefers_what_pays() -> None:
    bandit = Bandit(("good", "bad"))
    uses = []
    for _ in range(100):
        arm = bandit.choose()
        uses.append(arm)
        bandit.reward(arm, arm == "good")
    assert uses.count("good") > 80


def test_evolution_proposes_nothing_twice() -> None:
    dag = chain()
    state = Evolution(found_by("beam", dag))
    seen = set()
    for _ in range(4):
        proposed = state.propose(6)
        assert proposed and seen.isdisjoint(proposed)
        seen |= set(proposed)
        for plan in proposed:
            state.learn(plan, 1e3 * state.found.price(plan))
    assert state.fastest(1)[0] in seen


def test_evolution_does_not_breed_from_failures() -> None:
    dag = chain()
    state = Evolution(found_by("beam", dag))
    for plan in state.propose(4):
        state.learn(plan, math.inf)
    assert not state.fastest(3)
    assert state.propose(4)


def test_evolution_asks_the_parts_of_a_model_for_plans_of_their_own() -> None:
    dag = chain()
    model = Blend.shipped()
    state = Evolution(search(dag, Evaluator(dag, model), "beam", Options(beam=2), Budget(60.0, 200)))
    for plan in state.propose(4):
        state.learn(plan, 1e3 * state.found.price(plan))
    for part in model.parts():
        state.think(5.0)
        first, *_ = state.propose(4)
        own = search(dag, Evaluator(dag, part), "beam", Options(beam=3), Budget(60.0, 2000))
        price = own.evaluator.cost(first)
        assert price <= 1.5 * own.best[0][0], (type(part), price)


def test_evolution_learns_prices_from_times() -> None:
    dag = chain(3)
    first = Evaluator(dag, Roofline())
    state = Evolution(found_by("beam", dag, 200))

    def milliseconds(plan: Plan) -> float:
        """A machine that is slow with many tasks."""
        batch = first.batch([plan])
        return 2e3 * float(batch.summed(first.model.predict(batch) * np.log2(2 + batch.column("tasks")))[0])

    def error() -> float:
        """How far prices are apart from times: the scatter of their logarithms."""
        ratios = [math.log(state.found.price(plan) / milliseconds(plan)) for plan in state.measured]
        return statistics.pstdev(ratios)

    while len(state.measured) < 24:
        for plan in state.propose(12):
            state.learn(plan, milliseconds(plan))
    before = error()
    state.think(0.5)
    assert error() < before / 2, before
    # Decisions that are forgotten must fit any plan.
    assert state.found.start == fallback(dag)
    assert state.propose(4)
