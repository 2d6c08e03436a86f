"""Specializations, wrappers, clones and shared loops: Halide's programs about them."""

import numpy as np
import pytest
from helpers import check, grid, image

import pipec


def lanes(trace, func):
    """The numbers of elements of the stores of a Func."""
    return trace().lanes("Store", func)


def test_versions_of_versions(hl, trace):
    p, f, x = hl.Param(hl.Bool(), "p"), hl.Func("f"), hl.Var("x")
    f[x] = hl.select(p, x * 3, x * 17)
    wide = f.output_buffer().width() >= 4
    f.specialize(wide).vectorize(x, 4)
    # The same condition names the same version.
    f.specialize(wide).specialize(p)
    f.specialize(p)
    f.trace_stores()
    for size, value in ((100, True), (100, False), (3, True), (3, False)):
        p.set(value)
        check(f.realize([size]), np.arange(size) * (3 if value else 17))
        assert lanes(trace, f) == ({4} if size == 100 else {1})


def test_the_version_chooses_between_two_pipelines(hl):
    x, p = hl.Var("x"), hl.Param(hl.Bool(), "p")
    f1, g1, f2, g2, out = (hl.Func(n) for n in ("f1", "g1", "f2", "g2", "out"))
    f1[x] = x + 7
    g1[x] = f1[x] + f1[x + 1]
    f2[x] = x * 34
    g2[x] = f2[x] + f2[x - 1]
    out[x] = hl.select(p, g1[x], g2[x])
    for func in (f1, g1, f2):
        func.compute_root()
    out.specialize(p)
    i = np.arange(20)
    for value in (True, False):
        p.set(value)
        check(out.realize([20]), 2 * i + 15 if value else 68 * i - 34)


def test_a_version_for_dense_inputs(hl, trace):
    source, x, f = hl.ImageParam(hl.Float(32), 1), hl.Var("x"), hl.Func("f")
    source.dim(0).set_stride(hl.Expr())
    f[x] = source[x]
    f.specialize((source.dim(0).stride() == 1) & (source.width() >= 8)).vectorize(x, 8)
    f.trace_stores()
    f.infer_input_bounds([5])
    assert (source.get().dim(0).min(), source.get().dim(0).extent()) == (0, 5)
    f.realize([5])
    assert lanes(trace, f) == {1}
    data = np.arange(200, dtype=np.float32)
    source.set(hl.Buffer(data))
    check(f.realize([100]), data[:100])
    assert lanes(trace, f) == {8}
    source.set(hl.Buffer(data[::2]))
    check(f.realize([100]), data[::2])
    assert lanes(trace, f) == {1}


def test_each_version_asks_for_its_own_region(hl):
    source, p, x, f = hl.ImageParam(hl.Float(32), 1), hl.Param(hl.Bool(), "p"), hl.Var("x"), hl.Func("f")
    f[x] = hl.select(p, source[x + 10], source[x - 10])
    f.specialize(p)
    for value in (True, False):
        p.set(value)
        source.reset()
        f.infer_input_bounds([100])
        assert source.get().dim(0).min() == (10 if value else -10)


@pytest.mark.parametrize("implied", [False, True])
def test_a_condition_decides_a_select_in_its_version(hl, implied):
    source, p, x, f = hl.ImageParam(hl.Int(32), 2), hl.Param(hl.Int(32), "p"), hl.Var("x"), hl.Func("f")
    test = (p > 73) if implied else (p > 73) | (p * p + p + 1 == 0)
    f[x] = hl.select(p > 50 if implied else test, source[x, 0], source[0, x])
    f.specialize(test)
    for value, expected in ((100, (10, 1)), (-100, (10, 10) if implied else (1, 10))):
        p.set(value)
        source.reset()
        f.infer_input_bounds([10])
        assert (source.get().width(), source.get().height()) == expected


def test_versions_of_an_update(hl):
    x, f = hl.Var("x"), hl.Func("f")
    start, size = hl.Param(hl.Int(32), "start"), hl.Param(hl.Int(32), "size")
    r = hl.RDom([(start, size)])
    f[x] = x
    f[r.x] = 10 - r.x
    f.update(0).specialize(size == 1)
    f.update(0).specialize(size == 0)
    for n in (0, 1, 5):
        start.set(2)
        size.set(n)
        i = np.arange(20)
        check(f.realize([20]), np.where((i >= 2) & (i < 2 + n), 10 - i, i))


def test_an_image_that_its_version_does_not_read_may_be_small(hl):
    source, p, x, f = hl.ImageParam(hl.Float(32), 1), hl.Param(hl.Bool(), "p"), hl.Var("x"), hl.Func("f")
    f[x] = hl.select(p, source[x], 0.0)
    f.specialize(p)
    p.set(False)
    source.set(image(hl, np.zeros(10, np.float32)))
    check(f.realize([100]), 0)


def test_a_version_has_the_directives_before_it(hl):
    source, x, y, f = hl.ImageParam(hl.Int(32), 2), hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = source[x, y]
    f.reorder(y, x).unroll(y, 2).reorder(x, y)
    f.specialize(f.output_buffer().width() >= 4).vectorize(x, 4)
    f.infer_input_bounds([3, 1])
    # Halide rounds the rows up to those of an unrolled iteration, pipec asks for what is read.
    assert source.get().dim(0).extent() == 3 and source.get().dim(1).extent() in (1, 2)
    data = np.arange(4 * 13, dtype=np.int32).reshape(4, 13)
    source.set(hl.Buffer(data))
    check(f.realize([13, 4]), data)


def test_versions_of_stages_between_those_of_the_output(hl):
    source, x = hl.ImageParam(hl.Int(32), 1), hl.Var("x")
    f, g, out = hl.Func("f"), hl.Func("g"), hl.Func("out")
    f[x], g[x], out[x] = source[x], f[x], g[x]
    w = out.output_buffer().dim(0).extent()
    out.output_buffer().dim(0).set_min(0)
    f.compute_root().specialize(w >= 4).vectorize(x, 4)
    g.compute_root().vectorize(x, 4)
    out.specialize(w >= 4).vectorize(x, 4)
    for n in (3, 11):
        data = np.arange(n, dtype=np.int32)
        source.set(hl.Buffer(data))
        check(out.realize([n]), data)


def test_constant_conditions_leave_one_version(hl, trace):
    x, f = hl.Var("x"), hl.Func("f")
    never, always = hl.Expr(0) == hl.Expr(1), hl.Expr(0) == hl.Expr(0)
    f[x] = x
    f.specialize(never).vectorize(x, 8)
    f.specialize(always).vectorize(x, 4)
    f.specialize_fail("No other version exists")
    f.trace_stores()
    check(f.realize([16]), np.arange(16))
    assert lanes(trace, f) == {4}


def test_no_version_fits(hl):
    x, p, f = hl.Var("x"), hl.Param(hl.Int(32), "p"), hl.Func("f")
    f[x] = x + p
    f.specialize(p == 0).vectorize(x, 4)
    f.specialize(p == 1)
    f.specialize_fail("p is neither 0 nor 1")
    for value in (0, 1):
        p.set(value)
        check(f.realize([8]), np.arange(8) + value)
    p.set(2)
    with pytest.raises(hl.HalideError, match="p is neither 0 nor 1"):
        f.realize([8])


def test_bounds_are_asked_of_the_versions_that_do_not_fail(hl):
    source, p, x, f = hl.ImageParam(hl.Int(32), 1), hl.Param(hl.Int(32), "p"), hl.Var("x"), hl.Func("f")
    f[x] = hl.select(p == 0, source[x], source[x + 100])
    f.specialize(p == 0)
    f.specialize_fail("p must be 0")
    p.set(0)
    f.infer_input_bounds([10])
    assert (source.get().dim(0).min(), source.get().dim(0).extent()) == (0, 10)


def test_the_loads_of_each_version(trace):
    """The wheel evaluates both sides of what the version has decided."""
    hl = pipec
    sx, sy = hl.Param(hl.Float(32), "sx"), hl.Param(hl.Float(32), "sy")
    source, x, y, f = hl.ImageParam(hl.UInt(8), 2), hl.Var("x"), hl.Var("y"), hl.Func("f")
    ux, uy = sx > 1.0, sy > 1.0
    up, down = ux & uy, ~ux & ~uy
    f[x, y] = hl.select(up, source[x // 2, y // 2], down, source[x * 2, y * 2], hl.u8(0))
    source.trace_loads()
    f.specialize(up & ~down)
    f.specialize(~up & down)
    f.specialize(~up & ~down)
    f.specialize_fail("Unreachable")
    source.set(image(hl, np.arange(256, dtype=np.uint8).reshape(16, 16)))
    counts = []
    for a, b in ((2.0, 2.0), (0.5, 0.5)):
        sx.set(a)
        sy.set(b)
        f.realize([8, 8])
        counts.append(trace().text.count("Load "))
    assert counts == [64, 64]


def wrapped(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = 2 * x + 3 * y
    return x, y, f


def test_a_wrapper_is_created_once(hl):
    x, y, f = wrapped(hl)
    e, g = hl.Func("e"), hl.Func("g")
    e[x, y] = f[x, y]
    g[x, y] = f[x, y]
    assert f.in_(g).name() == f.in_(g).name()
    h = hl.Func("h")
    h[x, y] = x
    e2, g2 = hl.Func("e2"), hl.Func("g2")
    e2[x, y] = h[x, y]
    g2[x, y] = h[x, y]
    assert h.in_([e2, g2]).name() == h.in_([g2, e2]).name()
    k, m = hl.Func("k"), hl.Func("m")
    k[x, y] = x
    m[x, y] = k[x, y]
    assert k.in_().name() == k.in_().name()


def test_the_loads_of_a_wrapped_func(hl, trace):
    x, y, f = wrapped(hl)
    g, h, out = hl.Func("g"), hl.Func("h"), hl.Func("out")
    g[x, y] = f[x, y]
    h[x, y] = f[x, y] + 1
    out[x, y] = g[x, y] + h[x, y]
    wrapper = f.in_(g).compute_root()
    for func in (f, g, h):
        func.compute_root()
    f.trace_loads()
    wrapper.trace_loads()
    xs, ys = grid(6, 4)
    check(out.realize([6, 4]), 2 * (2 * xs + 3 * ys) + 1)
    events = trace()
    assert len(events.loads(f)) == 48 and len(events.loads(wrapper)) == 24


def test_a_wrapper_of_all_readers_in_tiles(hl):
    x, y, f = wrapped(hl)
    xi, yi, t, g, h = hl.Var("xi"), hl.Var("yi"), hl.Var("t"), hl.Func("g"), hl.Func("h")
    g[x, y] = f[x, y]
    h[x, y] = g[x, y] + f[x, y]
    wrapper = f.in_()
    f.compute_root()
    h.compute_root().tile(x, y, xi, yi, 16, 16).fuse(x, y, t).parallel(t)
    g.compute_at(h, yi)
    wrapper.compute_at(h, yi).tile(x, y, xi, yi, 8, 8).fuse(xi, yi, t).vectorize(t, 4)
    xs, ys = grid(40, 24)
    check(h.realize([40, 24]), 2 * (2 * xs + 3 * ys))


def test_an_update_after_its_wrapper(hl):
    x, y, f = wrapped(hl)
    p, g, r = hl.Param(hl.Bool(), "p"), hl.Func("g"), hl.RDom([(0, 20), (0, 20)])
    g[x, y] = f[x, y]
    wrapper = f.in_(g)
    r.where(r.x < r.y)
    g[r.x, r.y] += 2 * f[r.x, r.y]
    xi, rxo, rxi = hl.Var("xi"), hl.RVar("rxo"), hl.RVar("rxi")
    g.specialize(p).vectorize(x, 8).unroll(x, 2).split(x, x, xi, 4).parallel(x)
    g.update(0).split(r.x, rxo, rxi, 2).unroll(rxi)
    f.compute_root()
    wrapper.compute_root().vectorize(x, 8)
    xs, ys = grid(80, 30)
    value = 2 * xs + 3 * ys
    for q in (True, False):
        p.set(q)
        check(g.realize([80, 30]), np.where((xs < 20) & (ys < 20) & (xs < ys), 3 * value, value))


def test_wrappers_of_some_and_of_all_other_readers(hl):
    x, y, f = wrapped(hl)
    g, out = hl.Func("g"), hl.Func("out")
    g[x, y] = f[x, y]
    out[x, y] = f[x, y] + g[x, y]
    f.in_(g).compute_at(g, x)
    f.in_().compute_at(out, y)
    f.compute_root()
    g.compute_at(out, y)
    xs, ys = grid(9, 7)
    check(out.realize([9, 7]), 2 * (2 * xs + 3 * ys))


def test_wrappers_of_wrappers(hl):
    x, y, f = wrapped(hl)
    e, g, h = hl.Func("e"), hl.Func("g"), hl.Func("h")
    e[x, y] = f[x, y]
    g[x, y] = e[x, y] + f[x, y]
    inner = e.in_(g).compute_root()
    second = e.in_(inner).compute_root()
    h[x, y] = g[x, y] + e[x, y] + second[x, y]
    f.compute_root()
    e.compute_root()
    g.compute_root()
    e.in_(h).compute_root()
    g.in_(h).compute_root()
    xs, ys = grid(8, 5)
    check(h.realize([8, 5]), 4 * (2 * xs + 3 * ys))


def test_transposition_through_two_wrappers_in_registers(hl):
    x, y, f = wrapped(hl)
    xi, yi, out = hl.Var("xi"), hl.Var("yi"), hl.Func("out")
    out[x, y] = f[y, x]
    f.compute_root()
    out.tile(x, y, xi, yi, 8, 8)
    outer = f.in_(out).compute_at(out, x).vectorize(x).unroll(y)
    outer.in_(out).compute_at(out, x).unroll(x).unroll(y)
    xs, ys = grid(32, 16)
    check(out.realize([32, 16]), 3 * xs + 2 * ys)


def test_wrappers_in_the_condition_of_an_update(hl):
    x, y, f = wrapped(hl)
    g, h, r = hl.Func("g"), hl.Func("h"), hl.RDom([(0, 10), (0, 10)])
    g[x, y] = 10
    h[x, y] = 5
    r.where(f[r.x, r.y] + h[r.x, r.y] < 30)
    g[r.x, r.y] += h[r.x, r.y]
    h.in_().store_root().compute_at(g, r.y)
    f.in_(g).compute_at(g, r.x)
    f.compute_root()
    h.compute_root()
    xs, ys = grid(20, 20)
    check(g.realize([20, 20]), np.where((xs < 10) & (ys < 10) & (2 * xs + 3 * ys + 5 < 30), 15, 10))


def test_a_wrapped_image(hl):
    source, x, y, xi, yi, f = hl.ImageParam(hl.Int(32), 2), *(hl.Var(n) for n in ("x", "y", "xi", "yi")), hl.Func("f")
    f[x, y] = source[x, y] + source[x + 1, y]
    f.tile(x, y, xi, yi, 4, 4)
    source.in_(f).compute_at(f, x)
    data = np.arange(9 * 8, dtype=np.int32).reshape(8, 9)
    source.set(hl.Buffer(data))
    check(f.realize([8, 8]), data[:, :-1] + data[:, 1:])


def test_clones_have_schedules_of_their_own(hl, trace):
    x, y, f = wrapped(hl)
    g, h, out = hl.Func("g"), hl.Func("h"), hl.Func("out")
    f[x, y] += 1
    g[x, y] = f[x, y]
    h[x, y] = f[x + 5, y]
    out[x, y] = g[x, y] + h[x, y]
    clone = f.clone_in(g)
    for func in (f, g, h):
        func.compute_root()
    clone.compute_at(g, y)
    f.trace_realizations()
    clone.trace_realizations()
    xs, ys = grid(6, 3)
    check(out.realize([6, 3]), 4 * xs + 6 * ys + 12)
    events = trace()
    assert events.realizations(f) == [((5, 6), (0, 3))]
    assert events.realizations(clone) == [((0, 6), (row, 1)) for row in range(3)]


def test_a_clone_for_several_readers(hl):
    x, y, f = wrapped(hl)
    funcs = [hl.Func(f"g{i}") for i in range(3)]
    out = hl.Func("out")
    for i, func in enumerate(funcs):
        func[x, y] = f[x + i, y]
        func.compute_root()
    out[x, y] = funcs[0][x, y] + funcs[1][x, y] + funcs[2][x, y]
    f.clone_in([funcs[0], funcs[1]]).compute_root().vectorize(x, 4)
    f.compute_root()
    xs, ys = grid(7, 4)
    check(out.realize([7, 4]), 3 * (2 * xs + 3 * ys) + 6)


def two_producers(hl):
    x, y, f, g, h = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = x + y
    g[x, y] = x - y
    h[x, y] = f[x - 1, y + 1] + g[x + 2, y - 2]
    return x, y, f, g, h


SHARED = {
    "root": lambda hl, x, y, f, g, h: (f.compute_root(), g.compute_root(), g.compute_with(f, y)),
    "innermost": lambda hl, x, y, f, g, h: (f.compute_root(), g.compute_root(), g.compute_with(f, x)),
    "split": lambda hl, x, y, f, g, h: (
        f.compute_root().split(x, x, hl.Var("xi"), 7), g.compute_root().split(x, x, hl.Var("xi"), 7),
        g.compute_with(f, x, hl.LoopAlignStrategy.AlignEnd),
    ),
    "fused": lambda hl, x, y, f, g, h: (
        f.compute_root().fuse(x, y, hl.Var("t")).parallel(hl.Var("t")),
        g.compute_root().fuse(x, y, hl.Var("t")).parallel(hl.Var("t")),
        g.compute_with(f, hl.Var("t"), hl.LoopAlignStrategy.AlignEnd),
    ),
    "in rows": lambda hl, x, y, f, g, h: (
        f.compute_at(h, y).split(x, x, hl.Var("xi"), 4), g.compute_at(h, y).split(x, x, hl.Var("xi"), 4),
        g.compute_with(f, x, hl.LoopAlignStrategy.AlignStart),
    ),
    "vectors": lambda hl, x, y, f, g, h: (
        f.compute_root().vectorize(x, 8).parallel(y), g.compute_root().vectorize(x, 8).parallel(y),
        g.compute_with(f, y),
    ),
    "tiles": lambda hl, x, y, f, g, h: (
        h.tile(x, y, hl.Var("xi"), hl.Var("yi"), 8, 8), f.compute_at(h, x), g.compute_at(h, x), g.compute_with(f, y),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_two_producers_share_loops(hl, name):
    x, y, f, g, h = two_producers(hl)
    SHARED[name](hl, x, y, f, g, h)
    xs, ys = grid(21, 18)
    check(h.realize([21, 18]), 2 * xs + 4)


def test_outputs_of_other_sizes_share_loops(hl):
    x, y, f, g, source = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.Func("source")
    source[x, y] = x + y + 1
    f[x, y] = 100 - source[x, y]
    g[x, y] = x + source[x, y]
    source.compute_at(f, y)
    g.compute_with(f, y, hl.LoopAlignStrategy.AlignStart)
    first, second = hl.Buffer(hl.Int(32), [4, 4]), hl.Buffer(hl.Int(32), [6, 6])
    hl.Pipeline([f, g]).realize([first, second])
    xs, ys = grid(4, 4)
    check(first, 99 - xs - ys)
    xs, ys = grid(6, 6)
    check(second, 2 * xs + ys + 1)


def test_updates_share_loops_with_updates(hl):
    x, y = hl.Var("x"), hl.Var("y")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    r = hl.RDom([(0, 5)])
    f[x, y] = x
    g[x, y] = y
    f[x, y] += r * y
    g[x, y] += r * x
    h[x, y] = f[x, y] * g[x, y]
    f.compute_root()
    g.compute_root()
    g.compute_with(f, y)
    g.update(0).compute_with(f.update(0), y)
    xs, ys = grid(8, 6)
    check(h.realize([8, 6]), (xs + 10 * ys) * (ys + 10 * xs))


def test_a_wrapper_shares_loops_with_a_func(hl):
    x, y, f, g, h = two_producers(hl)
    inside = g.in_(h)
    f.compute_root()
    g.compute_root()
    inside.compute_root()
    inside.compute_with(f, y)
    xs, ys = grid(9, 8)
    check(h.realize([9, 8]), 2 * xs + 4)


def test_luma_and_chroma_share_loops(hl):
    x, y = hl.Var("x"), hl.Var("y")
    data = np.random.default_rng(3).integers(0, 256, (3, 16, 16)).astype(np.int32)
    rgb = image(hl, data)
    luma, u, v = hl.Func("luma"), hl.Func("u"), hl.Func("v")
    luma[x, y] = (66 * rgb[x, y, 0] + 129 * rgb[x, y, 1] + 25 * rgb[x, y, 2] + 128) >> 8
    u[x, y] = (112 * rgb[2 * x, 2 * y, 2] - 38 * rgb[2 * x, 2 * y, 0]) >> 8
    v[x, y] = (112 * rgb[2 * x, 2 * y, 0] - 18 * rgb[2 * x, 2 * y, 2]) >> 8
    xi, yi = hl.Var("xi"), hl.Var("yi")
    luma.tile(x, y, xi, yi, 4, 2, hl.TailStrategy.RoundUp).unroll(yi).vectorize(xi)
    u.vectorize(x, 4)
    v.vectorize(x, 4)
    u.compute_with(luma, y, hl.LoopAlignStrategy.AlignEnd)
    v.compute_with(u, y)
    outputs = [hl.Buffer(hl.Int(32), [16, 16]), hl.Buffer(hl.Int(32), [8, 8]), hl.Buffer(hl.Int(32), [8, 8])]
    hl.Pipeline([luma, u, v]).realize(outputs)
    r, g, b = data
    check(outputs[0], (66 * r + 129 * g + 25 * b + 128) >> 8)
    check(outputs[1], ((112 * b - 38 * r) >> 8)[::2, ::2])
    check(outputs[2], ((112 * r - 18 * b) >> 8)[::2, ::2])


CONSTANT_CHOICES = {
    "equal sides": (lambda hl, f, x: hl.select(f[x] > 0, 1, 1), lambda i: 0 * i + 1),
    "a condition that holds": (lambda hl, f, x: hl.select(hl.cast(hl.Bool(), 1), x + 3, f[x]), lambda i: i + 3),
    "a constant index": (lambda hl, f, x: hl.mux(0, [x, f[x]]), lambda i: i),
    "a product with zero": (lambda hl, f, x: f[x] * 0, lambda i: 0 * i),
}


@pytest.mark.parametrize("name", CONSTANT_CHOICES)
@pytest.mark.parametrize("how", ["in_", "clone_in"])
def test_a_wrapper_for_a_read_that_simplification_drops(hl, name, how):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    choice, model = CONSTANT_CHOICES[name]
    f[x] = x * 2
    g[x] = choice(hl, f, x)
    getattr(f, how)(g).compute_root()
    check(g.realize([4]), model(np.arange(4)))


def test_wrappers_for_groups_of_readers_in_a_long_chain(hl):
    x, shared = hl.Var("x"), hl.Func("shared")
    shared[x] = x
    shared.compute_root()
    stages = [shared]
    for k in range(20):
        stage = hl.Func(f"stage_{k}")
        stage[x] = shared[x] + stages[-1][x]
        stages.append(stage)
        if k % 5 == 4:
            *inner, last = stages[-5:]
            last.compute_root()
            for func in inner:
                func.compute_at(last, x)
            shared.in_([*inner, last]).compute_at(last, x)
    check(stages[-1].realize([6]), 21 * np.arange(6))
