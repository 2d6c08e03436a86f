"""Random pipelines under random states of the search: what is emitted compiles, and gives the pixels of definitions."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.cpu.random_states import random_state
from pipec.autoschedule.space.cpu.space import CpuSpace
from pipec.autoschedule.space.groups import groups
from pipec.autoschedule.space.state import State
from pipec.autoschedule.strategies.crossover import GroupTimes
from pipec.errors import UnboundedError
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.schedule.schedule import Schedule
from tests.fuzz.case import Case, make_case
from tests.fuzz.runs import Mismatch, Prepared, check_prepared, prepare

ESTIMATES = [1, 2, 3, 4, 7, 16, 33, 100, 1000]
CROSSED_SHARE = 0.3


def make_unscheduled_case(seed: int) -> Case:
    """The pipeline and the box of a seed, without a schedule."""
    return replace(make_case(seed), directives=[])


def random_schedule(prepared: Prepared) -> Schedule | None:
    """What a random state of the search stands for; None where a Func is read without limits.

    The search knows the sizes of the case, or gets other ones.
    """
    case = prepared.case
    r = random.Random(case.order)
    box = tuple([(low, n) for low, n in case.box])
    expected = tuple([(0, r.choice(ESTIMATES)) for _ in box]) if r.random() < 0.7 else box
    outputs: dict[str, Any] = dict.fromkeys(prepared.definition.outputs, expected)
    images: dict[str, Any] = {
        name: tuple(zip(image.mins, image.array.shape, strict=True)) for name, image in prepared.inputs(case).items()
    }
    try:
        dag = build_dag(prepared.definition, Sizes(outputs, images, prepared.scalars(case)), threads=2, joins=True)
    except UnboundedError:
        return None
    state = random_state(dag, r)
    if r.random() < CROSSED_SHARE:
        state = crossed_state(dag, state, r)
    wrong = problems(dag, state)
    assert not wrong, wrong
    return emit(dag, state)


def crossed_state(dag: Dag, state: State, r: random.Random) -> State:
    """The state with groups of others that are said to be faster."""
    states = [state, *[random_state(dag, r) for _ in range(3)]]
    times = GroupTimes(dag, CpuSpace(dag))
    for each in states:
        times.add(each, {root: r.uniform(0.1, 1.0) for root in groups(dag, each)})
    return next(times.crossed(states, bases=1), state)


def check_state(case: Case) -> None:
    """Raises when the state has problems, its schedule is refused, or pixels differ."""
    prepared = prepare(case)
    schedule = random_schedule(prepared)
    if schedule is None:
        return
    prepared = replace(prepared, schedule=apply_schedule(prepared.definition, schedule))
    try:
        check_prepared(prepared)
    except Mismatch as mismatch:
        if "or for too much" not in str(mismatch):
            raise
        # Tiles are much larger than the image: it runs in the variant that computes no more than is asked for.
        check_prepared(replace(prepared, case=replace(case, order=9)))
