"""Conditions that no iteration of a loop changes are tested before it."""

import numpy as np
from hand_written import *

from pipec.ir.build import lt
from pipec.ir.stmt import IfThenElse, LetStmt
from pipec.lower.passes.flatten_storage import flatten_storage
from pipec.lower.passes.simplify_statement import simplify_statement
from pipec.lower.passes.unroll_loops import unroll_loops
from pipec.lower.passes.unswitch_loops import unswitch_loops

r, y = variable("r"), variable("y")
INSIDE = lt(add(x, 4), w)


def update(at):
    return provide("out", add(call("out", at), image(x, r)), at)


def unswitched(body):
    """The loop over r after unswitching, and what surrounds it below the loop over x."""
    before = simplify_statement(unroll_loops(flatten_storage(loop("x", 0, 13, body))))
    after = unswitch_loops(before)
    same(before, after, {"in": picture(16, 16), "out": np.zeros(26, np.uint16)}, w=9)
    (outer,) = [one for one in loops(after) if one.name == "x"]
    return outer.body


def test_a_condition_around_the_body_is_tested_before_the_loop():
    body = unswitched(loop("r", 0, 5, IfThenElse(INSIDE, update(x), None)))
    assert isinstance(body, IfThenElse)
    assert not count(body.then, IfThenElse)


def test_a_condition_around_each_part_of_nested_loops_is_tested_once():
    both = block([IfThenElse(INSIDE, update(x), None), IfThenElse(INSIDE, update(add(x, 13)), None)])
    body = unswitched(loop("y", 0, 2, LetStmt("k", add(y, y), loop("r", 0, 5, both))))
    assert isinstance(body, IfThenElse)
    assert not count(body.then, IfThenElse)


def test_a_condition_that_iterations_change_stays():
    body = unswitched(loop("r", 0, 5, IfThenElse(lt(add(x, r), w), update(x), None)))
    assert not isinstance(body, IfThenElse)
    assert count(body, IfThenElse) == 1


def test_a_condition_on_what_the_loop_may_store_stays():
    body = unswitched(loop("r", 0, 5, IfThenElse(lt(call("out", x), image(x, r)), update(x), None)))
    assert not isinstance(body, IfThenElse)


def test_a_condition_with_another_side_stays():
    body = unswitched(loop("r", 0, 5, IfThenElse(INSIDE, update(x), update(add(x, 13)))))
    assert not isinstance(body, IfThenElse)


def test_a_condition_around_a_part_of_the_body_stays():
    parts = block([IfThenElse(INSIDE, update(x), None), update(add(x, 13))])
    assert not isinstance(unswitched(loop("r", 0, 5, parts)), IfThenElse)
