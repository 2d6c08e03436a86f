"""Images read beyond their ends: Halide's programs about boundary conditions and the loops that are cut for them."""

import numpy as np
import pytest
from helpers import check, grid, image

RANDOM = np.random.default_rng(4)


@pytest.mark.parametrize("policy", ["Auto", "Never", "Always"])
def test_partition_policies(hl, policy):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    data = RANDOM.integers(0, 100, (12, 20), dtype=np.int32)
    source = hl.BoundaryConditions.repeat_edge(image(hl, data))
    f[x, y] = source[x - 2, y] + source[x + 2, y + 1]
    f.partition(x, getattr(hl.Partition, policy)).partition(y, hl.Partition.Never).vectorize(x, 4)
    xs, ys = grid(20, 12)
    expected = data[ys, np.clip(xs - 2, 0, 19)] + data[np.clip(ys + 1, 0, 11), np.clip(xs + 2, 0, 19)]
    check(f.realize([20, 12]), expected)


@pytest.mark.parametrize("vector", [False, True])
def test_a_constant_exterior_in_a_vectorized_second_dimension(hl, vector):
    source, x, y, f, r = (
        hl.ImageParam(hl.Float(64), 2),
        hl.Var("x"),
        hl.Var("y"),
        hl.Func("f"),
        hl.RDom([(-1, 3), (-1, 3)]),
    )
    padded = hl.BoundaryConditions.constant_exterior(source, hl.f64(100.0))
    f[x, y] = hl.sum(padded[x + r.x, y + r.y])
    if vector:
        f.vectorize(y, 4)
    for buffer in (source, f.output_buffer()):
        buffer.dim(0).set_bounds(0, 4).dim(1).set_bounds(0, 4)
    source.set(image(hl, np.ones((4, 4))))
    padded_model = np.pad(np.ones((4, 4)), 1, constant_values=100)
    check(f.realize([4, 4]), sum(padded_model[j : j + 4, i : i + 4] for j in range(3) for i in range(3)))


def test_the_maximum_over_a_window_with_a_border(hl):
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(-2, 5), (-2, 5)])
    data = RANDOM.integers(0, 256, (14, 18), dtype=np.uint8)
    source = hl.BoundaryConditions.repeat_edge(image(hl, data))
    across, down = hl.Func("across"), hl.Func("down")
    across[x, y] = hl.max(source[x - 2, y], source[x - 1, y], source[x, y], source[x + 1, y], source[x + 2, y])
    down[x, y] = hl.max(across[x, y - 1], across[x, y], across[x, y + 1])
    across.compute_at(down, y).vectorize(x, 16)
    down.vectorize(x, 16)
    f[x, y] = hl.maximum(source[x + r.x, y + hl.clamp(r.y, -1, 1)])
    check(down.realize([18, 14]), np.asarray(f.realize([18, 14])))


def test_a_border_behind_values_of_the_loop_is_not_cut(hl):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    data = RANDOM.integers(0, 30, (3, 12, 16), dtype=np.uint8)
    source = hl.BoundaryConditions.repeat_edge(image(hl, data))
    f, g, h, out = hl.Func("f"), hl.Func("g"), hl.Func("h"), hl.Func("out")
    g[x, y, c] = x + y + c
    g[x, y, 0] = x
    h[x, y] = hl.i32(source[x + g[x, y, 0], y, 2])
    f[x, y, c] = hl.select(h[x, y] < x + y, x + y, y + c)
    f.compute_root()
    out[x, y, c] = hl.f32(f[x, y, c])
    xs, ys, cs = grid(16, 12, 3)
    read = data[2, ys, np.minimum(2 * xs, 15)]
    check(out.realize([16, 12, 3]), np.where(read < xs + ys, xs + ys, ys + cs))


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_requirement_about_the_border_of_an_image(hl, lanes):
    x, y, f, source = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.ImageParam(hl.Int(32), 2)
    p, q, wide = hl.Param(hl.Int(32), "p"), hl.Param(hl.Int(32), "q"), hl.Func("wide")
    height = hl.require(p == q, p)
    wide[x, y] = hl.BoundaryConditions.repeat_edge(source, [(0, 16), (0, height)])[x, y]
    f[x, y] = hl.require(wide[x, y] >= 0, wide[x, y], x)
    if lanes > 1:
        wide.compute_root().vectorize(x, lanes)
        f.vectorize(x, lanes)
    data = np.arange(96, dtype=np.int32).reshape(6, 16)
    source.set(hl.Buffer(data))
    for first, second in ((4, 3), (4, 4), (6, 6)):
        p.set(first)
        q.set(second)
        if first != second:
            with pytest.raises(hl.HalideError):
                f.realize([16, 8])
        else:
            check(f.realize([16, 8]), data[np.minimum(np.arange(8), first - 1)])


@pytest.mark.parametrize("level", ["inlined", "block", "row"])
def test_a_clamped_read_of_each_compute_level(hl, level):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    data = RANDOM.integers(0, 4096, (3, 72), dtype=np.uint16)
    source = image(hl, data)
    g[x, y] = source[hl.clamp(x, 1, 60), y]
    f[x, y] = g[x, y] * 3 + g[x + 1, y]
    f.vectorize(x, 8)
    if level != "inlined":
        g.compute_at(f, x if level == "block" else y)
    places = np.clip(np.arange(65), 1, 60)
    check(f.realize([64, 3]), data[:, places[:-1]] * 3 + data[:, places[1:]])


BORDERS = {"constant_exterior": "constant", "repeat_edge": "edge", "repeat_image": "wrap", "mirror_image": "symmetric",
           "mirror_interior": "reflect"}  # fmt: skip


@pytest.mark.part(3)
@pytest.mark.parametrize("of_func", [False, True])
@pytest.mark.parametrize("name", BORDERS)
def test_a_border_in_one_dimension_only_in_lanes(hl, name, of_func):
    x, y, read, f, g = hl.Var("x"), hl.Var("y"), hl.Func("read"), hl.Func("f"), hl.Func("g")
    data = RANDOM.integers(0, 256, (4, 16), dtype=np.uint8)
    source = image(hl, data)
    read[x, y] = source[x, y]
    exterior = [hl.u8(42)] if name == "constant_exterior" else []
    condition, what = getattr(hl.BoundaryConditions, name), read if of_func else source
    f[x, y] = condition(what, *exterior, [(0, 16), (hl.Expr(), hl.Expr())])[x, y]
    g[x, y] = condition(what, *exterior, [(hl.Expr(), hl.Expr()), (0, 4)])[x, y]
    for func, size, low, widths in ((f, [48, 4], [-9, 0], ((0, 0), (9, 23))), (g, [16, 11], [0, -5], ((5, 2), (0, 0)))):
        func.vectorize(x, 8)
        out = hl.Buffer(hl.UInt(8), size)
        out.set_min(low)
        func.realize(out)
        more = {"constant_values": 42} if exterior else {}
        check(out, np.pad(data, widths, mode=BORDERS[name], **more))
