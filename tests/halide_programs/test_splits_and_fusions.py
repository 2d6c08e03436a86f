"""Loops that are split, fused and named again: Halide's programs about them."""

import numpy as np
import pytest
from helpers import check, grid, image


def tail(hl, name):
    return getattr(hl.TailStrategy, name)


@pytest.mark.parametrize("factor", [3, 7, 16])
def test_splits_that_do_not_divide(hl, factor):
    x, y, xi, yi, f = *(hl.Var(n) for n in ("x", "y", "xi", "yi")), hl.Func("f")
    f[x, y] = x * 100 + y
    f.split(x, x, xi, factor, tail(hl, "GuardWithIf")).split(y, y, yi, 4, tail(hl, "GuardWithIf"))
    f.reorder(xi, yi, x, y)
    xs, ys = grid(25, 10)
    check(f.realize([25, 10]), xs * 100 + ys)


def test_a_split_factor_that_a_param_gives(hl):
    x, xi, f, p = hl.Var("x"), hl.Var("xi"), hl.Func("f"), hl.Param(hl.Int(32), "p")
    f[x] = x
    f.split(x, x, xi, p, tail(hl, "GuardWithIf")).parallel(x)
    for factor in (1, 5, 100):
        p.set(factor)
        check(f.realize([32]), np.arange(32))
    for factor in (0, -17):
        p.set(factor)
        with pytest.raises(hl.HalideError):
            f.realize([32])


def test_names_of_inner_loops_are_used_again(hl):
    x, y, t, f = hl.Var("x"), hl.Var("y"), hl.Var("t"), hl.Func("f")
    f[x, y] = x + y * 50
    f.split(x, x, t, 8, tail(hl, "GuardWithIf")).unroll(t, 2)
    f.split(y, y, hl.Var("yi"), 4, tail(hl, "GuardWithIf"))
    xs, ys = grid(19, 9)
    check(f.realize([19, 9]), xs + ys * 50)


@pytest.mark.parametrize("dims", [2, 3])
def test_fused_loops(hl, dims):
    names = [hl.Var(n) for n in "xyz"[:dims]]
    t, u, f, g = hl.Var("t"), hl.Var("u"), hl.Func("f"), hl.Func("g")
    weights = (1, 100, 10000)
    value = names[0]
    for v, w in zip(names[1:], weights[1:], strict=False):
        value = value + v * w
    f[tuple(names)] = value
    g[tuple(names)] = f[tuple(names)] * 2
    f.compute_root().fuse(names[0], names[1], t)
    if dims == 3:
        f.fuse(t, names[2], u).split(u, u, hl.Var("ui"), 5, tail(hl, "GuardWithIf")).parallel(u)
    else:
        f.parallel(t, 7)
    sizes = (6, 5, 4)[:dims]
    coordinates = grid(*sizes)
    check(g.realize(list(sizes)), 2 * sum(c * w for c, w in zip(coordinates, weights, strict=False)))


def test_vectors_of_an_enclosing_loop_in_a_nested_split(hl):
    x, y, xo, xi, yo, yi, u, f, g = (
        *(hl.Var(n) for n in ("x", "y", "xo", "xi", "yo", "yi", "u")),
        hl.Func("f"),
        hl.Func("g"),
    )
    f[x, y] = 2 * x + 5 * y
    g[x, y] = f[x, y] + 1
    g.split(y, yo, yi, 2, tail(hl, "RoundUp")).fuse(yo, x, u).vectorize(yi)
    g.split(u, xo, xi, 2, tail(hl, "Predicate")).reorder(xo, xi, yi)
    f.compute_root().split(y, yo, yi, 2, tail(hl, "PredicateStores")).vectorize(yi)
    xs, ys = grid(16, 8)
    check(g.realize([16, 8]), 2 * xs + 5 * ys + 1)


def test_tiles_fused_tiled_and_fused_again(hl):
    x, y, xo, yo, xi, yi, t = (hl.Var(n) for n in ("x", "y", "xo", "yo", "xi", "yi", "t"))
    f, g = hl.Func("f"), hl.Func("g")
    g[x, y] = x * 3 + y
    f[x, y] = g[x, y]
    g.compute_root().tile(x, y, xo, yo, xi, yi, 3, 5).fuse(xo, yo, y).fuse(xi, yi, x)
    g.tile(x, y, xo, yo, xi, yi, 7, 6).fuse(xo, yo, y).fuse(xi, yi, x).vectorize(y, 4)
    out = hl.Buffer(hl.Int(32), [32, 17])
    out.set_min([-16, -9])
    f.realize(out)
    xs, ys = grid(32, 17, mins=(-16, -9))
    check(out, xs * 3 + ys)


def test_a_predicated_inner_loop_fused_with_another(hl):
    x, y, xo, xi, t, f, g = *(hl.Var(n) for n in ("x", "y", "xo", "xi", "t")), hl.Func("f"), hl.Func("g")
    f[x, y] = x + 20 * y
    g[x, y] = f[x, y]
    f.compute_root().split(x, xo, xi, 2, tail(hl, "PredicateStores")).fuse(y, xi, t)
    xs, ys = grid(11, 7)
    check(g.realize([11, 7]), xs + 20 * ys)


@pytest.mark.parametrize("how", ["outer", "inner", "twice", "fused"])
@pytest.mark.parametrize("factored", [False, True])
def test_names_of_split_loops_of_a_reduction_are_used_again(hl, how, factored):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 11), (1, 4)])
    a, b, c = (hl.RVar(name) for name in "abc")
    f[x] = 0
    f[x] += (r.x + 20 * r.y) * (x + 1)
    update = f.update(0)
    if how == "outer":
        update.split(r.x, r.x, b, 4)
    elif how == "inner":
        update.split(r.x, b, r.x, 4)
    elif how == "twice":
        update.split(r.x, r.x, b, 4).split(r.x, r.x, c, 2)
    else:
        update.split(r.x, a, b, 4).fuse(b, a, c).split(c, a, b, 5)
    if factored:
        update.rfactor(b, hl.Var("u")).compute_root()
    check(f.realize([3]), sum(i + 20 * j for i in range(11) for j in range(1, 5)) * (np.arange(3) + 1))


@pytest.mark.parametrize("with_tail", [False, True])
@pytest.mark.parametrize("stage", ["pure", "update"])
def test_tiles_of_lists_of_loops(hl, stage, with_tail):
    i, j, io, jo, f = hl.Var("i"), hl.Var("j"), hl.Var("io"), hl.Var("jo"), hl.Func("f")
    f[i, j] = i * j
    if stage == "update":
        f[i, j] += i
    tails = [hl.TailStrategy.GuardWithIf] if with_tail else []
    (f if stage == "pure" else f.update(0)).tile([i, j], [io, jo], [i, j], [8, 4], *tails)
    xs, ys = grid(16, 8)
    check(f.realize([16, 8]), xs * ys + (xs if stage == "update" else 0))
    with pytest.raises(hl.HalideError, match="must all be the same length"):
        f.tile([i, j], [hl.Var("a"), hl.Var("b")], [i], [8, 8])


THREE = ["RoundUp", "GuardWithIf", "ShiftInwards", "PredicateStores", "RoundUpAndBlend", "ShiftInwardsAndBlend"]


@pytest.mark.part(3)
@pytest.mark.parametrize("level", ["of the next", "of the last"])
@pytest.mark.parametrize(("first", "second", "third"), [(THREE[k], THREE[k - 1], THREE[k - 3]) for k in range(6)])
def test_tails_of_three_stages_in_blocks_of_each_other(hl, first, second, third, level):
    x, xo, xi, xio, xii = (hl.Var(n) for n in ("x", "xo", "xi", "xio", "xii"))
    source, f, g, h = (hl.Func(n) for n in ("source", "f", "g", "h"))
    source[x] = x * 3
    for before, after in ((source, f), (f, g), (g, h)):
        after[x] = before[x] + 1
    source.compute_root()
    tails = [getattr(hl.TailStrategy, name) for name in (first, second, third)]
    if level == "of the next":
        h.split(x, xo, xi, 16, tails[0])
        g.compute_at(h, xo).split(x, xo, xi, 8, tails[1])
        f.compute_at(g, xo).split(x, xo, xi, 4, tails[2])
    else:
        h.split(x, xo, xi, 16, tails[first == "PredicateStores"]).split(xi, xio, xii, 8)
        g.compute_at(h, xio).split(x, xo, xi, 4, tails[1])
        f.compute_at(h, xo).split(x, xo, xi, 4, tails[2])
    check(h.realize([48]), 3 * np.arange(48) + 3)


@pytest.mark.parametrize("kind", ["int32", "uint8", "float64"])
def test_vectors_unrolled_in_parallel_parts_of_an_odd_image(hl, kind):
    x, y, yi, f = hl.Var("x"), hl.Var("y"), hl.Var("yi"), hl.Func("f")
    data = np.random.default_rng(0).integers(0, 100, (93, 87)).astype(kind)
    source = hl.Buffer(data).copy()
    f[x, y] = source[x, y] * 2
    f.vectorize(x, 4).unroll(x, 2)
    f.split(y, y, yi, 16).parallel(y)
    check(f.realize([87, 93]), data * 2)


@pytest.mark.parametrize("chosen", [False, True])
@pytest.mark.parametrize("tail", ["GuardWithIf", "ShiftInwards"])
def test_a_wrapper_in_tiles_of_two_versions(hl, tail, chosen):
    x, y, xi, yi, f, g = *(hl.Var(n) for n in ("x", "y", "xi", "yi")), hl.Func("f"), hl.Func("g")
    flag = hl.Param(hl.Bool(), "flag", chosen)
    f[x] = x
    g[x, y] = f[x] + hl.select(flag, 1, 2)
    for condition in (flag, ~flag):
        g.specialize(condition).tile(x, y, xi, yi, 8, 8, getattr(hl.TailStrategy, tail))
    g.specialize_fail("neither")
    f.in_().compute_at(g, xi)
    xs, _ = grid(34, 34)
    check(g.realize([34, 34]), xs + (1 if chosen else 2))


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("factor", [3, 4])
def test_a_split_blur_of_a_transposed_input_along_columns(hl, factor, transposed):
    x, y, xi = (hl.Var(n) for n in ("x", "y", "xi"))
    source, f, g, h = hl.ImageParam(hl.UInt(16), 2), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = source[hl.clamp(x, 1, source.width() - 1), hl.clamp(y, 1, source.height()) - 1]
    g[x, y] = (f[x, y] + f[x + 1, y] + f[x + 2, y]) // 3
    h[x, y] = (g[x, y] + g[x, y + 1] + g[x, y + 2]) // 3
    f.compute_root()
    if transposed:
        f.reorder_storage(y, x)
    g.split(x, x, xi, factor).compute_at(h, y)
    h.reorder(y, x)
    data = (np.arange(99, dtype=np.uint16) * 301).reshape(9, 11)
    source.set(hl.Buffer(data))
    read = data[np.clip(np.arange(18), 1, 9)[:, None] - 1, np.clip(np.arange(18), 1, 10)]
    across = (read[:, :-2] + read[:, 1:-1] + read[:, 2:]) // 3
    check(h.realize([16, 16]), (across[:-2] + across[1:-1] + across[2:]) // 3)


def test_the_storage_of_a_chain_inside_an_unrolled_split_has_the_width_of_the_row(hl, trace):
    x, y, xo, xi = (hl.Var(n) for n in ("x", "y", "xo", "xi"))
    source, copy, second, total, row, out = (
        image(hl, np.arange(8 * 512, dtype=np.int16).reshape(8, 512)),
        *[hl.Func(name) for name in ("copy", "second", "total", "row", "out")],
    )
    copy[x, y] = source[x, y]
    second[x, y] = copy[x, y]
    total[x, y] = second[x, y] + second[x, y + 1] + second[x, y + 2]
    row[x, y] = total[x, y]
    out[x, y] = row[x, y]
    out.bound(x, 0, 512).bound(y, 0, 6)
    copy.compute_at(row, y).trace_realizations()
    second.compute_at(row, xo).split(x, xo, xi, 32).unroll(xo, 4)
    row.compute_at(out, y).split(x, xo, xi, 32).unroll(xo, 4)
    out.realize([512, 6])
    assert {(x_extent, y_extent) for (_, x_extent), (_, y_extent) in trace().realizations(copy)} == {(512, 3)}
