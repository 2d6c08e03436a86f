"""The tuner of any function: knobs, techniques, the ensemble and its bandit."""

from __future__ import annotations

import math
from random import Random

import pytest

import pipec as hl
from pipec.errors import ArgumentError
from pipec.tuner import Categorical, Context, Integer, KnobSpace, Ordering, PowerOfTwo, Real, techniques, tune
from pipec.tuner.ensemble import Ensemble

KNOBS = {
    "tile": PowerOfTwo(8, 512),
    "count": Integer(0, 30),
    "rate": Real(1e-3, 10.0, log=True),
    "mode": Categorical(["a", "b", "c"]),
    "order": Ordering("xyz"),
}


def cost(c):
    """Least for tile 64, count 7, rate 0.1, mode b, order zxy."""
    wrong = sum(p != q for p, q in zip(c["order"], "zxy", strict=True))
    near = abs(math.log2(c["tile"] / 64)) + abs(c["count"] - 7) / 3 + abs(math.log10(c["rate"] / 0.1))
    return near + (c["mode"] != "b") + wrong


@pytest.mark.parametrize("name", sorted(KNOBS))
def test_a_value_of_a_knob_has_numbers_that_encode_it(name):
    space, rng = KnobSpace({name: KNOBS[name]}), Random(name)
    for _ in range(20):
        point = space.canonical([rng.random() for _ in range(space.dimensions)])
        assert space.canonical(point) == point
        neighbours = space.neighbours(point)
        assert neighbours and point not in neighbours


@pytest.mark.parametrize("name", techniques())
def test_every_technique_alone_gets_nearer_than_random_points(name):
    results = [tune(cost, KNOBS, trials=300, techniques=[name], seed=seed).cost for seed in range(3)]
    rng, space = Random(0), KnobSpace(KNOBS)
    random = [cost(space.configuration([rng.random() for _ in range(space.dimensions)])) for _ in range(300)]
    assert sorted(results)[1] < sorted(random)[3]


def test_the_ensemble_is_determined_by_its_seed_and_uses_all_techniques():
    first, second = (tune(cost, KNOBS, trials=400, seed=3) for _ in range(2))
    assert first == second and first.cost < 0.5
    assert set(first.uses) == set(techniques()) and min(first.uses.values()) > 0
    costs = [cost for _, cost in first.history]
    assert costs == sorted(costs, reverse=True)


def test_no_configuration_is_measured_twice_and_tuning_ends_when_all_have_been():
    measured = []
    knobs = {"n": Integer(0, 5), "mode": Categorical("ab")}
    result = tune(lambda c: measured.append(tuple(c.values())) or c["n"], knobs, trials=1000)
    assert sorted(measured) == [(n, mode) for n in range(6) for mode in "ab"] and result.cost == 0


def test_configurations_that_fail_are_avoided():
    result = tune(lambda c: math.nan if c["x"] < 0.5 else c["x"], {"x": Real(0.0, 1.0)}, trials=150)
    assert 0.5 <= result.cost < 0.51
    with pytest.raises(ArgumentError, match="None of 4 configurations has a finite cost"):
        tune(lambda c: math.inf, {"n": Integer(1, 4)})


def test_the_start_is_measured_first_and_ctrl_c_returns_the_best_so_far():
    def measure(c):
        if c["n"] != 4:
            raise KeyboardInterrupt
        return 1.0

    result = tune(measure, {"n": Integer(0, 9)}, start=[{"n": 4}])
    assert result.configuration == {"n": 4} and len(result.trials) == 1


def test_many_points_may_be_asked_for_before_the_first_cost_is_reported():
    ensemble, space = Ensemble(KnobSpace(KNOBS), seed=1), KnobSpace(KNOBS)
    for _ in range(12):
        points = [ensemble.ask() for _ in range(16)]
        assert len(set(points)) == 16 and None not in points
        for point in points:
            ensemble.tell(point, cost(space.configuration(point)))
    assert len(ensemble.context.costs) == 192 and min(ensemble.context.costs.values()) < 2.5


def test_users_register_techniques():
    @hl.tuner.register
    def always_low(context: Context):
        while True:
            yield (0.0,) * context.space.dimensions

    try:
        result = tune(lambda c: c["n"], {"n": Integer(0, 99)}, trials=3, techniques=["always_low"])
        assert result.configuration == {"n": 0}
    finally:
        del techniques()["always_low"]
    with pytest.raises(ArgumentError, match="are no techniques; there are differential_evolution"):
        tune(lambda c: c["n"], {"n": Integer(0, 9)}, techniques=["always_low"])


def test_what_is_no_knob_is_refused_with_what_is():
    for knobs in ({}, {"n": 3}):
        with pytest.raises(ArgumentError, match="PowerOfTwo, Real"):
            tune(lambda c: 0.0, knobs)
    for wrong in (lambda: Real(1.0, 0.0), lambda: Integer(3, 1), lambda: Ordering("xx"), lambda: PowerOfTwo(5, 7)):
        with pytest.raises(ArgumentError):
            wrong()
    with pytest.raises(ArgumentError, match="is none of the values"):
        tune(lambda c: 0.0, {"n": Integer(0, 9)}, start=[{"n": 10}])


def test_progress_is_shown_on_terminals_only(capsys: pytest.CaptureFixture[str]) -> None:
    for verbose, shown in ((None, False), (True, True), (False, False)):
        tune(lambda c: c["n"], {"n": Integer(0, 9)}, trials=3, verbose=verbose)
        assert ("tune: least cost" in capsys.readouterr().err) == shown
