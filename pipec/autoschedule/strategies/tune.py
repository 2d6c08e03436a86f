"""Measured tuning: rounds of proposing states, measuring them and learning, until the budget is used up."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from pipec.autoschedule.measure.measurer import COMPILING, Measuring
from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.proposals import Proposals
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule

T = TypeVar("T")
MAX_TRIALS = 1_000_000
ROUND = 12
FIRST_ROUND = 4
"""Trials of the first round of a tuning with a time limit, before the time of a trial is known."""
FINALISTS = 6
FINAL_ROUNDS_FACTOR = 4
"""The finalists are timed this many times as long as usual."""
REMEASURED_STATES = 2
"""Of the fastest states, measured in every round beside the anchor."""
MIN_TRAINING_SECONDS = 60.0
"""A shorter tuning ends before it could use a model that is trained on its times."""
MAX_SEARCH_SECONDS = 6.0
"""Of a search after the model was trained."""


class Record(Protocol):
    """Receives each trial as soon as it is final."""

    def __call__(self, state: State, schedule: Schedule, trial: Trial, /) -> None: ...


@dataclass
class Tuned:
    """The state of a measured tuning. `times`: milliseconds of each state, infinity when it failed."""

    proposals: Proposals
    trials: int = 0
    history: list[tuple[float, float]] = field(default_factory=list)
    """(seconds since the start, milliseconds of the best) at every improvement."""
    failures: list[tuple[State, Trial]] = field(default_factory=list)
    interrupted: bool = False  # by Ctrl-C
    anchor: State | None = None
    """Measured in every round: the fastest state when it was chosen. The fastest of each round would be a lucky one,
    and so would be, more in every round, the times that are scaled by it."""

    @property
    def times(self) -> Mapping[State, float]:
        """Milliseconds of each measured state, infinite when it failed."""
        return self.proposals.measured

    def best(self) -> tuple[float, State] | None:
        """The fastest state and its milliseconds."""
        states = self.proposals.fastest(1)
        return (self.times[states[0]], states[0]) if states else None


@dataclass(frozen=True)
class TuningBudget:
    """`seconds` of wall time and `trials` measured, whichever is used up first. `trial_seconds`: what a trial takes, as
    far as is known. `min_gain`: the tuning also ends after a round that saves less than this share of the time."""

    seconds: float = math.inf
    trials: int = MAX_TRIALS
    trial_seconds: float = 0.0
    min_gain: float = 0.0


Rounds = Generator["Tuned", bool | None, T]
"""Yields the state of a tuning before each round of trials, and ends when False is sent."""


def tune(
    proposals: Proposals,
    task: Task,
    measurer: Measuring,
    budget: TuningBudget,
    record: Record | None = None,
    progress: Callable[[Tuned, float], None] | None = None,
) -> Tuned:
    """Measures what is proposed, and tells the times; what was measured before is not remeasured."""
    return completed(tune_by_rounds(proposals, task, measurer, budget, record, progress))


def completed(rounds: Rounds[T]) -> T:
    """Runs all rounds and returns what they lead to."""
    try:
        while True:
            next(rounds)
    except StopIteration as end:
        result: T = end.value
        return result


def tune_by_rounds(
    proposals: Proposals,
    task: Task,
    measurer: Measuring,
    budget: TuningBudget,
    record: Record | None = None,
    progress: Callable[[Tuned, float], None] | None = None,
) -> Rounds[Tuned]:
    """As `tune`, so that others may run between its rounds.

    Before it ends the fastest are measured once more side by side, since the best of many noisy times flatters.
    KeyboardInterrupt ends the tuning with what has been measured so far.
    """
    proposals.trains = proposals.trains and budget.seconds >= MIN_TRAINING_SECONDS
    tuning = Tuned(proposals)
    began = time.perf_counter()
    trial_seconds = budget.trial_seconds
    try:
        while tuning.trials < budget.trials:
            left = budget.seconds - (time.perf_counter() - began)
            if progress is not None:
                progress(tuning, left)
            count = min(_round_size(left, trial_seconds), budget.trials - tuning.trials)
            if count < 1 or (yield tuning) is False:
                break
            tuning.proposals.improve_model(min(MAX_SEARCH_SECONDS, left / 10))
            start = time.perf_counter()
            reserved = FINALISTS * trial_seconds or left / 4
            end = began + budget.seconds - reserved if math.isfinite(left) else math.inf
            before = tuning.best()
            measured = _measure_round(tuning, task, measurer, count, record, began, end)
            if not measured or not _gained(budget.min_gain, before, tuning.best()):
                break
            trial_seconds = (time.perf_counter() - start) / measured
        _measure_finalists(tuning, task, measurer, record, began + budget.seconds)
    except KeyboardInterrupt:
        tuning.interrupted = True
    return tuning


def _gained(share: float, before: tuple[float, State] | None, best: tuple[float, State] | None) -> bool:
    """Whether a round has saved at least that share of the best time."""
    return not share or before is None or best is None or best[0] <= before[0] * (1 - share)


def _round_size(left: float, trial_seconds: float) -> int:
    """How many trials fit in the seconds that are left; the last round, of the finalists, needs its time too."""
    if left <= 0:
        return 0
    if not trial_seconds:
        return ROUND if math.isinf(left) else FIRST_ROUND
    return min(ROUND, math.floor(min(left / trial_seconds, 1e6)) - FINALISTS)


def _measure_round(
    tuning: Tuned,
    task: Task,
    measurer: Measuring,
    count: int,
    record: Record | None,
    began: float,
    end: float,
) -> int:
    """Proposes up to `count` states and measures each. Returns how many there were."""
    remeasured = _remeasured(tuning)
    space = tuning.proposals.search.space
    states: list[State] = []
    schedules: list[Schedule] = []
    now = time.perf_counter()
    compiled_by = now + COMPILING * (end - now)

    def proposed() -> Iterator[Schedule]:
        for state in remeasured:
            yield space.emit(state)
        proposals = tuning.proposals.propose(count)
        # Proposing what there is no time left to compile would take the time to measure the others.
        while time.perf_counter() < compiled_by and (new := next(proposals, None)) is not None:
            states.append(new)
            schedules.append(space.emit(new))
            yield schedules[-1]

    def done(number: int, trial: Trial) -> None:
        number -= len(remeasured)
        if number < 0:
            return
        tuning.trials += 1
        if record is not None:
            record(states[number], schedules[number], trial)
        if not trial.ok:
            tuning.failures.append((states[number], trial))

    trials = measurer.measure(task, proposed(), done, seconds=end - time.perf_counter())
    scale = _compared(tuning, remeasured, trials[: len(remeasured)])
    for state, trial in zip(states, trials[len(remeasured) :], strict=True):
        if trial.status is Status.SKIPPED:
            continue
        before = tuning.best()
        milliseconds = trial.minimum * scale if trial.ok else math.inf
        tuning.proposals.learn(state, milliseconds, _scaled(trial.groups, scale))
        if before is None or milliseconds < before[0]:
            tuning.history.append((time.perf_counter() - began, milliseconds))
    return len(states)


def _remeasured(tuning: Tuned) -> list[State]:
    """Returns the states that every round measures, which make the times of different rounds comparable."""
    fastest = tuning.proposals.fastest(REMEASURED_STATES)
    tuning.anchor = tuning.anchor or next(iter(fastest), None)
    return list(dict.fromkeys([state for state in (tuning.anchor, *fastest) if state is not None]))


def _compared(tuning: Tuned, remeasured: Sequence[State], trials: Sequence[Trial]) -> float:
    """Returns the factor on the times of a round, and corrects those of the fastest states.

    Disturbances make single states slower, so the round is as slow as that state which changed least; a state that
    is much slower than before was disturbed now or had good luck then.
    """
    pairs = [(state, trial) for state, trial in zip(remeasured, trials, strict=True) if trial.ok]
    scale = max([tuning.times[state] / trial.minimum for state, trial in pairs], default=1.0)
    for state, trial in pairs:
        before, now = tuning.times[state], trial.minimum * scale
        milliseconds = before if state == tuning.anchor else math.sqrt(before * now)
        tuning.proposals.learn(state, milliseconds, _scaled(trial.groups, scale))
    return scale


def _scaled(groups: Mapping[str, float], scale: float) -> dict[str, float]:
    return {name: milliseconds * scale for name, milliseconds in groups.items()}


def _measure_finalists(tuning: Tuned, task: Task, measurer: Measuring, record: Record | None, end: float) -> None:
    finalists = tuning.proposals.fastest(FINALISTS)
    if len(finalists) < 2:
        return
    schedules = [tuning.proposals.search.space.emit(state) for state in finalists]
    trials = measurer.measure(task, schedules, seconds=end - time.perf_counter(), longer=FINAL_ROUNDS_FACTOR)
    before = dict(tuning.times)
    changes = [trial.minimum / before[state] for state, trial in zip(finalists, trials, strict=True) if trial.ok]
    if changes:
        # A state that was less lucky before must not win because only the finalists were measured once more.
        worse, usual = max(1.0, *changes), statistics.median(changes)
        tuning.proposals.measured.update({state: worse * milliseconds for state, milliseconds in before.items()})
    for state, schedule, trial in zip(finalists, schedules, trials, strict=True):
        if trial.ok:
            # Earlier times count as much: the machine may be busy at the end, too.
            tuning.proposals.measured[state] = math.sqrt(trial.minimum * usual * before[state])
            if record is not None:
                record(state, schedule, trial)
