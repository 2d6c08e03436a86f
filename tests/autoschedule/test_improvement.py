"""Which neighbours of a measured state are worth measuring."""

from __future__ import annotations

import random

import pytest

from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.strategies.improvement import Neighbour, neighbours
from tests.autoschedule.chains import chain, search_by


@pytest.mark.parametrize(("time", "spread"), [(0.9, 0.05), (1.0, 0.2), (1.1, 0.3), (1.3, 0.1)])
def test_the_improvement_is_the_mean_of_what_is_gained(time: float, spread: float) -> None:
    rng = random.Random(0)
    gains = [max(0.0, 1.0 - rng.gauss(time, spread)) for _ in range(200_000)]
    improvement = Neighbour(fallback(chain()), time, spread).improvement(1.0)
    assert improvement == pytest.approx(sum(gains) / len(gains), rel=0.05, abs=1e-4)


def test_what_is_certain_to_be_slower_improves_nothing() -> None:
    state = fallback(chain())
    assert Neighbour(state, 1.1, 0.0).improvement(1.0) == 0.0
    assert Neighbour(state, 0.9, 0.0).improvement(1.0) == pytest.approx(0.1)


def test_estimates_of_neighbours_that_change_what_is_expensive_are_uncertain() -> None:
    dag = chain(4)
    result = search_by("beam", dag)
    state = result.start
    seconds = {name: 0.0 for name in dag.funcs}
    for (name, _), cost in result.evaluator.per_stage(state).items():
        seconds[name] += cost
    spreads: dict[str, float] = {}
    for neighbour in neighbours(result.evaluator, state, 0.3):
        changed = [name for name in dag.funcs if neighbour.state[name] != state[name]]
        if len(changed) == 1:
            spreads[changed[0]] = max(spreads.get(changed[0], 0.0), neighbour.spread)
            assert neighbour.spread >= 0.29 * seconds[changed[0]] / sum(seconds.values()), changed
    assert spreads
