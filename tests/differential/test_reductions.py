"""Reduction domains and inline reductions, against the wheel, or numpy where the wheel is wrong."""

import numpy as np
import pytest
from differential import both_equal, equals, same, source

RANDOM = np.random.default_rng(11)
IMAGE = RANDOM.integers(0, 256, (9, 12), dtype=np.uint8)  # rows of 12


def test_sum_over_a_window_of_two_dimensions():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(-1, 3), (-1, 3)], "r")
        image = source(hl, IMAGE, "image")
        f = hl.Func("f")
        f[x, y] = hl.sum(hl.i32(image(hl.clamp(x + r.x, 0, 11), hl.clamp(y + r.y, 0, 8))) * (r.x * 2 + r.y))
        return f.realize([12, 9])

    same(program)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "uint32", "float32", "float64"])
@pytest.mark.part(3)
def test_inline_reductions_keep_the_type(dtype):
    a = (RANDOM.integers(0, 100, (5, 7)) if dtype != "uint8" else RANDOM.integers(0, 256, (5, 7))).astype(dtype)

    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(0, 7)], "r")
        read = source(hl, a, "a")
        functions = [hl.sum, hl.minimum, hl.maximum]
        f = hl.Func("f")
        f[x] = tuple(function(read(r, x)) for function in functions)
        product, s = hl.Func("product"), hl.RDom([(0, 3)], "s")
        product[x] = hl.product(read(s, x) % 7 if dtype[0] != "f" else read(s, x))
        return (*[np.asarray(b) for b in f.realize([5])], product.realize([5]))

    results = same(program, rtol=1e-6)
    assert all(array.dtype == dtype for array in results.values())


def test_minimum_and_maximum_of_linear_expressions():
    def program(hl):
        x, q = hl.Var("x"), hl.RDom([(0, 4)], "q")
        f = hl.Func("f")
        f[x] = (hl.minimum(q * 3 - 5 + x), hl.minimum(q), hl.maximum(4 - q), hl.maximum(q * 2), hl.minimum(7 - q * x))
        return f.realize([3])

    x = np.arange(3, dtype=np.int32)
    zero = np.zeros(3, np.int32)
    equals(program, (x - 5, zero, zero + 4, zero + 6, 7 - 3 * x))


def test_argmin_and_argmax_give_the_first_of_ties():
    a = np.array([[3, 1, 1, 7, 7], [5, 5, 5, 5, 5], [9, 8, 0, 8, 9]], np.int32)

    def program(hl):
        y, r = hl.Var("y"), hl.RDom([(0, 5)], "r")
        read = source(hl, a, "a")
        f, g = hl.Func("f"), hl.Func("g")
        f[y], g[y] = hl.argmin(read(r, y)), hl.argmax(read(r, y))
        return (*[np.asarray(b) for b in f.realize([3])], *[np.asarray(b) for b in g.realize([3])])

    both_equal(program, (a.argmin(1).astype(np.int32), a.min(1), a.argmax(1).astype(np.int32), a.max(1)))


def test_argmax_over_two_dimensions():
    def program(hl):
        r = hl.RDom([(0, 12), (0, 9)], "r")
        f = hl.Func("f")
        f[()] = hl.argmax(source(hl, IMAGE, "image")(r.x, r.y))
        return f.realize()

    y, x = np.unravel_index(IMAGE.argmax(), IMAGE.shape)
    both_equal(program, (np.int32(x), np.int32(y), IMAGE.max()))


def test_reductions_nest():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        r, s = hl.RDom([(0, 3)], "r"), hl.RDom([(-1, 3)], "s")
        image = source(hl, IMAGE, "image")
        f = hl.Func("f")
        f[x, y] = hl.maximum(hl.sum(hl.i32(image(hl.clamp(x + s, 0, 11), y))) - r * x) + hl.sum(r * y) * hl.product(
            r + 1
        )
        return f.realize([12, 9])

    same(program)


def test_reduction_over_the_result_of_a_reduction():
    def program(hl):
        x, y, r, s = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 12)], "r"), hl.RDom([(0, 9)], "s")
        rows, total = hl.Func("rows"), hl.Func("total")
        rows[y] = hl.sum(hl.u32(source(hl, IMAGE, "image")(r, y)))
        total[x] = hl.sum(rows[s] * (s + x))
        return total.realize([3])

    same(program)


def test_where_restricts_to_a_triangle_and_a_circle():
    def program(hl):
        x = hl.Var("x")
        r = hl.RDom([(0, 12), (0, 9)], "r")
        r.where(r.x <= r.y)
        circle = hl.RDom([(0, 12), (0, 9)], "circle")
        circle.where((circle.x - 5) * (circle.x - 5) + (circle.y - 4) * (circle.y - 4) < 10)
        f, g = hl.Func("f"), hl.Func("g")
        f[x] = hl.cast(hl.Int(32), 0)
        f[r.x] += hl.i32(source(hl, IMAGE, "image")(r.x, r.y))
        g[x] = hl.sum(hl.i32(source(hl, IMAGE, "image")(circle.x, circle.y)) + x)
        return np.asarray(f.realize([12])), np.asarray(g.realize([3]))

    same(program)


def test_where_may_name_pure_variables_and_read_funcs():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image = source(hl, IMAGE, "image")
        mask, f = hl.Func("mask"), hl.Func("f")
        mask[x, y] = image(x, y) > 100
        r = hl.RDom([(0, 9)], "r")
        r.where(mask[hl.clamp(x, 0, 11), r])
        r.where(r < x)
        f[x] = hl.cast(hl.Int(32), x * 100)
        f[x] += r
        return f.realize([12])

    same(program)


def test_inner_extent_that_depends_on_the_pure_variable():
    def program(hl):
        x = hl.Var("x")
        r = hl.RDom([(0, 10)], "r")
        r.where(r < x)
        f = hl.Func("f")
        f[x] = 0
        f[x] += r * r
        return f.realize([9])

    same(program)


def test_an_empty_domain_gives_the_identity():
    def program(hl):
        x, r, s = hl.Var("x"), hl.RDom([(0, 0)], "r"), hl.RDom([(3, -2)], "s")
        f = hl.Func("f")
        f[x] = (hl.sum(r + x), hl.product(r + x), hl.maximum(r), hl.minimum(s), hl.sum(s))
        return f.realize([2])

    same(program)


def test_domains_of_four_dimensions_run_the_first_fastest():
    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(0, 2), (1, 3), (-1, 2), (0, 2)], "r")
        f = hl.Func("f")
        f[x] = x
        f[x] = (f[x] * 3 + r.x + 2 * r.y + 5 * r.z + 7 * r.w + r[0] * r[3]) % 10007
        return f.realize([4])

    same(program)


def test_bounds_of_a_domain_from_an_image_and_a_parameter():
    def program(hl):
        x, p = hl.Var("x"), hl.Param(hl.Int(32), "p", 4)
        image = hl.Buffer(np.ascontiguousarray(IMAGE)).copy()
        r = hl.RDom([(0, image.width()), (p, image.height() - p)], "r")
        f = hl.Func("f")
        f[x] = hl.sum(hl.i32(image[r.x, r.y]) * x)
        return f.realize([3])

    same(program)


def test_domain_of_a_buffer():
    def program(hl):
        image = hl.Buffer(np.ascontiguousarray(IMAGE)).copy()
        image.set_min([2, -3])
        r = hl.RDom(image)
        f = hl.Func("f")
        f[()] = hl.sum(hl.i32(image[r.x, r.y]) * (r.x + 3 * r.y))
        return f.realize()

    same(program)


def test_two_reductions_over_one_domain():
    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(0, 12)], "r")
        image = source(hl, IMAGE, "image")
        f = hl.Func("f")
        f[x] = hl.f32(hl.sum(hl.i32(image(r, x)))) / hl.f32(1 + hl.maximum(image(r, x)))
        return f.realize([9])

    same(program, rtol=1e-6)


def test_matrix_product():
    a, b = RANDOM.normal(size=(6, 5)).astype(np.float32), RANDOM.normal(size=(5, 7)).astype(np.float32)

    def program(hl):
        x, y, k = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 5)], "k")
        f = hl.Func("f")
        f[x, y] = hl.sum(source(hl, a, "a")(k, y) * source(hl, b, "b")(x, k))
        return f.realize([7, 6])

    both_equal(program, a @ b, rtol=1e-5, atol=1e-6)
