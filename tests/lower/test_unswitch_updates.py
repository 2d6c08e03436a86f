"""Which of several guarded updates a reduction runs is decided before it."""

import numpy as np
import pytest
from hand_written import *

import pipec as hl
from pipec.ir.build import lt
from pipec.ir.stmt import IfThenElse, Store
from pipec.lower.passes.flatten_storage import flatten_storage
from pipec.lower.passes.simplify_statement import simplify_statement
from pipec.lower.passes.unswitch_updates import MAX_GUARDS, unswitch_updates

r = variable("r")


def update(at):
    return provide("out", add(call("out", at), image(x, r)), at)


def guarded(k):
    return IfThenElse(lt(add(x, 8 * k), w), update(add(x, 8 * k)), None)


def unswitched(body, width=9):
    """The loop over r after unswitching, and what surrounds it below the loop over x."""
    before = simplify_statement(flatten_storage(loop("x", 0, 13, loop("r", 0, 5, body))))
    after = unswitch_updates(before)
    same(before, after, {"in": picture(16, 16), "out": np.zeros(99, np.uint16)}, w=width)
    (outer,) = [one for one in loops(after) if one.name == "x"]
    return outer.body


@pytest.mark.parametrize("width", [0, 9, 17, 40])
def test_each_number_of_guarded_updates_has_a_loop_of_its_own(width):
    body = unswitched(block([guarded(0), guarded(1), guarded(2)]), width)
    numbers = []
    while body is not None:
        assert isinstance(body, IfThenElse)
        assert not count(body.then, IfThenElse), "what holds if the last guard does is not tested in the loop"
        numbers.append(count(body.then, Store))
        body = body.otherwise
    assert numbers == [3, 2, 1]


def test_updates_without_a_guard_remain_where_no_guard_holds():
    body = unswitched(block([update(x), guarded(1)]))
    assert (count(body.then, Store), count(body.otherwise, Store)) == (2, 1)


def test_guards_in_guards_of_the_same_updates_are_one():
    both = IfThenElse(lt(add(x, 7), w), guarded(1), None)
    body = unswitched(block([update(x), both]))
    assert count(body, IfThenElse) == 1
    assert not count(body.then, IfThenElse)


@pytest.mark.parametrize(
    "body",
    [
        block([update(add(x, r)), IfThenElse(lt(add(x, 8), w), provide("out", image(x, r), add(x, 8)), None)]),
        block([update(x), IfThenElse(lt(add(x, r), w), update(add(x, 8)), None)]),
        block([guarded(k) for k in range(MAX_GUARDS + 1)]),
    ],
)
def test_loops_that_update_other_elements_or_have_many_guards_stay(body):
    assert not isinstance(unswitched(body), IfThenElse)


@pytest.mark.parametrize("width", [16, 37, 48, 64, 70])
def test_the_ends_of_rows_of_blocked_products_are_right(width):
    i, j, ii, jj, io = hl.vars("i j ii jj io")
    rng = np.random.default_rng(2)
    a, b = rng.random((12, 20), np.float32), rng.random((20, width), np.float32)
    left, right, k, product = hl.Buffer(a), hl.Buffer(b), hl.RDom([(0, 20)]), hl.Func("product")
    product[i, j] = hl.f32(0)
    product[i, j] += left[k.x, j] * right[i, k.x]
    blocks = product.update().split(i, i, ii, 8, hl.TailStrategy.GuardWithIf)
    blocks.split(i, io, i, 4, hl.TailStrategy.GuardWithIf).split(j, j, jj, 3, hl.TailStrategy.GuardWithIf)
    blocks.reorder(ii, i, jj, k.x, io, j).vectorize(ii).unroll(i).unroll(jj)
    np.testing.assert_allclose(np.array(product.realize([width, 11])), (a @ b)[:11], rtol=1e-5)


def test_guards_that_have_nothing_to_do_with_each_other_are_few():
    def independent(number):
        guards = [IfThenElse(lt(mul(add(x, k), k + 1), w), update(add(x, 8 * k)), None) for k in range(number)]
        return unswitched(block(guards))

    assert isinstance(independent(3), IfThenElse)
    assert not isinstance(independent(6), IfThenElse), "64 loops of up to 6 updates"


def test_other_sides_of_a_guarding_condition_remain():
    both = IfThenElse(lt(add(x, 8), w), update(add(x, 16)), update(add(x, 24)))
    for width in (9, 30):
        body = unswitched(block([guarded(1), both]), width)
        assert (count(body.then, Store), count(body.otherwise, Store)) == (3, 2)


def test_strips_of_histograms_are_chosen_before_a_row():
    strips = [IfThenElse(lt(k, w), update(add(r, 8 * k)), None) for k in range(2)]
    body = unswitched(block(strips))
    assert (count(body.then, Store), count(body.otherwise, Store)) == (2, 1)
