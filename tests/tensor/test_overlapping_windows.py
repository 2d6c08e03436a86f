"""Filters along a row by dot products: each lane reads a window of neighbours that overlaps those of other lanes."""

import numpy as np
import pytest

import pipec as hl
from pipec.ir.expr import Load, VectorReduce
from pipec.ir.tensor import tensor_calls_of, tensor_intrinsics
from pipec.ir.walk import instances
from pipec.pipeline.tensor.prove import is_supported
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
@pytest.mark.part(3)
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
@pytest.mark.part(3)
def test_by_vectors_of_vectors(kind, step, group):
    k, c, expected = row_filter(kind, step, 24)
    update = c.update().split(x, x, xi, LANES).split(k.x, ko, ki, group).reorder(ki, xi, ko, x)
    update.atomic().vectorize(xi).vectorize(ki)
    np.testing.assert_array_equal(np.asarray(c.realize([WIDTH])), expected)


@pytest.mark.parametrize("step", [1, 2, 4, 8])
def test_beyond_the_edges_of_an_image(step):
    """The filter is wider than what is left at the ends of a row."""
    k, taps = hl.RDom([(-8, 16)], "k"), 16
    pixels = integers("uint8", (step * WIDTH - 3,))
    source, c = hl.BoundaryConditions.repeat_edge(hl.Buffer(pixels)), hl.Func("c")
    weights = integers("int8", (taps,), 1)
    w = hl.Buffer(weights)
    c[x] = 0
    c[x] += hl.i32(source[step * x + k]) * hl.i32(w[k + 8])
    by_intrinsic(k, c)
    padded = np.pad(pixels.astype(np.int32), (8, 64), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, taps)[::step][:WIDTH]
    np.testing.assert_array_equal(np.asarray(c.realize([WIDTH])), windows @ weights.astype(np.int32))


@pytest.mark.parametrize("kind", [hl.UInt(16), hl.Int(32), hl.UInt(32)], ids=str)
@pytest.mark.parametrize("step", [1, 8])
def test_sums_of_absolute_differences(kind, step):
    a, b = [integers("uint8", (step * WIDTH + 16,), seed) for seed in (0, 1)]
    first, second, k, c = hl.Buffer(a), hl.Buffer(b), hl.RDom([(0, 8)], "k"), hl.Func("c")
    c[x] = hl.cast(kind, x)
    c[x] += hl.cast(kind, hl.absd(first[step * x + k], second[step * x + k + 3]))
    c.update().split(x, x, xi, 4).reorder(k.x, xi, x).tensorize([xi, k.x], f"x86.vpsadbw.256.{kind}")
    differences = np.abs(a[:-3].astype(np.int64) - b[3:])
    windows = np.lib.stride_tricks.sliding_window_view(differences, 8)[::step][:WIDTH]
    np.testing.assert_array_equal(np.asarray(c.realize([WIDTH])), windows.sum(1) + np.arange(WIDTH))


@pytest.mark.slow
def test_a_search_compares_blocks_by_the_instruction():
    """Blocks of 8 x 8 bytes, which are as many as the instruction has terms, clamped to the edge."""
    y, i = hl.vars("y i")
    a, b = [hl.BoundaryConditions.repeat_edge(hl.Buffer(integers("uint8", (96, 256), seed))) for seed in (0, 1)]
    r, c, out = hl.RDom([(0, 8), (0, 8)], "r"), hl.Func("c"), hl.Func("out")
    c[x, y, i] = hl.u16(0)
    c[x, y, i] += hl.u16(hl.absd(a[8 * x + r.x, 8 * y + r.y], b[8 * x + r.x + i, 8 * y + r.y]))
    out[x, y] = hl.min(c[x, y, -1], c[x, y, 0], c[x, y, 1])
    expected = np.asarray(out.realize([32, 12])).copy()
    result = hl.Pipeline(out).autoschedule(sizes=[32, 12], verify=False, search_seconds=2.5)
    if is_supported(tensor_intrinsics()["x86.vpsadbw.256.uint16"]):
        assert "vpsadbw" in result.schedule.to_python()
    np.testing.assert_array_equal(np.asarray(out.realize([32, 12])), expected)
