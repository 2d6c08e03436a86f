"""Partial results of a reduction that are merged: Halide's programs about rfactor."""

import numpy as np
import pytest
from helpers import check, grid, image

RANDOM = np.random.default_rng(8)
IMAGE = RANDOM.integers(0, 256, (9, 13), dtype=np.uint8)


RFACTORS = {
    "sum": (lambda hl, v: hl.i32(0), lambda hl, a, v: a + hl.i32(v), lambda d: d.sum(dtype=int)),
    "maximum": (lambda hl, v: hl.u8(0), lambda hl, a, v: hl.max(a, v), lambda d: d.max()),
    "minimum": (lambda hl, v: hl.u8(255), lambda hl, a, v: hl.min(a, v), lambda d: d.min()),
    "product": (
        lambda hl, v: hl.u32(1), lambda hl, a, v: a * hl.u32(v | 1), lambda d: np.prod(d.ravel() | 1, dtype=np.uint32)
    ),
}  # fmt: skip


@pytest.mark.parametrize("over", ["rows", "parts of columns", "both"])
@pytest.mark.parametrize("name", RFACTORS)
def test_partial_results_are_merged(hl, name, over):
    start, step, model = RFACTORS[name]
    f, r, u, v = hl.Func("f"), hl.RDom([(0, 13), (0, 9)]), hl.Var("u"), hl.Var("v")
    source = image(hl, IMAGE)
    f[()] = start(hl, None)
    f[()] = step(hl, f[()], source[r.x, r.y])
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    if over == "rows":
        f.update(0).rfactor(r.y, u).compute_root().update(0).parallel(u)
    elif over == "parts of columns":
        partial = f.update(0).split(r.x, ro, ri, 4).rfactor(ri, u).compute_root().vectorize(u, 4)
        partial.update(0).vectorize(u, 4)
    else:
        f.update(0).rfactor([(r.x, u), (r.y, v)]).compute_root()
    assert int(np.asarray(f.realize())) == int(model(IMAGE))


def test_partial_results_of_a_tuple(hl):
    f, r, u = hl.Func("f"), hl.RDom([(0, 13), (0, 9)]), hl.Var("u")
    source = image(hl, IMAGE)
    value = hl.i32(source[r.x, r.y])
    f[()] = (10000, 0)
    f[()] = (hl.min(f[()][0], value), hl.max(f[()][1], value))
    f.update(0).rfactor(r.y, u).compute_root().update(0).parallel(u)
    low, high = (int(np.asarray(b)) for b in f.realize())
    assert (low, high) == (IMAGE.min(), IMAGE.max())


def test_partial_results_of_complex_products(hl):
    f, r, u = hl.Func("f"), hl.RDom([(0, 32)]), hl.Var("u")
    a, b = (RANDOM.integers(-2, 3, 32).astype(np.int32) for _ in range(2))
    p, q = image(hl, a), image(hl, b)
    f[()] = (1, 0)
    re, im = f[()][0], f[()][1]
    f[()] = (re * p[r] - im * q[r], re * q[r] + im * p[r])
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    f.update(0).split(r.x, ro, ri, 8).rfactor(ro, u).compute_root().update(0).parallel(u)
    total = np.array([1, 0], np.int32)
    with np.errstate(over="ignore"):
        for x, y in zip(a, b, strict=True):
            total = np.array([total[0] * x - total[1] * y, total[0] * y + total[1] * x], np.int32)
    assert [int(np.asarray(v)) for v in f.realize()] == total.tolist()


def test_partial_results_under_a_condition(hl):
    f, r, u = hl.Func("f"), hl.RDom([(0, 13), (0, 9)]), hl.Var("u")
    source = image(hl, IMAGE)
    r.where((r.x + r.y < 12) & (source[r.x, r.y] > 30))
    f[()] = 0
    f[()] += hl.i32(source[r.x, r.y])
    f.update(0).rfactor(r.x, u).compute_root().vectorize(u, 4)
    xs, ys = grid(13, 9)
    assert int(np.asarray(f.realize())) == IMAGE[(xs + ys < 12) & (IMAGE > 30)].sum(dtype=int)


def test_the_place_of_an_extreme_by_parts(hl):
    f, r, u = hl.Func("f"), hl.RDom([(0, 64)]), hl.Var("u")
    data = RANDOM.permutation(64).astype(np.int32)
    source = image(hl, data)
    f[()] = (100, -1)
    f[()] = (hl.min(f[()][0], source[r.x]), hl.select(f[()][0] < source[r.x], f[()][1], r.x))
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    f.update(0).split(r.x, ro, ri, 16).rfactor(ro, u).compute_root()
    assert [int(np.asarray(v)) for v in f.realize()] == [data.min(), data.argmin()]


def test_partial_results_of_partial_results(hl):
    dot, a, b, r, x = hl.Func("dot"), hl.Func("a"), hl.Func("b"), hl.RDom([(0, 60)]), hl.Var("x")
    ro, ri, rio, rii = (hl.RVar(name) for name in ("ro", "ri", "rio", "rii"))
    u, v = hl.Var("u"), hl.Var("v")
    a[x], b[x] = x, x + 2
    dot[()] = 0
    dot[()] += a[r.x] * b[r.x]
    a.compute_root()
    b.compute_root()
    outer = dot.update(0).split(r.x, ro, ri, 16).rfactor(ro, u)
    outer.compute_root().update(0).parallel(u).split(ri, rio, rii, 4)
    inner = outer.update(0).rfactor(rii, v)
    inner.compute_at(outer, u).update(0).vectorize(v, 4)
    assert int(np.asarray(dot.realize())) == sum(i * (i + 2) for i in range(60))


def test_partial_results_in_the_loop_of_partial_results(hl):
    x, y, u, v, f, g, r = *(hl.Var(n) for n in "xyuv"), hl.Func("f"), hl.Func("g"), hl.RDom([(1, 6), (2, 7)])
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    f[x, y] = x - y
    g[x, y] = 1
    g[r.x, r.y] += f[r.x, r.y]
    f.compute_root()
    g.update(0).reorder(r.y, r.x).split(r.x, ro, ri, 2)
    inner = g.update(0).rfactor([(ro, u), (r.y, v)])
    outer = g.update(0).rfactor(r.y, v)
    outer.compute_root()
    inner.compute_at(outer, ro)
    xs, ys = grid(9, 10)
    check(g.realize([9, 10]), 1 + np.where((xs >= 1) & (xs < 7) & (ys >= 2) & (ys < 9), xs - ys, 0))


def test_partial_results_of_a_fused_loop_through_a_wrapper(hl):
    x, y, z, u = (hl.Var(n) for n in "xyzu")
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(1, 4), (2, 3), (0, 5)])
    rf, rfo, rfi = hl.RVar("rf"), hl.RVar("rfo"), hl.RVar("rfi")
    f[x, y, z] = x + 10 * y + 100 * z
    g[x, y, z] = 1
    g[r.x, r.y, r.z] += f[r.x, r.y, r.z]
    g.update(0).reorder(r.y, r.x).fuse(r.x, r.y, rf).reorder(r.z, rf)
    partial = g.update(0).rfactor(r.z, u)
    partial.update(0).split(rf, rfo, rfi, 2)
    f.in_(partial).compute_root()
    f.compute_root()
    xs, ys, zs = grid(6, 6, 6)
    inside = (xs >= 1) & (xs < 5) & (ys >= 2) & (ys < 5) & (zs < 5)
    check(g.realize([6, 6, 6]), 1 + inside * (xs + 10 * ys + 100 * zs))


def test_partial_results_of_a_scatter(hl):
    x, y, u, v, f, g, r = *(hl.Var(n) for n in "xyuv"), hl.Func("f"), hl.Func("g"), hl.RDom([(5, 4), (5, 3), (5, 6)])
    f[x, y] = 1
    f[hl.clamp(r.x, 0, 19), hl.clamp(r.x + r.y, 0, 29)] += r.x + r.y + r.z
    g[x, y] = 2 * f[x, y]
    f.compute_root()
    partial = f.update(0).rfactor([(r.x, u), (r.y, v)])
    partial.update(0).split(r.z, hl.RVar("rzo"), hl.RVar("rzi"), 2)
    expected = np.ones((20, 12), int)
    for i in range(5, 9):
        for j in range(5, 8):
            expected[i + j, i] += sum(i + j + k for k in range(5, 11))
    check(g.realize([12, 20]), 2 * expected)


def test_versions_of_partial_results_of_a_tuple_under_a_condition(hl):
    x, y, u = hl.Var("x"), hl.Var("y"), hl.Var("u")
    f, g, p, q = hl.Func("f"), hl.Func("g"), hl.Param(hl.Int(32), "p"), hl.Param(hl.Bool(), "q")
    r, ro, ri = hl.RDom([(1, 6), (2, 5)]), hl.RVar("ro"), hl.RVar("ri")
    r.where(r.x * r.x + r.y < 30)
    f[x, y] = (x + y, x - y)
    g[x] = (1, 3)
    g[x] = (g[x][0] * f[r.x, r.y][0], g[x][1] + x * f[r.x, r.y][1])
    f.compute_root()
    partial = g.update(0).rfactor(r.y, u).compute_root()
    partial.update(0).split(r.x, ro, ri, 2).specialize(q).reorder(u, ri, ro).vectorize(u, 2)
    g.update(0).specialize(p >= 5).vectorize(x, 4)
    inside = [(i, j) for i in range(1, 7) for j in range(2, 7) if i * i + j < 30]
    xs = np.arange(4)
    product = np.array([i + j for i, j in inside], np.int32).prod(dtype=np.int32)
    for number, flag in ((9, True), (9, False), (0, True)):
        p.set(number)
        q.set(flag)
        first, second = g.realize([4])
        check(first, product)
        check(second, 3 + xs * sum(i - j for i, j in inside))


def test_partial_results_over_a_domain_that_params_give(hl):
    x, y, u, f, g = hl.Var("x"), hl.Var("y"), hl.Var("u"), hl.Func("f"), hl.Func("g")
    width, height = hl.Param(hl.Int(32), "width"), hl.Param(hl.Int(32), "height")
    r, ro, ri = hl.RDom([(10, width), (30, height)]), hl.RVar("ro"), hl.RVar("ri")
    f[x, y] = x * 3 + y
    g[x] = 40 + x
    g[x] += f[r.x, r.y]
    f.compute_root()
    g.update(0).split(r.x, ro, ri, 2).rfactor(ro, u).compute_root().update(0).vectorize(u, 2)
    xs = np.arange(5)
    for w, h in ((7, 3), (2, 5), (0, 4)):
        width.set(w)
        height.set(h)
        check(g.realize([5]), 40 + xs + sum(3 * i + j for i in range(10, 10 + w) for j in range(30, 30 + h)))


def test_partial_results_vary_over_the_same_domain_as_the_conditions(hl):
    x, y, z, u, v = (hl.Var(n) for n in "xyzuv")
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(2, 5), (1, 5), (0, 12)])
    r.where(r.x < r.y)
    r.where(r.x + 2 * r.y <= r.z)
    f[x, y, z] = x + y + z
    g[x, y, z] = 1
    g[r.x, r.y, r.z] += f[r.x, r.y, r.z]
    f.compute_root()
    partial = g.update(0).rfactor([(r.y, u), (r.x, v)])
    partial.compute_root().tile(u, v, hl.Var("ui"), hl.Var("vi"), 2, 2).fuse(u, v, hl.Var("t")).parallel(hl.Var("t"))
    partial.update(0).vectorize(r.z, 2)
    xs, ys, zs = grid(8, 7, 13)
    inside = (xs >= 2) & (xs < 7) & (ys >= 1) & (ys < 6) & (zs < 12) & (xs < ys) & (xs + 2 * ys <= zs)
    check(g.realize([8, 7, 13]), 1 + inside * (xs + ys + zs))


def test_two_recursive_filters_in_lanes(hl):
    x, f, h, size = hl.Var("x"), hl.Func("f"), hl.Func("h"), 64
    f[x] = x
    f.compute_root()
    r = hl.RDom([(2, size - 2)])
    h[x] = (hl.undef(hl.Int(32)), hl.undef(hl.Int(32)))
    h[0] = (f[0], f[0])
    h[1] = (f[1] + f[0], f[1] + f[0])
    pair = f[r.x] + f[r.x - 1]
    h[r.x] = (pair, pair + h[r.x - 2][0])
    h.update(2).atomic(True).vectorize(r.x, 16)
    h.update(0).unscheduled()
    h.update(1).unscheduled()
    first, second = h.realize([size])
    i = np.arange(3, size)
    check(np.asarray(first)[3:], 2 * i - 1)
    check(np.asarray(second)[3:], 4 * i - 6)


def test_inline_reductions_of_a_loop_of_an_update(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    a, b, c = (hl.RDom([(0, 4)], name) for name in ("a", "b", "c"))
    f[x, y] = hl.product(hl.sum(a, a + c) + hl.sum(b, b * 2 + c))
    f[a, y] += hl.product(c, hl.sum(b, a + b + c))
    product = int(np.prod([sum(i + k for i in range(4)) + sum(2 * i + k for i in range(4)) for k in range(4)]))
    more = [int(np.prod([sum(i + j + k for j in range(4)) for k in range(4)])) if i < 4 else 0 for i in range(6)]
    check(f.realize([6, 2]), [[product + m for m in more]] * 2)
