"""Vector loops: ramps, masks, lets, storage and loops inside, and what must stay lane by lane."""

import numpy as np
import pytest
from hand_written import *

from pipec.errors import InternalError
from pipec.ir.build import constant, eq, ge, lt, max_, min_, mod, select, sub
from pipec.ir.expr import Const, Load, Mul, Ramp, Shuffle, Variable, VectorReduce, const
from pipec.ir.stmt import Allocate, For, LetStmt, Store
from pipec.ir.walk import postorder
from pipec.lower.passes.flatten_storage import flatten_storage
from pipec.lower.vectorize.vectorize_loops import vectorize_loops

xi, yi, k = variable("xi"), variable("yi"), variable("k")
X = add(mul(x, 8), xi)


def strips(body, lanes=8, count=2):
    """for x { vectorized xi { body } }"""
    return loop("x", 0, count, loop("xi", 0, lanes, body, VECTORIZED))


def vectorized(before, buffers, strict=True, **scalars):
    """The flat vector statement, checked to store what `before` does."""
    after = vectorize_loops(flatten_storage(before))
    assert not loops(after, VECTORIZED)
    same(before, after, buffers, strict, **scalars)
    return after


def data(width=16, height=8, *shape):
    return {"in": picture(width, height), "out": np.zeros(shape or (16,), np.uint16)}


def stores(stmt):
    return [node for node in postorder(stmt) if isinstance(node, Store)]


def loads(stmt, buffer="in"):
    return [node for node in postorder(stmt) if isinstance(node, Load) and node.buffer == buffer]


def test_dense_accesses_are_ramps():
    after = vectorized(strips(provide("out", add(image(X, 2), image(add(X, 1), 3)), X)), data(17))
    assert all(isinstance(n.index, Ramp) and constant(n.index.stride) == 1 for n in loads(after) + stores(after))
    assert len(loops(after)) == 1


def test_strided_reversed_and_gathered_accesses():
    value = add(image(mul(X, 2), 0), image(sub(15, X), image8()))
    vectorized(strips(provide("out", value, X)), data(31))


def image8():
    return mod(Cast(INT32, image(X, 1)), 8)


def test_what_does_not_vary_stays_scalar():
    after = vectorized(strips(provide("out", mul(image(X, 0), image(x, 1)), X)), data())
    assert sorted(n.type.nlanes for n in loads(after)) == [1, 8]


def test_sums_of_coordinates_that_cancel_are_scalar():
    after = vectorized(strips(provide("out", image(sub(X, xi), 0), X)), data())
    assert loads(after)[0].type.nlanes == 1


def test_quotients_of_ramps_by_a_divisor_of_their_stride_are_ramps():
    after = vectorized(strips(provide("out", image(div(mul(X, 2), 2), mod(mul(X, 2), 2)), X)), data())
    assert isinstance(loads(after)[0].index, Ramp)


def test_conditions_become_predicates_that_keep_lanes_off_memory():
    before = strips(when(lt(X, w), provide("out", add(image(X, 0), image(sub(sub(w, 1), X), 1)), X)))
    after = vectorized(before, data(13, 8, 13), w=13)
    assert not constant(stores(after)[0].predicate)


def test_both_branches_of_a_condition_run_in_their_lanes():
    before = strips(
        when(
            lt(Cast(INT32, image(X, 0)), 100),
            block([provide("out", image(X, 1), X), provide("out", add(call("out", X), image(X, 3)), X)]),
            provide("out", image(X, 2), X),
        )
    )
    vectorized(before, data())


def test_a_condition_is_asked_before_the_branch_changes_it():
    small = lt(Cast(INT32, call("out", X)), 1)
    body = block([provide("out", image(X, 0), X), when(small, provide("out", image(X, 2), X))])
    before = strips(block([provide("out", image(X, 1), X), when(ge(Cast(INT32, call("out", X)), 50), body)]))
    vectorized(before, data())


def test_uniform_loads_under_a_mask_happen_only_when_a_lane_is_active():
    # The third strip has no active lane, and its row does not exist.
    before = strips(when(lt(X, w), provide("out", add(image(X, 0), image(0, mul(x, 4))), X)), count=3)
    after = vectorized(before, data(16, 5, 13), w=13)
    assert count(after, VectorReduce) == 0
    odd = strips(when(eq(mod(X, 5), 1), provide("out", add(image(X, 0), image(0, x)), X)))
    vectorized(odd, data(), strict=False)


def test_lets_that_vary_are_vectors_and_ramps_stay_ramps():
    ramp = LetStmt("t", add(X, 1), provide("out", image(Variable(INT32, "t"), 0), X))
    after = vectorized(strips(ramp), data(17))
    assert isinstance(loads(after)[0].index, Ramp)
    general = LetStmt("t", min_(mul(X, X), 9), provide("out", image(Variable(INT32, "t"), 0), X))
    after = vectorized(strips(general), data(17))
    (let,) = [node for node in postorder(after) if isinstance(node, LetStmt)]
    assert let.value.type.nlanes == 8


def test_a_loop_inside_of_the_same_extent_in_all_lanes_stays():
    total = provide("out", add(call("out", X), image(add(X, k), k)), X)
    before = strips(block([provide("out", image(X, 0), X), loop("k", 0, 3, total)]))
    after = vectorized(before, data(18))
    assert [constant(n.extent) for n in loops(after)] == [3, 2]


def test_a_loop_inside_whose_extent_varies_is_masked():
    total = provide("out", add(call("out", X), image(k, X)), X)
    before = strips(block([provide("out", image(X, 0), X), loop("k", xi, sub(7, mul(xi, 1)), total)]))
    vectorized(before, data(16, 16))
    extent = min_(mod(mul(X, 5), 7), 4)
    vectorized(strips(block([provide("out", image(X, 0), X), loop("k", 2, extent, total)])), data(16, 16))


def test_storage_inside_has_a_copy_for_each_lane():
    body = block([loop("k", 0, 3, provide("g", image(X, k), k)), provide("out", add(call("g", 0), call("g", 2)), X)])
    after = vectorized(strips(realize("g", ((0, 3),), body)), data())
    (allocation,) = [node for node in postorder(after) if isinstance(node, Allocate)]
    assert constant(allocation.size) == 24
    assert all(isinstance(n.index, Ramp) and constant(n.index.stride) == 1 for n in loads(after, "g"))


def test_storage_inside_whose_size_varies():
    body = block([loop("k", xi, 3, provide("g", image(X, k), k)), provide("out", call("g", add(xi, 1)), X)])
    vectorized(strips(realize("g", ((xi, 3),), body)), data(16, 16))
    body = block([loop("k", 0, add(xi, 1), provide("g", image(X, k), k)), provide("out", call("g", xi), X)])
    vectorized(strips(realize("g", ((0, add(xi, 1)),), body)), data(16, 16))


def gathers(stmt):
    return [n for n in loads(stmt) if n.type.nlanes > 1 and not isinstance(n.index, Ramp)]


LONG = add(mul(x, 16), xi)


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_halves_of_coordinates_of_unknown_parity_are_read_densely(first):
    at = add(LONG, variable("start"))
    other = add(sub(div(at, 2), 1), mul(mod(at, 2), 2))
    before = strips(provide("out", add(image(div(add(at, 1), 2), 0), image(other, 1)), LONG), 16)
    after = vectorized(before, {"in": Image(picture(24, 8), (-1, 0)), "out": np.zeros(32, np.uint16)}, start=first)
    assert not gathers(after)


@pytest.mark.parametrize("first", [0, 1, 2, 5])
def test_thirds_and_sixths(first):
    at = add(add(mul(x, 48), xi), variable("start"))
    value = add(image(div(at, 3), mod(at, 2)), image(div(at, 2), mod(at, 3)))
    after = vectorized(strips(provide("out", value, add(mul(x, 48), xi)), 48), data(64, 8, 96), start=first)
    assert not gathers(after)


@pytest.mark.parametrize("first", [0, 1])
def test_only_what_quotients_decide_is_computed_in_phases(first):
    half = div(add(LONG, variable("start")), 2)
    taps = add(image(half, 0), image(add(half, 1), 0))
    after = vectorized(strips(provide("out", mul(taps, image(LONG, 1)), LONG), 16), data(32, 8, 32), start=first)
    assert not gathers(after)
    assert [node.type.nlanes for node in postorder(after) if isinstance(node, Mul) and node.type.nlanes > 1] == [16]
    assert {node.index.lanes for node in loads(after)} == {8, 16}


def test_single_loads_at_quotients_are_shuffled_by_the_code_generator():
    half = div(add(LONG, variable("start")), 2)
    value = mul(image(half, 0), image(LONG, 1))
    after = vectorized(strips(provide("out", value, LONG), 16), data(32, 8, 32), start=1)
    assert not [node for node in postorder(after) if isinstance(node, Shuffle)]


def test_quotients_that_lets_name_are_looked_through():
    half = variable("half")
    at = add(LONG, variable("start"))
    two_rows = add(image(half, mod(half, 2)), image(half, 0))
    rows = LetStmt("half", div(at, 2), provide("out", two_rows, LONG))
    after = vectorized(strips(rows, 16), data(24, 8, 32), start=1)
    assert len(gathers(after)) == 2  # that the row differs from lane to lane takes four phases
    one_row = add(image(half, 0), image(add(half, 1), 0))
    plain = LetStmt("half", div(at, 2), provide("out", one_row, LONG))
    assert not gathers(vectorized(strips(plain, 16), data(24, 8, 32), start=1))


def test_storage_of_the_lanes_is_read_in_phases():
    at = add(X, variable("start"))
    body = block([provide("g", image(X, 2), 0), provide("out", add(call("g", 0), image(div(at, 2), 0)), X)])
    vectorized(strips(realize("g", ((0, 1),), body)), data(), start=1)


@pytest.mark.parametrize("shift", [-20, -3, 0, 5, 30])
@pytest.mark.parametrize("low, high", [(0, 15), (3, 9), (9, 3), (4, 4)])
def test_clamped_coordinates_are_read_densely(shift, low, high):
    at = add(X, variable("shift"))
    value = add(image(clamped(at, low, high), 0), image(min_(max_(sub(at, 1), low), high), 1))
    after = vectorized(strips(provide("out", value, X)), data(), shift=shift)
    assert not gathers(after)


@pytest.mark.parametrize("shift", [-20, -3, 0, 5, 30])
def test_constants_between_the_limits_of_a_clamp_keep_it_dense(shift):
    at = add(X, variable("shift"))
    value = add(image(max_(sub(min_(at, 10), 2), 3), 0), image(add(min_(max_(at, 4), 9), -1), 1))
    after = vectorized(strips(provide("out", value, X)), data(), shift=shift)
    assert not gathers(after)


@pytest.mark.parametrize("end", [-1, 0, 3, 7, 12, 16])
@pytest.mark.parametrize("shift", [-6, 0, 9])
def test_clamped_coordinates_of_the_first_lanes_are_read_densely(shift, end):
    value = image(clamped(add(X, variable("shift")), 2, 11), 0)
    guarded = when(lt(X, variable("end")), provide("out", value, X))
    after = vectorized(strips(guarded), data(), shift=shift, end=end)
    assert not gathers(after)


@pytest.mark.parametrize("end", [0, 1, 7, 16])
@pytest.mark.parametrize("shift", [-20, -6, 0, 9, 30])
@pytest.mark.parametrize("step, vectors", [(1, 2), (2, 3), (3, 4)])
def test_clamped_neighbours_are_picked_from_vectors_side_by_side(step, vectors, shift, end):
    at = add(mul(X, step), variable("shift"))
    value = image(clamped(at, 2, 11), 0)
    for k in (2, 3, 6):
        value = add(value, image(add(clamped(add(at, k), 1, 10), 1), 0))  # the same limits, written otherwise
    guarded = when(lt(X, variable("end")), provide("out", value, X))
    after = vectorized(strips(guarded), data(), shift=shift, end=end)
    assert not gathers(after)
    assert len({n for n in loads(after) if n.type.nlanes > 1}) == vectors


def test_clamped_coordinates_of_one_place_that_are_written_in_two_ways_are_read_densely():
    at = add(X, variable("shift"))
    value = add(image(clamped(at, 2, 11), 0), image(add(clamped(add(at, -1), 1, 10), 1), 0))
    after = vectorized(strips(provide("out", value, X)), data(), shift=-3)
    assert not gathers(after)
    assert len({n for n in loads(after) if n.type.nlanes > 1}) == 1


def test_clamped_coordinates_far_apart_have_vectors_of_their_own():
    at = add(X, variable("shift"))
    value = add(image(clamped(at, 0, 15), 0), image(clamped(add(at, 100), 0, 15), 0))
    after = vectorized(strips(provide("out", value, X)), data(), shift=-90)
    assert len({n for n in loads(after) if n.type.nlanes > 1}) == 2


def test_coordinates_clamped_on_one_side_touch_nothing_else():
    one = provide("out", add(image(min_(X, variable("far")), 0), image(max_(X, variable("near")), 1)), X)
    after = vectorized(strips(one), data(), far=1000, near=-1000)
    assert not gathers(after)


@pytest.mark.parametrize("combine", [add, sub, mul, min_, max_])
def test_lanes_that_share_an_accumulator_are_reduced(combine):
    before = strips(provide("out", combine(call("out", 0), image(X, 0)), 0))
    first = provide("out", Const(U16, 7), 0)
    after = vectorized(block([first, before]), data(16, 8, 1))
    assert len(loops(after)) == 1 and count(after, VectorReduce) == 1
    assert count(loops(after)[0], VectorReduce) == 0, "lanes are kept apart until the loop ends"


def sums_in_copies(combine, place):
    """Two copies, written out, of a reduction of 8 lanes."""
    clear = loop("k", 0, 2, provide("out", Const(U16, 7), k))
    update = provide("out", combine(call("out", place), image(add(X, k), 0)), place)
    copies = loop("k", 0, 2, loop("xi", 0, 8, update, VECTORIZED), UNROLLED)
    return block([clear, loop("x", 0, 2, copies)])


@pytest.mark.parametrize("combine", [add, min_])
@pytest.mark.parametrize("place", [const(0), k])
def test_copies_of_a_reduction_have_accumulators_of_their_own(combine, place):
    after = vectorized(sums_in_copies(combine, place), data(17, 8, 2))
    assert count(loops(after)[-1], VectorReduce) == 0, "lanes are kept apart until the loop ends"
    assert count(after, Allocate) == 2 and count(after, VectorReduce) == (2 if place is k else 1)


def test_a_sum_and_an_extreme_of_one_element_keep_their_order():
    updates = [provide("out", combine(call("out", 0), image(X, 0)), 0) for combine in (add, min_)]
    apart = block([loop("xi", 0, 8, update, VECTORIZED) for update in updates])
    after = vectorized(block([provide("out", Const(U16, 7), 0), loop("x", 0, 2, apart)]), data(16, 8, 1))
    assert not count(after, Allocate)


def test_sums_of_rows_are_reduced_at_the_end_of_each_row():
    row = provide("out", add(call("out", y), image(X, y)), y)
    before = block([loop("k", 0, 8, provide("out", Const(U16, 0), k)), loop("y", 0, 8, strips(row))])
    after = vectorized(before, data(16, 8, 8))
    assert not any(count(n, VectorReduce) for n in loops(after) if n.name == "x")


def test_lanes_switched_off_add_nothing():
    before = strips(when(lt(X, w), provide("out", add(call("out", 0), image(X, 0)), 0)))
    first = provide("out", Const(U16, 7), 0)
    vectorized(block([first, before]), data(13, 8, 1), w=13)


def test_a_sum_that_each_lane_begins_anew_keeps_the_loop():
    body = block([provide("out", Const(U16, 1), 0), provide("out", add(call("out", 0), image(x, 0)), 0)])
    after = vectorized(strips(body), data(16, 8, 1))
    assert len(loops(after)) == 2


def test_an_accumulator_used_otherwise_keeps_the_loop():
    before = strips(provide("out", add(mul(call("out", 0), Const(U16, 3)), image(X, 0)), 0))
    after = vectorized(block([provide("out", Const(U16, 0), 0), before]), data(16, 8, 1))
    assert len(loops(after)) == 2


def test_histograms_are_updated_lane_by_lane():
    bin_ = mod(Cast(INT32, image(X, 0)), 4)
    clear = loop("k", 0, 4, provide("out", Const(U16, 0), k))
    before = block([clear, strips(provide("out", add(call("out", bin_), Const(U16, 1)), bin_))])
    after = vectorized(before, data(16, 8, 4))
    assert len(loops(after)) == 3


@pytest.mark.parametrize("width", [16, 13])
def test_places_and_parts_of_a_sum_by_values_are_vectors_and_lanes_that_meet_add_up(width):
    place = mod(image(X, 0), 5)
    total = provide("out", add(call("out", place), image(X, 1)), place)
    update = total if width == 16 else when(lt(X, w), total)
    first = loop("k", 0, 5, provide("out", Const(U16, 7), k))
    after = vectorized(block([first, strips(update)]), data(width, 8, 5), w=width)
    assert sorted({n.type.nlanes for n in loads(after) if n.buffer == "in"}) == [8]


def test_sums_by_values_in_an_unrolled_loop_have_places_of_their_own():
    place = mod(image(X, 0), 5)
    planes = loop("k", 0, 2, provide("out", add(call("out", place, k), image(X, k)), place, k), UNROLLED)
    before = loop("x", 0, 2, loop("k", 0, 2, loop("xi", 0, 8, planes.body, VECTORIZED), UNROLLED))
    clear = loop("y", 0, 5, loop("k", 0, 2, provide("out", Const(U16, 0), y, k)))
    vectorized(block([clear, before]), data(16, 8, 5, 2))


def test_a_plain_scatter_is_a_vector():
    before = strips(provide("out", image(X, 0), mod(mul(X, 5), 16)))
    after = vectorized(before, data())
    assert stores(after)[0].value.type.nlanes == 8


def test_the_last_lane_decides_a_store_to_one_place():
    vectorized(strips(provide("out", image(X, 0), x)), data(16, 8, 2))


def test_of_nested_vector_loops_the_inner_one_is_the_vector():
    body = provide("out", image(X, yi), X, yi)
    before = loop("x", 0, 2, loop("yi", 0, 4, loop("xi", 0, 8, body, VECTORIZED), VECTORIZED))
    after = vectorized(before, data(16, 8, 16, 4))
    assert [s.value.type.nlanes for s in stores(after)] == [8] * 4


def test_selects_casts_and_comparisons_are_lane_by_lane():
    wide = Cast(INT32, image(X, 0))
    value = select(lt(wide, 100), Cast(U16, mul(wide, 3)), Cast(U16, Cast(U8, mul(wide, 5))))
    vectorized(strips(provide("out", select(lt(x, 1), value, image(X, 1)), X)), data())
    vectorized(strips(provide("out", Cast(U16, max_(X, mul(x, 9))), X)), data())


def test_loops_of_one_iteration_and_none():
    before = loop("xi", 3, 1, provide("out", image(xi, 0), xi), VECTORIZED)
    assert not count(vectorized(before, data()), For)
    assert vectorize_loops(loop("xi", 3, 0, provide("out", image(xi, 0), xi), VECTORIZED)) is NOTHING


def test_a_loop_of_unknown_extent_stays_a_loop():
    before = loop("xi", 0, w, provide("out", image(xi, 0), xi), VECTORIZED)
    assert len(loops(vectorized(before, data(), w=9, strict=False))) == 1


def test_calls_of_funcs_are_refused():
    with pytest.raises(InternalError, match="after flatten_storage"):
        vectorize_loops(loop("xi", 0, 4, Store("out", image(xi, 0), const(0), TRUE), VECTORIZED))


def test_planes_of_half_the_width_are_interleaved_densely():
    even = eq(mod(X, 2), 0)
    after = vectorized(strips(provide("out", select(even, image(div(X, 2), 0), image(div(X, 2), 1)), X)), data())
    assert [(type(n.index), n.type.nlanes) for n in loads(after)] == [(Ramp, 4)] * 2


def test_quotients_with_a_constant_remainder_reuse_elements():
    after = vectorized(strips(provide("out", add(image(div(add(X, 3), 4), 0), image(div(X, 8), 1)), X)), data())
    assert sorted((type(n.index) is Ramp, n.type.nlanes) for n in loads(after)) == [(False, 1), (True, 3)]


def test_choices_decided_in_each_lane_without_planes():
    value = select(eq(mod(X, 4), 1), image(X, 0), Cast(image(X, 1).type, X))
    vectorized(strips(provide("out", value, X)), data())


def test_quotients_of_unknown_remainder_are_gathered():
    vectorized(strips(provide("out", image(div(add(X, w), 2), 0), X)), data(32), w=5)
