"""Filters along a row by dot products: each lane reads a window of neighbours that overlaps those of other lanes."""

import numpy as np
import pytest

import pipec as hl
from pipec.ir.expr import Load, VectorReduce
from pipec.ir.tensor import tensor_calls_of
from pipec.ir.walk import instances
from tests.tensor.dot_products import integers, program_of

VNNI = "x86.vpdpbusd.256"
WIDTH, LANES = 40, 8
x, xi = hl.vars("x xi")
ko, ki = hl.RVar("ko"), hl.RVar("ki")


def row_filter(kind, step, taps):
    """The image, the Func, and its result in numpy; each result adds products of `taps` elements with weights."""
    pixels, weights = integers(kind, (step * (WIDTH - 1) + taps,)), integers("int8", (taps,), 1)
    image, k, c = hl.Buffer(pixels), hl.RDom([(0, taps)], "k"), hl.Func("c")
    source, w = hl.ImageParam(image.type(), 1, "source"), hl.Buffer(weights)
    source.set(image)
    c[x] = 0
    c[x] += hl.i32(source[step * x + k]) * hl.i32(w[k])
    windows = np.lib.stride_tricks.sliding_window_view(pixels.astype(np.int32), taps)[::step]
    return k, c, windows @ weights.astype(np.int32)


def by_intrinsic(k, c):
    c.update().split(x, x, xi, LANES).split(k.x, ko, ki, 4).reorder(ki, xi, ko, x).tensorize([xi, ki], VNNI)


@pytest.mark.parametrize("step", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("taps", [1, 3, 4, 7, 8, 21])
def test_by_an_intrinsic(step, taps):
    k, c, expected = row_filter("uint8", step, taps)
    by_intrinsic(k, c)
    np.testing.assert_array_equal(np.asarray(c.realize([WIDTH])), expected)


@pytest.mark.parametrize("step, loads", [(1, 2), (2, 2), (3, 2), (4, 1)])
def test_a_window_of_all_lanes_is_two_dense_loads(step, loads):
    k, c, _ = row_filter("uint8", step, 8)
    by_intrinsic(k, c)
    for call in tensor_calls_of(program_of(c).body):
        assert len(list(instances(Load, call.operands[1]))) == loads


def test_terms_that_no_group_has_follow_each_other_in_vectors():
    k, c, _ = row_filter("uint8", 1, 7)
    by_intrinsic(k, c)
    assert not list(instances(VectorReduce, program_of(c).body))


@pytest.mark.parametrize("kind", ["uint8", "int16", "int32"])
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("group", [2, 3, 4, 8])
def test_by_vectors_of_vectors(kind, step, group):
    k, c, expected = row_filter(kind, step, 24)
    update = c.update().split(x, x, xi, LANES).split(k.x, ko, ki, group).reorder(ki, xi, ko, x)
    update.atomic().vectorize(xi).vectorize(ki)
    np.testing.assert_array_equal(np.asarray(c.realize([WIDTH])), expected)
