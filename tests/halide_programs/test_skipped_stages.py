"""Stages whose values are not read this time: Halide's programs about skipped stages."""

import numpy as np
import pytest
from helpers import check, image


@pytest.fixture
def count(trace):
    def stores(*funcs):
        events = trace()
        return [len(events.stores(f)) for f in funcs]

    return stores


def chosen_sides(hl):
    """A diamond of which a Param chooses one side."""
    x, toggle = hl.Var("x"), hl.Param(hl.Bool(), "toggle")
    a, b, c, d = (hl.Func(name) for name in "abcd")
    a[x] = x
    b[x] = a[x] + 1
    c[x] = a[x] + 2
    d[x] = hl.select(toggle, b[x], c[x])
    for func in (a, b, c):
        func.compute_root()
    return toggle, b, c, d


def test_only_the_side_that_is_chosen_is_computed(hl, count):
    toggle, b, c, d = chosen_sides(hl)
    b.trace_stores(), c.trace_stores()
    for value in (True, False):
        toggle.set(value)
        check(d.realize([10]), np.arange(10) + (1 if value else 2))
        assert count(b, c) == ([10, 0] if value else [0, 10])


def toggles(hl, schedule):
    x, xo, xi = hl.Var("x"), hl.Var("xo"), hl.Var("xi")
    first, second = hl.Param(hl.Bool(), "first"), hl.Param(hl.Bool(), "second")
    a, b, c, d = (hl.Func(name) for name in "abcd")
    a[x] = x
    b[x] = a[x] + 1
    c[x] = a[x] + 1
    d[x] = hl.select(first, b[x], 0) + hl.select(second, c[x], 0)
    if schedule == "root":
        for func in (a, b, c):
            func.compute_root()
    else:
        d.split(x, xo, xi, 5)
        a.compute_at(d, xo)
        b.store_root().compute_at(d, xo)
        c.store_at(d, xo).compute_at(d, xi)
    for func in (a, b, c):
        func.trace_stores()
    return first, second, a, b, c, d


@pytest.mark.parametrize("schedule", ["root", "inside of loops"])
@pytest.mark.parametrize("values", [(True, True), (False, True), (True, False), (False, False)])
def test_what_nobody_reads_is_not_computed(hl, count, schedule, values):
    first, second, a, b, c, d = toggles(hl, schedule)
    first.set(values[0])
    second.set(values[1])
    check(d.realize([10]), (np.arange(10) + 1) * sum(values))
    assert count(a, b, c) == [10 * any(values), 10 * values[0], 10 * values[1]]


@pytest.mark.parametrize("both", [True, False])
def test_all_values_of_a_tuple_or_none(hl, count, both):
    x, toggle = hl.Var("x"), hl.Param(hl.Bool(), "toggle")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = (x, x + 1)
    g[x] = hl.select(toggle, f[x][0], 0) + (f[x][1] if both else 0)
    f.compute_root().trace_stores()
    for value in (True, False):
        toggle.set(value)
        check(g.realize([10]), np.arange(10) * value + (np.arange(10) + 1) * both)
        assert count(f)[0] == (10 if value or both else 0)


def test_a_value_that_is_used_several_times_under_a_condition(hl, count):
    x, p, f, g = hl.Var("x"), hl.Param(hl.Bool(), "p"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = hl.select(p, f[x] * f[x] + f[x], 0)
    f.compute_root().trace_stores()
    p.set(True)
    check(g.realize([10]), [i * i + i for i in range(10)])
    assert count(f) == [10]
    p.set(False)
    check(g.realize([10]), 0)


def test_a_skipped_iteration_does_not_end_a_window(hl, count):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = x
    g[x] = f[x] + f[x - 1]
    h[x] = hl.select(x == 5, 0, g[x])
    f.store_root().compute_at(g, x)
    g.compute_at(h, x)
    i = np.arange(10)
    check(h.realize([10]), np.where(i == 5, 0, 2 * i - 1))


def test_a_condition_on_the_value_of_another_func(hl):
    f, g, h, out = hl.Func("f"), hl.Func("g"), hl.Func("h"), hl.Func("out")
    p = hl.Param(hl.Int(32), "p")
    f[()] = (p, p)
    g[()] = (4, 4)
    h[()] = g[()][1]
    out[()] = hl.select(f[()][1] == 3, h[()], 17)
    for func in (f, g, h):
        func.compute_root()
    for value in (3, 5):
        p.set(value)
        assert np.asarray(out.realize()) == (4 if value == 3 else 17)


def test_a_memoized_stage_under_a_condition(hl):
    x, toggle = hl.Var("x"), hl.Param(hl.Bool(), "toggle")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = x * 3
    g[x] = x + 1
    h[x] = hl.select(toggle, f[x], g[x])
    f.compute_root().memoize()
    g.compute_root().memoize()
    for value in (True, False, True):
        toggle.set(value)
        check(h.realize([10]), np.arange(10) * 3 if value else np.arange(10) + 1)


def test_one_side_is_not_stored_in_a_dead_version(hl):
    x, toggle, f, g = hl.Var("x"), hl.Param(hl.Bool(), "toggle"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = hl.select(toggle, f[x], -x)
    f.compute_root().vectorize(x, 4)
    g.specialize(toggle).vectorize(x, 4)
    for value in (True, False):
        toggle.set(value)
        check(g.realize([12]), np.arange(12) * (1 if value else -1))


def test_loops_are_left_out_where_nothing_happens(hl, trace):
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 40), (0, 40)])
    f[x, y] = 0
    r.where((r.x >= 10) & (r.x < 12) & (r.y < r.x) & (r.y > 5))
    f[r.x, r.y] += r.x * r.y
    f.trace_stores()
    out = np.asarray(f.realize([40, 40]))
    ys, xs = np.mgrid[0:40, 0:40]
    inside = (xs >= 10) & (xs < 12) & (ys < xs) & (ys > 5)
    check(out, inside * xs * ys)
    assert len(trace().stores(f)) == 1600 + inside.sum()


def test_a_condition_that_does_not_change_in_the_loop(hl):
    x, y, f, p = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Param(hl.Int(32), "p")
    r = hl.RDom([(0, 10)])
    r.where(p > 3)
    f[x, y] = 1
    f[x, y] += r.x
    f.update(0).vectorize(x, 4).parallel(y)
    for value in (2, 5):
        p.set(value)
        check(f.realize([8, 3]), 46 if value > 3 else 1)


def test_tiles_that_a_bitmap_chooses_are_brightened(hl):
    size, count = 8, 5
    x, y, xi, yi = (hl.Var(name) for name in ("x", "y", "xi", "yi"))
    bitmap, source = hl.ImageParam(hl.Bool(), 2), hl.ImageParam(hl.Int(32), 2)
    tiled, brighter, tiles, output = (hl.Func(name) for name in ("tiled", "brighter", "tiles", "output"))
    tiled[xi, yi, x, y] = source[x * size + xi, y * size + yi]
    brighter[xi, yi, x, y] = tiled[xi, yi, x, y] * 3
    tiles[xi, yi, x, y] = hl.select(bitmap[x, y], brighter[xi, yi, x, y], tiled[xi, yi, x, y])
    output[x, y] = tiles[x % size, y % size, x // size, y // size]
    output.bound(x, 0, (source.width() // size) * size).bound(y, 0, (source.height() // size) * size)
    output.tile(x, y, xi, yi, size, size).vectorize(xi, 4)
    brighter.compute_at(tiles, x)
    tiles.compute_at(output, x)
    chosen = np.zeros((count, count), bool)
    chosen[3, 1] = chosen[0, 4] = True
    pixels = np.arange((size * count) ** 2, dtype=np.int32).reshape(size * count, -1)
    bitmap.set(image(hl, chosen))
    source.set(image(hl, pixels))
    wide = np.kron(chosen, np.ones((size, size), bool))
    check(output.realize([size * count, size * count]), np.where(wide, 3 * pixels, pixels))


@pytest.mark.parametrize("kind", ["one value", "a Tuple"])
def test_a_memoized_stage_that_nobody_reads_is_not_computed(hl, trace, kind):
    x, toggle = hl.Var("x"), hl.Param(hl.Bool(), "toggle")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = (2 * x, 2 * x) if kind == "a Tuple" else 2 * x
    g[x] = hl.select(toggle, f[x][1] if kind == "a Tuple" else f[x], 1)
    f.compute_root().memoize().trace_stores()
    for value, count in ((False, 0), (True, 10)):
        toggle.set(value)
        check(g.realize([10]), 2 * np.arange(10) if value else 1)
        assert len(trace().stores(f)) == count


def test_memoized_stages_of_two_conditions(hl, trace):
    x, first, second = hl.Var("x"), hl.Param(hl.Bool(), "first"), hl.Param(hl.Bool(), "second")
    f, g, h, k = hl.Func("f"), hl.Func("g"), hl.Func("h"), hl.Func("k")
    f[x], g[x] = x, x * 3
    k[x] = hl.select(second, g[x], 0)
    h[x] = hl.select(first, f[x], 1) + hl.select(first, k[x], 0)
    for func in (f, g, k):
        func.compute_root().memoize().trace_stores()
    i = np.arange(10)
    for a, b in ((False, False), (False, True), (True, False), (True, True)):
        first.set(a)
        second.set(b)
        check(h.realize([10]), (i if a else 1) + (3 * i if a and b else 0))
        events = trace()
        assert not events.stores(g) or (a and b)
        assert not events.stores(f) or a
        assert not events.stores(k) or a
