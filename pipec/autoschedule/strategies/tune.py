"""Measured tuning: rounds of proposing states, measuring them and learning, until the budget is used up."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from pipec.autoschedule.measure.measurer import COMPILING, Measurer
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.evolution import Evolution
from pipec.autoschedule.strategies.search_state import SearchState
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule

ROUND = 12
FIRST_ROUND = 4
"""Of a tuning whose time is limited, until it is known how long a trial takes."""
FINALISTS = 6
LONGER = 4
"""So many times as long as usual they are timed."""
MEASURED_AGAIN = 2
"""So many of the fastest states are measured in every round, beside the anchor."""
LONGEST_SEARCH = 6.0
"""Seconds that a search takes after the model has learnt."""


class Record(Protocol):
    """What is told of each trial as soon as it is final."""

    def __call__(self, state: State, schedule: Schedule, trial: Trial, /) -> None: ...


@dataclass
class Tuned:
    """The tuning of measured tuning. `times`: milliseconds of each state, infinity when it failed."""

    evolution: Evolution
    trials: int = 0
    history: list[tuple[float, float]] = field(default_factory=list)
    """(seconds since the start, milliseconds of the best) at every improvement."""
    failures: list[tuple[State, Trial]] = field(default_factory=list)
    anchor: State | None = None
    """Measured in every round: the fastest when it was chosen. The fastest of each round would have had good luck with
    its time, and all that is compared with it the more so, round by round."""

    @property
    def times(self) -> Mapping[State, float]:
        """Milliseconds of each measured state, infinite when it failed."""
        return self.evolution.measured

    def best(self) -> tuple[float, State] | None:
        """The fastest state and its milliseconds."""
        states = self.evolution.fastest(1)
        return (self.times[states[0]], states[0]) if states else None


@dataclass(frozen=True)
class TuningBudget:
    """`seconds` of wall time and `trials` measured, whichever is used up first."""

    seconds: float = math.inf
    trials: int = 1_000_000


def tune(
    search: SearchState,
    task: Task,
    measurer: Measurer,
    budget: TuningBudget,
    known: Mapping[State, float] | None = None,
    record: Record | None = None,
    progress: Callable[[Tuned, float], None] | None = None,
) -> Tuned:
    """Measure states, beginning with the cheapest that a search has `search`; what is `known` is not measured again.

    Before it ends the fastest are measured once more side by side, since the best of many noisy times flatters.
    KeyboardInterrupt ends the tuning with what has been measured so far.
    """
    tuning = Tuned(Evolution(search, known))
    began = time.perf_counter()
    slowest_trial = 0.0
    try:
        while tuning.trials < budget.trials:
            left = budget.seconds - (time.perf_counter() - began)
            if progress is not None:
                progress(tuning, left)
            count = min(_round_size(left, slowest_trial), budget.trials - tuning.trials)
            if count < 1:
                break
            tuning.evolution.think(min(LONGEST_SEARCH, left / 10))
            start = time.perf_counter()
            kept = FINALISTS * slowest_trial or left / 4
            end = began + budget.seconds - kept if math.isfinite(left) else math.inf
            measured = _measure_round(tuning, search, task, measurer, count, record, began, end)
            if not measured:
                break
            slowest_trial = max(slowest_trial, (time.perf_counter() - start) / measured)
        _measure_finalists(tuning, search, task, measurer, record, began + budget.seconds)
    except KeyboardInterrupt:
        if tuning.best() is None:
            raise
    return tuning


def _round_size(left: float, slowest_trial: float) -> int:
    """How many trials fit in the seconds that are left; the last round, of the finalists, needs its time too."""
    if left <= 0:
        return 0
    if not slowest_trial:
        return ROUND if math.isinf(left) else FIRST_ROUND
    return min(ROUND, math.floor(min(left / slowest_trial, 1e6)) - FINALISTS)


def _measure_round(
    tuning: Tuned,
    search: SearchState,
    task: Task,
    measurer: Measurer,
    count: int,
    record: Record | None,
    began: float,
    end: float,
) -> int:
    """Propose so many states, and measure each. Returns how many there were."""
    known = _measured_again(tuning)
    states: list[State] = []
    schedules: list[Schedule] = []
    now = time.perf_counter()
    compiled_by = now + COMPILING * (end - now)

    def proposed() -> Iterator[Schedule]:
        for state in known:
            yield search.space.emit(state)
        proposals = tuning.evolution.propose(count)
        # A search for what would not be compiled any more takes the time in which the others are to be timed.
        while time.perf_counter() < compiled_by and (new := next(proposals, None)) is not None:
            states.append(new)
            schedules.append(search.space.emit(new))
            yield schedules[-1]

    def done(number: int, trial: Trial) -> None:
        number -= len(known)
        if number < 0:
            return
        tuning.trials += 1
        if record is not None:
            record(states[number], schedules[number], trial)
        if not trial.ok:
            tuning.failures.append((states[number], trial))

    trials = measurer.measure(task, proposed(), done, seconds=end - time.perf_counter())
    scale = _compared(tuning, known, trials[: len(known)])
    for state, trial in zip(states, trials[len(known) :], strict=True):
        if trial.status is Status.SKIPPED:
            continue
        before = tuning.best()
        milliseconds = trial.minimum * scale if trial.ok else math.inf
        tuning.evolution.learn(state, milliseconds)
        if before is None or milliseconds < before[0]:
            tuning.history.append((time.perf_counter() - began, milliseconds))
    return len(states)


def _measured_again(tuning: Tuned) -> list[State]:
    """What is measured in every round, since times of different rounds are comparable only by what is in both."""
    fastest = tuning.evolution.fastest(MEASURED_AGAIN)
    tuning.anchor = tuning.anchor or next(iter(fastest), None)
    return list(dict.fromkeys([state for state in (tuning.anchor, *fastest) if state is not None]))


def _compared(tuning: Tuned, known: Sequence[State], trials: Sequence[Trial]) -> float:
    """What the times of a round are to be multiplied by; those of the fastest states are corrected on the way.

    Disturbances make single states slower, so the round is as slow as that state which changed least; a state that
    is much slower than before was disturbed now or had good luck then.
    """
    again = [(state, trial.minimum) for state, trial in zip(known, trials, strict=True) if trial.ok]
    scale = max([tuning.times[state] / milliseconds for state, milliseconds in again], default=1.0)
    for state, milliseconds in again:
        if state != tuning.anchor:
            tuning.evolution.measured[state] = math.sqrt(tuning.times[state] * milliseconds * scale)
    return scale


def _measure_finalists(
    tuning: Tuned, search: SearchState, task: Task, measurer: Measurer, record: Record | None, end: float
) -> None:
    finalists = tuning.evolution.fastest(FINALISTS)
    if len(finalists) < 2:
        return
    schedules = [search.space.emit(state) for state in finalists]
    trials = measurer.measure(task, schedules, seconds=end - time.perf_counter(), longer=LONGER)
    before = dict(tuning.times)
    changes = [trial.minimum / before[state] for state, trial in zip(finalists, trials, strict=True) if trial.ok]
    if changes:
        # What was less lucky before must not win because only the finalists were measured once more.
        worse, usual = max(1.0, *changes), statistics.median(changes)
        tuning.evolution.measured.update({state: worse * milliseconds for state, milliseconds in before.items()})
    for state, schedule, trial in zip(finalists, schedules, trials, strict=True):
        if trial.ok:
            # What was known counts as much: a busy moment may come at the end as well.
            tuning.evolution.measured[state] = math.sqrt(trial.minimum * usual * before[state])
            if record is not None:
                record(state, schedule, trial)
