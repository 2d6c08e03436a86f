"""Schedules are states where the space has their loops, and otherwise the reason says what it lacks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import pipec as hl
from apps.registry import APPS
from bench.autoschedule.search import estimated
from bench.autoschedule.state_of import OutsideSpace, state_of
from bench.autoschedule.why import reference
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.problem import problem_of
from pipec.func.functions.freeze import schedule_of

sys.path.insert(0, str(Path(__file__).parent.parent / "autoschedule"))
from hand_states import hand_state  # noqa: E402


def problem_of_app(name):
    algorithm, _ = estimated(hl, APPS[name])
    return problem_of([algorithm.output.function])


@pytest.mark.part(6)
@pytest.mark.parametrize("name", ["blur", "unsharp", "mat_mul", "conv_layer", "iir_blur"])
def test_an_emitted_schedule_is_the_state_it_was_emitted_from(name):
    dag = problem_of_app(name).dag
    schedule = emit(dag, hand_state(name, dag))
    assert emit(dag, state_of(dag, schedule)) == schedule


def schedule_of_app(name):
    algorithm = reference(APPS[name])
    problem = problem_of([algorithm.output.function])
    return problem, schedule_of([algorithm.output.function])


def test_stages_that_share_loops_are_outside():
    problem, schedule = schedule_of_app("harris")
    with pytest.raises(OutsideSpace, match="compute_with of across"):
        state_of(problem.dag, schedule)


def test_a_compute_level_inside_a_register_block_is_outside():
    x, y = hl.vars("x y")
    f, g = hl.funcs("f g")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x, y + 1]
    g.set_estimates([(0, 64), (0, 4)])
    dag = problem_of([g.function]).dag
    g.bound(y, 0, 4).unroll(y)
    f.compute_at(g, y)
    with pytest.raises(OutsideSpace, match="compute level"):
        state_of(dag, schedule_of([g.function]))
