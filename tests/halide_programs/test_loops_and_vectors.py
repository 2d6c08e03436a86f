"""Loops that are split, fused, unrolled, vectorized or run in parallel: Halide's programs about them."""

import numpy as np
import pytest
from helpers import check, grid, image

RANDOM = np.random.default_rng(4)
TAILS = ["RoundUp", "GuardWithIf", "ShiftInwards", "Predicate", "PredicateLoads", "PredicateStores"]
UPDATE_TAILS = ["RoundUp", "GuardWithIf", "Predicate", "PredicateLoads", "PredicateStores"]


def tail(hl, name):
    return getattr(hl.TailStrategy, name)


@pytest.mark.part(3)
@pytest.mark.parametrize("name", TAILS)
@pytest.mark.parametrize("how", ["vectorize", "unroll", "parallel", "split"])
def test_tails_of_a_producer(hl, name, how):
    x, xi, f, g = hl.Var("x"), hl.Var("xi"), hl.Func("f"), hl.Func("g")
    data = RANDOM.integers(0, 100, 90, dtype=np.int32)
    source = image(hl, np.concatenate([data, data]))
    f[x] = source[hl.clamp(x, 0, 100)] * 2
    g[x] = f[x] + 1
    f.compute_root()
    if how == "split":
        f.split(x, x, xi, 9, tail(hl, name))
    else:
        getattr(f, how)(x, 8, tail(hl, name))
    check(g.realize([73]), 2 * data[:73] + 1)


BLENDS = ["RoundUpAndBlend", "ShiftInwardsAndBlend"]


@pytest.mark.parametrize("name", UPDATE_TAILS + BLENDS)
def test_tails_of_an_update(hl, name):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x
    f[x] += f[x] * 3
    g[x] = f[x]
    f.compute_root().update(0).vectorize(x, 8, tail(hl, name))
    check(g.realize([37]), 4 * np.arange(37))


@pytest.mark.parametrize("name", BLENDS)
def test_blending_tails_keep_what_is_beside(hl, name):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.undef(hl.Int(32))
    f[x] += 100
    f.update(0).vectorize(x, 8, tail(hl, name))
    whole = image(hl, np.arange(64, dtype=np.int32))
    part = hl.Buffer(whole)
    part.crop([(16, 24)])
    f.realize(part)
    i = np.arange(64)
    check(whole, np.where((i >= 16) & (i < 40), i + 100, i))


def test_loops_in_reversed_order(hl):
    names = [hl.Var(f"v{i}") for i in range(5)]
    f, g = hl.Func("f"), hl.Func("g")
    value = hl.Expr(0)
    for k, v in enumerate(names):
        value = value + v * 10**k
    f[tuple(names)] = value
    g[tuple(names)] = f[tuple(names)] + 1
    f.compute_root().reorder(*reversed(names)).parallel(names[0]).vectorize(names[4], 2)
    coordinates = grid(3, 2, 4, 2, 4)
    check(g.realize([3, 2, 4, 2, 4]), sum(c * 10**k for k, c in enumerate(coordinates)) + 1)


def test_many_dimensions(hl):
    names = [hl.Var(f"v{i}") for i in range(10)]
    f, g = hl.Func("f"), hl.Func("g")
    value = hl.Expr(1)
    for k, v in enumerate(names):
        value = value + v * (k + 1)
    f[tuple(names)] = value
    shifted = list(names)
    shifted[2] = names[2] + 1
    g[tuple(names)] = f[tuple(shifted)]
    f.compute_root()
    sizes = [2, 1, 2, 1, 2, 1, 2, 1, 2, 1]
    check(g.realize(sizes), sum(c * (k + 1) for k, c in enumerate(grid(*sizes))) + 1 + 3)


@pytest.mark.parametrize("nested", ["inner", "outer", "both", "four deep"])
def test_parallel_loops_inside_of_parallel_loops(hl, nested):
    x, y, z, w, f = *(hl.Var(n) for n in "xyzw"), hl.Func("f")
    f[x, y, z, w] = x + y * 10 + z * 100 + w * 1000
    if nested in ("inner", "both", "four deep"):
        f.parallel(x)
    if nested in ("outer", "both", "four deep"):
        f.parallel(w)
    if nested == "four deep":
        f.parallel(y).parallel(z)
    xs, ys, zs, ws = grid(8, 4, 3, 5)
    check(f.realize([8, 4, 3, 5]), xs + ys * 10 + zs * 100 + ws * 1000)


def test_memory_of_parallel_iterations(hl):
    x, y, f, g, h = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = x * y
    g[x, y] = f[x - 1, y] + f[x + 1, y]
    h[x, y] = g[x, y - 1] + g[x, y + 1]
    h.parallel(y)
    f.compute_at(h, y)
    g.compute_at(h, y)
    xs, ys = grid(30, 40)
    check(h.realize([30, 40]), 4 * xs * ys)


@pytest.mark.parametrize("memory", ["heap", "stack", "bounded stack"])
def test_small_stages_in_a_block_whose_size_is_a_param(hl, memory):
    x, xo, xi, blocks = (hl.Var(n) for n in ("x", "xo", "xi", "blocks"))
    size, stages, round_up = hl.Param(hl.Int(32), "size"), [hl.Func("start")], hl.TailStrategy.RoundUp
    stages[0][x] = x
    for k in range(6):
        before = stages[-1][x]
        stages.append(hl.Func(f"step{k}"))
        stages[-1][x] = hl.select(before % 2 == 0, before / 2, 3 * before + 1)
    out = stages.pop()
    out.split(x, xo, xi, size, round_up)
    for stage in stages:
        stage.compute_at(out, xo).vectorize(x, 8, round_up)
        if memory != "heap":
            stage.store_in(hl.MemoryType.Stack)
        if memory == "bounded stack":
            stage.bound_extent(x, size)
    outer = out
    if memory == "bounded stack":
        outer = out.specialize(size == 40)
        out.specialize_fail("the size must be 40")
    outer.split(xo, blocks, xo, 3, round_up).parallel(blocks)
    out.vectorize(xi, 8, round_up)
    size.set(40)
    expected = np.arange(960)
    for _ in range(6):
        expected = np.where(expected % 2 == 0, expected // 2, 3 * expected + 1)
    check(out.realize([960]), expected)
    if memory == "bounded stack":
        size.set(48)
        with pytest.raises(hl.HalideError, match="must be 40"):
            out.realize([960])


@pytest.mark.part(3)
@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
@pytest.mark.parametrize("kind", ["uint8", "int16", "int32", "float32", "float64"])
def test_vectors_of_each_type(hl, kind, lanes):
    x, f = hl.Var("x"), hl.Func("f")
    data = RANDOM.integers(0, 100, 70).astype(kind)
    source = image(hl, data)
    f[x] = source[x] + source[x + 3] * source[x + 1]
    f.vectorize(x, lanes)
    check(f.realize([64]), (data[:64] + data[3:67] * data[1:65]).astype(kind))


def test_vectors_inside_of_vectors(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * 3 + y
    g[x, y] = f[x, y] + f[x + 1, y]
    xi, yi = hl.Var("xi"), hl.Var("yi")
    g.tile(x, y, xi, yi, 4, 2).vectorize(xi).vectorize(yi)
    f.compute_at(g, x).vectorize(x, 4).vectorize(y, 2)
    xs, ys = grid(16, 8)
    check(g.realize([16, 8]), 2 * (xs * 3 + ys) + 3)


def test_vectors_of_both_widths_in_one_stage(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x * 2
    g[x] = f[x] + f[x + 4]
    f.compute_at(g, x).vectorize(x, 4)
    g.vectorize(x, 8)
    check(g.realize([32]), 4 * np.arange(32) + 8)


def test_a_vector_dimension_that_is_not_the_innermost(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = x * y
    f.vectorize(y, 4)
    xs, ys = grid(5, 12)
    check(f.realize([5, 12]), xs * ys)


def test_vectors_in_both_coordinates_of_a_read(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    a, b = hl.Var("a"), hl.Var("b")
    f[a, b] = a + 100 * b
    g[x] = f[x, x * 2]
    f.compute_root()
    g.vectorize(x, 4)
    check(g.realize([16]), 201 * np.arange(16))


STRIDES = [-2, -1, 1, 2, 3, 4, 5]


@pytest.mark.part(3)
@pytest.mark.parametrize("stride", STRIDES)
@pytest.mark.parametrize("offset", [0, 1, 3])
def test_strided_vector_loads(hl, stride, offset):
    x, f = hl.Var("x"), hl.Func("f")
    data = RANDOM.integers(0, 1000, 200, dtype=np.int32)
    source = image(hl, data)
    f[x] = source[x * stride + offset + 80] + source[x * stride + offset + 81]
    f.vectorize(x, 8)
    i = np.arange(16) * stride + offset + 80
    check(f.realize([16]), data[i] + data[i + 1])


@pytest.mark.part(3)
@pytest.mark.parametrize("ways", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", ["uint8", "int16", "float32"])
def test_channels_are_woven_together(hl, kind, ways):
    x, c, f, g = hl.Var("x"), hl.Var("c"), hl.Func("f"), hl.Func("g")
    data = RANDOM.integers(0, 100, (ways, 32)).astype(kind)
    source = image(hl, data)
    f[x] = hl.mux(x % ways, [source[x // ways, k] for k in range(ways)])
    f.vectorize(x, 8 if ways == 5 else 4 * ways)
    check(f.realize([ways * 32]), data.T.ravel())
    g[x, c] = source[x, c]
    g.reorder(c, x).bound(c, 0, ways).unroll(c).vectorize(x, 8)
    check(g.realize([32, ways]), data)


def test_channels_of_an_interleaved_output(hl):
    x, y, c, f = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Func("f")
    f[x, y, c] = hl.u8(x + y * 3 + c * 50)
    f.output_buffer().dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3)
    f.reorder(c, x, y).unroll(c).vectorize(x, 8)
    out = hl.Buffer.make_interleaved(hl.UInt(8), 21, 6, 3)
    f.realize(out)
    xs, ys, cs = grid(21, 6, 3)
    check(out, xs + ys * 3 + cs * 50)


def test_even_and_odd_elements_of_a_row(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * 3 + y
    g[x, y] = hl.select(x % 2 == 0, f[x // 2, y], -f[x // 2, y])
    f.compute_at(g, y).vectorize(x, 4)
    g.vectorize(x, 8).unroll(x, 2)
    xs, ys = grid(32, 3)
    check(g.realize([32, 3]), np.where(xs % 2 == 0, 1, -1) * (xs // 2 * 3 + ys))


def test_the_producer_of_a_guarded_vector(hl):
    x = hl.Var("x")
    for how in ("vectorize", "unroll"):
        f, g = hl.Func("f"), hl.Func("g")
        f[x] = x
        g[x] = f[x] * 2
        g.vectorize(x, 8, tail(hl, "GuardWithIf"))
        f.compute_at(g, x).store_in(hl.MemoryType.Register)
        getattr(f, how)(x)
        check(g.realize([37]), 2 * np.arange(37))


def test_a_producer_inside_of_a_guard(hl):
    source, x, xo, xi = hl.ImageParam(hl.UInt(8), 1), hl.Var("x"), hl.Var("xo"), hl.Var("xi")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = source[x]
    g[x] = f[x]
    g.split(x, xo, xi, g.output_buffer().width() / 8, tail(hl, "GuardWithIf"))
    f.compute_at(g, xi).unroll(x).store_in(hl.MemoryType.Register)
    data = np.arange(123, dtype=np.uint8)
    source.set(hl.Buffer(data))
    out = hl.Buffer(hl.UInt(8), [123])
    g.realize(out)
    check(out, data)


def test_unrolled_loops_of_a_producer_whose_size_the_consumer_fixes(hl):
    x, c, f, g = hl.Var("x"), hl.Var("c"), hl.Func("f"), hl.Func("g")
    f[x, c] = x + c
    g[x, c] = f[x, c] * 2
    g.bound(c, 0, 3).unroll(c)
    f.compute_at(g, x).unroll(c).unroll(x)
    xs, cs = grid(5, 3)
    check(g.realize([5, 3]), 2 * (xs + cs))


def test_loops_of_extents_that_a_param_gives_are_not_unrolled(hl):
    x, f, p = hl.Var("x"), hl.Func("f"), hl.Param(hl.Int(32), "p")
    r = hl.RDom([(0, p)])
    f[x] = 0
    f[x] += r
    f.update(0).unroll(r.x)
    p.set(5)
    with pytest.raises(hl.HalideError):
        f.realize([4])


def test_a_guarded_unroll_of_an_unknown_extent(hl):
    x, f, g, p = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Param(hl.Int(32), "p")
    f[x] = x
    g[x] = f[x] + f[x + 1]
    f.compute_root().unroll(x, 4, tail(hl, "GuardWithIf"))
    g.unroll(x, 3, tail(hl, "GuardWithIf"))
    p.set(3)
    for n in (1, 7, 12):
        check(g.realize([n]), 2 * np.arange(n) + 1)


def test_a_very_long_choice_unrolled(hl):
    x, f = hl.Var("x"), hl.Func("f")
    values = [hl.Expr(int(v)) for v in range(100)]
    f[x] = hl.mux(x, [v * 3 for v in values])
    f.bound(x, 0, 100).unroll(x)
    check(f.realize([100]), 3 * np.arange(100))


def test_conditions_on_loop_invariants_and_likely_sides(hl):
    x, y, f, p = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Param(hl.Int(32), "p")
    f[x, y] = hl.select(p > 3, hl.likely(x + y), x - y) + hl.select((x > 2) & (x < 30), hl.likely(1), 0)
    f.vectorize(x, 4)
    xs, ys = grid(40, 5)
    for value in (1, 9):
        p.set(value)
        check(f.realize([40, 5]), np.where(value > 3, xs + ys, xs - ys) + ((xs > 2) & (xs < 30)))


def test_the_likely_side_of_an_extreme(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x * x
    g[x] = f[hl.likely(hl.clamp(x, 3, 20))] + hl.max(hl.likely(x), 5) + hl.min(hl.likely_if_innermost(x), 25)
    f.compute_root()
    g.vectorize(x, 4)
    i = np.arange(40)
    check(g.realize([40]), np.clip(i, 3, 20) ** 2 + np.maximum(i, 5) + np.minimum(i, 25))


@pytest.mark.parametrize("offset", [1, 5])
@pytest.mark.parametrize("strategy", ["GuardWithIf", "Clamp", "NonFaulting"])
def test_prefetched_rows(hl, offset, strategy):
    source, x, y, f, g = hl.ImageParam(hl.Int(32), 2), hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = source[x, y] * 2
    g[x, y] = f[x, y] + f[x, y + 1]
    f.compute_root().prefetch(source, y, y, offset, getattr(hl.PrefetchBoundStrategy, strategy))
    g.prefetch(f, y, y, offset, getattr(hl.PrefetchBoundStrategy, strategy))
    data = np.arange(7 * 11, dtype=np.int32).reshape(11, 7)
    source.set(hl.Buffer(data))
    check(g.realize([7, 10]), 2 * (data[:-1] + data[1:]))


def test_blocks_of_a_matrix_product_in_registers(hl):
    x, y, xi, yi, f, out, k = (
        *(hl.Var(n) for n in ("x", "y", "xi", "yi")),
        hl.Func("f"),
        hl.Func("out"),
        hl.RDom([(0, 12)]),
    )
    a, b = (RANDOM.random((12, 12)).astype(np.float32) for _ in range(2))
    p, q = image(hl, a), image(hl, b)
    f[x, y] = 0.0
    f[x, y] += p[k, y] * q[x, k]
    out[x, y] = f[x, y]
    out.tile(x, y, xi, yi, 4, 4).vectorize(xi).unroll(yi)
    f.compute_at(out, x).vectorize(x).unroll(y).update(0).reorder(x, y, k.x).vectorize(x).unroll(y)
    check(out.realize([12, 12]), a @ b, rtol=1e-5)


def test_the_loop_level_is_chosen_later(hl):
    x, y, xi, f, g = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x + 1, y]
    compute, store = hl.LoopLevel(), hl.LoopLevel()
    f.store_at(store).compute_at(compute)
    g.split(x, x, xi, 4)
    store.set(hl.LoopLevel(g, y))
    compute.set(hl.LoopLevel(g, x))
    xs, ys = grid(8, 5)
    check(g.realize([8, 5]), 2 * (xs + ys) + 1)


def test_the_outermost_loop_of_a_func(hl, trace):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x, y + 1]
    f.compute_at(g, hl.Var.outermost()).trace_realizations()
    xs, ys = grid(4, 5)
    check(g.realize([4, 5]), 2 * (xs + ys) + 1)
    assert trace().realizations(f) == [((0, 4), (0, 6))]


def test_lanes_of_a_func_that_has_run(hl, trace):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x
    f.trace_stores()
    for lanes in ({1}, {4}):
        check(f.realize([10]), np.arange(10))
        assert trace().lanes("Store", f) == lanes
        f.vectorize(x, 4)


def test_a_schedule_changes_after_a_run(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * y
    g[x, y] = f[x, y] + f[x + 1, y]
    xs, ys = grid(16, 6)
    expected = (2 * xs + 1) * ys
    for change in (lambda: None, f.compute_root, lambda: f.vectorize(x, 4), lambda: g.parallel(y).vectorize(x, 8)):
        change()
        check(g.realize([16, 6]), expected)


def test_a_func_that_nobody_reads_is_not_compiled(hl, trace):
    x, f, g, h = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = x
    g[x] = f[x] * 2
    h[x] = x + 1
    g.compute_root().trace_stores()
    check(h.realize([5]), np.arange(5) + 1)
    assert trace().stores(g) == []


def test_many_stages_that_use_each_one_before_twice(hl):
    x = hl.Var("x")
    funcs = [hl.Func(f"f{i}") for i in range(14)]
    funcs[0][x] = hl.u32(x)
    for before, after in zip(funcs, funcs[1:], strict=False):
        after[x] = before[x] + before[x - 1]
        before.compute_root()
    expected = np.arange(-13, 8).astype(np.uint32)
    for _ in range(13):
        expected = expected[1:] + expected[:-1]
    check(funcs[-1].realize([8]), expected)


def test_an_expression_that_would_explode_when_expanded(hl):
    x, f = hl.Var("x"), hl.Func("f")
    e = hl.u32(x)
    for _ in range(40):
        e = e + e * hl.u32(3)
    f[x] = e
    with np.errstate(over="ignore"):
        expected = np.arange(8, dtype=np.uint32)
        for _ in range(40):
            expected = expected * np.uint32(4)
    check(f.realize([8]), expected)


def test_many_values_that_do_not_change_in_a_loop(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    p = [hl.Param(hl.Int(32), f"p{i}") for i in range(20)]
    value = x
    for i, parameter in enumerate(p):
        parameter.set(i)
        value = value + (parameter * y + i) * parameter
    f[x, y] = value
    xs, ys = grid(6, 5)
    check(f.realize([6, 5]), xs + sum((i * ys + i) * i for i in range(20)))


def test_the_median_of_nine_in_vectors(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    data = RANDOM.integers(0, 256, (10, 18), dtype=np.uint8)
    source = image(hl, data)

    def middle(a, b, c):
        return hl.max(hl.min(a, b), hl.min(hl.max(a, b), c))

    rows = []
    for j in range(3):
        a, b, c = (source[x + i, y + j] for i in range(3))
        rows.append((hl.min(a, b, c), middle(a, b, c), hl.max(a, b, c)))
    low = hl.max(*(r[0] for r in rows))
    high = hl.min(*(r[2] for r in rows))
    f[x, y] = middle(low, middle(*(r[1] for r in rows)), high)
    f.vectorize(x, 16)
    windows = np.stack([data[j : j + 8, i : i + 16] for j in range(3) for i in range(3)])
    check(f.realize([16, 8]), np.median(windows, axis=0))


def test_a_pyramid_down_and_up(hl):
    x, levels = hl.Var("x"), 4
    down, up = [hl.Func(f"d{i}") for i in range(levels)], [hl.Func(f"u{i}") for i in range(levels)]
    down[0][x] = x * x
    for a, b in zip(down, down[1:], strict=False):
        b[x] = (a[2 * x - 1] + 2 * a[2 * x] + a[2 * x + 1]) // 4
    up[-1][x] = down[-1][x]
    for i in reversed(range(levels - 1)):
        up[i][x] = up[i + 1][x // 2] + up[i + 1][(x + 1) // 2] + down[i][x]

    def model_down(i, v):
        return v * v if i == 0 else (
            model_down(i - 1, 2 * v - 1) + 2 * model_down(i - 1, 2 * v) + model_down(i - 1, 2 * v + 1)
        ) // 4  # fmt: skip

    def model_up(i, v):
        if i == levels - 1:
            return model_down(i, v)
        return model_up(i + 1, v // 2) + model_up(i + 1, (v + 1) // 2) + model_down(i, v)

    xi = hl.Var("xi")
    up[0].split(x, x, xi, 8).parallel(x)
    for func in (*down, *up[1:]):
        func.compute_at(up[0], x).vectorize(x, 4)
    check(up[0].realize([40]), [model_up(0, v) for v in range(40)])


@pytest.mark.parametrize("level, calls", [("inlined", 0), ("root", 1), ("y", 5), ("x", 10)])
def test_each_loop_level_may_be_chosen_later(hl, trace, level, calls):
    x, y, xi, f, g = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y] + 1
    compute, store = hl.LoopLevel(), hl.LoopLevel()
    f.store_at(store).compute_at(compute).trace_realizations()
    g.split(x, x, xi, 4)
    levels = {"inlined": hl.LoopLevel.inlined, "root": hl.LoopLevel.root}
    for chosen in (compute, store):
        chosen.set(levels[level]() if level in levels else hl.LoopLevel(g, {"x": x, "y": y}[level]))
    xs, ys = grid(8, 5)
    check(g.realize([8, 5]), xs + ys + 1)
    assert len(trace().productions(f)) == calls


@pytest.mark.parametrize("target_is_packed", [True, False])
@pytest.mark.parametrize("source_is_packed", [True, False])
def test_copies_between_interleaved_and_planar_channels(hl, source_is_packed, target_is_packed):
    x, y, c, f = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Func("f")
    make = {True: hl.Buffer.make_interleaved, False: lambda kind, *sizes: hl.Buffer(kind, sizes)}
    source, target = (make[packed](hl.UInt(8), 37, 5, 3) for packed in (source_is_packed, target_is_packed))
    xs, ys, cs = grid(37, 5, 3)
    for place in np.ndindex(37, 5, 3):
        source[place] = (place[0] + 7 * place[1] + 80 * place[2]) % 256
    image = hl.ImageParam(hl.UInt(8), 3)
    f[x, y, c] = image[x, y, c]
    for buffer, packed in ((image, source_is_packed), (f.output_buffer(), target_is_packed)):
        buffer.dim(2).set_bounds(0, 3)
        if packed:
            buffer.dim(0).set_stride(3).dim(2).set_stride(1)
    f.reorder(c, x, y).unroll(c).vectorize(x, 16)
    image.set(source)
    f.realize(target)
    actual = np.array([[[target[i, j, k] for i in range(37)] for j in range(5)] for k in range(3)])
    np.testing.assert_array_equal(actual, (xs + 7 * ys + 80 * cs) % 256)


def test_an_image_of_many_dimensions_that_begins_elsewhere(hl):
    sizes, mins = [2, 3, 1, 2, 3, 2, 1, 2], [90, 80, 70, 60, 50, 40, 30, 20]
    names = tuple(hl.Var(f"v{k}") for k in range(8))
    source, f, g, h = hl.ImageParam(hl.UInt(64), 8), hl.Func("f"), hl.Func("g"), hl.Func("h")
    pixels, out = hl.Buffer(hl.UInt(64), sizes), hl.Buffer(hl.UInt(64), sizes)
    pixels.set_min(mins)
    out.set_min(mins)
    values = np.asarray(pixels)
    values[...] = RANDOM.integers(0, 2**40, values.shape, dtype=np.uint64)
    f[names] = source[names] * source[names]
    g[names] = f[names] - hl.u64(2)
    h[hl._] = g[hl._] - hl.u64(1)
    f.compute_root().parallel(names[7])
    g.compute_root().parallel(names[7])
    source.set(pixels)
    h.realize(out)
    with np.errstate(over="ignore"):
        check(out, values * values - np.uint64(3))


def test_a_vectorized_start_of_a_scan_over_what_the_scan_reads(hl):
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 4)])
    f[x] = x
    f[r.x] = f[r.x - 1] + f[r.x + 1]
    f.compute_root().vectorize(x, 4)
    f.update(0).unscheduled()
    g[x] = f[x]
    check(g.realize([4]), [0, 2, 5, 9])


@pytest.mark.parametrize("kind", ["uint8", "int16", "sparse"])
@pytest.mark.parametrize("nested", [False, True])
def test_sums_of_products_in_vectors_of_both_loops(hl, kind, nested):
    x, taps = hl.Var("x"), 32
    prod, result, r = hl.Func("prod"), hl.Func("result"), hl.RDom([(0, taps)])
    ro, ri, rio, rii = (hl.RVar(name) for name in ("ro", "ri", "rio", "rii"))
    dtype = np.int16 if kind == "int16" else np.uint8
    f, g = (RANDOM.integers(0, 200, size).astype(dtype) for size in (112, taps))
    places = (np.arange(taps) ** 2 % taps).astype(np.int32) if kind == "sparse" else np.arange(taps, dtype=np.int32)
    p, q, table = image(hl, f), image(hl, g), image(hl, places)
    place = hl.unsafe_promise_clamped(table[r.x], 0, taps - 1) if kind == "sparse" else r.x
    prod[x] += hl.i32(p[x + place]) * hl.i32(q[r.x])
    result[x] = prod[x]
    result.vectorize(x, 16, hl.TailStrategy.RoundUp)
    update = prod.compute_at(result, x).vectorize(x).update(0)
    if not nested:
        update.split(r.x, ro, ri, 8).reorder(ri, x, ro).vectorize(x).unroll(ri)
    elif kind == "int16":
        update.split(r.x, ro, ri, 4).split(ri, rio, rii, 2).reorder(rii, x, rio, ro)
        update.vectorize(x).atomic().vectorize(rio).vectorize(rii)
    else:
        update.split(r.x, ro, ri, 8).reorder(ri, x, ro).vectorize(x).atomic().vectorize(ri, 4).unroll(ri)
    out = np.asarray(result.realize([64]))
    wide = f.astype(np.int64)
    check(out, sum(wide[k : k + 64] * g[i] for i, k in enumerate(places)))


def test_a_matrix_product_of_bytes_in_vectors_of_both_loops(hl):
    x, y, xi, yi, size = *(hl.Var(n) for n in ("x", "y", "xi", "yi")), 16
    a, b = (RANDOM.integers(0, 256, (size, size), dtype=np.uint8) for _ in range(2))
    f, g, prod, r = hl.ImageParam(hl.UInt(8), 2), hl.ImageParam(hl.UInt(8), 2), hl.Func("prod"), hl.RDom([(0, size)])
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    prod[x, y] += hl.i32(f[x, r.x]) * g[r.x, y]
    prod.in_().tile(x, y, xi, yi, 8, 4).vectorize(xi).unroll(yi)
    f.in_().compute_at(prod, ro).vectorize(hl._0).unroll(hl._1)
    g.in_().compute_at(prod, y).vectorize(hl._0).unroll(hl._1)
    update = prod.compute_at(prod.in_(), x).vectorize(x).unroll(y).update(0)
    update.split(r.x, ro, ri, 4).reorder(ri, x, y, ro).vectorize(x).unroll(y).atomic().vectorize(ri, 2).unroll(ri)
    f.set(hl.Buffer(a))
    g.set(hl.Buffer(b))
    check(prod.in_().realize([size, size]), b.astype(int) @ a)
