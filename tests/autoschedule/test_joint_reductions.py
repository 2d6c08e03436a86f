"""Reductions that share values share their loops in schedules that are searched for."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.cpu.random_states import random_state
from pipec.schedule.compute_with import ComputeWith

x, y = hl.vars("x y")
SIZES = [33, 17]


def image() -> Any:
    return hl.BoundaryConditions.repeat_edge(hl.Buffer(np.random.default_rng(0).random((17, 33), np.float32)))


def bilateral(source: Any, domain: Any, *places: Any) -> tuple[Any, Any, Any]:
    """The Funcs of weighted values and of weights, and their quotient."""
    value, weighted, weights, result = source[x + domain.x, y], hl.Func("weighted"), hl.Func("weights"), hl.Func("r")
    weight = hl.exp(-(value - source[x, y]) * (value - source[x, y]))
    weighted[x, y], weights[x, y] = hl.f32(0), hl.f32(0)
    weighted[x, y] += weight * value
    weights[x, y] += weight
    at = places or (x, y)
    result[x, y] = weighted[x, y] / weights[at]
    return weighted, weights, result


def problem(output: Any) -> Problem:
    return problem_of([output.function], sizes=SIZES, threads=2)


def joint_names(output: Any) -> list[list[str]]:
    return [[first, *others] for first, others in problem(output).dag.joint.items()]


def test_weights_are_computed_with_what_they_weigh():
    weighted, weights, result = bilateral(image(), hl.RDom([(-1, 3)], "r"))
    assert joint_names(result) == [[weighted.name(), weights.name()]]
    expected = np.asarray(result.realize(SIZES)).copy()
    searched = hl.Pipeline(result).autoschedule(sizes=SIZES, verify=False, search_seconds=0.5)
    schedule = searched.schedule
    assert any(isinstance(d, ComputeWith) and d.stage.stage == 1 for d in schedule.directives)
    assert f"{weighted.name()}.update(0), {weights.name()}.update(0)" in searched.explain()
    np.testing.assert_allclose(np.asarray(result.realize(SIZES)), expected, rtol=1e-5)


def test_the_trivial_schedule_has_loops_for_each_of_them():
    _, _, result = bilateral(image(), hl.RDom([(-1, 3)], "r"))
    schedule = hl.Pipeline(result).autoschedule(sizes=SIZES, strategy="trivial").schedule
    assert not any(isinstance(d, ComputeWith) for d in schedule.directives)


def test_reductions_that_are_read_at_different_places_are_not_joint():
    assert not joint_names(bilateral(image(), hl.RDom([(-1, 3)], "r"), x + 1, y)[-1])


def test_reductions_that_the_user_scheduled_are_not_joint():
    _, weights, result = bilateral(image(), hl.RDom([(-1, 3)], "r"))
    weights.compute_root()
    assert not joint_names(result)


def test_reductions_that_share_nothing_are_not_joint():
    domain, a, b, result = hl.RDom([(0, 3)], "r"), hl.Func("a"), hl.Func("b"), hl.Func("result")
    a[x, y], b[x, y] = hl.f32(0), hl.f32(0)
    a[x, y] += image()[x + domain.x, y]
    b[x, y] += image()[x, y + domain.x]
    result[x, y] = a[x, y] + b[x, y]
    assert not joint_names(result)


def test_reductions_that_do_not_write_everywhere_are_not_joint():
    domain, source, result = hl.RDom([(0, 3)], "r"), image(), hl.Func("result")
    everywhere, somewhere = hl.funcs("everywhere somewhere")
    value = hl.exp(source[x + domain.x, y])
    everywhere[x, y] = hl.f32(0)
    everywhere[x, y] += value
    somewhere[x, y] = hl.f32(0)
    somewhere[x, y] = hl.select(x > 3, somewhere[x, y] + value, hl.undef(hl.Float(32)))
    result[x, y] = everywhere[x, y] + somewhere[x, y]
    assert not joint_names(result)


def test_definitions_that_li2018_rewrites_have_loops_for_each_of_them():
    _, _, result = bilateral(image(), hl.RDom([(-1, 3)], "r"))
    schedule = hl.Pipeline(result).autoschedule(sizes=SIZES, strategy="li2018").schedule
    assert not any(isinstance(d, ComputeWith) for d in schedule.directives)


def test_a_reduction_that_reads_the_other_one_is_not_joint():
    domain, a, b, result, source = hl.RDom([(0, 3)], "r"), hl.Func("a"), hl.Func("b"), hl.Func("result"), image()
    a[x, y], b[x, y] = hl.f32(0), hl.f32(0)
    a[x, y] += source[x + domain.x, y]
    b[x, y] += source[x + domain.x, y] * a[x, y]
    result[x, y] = a[x, y] + b[x, y]
    assert not joint_names(result)


def blurred() -> Any:
    rows, source = hl.Func("rows"), image()
    rows[x, y] = source[x, y] + source[x, y + 1]
    return rows


@pytest.mark.parametrize("seed", [*range(5), 39])
@pytest.mark.part(6)
def test_random_states_give_the_same_pixels(seed):
    """Producers inside of the shared loops (39: in a tile of the domain), domains of two dimensions, other sizes."""
    r = random.Random(seed)
    domain = hl.RDom([(-1, 3)] + [(0, 2)] * (seed % 2), "r")
    if seed > 3:
        domain.where((domain.x + x) % 2 == 0)
    _, _, result = bilateral(blurred(), domain)
    expected = np.asarray(result.realize(SIZES)).copy()
    of = problem_of([result.function], sizes=[100, 100] if seed % 2 else SIZES, threads=2)
    for _ in range(2):
        state = random_state(of.dag, r)
        assert not problems(of.dag, state)
        of.apply(of.space.emit(state))
        np.testing.assert_allclose(np.asarray(result.realize(SIZES)), expected, rtol=1e-4)
