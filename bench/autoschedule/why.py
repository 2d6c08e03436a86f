"""`python -m bench.autoschedule.why [NAME ...]`: why a search finds a schedule other than the reference.

For each subject (application or pipeline of the zoo) the reference schedule is the one by hand, or the best one in
`bench/zoo/best/`. There are three kinds of errors. Space error: the reference schedule is no state of the space. Search
error: the model prefers it, but no moves lead to it, or the search did not take them. Model error: the model prefers
the searched schedule, which is slower. Groups are compared by their estimates and by their times in profiled runs.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pipec as hl
from apps.app import Algorithm
from bench.autoschedule.measure import interleaved
from bench.autoschedule.search import estimated
from bench.autoschedule.state_of import OutsideSpace, state_of
from bench.autoschedule.subjects import SUBJECTS, Subject
from bench.measure import Call
from bench.zoo.contest import best_file
from bench.zoo.entry import Entry
from pipec.autoschedule.api import model_of
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.dag.build_dag import build_dag
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.state import FuncPlacement, State
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.records import replace
from pipec.schedule.bounds import Bound
from pipec.schedule.schedule import Schedule

RUNS = 5
STEPS = 400
"""Moves after which a way to the reference state is given up."""


@dataclass
class Side:
    """One of the two schedules: its state, and for each group its estimate and its measured time in milliseconds.

    `outside`: why the space has no such state; `total_ms`: the median run without the profiler.
    """

    call: Call
    state: State | None = None
    evaluator: CpuEvaluator | None = None
    predicted: dict[str, float] = field(default_factory=dict)
    measured: dict[str, float] = field(default_factory=dict)
    outside: str = ""
    total_ms: float = math.nan

    @property
    def predicted_ms(self) -> float:
        return sum(self.predicted.values()) if self.predicted else math.nan


def base(name: str) -> str:
    """A Func's name without what makes it unique in the process."""
    return name.partition("$")[0]


def reference(subject: Subject) -> Algorithm | None:
    """The algorithm with the schedule by hand or the best one that is stored; None where there is neither."""
    algorithm, pipeline = estimated(hl, subject)
    if isinstance(subject, Entry):
        if subject.hand is not None:
            subject.hand(hl, algorithm)
        elif best_file(subject.name).exists():
            hl.load_schedule(best_file(subject.name)).apply(pipeline)
        else:
            return None
    else:
        subject.schedule(hl, algorithm)
    return algorithm


def call_of(subject: Subject, algorithm: Algorithm) -> Call:
    """One run of the compiled pipeline at the benchmark's size."""
    function = algorithm.output.compile_to_callable(algorithm.arguments())
    arguments = arguments_of(subject)
    return lambda: function(*arguments)


def arguments_of(subject: Subject) -> list[Any]:
    """Images, settings and the output for one run."""
    images = [hl.Buffer(image) for image in subject.example(subject.bench_size).values()]
    return [*images, *subject.settings.values(), hl.Buffer(subject.empty_output(subject.bench_size))]


def profiled(subject: Subject, algorithm: Algorithm) -> dict[str, float]:
    """Milliseconds of each Func in a run, by the profiler."""
    target = hl.get_host_target().with_feature(hl.TargetFeature.Profile)
    function = algorithm.output.compile_to_callable(algorithm.arguments(), target)
    arguments = arguments_of(subject)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        function(*arguments)
        before = function.statistics().profile
        for _ in range(RUNS):
            function(*arguments)
        after = function.statistics().profile
    first = {f.name: f.seconds for f in before.funcs}
    return {base(f.name): 1e3 * (f.seconds - first.get(f.name, 0.0)) / RUNS for f in after.funcs}


def side_of_reference(subject: Subject, algorithm: Algorithm) -> Side:
    """The reference schedule as a state of its own definitions: wrappers and factored reductions are Funcs in them."""
    call, times = call_of(subject, algorithm), profiled(subject, algorithm)
    output = algorithm.output.function
    schedule = schedule_of([output])
    problem = problem_of([output])
    bounds = Schedule(tuple([d for d in schedule.directives if isinstance(d, Bound)]))
    definition, _ = freeze([output])
    dag = build_dag(definition, problem.sizes, bounds, problem.dag.threads, problem.target)
    try:
        state = state_of(dag, schedule)
    except OutsideSpace as error:
        return Side(call, outside=str(error), measured=times)
    evaluator = CpuEvaluator(dag, model_of(None))
    return _grouped(Side(call, state, evaluator), times)


def side_of_search(subject: Subject) -> Side:
    """What the search finds without measuring."""
    algorithm, pipeline = estimated(hl, subject)
    result = pipeline.autoschedule(verify=False)
    call, times = call_of(subject, algorithm), profiled(subject, algorithm)
    evaluator = result.evaluator
    assert isinstance(evaluator, CpuEvaluator)
    return _grouped(Side(call, result.state, evaluator), times)


def _grouped(side: Side, times: Mapping[str, float]) -> Side:
    assert side.evaluator is not None and side.state is not None
    costs = side.evaluator.per_stage(side.state)
    for root, members in groups(side.evaluator.dag, side.state).items():
        side.predicted[base(root)] = 1e3 * sum(cost for (func, _), cost in costs.items() if func in members)
        side.measured[base(root)] = sum(times.get(base(member), 0.0) for member in members)
    return side


def distance(state: State, goal: State) -> int:
    """The number of fields of placements and nests in which two states of one Dag differ."""
    return sum([_differences(placement, goal[name]) for name, placement in state.placements.items()])


def _differences(a: FuncPlacement, b: FuncPlacement) -> int:
    fields = [a.where != b.where, a.compute != b.compute, a.store != b.store, a.storage != b.storage]
    for one, other in zip(a.nests, b.nests, strict=False):
        fields.append(one.tiles != other.tiles)
        fields.append(replace(one, tiles=other.tiles) != other)
    return sum(fields) + abs(len(a.nests) - len(b.nests))


def way_to(evaluator: CpuEvaluator, goal: State) -> tuple[int, int, list[str]]:
    """Greedy moves from the start state towards `goal`: their number, the distance that is left, Funcs that differ."""
    space = evaluator.space
    state, steps = space.start(), 0
    left = distance(state, goal)
    while left and steps < STEPS:
        differing = [name for name in space.decided() if state[name] != goal[name]]
        moves = [m for name in differing for m in (*space.children(state, name), *space.neighbours(state, name))]
        best = min(moves, key=lambda other: distance(other, goal), default=state)
        if distance(best, goal) >= left:
            break
        state, left, steps = best, distance(best, goal), steps + 1
    return steps, left, [base(name) for name in space.decided() if state[name] != goal[name]]


def verdict(hand: Side, searched: Side) -> str:
    """Which error there is, in words."""
    if searched.total_ms <= 1.02 * hand.total_ms:
        return "none: the searched schedule is as fast"
    if hand.state is None:
        return f"space: {hand.outside}"
    assert hand.evaluator is not None
    steps, left, differing = way_to(hand.evaluator, hand.state)
    reach = f"reached in {steps} moves" if not left else f"moves stop {left} differences before it: {differing[:4]}"
    if hand.predicted_ms < 0.98 * searched.predicted_ms:
        return f"search: the model prefers the reference; {reach}"
    return f"model: it prefers the searched schedule; {reach}"


def report(name: str, hand: Side, searched: Side, details: bool) -> None:
    """Prints one line, and with `details` the groups of both."""
    columns = (hand.total_ms, hand.predicted_ms, searched.total_ms, searched.predicted_ms)
    print(f"{name:26}" + "".join(f"{value:10.2f}" for value in columns) + f"  {verdict(hand, searched)}", flush=True)
    if not details:
        return
    for title, side in (("reference", hand), ("searched", searched)):
        print(f"  {title}: group, measured, predicted (ms)")
        for root in sorted(side.measured, key=lambda root: -side.measured[root]):
            print(f"    {root:30}{side.measured[root]:9.3f}{side.predicted.get(root, math.nan):9.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.why", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help="which (default: all with a reference schedule)")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each schedule runs")
    options = parser.parse_args()
    print(f"{'ms':26}{'reference':>10}{'predicted':>10}{'searched':>10}{'predicted':>10}  error")
    for name in options.names or SUBJECTS:
        subject: Any = SUBJECTS[name]
        algorithm = reference(subject)
        if algorithm is not None:
            sides = {"reference": side_of_reference(subject, algorithm), "searched": side_of_search(subject)}
            for side, times in interleaved({k: side.call for k, side in sides.items()}, options.seconds).items():
                sides[side].total_ms = 1e3 * statistics.median(times)
            report(name, sides["reference"], sides["searched"], bool(options.names))


if __name__ == "__main__":
    main()
