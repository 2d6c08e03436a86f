"""One budget for several pipelines: trials go where they are expected to gain most."""

from __future__ import annotations

import io
import math
import random

import pytest

import pipec as hl
from pipec.autoschedule.measure import Status, Trial
from pipec.autoschedule.strategies.search_state import Options
from pipec.autoschedule.task_scheduler import RoundEnd, Table, TuningTask, _divide
from pipec.errors import ArgumentError


class Falling:
    """Times of the schedules of a Func fall with their number, as fast as `rates` says by the Func's name."""

    machine, note = "falling", ""

    def __init__(self, rates):
        self.rates, self.counts, self.rng = rates, dict.fromkeys(rates, 0), random.Random(0)

    def measure(self, task, schedules, done=None, seconds=None, longer=1, also=None, definitions=None):
        name = task.definition.name.split("$")[0]
        trials = []
        for number, _ in enumerate(schedules):
            self.counts[name] += 1
            time = 10.0 * self.counts[name] ** -self.rates[name] * self.rng.uniform(1.0, 1.02)
            trials.append(Trial(Status.OK, (time,)))
            if done is not None:
                done(number, trials[-1])
        return trials


def func(name):
    x, y = hl.vars("x y")
    f, g = hl.Func(f"{name}_rows"), hl.Func(name)
    f[x, y] = hl.sqrt(hl.f32(x * y))
    g[x, y] = f[x, y] + f[x + 1, y] + f[x, y + 1]
    return g


def test_all_pipelines_get_trials_and_a_schedule(tmp_path):
    measurer = Falling({"stuck": 0.0, "gaining": 0.5})
    funcs = [func("stuck"), func("gaining")]
    options = Options(beam=1, rounds=1, patience=1, states=60)
    results = hl.autoschedule_all(
        [funcs[0], (hl.Pipeline(funcs[1]), {"sizes": [500, 300]})],
        1.0,
        sizes=[200, 100],
        measurer=measurer,
        options=options,
        database=tmp_path / "a.sqlite",
        verbose=False,
    )
    assert [result.problem.definition.name for result in results] == [f.name() for f in funcs]
    assert all([len(result.schedule) and result.measured_ms for result in results])
    assert min(measurer.counts.values()) > 0


def task(name, times, weight=1.0):
    """A task whose best times after each round, of one second, are these."""

    def rounds():
        for _ in range(1000):
            if (yield None) is False:
                return name

    built = TuningTask(name, rounds(), weight)

    def advance(go_on=None):
        TuningTask.advance(built, go_on)
        step = len(built.history)
        built.history.append(RoundEnd(float(step), 12 * (step + 1), times[min(step, len(times) - 1)]))

    built.advance = advance
    return built


def divided(tasks, rounds, relative=False):
    """How many rounds each gets."""
    for one in tasks:
        one.advance()
        one.advance()
    for _ in range(rounds):
        max(tasks, key=lambda one: one.gain(relative)).advance()
    return [len(one.history) - 2 for one in tasks]


def test_rounds_go_to_large_recent_gains_but_nobody_is_forgotten():
    steady, falling = task("steady", [10.0]), task("falling", [10.0, 8.0, 6.0, 5.0, 4.5, 4.2, 4.1])
    first, second = divided([steady, falling], 30)
    assert 5 <= first <= 25 and falling.best_ms == 4.1 and second >= 5
    large, small = divided([task("large", [100.0]), task("small", [1.0])], 30)
    assert large > 5 * small
    large, small = divided([task("large", [100.0]), task("small", [1.0])], 30, relative=True)
    assert abs(large - small) <= 1
    heavy, light = divided([task("heavy", [1.0], 9.0), task("light", [1.0])], 30)
    assert heavy > light


def test_the_budget_ends_all_tasks():
    tasks = [task("a", [3.0]), task("b", [2.0])]
    _divide(tasks, -math.inf, False, Table(tasks, False))
    assert [one.result for one in tasks] == ["a", "b"]


def test_the_table_is_rewritten_in_place():
    stream = io.StringIO()
    table = Table([task("blur", [2.0]), task("canny", [3.0])], True, stream)
    table.tasks[0].advance()
    for _ in range(2):
        table.show(last=True)
    first, second = stream.getvalue().split("\x1b[4A")
    assert first.count("\n") == second.count("\n") == 4 and "blur" in second and "2.00 ms" in second


def test_wrong_arguments_say_what_is_right():
    with pytest.raises(ArgumentError, match="2 pipelines need as many weights"):
        hl.autoschedule_all([func("a"), func("b")], weights=[1.0])
    with pytest.raises(ArgumentError, match="there are sum, product"):
        hl.autoschedule_all([func("a")], objective="fastest")
    with pytest.raises(ArgumentError, match="need as many weights"):
        hl.autoschedule_all([])
