"""What proposals of trials promise: no candidate twice, none that failed before, and learning from measured times."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable

import numpy as np
import pytest

from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.cost.network import Blend, Network
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.state import State, Where
from pipec.autoschedule.strategies import STRATEGIES
from pipec.autoschedule.strategies.crossover import GroupTimes
from pipec.autoschedule.strategies.mixed import Mixed
from pipec.autoschedule.strategies.proposals import TRAINING_STATES, retrained
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options
from tests.autoschedule.chains import chain, search_by


def test_tuning_proposes_nothing_twice() -> None:
    dag = chain(3)
    mixed = Mixed(search_by("beam", dag, 200))
    events = set()
    for _ in range(4):
        proposed = list(mixed.propose(6))
        assert proposed and events.isdisjoint(proposed)
        events |= set(proposed)
        for state in proposed:
            mixed.learn(state, 1e3 * mixed.search.cost(state))
    assert mixed.fastest(1)[0] in events


def test_tuning_does_not_breed_from_failures() -> None:
    dag = chain(3)
    mixed = Mixed(search_by("beam", dag, 200))
    for state in list(mixed.propose(4)):
        mixed.learn(state, math.inf)
    assert not mixed.fastest(3)
    assert list(mixed.propose(4))


@pytest.mark.slow
def test_tuning_asks_the_parts_of_a_model_for_states_of_their_own() -> None:
    dag = chain(3)
    model = Blend.shipped()
    mixed = Mixed(search(dag, CpuEvaluator(dag, model), "beam", Options(beam=2), Budget(60.0, 200)))
    for state in list(mixed.propose(4)):
        mixed.learn(state, 1e3 * mixed.search.cost(state))
    for part in model.parts():
        mixed.improve_model(5.0)
        first, *_ = mixed.propose(4)
        own = search(dag, CpuEvaluator(dag, part), "beam", Options(beam=3), Budget(60.0, 2000))
        cost = own.evaluator.cost(first)
        assert cost <= 1.5 * own.best[0][0], (type(part), cost)


@pytest.mark.slow
def test_tuning_learns_costs_from_times() -> None:
    dag = chain(3)
    first = CpuEvaluator(dag, Roofline())
    mixed = Mixed(search_by("beam", dag, 200))

    def milliseconds(state: State) -> float:
        """A machine that is slow with many tasks."""
        batch = first.batch([state])
        return 2e3 * float(batch.summed(first.model.predict(batch) * np.log2(2 + batch.column("tasks")))[0])

    def error() -> float:
        """How far costs are apart from times: the scatter of their logarithms."""
        ratios = [math.log(mixed.search.cost(state) / milliseconds(state)) for state in mixed.measured]
        return statistics.pstdev(ratios)

    while len(mixed.measured) < 24:
        for state in list(mixed.propose(12)):
            mixed.learn(state, milliseconds(state))
    before = error()
    mixed.improve_model(0.5)
    assert error() < before / 2, before
    # Decisions that are forgotten must fit any state.
    assert mixed.search.start == fallback(dag)
    assert list(mixed.propose(4))


@pytest.mark.part(2)
@pytest.mark.parametrize("strategy", ["mixed", "beam", "mcts", "evolution", "trivial"])
def test_a_strategy_proposes_new_states_and_learns_from_their_times(strategy: str) -> None:
    dag = chain(3)
    proposals = STRATEGIES[strategy].proposals_after(search_by(strategy, dag, 100), trains=False)
    for _ in range(2):
        states = list(proposals.propose(4))
        assert states and not any(state in proposals.measured for state in states)
        for state in states:
            assert proposals.search.space.problems(state) == []
            proposals.learn(state, 1e3 * proposals.search.cost(state))
    assert len(proposals.measured) >= 4


def test_a_search_proposes_states_of_the_model_that_is_trained_on_times() -> None:
    dag = chain(2)
    before = search_by("beam", dag, 100)
    times = {state: 1e3 * cost for cost, state in before.cheapest(TRAINING_STATES)}
    proposals = STRATEGIES["beam"].proposals_after(before, times)
    proposals.improve_model(0.2)
    assert proposals.trained is not None and proposals.search is not before
    assert proposals.search.start == fallback(dag)
    assert list(proposals.propose(4))


@pytest.mark.slow
def test_the_first_lesson_is_of_states_by_models_that_may_be_right_as_well() -> None:
    dag = chain(6)
    mixed = Mixed(search_by("beam", dag, 200))
    while len(mixed.measured) < TRAINING_STATES:
        for state in list(mixed.propose(4)):
            mixed.learn(state, 1e3 * mixed.search.cost(state))

    def structures(states: Iterable[State]) -> int:
        return len({tuple(state[name].compute for name in dag.funcs) for state in states})

    of_one_model = structures(state for _, state in mixed.search.best)
    assert structures(mixed.measured) > 2 * of_one_model, of_one_model


@pytest.mark.slow
def test_tuning_finds_what_the_model_is_wrong_about() -> None:
    """A machine on which a Func that is best not inlined by the model takes ten times as long as it says."""
    dag = chain(4)
    model = CpuEvaluator(dag, Roofline())
    result = search(dag, model, "beam", Options(beam=2), Budget(60.0, 400))
    first = result.best[0][1]
    wrong = next(name for name, func in dag.funcs.items() if not func.output and first[name].where is not Where.INLINE)
    truth = model.with_model(Roofline(), {wrong: 10.0})
    mixed = Mixed(result)
    for _ in range(8):
        for state in list(mixed.propose(4)):
            mixed.learn(state, 1e3 * truth.cost(state))
    assert mixed.measured[mixed.fastest(1)[0]] < 0.9 * 1e3 * truth.cost(first)


def test_factors_make_the_stages_of_a_func_more_expensive() -> None:
    dag = chain(3)
    plain = CpuEvaluator(dag, Roofline())
    state = fallback(dag)
    name = next(name for name, func in dag.funcs.items() if not func.output)
    expensive = plain.with_model(Roofline(), {name: 3.0})
    stages = plain.per_stage(state)
    added = 2 * stages[name, 0]
    assert expensive.cost(state) == pytest.approx(plain.cost(state) + added)
    assert expensive.per_stage(state) == pytest.approx({**stages, (name, 0): stages[name, 0] + added})
    assert {name: sum(terms.values()) for name, terms in expensive.per_term(state).items()} == pytest.approx(
        expensive.per_stage(state)
    )


def test_the_blend_is_trained_from_the_weights_of_its_network() -> None:
    dag = chain(3)
    model = Blend.shipped()
    evaluator, network = CpuEvaluator(dag, model), CpuEvaluator(dag, Network.shipped())
    result = search(dag, evaluator, "beam", Options(beam=2), Budget(60.0, 200))
    states = [state for _, state in result.best][:8]
    learnt = CpuEvaluator(
        dag,
        retrained(evaluator, {state: 1e3 * network.cost(state) for state in states}, GroupTimes(dag, evaluator.space)),
    )
    ratios = [math.log(learnt.cost(state) / network.cost(state)) for state in states]
    assert statistics.pstdev(ratios) < 0.02, ratios


@pytest.mark.slow
def test_the_model_is_trained_on_the_times_of_groups() -> None:
    """On a machine on which long vectors are slow; the times of whole states tell nothing: they are all the same."""
    dag = chain(3)
    evaluator = CpuEvaluator(dag, Roofline())
    space = evaluator.space
    times, groups = {}, GroupTimes(dag, space)
    changed, *_, last = dag.funcs
    states: dict[bool, list[State]] = {False: [], True: []}
    for state in space.neighbours(space.trivial(), changed):
        if all(placement.where is Where.ROOT for placement in state.placements.values()):
            long = state[changed].nests[0].lanes >= 16
            own = 3.0 if long else 0.5
            times[state] = 4.0
            groups.add(state, {**dict.fromkeys(dag.funcs, 0.25), changed: own, last: 3.75 - own})
            states[long].append(state)
    learnt = CpuEvaluator(dag, retrained(evaluator, times, groups))
    before, after = (own.cost(states[True][0]) / own.cost(states[False][0]) for own in (evaluator, learnt))
    assert after > 1.1 * before, (before, after)
