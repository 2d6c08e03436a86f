"""Loops that run only the iterations that do something."""

import numpy as np
import pytest
from hand_written import *

from pipec.ir.build import and_, eq, ge, gt, le, lt, or_, sub
from pipec.ir.expr import Const
from pipec.ir.stmt import IfThenElse, LetStmt
from pipec.lower.passes.trim_loops import trim_loops

n = variable("n")


def grid(condition):
    body = when(condition, provide("out", image(x, y), x, y))
    return loop("y", 0, h, loop("x", 0, w, body))


def trimmed(before, conditions=0, width=9, height=6, **scalars):
    after = trim_loops(before)
    assert count(after, IfThenElse) == conditions
    data = {"in": picture(width, height), "out": np.zeros((width, height), np.uint16)}
    same(before, after, data, w=width, h=height, **scalars)
    return after


def test_a_triangle_bounds_the_inner_loop():
    trimmed(grid(le(x, y)))
    trimmed(grid(gt(x, y)))
    trimmed(grid(lt(mul(x, 2), add(y, 3))))
    trimmed(grid(ge(x, mul(y, 3))))


def test_one_value_is_one_iteration():
    trimmed(grid(eq(x, y)))
    trimmed(grid(eq(mul(x, 2), y)))


@pytest.mark.parametrize("rows", [0, 3, 20])
def test_a_condition_of_the_outer_loop_leaves_the_inner_one(rows):
    trimmed(grid(and_(lt(y, n), le(x, y))), n=rows)


def test_a_condition_of_no_loop_is_asked_once():
    after = trimmed(grid(lt(n, 3)), 1, n=2)
    assert isinstance(after, IfThenElse)
    trimmed(grid(lt(n, 3)), 1, n=3)


def test_conditions_on_data_and_alternatives_stay():
    bright = lt(Cast(INT32, image(x, y)), 100)
    trimmed(grid(and_(bright, le(x, y))), 1)
    trimmed(grid(or_(lt(x, 2), lt(y, 2))), 1)
    trimmed(grid(eq(mul(x, x), y)), 1)


def test_lets_are_looked_through():
    t = variable("t")
    body = LetStmt("t", add(x, y), when(lt(t, 5), provide("out", image(x, y), x, y)))
    trimmed(loop("y", 0, h, loop("x", 0, w, body)))


def test_extents_of_vector_loops_stay_constant():
    body = when(and_(lt(x, w), lt(y, 4)), provide("out", image(x, y), x, y))
    before = loop("y", 0, h, loop("x", 0, 16, body, VECTORIZED))
    after = trimmed(before, 1)
    assert loops(after, VECTORIZED)[0].extent is Const(INT32, 16)


def test_a_condition_with_an_alternative_stays():
    body = when(lt(x, y), provide("out", image(x, y), x, y), provide("out", image(sub(x, y), y), x, y))
    trimmed(loop("y", 0, h, loop("x", 0, w, body)), 1)


def test_nested_conditions_bound_a_loop_together():
    body = when(le(x, y), when(ge(x, sub(y, 2)), provide("out", image(x, y), x, y)))
    trimmed(loop("y", 0, h, loop("x", 0, w, body)))


def relating(condition, strip_exists=None):
    """Strips of 4 points of f in the loop over r$x, with a condition about a point and an iteration of r$x.

    `strip_exists`: a condition around the points of a strip, as where an extent is no multiple of 4.
    """
    strip, inside, r = variable("f.s1.x.1"), variable("f.s1.xi"), variable("f.s1.r$x")
    at = add(mul(strip, 4), inside)
    points = loop("f.s1.xi", 0, 4, when(condition(at, r), provide("out", image(at, r), at, r)))
    return loop("f.s1.r$x", 0, h, loop("f.s1.x.1", 0, 8, when(strip_exists(strip), points) if strip_exists else points))


@pytest.mark.parametrize("far", [-40, -3, 0, 2, 50])
def test_a_predicate_bounds_strips_whose_points_it_tests(far):
    before = relating(lambda at, r: and_(ge(at, sub(mul(r, 3), far)), lt(at, add(mul(r, 3), 5))))
    after = trimmed(before, width=32)
    strips = next(node for node in loops(after) if node.name == "f.s1.x.1")
    assert "r$x" in str(strips.minimum) and "r$x" in str(strips.extent)


@pytest.mark.parametrize("far", [-3, 2, 50])
def test_a_predicate_bounds_strips_of_which_some_do_not_exist(far):
    before = relating(
        lambda at, r: and_(ge(at, sub(mul(r, 3), far)), lt(at, add(mul(r, 3), 5))),
        lambda strip: eq(mul(strip, strip), mul(strip, 2)),
    )
    after = trimmed(before, 1, width=32)
    strips = next(node for node in loops(after) if node.name == "f.s1.x.1")
    assert "r$x" in str(strips.minimum) and "r$x" in str(strips.extent)


def test_conditions_without_rvars_leave_strips_alone():
    strip, inside = variable("f.s1.x.1"), variable("f.s1.xi")
    at = add(mul(strip, 4), inside)
    body = when(lt(at, sub(w, y)), provide("out", image(at, y), at, y))
    before = loop("y", 0, h, loop("f.s1.x.1", 0, 8, loop("f.s1.xi", 0, 4, body)))
    after = trim_loops(before)
    assert next(node for node in loops(after) if node.name == "f.s1.x.1").extent.value == 8
