"""Values that later iterations use again, and memory that they share: Halide's programs about sliding and folding."""

import numpy as np
import pytest
from helpers import check, grid


def level(func, store, compute):
    """Stores at root, or at a loop, and computes at a loop."""
    if store is None:
        func.store_root()
    else:
        func.store_at(*store)
    return func.compute_at(*compute)


def two_taps(hl, schedule, reads=lambda f, x: f[x] + f[x - 1], size=100):
    """f(x) = x, and g that reads it; the stores of f."""
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = reads(f, x)
    schedule(hl, f, g, x)
    f.trace_stores()
    return f, g.realize([size])


ONE_DIMENSION = {
    "two taps": (lambda f, x: f[x] + f[x - 1], lambda i: 2 * i - 1, 101),
    "a value for three iterations": (lambda f, x: f[x // 3], lambda i: i // 3, 34),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_DIMENSION)
def test_each_value_is_computed_once(hl, trace, name):
    reads, model, count = ONE_DIMENSION[name]
    f, result = two_taps(hl, lambda hl, f, g, x: level(f, None, (g, x)), reads)
    check(result, model(np.arange(100)))
    assert len(trace().stores(f)) == count


def test_a_version_of_the_consumer_slides(hl, trace):
    def schedule(hl, f, g, x):
        level(f, None, (g, x))
        g.specialize(g.output_buffer().dim(0).min() == 0)

    f, result = two_taps(hl, schedule)
    check(result, 2 * np.arange(100) - 1)
    assert len(trace().stores(f)) == 101


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_fold_along_a_loop_inside_the_sliding_one(hl, in_thread):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = 3 * x + y * y
    g[x, y] = f[x, y] + f[x, y + 1]
    f.store_root().compute_at(g, x).fold_storage(x, 8)
    if in_thread:
        f.async_()
    xs, ys = grid(20, 10)
    check(g.realize([20, 10]), 6 * xs + ys * ys + (ys + 1) ** 2)


def test_vectors_slide(hl, trace):
    def schedule(hl, f, g, x):
        level(f, None, (g, x)).vectorize(x, 4)
        g.vectorize(x, 4)

    f, result = two_taps(hl, schedule, lambda f, x: f[x + 1] + f[x - 1])
    check(result, 2 * np.arange(100))
    # The first iteration needs two values more than later ones.
    assert 102 <= len(trace().stores(f)) <= 104


def test_an_unrolled_producer_slides(hl, trace):
    def schedule(hl, f, g, x):
        xi = hl.Var("xi")
        g.split(x, x, xi, 10)
        level(f, None, (g, x)).unroll(x)

    f, result = two_taps(hl, schedule)
    check(result, 2 * np.arange(100) - 1)
    assert len(trace().stores(f)) == 101


def test_two_producers_of_one_consumer_slide(hl, trace):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x], g[x] = 2 * x, 2 * x + 1
    h[x] = f[x] + f[x - 1] + g[x] + g[x - 1]
    for func in (f, g):
        level(func, None, (h, x)).trace_stores()
    check(h.realize([100]), 8 * np.arange(100) - 2)
    events = trace()
    assert len(events.stores(f)) == len(events.stores(g)) == 101


def test_a_window_of_a_window_slides(hl, trace):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = x
    g[x] = f[x] + f[x - 1]
    h[x] = g[x] + g[x - 1]
    for func in (f, g):
        level(func, None, (h, x)).trace_stores()
    check(h.realize([100]), 4 * np.arange(100) - 4)
    assert len(trace().stores(f)) == 102


def test_a_window_over_rows_of_a_reduction(hl, trace):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 20)])
    f[x, y] = 0
    f[r, y] = r * y
    g[x, y] = f[x, y] + f[x, y - 1]
    level(f, None, (g, y)).trace_stores()
    xs, ys = grid(10, 10)
    check(g.realize([10, 10]), xs * (2 * ys - 1))
    # Eleven rows, once each, in both stages.
    assert len(trace().stores(f)) == 11 * (10 + 20)


def test_a_window_of_two_dimensions(hl, trace):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y * 100
    g[x, y] = f[x - 1, y] + f[x, y] + f[x, y - 1]
    level(f, None, (g, x)).trace_stores()
    xs, ys = grid(10, 10)
    check(g.realize([10, 10]), 3 * (xs + ys * 100) - 101)
    assert len(trace().stores(f)) <= 11 * 11


def test_a_chain_of_windows_computes_each_row_once(hl, trace):
    x, y = hl.Var("x"), hl.Var("y")
    f, g, h, u, v = (hl.Func(name) for name in "fghuv")
    f[x, y] = x * 3 + y
    g[x, y] = f[x, y - 1] + f[x, y + 1]
    h[x, y] = g[x - 1, y] + g[x + 1, y]
    u[x, y] = h[x, y - 1] + h[x, y + 1]
    v[x, y] = u[x - 1, y] + u[x + 1, y]
    u.compute_at(v, y)
    for func in (f, g, h):
        level(func, None, (v, y))
    f.trace_stores()
    xs, ys = grid(10, 10)
    check(v.realize([10, 10]), 16 * (3 * xs + ys))
    assert len(trace().stores(f)) == 14 * 14


def test_a_window_that_waits_at_a_border(hl, trace):
    f, result = two_taps(
        hl, lambda hl, f, g, x: level(f, None, (g, x)), lambda f, x: f[hl.max(x, 3)], 10
    )  # fmt: skip
    check(result, np.maximum(np.arange(10), 3))
    assert len(trace().stores(f)) == 7


@pytest.mark.parametrize("reads", ["backwards", "both ways"])
def test_a_window_that_runs_backwards(hl, trace, reads):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x * 3
    g[x] = f[-x] + f[-x + 1] if reads == "backwards" else f[x] + f[20 - x]
    level(f, None, (g, x)).trace_stores()
    i = np.arange(20)
    check(g.realize([20]), 3 * (1 - 2 * i) if reads == "backwards" else 60)
    if reads == "backwards":
        assert len(trace().stores(f)) == 21


def test_a_window_over_a_guarded_split(hl, trace):
    x, y, yo, yi, f, g, h = *(hl.Var(n) for n in ("x", "y", "yo", "yi")), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = x * y
    g[x, y] = f[x, y - 1] + f[x, y + 1]
    h[x, y] = g[x, y] + 1
    g.split(y, yo, yi, 4, hl.TailStrategy.GuardWithIf)
    g.compute_root()
    f.store_root().compute_at(g, yo).trace_stores()
    xs, ys = grid(3, 10)
    check(h.realize([3, 10]), 2 * xs * ys + 1)
    assert len(trace().stores(f)) <= 3 * 14


def test_a_reduction_that_slides_with_its_update(hl, trace):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 3)])
    f[x, y] = x
    f[x, y] += (x + r) * y
    g[x, y] = f[x, y] + f[x, y - 1] + f[x, y - 2]
    level(f, None, (g, y)).trace_stores()
    xs, ys = grid(4, 6)
    check(g.realize([4, 6]), 3 * xs + (3 * xs + 3) * (3 * ys - 3))
    assert len(trace().stores(f)) == 4 * 8 * 4


# The update before the last one, and how often the last stage may run for rows of two pixels that read three rows.
UPDATES = {
    "a column of its row": (lambda f, x, y: (0, y), lambda f, x, y: f[1, y] + f[0, y], 24),
    "a column of which pairs of rows begin": (lambda f, x, y: (0, y), lambda f, x, y: f[1, y] + f[2, y], 60),
    "a diagonal, across rows": (lambda f, x, y: (x, x), lambda f, x, y: f[x, 0] + f[x, 1], 60),
}


@pytest.mark.parametrize("name", UPDATES)
def test_a_reduction_slides_unless_it_scatters(hl, trace, name):
    place, added, most = UPDATES[name]
    x, y, f, g, last = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("last")
    last[x, y] = 99
    f[x, y] = x
    f[place(f, x, y)] += added(f, x, y)
    f[x, y] = last[x, y] + hl.min(f[x, y], 0)
    g[x, y] = f[x, y] + f[x, y - 1] + f[x, y - 2]
    level(f, None, (g, y))
    if "pairs" in name:
        f.unroll(y, 2)
        f.update(0).unscheduled()
        f.update(1).unscheduled()
    last.compute_root().trace_loads()
    check(g.realize([2, 10]), 297)
    assert len(trace().loads(last)) <= most


FOLDED = {
    "both dimensions, apart": (lambda f, x, y: f[2 * x, 2 * y] + f[2 * x + 1, 2 * y + 1], None),
    "pairs of rows": (lambda f, x, y: f[x, 2 * y] + f[x + 3, 2 * y + 1], None),
    "a stencil of rows": (lambda f, x, y: f[2 * x, y] + f[2 * x + 1, y + 3], None),
    "three rows": (lambda f, x, y: f[2 * x, y] + f[2 * x + 1, y + 2], 3),
    "each row twice": (lambda f, x, y: f[x, y // 2] + f[x, y // 2 + 1], 2),
    "more rows than needed": (lambda f, x, y: f[x, y] + f[x, y + 1], 8),
    "backwards": (lambda f, x, y: f[x, -y] + f[x, 2 - y], 3),
}


@pytest.mark.parametrize("name", FOLDED)
@pytest.mark.parametrize("loop", ["x", "y"])
def test_rows_that_share_memory(hl, name, loop):
    reads, factor = FOLDED[name]
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * 7 + y * y
    g[x, y] = reads(f, x, y)
    f.store_root().compute_at(g, x if loop == "x" else y)
    if factor:
        f.fold_storage(y, factor)
    xs, ys = grid(12, 17)
    model = type("Model", (), {"__getitem__": lambda self, at: at[0] * 7 + at[1] ** 2})()
    check(g.realize([12, 17]), reads(model, xs, ys))


def test_rows_that_share_memory_by_twice_as_many_rows(hl):
    x, y, f, g, h = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    h[x, y] = x * y
    g[x, y] = h[x, y // 2] + h[x, y // 2 + 1]
    f[x, y] = g[x, y // 2] + g[x, y // 2 + 1]
    h.compute_at(f, y).store_root().fold_storage(y, 4)
    g.compute_at(f, y).store_root().fold_storage(y, 2)
    xs, ys = grid(9, 30)

    def rows(n):
        return xs * (n // 2) + xs * (n // 2 + 1)

    check(f.realize([9, 30]), rows(ys // 2) + rows(ys // 2 + 1))


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


def test_versions_of_the_consumer_share_a_folded_buffer(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + 10 * y
    g[x, y] = f[x - 1, y + 1] + f[x, y - 1]
    f.store_root().compute_at(g, y).fold_storage(y, 3)
    g.specialize(g.output_buffer().width() > 4).vectorize(x, 4)
    for width in (3, 13):
        xs, ys = grid(width, 12)
        check(g.realize([width, 12]), 2 * (xs + 10 * ys) - 1)


def test_a_split_of_the_consumer_does_not_prevent_folding(hl):
    x, y, yo, yi, f, g = *(hl.Var(n) for n in ("x", "y", "yo", "yi")), hl.Func("f"), hl.Func("g")
    g[x, y] = x * y
    f[x, y] = g[x, y]
    f.bound(y, 0, (f.output_buffer().height() // 8) * 8).split(y, yo, yi, 8)
    g.compute_at(f, yo).store_root()
    xs, ys = grid(5, 24)
    check(f.realize([5, 24]), xs * ys)


def test_a_fold_that_is_too_small_is_refused(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x, y + 3]
    f.store_root().compute_at(g, y).fold_storage(y, 2)
    with pytest.raises(hl.HalideError):
        g.realize([4, 20])


def test_storage_is_hoisted_out_of_loops(hl):
    x, y, xi, yi = (hl.Var(n) for n in ("x", "y", "xi", "yi"))
    xs, ys = grid(33, 18)

    def program(schedule):
        f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
        f[x, y] = x + y
        h[x, y] = 2 * x + 3 * y
        g[x, y] = f[x - 1, y - 1] + f[x + 1, y + 1] + h[x, y]
        schedule(f, g, h)
        for func in (f, h):
            func.store_in(hl.MemoryType.Heap)
        check(g.realize([33, 18]), 4 * xs + 5 * ys)

    outermost = hl.Var.outermost()
    program(lambda f, g, h: (f.compute_at(g, x).hoist_storage(g, outermost), h.compute_root()))
    program(lambda f, g, h: (f.compute_at(g, x).store_at(g, y).hoist_storage(g, outermost), h.compute_at(g, y)))
    for tail in ("RoundUp", "GuardWithIf", "ShiftInwards"):

        def tiled(f, g, h, tail=tail):
            g.tile(x, y, xi, yi, 8, 8, getattr(hl.TailStrategy, tail))
            f.compute_at(g, x).hoist_storage(g, outermost)
            h.compute_at(g, x).hoist_storage(g, y)

        if tail != "RoundUp":
            program(tiled)


def test_storage_is_hoisted_out_of_all_versions(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x - 1, y - 1] + f[x + 1, y + 1]
    g.specialize(g.output_buffer().width() > 8).vectorize(x, 4)
    f.compute_at(g, x).hoist_storage(g, hl.Var.outermost()).store_in(hl.MemoryType.Heap)
    for width in (7, 19):
        xs, ys = grid(width, 9)
        check(g.realize([width, 9]), 2 * (xs + ys))


def test_storage_of_a_ring_of_tiles(hl):
    x, y, xi, yi, f, g = *(hl.Var(n) for n in ("x", "y", "xi", "yi")), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x - 1, y - 1] + f[x + 1, y + 1]
    g.tile(x, y, xi, yi, 8, 8, hl.TailStrategy.GuardWithIf)
    f.compute_at(g, x).hoist_storage(g, hl.Var.outermost()).ring_buffer(2)
    xs, ys = grid(30, 20)
    check(g.realize([30, 20]), 2 * (xs + ys))


def test_a_ring_of_tiles_that_another_thread_fills(hl):
    x, y, xi, yi, f, g = *(hl.Var(n) for n in ("x", "y", "xi", "yi")), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x - 1, y - 1] + f[x + 1, y + 1]
    g.tile(x, y, xi, yi, 8, 8)
    f.compute_at(g, x).hoist_storage(g, hl.Var.outermost()).ring_buffer(2).async_()
    xs, ys = grid(32, 16)
    check(g.realize([32, 16]), 2 * (xs + ys))


@pytest.mark.parametrize("order", [0, 1, 2])
def test_storage_in_another_order(hl, order):
    x, y, c, f, g = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Func("f"), hl.Func("g")
    f[x, y, c] = x + 10 * y + 100 * c
    g[x, y, c] = f[x, y, c] + f[x + 1, y, 2 - c]
    orders = [(c, x, y), (y, c, x), (x, c, y)]
    f.compute_root().reorder_storage(*orders[order]).bound(c, 0, 3)
    xs, ys, cs = grid(5, 4, 3)
    check(g.realize([5, 4, 3]), 2 * (xs + 10 * ys) + 1 + 200)


@pytest.mark.parametrize("memory", ["Auto", "Heap", "Stack", "Register"])
def test_memory_of_a_kind(hl, memory):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * y
    g[x, y] = f[x, y] + f[x + 1, y] + f[x, y + 1]
    g.vectorize(x, 4)
    f.compute_at(g, x).vectorize(x, 4).unroll(x).unroll(y).store_in(getattr(hl.MemoryType, memory))
    xs, ys = grid(16, 5)
    check(g.realize([16, 5]), 3 * xs * ys + xs + ys)


@pytest.mark.parametrize("parallel", [False, True])
def test_stack_memory_that_grows_with_the_iteration(hl, parallel):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x] + f[2 * x]
    f.compute_at(g, x).store_in(hl.MemoryType.Stack)
    if parallel:
        g.parallel(x)
    check(g.realize([6000]), 3 * np.arange(6000))


def test_small_and_large_arrays_of_one_loop(hl):
    x, y, f, g, h = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    n = hl.Param(hl.Int(32), "n")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x + 2, y]
    h[x, y] = g[x, y] + g[x + n, y]
    f.compute_at(h, y)
    g.compute_at(h, x)
    for value in (0, 3, 1000):
        n.set(value)
        xs, ys = grid(4, 3)
        check(h.realize([4, 3]), 4 * (xs + ys) + 4 + 2 * value)


def test_a_long_chain_of_stages_takes_turns_in_memory(hl):
    x, y = hl.Var("x"), hl.Var("y")
    funcs = [hl.Func(f"f{i}") for i in range(12)]
    funcs[0][x, y] = x + y
    for i, (before, after) in enumerate(zip(funcs, funcs[1:], strict=False)):
        after[x, y] = before[x, y] * 2 + i
        before.compute_at(funcs[-1], y)
    xs, ys = grid(6, 5)
    expected = xs + ys
    for i in range(11):
        expected = expected * 2 + i
    check(funcs[-1].realize([6, 5]), expected)


def test_a_producer_whose_size_varies_with_the_loop(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 20)])
    f[x, y] = x + y
    r.where(r < y)
    g[x, y] = 0
    g[x, y] += f[r + x, y]
    f.compute_at(g, y)
    xs, ys = grid(4, 9)
    check(g.realize([4, 9]), ys * (xs + ys) + ys * (ys - 1) // 2)


def test_vectors_of_which_each_lane_needs_another_amount(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x] = x * 3
    g[x, y] = f[x * y] + f[x * y + y]
    f.compute_at(g, x)
    g.vectorize(x, 4)
    xs, ys = grid(8, 5)
    check(g.realize([8, 5]), 6 * xs * ys + 3 * ys)


def test_memory_of_a_chain_on_the_stack_grows_with_a_param(hl):
    x, xo, xi, p, count = hl.Var("x"), hl.Var("xo"), hl.Var("xi"), hl.Param(hl.Int(32), "p"), 9
    funcs = [hl.Func(f"f{i}") for i in range(count)]
    funcs[0][x] = hl.u8(x)
    for i, (before, after) in enumerate(zip(funcs, funcs[1:], strict=False), 1):
        after[x] = before[x // 8] if i == 5 else before[x - 1] + before[x + 1]
    funcs[-1].split(x, xo, xi, p)
    for func in funcs[:-1]:
        func.compute_at(funcs[-1], xo).store_in(hl.MemoryType.Stack)

    def model(i, v):
        if i == 0:
            return v.astype(np.uint8)
        return model(i - 1, v // 8) if i == 5 else model(i - 1, v - 1) + model(i - 1, v + 1)

    for size in (8, 64):
        p.set(size)
        check(funcs[-1].realize([128]), model(count - 1, np.arange(128)))
