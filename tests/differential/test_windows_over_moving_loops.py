"""A window slides only along loops inside which every iteration does what the one before did."""

import numpy as np
import pytest

import pipec as hl


def test_bounds_of_inner_loops_that_move_with_the_window():
    x, y, c = hl.vars("x y c")
    f, g, h = hl.funcs("f g h")
    f[x, y] = hl.u8(1)
    g[x, y, c] = hl.f64(f[c, x])
    h[x, y] = hl.u8(g[1, 1, y]) * hl.u8(g[y, 1, 1])
    f.compute_at(g, c).store_root()
    g.compute_at(h, y)
    assert np.asarray(h.realize([1, 3])).tolist() == [[1], [1], [1]]


def test_iterations_left_out_by_a_condition():
    x, y = hl.vars("x y")
    r = hl.RDom([(0, 4), (0, 6)], "r")
    r.where(r.x <= r.y)
    f, g = hl.funcs("f g")
    f[x, y] = x + 10 * y
    g[x] = 0
    g[r.x] += f[r.x, r.y] + f[r.x, r.y + 1]
    f.compute_at(g, r.x).store_root()
    expected = [sum(2 * i + 10 * j + 10 * (j + 1) for j in range(i, 6)) for i in range(4)]
    assert np.asarray(g.realize([4])).tolist() == expected


def test_values_that_other_loops_reach_by_rounding_up_are_computed_again():
    x, xi = hl.vars("x xi")
    r = hl.RDom([(0, 6)], "r")
    near, wide, sums, out = hl.funcs("near wide sums out")
    near[x] = x * x
    wide[x] = near[x] + near[x + 1]
    sums[x] = 0
    sums[x] += wide[x + r] * (r + 1)
    out[x] = sums[x]
    sums.compute_root()
    sums.update(0).split(x, x, xi, 16, hl.TailStrategy.RoundUp).reorder(xi, x, r)
    wide.store_root().compute_at(hl.LoopLevel(sums, x, 1))
    near.store_root().compute_at(hl.LoopLevel(sums, r.x, 1))
    expected = [sum((k + 1) * ((i + k) ** 2 + (i + k + 1) ** 2) for k in range(6)) for i in range(521)]
    assert np.asarray(out.realize([521])).tolist() == expected


def test_loops_around_the_storage_that_round_up_are_no_obstacle():
    x, y, xi, yi, yo = hl.vars("x y xi yi yo")
    near, sums, g, out = hl.funcs("near sums g out")
    near[x, y] = x * 3 + y
    sums[x, y] = near[x - 1, y - 1] + near[x + 1, y + 1]
    g[x, y] = sums[x, y] * 2
    out[x, y] = g[x, y] + g[x, y + 1]
    out.split(y, yo, y, 32)
    g.compute_at(out, yo).tile(x, y, xi, yi, 32, 4)
    sums.compute_at(g, x)
    near.store_at(out, yo).compute_at(g, x).trace_stores()
    stored = []
    pipeline = hl.Pipeline(out)
    pipeline.set_custom_trace(lambda event: stored.append(event))
    xs, ys = np.arange(256), np.arange(128)[:, None]
    np.testing.assert_array_equal(np.asarray(pipeline.realize([256, 128])), 4 * (xs * 3 + ys) + 4 * (xs * 3 + ys + 1))
    assert len(stored) < 1.15 * 256 * 128, "each value of a strip is computed once"


@pytest.mark.parametrize("reads", ["its row", "all rows alike"])
@pytest.mark.parametrize("place", ["a column", "columns of a domain"])
def test_pixels_that_iterations_inside_overwrite_are_computed_again(place, reads):
    # Inside of g's loop over x, the first stages of f write columns that the iteration before has finished.
    x, y = hl.vars("x y")

    def pixels(slides):
        f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(1, 2)])
        f[x, y] = x + 3 * y
        column = r if place == "columns of a domain" else 0
        f[column, y] += f[column + 1, y] * 2
        f[x, y] += 1
        g[x, y] = f[x, y] + f[x, y - 1] + f[x, y - 2] if reads == "its row" else f[x, 1] + y
        f.compute_root()
        if slides:
            f.store_root().compute_at(g, x)
        return np.asarray(g.realize([4, 5]))

    np.testing.assert_array_equal(pixels(slides=True), pixels(slides=False))
