"""Vectors of every second, third or n-th element, alone and with neighbours: Halide's program about such loads."""

import numpy as np
import pytest
from helpers import check, grid, image

LOW = -300
VALUES = np.random.default_rng(0).integers(0, 100, 1200)

FORMS = {
    "pairs": lambda p, i: p(2 * i) + p(2 * i + 1),
    "three taps": lambda p, i: p(2 * i) + p(2 * i + 1) + p(2 * i + 2),
    "four taps": lambda p, i: (p(2 * i) + p(2 * i + 2)) + (p(2 * i + 1) + p(2 * i + 3)),
    "far apart": lambda p, i: p(2 * i - 123) + p(2 * i + 134),
    "backwards": lambda p, i: p(100 - 2 * i) + p(101 - 2 * i),
    "every third": lambda p, i: p(3 * i),
    "almost as far as a vector": lambda p, i: p(7 * i) + p(7 * i + 6),
    "as far as a vector": lambda p, i: p(8 * i) + p(8 * i + 7),
}
TYPES = ["float32", "uint8", "int64"]


def source(hl, kind):
    """An image that begins before 0, and its elements by coordinate."""
    data = VALUES.astype(kind)
    buffer = image(hl, data)
    buffer.set_min([LOW])
    return buffer, lambda i: data[i - LOW]


@pytest.mark.part(4)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("tail", ["RoundUp", "GuardWithIf"])
@pytest.mark.parametrize("form", FORMS)
def test_loads_some_elements_apart(hl, form, tail, kind):
    x, f = hl.Var("x"), hl.Func("f")
    buffer, element = source(hl, kind)
    f[x] = FORMS[form](lambda i: buffer[i], x)
    f.vectorize(x, 8, getattr(hl.TailStrategy, tail))
    size = 64 if tail == "RoundUp" else 53
    check(f.realize([size]), FORMS[form](element, np.arange(size)))


@pytest.mark.parametrize("kind", TYPES)
def test_partners_in_other_elements_stages_and_funcs(hl, kind):
    x, pair, first, joined, updated = hl.Var("x"), hl.Func("pair"), hl.Func("first"), hl.Func("joined"), hl.Func("u")
    buffer, element = source(hl, kind)
    i, round_up, zero = np.arange(64), hl.TailStrategy.RoundUp, hl.cast(buffer.type(), 0)
    pair[x] = (zero, zero)
    pair[x] = (pair[x][0] + buffer[2 * x], pair[x][1] + buffer[2 * x + 1])
    pair.update().vectorize(x, 8, round_up)
    for value, expected in zip(pair.realize([64]), (element(2 * i), element(2 * i + 1)), strict=True):
        check(value, expected)
    first[x] = buffer[2 * x]
    joined[x] = first[x] + buffer[2 * x + 1]
    joined.vectorize(x, 8, round_up)
    first.compute_at(joined, x).vectorize(x)
    check(joined.realize([64]), element(2 * i) + element(2 * i + 1))
    updated[x] = buffer[2 * x]
    updated[x] += buffer[2 * x + 1]
    last = hl.Func("last")
    last[x] = updated[x]
    last.vectorize(x, 8, round_up)
    check(last.realize([64]), element(2 * i) + element(2 * i + 1))


@pytest.mark.parametrize("kind", TYPES)
def test_partners_in_unrolled_loops_and_other_tiles(hl, kind):
    x, y, c, xi, yi = (hl.Var(name) for name in ("x", "y", "c", "xi", "yi"))
    buffer, element = source(hl, kind)
    round_up, f, g, h, tiled = hl.TailStrategy.RoundUp, hl.Func("f"), hl.Func("g"), hl.Func("h"), hl.Func("tiled")
    cast = lambda value: hl.cast(buffer.type(), value)  # noqa: E731
    f[x, c] = buffer[4 * x + c] + cast(x)
    f.vectorize(x, 8, round_up).bound(c, 0, 4).unroll(c).reorder(c, x)
    xs, cs = grid(64, 4)
    check(f.realize([64, 4]), element(4 * xs + cs) + xs.astype(kind))
    g[x, y] = buffer[2 * x] + cast(y)
    h[x, y] = buffer[2 * x + 1] + cast(y)
    tiled[x, y, c] = g[x, y] + h[x, y] + cast(c)
    tiled.tile(x, y, xi, yi, 8, 8, round_up).vectorize(xi).reorder(c, x, y)
    for func in (g, h):
        func.compute_at(tiled, x).vectorize(x)
    xs, ys, cs = grid(32, 16, 3)
    check(tiled.realize([32, 16, 3]), element(2 * xs) + element(2 * xs + 1) + (2 * ys + cs).astype(kind))
