"""Searches of schedule programs and templates: what they learn from times, and what they return."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.measure import Measurer, Status, Trial, TrialLimits
from pipec.errors import ArgumentError, NotSupportedError, ScheduleError
from pipec.programs import search
from pipec.programs.ranker import Ranker, TimedValues
from pipec.schedule.split import Split
from pipec.tuner import Categorical, PowerOfTwo, Real

x, y, xi, yi = hl.vars("x y xi yi")


class Formula:
    """Measures a schedule as a formula of its split factors: the nearer to `best`, the faster."""

    machine = "formula"

    def __init__(self, **best):
        self.best, self.schedules = best, []

    def measure(self, task, schedules, done=None, seconds=math.inf, longer=1, definitions=None):
        trials = []
        for schedule in schedules:
            self.schedules.append(schedule)
            factors = {d.old: d.factor.value for d in schedule.directives if isinstance(d, Split)}
            time = 1.0 + sum(abs(math.log2(factors.get(name, 1) / best)) for name, best in self.best.items())
            trials.append(Trial(Status.OK, (time,)))
        return trials


def func():
    f = hl.Func("f")
    f[x, y] = hl.sqrt(hl.f32(x * y))
    return f


def program_of(f):
    def program(s):
        (width,) = s.sample_tile(f, x, max_inner=1024)
        (height,) = s.sample_tile(f, y, max_inner=1024)
        f.tile(x, y, xi, yi, width, height)

    return program


def template_of(f):
    def template(configuration):
        f.tile(x, y, xi, yi, configuration["width"], configuration["height"])
        if configuration["parallel"]:
            f.parallel(y)

    return template


KNOBS = {"width": PowerOfTwo(1, 1024), "height": PowerOfTwo(1, 1024), "parallel": Categorical([True, False])}


def trials_to(result, target):
    return next((count for count, time in result.history if time <= target), 10**6)


def test_a_search_learns_the_draws(tmp_path):
    f = func()
    measurer = Formula(x=384, y=6)
    result = search(f, program_of(f), sizes=[2000, 2000], trials=60, measurer=measurer, database=tmp_path / "a.sqlite")
    assert result.measured_ms < 1.6 and len(result.trials) == 60
    late = [time for _, time in result.trials[40:]]
    assert sorted(late)[10] < sorted([time for _, time in result.trials[:20]])[10]
    assert f.function.schedule.directives and "Split" in str(result.schedule.directives)
    repeated = search(
        f, program_of(f), sizes=[2000, 2000], trials=60, measurer=measurer, database=tmp_path / "b.sqlite"
    )
    assert repeated.trials == result.trials, "the same seed and times propose the same"


def test_a_second_search_goes_on_where_the_first_ended(tmp_path):
    f, measurer = func(), Formula(x=64, y=8)
    options = dict(sizes=[500, 500], trials=12, measurer=measurer, database=tmp_path / "a.sqlite")
    first = search(f, program_of(f), **options)
    second = search(f, program_of(f), **options)
    assert second.measured_ms <= first.measured_ms
    assert not {trace for trace, _ in second.trials} & {trace for trace, _ in first.trials}


@pytest.mark.slow
def test_a_template_learns_from_times_of_other_sizes(tmp_path):
    """Fewer trials to the same time: the transfer of AutoTVM."""
    counts = {True: [], False: []}
    for seed in range(3):
        for transfer in (True, False):
            database = tmp_path / f"{seed} {transfer}.sqlite"
            for size in ([1000, 1000], [1500, 700]):
                f = func()
                options = dict(knobs=KNOBS, sizes=size, trials=40, name="tiles", database=database, seed=seed)
                result = search(f, template_of(f), measurer=Formula(x=256, y=4), transfer=transfer, **options)
            counts[transfer].append(trials_to(result, 1.0))
    assert sum(counts[True]) <= sum(counts[False]) / 2, counts


def test_a_ranker_learns_an_order_from_pairs_of_one_task_only():
    rng = Random(0)
    samples = []
    for task, factor in (("a", 1.0), ("b", 1000.0)):
        for _ in range(40):
            values = {"width": 1 << rng.randrange(10), "mode": rng.choice("ab")}
            time = factor * (1 + abs(math.log2(values["width"]) - 5) + 2 * (values["mode"] == "a"))
            samples.append(TimedValues(values, time, task))
    ranker = Ranker(samples)
    scores = ranker.scores([{"width": 1 << k, "mode": mode} for mode in "ab" for k in range(10)])
    assert int(np.argmin(scores)) == 15
    pairs = [(a, b) for a in samples for b in samples if a.task == b.task and a.time < 0.9 * b.time]
    right = [ranker.scores([a.values])[0] < ranker.scores([b.values])[0] for a, b in pairs[::7]]
    assert np.mean(right) > 0.9


def test_programs_that_never_give_a_legal_schedule_raise_their_own_error(tmp_path):
    f = func()
    with pytest.raises(ScheduleError, match="xi"):
        search(f, lambda s: f.vectorize(xi, 8), sizes=[9, 9], measurer=Formula(), database=tmp_path / "a.sqlite")
    with pytest.raises(ArgumentError, match="can't be listed"):
        search(f, template_of(f), knobs={"width": Real(0.0, 1.0)}, sizes=[9, 9], measurer=Formula())
    with pytest.raises(ArgumentError, match="0 trials measure nothing"):
        search(f, template_of(f), trials=0)


def test_runs_are_measured_and_the_fastest_is_applied_and_saved(tmp_path):
    f = func()

    def program(s):
        f.vectorize(x, s.sample_categorical([8, 1 << 20], name="lanes")).parallel(y)

    limits = TrialLimits(compile_seconds=20.0, run_seconds=2.0, rounds=2, runs_of_a_turn=1)
    with Measurer(compilers=1, threads=1, limits=limits, patience=0.0) as measurer:
        options = dict(sizes=[64, 32], trials=2, measurer=measurer, database=tmp_path / "a.sqlite", threads=1)
        result = search(f, program, **options)
    assert result.trace.values == {"lanes": 8} and 0 < result.measured_ms < 100
    assert sorted([math.isfinite(time) for _, time in result.trials]) == [False, True]
    np.testing.assert_allclose(f.realize([8, 8]).numpy(), np.sqrt(np.outer(np.arange(8), np.arange(8))), rtol=1e-5)
    result.save(tmp_path / "f.json")
    assert hl.load_schedule(tmp_path / "f.json").schedule == result.schedule


def test_a_schedule_for_changed_definitions_is_saved_as_its_trace(tmp_path):
    total, r, u = hl.Func("total"), hl.RDom([(0, 64)]), hl.Var("u")
    total[()] = 0
    total[()] += r.x

    def program(s):
        total.update().split(r.x, hl.RVar("o"), hl.RVar("i"), 8).rfactor(hl.RVar("o"), u).compute_root()

    result = search(
        total, program, sizes={total.name(): []}, trials=1, measurer=Formula(), database=tmp_path / "a.sqlite"
    )
    with pytest.raises(NotSupportedError, match="to_json"):
        result.save(tmp_path / "f.json")
