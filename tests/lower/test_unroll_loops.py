"""Copies of unrolled bodies, and the names in them."""

import numpy as np
from hand_written import *

from pipec.ir.stmt import For, LetStmt
from pipec.ir.walk import postorder
from pipec.lower.passes.constant_extents import unroll_loops

c, t = variable("c"), variable("t")


def channels(extent):
    inner = LetStmt("t", mul(c, 2), loop("x", 0, w, provide("out", image(x, t), x, c)))
    return loop("c", 0, extent, inner, UNROLLED)


def test_each_iteration_becomes_a_copy():
    before = channels(3)
    after = unroll_loops(before)
    assert not loops(after, UNROLLED)
    same(before, after, {"in": picture(13, 5), "out": np.zeros((13, 3), np.uint16)}, w=13)


def test_names_in_the_copies_are_bound_once():
    after = unroll_loops(loop("d", 0, 2, channels(3), UNROLLED))
    names = [node.name for node in postorder(after) if isinstance(node, For | LetStmt)]
    assert len(names) == 12 and len(set(names)) == 12


def test_storage_in_the_copies_has_its_own_name():
    body = realize("g", ((0, 1),), block([provide("g", image(c, 0), 0), provide("out", call("g", 0), c)]))
    before = loop("c", 0, 3, body, UNROLLED)
    same(before, unroll_loops(before), {"in": picture(13, 5), "out": np.zeros(3, np.uint16)})


def test_no_iterations_leave_nothing():
    assert unroll_loops(channels(0)) is NOTHING


def test_a_loop_of_unknown_extent_stays_a_loop():
    before = channels(w)
    after = unroll_loops(before)
    assert not loops(after, UNROLLED)
    same(before, after, {"in": picture(13, 26), "out": np.zeros((13, 13), np.uint16)}, w=13)
