"""Costs of states that were derived from others are those that are computed from nothing."""

from __future__ import annotations

import random

import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.state import State
from tests.autoschedule.chains import chain


def transposed() -> Dag:
    """Stages whose layouts matter: the second reads across the rows of the first."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    before, across, after = hl.funcs("before across after")
    before[x, y] = image[x, y] + image[x + 1, y]
    across[x, y] = before[y, x] + before[y, x + 1]
    after[x, y] = across[x, y] + across[x + 1, y] + before[x, y]
    return problem_of([after.function], sizes=[512, 512], threads=2).dag


@pytest.mark.part(2)
@pytest.mark.parametrize("dag", [chain(8), transposed()], ids=["chain", "transposed"])
def test_costs_of_derived_states_are_those_of_equal_ones(dag: Dag) -> None:
    incremental, full = CpuEvaluator(dag, Roofline()), CpuEvaluator(dag, Roofline())
    space, rng = incremental.space, random.Random(1)
    state = space.start()
    for step in range(24):
        func = rng.choice(list(space.decided()))
        others = space.neighbours(state, func) if step % 2 else space.children(state, func)
        same = [State(other.placements) for other in others]
        assert [hash(other) for other in others] == [hash(other) for other in same]
        assert incremental.costs(others) == pytest.approx(full.costs(same), rel=1e-12)
        state = space.mutated(rng.choice([state, *others]), rng)


def test_a_state_of_another_storage_order_evaluates_only_the_groups_that_load_it() -> None:
    dag = chain(8)
    evaluator = CpuEvaluator(dag, Roofline())
    state = evaluator.space.trivial()
    evaluator.cost(state)
    before = evaluator.groups_evaluated
    name = list(dag.funcs)[4]
    states = [s for s in evaluator.space.neighbours(state, name) if s.placements[name].storage]
    transposed = [s for s in states if all(s[other] == state[other] for other in dag.funcs if other != name)]
    evaluator.costs(transposed)
    assert transposed
    assert evaluator.groups_evaluated - before <= 2 * len(transposed)
