"""`search`: the fastest run of a schedule program or template, by measuring; and `replay` of a trace."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from random import Random
from typing import Any

from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.measure import Measurer, Measuring, Status, Task
from pipec.autoschedule.measure.trial_history import DatabaseLike
from pipec.autoschedule.measure.tuning import task_of_problem
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.progress import ProgressLine, duration, milliseconds, seconds_of
from pipec.autoschedule.verification import limits_for
from pipec.errors import ArgumentError, ScheduleError
from pipec.func.functions.func import Func
from pipec.pipeline.pipeline import Pipeline
from pipec.programs.history import ProgramHistory
from pipec.programs.modules import standard
from pipec.programs.proposers import Annealing, Proposer, TraceEvolution
from pipec.programs.result import ProgramResult
from pipec.programs.runs import Run, apply, run
from pipec.programs.sampler import Program, Sampler, replaying
from pipec.programs.trace import ProgramTrace
from pipec.target import Target
from pipec.tuner.knobs import Configuration, Knob, KnobSpace

USUAL_TRIALS = 64
ROUND = 10
FINALISTS, FINAL_ROUNDS_FACTOR = 4, 4
"""Runs that are timed once more at the end, and how many times as long as usual."""


def search(
    pipeline: Pipeline | Func,
    program: Callable[[Any], object] = standard,
    *,
    knobs: Mapping[str, Knob] | None = None,
    like: Like = None,
    sizes: Any = None,
    trials: int | None = None,
    budget: str | float | timedelta | None = None,
    seed: int = 0,
    threads: int | None = None,
    target: Target | None = None,
    name: str | None = None,
    database: DatabaseLike = None,
    transfer: bool = True,
    measurer: Measuring | None = None,
    verbose: bool | None = None,
    apply: bool = True,
) -> ProgramResult:
    """Measures runs of a schedule program and returns the fastest; the Funcs get its schedule unless `apply=False`.

    * `program` is called with a `Sampler` for each run: it applies directives to the Funcs, and draws what it leaves
      open. It must do the same whenever the draws are the same. The default schedules any pipeline.
    * With `knobs` it is a template: it is called with a configuration, a dictionary with the value of each knob.
    * `trials` (64 by default) and `budget` ("2 min") limit the search; Ctrl-C returns the best so far.
    * `like`, `sizes`, `threads`, `target`, `verbose` are those of `autoschedule`.
    * `database`: where times are stored, as for `autoschedule`; a second search goes on where the first ended.
      `transfer`: whether times of the same program on other pipelines and sizes, stored under `name` (by default that
      of the function), teach the ranker.
    * `measurer`: what measures, in the place of child processes that are started for this search.

    Each run is compiled and run in a child process, and its pixels are compared with those of the pipeline without a
    schedule. Raises the program's error where no run has legal directives, ScheduleError where none can be measured.

    >>> x, y, xi, yi = hl.vars("x y xi yi")
    >>> f = hl.Func("f")
    >>> f[x, y] = hl.sqrt(hl.f32(x * y))
    >>> def program(s):
    ...     width, = s.sample_tile(f, x, min_size=16)
    ...     _ = f.split(x, x, xi, width).vectorize(xi, s.sample_categorical([8, 16])).parallel(y)
    >>> result = hl.programs.search(f, program, sizes=[256, 64], trials=2)  # doctest: +SKIP
    >>> result.trace.values  # doctest: +SKIP
    {'tile f.x': (64,), 'choice': 16}
    """
    if trials is not None and trials < 1:
        raise ArgumentError(f"Error: {trials} trials measure nothing; give at least one.")
    began = time.perf_counter()
    limit = trials if trials is not None else USUAL_TRIALS if budget is None else 1 << 30
    end = began + (math.inf if budget is None else seconds_of(budget))
    problem = _problem(pipeline, like, sizes, threads, target)
    runnable = program if knobs is None else of_template(program, knobs)
    with ProgramHistory(problem, name or f"{program.__module__}.{program.__qualname__}", database, measurer) as history:
        earlier = history.of_other_tasks() if transfer else []
        arguments = (problem, runnable, Random(seed), earlier, history.context)
        proposer = TraceEvolution(*arguments) if knobs is None else Annealing(KnobSpace(knobs), *arguments)
        tuning = _Tuning(problem, runnable, proposer, history, ProgressLine(problem.definition.name, verbose))
        limits = limits_for(problem.target.has_gpu_feature())
        own = Measurer(threads=problem.dag.threads, limits=limits) if measurer is None else None
        measuring = measurer or own
        assert measuring is not None
        try:
            task = task_of_problem(problem, like, seed)
            tuning.run(task, measuring, limit, end)
        except KeyboardInterrupt:
            if not tuning.best:
                raise
        finally:
            if own is not None:
                own.close()
    result = tuning.result(time.perf_counter() - began)
    if apply:
        result.apply()
    return result


def replay(
    pipeline: Pipeline | Func,
    program: Callable[[Any], object],
    trace: ProgramTrace,
    *,
    knobs: Mapping[str, Knob] | None = None,
    like: Like = None,
    sizes: Any = None,
) -> None:
    """Gives the Funcs of a pipeline the schedule that a program makes with the choices of a trace.

    `like`, `sizes`: as in the search, since tiles are drawn from sizes up to those of the Funcs. ArgumentError where
    the trace lacks a draw, or has a value that is no option.

    >>> x = hl.Var("x")
    >>> f = hl.Func("f")
    >>> f[x] = x * x
    >>> program = lambda s: f.vectorize(x, s.sample_categorical([4, 8], name="lanes"))
    >>> hl.programs.replay(f, program, hl.programs.ProgramTrace((("lanes", 8),)), sizes=[100])
    >>> f.realize([3]).numpy().tolist()
    [0, 1, 4]
    """
    runnable = program if knobs is None else of_template(program, knobs)
    apply(_problem(pipeline, like, sizes, None, None), runnable, trace)


def of_template(template: Callable[[Configuration], object], knobs: Mapping[str, Knob]) -> Program:
    """Returns the program that draws a configuration and calls a template with it. ArgumentError for Real knobs."""
    options = {name: knob.options() for name, knob in KnobSpace(knobs).knobs.items()}

    def program(s: Sampler) -> None:
        template({name: s.sample_categorical(values, name=name) for name, values in options.items()})

    return program


def _problem(pipeline: Pipeline | Func, like: Like, sizes: Any, threads: int | None, target: Target | None) -> Problem:
    whole = pipeline if isinstance(pipeline, Pipeline) else Pipeline(pipeline)
    return problem_of([func.function for func in whole.outputs()], like, sizes, threads, target)


class _Tuning:
    """Rounds of runs that are proposed and measured. `best`: the fastest run and its milliseconds."""

    def __init__(
        self, problem: Problem, program: Program, proposer: Proposer, history: ProgramHistory, progress: ProgressLine
    ) -> None:
        self.problem, self.program, self.proposer = problem, program, proposer
        self.history, self.progress = history, progress
        self.trials: list[tuple[ProgramTrace, float]] = []
        self.improvements: list[tuple[int, float]] = []
        self.best: tuple[float, Run] | None = None
        self._anchor: tuple[float, Run] | None = None
        self._message = ""

    def run(self, task: Task, measurer: Measuring, limit: int, end: float) -> None:
        """Measures until there have been `limit` trials, it is `end`, or nothing new is proposed."""
        self._recall()
        while len(self.trials) < limit and time.perf_counter() < end:
            left = "" if math.isinf(end) else f", {duration(max(0.0, end - time.perf_counter()))} left"
            best = f"best {milliseconds(self.best[0])}" if self.best else "first runs"
            self.progress.show(f"{best}, {len(self.trials)} runs measured{left}")
            runs = self.proposer.propose(min(ROUND, limit - len(self.trials)))
            if not runs:
                break
            for new, time_ms in self._measured(task, measurer, runs, end):
                self._learn(new, time_ms)
        self._decide(task, measurer, end)
        self.progress.end()

    def _recall(self) -> None:
        """Begins with what earlier searches have measured of this problem."""
        for trace, time_ms in self.history.own():
            try:
                old = run(self.problem, self.program, replaying(trace.values))
            except (ArgumentError, ScheduleError):
                continue  # of another version of the program
            self._offer(old, time_ms)

    def _learn(self, new: Run, time_ms: float) -> None:
        self.trials.append((new.trace, time_ms))
        self._offer(new, time_ms)

    def _offer(self, new: Run, time_ms: float) -> None:
        self.proposer.learn(new, time_ms)
        if math.isfinite(time_ms) and (self.best is None or time_ms < self.best[0]):
            self.best = time_ms, new
            self.improvements.append((len(self.trials), time_ms))

    def _measured(
        self, task: Task, measurer: Measuring, runs: list[Run], end: float, longer: int = 1
    ) -> list[tuple[Run, float]]:
        """The runs with their times, relative to that of the anchor; those that there was no time for are left out."""
        all_runs = [*([self._anchor[1]] if self._anchor else []), *runs]
        definitions = {k: r.definition for k, r in enumerate(all_runs) if r.definition is not None}
        schedules = [r.schedule for r in all_runs]
        seconds = end - time.perf_counter()
        trials = measurer.measure(task, schedules, seconds=seconds, longer=longer, definitions=definitions)
        skip = len(all_runs) - len(runs)
        scale = self._anchor[0] / trials[0].minimum if self._anchor and trials[0].ok else 1.0
        done = []
        for new, trial in zip(runs, trials[skip:], strict=True):
            if trial.status is Status.SKIPPED:
                continue
            time_ms = trial.minimum * scale if trial.ok else math.inf
            if trial.ok and self._anchor is None:
                self._anchor = time_ms, new
            self._message = self._message or trial.message
            self.history.record(new, trial)
            done.append((new, time_ms))
        return done

    def _decide(self, task: Task, measurer: Measuring, end: float) -> None:
        """Times the fastest runs once more, side by side: the best of many noisy times flatters."""
        finalists = self.proposer.fastest(FINALISTS)
        if len(finalists) < 2 or not self.trials:
            return
        runs = [run(self.problem, self.program, replaying(trace.values)) for trace in finalists]
        before = self.proposer.times
        # Earlier times count as much: the machine may be busy at the end, too.
        pairs = self._measured(task, measurer, runs, end, FINAL_ROUNDS_FACTOR)
        decided = [
            (math.sqrt(time_ms * before[finalist.trace]), finalist)
            for finalist, time_ms in pairs
            if math.isfinite(time_ms)
        ]
        if len(decided) == len(runs):
            self.best = min(decided, key=lambda pair: pair[0])

    def result(self, seconds: float) -> ProgramResult:
        """The fastest run. ScheduleError where none could be measured."""
        if self.best is None:
            reason = f" The first one: {self._message}" if self._message else ""
            raise ScheduleError(f"Error: No run of the program could be measured, of {len(self.trials)}.{reason}")
        time_ms, fastest = self.best
        trials, history = tuple(self.trials), tuple(self.improvements)
        return ProgramResult(self.problem, self.program, fastest, time_ms, trials, history, seconds)
