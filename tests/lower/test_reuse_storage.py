"""Buffers that are never needed at the same time."""

import numpy as np
from hand_written import *

from pipec.ir.build import constant
from pipec.ir.expr import Const
from pipec.ir.stmt import Allocate
from pipec.ir.walk import postorder
from pipec.lower.passes.allocations import reuse_storage
from pipec.lower.passes.flatten_storage import flatten_storage


def step(name, source, types=(U16,)):
    """name[x] = source[x] + 1"""
    at = variable(f"x.{name}")
    value = image(at) if source == "in" else Cast(U16, call(source, at, type_=types[0]))
    return loop(f"x.{name}", 0, w, provide(name, add(value, Const(U16, 1)), at))


def chain(names, extents=None):
    """Each stage reads the one before it; the last is the output."""
    body = block([step(name, source) for source, name in zip(["in", *names[:-1]], names, strict=True)])
    for i, name in enumerate(names[:-1]):
        body = realize(name, ((0, extents[i] if extents else w),), body)
    return body


def shared(before, count_, width=20):
    flat = flatten_storage(before)
    after = reuse_storage(flat)
    result = [node for node in postorder(after) if isinstance(node, Allocate)]
    assert len(result) == count_
    same(flat, after, {"in": picture(width, 1)[:, 0], "out": np.zeros(width, np.uint16)}, w=width)
    return after


def test_a_chain_needs_two_buffers():
    shared(chain(["a", "b", "c", "d", "e", "out"]), 2)


def test_a_shared_buffer_has_the_largest_size():
    after = shared(chain(["a", "b", "c", "out"], [5000, 6000, 7000]), 2)
    sizes = {node.name: constant(node.size) for node in postorder(after) if isinstance(node, Allocate)}
    assert sizes == {"a": 7000, "b": 6000}


def test_small_arrays_of_constant_size_stay_apart():
    shared(chain(["a", "b", "c", "out"], [32, 32, 32]), 3)


def test_buffers_needed_to_the_end_stay_apart():
    sums = loop("x", 0, w, provide("out", add(call("a", x), add(call("b", x), call("c", x))), x))
    body = block([step("a", "in"), step("b", "a"), step("c", "b"), sums])
    for name in "abc":
        body = realize(name, ((0, w),), body)
    shared(body, 3)


def test_buffers_in_a_loop_are_shared_in_it():
    body = chain(["a", "b", "c", "out"])
    shared(loop("k", 0, 2, body), 2)


def test_a_buffer_of_another_type_is_not_shared():
    wide = loop("x.c", 0, w, provide("c", Cast(INT32, call("b", variable("x.c"))), variable("x.c")))
    out = loop("x", 0, w, provide("out", Cast(U16, call("c", x, type_=INT32)), x))
    body = block([step("a", "in"), step("b", "a"), wide, out])
    body = realize("c", ((0, w),), body, types=(INT32,))
    for name in "ab":
        body = realize(name, ((0, w),), body)
    shared(body, 3)
