"""Bounds queries: inferred inputs, outputs that must be larger, buffers too tight for whole strips."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ArgumentError, BoundsError, PipecError

x, y = hl.vars("x y")


def box(buffer):
    return [(buffer.dim(d).min(), buffer.dim(d).extent()) for d in range(buffer.dimensions())]


def test_inputs_become_large_enough():
    image, f = hl.ImageParam(hl.UInt(8), 2), hl.Func()
    f[x, y] = image[x - 1, y] + image[x + 2, 2 * y + 1]
    f.infer_input_bounds([10, 5])
    assert box(image.get()) == [(-1, 13), (0, 10)] and image.get().type() == hl.UInt(8)
    image.get().fill(1)
    assert f.realize([10, 5]).all_equal(2)


def test_inputs_for_a_buffer_of_the_output():
    image, f = hl.ImageParam(hl.UInt(8), 1), hl.Func()
    f[x] = image[x + 1]
    output = hl.Buffer(hl.UInt(8), [4])
    output.set_min([100])
    f.infer_input_bounds(output)
    assert box(image.get()) == [(101, 4)]


def test_an_output_that_is_never_as_large_as_demanded_is_an_error():
    f = hl.Func("f")
    f[x] = x
    f.output_buffer().dim(0).set_extent(f.output_buffer().dim(0).extent() + 1)
    with pytest.raises(BoundsError, match=r"No finite size of f\S* meets the constraints on its output_buffer"):
        f.infer_input_bounds([10])


def test_the_query_of_a_callable_meets_what_is_demanded_of_the_output():
    f = hl.Func("f")
    f[x] = x
    extent = f.output_buffer().dim(0).extent()
    f.output_buffer().dim(0).set_extent(hl.select(extent < 22, extent + 1, extent))
    query = hl.Buffer.make_bounds_query(hl.Int(32), [7])
    f.compile_to_callable([])(query)
    assert box(query) == [(0, 22)]


def test_inputs_that_are_set_stay():
    image, f = hl.ImageParam(hl.UInt(8), 1), hl.Func()
    f[x] = image[x]
    inputs = hl.Buffer(hl.UInt(8), [4])
    image.set(inputs)
    f.infer_input_bounds([10])
    assert image.get() is inputs


def test_constraints_on_inputs_are_respected():
    image, f = hl.ImageParam(hl.UInt(8), 3), hl.Func()
    c = hl.Var("c")
    image.dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3)
    image.dim(1).set_min(-4)
    f[x, y, c] = image[x, y, c]
    f.infer_input_bounds([8, 6, 2])
    result = image.get()
    assert box(result) == [(0, 8), (-4, 10), (0, 3)] and result.dim(0).stride() == 3
    result.fill(9)
    assert f.realize([8, 6, 2]).all_equal(9)


def test_inputs_with_boundary_conditions_settle():
    image, f = hl.ImageParam(hl.UInt(8), 1), hl.Func()
    f[x] = hl.BoundaryConditions.repeat_edge(image)[x - 3]
    f.infer_input_bounds([8])
    image.get().fill(5)
    assert f.realize([8]).all_equal(5)


def test_inputs_that_must_be_larger_than_themselves():
    image, f = hl.ImageParam(hl.UInt(8), 1), hl.Func()
    f[x] = image[x] + image[x + image.width()]
    with pytest.raises(PipecError, match="infer_input_bounds"):
        f.infer_input_bounds([8])


def test_params_take_part():
    image, shift, f = hl.ImageParam(hl.UInt(8), 1), hl.Param(hl.Int(32), 3), hl.Func()
    f[x] = image[x + shift]
    f.infer_input_bounds([8])
    assert box(image.get()) == [(3, 8)]


def copy_of_image(dimensions=2):
    image, f = hl.ImageParam(hl.UInt(8), dimensions), hl.Func()
    args = hl.vars("x y c")[:dimensions]
    f[args] = image[args]
    return image, f


def strides(buffer):
    return [buffer.dim(d).stride() for d in range(buffer.dimensions())]


def test_demands_on_the_output_hold_for_the_inputs():
    image, f = copy_of_image()
    width = hl.Param(hl.Int(32), 12)
    f.output_buffer().dim(0).set_bounds(-2, width)
    f.output_buffer().dim(1).set_min(3)
    f.infer_input_bounds([10, 5])
    assert box(image.get()) == [(-2, 12), (3, 5)]


def test_demands_on_the_output_change_a_query():
    image, f = copy_of_image()
    f.output_buffer().dim(0).set_bounds(0, 16)
    f.output_buffer().dim(1).set_extent(8).set_stride(32)
    output = hl.Buffer.make_bounds_query(hl.UInt(8), [10, 5])
    f.infer_input_bounds(output)
    assert box(output) == box(image.get()) == [(0, 16), (0, 8)]
    assert strides(output) == [1, 32] and strides(image.get()) == [1, 16]
    output.allocate()
    image.get().fill(3)
    f.realize(output)
    assert strides(output) == [1, 32] and output.all_equal(3)


def test_a_query_learns_what_updates_write():
    f = hl.Func()
    f[x] = 0
    f[20] = 1
    output = hl.Buffer.make_bounds_query(hl.Int(32), [10])
    f.infer_input_bounds(output)
    assert box(output) == [(0, 21)]


def test_a_call_with_queries_answers_with_the_strides_that_are_demanded():
    image, f = copy_of_image(3)
    image.dim(0).set_stride(4).dim(2).set_stride(1)
    f.output_buffer().dim(1).set_stride(64)
    output = hl.Buffer.make_bounds_query(hl.UInt(8), [10, 5, 3])
    inputs = hl.Buffer.make_bounds_query(hl.UInt(8), [1, 1, 1])
    f.compile_to_callable([image])(inputs, output)
    assert box(inputs) == box(output) == [(0, 10), (0, 5), (0, 3)]
    assert strides(inputs) == [4, 40, 1] and strides(output) == [1, 64, 320]


@pytest.mark.parametrize(
    ("dimension", "stride", "expected"), [(1, 32, [1, 32]), (0, 2, [2, 20]), (1, 10, [1, 10])], ids=str
)
def test_realizations_have_the_strides_that_are_demanded(dimension, stride, expected):
    f = hl.Func()
    f[x, y] = x + 10 * y
    f.output_buffer().dim(dimension).set_stride(stride)
    result = f.realize([10, 5])
    assert strides(result) == expected
    assert (np.asarray(result).ravel() == np.arange(50)).all()


def test_strides_without_room_are_refused():
    f = hl.Func()
    f[x, y] = x + 10 * y
    f.output_buffer().dim(1).set_stride(4)
    with pytest.raises(PipecError, match="stride.1"):
        f.realize([10, 5])


def test_several_outputs():
    image, f, g = hl.ImageParam(hl.Int(32), 1), hl.Func(), hl.Func()
    f[x] = image[x]
    g[x] = image[x + 5]
    hl.Pipeline([f, g]).infer_input_bounds([4])
    assert box(image.get()) == [(0, 9)]
    with pytest.raises(ArgumentError, match="Buffers for 2 outputs"):
        hl.Pipeline([f, g]).infer_input_bounds(hl.Buffer(hl.Int(32), [3]))


def test_arguments_are_inferred():
    b, a, p, f = (
        hl.ImageParam(hl.UInt(8), 2, "b_"),
        hl.ImageParam(hl.UInt(8), 1, "a_"),
        hl.Param(hl.Int(32), "A_"),
        hl.Func(),
    )
    f[x, y] = b[x, y] + a[x] + p + hl.Buffer(np.zeros(4, np.int32))[x]
    result = f.infer_arguments()
    assert [(i.name, i.kind.name, i.dimensions) for i in result] == [
        ("a_", "InputBuffer", 1),
        ("b_", "InputBuffer", 2),
        ("A_", "InputScalar", 0),
    ]
    f.compile_to_callable(result)


@pytest.mark.parametrize("size", [1, 3, 7, 8, 9, 20])
@pytest.mark.parametrize("tail", ["RoundUp", "ShiftInwards", "GuardWithIf", "Auto"])
def test_every_tail_is_right_for_every_size(size, tail):
    image, f = hl.ImageParam(hl.Int(32), 1), hl.Func()
    f[x] = image[x] + image[x + 2]
    f.vectorize(x, 8, getattr(hl.TailStrategy, tail))
    data = np.arange(size + 2, dtype=np.int32) ** 2
    image.set(data)
    expected = data[:-2] + data[2:]
    assert np.asarray(f.realize([size])).tolist() == expected.tolist()
    frame = np.full(size + 2, -1, np.int32)
    f.realize(hl.Buffer(frame[1:-1]))
    assert frame.tolist() == [-1, *expected.tolist(), -1]


def test_memory_that_cannot_be_had_is_an_error():
    f, g, n = hl.Func(), hl.Func(), hl.Param(hl.Int(32), 2**30)
    f[x, y] = hl.u64(x + y)
    g[x] = f[x, 0] + f[x + n, n]
    f.compute_root()
    with pytest.raises(PipecError):
        g.realize([2**10])
    n.set(3)
    assert g.realize([4])[0] == 6


def test_wrong_arguments_of_a_bounds_query():
    f, im = hl.Func("f"), hl.ImageParam(hl.UInt(8), 2, "im")
    f[x, y] = im[x, y]
    for wrong in ([1.5, 2], "ab", None, f, [4, hl.Buffer(hl.UInt(8), [4, 5])]):
        with pytest.raises(ValueError, match="Invalid arguments to infer_input_bounds"):
            f.infer_input_bounds(wrong)
    with pytest.raises(TypeError, match="a Target is needed"):
        f.infer_input_bounds([4, 5], 3)
    with pytest.raises(hl.HalideError, match="a Buffer of 1 dimensions for f"):
        f.infer_input_bounds(hl.Buffer(hl.UInt(8), [4]))


def test_outputs_of_several_funcs_are_allocated_whatever_pixels_decide_what_is_read():
    x, y = hl.vars("x y")
    image, inside, first, second = hl.Buffer(np.array([[3, 200], [1, 0]], np.uint8)), *hl.funcs("inside first second")
    inside[x, y] = image[hl.clamp(x, 0, 1), hl.clamp(y, 0, 1)]
    first[()] = (1, 2)
    second[()] = (inside[hl.i32(inside[18, 13]), 11], first[()][1])
    results = [int(result[()]) for result in hl.Pipeline([first, second]).realize([])]
    assert results == [1, 2, 1, 2]
