"""Values that later iterations use again, and memory that they share: Halide's programs about sliding and folding."""

import numpy as np
import pytest
from helpers import check, grid


@pytest.mark.parametrize("order", ["planar", "interleaved"])
def test_rows_that_share_memory_inside_a_loop_over_channels(hl, order):
    x, y, c, f, g = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Func("f"), hl.Func("g")
    f[x, y, c] = x + 10 * y + 100 * c
    g[x, y, c] = f[x - 1, y + 1, c] + f[x, y - 1, c]
    f.store_root().compute_at(g, y).fold_storage(y, 3)
    if order == "interleaved":
        f.reorder(c, x, y).reorder_storage(c, x, y)
        g.reorder(c, x, y).reorder_storage(c, x, y)
    xs, ys, cs = grid(6, 11, 3)
    check(g.realize([6, 11, 3]), 2 * (xs + 10 * ys + 100 * cs) - 1)


def test_a_window_inside_of_a_window_slides(hl, trace):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = x
    g[x] = f[x] + f[x - 1]
    h[x] = g[x]
    f.store_root().compute_at(g, x).trace_stores()
    g.compute_at(h, x)
    check(h.realize([100]), 2 * np.arange(100) - 1)
    assert len(trace().stores(f)) == 101


def test_a_footprint_that_stays_is_computed_once(hl, trace):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x + 1
    g[x] = f[0] + f[5]
    f.store_root().compute_at(g, x).trace_stores()
    check(g.realize([100]), 7)
    assert len(trace().stores(f)) == 6
