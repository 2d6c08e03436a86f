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
