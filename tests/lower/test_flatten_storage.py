"""Flat indices: layout, alignment, folds, tuples, minima of buffers."""

import numpy as np
import pytest
from hand_written import *

from pipec.ir.build import constant, sub
from pipec.ir.expr import FuncCall, ImageCall, Load, const
from pipec.ir.stmt import Allocate, LetStmt, MemoryType, Provide, Realize
from pipec.ir.walk import postorder
from pipec.lower.passes.flatten_storage import flatten_storage

px, py = variable("px"), variable("py")


def sums_of_rows(layout=None, fold=None):
    """out[x, y] = g[x, y] + g[x, y + 2] with g computed row by row."""
    produce = loop("py", y, 3, loop("px", 0, w, provide("g", image(px, py), px, py)))
    consume = loop("x", 0, w, provide("out", add(call("g", x, y), call("g", x, add(y, 2))), x, y))
    body = realize("g", ((0, w), (y, 3)), block([produce, consume]), layout=layout, folds=(None, fold))
    return loop("y", 0, sub(h, 2), body)


def buffers():
    return {"in": picture(13, 7), "out": np.zeros((13, 5), np.uint16)}


def flat(stmt, **strides):
    result = flatten_storage(stmt, **strides)
    assert count(result, Provide, Realize, FuncCall, ImageCall) == 0
    return result


def allocation(stmt):
    (result,) = [node for node in postorder(stmt) if isinstance(node, Allocate)]
    return result


def test_values_are_loaded_from_where_they_were_stored():
    before = sums_of_rows()
    got = same(before, flat(before), buffers(), w=13, h=7)
    np.testing.assert_array_equal(got["out"], got["in"][:, :5] + got["in"][:, 2:])


def test_layout_orders_and_aligns_dimensions():
    before = sums_of_rows(layout=((1, 8), (0, 1)))
    after = flat(before)
    same(before, after, buffers(), w=13, h=7)
    size = allocation(flat(loop("y", 0, 1, realize("g", ((0, 5), (0, 3)), NOTHING, layout=((1, 8), (0, 1)))))).size
    assert constant(size) == 8 * 5


def test_folded_dimension_is_circular():
    before = sums_of_rows(fold=const(4))
    after = flat(before)
    same(before, after, buffers(), w=13, h=7)
    assert constant(allocation(flat(realize("g", ((0, 5), (y, 3)), NOTHING, folds=(None, const(4))))).size) == 20


def test_minima_of_arguments_are_subtracted():
    before = loop("y", -3, h, loop("x", 5, w, provide("out", image(sub(x, 10), y), x, y)))
    data = {"in": Image(picture(13, 7), (-5, -3)), "out": Image(np.zeros((13, 7), np.uint16), (5, -3))}
    same(before, flat(before), data, w=13, h=7)


def test_values_of_a_tuple_are_all_computed_before_the_first_is_stored():
    first = loop("x", 0, 4, provide("t", (image(x, 0), image(x, 1)), x))
    swapped = loop("x2", 0, 4, provide("t", (call("t", x2, value_index=1), call("t", x2)), x2))
    out = loop("x3", 0, 4, provide("out", call("t", x3), x3))
    before = realize("t", ((0, 4),), block([first, swapped, out]), types=(U16, U16))
    data = {"in": picture(13, 7), "out": np.zeros(4, np.uint16)}
    got = same(before, flat(before), data)
    np.testing.assert_array_equal(got["out"], got["in"][:4, 1])


x2, x3 = variable("x2"), variable("x3")


def test_constant_strides_replace_variables():
    before = loop("x", 0, 4, provide("out", image(x, 1), x))
    after = flatten_storage(before, {("in", 0): const(3), ("in", 1): const(1)})
    planar = picture(3, 4).ravel(order="F")
    from pipec.ir.interp import Image, run

    got = run(after, {"in": Image(planar), "out": np.zeros(4, np.uint16)}, {"in.min.1": 0})
    np.testing.assert_array_equal(got["out"], planar[1::3])


def test_a_long_minimum_gets_a_name_and_a_short_one_cancels():
    minimum = mul(variable("t"), 8)
    produce = loop("px", minimum, 8, provide("g", image(px), px))
    consume = loop("x", minimum, 8, provide("out", call("g", x), x))
    before = loop("t", 0, 2, realize("g", ((minimum, 8),), block([produce, consume])))
    after = flat(before)
    assert count(after, LetStmt) == 0
    same(before, after, {"in": picture(16, 1)[:, 0], "out": np.zeros(16, np.uint16)})


def test_the_offset_of_neighbours_is_the_last_addition():
    before = loop("y", 0, h, loop("x", 0, w, provide("out", add(image(x, y), image(add(x, 2), y)), x, y)))
    loads = [node.index for node in postorder(flat(before)) if isinstance(node, Load)]
    near, far = sorted(loads, key=lambda e: constant(e.b) or 0)
    assert far.a is near


def sizes(*extents, memory=MemoryType.Auto):
    """The elements that are allocated for a box of 16-bit numbers."""
    stmt = realize("g", tuple([(0, extent) for extent in extents]), NOTHING, memory=memory)
    return constant(allocation(flat(stmt)).size)


def test_rows_that_would_share_few_lines_of_a_cache_lie_a_line_apart():
    assert sizes(512, 64) == (512 + 32) * 64
    assert sizes(510, 64) == 510 * 64
    assert sizes(64, 64, 16) == (64 * 64 + 32) * 16
    assert sizes(4096) == 4096


def test_storage_that_a_cache_holds_is_dense():
    assert sizes(512, 32) == 512 * 32
    assert sizes(512, 64, memory=MemoryType.Stack) == 512 * 64


@pytest.mark.slow
def test_rows_whose_length_is_not_constant_lie_apart_when_they_must():
    before = sums_of_rows()
    for width in (13, 512, 1024):
        inputs = {"in": picture(width, 7), "out": np.zeros((width, 5), np.uint16)}
        got = same(before, flat(before), inputs, w=width, h=7)
        np.testing.assert_array_equal(got["out"], got["in"][:, :5] + got["in"][:, 2:])
