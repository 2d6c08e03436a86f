"""Copies of unrolled bodies, and the names in them."""

import numpy as np
import pytest
from hand_written import *

import pipec as hl
from pipec.ir.build import lt
from pipec.ir.expr import EQ, Broadcast, Ramp, Select, const
from pipec.ir.stmt import For, LetStmt
from pipec.ir.walk import postorder
from pipec.lower.passes.unroll_loops import unroll_loops

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


def selects(node) -> int:
    return sum(isinstance(part, Select) for part in postorder(node))


def chain(index, keys, condition=lambda e: e):
    """select(index == keys[0], in[0], index == keys[1], in[1], ..., in[len(keys)])."""
    value = image(len(keys), 0)
    for k, key in reversed(list(enumerate(keys))):
        value = Select(condition(EQ(index, const(key))), image(k, 0), value)
    return value


@pytest.mark.parametrize("keys", [range(9), [3, 3, 0, 20, 1, 0], [20, 21]])
@pytest.mark.parametrize("index", [c, add(mul(c, 2), 1)])
def test_a_chain_of_selects_by_the_loop_variable_is_decided_in_each_copy(keys, index):
    before = loop("c", 0, 8, provide("out", chain(index, keys), c, 0), UNROLLED)
    after = unroll_loops(before)
    assert selects(after) == 0
    same(before, after, {"in": picture(13, 1), "out": np.zeros((8, 1), np.uint16)})


def test_selects_inside_of_decided_selects_are_decided():
    inner = chain(c, [1, 2])
    value = add(Select(lt(c, const(2)), inner, image(c, 0)), Select(lt(image(0, 0), image(c, 0)), image(1, 0), inner))
    before = loop("c", 1, 4, provide("out", value, c, 0), UNROLLED)
    after = unroll_loops(before)
    assert 0 < selects(after) <= 4, "one for each copy depends on the image"
    same(before, after, {"in": picture(13, 1), "out": np.zeros((8, 1), np.uint16)})


def test_conditions_of_vectors_are_decided():
    value = chain(c, range(4), lambda e: Broadcast(e, 8))
    values = Select(Broadcast(EQ(c, const(1)), 8), Ramp(const(0), const(1), 8), Broadcast(c, 8))
    after = unroll_loops(loop("c", 0, 4, block([provide("a", value, c), provide("b", values, c)]), UNROLLED))
    assert selects(after) == 0


def test_selects_are_left_alone_where_the_first_iteration_varies():
    before = loop("c", w, 4, provide("out", chain(c, [1, 2]), c, 0), UNROLLED)
    same(before, unroll_loops(before), {"in": picture(13, 1), "out": np.zeros((8, 1), np.uint16)}, w=1)


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("build", ["mux", "select"])
@pytest.mark.part(2)
def test_an_unrolled_choice_between_many_values(build, vectorized):
    count = 120
    x, k = hl.vars("x k")
    values = [x * i + 1 for i in range(count)]
    f = hl.Func("f")
    if build == "mux":
        f[x, k] = hl.mux(k, values)
    else:
        f[x, k] = hl.select(*[part for i in range(count - 1) for part in (k == i, values[i])], values[-1])
    f.bound(k, 0, count).reorder(k, x).unroll(k)
    if vectorized:
        f.vectorize(x, 4)
    assert (np.asarray(f.realize([5, count])) == np.arange(5) * np.arange(count)[:, None] + 1).all()
