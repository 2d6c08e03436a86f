"""One budget for several pipelines: each round of trials goes to the pipeline that is expected to gain most by it.

After the task scheduler of Ansor (Zheng et al., OSDI 2020): the expected gain mixes what the last rounds brought with
an optimistic guess, that the time of a pipeline falls as one over its trials; both by second of tuning.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple, TextIO

from pipec.autoschedule.api import autoschedule_by_rounds
from pipec.autoschedule.measure import Measurer, Measuring
from pipec.autoschedule.progress import PAUSE, duration, milliseconds, seconds_of
from pipec.autoschedule.result import Result
from pipec.autoschedule.strategies.tune import MAX_TRIALS, Rounds, Tuned
from pipec.autoschedule.verification import limits_for
from pipec.errors import ArgumentError
from pipec.func.functions.func import Func
from pipec.jit.runtime.library import default_threads
from pipec.pipeline.calls.runnable import jit_target
from pipec.pipeline.pipeline import Pipeline
from pipec.records import dataclass, field

RECENT_SHARE = 0.4
"""Of the expected gain, from the last rounds; the rest is the guess."""
WINDOW = 2
"""Rounds that count as the last ones."""
SEARCH_SHARE, FINALISTS_SHARE = 0.2, 0.3
"""Of the budget, for all first searches by the cost model, and for their finalists."""
MAX_SEARCH_SECONDS = 8.0
RESERVED_SHARE = 0.1
"""Of the budget, in which the fastest schedules of each pipeline are timed once more."""
OBJECTIVES = ("sum", "product")
Scheduled = Pipeline | Func | tuple[Pipeline | Func, Mapping[str, Any]]


class RoundEnd(NamedTuple):
    """What a task has used when a round ends, and what it has by then: the best time of a run."""

    seconds: float
    trials: int
    best_ms: float


@dataclass(eq=False)
class TuningTask:
    """A pipeline that takes part. `rounds`: of its tuning; `history`: their ends, in seconds of its own."""

    name: str
    rounds: Rounds[Result]
    weight: float
    seconds: float = 0.0
    tuning: Tuned | None = None
    history: list[RoundEnd] = field(default_factory=list)
    result: Result | None = None

    def advance(self, go_on: bool | None = None) -> None:
        """Runs a round, at first the search, or ends the tuning when `go_on` is False."""
        began = time.perf_counter()
        try:
            self.tuning = self.rounds.send(go_on)
        except StopIteration as end:
            self.result = end.value
        self.seconds += time.perf_counter() - began
        if self.tuning is not None and (best := self.tuning.best()) is not None:
            self.history.append(RoundEnd(self.seconds, self.tuning.trials, best[0]))

    @property
    def best_ms(self) -> float:
        """Milliseconds of the fastest schedule so far."""
        return self.history[-1].best_ms if self.history else math.inf

    def gain(self, relative: bool) -> float:
        """Milliseconds that a second of tuning should gain, times the weight; `relative`: as a share of the time."""
        return 0.0 if self.result is not None else self.weight * expected_gain(self.history, relative)


def expected_gain(history: Sequence[RoundEnd], relative: bool) -> float:
    """Milliseconds that a second of tuning should gain after these rounds; `relative`: as a share of the time."""
    if len(history) < 2:
        return math.inf
    now, before = history[-1], history[max(0, len(history) - 1 - WINDOW)]
    spent = max(now.seconds - before.seconds, 1e-6)
    recent = (before.best_ms - now.best_ms) / spent
    guess = now.best_ms / max(1, now.trials) * max(1, now.trials - before.trials) / spent
    return (RECENT_SHARE * recent + (1 - RECENT_SHARE) * guess) / (now.best_ms if relative else 1.0)


def autoschedule_all(
    pipelines: Sequence[Scheduled],
    budget: str | float | timedelta = "10 min",
    *,
    weights: Sequence[float] | None = None,
    objective: str = "sum",
    measurer: Measuring | None = None,
    verbose: bool | None = None,
    **options: Any,
) -> list[Result]:
    """Finds schedules for several pipelines within one budget, and applies them. Returns a Result for each.

    First each pipeline is searched by the cost model and its finalists are timed; then rounds of trials go where most
    is to be gained. A table on the terminal shows the times and who gets the trials. Ctrl-C returns the best so far.

    * `pipelines`: Pipelines or Funcs, or pairs of one and the options of its own: `(blur, {"sizes": [1920, 1080]})`.
    * `objective`: "sum" minimises the sum of the times, "product" their product, that is, relative gains count.
    * `weights`: how often each pipeline runs, or how much it matters; 1 by default.
    * `measurer`: an `hl.MeasurerPool`. `verbose`: the table; None shows it on terminals.
    * Other options are those of `Pipeline.autoschedule`, for all pipelines.

    >>> x = hl.Var("x")
    >>> f, g = hl.funcs("f g")
    >>> f[x] = x * x
    >>> g[x] = hl.sqrt(hl.f32(x))
    >>> first, second = hl.autoschedule_all([f, g], "30 s", sizes=[100000])  # doctest: +SKIP
    """
    seconds = seconds_of(budget)
    shares = [1.0] * len(pipelines) if weights is None else [float(weight) for weight in weights]
    if not pipelines or len(shares) != len(pipelines) or min(shares) < 0:
        raise ArgumentError(f"Error: {len(pipelines)} pipelines need as many weights, none negative, not {weights}.")
    if objective not in OBJECTIVES:
        raise ArgumentError(f"Error: There is no objective {objective!r}; there are {', '.join(OBJECTIVES)}.")
    threads = options.get("threads") or default_threads()
    limits = limits_for(jit_target(options.get("target")).has_gpu_feature())
    own = Measurer(threads=threads, limits=limits) if measurer is None else None
    search_seconds = min(MAX_SEARCH_SECONDS, seconds * SEARCH_SHARE / len(pipelines))
    finalists_seconds = seconds * FINALISTS_SHARE / len(pipelines)
    usual = {
        "search_seconds": search_seconds,
        "finalists_seconds": finalists_seconds,
        "verbose": False,
        **options,
        "measurer": measurer or own,
    }
    tasks = [_task(source, share, usual) for source, share in zip(pipelines, shares, strict=True)]
    table = Table(tasks, verbose)
    try:
        _divide(tasks, time.perf_counter() + seconds * (1 - RESERVED_SHARE), objective == "product", table)
    finally:
        if own is not None:
            own.close()
    table.show(last=True)
    return [task.result for task in tasks if task.result is not None]


def _task(source: Scheduled, weight: float, usual: Mapping[str, Any]) -> TuningTask:
    pipeline, options = source if isinstance(source, tuple) else (source, {})
    outputs = pipeline._checked() if isinstance(pipeline, Pipeline) else (pipeline.function,)
    rounds = autoschedule_by_rounds(outputs, **{**usual, **options, "trials": MAX_TRIALS})
    return TuningTask(outputs[0].name, rounds, weight)


def _divide(tasks: Sequence[TuningTask], end: float, relative: bool, table: Table) -> None:
    """Gives rounds to the tasks by expected gain until it is `end`, then ends each."""
    for task in tasks:
        task.advance()
        table.show()
    interrupted = False
    while time.perf_counter() < end and not interrupted:
        task = max(tasks, key=lambda task: task.gain(relative))
        if not task.gain(relative):
            break
        task.advance()
        interrupted = task.tuning is not None and task.tuning.interrupted
        table.show()
    for task in tasks:
        if task.result is None:
            task.advance(False)
            table.show()


class Table:
    """The state of all tasks on the terminal, rewritten in place. `verbose`: None where stderr is a terminal."""

    def __init__(self, tasks: Sequence[TuningTask], verbose: bool | None, stream: TextIO | None = None) -> None:
        self.tasks, self.stream = tasks, stream or sys.stderr
        self.shown = self.stream.isatty() if verbose is None else verbose
        self._began = time.monotonic()
        self._last, self._lines = 0.0, 0

    def show(self, last: bool = False) -> None:
        """Shows the table, unless it was shown a moment ago; the last one always."""
        now = time.monotonic()
        if not self.shown or (not last and now - self._last < PAUSE):
            return
        self._last = now
        lines = self.lines()
        # Moves up to the first line of the table before, and clears each line.
        up = f"\x1b[{self._lines}A" if self._lines else ""
        self.stream.write(up + "".join([f"\x1b[2K{line}\n" for line in lines]))
        self.stream.flush()
        self._lines = len(lines)

    def lines(self) -> list[str]:
        """The table as text: times at first and now, trials, seconds of tuning, gain of the next second."""
        width = max([len("pipeline"), *[len(task.name) for task in self.tasks]])
        head = f"{'pipeline'.ljust(width)}      first       best  trials     time   expected gain"
        rows = [head, *[self._row(task, width) for task in self.tasks]]
        total = sum([task.weight * task.best_ms for task in self.tasks])
        spent = duration(time.monotonic() - self._began)
        return [*rows, f"{'in all'.ljust(width)} {'':>10} {_ms(total):>10} {'':>7} {spent:>8}"]

    def _row(self, task: TuningTask, width: int) -> str:
        first = task.history[0][2] if task.history else math.inf
        trials = task.tuning.trials if task.tuning else 0
        gain = task.gain(False)
        expected = f"{milliseconds(gain)} a second" if 0 < gain < math.inf else ""
        return (
            f"{task.name.ljust(width)} {_ms(first):>10} {_ms(task.best_ms):>10} {trials:>7}"
            f" {duration(task.seconds):>8}   {expected}"
        ).rstrip()


def _ms(value: float) -> str:
    return milliseconds(value) if math.isfinite(value) else "-"
