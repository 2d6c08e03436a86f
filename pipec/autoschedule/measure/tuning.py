"""Measured tuning of a problem: its task with inputs, and the tuning itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipec.autoschedule.dag.estimates import Like
from pipec.autoschedule.measure import ImageSource, Measuring, Task, Trial
from pipec.autoschedule.measure.task import order_of, orders_of
from pipec.autoschedule.measure.trial_history import DatabaseLike, TrialHistory
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies import Strategy
from pipec.autoschedule.strategies.proposals import Proposals
from pipec.autoschedule.strategies.search_state import SearchState
from pipec.autoschedule.strategies.tune import Rounds, Tuned, TuningBudget, completed, tune_by_rounds
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.pipeline.calls.arguments import new_buffer
from pipec.pipeline.queries import output_buffers


def task_of_problem(problem: Problem, like: Like = None, seed: int = 0) -> Task:
    """What children run: inputs are the arrays of `like`, Buffers that are bound, or random pixels."""
    definition, sizes = problem.definition, problem.sizes
    boxes = {buffer: [*sizes.outputs[func]] for buffer, func, _ in output_buffers(definition)}
    scalars = {name: _number(problem, name) for name in definition.scalars}
    orders = orders_of(problem.outputs, definition, boxes, scalars)
    images = {name: _image(problem, name, like, number + seed) for number, name in enumerate(definition.images)}
    clocked = problem.device is None
    return Task(
        definition, str(problem.target), boxes, orders, images, scalars, problem.without_reports, clocked=clocked
    )


def _number(problem: Problem, name: str) -> float:
    value = problem.sizes.scalars[name]
    return value if problem.definition.scalars[name].floating else int(value)


def _image(problem: Problem, name: str, like: Like, seed: int) -> ImageSource | Buffer:
    bound = problem.bindings[name]
    buffer = _buffer_of_user(problem, name, like)
    if buffer is not None:
        return buffer
    info = problem.dag.images[name]
    box = tuple(zip(info.minimum, info.extent, strict=True))
    kind = problem.definition.images[name].type
    return ImageSource(kind, box, order_of(new_buffer(kind, list(box), bound, problem.sizes.scalars)), seed)


def _buffer_of_user(problem: Problem, name: str, like: Like) -> Buffer | None:
    """The pixels of an image that the user gave, where they are enough."""
    bound = problem.bindings[name]
    value: Any = like.get(name) if isinstance(like, Mapping) else like
    candidates = [value, bound if isinstance(bound, Buffer) else bound.buffer()]
    info, kind = problem.dag.images[name], problem.definition.images[name].type
    for candidate in candidates:
        if not isinstance(candidate, Buffer) and (candidate is None or as_array(candidate) is None):
            continue
        buffer = candidate if isinstance(candidate, Buffer) else Buffer(candidate)
        box = [(buffer.dim(d).min(), buffer.dim(d).extent()) for d in range(buffer.dimensions())]
        if buffer.type() is kind and box == list(zip(info.minimum, info.extent, strict=True)):
            return buffer
    return None


def tuned(*arguments: Any) -> Tuned:
    """Runs all rounds of `tuned_by_rounds`."""
    return completed(tuned_by_rounds(*arguments))


def tuned_by_rounds(
    strategy: Strategy,
    problem: Problem,
    search: SearchState,
    task: Task,
    measurer: Measuring,
    budget: TuningBudget,
    trials_before: Mapping[State, Trial],
    database: DatabaseLike | bool = None,
    progress: Callable[[Tuned, float], None] | None = None,
) -> Rounds[Tuned]:
    """Measures what a strategy proposes after its search, within the budget; trials go to `database`, False for none.

    `trials_before`: of the finalists of the search. KeyboardInterrupt ends the tuning with what has been measured.
    """
    times = {state: trial.minimum for state, trial in trials_before.items()}
    if isinstance(database, bool):
        proposals = _proposals(strategy, search, times, trials_before)
        return (yield from tune_by_rounds(proposals, task, measurer, budget, progress=progress))
    try:
        with TrialHistory(problem, database, measurer.machine) as remembered:
            for state, trial in trials_before.items():
                remembered.record(state, problem.space.emit(state), trial)
            times = {**remembered.times(), **times}
            proposals = _proposals(strategy, search, times, trials_before)
            return (yield from tune_by_rounds(proposals, task, measurer, budget, remembered.record, progress))
    except KeyboardInterrupt:
        return Tuned(strategy.proposals_after(search, times), interrupted=True)


def _proposals(
    strategy: Strategy, search: SearchState, times: Mapping[State, float], trials_before: Mapping[State, Trial]
) -> Proposals:
    proposals = strategy.proposals_after(search, times)
    for state, trial in trials_before.items():
        proposals.learn(state, times[state], trial.groups)
    return proposals
