"""Reductions whose RVars are vector lanes, alone and with pure loops: Halide's programs about vector reductions."""

import numpy as np
import pytest
from helpers import check, image

RANDOM = np.random.default_rng(0)

READS = {
    "planes": (lambda p, x, y, r: p[x, y, r], 0),
    "rows": (lambda p, x, y, r: p[x, r, y], 1),
    "columns": (lambda p, x, y, r: p[r, x, y], 2),
}
ORDERS = ["xyr", "xry", "rxy", "yxr", "yrx", "ryx"]


@pytest.mark.part(6)
@pytest.mark.parametrize("kind", ["int32", "uint8", "float32"])
def test_lanes_of_all_loops_in_each_order(hl, kind):
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 8)])
    data = RANDOM.integers(0, 10, (8, 8, 8)).astype(kind)
    source = image(hl, data)
    f[x, y] = hl.cast(source.type(), 0)
    cases = [(order, name) for order in ORDERS for name in READS]
    for _, name in cases:
        f[x, y] += READS[name][0](source, x, y, r.x)
    f.bound(x, 0, 8).bound(y, 0, 8).vectorize(x).vectorize(y)
    for number, (order, _) in enumerate(cases):
        stage = f.update(number).vectorize(x).vectorize(y).atomic().vectorize(r.x)
        stage.reorder(*[{"x": x, "y": y, "r": r.x}[letter] for letter in order])
    sums = [data.sum(axis=axis, dtype=kind) for _, axis in READS.values()]
    check(f.realize([8, 8]), (6 * sum(sums)).astype(kind))


# Where the values go and come from: affine in RVars, their quotients and remainders by divisors of their extents.
PLACES = [
    (lambda r: r.x, lambda r: r.y + r.z),
    (lambda r: r.x // 2 - 2 * r.z, lambda r: r.x % 2 + r.y),
    (lambda r: 2 * (r.y % 3) - r.x % 4 + 1, lambda r: r.z // 3 - 2),
    (lambda r: -2 * (r.z // 2) - r.y // 3, lambda r: 2 * r.x - r.y + r.z % 3),
    (lambda r: r.x % 2 + r.x // 2, lambda r: r.x - r.y),
    (lambda r: 3, lambda r: r.x + 8 * r.y),
]


@pytest.mark.part(3)
@pytest.mark.parametrize("lanes", ["xyz", "x", "zy"])
@pytest.mark.parametrize("number", range(len(PLACES)))
def test_lanes_that_add_to_affine_places(hl, number, lanes):
    sizes = (4, 3, 6) if lanes == "xyz" else (8, 9, 6)
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, size) for size in sizes])
    place, origin = PLACES[number]
    source = image(hl, np.arange(256, dtype=np.int32) * 31 % 256)
    source.set_min([-128])
    f[x] = 0
    f[place(r)] += source[origin(r)] + 0 * (r.x + r.y + r.z)
    stage = f.update().atomic()
    for letter in lanes:
        stage.vectorize(getattr(r, letter))
    out = hl.Buffer(hl.Int(32), [128])
    out.set_min([-64])
    f.realize(out)
    expected = np.zeros(128, np.int64)
    for point in np.ndindex(*sizes):
        at = Point(*point)
        expected[place(at) + 64] += origin_value(origin(at))
    check(out, expected)


class Point:
    """A point of a reduction domain, in Python's integers."""

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z


def origin_value(place):
    """The element of the source at a place."""
    return (place + 128) * 31 % 256


@pytest.mark.parametrize("lanes", [7, 32])
@pytest.mark.parametrize("form", ["a sum", "a pair"])
def test_sums_of_products_of_bytes_are_narrowed_again(hl, form, lanes):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(-1, 3), (-1, 3)])
    pixels = RANDOM.integers(0, 256, (20, 64)).astype(np.uint8)
    weights = RANDOM.integers(-4, 4, (3, 3)).astype(np.int8)
    kernel = image(hl, weights)
    kernel.set_min([-1, -1])
    source = hl.BoundaryConditions.repeat_edge(image(hl, pixels))
    source.compute_root()
    weight = kernel[r.x, r.y]
    product = hl.i16(source[x + r.x, y + r.y]) * weight
    if form == "a sum":
        g[x, y] = hl.u8_sat(hl.sum(product) / 16)
    else:
        f[x, y] = (hl.i16(0), hl.i8(0))
        f[x, y] = (f[x, y][0] + product, f[x, y][1] + weight)
        g[x, y] = hl.u8_sat((f[x, y][0] + f[x, y][1]) / 16)
    g.vectorize(x, lanes)
    padded = np.pad(pixels.astype(int), 1, mode="edge")
    total = sum(padded[j : j + 20, i : i + 64] * int(weights[j, i]) for j in range(3) for i in range(3))
    total = total + (int(weights.sum()) if form == "a pair" else 0)
    check(g.realize([64, 20]), np.clip(total // 16, 0, 255))


@pytest.mark.parametrize("inside", [False, True])
def test_a_narrowed_average_of_an_output_of_a_fixed_size(hl, inside):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    pixels = RANDOM.integers(0, 256, (12, 64)).astype(np.uint8)
    source = hl.BoundaryConditions.repeat_edge(image(hl, pixels))
    source.compute_root()
    f[x, y] = hl.i16(source[x, y])
    g[x, y] = hl.u8_sat((f[x, y] + f[x + 1, y]) / 2)
    g.vectorize(x, 16)
    if inside:
        f.compute_at(g, y).vectorize(x, 32, hl.TailStrategy.RoundUp)
    g.output_buffer().dim(0).set_min(0).set_extent(62)
    g.output_buffer().dim(1).set_min(0).set_extent(12)
    check(g.realize([62, 12]), (pixels[:, :62].astype(int) + pixels[:, 1:63]) // 2)
