"""Rounds of measured tuning: times of different rounds stay comparable, however noisy they are."""

from __future__ import annotations

import math
import random
import time

import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.strategies.mixed import Mixed
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options
from pipec.autoschedule.strategies.tune import TuningBudget, tune


class Dice:
    """Measures every schedule as a millisecond, give or take a fifth."""

    def __init__(self) -> None:
        self.rng = random.Random(1)

    def measure(self, task, schedules, done=None, seconds=None, longer=1):
        trials = [Trial(Status.OK, (self.rng.uniform(0.8, 1.2),)) for _ in schedules]
        for number, trial in enumerate(trials):
            if done is not None:
                done(number, trial)
        return trials


def search_of_two_stages():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    across, down = hl.funcs("across down")
    across[x, y] = image[x, y] + image[x + 1, y]
    down[x, y] = across[x, y] + across[x, y + 1]
    dag = problem_of([down.function], sizes=[512, 512], threads=2).dag
    return search(dag, CpuEvaluator(dag, Roofline()), "beam", Options(beam=2), Budget(60.0, 200))


class Clockwork:
    """Has time for what it knows and one more schedule in a call."""

    def __init__(self) -> None:
        self.allowed: list[float] = []
        self.measured: set[str] = set()

    def measure(self, task, schedules, done=None, seconds=None, longer=1):
        self.allowed.append(seconds)
        names = [schedule.to_json() for schedule in schedules]
        self.measured |= set([name for name in names if name not in self.measured][:1])
        trials = [Trial(Status.OK, (1.0,)) if name in self.measured else Trial(Status.SKIPPED) for name in names]
        for number, trial in enumerate(trials):
            if done is not None and trial.ok:
                done(number, trial)
        return trials


@pytest.mark.slow
def test_lucky_times_do_not_make_the_rounds_after_them_look_faster():
    result = search_of_two_stages()
    tuned = tune(Mixed(result, trains=False), None, Dice(), TuningBudget(trials=23))
    for _ in range(4):
        tuned = tune(Mixed(result, tuned.times, trains=False), None, Dice(), TuningBudget(trials=23))
    best = tuned.best()
    assert best is not None and best[0] > 0.6, best[0]


class Hiccup:
    """Every schedule takes its own time; in the second call the first that was ever measured takes twice as long."""

    def __init__(self) -> None:
        self.calls = 0
        self.own: dict[str, float] = {}

    def measure(self, task, schedules, done=None, seconds=None, longer=1):
        self.calls += 1
        names = [schedule.to_json() for schedule in schedules]
        times = [self.own.setdefault(name, 1.0 + 0.01 * len(self.own)) for name in names]
        if self.calls == 2:
            first = next(iter(self.own))
            times = [2 * time if name == first else time for name, time in zip(names, times, strict=True)]
        trials = [Trial(Status.OK, (time,)) for time in times]
        for number, trial in enumerate(trials):
            if done is not None:
                done(number, trial)
        return trials


def test_a_state_that_was_disturbed_once_does_not_halve_the_times_beside_it_for_long():
    hiccup = Hiccup()
    tuned = tune(Mixed(search_of_two_stages(), trains=False), None, hiccup, TuningBudget(trials=60))
    best = tuned.best()
    assert hiccup.calls > 4 and best is not None
    assert best[0] == 1.0, "the first is the fastest"


def test_a_round_that_gains_less_than_demanded_is_the_last():
    hiccup = Hiccup()
    tuned = tune(Mixed(search_of_two_stages(), trains=False), None, hiccup, TuningBudget(trials=60, min_gain=0.02))
    assert hiccup.calls == 3 and tuned.trials < 60, "two rounds, of which the second finds nothing faster, and the end"


def test_rounds_leave_time_for_the_last_comparison_and_skipped_states_stay_unknown():
    clockwork = Clockwork()
    tuned = tune(Mixed(search_of_two_stages()), None, clockwork, TuningBudget(seconds=100.0, trials=3))
    assert tuned.trials == 3 and set(tuned.times.values()) == {1.0}
    first, *others = clockwork.allowed
    assert 0 < first <= 75, "until it is known how long a trial takes, a quarter is kept"
    assert len(others) == 3 and all(75 < seconds <= 100 for seconds in others), others


class BusyEnd(Hiccup):
    """Every schedule takes its own time; in the last comparison the fastest takes a little more than the second."""

    def measure(self, task, schedules, done=None, seconds=None, longer=1):
        self.calls = 2
        trials = super().measure(task, schedules, done)
        fastest = next(iter(self.own))
        return [Trial(Status.OK, (1.015,)) if longer > 1 and t.minimum == self.own[fastest] else t for t in trials]


def test_a_busy_moment_at_the_end_does_not_make_another_state_the_fastest():
    result, busy = search_of_two_stages(), BusyEnd()
    best = tune(Mixed(result, trains=False), None, busy, TuningBudget(trials=30)).best()
    assert best is not None
    assert busy.own[result.space.emit(best[1]).to_json()] == 1.0, "the second takes 1.01"


def test_a_number_of_trials_alone_limits_no_round_in_time():
    clockwork = Clockwork()
    tune(Mixed(search_of_two_stages()), None, clockwork, TuningBudget(trials=3))
    assert clockwork.allowed and all(seconds == math.inf for seconds in clockwork.allowed), clockwork.allowed


class SlowCompiler(Dice):
    """Needs all the time there is for compiling, then asks for what is left."""

    def __init__(self) -> None:
        super().__init__()
        self.late: list[int] = []

    def measure(self, task, schedules, done=None, seconds=None, longer=1):
        if longer > 1:
            return super().measure(task, schedules, done)
        began, requested, waiting = time.monotonic(), [], iter(schedules)
        for schedule in waiting:
            requested.append(schedule)
            time.sleep(max(0.0, began + 0.8 * seconds - time.monotonic()))
            break
        late = list(waiting)
        self.late.append(len(late))
        return super().measure(task, [*requested, *late], done)


def test_nothing_is_searched_for_when_there_is_no_time_left_to_compile_it():
    slow = SlowCompiler()
    tune(Mixed(search_of_two_stages()), None, slow, TuningBudget(seconds=1.0))
    assert slow.late[0] == 0, slow.late
