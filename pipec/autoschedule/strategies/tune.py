"""Measured tuning: rounds of proposing plans, measuring them and learning, until the budget is used up."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from pipec.autoschedule.measure.measurer import COMPILING, Measurer
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.autoschedule.space.plan import Plan
from pipec.autoschedule.strategies.evolution import Evolution
from pipec.autoschedule.strategies.search_state import Found
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule

ROUND = 12
FIRST_ROUND = 4
"""Of a tuning whose time is limited, until it is known how long a trial takes."""
FINALISTS = 6
LONGER = 4
"""So many times as long as usual they are timed."""
MEASURED_AGAIN = 2
"""So many of the fastest plans are measured in every round, beside the anchor."""
LONGEST_SEARCH = 6.0
"""Seconds that a search takes after the model has learnt."""


class Record(Protocol):
    """What is told of each trial as soon as it is final."""

    def __call__(self, plan: Plan, schedule: Schedule, trial: Trial, /) -> None: ...


@dataclass
class Tuned:
    """The state of measured tuning. `times`: milliseconds of each plan, infinity when it failed."""

    evolution: Evolution
    trials: int = 0
    history: list[tuple[float, float]] = field(default_factory=list)
    """(seconds since the start, milliseconds of the best) at every improvement."""
    failures: list[tuple[Plan, Trial]] = field(default_factory=list)
    anchor: Plan | None = None
    """Measured in every round: the fastest when it was chosen. The fastest of each round would have had good luck with
    its time, and all that is compared with it the more so, round by round."""

    @property
    def times(self) -> Mapping[Plan, float]:
        return self.evolution.measured

    def best(self) -> tuple[float, Plan] | None:
        """The fastest plan and its milliseconds."""
        plans = self.evolution.fastest(1)
        return (self.times[plans[0]], plans[0]) if plans else None


@dataclass(frozen=True)
class TuningBudget:
    """`seconds` of wall time and `trials` measured, whichever is used up first."""

    seconds: float = math.inf
    trials: int = 1_000_000


def tune(
    found: Found,
    task: Task,
    measurer: Measurer,
    budget: TuningBudget,
    known: Mapping[Plan, float] | None = None,
    record: Record | None = None,
    progress: Callable[[Tuned, float], None] | None = None,
) -> Tuned:
    """Measure plans, beginning with the cheapest that a search has `found`; what is `known` is not measured again.

    Before it ends the fastest are measured once more side by side, since the best of many noisy times flatters.
    KeyboardInterrupt ends the tuning with what has been measured so far.
    """
    state = Tuned(Evolution(found, known))
    began = time.perf_counter()
    slowest_trial = 0.0
    try:
        while state.trials < budget.trials:
            left = budget.seconds - (time.perf_counter() - began)
            if progress is not None:
                progress(state, left)
            count = min(_round_size(left, slowest_trial), budget.trials - state.trials)
            if count < 1:
                break
            state.evolution.think(min(LONGEST_SEARCH, left / 10))
            start = time.perf_counter()
            kept = FINALISTS * slowest_trial or left / 4
            end = began + budget.seconds - kept if math.isfinite(left) else math.inf
            measured = _measure_round(state, found, task, measurer, count, record, began, end)
            if not measured:
                break
            slowest_trial = max(slowest_trial, (time.perf_counter() - start) / measured)
        _measure_finalists(state, found, task, measurer, record, began + budget.seconds)
    except KeyboardInterrupt:
        if state.best() is None:
            raise
    return state


def _round_size(left: float, slowest_trial: float) -> int:
    """How many trials fit in the seconds that are left; the last round, of the finalists, needs its time too."""
    if left <= 0:
        return 0
    if not slowest_trial:
        return ROUND if math.isinf(left) else FIRST_ROUND
    return min(ROUND, math.floor(min(left / slowest_trial, 1e6)) - FINALISTS)


def _measure_round(
    state: Tuned,
    found: Found,
    task: Task,
    measurer: Measurer,
    count: int,
    record: Record | None,
    began: float,
    end: float,
) -> int:
    """Propose so many plans, and measure each. Returns how many there were."""
    known = _measured_again(state)
    plans: list[Plan] = []
    schedules: list[Schedule] = []
    now = time.perf_counter()
    compiled_by = now + COMPILING * (end - now)

    def proposed() -> Iterator[Schedule]:
        for plan in known:
            yield found.space.emit(plan)
        proposals = state.evolution.propose(count)
        # A search for what would not be compiled any more takes the time in which the others are to be timed.
        while time.perf_counter() < compiled_by and (new := next(proposals, None)) is not None:
            plans.append(new)
            schedules.append(found.space.emit(new))
            yield schedules[-1]

    def done(number: int, trial: Trial) -> None:
        number -= len(known)
        if number < 0:
            return
        state.trials += 1
        if record is not None:
            record(plans[number], schedules[number], trial)
        if not trial.ok:
            state.failures.append((plans[number], trial))

    trials = measurer.measure(task, proposed(), done, seconds=end - time.perf_counter())
    scale = _compared(state, known, trials[: len(known)])
    for plan, trial in zip(plans, trials[len(known) :], strict=True):
        if trial.status is Status.SKIPPED:
            continue
        before = state.best()
        milliseconds = trial.minimum * scale if trial.ok else math.inf
        state.evolution.learn(plan, milliseconds)
        if before is None or milliseconds < before[0]:
            state.history.append((time.perf_counter() - began, milliseconds))
    return len(plans)


def _measured_again(state: Tuned) -> list[Plan]:
    """What is measured in every round, since times of different rounds are comparable only by what is in both."""
    fastest = state.evolution.fastest(MEASURED_AGAIN)
    state.anchor = state.anchor or next(iter(fastest), None)
    return list(dict.fromkeys([plan for plan in (state.anchor, *fastest) if plan is not None]))


def _compared(state: Tuned, known: Sequence[Plan], trials: Sequence[Trial]) -> float:
    """What the times of a round are to be multiplied by; those of the fastest plans are corrected on the way.

    Disturbances make single plans slower, so the round is as slow as that plan which changed least; a plan that
    is much slower than before was disturbed now or had good luck then.
    """
    again = [(plan, trial.minimum) for plan, trial in zip(known, trials, strict=True) if trial.ok]
    scale = max([state.times[plan] / milliseconds for plan, milliseconds in again], default=1.0)
    for plan, milliseconds in again:
        if plan != state.anchor:
            state.evolution.measured[plan] = math.sqrt(state.times[plan] * milliseconds * scale)
    return scale


def _measure_finalists(
    state: Tuned, found: Found, task: Task, measurer: Measurer, record: Record | None, end: float
) -> None:
    finalists = state.evolution.fastest(FINALISTS)
    if len(finalists) < 2:
        return
    schedules = [found.space.emit(plan) for plan in finalists]
    trials = measurer.measure(task, schedules, seconds=end - time.perf_counter(), longer=LONGER)
    before = dict(state.times)
    changes = [trial.minimum / before[plan] for plan, trial in zip(finalists, trials, strict=True) if trial.ok]
    if changes:
        # What was less lucky before must not win because only the finalists were measured once more.
        worse, usual = max(1.0, *changes), statistics.median(changes)
        state.evolution.measured.update({plan: worse * milliseconds for plan, milliseconds in before.items()})
    for plan, schedule, trial in zip(finalists, schedules, trials, strict=True):
        if trial.ok:
            # What was known counts as much: a busy moment may come at the end as well.
            state.evolution.measured[plan] = math.sqrt(trial.minimum * usual * before[plan])
            if record is not None:
                record(plan, schedule, trial)
