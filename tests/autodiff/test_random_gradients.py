"""What gradients of random pipelines have found; `make fuzz` draws more of them."""

from __future__ import annotations

import numpy as np

import pipec as hl

x, y = hl.vars("x y")


def image() -> hl.Buffer:
    return hl.Buffer(np.random.default_rng(3).uniform(0.3, 1.0, (6, 7)).astype(np.float32), "image")


def test_a_quotient_stays_behind_the_condition_of_its_update() -> None:
    b, f, r = hl.BoundaryConditions.repeat_edge(image()), hl.Func("f"), hl.RDom([(1, 5)], "r")
    r.where(r.x != 3)
    f[x, y] = b[x, y]
    f[x, r] = hl.select(f[x, r - 1] > 0.6, b[x, r] / (f[x, r - 1] - 0.6), f[x, r - 1] * 0.3) + b[x + 1, r]
    assert hl.check_gradient(f, bounds=[(0, 4), (0, 6)], step=1e-7, tolerance=1e-4)


def test_an_update_may_write_outside_of_the_box_that_is_asked_for() -> None:
    b, f = hl.BoundaryConditions.repeat_edge(image()), hl.Func("f")
    f[x, y] = b[x, y] * b[y, x]
    f[x, hl.clamp(x, 0, 3)] += b[x, 1]
    f[5, y] = f[4, y] * f[5, y]
    assert hl.check_gradient(f, bounds=[(-1, 4), (0, 2)])


def test_a_func_may_be_read_by_no_iteration() -> None:
    b, f, g = hl.BoundaryConditions.repeat_edge(image()), hl.Func("f"), hl.Func("g")
    r = hl.RDom([(0, 3), (0, 2)], "r")
    r.where(r.x + r.y < 0)
    g[x, y] = hl.sin(b[x, y])
    f[x, y] = b[x, y]
    f[x, y] += g[x + r.x, y + r.y] * (r.x + 2)
    assert hl.check_gradient(f, bounds=[(0, 4), (0, 3)])
