"""What evolution promises: nothing twice, nothing of failures, and that it learns from the times it is told."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable

import numpy as np
import pytest

from pipec.autoschedule.cost.blend import Blend
from pipec.autoschedule.cost.cpu import Evaluator
from pipec.autoschedule.cost.network import Network
from pipec.autoschedule.cost.roofline import Roofline
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.plan import Plan, Where
from pipec.autoschedule.strategies.evolution import LESSON, Evolution
from pipec.autoschedule.strategies.retraining import retrained
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options
from tests.autoschedule.chains import chain, found_by


def test_evolution_proposes_nothing_twice() -> None:
    dag = chain()
    state = Evolution(found_by("beam", dag))
    seen = set()
    for _ in range(4):
        proposed = list(state.propose(6))
        assert proposed and seen.isdisjoint(proposed)
        seen |= set(proposed)
        for plan in proposed:
            state.learn(plan, 1e3 * state.found.price(plan))
    assert state.fastest(1)[0] in seen


def test_evolution_does_not_breed_from_failures() -> None:
    dag = chain()
    state = Evolution(found_by("beam", dag))
    for plan in list(state.propose(4)):
        state.learn(plan, math.inf)
    assert not state.fastest(3)
    assert list(state.propose(4))


def test_evolution_asks_the_parts_of_a_model_for_plans_of_their_own() -> None:
    dag = chain()
    model = Blend.shipped()
    state = Evolution(search(dag, Evaluator(dag, model), "beam", Options(beam=2), Budget(60.0, 200)))
    for plan in list(state.propose(4)):
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
        for plan in list(state.propose(12)):
            state.learn(plan, milliseconds(plan))
    before = error()
    state.think(0.5)
    assert error() < before / 2, before
    # Decisions that are forgotten must fit any plan.
    assert state.found.start == fallback(dag)
    assert list(state.propose(4))


def test_the_first_lesson_is_of_plans_by_models_that_may_be_right_as_well() -> None:
    dag = chain(6)
    state = Evolution(found_by("beam", dag, 200))
    while len(state.measured) < LESSON:
        for plan in list(state.propose(4)):
            state.learn(plan, 1e3 * state.found.price(plan))

    def structures(plans: Iterable[Plan]) -> int:
        return len({tuple(plan[name].compute for name in dag.funcs) for plan in plans})

    of_one_model = structures(plan for _, plan in state.found.best)
    assert structures(state.measured) > 2 * of_one_model, of_one_model


def test_evolution_finds_what_the_model_is_wrong_about() -> None:
    """A machine on which a Func that is best not inlined by the model takes ten times as long as it says."""
    dag = chain(6)
    model = Evaluator(dag, Roofline())
    found = search(dag, model, "beam", Options(beam=2), Budget(60.0, 800))
    first = found.best[0][1]
    wrong = next(name for name, func in dag.funcs.items() if not func.output and first[name].where is not Where.INLINE)
    truth = model.with_model(Roofline(), {wrong: 10.0})
    state = Evolution(found)
    for _ in range(8):
        for plan in list(state.propose(4)):
            state.learn(plan, 1e3 * truth.cost(plan))
    assert state.measured[state.fastest(1)[0]] < 0.9 * 1e3 * truth.cost(first)


def test_factors_make_the_stages_of_a_func_dearer() -> None:
    dag = chain(3)
    plain = Evaluator(dag, Roofline())
    plan = fallback(dag)
    name = next(name for name, func in dag.funcs.items() if not func.output)
    dear = plain.with_model(Roofline(), {name: 3.0})
    stages = plain.per_stage(plan)
    added = 2 * stages[name, 0]
    assert dear.cost(plan) == pytest.approx(plain.cost(plan) + added)
    assert dear.per_stage(plan) == pytest.approx({**stages, (name, 0): stages[name, 0] + added})
    assert {name: sum(terms.values()) for name, terms in dear.per_term(plan).items()} == pytest.approx(
        dear.per_stage(plan)
    )


def test_the_blend_is_trained_from_the_weights_of_its_network() -> None:
    dag = chain(3)
    model = Blend.shipped()
    evaluator, network = Evaluator(dag, model), Evaluator(dag, Network.shipped())
    found = search(dag, evaluator, "beam", Options(beam=2), Budget(60.0, 200))
    plans = [plan for _, plan in found.best][:8]
    learnt = Evaluator(dag, retrained(evaluator, {plan: 1e3 * network.cost(plan) for plan in plans}))
    ratios = [math.log(learnt.cost(plan) / network.cost(plan)) for plan in plans]
    assert statistics.pstdev(ratios) < 0.02, ratios
