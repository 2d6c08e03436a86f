"""Buffers whose size no iteration changes."""

import numpy as np
import pytest
from hand_written import *

import pipec as hl
from pipec.ir.expr import Const
from pipec.ir.stmt import Allocate, For, LetStmt
from pipec.ir.walk import postorder
from pipec.lower.passes.allocations import hoist_allocations
from pipec.lower.passes.flatten_storage import flatten_storage


def rows(width, kind=SERIAL):
    """out[x, y] = f[x] in every row, where f[x] = in[x, y] + 1."""
    f = loop("x.f", 0, w, provide("f", add(image(variable("x.f"), y), Const(U16, 1)), variable("x.f")))
    out = loop("x", 0, w, provide("out", call("f", x), x, y))
    return loop("y", 0, h, realize("f", ((0, width),), block([f, out])), kind)


def around(before, height=7):
    """Whether the allocation stands around the loop over y after hoisting; results stay."""
    flat = flatten_storage(before)
    after = hoist_allocations(flat)
    same(flat, after, {"in": picture(20, 7), "out": np.zeros((20, 7), np.uint16)}, w=20, h=height)
    (inside,) = [node for node in postorder(after) if isinstance(node, For) and node.name == "y"]
    return count(after, Allocate) == 1 and count(inside, Allocate) == 0


def test_a_buffer_of_the_same_size_in_every_row_is_allocated_once():
    assert around(rows(mul(w, 300)))


def test_a_loop_that_never_runs_needs_no_buffer():
    assert around(rows(mul(w, 300)), height=0)
    after = hoist_allocations(flatten_storage(rows(mul(w, 300))))
    assert isinstance(after, Allocate) and "h > 0" in str(after.size)


def test_sizes_by_way_of_lets_are_defined_outside():
    f = rows(variable("n"))
    assert around(For(f.name, f.minimum, f.extent, f.kind, LetStmt("n", mul(w, 300), f.body)))


def test_a_buffer_that_grows_with_the_rows_stays():
    assert not around(rows(add(mul(y, 300), w)))
    f = rows(variable("n"))
    assert not around(For(f.name, f.minimum, f.extent, f.kind, LetStmt("n", add(mul(y, 300), w), f.body)))


def test_threads_keep_buffers_of_their_own():
    assert not around(rows(mul(w, 300), kind=PARALLEL))


def test_small_arrays_stay():
    assert not around(rows(32))


@pytest.mark.parametrize("size", [(40, 30), (1, 1)])
def test_programs_with_buffers_in_each_row_and_strip_give_the_same(size):
    a = np.arange(200 * 64, dtype=np.uint16).reshape(64, 200)
    u, v, strip = hl.vars("u v strip")
    source, across, down, both = hl.ImageParam(hl.UInt(16), 2, "source"), *hl.funcs("across down both")
    across[u, v] = source[u, v] + source[u + 1, v]
    down[u, v] = across[u, v] + across[u, v + 1]
    both[u, v] = down[u, v] + down[u + 2, v]
    both.split(v, strip, v, 8, hl.TailStrategy.GuardWithIf)
    down.compute_at(both, v)
    across.compute_at(both, strip)
    out = np.zeros(size[::-1], np.uint16)
    both.compile_to_callable([source])(a, out)
    width, height = size
    expected = a[: height + 1, :-1] + a[: height + 1, 1:]
    expected = expected[:-1] + expected[1:]
    assert np.array_equal(out, expected[:, :width] + expected[:, 2 : width + 2])
