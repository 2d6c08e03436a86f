"""Updates, reductions and their schedules: Halide's programs about RDoms, rfactor, scatters and Tuples."""

import numpy as np
import pytest
from helpers import check, grid, image

RANDOM = np.random.default_rng(8)
IMAGE = RANDOM.integers(0, 256, (9, 13), dtype=np.uint8)


def test_the_place_of_the_largest_value(hl):
    f, r = hl.Func("f"), hl.RDom([(0, 13), (0, 9)])
    source = image(hl, IMAGE)
    f[()] = (0, 0, hl.u8(0))
    better = source[r.x, r.y] > f[()][2]
    f[()] = (
        hl.select(better, r.x, f[()][0]), hl.select(better, r.y, f[()][1]),
        hl.select(better, source[r.x, r.y], f[()][2]),
    )  # fmt: skip
    column, row, value = (int(np.asarray(b)) for b in f.realize())
    assert value == IMAGE.max() and (row, column) == np.unravel_index(IMAGE.argmax(), IMAGE.shape)
    g = hl.Func("g")
    g[()] = hl.argmax(source[r.x, r.y])
    assert tuple(int(np.asarray(b)) for b in g.realize()) == (column, row, value)


def test_reductions_inside_of_expressions(hl):
    x, y, f, r, k = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(-1, 3)]), hl.RDom([(0, 4)])
    f[x, y] = hl.sum(x + r) * hl.maximum((x - r) * (y + 1)) + hl.minimum(r * y - x) - hl.product(k + y + 1)
    xs, ys = grid(6, 5)
    product = (ys + 1) * (ys + 2) * (ys + 3) * (ys + 4)
    check(f.realize([6, 5]), 3 * xs * (xs + 1) * (ys + 1) + (-ys - xs) - product)


def test_inline_reductions_of_each_other(hl):
    x, y, f, r, k = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 5), (0, 5)]), hl.RDom([(0, 3)])
    f[x, y] = hl.sum(r, x * r.x + y * r.y) + hl.sum(k, hl.maximum(r, x * r.x - k * r.y))
    f.compute_root().vectorize(x, 4)
    xs, ys = grid(8, 4)
    check(f.realize([8, 4]), 50 * (xs + ys) + 3 * 4 * xs)


def test_an_inline_reduction_over_a_vector(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 7)])
    f[x] = hl.sum(hl.f32(x * r)) + hl.maximum(hl.f32(x) * hl.f32(r - 3))
    f.vectorize(x, 8)
    i = np.arange(16)
    check(f.realize([16]), 21 * i + 3 * i)


def test_an_inner_domain_that_is_empty(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 10), (0, 10)])
    r.where(r.x + r.y < 0)
    f[x, y] = 7
    f[r.x, r.y] = 5
    g[x, y] = f[x, y]
    f.compute_root()
    f.update(0).fuse(r.x, r.y, hl.RVar("rf"))
    check(g.realize([10, 10]), 7)


@pytest.mark.parametrize("schedule", ["plain", "split", "fused", "vector", "rfactor"])
def test_a_histogram_under_schedules(hl, schedule):
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 13), (0, 9)])
    source = image(hl, IMAGE)
    f[x] = 0
    f[hl.i32(source[r.x, r.y]) // 16] += 1
    g[x] = f[x] * 2
    f.compute_root()
    ro, ri, rf, u = hl.RVar("ro"), hl.RVar("ri"), hl.RVar("rf"), hl.Var("u")
    if schedule == "split":
        f.update(0).split(r.x, ro, ri, 4).reorder(ri, r.y, ro)
    elif schedule == "fused":
        f.update(0).fuse(r.x, r.y, rf).split(rf, ro, ri, 7)
    elif schedule == "vector":
        f.vectorize(x, 8)
        f.update(0).atomic().vectorize(r.x, 4)
    elif schedule == "rfactor":
        f.update(0).rfactor(r.y, u).compute_root().vectorize(x, 8).update(0).parallel(u)
    check(g.realize([16]), 2 * np.bincount(IMAGE.ravel() // 16, minlength=16))


def test_equalization_by_a_histogram(hl):
    i, x, y, r, b = hl.Var("i"), hl.Var("x"), hl.Var("y"), hl.RDom([(0, 13), (0, 9)]), hl.RDom([(1, 255)])
    source = image(hl, IMAGE)
    counts, cdf, out = hl.Func("counts"), hl.Func("cdf"), hl.Func("out")
    counts[i] = 0
    counts[hl.clamp(hl.i32(source[r.x, r.y]), 0, 255)] += 1
    cdf[i] = counts[0]
    cdf[b.x] = cdf[b.x - 1] + counts[b.x]
    out[x, y] = hl.u8(hl.clamp(cdf[hl.i32(source[x, y])] * 255 / 117, 0, 255))
    counts.compute_root()
    cdf.compute_root()
    out.vectorize(x, 8)
    cumulative = np.bincount(IMAGE.ravel(), minlength=256).cumsum()
    check(out.realize([13, 9]), np.clip(cumulative[IMAGE] * 255 // 117, 0, 255))


def test_several_passes_over_one_buffer(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    columns, rows = hl.RDom([(1, 9)]), hl.RDom([(0, 9)])
    f[x, y] = hl.select(x == 0, 1, 0) + y
    f[columns, y] += f[columns - 1, y]
    f[8 - rows, y] += f[9 - rows, y]
    f[x, columns] = f[x, columns] + f[x, columns - 1]
    model = (np.arange(10)[None] == 0).astype(int) + np.arange(10)[:, None]
    model = model.cumsum(1)[:, ::-1].cumsum(1)[:, ::-1].cumsum(0)
    check(f.realize([10, 10]), model)


def test_many_updates_of_parts(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    source = image(hl, IMAGE)
    model = IMAGE.astype(np.int32)
    f[x, y] = hl.i32(source[x, y])
    for k in range(9):
        f[x, k] = f[x, k] + k
        f[k, y] = f[k, y] * 2 - f[k + 1, y]
        model[k] += k
        model[:, k] = model[:, k] * 2 - model[:, k + 1]
    f.compute_root()
    check(f.realize([13, 9]), model)


def test_updates_by_their_position(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x
    f[x] += 10
    f[x] *= 2
    f.update(0).vectorize(x, 4)
    f.update(1).unroll(x, 2)
    check(f.realize([8]), 2 * (np.arange(8) + 10))
    assert f.num_update_definitions() == 2


def test_the_extreme_of_a_chain_of_reductions(hl):
    x, r = hl.Var("x"), hl.RDom([(0, 4)])
    funcs = [hl.Func(f"f{i}") for i in range(4)]
    funcs[0][x] = x % 5
    for before, after in zip(funcs, funcs[1:], strict=False):
        after[x] = hl.i32(0)
        after[x] += before[x + r] * (r + 1)
        before.compute_at(funcs[-1], x)
    model = np.arange(30) % 5
    for _ in range(3):
        model = sum(model[k : len(model) - 3 + k] * (k + 1) for k in range(4))
    check(funcs[-1].realize([12]), model[:12])


def triangle(hl, mode):
    r = hl.RDom([(0, 12), (0, 12)])
    if mode == "triangle":
        r.where(r.x < r.y)
    elif mode == "circle":
        r.where((r.x - 6) * (r.x - 6) + (r.y - 6) * (r.y - 6) <= 20)
    elif mode == "two conditions":
        r.where(r.x * 2 > r.y)
        r.where(r.x + r.y < 15)
    elif mode == "either":
        r.where((r.x < 3) | (r.y > 9))
    elif mode == "a parameter":
        p = hl.Param(hl.Int(32), "p")
        p.set(7)
        r.where((r.x < p) & (r.y >= p))
    return r


SHAPES = {
    "triangle": lambda x, y: x < y,
    "circle": lambda x, y: (x - 6) ** 2 + (y - 6) ** 2 <= 20,
    "two conditions": lambda x, y: (2 * x > y) & (x + y < 15),
    "either": lambda x, y: (x < 3) | (y > 9),
    "a parameter": lambda x, y: (x < 7) & (y >= 7),
}


@pytest.mark.part(3)
@pytest.mark.parametrize("schedule", ["plain", "tile", "vector", "fused", "parallel"])
@pytest.mark.parametrize("mode", SHAPES)
def test_domains_that_are_no_rectangles(hl, mode, schedule):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    r = triangle(hl, mode)
    f[x, y] = x + y
    f[r.x, r.y] += f[r.x, r.y] * 10 + r.y
    g[x, y] = f[x, y]
    f.compute_root()
    names = [hl.RVar(n) for n in ("xo", "yo", "xi", "yi")]
    update = f.update(0)
    if schedule == "tile":
        update.tile(r.x, r.y, *names, 4, 5)
    elif schedule == "vector":
        update.allow_race_conditions().vectorize(r.x, 4)
    elif schedule == "fused":
        update.fuse(r.x, r.y, names[0])
    elif schedule == "parallel":
        update.allow_race_conditions().parallel(r.y)
    xs, ys = grid(12, 12)
    check(g.realize([12, 12]), np.where(SHAPES[mode](xs, ys), 11 * (xs + ys) + ys, xs + ys))


def test_a_condition_with_values_of_another_func(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 12), (0, 9)])
    source = image(hl, IMAGE)
    g[x, y] = hl.i32(source[x, y]) > 128
    r.where(g[r.x, r.y] & (source[r.x + 1, r.y] < 100))
    f[x, y] = 0
    f[r.x, r.y] = 1
    g.compute_root()
    expected = np.zeros((9, 13), int)
    expected[:, :12] = (IMAGE[:, :12] > 128) & (IMAGE[:, 1:] < 100)
    check(f.realize([13, 9]), expected)


def test_a_producer_in_the_loop_of_a_condition(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 12), (0, 9)])
    g[x, y] = x * y
    r.where(r.x > r.y)
    f[x, y] = 0
    f[r.x, r.y] += g[r.x, r.y] + g[r.x + 1, r.y]
    g.compute_at(f, r.y)
    xs, ys = grid(12, 9)
    check(f.realize([12, 9]), np.where(xs > ys, ys * (2 * xs + 1), 0))


def test_conditions_of_iterations_that_run_beside_each_other(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 100)])
    f[x] = 0
    r.where(r.x % 3 == 0)
    f[r.x] = r.x * 2
    f.update(0).parallel(r.x, 8)
    i = np.arange(100)
    check(f.realize([100]), np.where(i % 3 == 0, 2 * i, 0))


@pytest.mark.parametrize("order", ["x y r", "r x y", "y r x", "x r y"])
def test_loops_of_an_update_in_any_order(hl, order):
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 6)])
    f[x, y] = x
    f[x, y] += f[x, y] % 7 + r * y
    f.update(0).reorder(*({"x": x, "y": y, "r": r.x}[n] for n in order.split()))
    xs, ys = grid(8, 5)
    model = xs.copy()
    for k in range(6):
        model += model % 7 + k * ys
    check(f.realize([8, 5]), model)


@pytest.mark.parametrize("split", ["split", "split twice", "fused", "fused and split", "tiled"])
def test_loops_of_a_sum_are_cut_and_fused(hl, split):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 13), (0, 9)])
    source = image(hl, IMAGE)
    f[x] = 0
    f[x] += hl.i32(source[r.x, r.y]) * (x + 1)
    a, b, c, d = (hl.RVar(n) for n in "abcd")
    u = f.update(0)
    if split == "split":
        u.split(r.x, a, b, 4)
    elif split == "split twice":
        u.split(r.x, a, b, 6).split(b, c, d, 4)
    elif split == "fused":
        u.fuse(r.x, r.y, a)
    elif split == "fused and split":
        u.fuse(r.x, r.y, a).split(a, b, c, 5).unroll(c)
    else:
        u.tile(r.x, r.y, a, b, c, d, 4, 3)
    check(f.realize([5]), IMAGE.sum(dtype=int) * (np.arange(5) + 1))


def test_scatter_and_gather_by_tables(hl):
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 32)])
    order = RANDOM.permutation(32).astype(np.int32)
    table = image(hl, order)
    f[x] = -1
    f[hl.clamp(table[r], 0, 31)] = r.x
    g[x] = f[hl.clamp(table[x], 0, 31)]
    f.compute_root()
    check(g.realize([32]), np.arange(32))


def test_several_values_are_scattered_at_once(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 8)])
    f[x] = x
    f[hl.scatter([r.x, 15 - r.x])] = hl.gather([f[15 - r.x], f[r.x]])
    check(f.realize([16]), 15 - np.arange(16))


def test_elements_that_swap_places_in_parallel(hl):
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 8)])
    f[x, y] = x + 100 * y
    f[hl.scatter([r.x, 15 - r.x]), y] = hl.gather([f[15 - r.x, y], f[r.x, y]])
    f.update(0).parallel(y)
    xs, ys = grid(16, 5)
    check(f.realize([16, 5]), 15 - xs + 100 * ys)


def test_an_expression_of_the_func_itself_in_two_updates(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 3)])
    f[x] = x
    shared = f[x] + r
    f[x] = shared
    f[x] = shared * 2
    model = np.arange(6)
    for k in range(3):
        model = model + k
    for k in range(3):
        model = (model + k) * 2
    check(f.realize([6]), model)


def test_a_stencil_chain_in_updates(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x * 2 + y
    f[x, y] += x
    g[x, y] = f[x, y] + f[x + 1, y]
    g[x, y] += f[x - 1, y] * 3
    g[x, y] += f[x, y + 2]
    f.compute_root()
    xs, ys = grid(7, 5)

    def stage(a, b):
        return 3 * a + b

    check(g.realize([7, 5]), stage(xs, ys) + stage(xs + 1, ys) + 3 * stage(xs - 1, ys) + stage(xs, ys + 2))


def test_a_recursive_box_filter(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(1, 19)])
    source = hl.BoundaryConditions.constant_exterior(image(hl, IMAGE), 0)
    f[x, y] = hl.i32(source[x, y])
    f[r, y] = f[r - 1, y] + hl.i32(source[r, y]) - hl.i32(source[r - 5, y])
    g[x, y] = f[x, y]
    f.compute_at(g, y)
    padded = np.pad(IMAGE.astype(int), ((0, 0), (5, 7)))
    sums = padded.cumsum(1)
    check(g.realize([20, 9]), sums[:, 5:] - sums[:, :-5])


def test_sums_of_a_vector(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 16)])
    data = RANDOM.integers(0, 100, 64, dtype=np.int32)
    source = image(hl, data)
    f[x] = 0
    f[x] += source[x * 16 + r]
    f.update(0).atomic().vectorize(r.x, 8)
    check(f.realize([4]), data.reshape(4, 16).sum(1))


VECTOR_REDUCTIONS = {
    "add": (lambda hl, a, v: a + v, np.add, 0), "mul": (lambda hl, a, v: a * v, np.multiply, 1),
    "min": (lambda hl, a, v: hl.min(a, v), np.minimum, 100), "max": (lambda hl, a, v: hl.max(a, v), np.maximum, -100),
}  # fmt: skip


@pytest.mark.parametrize("lanes", [2, 8])
@pytest.mark.parametrize("name", VECTOR_REDUCTIONS)
def test_lanes_are_reduced(hl, name, lanes):
    step, model, start = VECTOR_REDUCTIONS[name]
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 16)])
    data = RANDOM.integers(-4, 5, (6, 16)).astype(np.int32)
    source = image(hl, data)
    f[x] = start
    f[x] = step(hl, f[x], source[r, x])
    f.update(0).atomic().vectorize(r.x, lanes)
    check(f.realize([6]), model.reduce(data, axis=1, initial=start))


def test_lanes_of_both_kinds_are_reduced(hl):
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 8)])
    a = RANDOM.integers(-8, 8, (12, 8)).astype(np.int16)
    b = RANDOM.integers(-8, 8, (8, 8)).astype(np.int16)
    p, q = image(hl, a), image(hl, b)
    f[x, y] = 0
    f[x, y] += hl.i32(p[r, y]) * hl.i32(q[x, r])
    rx = hl.RVar("rx")
    f.update(0).split(r.x, r.x, rx, 2).reorder(rx, x, r.x, y).vectorize(x, 8).atomic().vectorize(rx)
    check(f.realize([8, 12]), a.astype(int) @ b)


def test_pairs_are_reduced_in_vectors(hl):
    f, r = hl.Func("f"), hl.RDom([(0, 32)])
    data = RANDOM.integers(-50, 50, 32).astype(np.int32)
    source = image(hl, data)
    f[()] = (1000, -1000)
    f[()] = (hl.min(f[()][0], source[r]), hl.max(f[()][1], source[r]))
    f.update(0).atomic().vectorize(r.x, 8)
    assert [int(np.asarray(v)) for v in f.realize()] == [data.min(), data.max()]


def test_a_sum_that_is_unrolled(hl):
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 7)])
    f[x] = x
    g[x] = 0
    g[x] += f[x + r] * r
    f.compute_root()
    g.update(0).unroll(r.x)
    check(g.realize([9]), [sum((i + k) * k for k in range(7)) for i in range(9)])


def test_a_producer_inside_of_an_update(hl, trace):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = 0
    g[x, y] += f[x, y] + f[x + 1, y]
    f.compute_at(g, y).trace_realizations()
    xs, ys = grid(5, 4)
    check(g.realize([5, 4]), 2 * (xs + ys) + 1)
    assert trace().realizations(f) == [((0, 6), (row, 1)) for row in range(4)]


def test_a_producer_in_a_split_reduction(hl):
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 20)])
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    f[x] = x * x
    g[x] = 0
    g[r.x] += f[r.x] + f[r.x + 1]
    g.update(0).split(r.x, ro, ri, 6)
    f.compute_at(g, ro)
    i = np.arange(20)
    check(g.realize([20]), i * i + (i + 1) ** 2)


def test_a_producer_in_a_reordered_update(hl, trace):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 3)])
    f[x, y] = x * y
    g[x, y] = 0
    g[x, y] += f[x, y] * r
    g.update(0).reorder(y, r.x, x)
    f.compute_at(g, x).trace_realizations()
    xs, ys = grid(4, 5)
    check(g.realize([4, 5]), 3 * xs * ys)
    assert trace().realizations(f) == [((i, 1), (0, 5)) for i in range(4)]


def test_steps_of_a_simulation(hl):
    x, y = hl.Var("x"), hl.Var("y")
    start = (RANDOM.random((12, 12)) < 0.4).astype(np.uint8)
    board = image(hl, start)
    state = hl.BoundaryConditions.constant_exterior(board, hl.u8(0))
    model = start
    for _ in range(3):
        r = hl.RDom([(-1, 3), (-1, 3)])
        counts, step = hl.Func("counts"), hl.Func("step")
        counts[x, y] = hl.sum(state[x + r.x, y + r.y])
        inside = (x >= 0) & (x < 12) & (y >= 0) & (y < 12)
        alive = (counts[x, y] == 3) | ((counts[x, y] == 4) & (state[x, y] == 1))
        step[x, y] = hl.select(inside & alive, hl.u8(1), hl.u8(0))
        step.compute_root()
        padded = np.pad(model, 1)
        neighbours = sum(padded[j : j + 12, i : i + 12] for j in range(3) for i in range(3))
        model = ((neighbours == 3) | ((neighbours == 4) & (model == 1))).astype(np.uint8)
        state = step
    check(state.realize([12, 12]), model)


def test_fibonacci_numbers_by_a_scan(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(2, 18)])
    f[x] = 1
    f[r.x] = f[r.x - 1] + f[r.x - 2]
    model = [1, 1]
    while len(model) < 20:
        model.append(model[-1] + model[-2])
    check(f.realize([20]), model)


def test_races_that_the_program_vouches_for(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 60)])
    f[x] = 0
    f[r.x % 10] = 7
    f.update(0).allow_race_conditions().parallel(r.x)
    check(f.realize([10]), 7)


def test_a_reduction_with_a_scatter_in_parallel(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 40)])
    table = image(hl, RANDOM.permutation(40).astype(np.int32))
    f[x] = 0
    f[hl.clamp(table[r], 0, 39)] += r.x
    f.update(0).atomic().parallel(r.x, 4)
    expected = np.zeros(40, int)
    expected[np.asarray(table)] = np.arange(40)
    check(f.realize([40]), expected)


def test_the_elements_that_pass_a_test_are_moved_together(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 50)])
    data = RANDOM.integers(0, 100, 50, dtype=np.int32)
    source = image(hl, data)
    place = hl.Func("place")
    place[x] = 0
    s = hl.RDom([(1, 50)])
    place[s.x] = place[s.x - 1] + hl.select(source[s.x - 1] > 60, 1, 0)
    f[x] = -1
    r.where(source[r] > 60)
    f[hl.clamp(place[r], 0, 49)] = source[r]
    place.compute_root()
    stored = data[data > 60]
    expected = np.full(50, -1)
    expected[: len(stored)] = stored
    check(f.realize([50]), expected)


TUPLE_UPDATES = ["per element", "partial", "swapped"]


@pytest.mark.parametrize("kind", TUPLE_UPDATES)
def test_updates_of_tuples(hl, kind):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 4)])
    f[x] = (x, hl.f32(x) + 0.5)
    i = np.arange(6)
    first, second = i.copy(), i + 0.5
    if kind == "per element":
        f[x] = (f[x][0] * 2 + r, f[x][1] * 0.5)
        for k in range(4):
            first, second = first * 2 + k, second * 0.5
    elif kind == "partial":
        f[r.x] = (f[r.x][0] + 10, hl.undef(hl.Float(32)))
        first = first + 10 * (i < 4)
    else:
        f[x] = (hl.i32(f[x][1]) + r, hl.f32(f[x][0]))
        for k in range(4):
            first, second = second.astype(int) + k, first.astype(float)
    for actual, want in zip(f.realize([6]), (first, second), strict=True):
        check(actual, want)


def test_undefined_parts_keep_what_was_there(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.undef(hl.Int(32))
    f[x] = hl.select(x % 2 == 0, x * 10, hl.undef(hl.Int(32)))
    out = hl.Buffer(hl.Int(32), [8])
    out.fill(-3)
    f.realize(out)
    check(out, [i * 10 if i % 2 == 0 else -3 for i in range(8)])


def test_a_lazy_convolution_reads_only_what_the_kernel_has(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(-2, 5), (-2, 5)])
    kernel = np.zeros((5, 5), np.int32)
    kernel[1, 2], kernel[3, 4] = 3, -2
    weights = image(hl, kernel)
    f[x, y] = x * 100 + y
    r.where(weights[r.x + 2, r.y + 2] != 0)
    g[x, y] = 0
    g[x, y] += f[x + r.x, y + r.y] * weights[r.x + 2, r.y + 2]
    xs, ys = grid(4, 4)
    check(g.realize([4, 4]), 3 * (xs * 100 + ys - 1) - 2 * ((xs + 2) * 100 + ys + 1))


def test_one_vector_of_an_update_and_its_producer(hl):
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 8)])
    f[x] = x
    f[x] += x * 2
    g[x] = 0
    g[r.x] += f[r.x] * 2
    f.compute_at(g, r.x).vectorize(x, 4)
    check(g.realize([8]), 6 * np.arange(8))


def test_a_definition_that_only_an_update_gives(hl):
    x, f, g, h, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.Func("h"), hl.RDom([(0, 16), (0, 8)])
    f[x] = x + 1
    g[x] = 2 * x + 3
    h[x] = 0
    h[r.x] += f[r.x + r.y] * g[r.y]
    f.compute_root()
    g.compute_root()
    h.update(0).atomic().vectorize(r.x).unroll(r.y)
    check(h.realize([16]), [sum((i + j + 1) * (2 * j + 3) for j in range(8)) for i in range(16)])


def test_a_histogram_of_pairs_is_atomic(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 117)])
    source = image(hl, IMAGE.ravel())
    f[x] = (0, hl.i64(0))
    at = hl.i32(source[r] >> 5)
    f[at] = (f[at][0] + 1, f[at][1] + hl.i64(source[r]))
    f.compute_root().update(0).atomic().parallel(r.x, 16)
    counts, sums = f.realize([8])
    keys = IMAGE.ravel() >> 5
    check(counts, np.bincount(keys, minlength=8))
    check(sums, np.bincount(keys, weights=IMAGE.ravel(), minlength=8))


ATOMICS = {
    "add": (lambda hl, a, v: a + v, np.add.at, 0),
    "max": (lambda hl, a, v: hl.max(a, v), np.maximum.at, 0),
    "min": (lambda hl, a, v: hl.min(a, v), np.minimum.at, 100),
    "multiply": (lambda hl, a, v: a * (v | 1), lambda e, at, v: np.multiply.at(e, at, v | 1), 1),
}


@pytest.mark.part(6)
@pytest.mark.parametrize("how", ["parallel", "vector", "both"])
@pytest.mark.parametrize("kind", ["uint8", "int16", "int32", "uint64", "float32"])
@pytest.mark.parametrize("name", ATOMICS)
def test_atomic_updates(hl, name, kind, how):
    if kind == "float32" and name == "multiply":
        name = "add"
    step, model, start = ATOMICS[name]
    halide_type = {"uint8": hl.UInt(8), "int16": hl.Int(16), "int32": hl.Int(32), "uint64": hl.UInt(64),
                   "float32": hl.Float(32)}[kind]  # fmt: skip
    x, f, g, r = hl.Var("x"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 96)])
    f[x] = hl.cast(halide_type, start)
    at = hl.clamp(image(hl, np.arange(96, dtype=np.int32) % 7)[r], 0, 6)
    f[at] = step(hl, f[at], hl.cast(halide_type, (r * 5) % 11))
    g[x] = f[x]
    f.compute_root()
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    update = f.update(0).atomic()
    if how == "parallel":
        update.parallel(r.x, 8)
    elif how == "vector":
        update.vectorize(r.x, 8)
    else:
        update.split(r.x, ro, ri, 8).parallel(ro).vectorize(ri)
    expected = np.full(7, start, kind)
    i = np.arange(96)
    with np.errstate(over="ignore"):
        model(expected, i % 7, (i * 5 % 11).astype(kind))
    check(g.realize([7]), expected)


def test_updates_of_every_second_and_third_element(hl):
    x, r, f = hl.Var("x"), hl.RDom([(0, 16)]), hl.Func("f")
    f[x] = x
    f[0] = 1
    values = [(2, 13), (4, 14), (3, 4), (2, 8), (5, 2)]
    for step, value in values:
        f[r.x * step] = value
    f.compute_root().vectorize(x, 4)
    f.update(0).unscheduled()
    f.update(1).parallel(r.x)
    for number in range(2, 6):
        f.update(number).vectorize(r.x, 4)
    expected = np.arange(128)
    expected[0] = 1
    for step, value in values:
        expected[: 16 * step : step] = value
    check(f.realize([128]), expected)


def test_the_region_of_each_update_of_a_stencil_chain(hl, trace):
    """On the diagonal, so that each update has a region of its own: a trapezoid."""
    x, y, f, g, h = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    rounds, size = 6, 9
    f[x] = hl.f32(x)
    g[x, y] = hl.undef(hl.Float(32))
    g[x, x] = f[x]
    for _ in range(rounds):
        g[x, x + 1] = g[x, x]
        g[x, x - 1] = g[x, x]
        g[y, y] = (g[y, y] + g[y - 1, y] + g[y + 1, y]) / 3.0
    g.compute_root().trace_stores()
    h[x] = g[x, x]
    check(h.realize([size]), np.arange(size), atol=1e-4)
    widest = size + 2 * rounds
    copies, blurs = [rounds * (size + widest + change) // 2 for change in (2, -2)]
    assert len(trace().stores(g)) == widest + 2 * copies + blurs


def test_a_split_and_unrolled_sum_of_a_producer_read_by_an_unrolled_stage(hl):
    x, y, z, f, g, r = *(hl.Var(n) for n in "xyz"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 8)])
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    noise = RANDOM.random(8).astype(np.float32)
    source = image(hl, noise)
    g[x, y] = 0.0
    g[r.x, y] += source[r.x]
    f[x, y, z] = g[x, y] + g[x + 1, y]
    g.compute_at(f, y).update(0).split(r.x, ro, ri, 2).unroll(ri)
    f.unroll(z, 2)
    row = np.append(noise, np.zeros(5, np.float32))
    check(f.realize([12, 3, 4]), row[:-1] + row[1:])


def test_a_condition_on_the_func_that_is_updated_races(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 10)])
    f[x] = 1
    r.where(f[0] == 1)
    f[r.x] = 2
    with pytest.raises(hl.HalideError):
        f.update(0).parallel(r.x)
        f.realize([10])
