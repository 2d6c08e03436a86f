"""A schedule on its way to a Trial, and what it may cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from pipec.autoschedule.measure.task import Task
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.errors import ArgumentError
from pipec.func.functions.definition import PipelineDef
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule

CHILD = "pipec.autoschedule.measure.child"
"""The module that compiles and times in a process of its own."""
HOPELESS_WHEN_BUSY = 3.0
REFERENCE, AHEAD = -1, -2
"""Numbers of candidates that get no Trial: the schedule whose pixels count, and those compiled for a later call."""
FIRST = 0
"""The number of the schedule that its caller expects to be the fastest."""


@dataclass(frozen=True)
class TrialLimits:
    """Of one schedule: seconds of calculation to compile it, seconds of one run, bytes of addresses of a child, or
    UNLIMITED, and how long it is timed.
    """

    compile_seconds: float = 60.0
    run_seconds: float = 10.0
    memory: int = 6 << 30
    # Schedules are timed in rounds, in which each has its turn of so many runs, or so many seconds of runs.
    rounds: int = 5
    runs_of_a_turn: int = 4
    seconds_of_a_turn: float = 0.004
    # After two rounds, one that has run that long has been timed enough.
    most_seconds: float = 0.3
    # One this much slower than the best is timed in two rounds only; in one alone a busy moment may have hit it.
    hopeless: float = HOPELESS_WHEN_BUSY
    # One that takes more than `most_seconds`, and is this much slower than the best, is run once in each of them.
    very_slow: float = 10.0


@dataclass(eq=False)
class TrialCandidate:
    """A schedule, by its number in the list that was given, and what it is for."""

    number: int
    schedule: Schedule
    definition: PipelineDef | None = None  # None: that of the task
    compile_seconds: float = 0.0
    seconds: list[float] = field(default_factory=list)
    groups: Mapping[str, float] = field(default_factory=dict)  # seconds, in the turn with the fastest runs
    rounds: int = 0
    loaded: bool = False

    def is_same(self, other: TrialCandidate) -> bool:
        """Whether both are one schedule of the same definitions."""
        return self.definition is other.definition and self.schedule == other.schedule

    def add(self, seconds: list[float], groups: Mapping[str, float]) -> None:
        """The runs of a turn, and the seconds of the groups in one of them on average."""
        if groups and (not self.groups or sum(groups.values()) < sum(self.groups.values())):
            self.groups = groups
        self.seconds += seconds
        self.rounds += 1

    def enough(self, best: float, limits: TrialLimits, busy: bool) -> bool:
        """Whether it has been timed long enough, where `best` is the shortest run of all. `busy`: beside other work."""
        if self.rounds < 2:
            return False
        hopeless = max(limits.hopeless, HOPELESS_WHEN_BUSY) if busy else limits.hopeless
        slow = min(self.seconds) > hopeless * best or sum(self.seconds) > limits.most_seconds
        return slow or self.rounds >= limits.rounds

    def very_slow(self, best: float, limits: TrialLimits) -> bool:
        """Whether a single run is all that is worth its time."""
        return min(self.seconds, default=0.0) > max(limits.very_slow * best, limits.most_seconds)


class Results:
    """Trials by the number of the schedule; `done` gets each but those skipped as soon as it is final."""

    def __init__(self, done: Callable[[int, Trial], None] | None) -> None:
        self.trials: dict[int, Trial] = {}
        self._done = done

    def ok(self, candidate: TrialCandidate) -> bool:
        """Whether it was measured."""
        return candidate.number in self.trials and self.trials[candidate.number].ok

    def finish(self, candidate: TrialCandidate, status: Status, message: str = "") -> None:
        """Stores the trial of a candidate and reports it, once."""
        if candidate.number in self.trials:
            return
        times = tuple([1e3 * seconds for seconds in candidate.seconds]) if status is Status.OK else ()
        groups = {name: 1e3 * seconds for name, seconds in candidate.groups.items()} if times else {}
        trial = self.trials[candidate.number] = Trial(status, times, candidate.compile_seconds, message, groups)
        if self._done is not None and candidate.number >= 0 and status is not Status.SKIPPED:
            self._done(candidate.number, trial)


class TrialCandidates:
    """What one call measures, in the order in which it is compiled: the reference, then the schedules as asked for.

    `reference`: the schedule whose pixels are right. `asked`: those that were taken from the schedules so far.
    """

    def __init__(self, task: Task, schedules: Iterable[Schedule], definitions: Mapping[int, PipelineDef]) -> None:
        self.reference = TrialCandidate(REFERENCE, task.reference())
        self.asked: list[TrialCandidate] = []
        self._task, self._schedules, self._definitions = task, schedules, definitions

    def __iter__(self) -> Iterator[TrialCandidate]:
        yield self.reference
        for number, schedule in enumerate(self._schedules):
            self.asked.append(TrialCandidate(number, self._task.schedule + schedule, self._definitions.get(number)))
            yield self.asked[-1]

    def trials(self, results: Results) -> list[Trial]:
        """The Trial of each schedule; those that were not run are skipped. ArgumentError where the reference fails."""
        failed = results.trials.get(self.reference.number)
        if failed is not None and failed.status is not Status.SKIPPED:
            raise ArgumentError(
                f"Error: The pipeline can't be measured; computed stage by stage it fails: {failed.message}"
            )
        for candidate in self.asked:
            results.finish(candidate, Status.OK if candidate.rounds else Status.SKIPPED)
        return [results.trials[candidate.number] for candidate in self.asked]
