"""Constraints on the bounds and strides of inputs and outputs: Halide's programs about them."""

import numpy as np
import pytest
from helpers import check, grid


def test_constraints_of_an_output_hold(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = x + y
    f.output_buffer().dim(0).set_bounds(0, 8)
    f.output_buffer().dim(1).set_stride(16)
    with pytest.raises(hl.HalideError):
        f.realize(hl.Buffer(hl.Int(32), [7, 4]))
    with pytest.raises(hl.HalideError):
        f.realize(hl.Buffer(hl.Int(32), [8, 4]))
    array = np.zeros((4, 16), np.int32)
    out = hl.Buffer(array[:, :8])
    f.realize(out)
    xs, ys = grid(8, 4)
    check(out, xs + ys)


def test_constraints_of_an_input_are_used_when_its_region_is_asked_for(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    image = hl.ImageParam(hl.UInt(8), 2)
    f[x, y] = image[x, y] + 1
    image.dim(0).set_min(0)
    image.dim(0).set_extent((image.dim(0).extent() + 7) // 8 * 8)
    f.infer_input_bounds([13, 3])
    source = image.get()
    assert [(source.dim(i).min(), source.dim(i).extent()) for i in range(2)] == [(0, 16), (0, 3)]


@pytest.mark.parametrize("first", [3, 7])
def test_a_constraint_on_the_first_element_that_is_read(hl, first):
    x, f, image = hl.Var("x"), hl.Func("f"), hl.ImageParam(hl.UInt(8), 1)
    f[x] = image[x + 1]
    image.dim(0).set_min((image.dim(0).min() // 4) * 4)
    out = hl.Buffer(hl.UInt(8), [9])
    out.set_min([first])
    f.infer_input_bounds(out)
    dim = image.get().dim(0)
    assert (dim.min(), dim.max()) == (first + 1, first + 9)


def test_an_input_that_is_read_outside_of_its_constraints_has_no_region(hl):
    f, image = hl.Func("f"), hl.ImageParam(hl.UInt(8), 1)
    f[()] = image[20]
    image.dim(0).set_bounds(0, 10)
    with pytest.raises((hl.HalideError, ValueError), match="Invalid arguments to infer_input_bounds"):
        f.infer_input_bounds([])


def test_constraints_that_depend_on_each_other(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    image = hl.ImageParam(hl.UInt(8), 2)
    f[x, y] = image[x, y] + 1
    image.dim(0).set_bounds(0, 128).dim(1).set_bounds(0, 128)
    image.dim(1).set_stride(image.dim(0).extent() * image.dim(0).stride())
    f.infer_input_bounds([20, 30])
    assert [image.get().dim(i).extent() for i in range(2)] == [128, 128]


def test_constraints_of_inputs_and_outputs_that_take_several_rounds(hl):
    x, y, f, source = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.ImageParam(hl.Float(32), 2)
    f[x, y] = source[x + 1, y + 1] + source[x - 1, y - 1]
    f[x, y] += 3.0
    f.update(0).vectorize(x, 4)
    out = f.output_buffer()
    source.dim(0).set_bounds(source.dim(1).min() - 5, source.dim(1).extent() + out.dim(0).extent())
    out.dim(0).set_bounds(0, hl.select(out.dim(0).extent() < 22, out.dim(0).extent() + 1, out.dim(0).extent()))
    requested = hl.Buffer(hl.Float(32), [7, 8])
    requested.set_min([2, 2])
    f.infer_input_bounds(requested)
    dims = source.get()
    assert [(dims.dim(k).min(), dims.dim(k).extent()) for k in range(2)] == [(-4, 18), (1, 10)]


def test_bounds_of_a_query_change_until_they_meet_what_is_demanded_of_them(hl):
    x, y, f, source = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.ImageParam(hl.Float(32), 2)
    f[x, y] = source[x + 1, y + 1] + source[x - 1, y - 1]
    out = f.output_buffer()
    source.dim(0).set_bounds(source.dim(1).min() - 5, source.dim(1).extent() + out.dim(0).extent())
    out.dim(0).set_bounds(0, hl.select(out.dim(0).extent() < 22, out.dim(0).extent() + 1, out.dim(0).extent()))
    query = hl.Buffer.make_bounds_query(hl.Float(32), [7, 8])
    query.set_min([2, 2])
    f.infer_input_bounds(query)
    dims = source.get()
    assert [(dims.dim(k).min(), dims.dim(k).extent()) for k in range(2)] == [(-4, 32), (1, 10)]
    assert [(query.dim(k).min(), query.dim(k).extent()) for k in range(2)] == [(0, 22), (2, 8)]


def test_an_output_whose_width_is_a_multiple_of_eight(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = x * y
    out = f.output_buffer()
    out.dim(0).set_stride(1).set_bounds(0, out.dim(0).extent() // 8 * 8)
    xs, ys = grid(16, 3)
    check(f.realize([16, 3]), xs * ys)
    with pytest.raises(hl.HalideError):
        f.realize(hl.Buffer(hl.Int(32), [15, 3]))
