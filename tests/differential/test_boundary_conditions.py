"""The five boundary conditions in one to three dimensions, on regions larger than the input; against the wheel."""

import numpy as np
import pytest
from differential import equals, same

KINDS = ["constant_exterior", "repeat_edge", "repeat_image", "mirror_image", "mirror_interior"]
PAD = {"repeat_edge": "edge", "repeat_image": "wrap", "mirror_image": "symmetric", "mirror_interior": "reflect"}
RANDOM = np.random.default_rng(14)
by_kind = pytest.mark.parametrize("kind", KINDS)


def bounded(hl, kind, image, *more):
    condition = getattr(hl.BoundaryConditions, kind)
    return condition(image, 7, *more) if kind == "constant_exterior" else condition(image, *more)


def padded(kind, array, margin):
    if kind == "constant_exterior":
        return np.pad(array, margin, constant_values=7)
    return np.pad(array, margin, mode=PAD[kind])


@pytest.mark.part(3)
@by_kind
@pytest.mark.parametrize("shape", [(5,), (1,), (4, 6), (2, 3, 4)])
def test_each_condition_in_each_dimension(kind, shape):
    if kind == "mirror_interior" and shape == (1,):
        pytest.skip("one element has no interior to mirror")
    array = RANDOM.integers(0, 256, shape).astype(np.uint8)
    margin = 9

    def program(hl):
        index = [hl.Var(name) for name in "xyz"[: len(shape)]]
        image = hl.Buffer(array)
        f = hl.Func("f")
        f[index] = bounded(hl, kind, image)[[var - margin for var in index]]
        return f.realize([extent + 2 * margin for extent in shape[::-1]])

    equals(program, padded(kind, array, margin))


@by_kind
@pytest.mark.part(3)
def test_conditions_of_an_image_parameter_scheduled_and_offset(kind):
    array = RANDOM.integers(0, 256, (6, 7)).astype(np.uint8)

    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image = hl.ImageParam(hl.UInt(8), 2, "image")
        buffer = hl.Buffer(array)
        buffer.set_min([3, -4])
        image.set(buffer)
        edge = bounded(hl, kind, image)
        f = hl.Func("f")
        f[x, y] = hl.u16(edge[x - 1, y]) + edge[x, y - 1] + edge[x + 1, y + 1]
        edge.compute_at(f, y)
        f.vectorize(x, 4).parallel(y)
        out = hl.Buffer(hl.UInt(16), [16, 17])
        out.set_min([-2, -9])
        f.realize(out)
        return out

    same(program)


@by_kind
@pytest.mark.part(3)
def test_explicit_bounds(kind):
    array = RANDOM.integers(0, 256, (6, 9)).astype(np.uint8)

    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image = hl.Buffer(array)
        f = hl.Func("f")
        f[x, y] = bounded(hl, kind, image, [(1, 5), (2, 3)])[x - 4, y - 4]
        return f.realize([13, 11])

    same(program)


@by_kind
@pytest.mark.part(3)
def test_bounds_of_only_the_first_dimensions(kind):
    array = RANDOM.integers(0, 256, (3, 4, 5)).astype(np.uint8)

    def program(hl):
        x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
        image = hl.Buffer(array)
        f = hl.Func("f")
        f[x, y, c] = bounded(hl, kind, image, [(0, 5), (0, 4)])[x - 3, y - 2, c]
        return f.realize([11, 9, 3])

    same(program)


def test_condition_of_a_func_with_bounds():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        inner, f = hl.Func("inner"), hl.Func("f")
        inner[x, y] = x * 10 + y
        edge = hl.BoundaryConditions.repeat_edge(inner, [(0, 4), (0, 3)])
        f[x, y] = edge[x - 2, y - 2]
        return f.realize([8, 7])

    same(program)


def test_constant_exterior_with_an_expression():
    array = RANDOM.normal(size=(3, 4)).astype(np.float32)

    def program(hl):
        x, y, p = hl.Var("x"), hl.Var("y"), hl.Param(hl.Float(32), "p", 2.5)
        image = hl.Buffer(array)
        f = hl.Func("f")
        f[x, y] = hl.BoundaryConditions.constant_exterior(image, p * 2)[x - 1, y - 1]
        return f.realize([6, 5])

    same(program)
