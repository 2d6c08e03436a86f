"""Funcs of many dimensions, dimensions that are not named, and buffers that begin elsewhere."""

import numpy as np
import pytest
from helpers import check, grid


@pytest.mark.parametrize("with_update", [False, True])
def test_corners_of_twenty_dimensions_for_each_pixel(hl, with_update):
    names = [hl.Var(f"v{k}") for k in range(20)]
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    weights = range(1, 21)
    f[tuple(names)] = sum((v * k for v, k in zip(names, weights, strict=True)), hl.Expr(0))
    if with_update:
        f[tuple(names)] += names[3] * 2

    def corner(x, y, other):
        places = [(x * (k & 1) + y * (k >> 1 & 1) + k // 5) % 2 for k in range(20)]
        return [(place + x + 1) % 2 if other and k in (2, 7, 11) else place for k, place in enumerate(places)]

    g[x, y] = f[tuple(corner(x, y, False))] + f[tuple(corner(x, y, True))]
    f.compute_at(g, x)
    xs, ys = grid(10, 10)
    expected = 0
    for other in (False, True):
        places = corner(xs, ys, other)
        expected = expected + sum(p * k for p, k in zip(places, weights, strict=True)) + 2 * with_update * places[3]
    check(g.realize([10, 10]), expected)


def test_dimensions_that_are_not_named(hl):
    x, y, f, g, h, u = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("h"), hl.Func("u")
    f[x, y] = x + 10 * y
    g[x, hl._] = f[x, hl._] + f[x - 1, hl._]
    h[hl._] = (g[hl._] + f[hl._]) * 6.0
    xs, ys = grid(4, 3)
    check(h.realize([4, 3]), 6.0 * (3 * xs + 30 * ys - 1))
    u[hl._, x] = f[hl._] * x
    xs, ys, zs = grid(4, 3, 2)
    check(u.realize([4, 3, 2]), (xs + 10 * ys) * zs)


def test_dimensions_on_the_right_alone_are_refused(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[hl._] = f[hl._]
    with pytest.raises(hl.HalideError, match="Undefined variable"):
        g[3, hl._] += f[4, hl._]


def test_a_buffer_of_four_dimensions_that_begins_elsewhere(hl):
    x, f, mins = hl.Var("x"), hl.Func("f"), [100, 300, -500, 400]
    buffer = hl.Buffer(hl.Int(32), [10, 10, 10, 10])
    buffer.set_min(mins)
    buffer.fill(0)
    buffer[100, 300, -500, 400] = 17
    buffer[109, 303, -500, 401] = 5
    array = np.asarray(buffer)
    assert (int(array[0, 0, 0, 0]), int(array[1, 0, 3, 9]), int(array.sum())) == (17, 5, 22)
    assert [buffer.dim(k).stride() for k in range(4)] == [1, 10, 100, 1000]
    f[x] = buffer[x + 100, 303, -500, 401]
    check(f.realize([10]), [0] * 9 + [5])
