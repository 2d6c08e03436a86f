"""Sorting by expressions, stages and updates: Halide's programs about it."""

import numpy as np
from helpers import check, image

RANDOM = np.random.default_rng(4)


def test_sorting_by_exchange(hl):
    x, f = hl.Var("x"), hl.Func("f")
    data = RANDOM.integers(0, 1000, 8, dtype=np.int32)
    source = image(hl, data)
    f[x] = source[x]
    for end in range(7, 0, -1):
        r = hl.RDom([(0, end)])
        a, b = f[r.x], f[r.x + 1]
        f[hl.scatter([r.x, r.x + 1])] = hl.gather([hl.min(a, b), hl.max(a, b)])
    check(f.realize([8]), np.sort(data))


def test_a_sorting_network_of_one_expression_each(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = hl.sin(hl.f32(x))
    f.compute_root()
    values, count = [f[i] for i in range(9)], 9
    for step in range(count):
        for i in range(step % 2, count - 1, 2):
            values[i], values[i + 1] = hl.min(values[i], values[i + 1]), hl.max(values[i], values[i + 1])
    g[x] = hl.undef(hl.Float(32))
    for i, value in enumerate(values):
        g[i] = value
    check(g.realize([9]), np.sort(np.sin(np.arange(9, dtype=np.float32))), rtol=1e-6)


def test_sorting_by_a_network_of_stages(hl):
    x, size = hl.Var("x"), 16
    data = RANDOM.integers(0, 1000, size, dtype=np.int32)
    source = image(hl, data)
    stage = hl.Func("source")
    stage[x] = source[x]
    passes = 1
    while passes < size:
        chunk = passes
        while chunk > 0:
            after = hl.Func("after")
            start = (x // (2 * chunk)) * (2 * chunk)
            if passes == chunk and passes > 1:
                partner = hl.clamp(2 * (start + chunk) - x - 1, start, start + 2 * chunk - 1)
            else:
                partner = start + (x - start + chunk) % (chunk * 2)
            low, high = hl.min(stage[x], stage[partner]), hl.max(stage[x], stage[partner])
            after[x] = hl.select(x < start + chunk, low, high)
            if passes > 1:
                after.split(x, hl.Var("xo"), hl.Var("xi"), 2 * chunk)
            if chunk > 2:
                after.parallel(hl.Var("xo"))
            after.compute_root()
            stage, chunk = after, chunk // 2
        passes *= 2
    stage.bound(x, 0, size)
    check(stage.realize([size]), np.sort(data))


def test_sorting_by_merging_rows(hl):
    x, y, size = hl.Var("x"), hl.Var("y"), 16
    data = RANDOM.integers(0, 1000, size, dtype=np.int32)
    source = image(hl, data)
    a = [source[4 * y + k] for k in range(4)]
    for i, j in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):
        a[i], a[j] = hl.min(a[i], a[j]), hl.max(a[i], a[j])
    rows, stage = hl.Func("rows"), hl.Func("stage")
    rows[x, y] = hl.select(x == 0, a[0], x == 1, a[1], x == 2, a[2], a[3])
    result, width = rows, 4
    inner = []
    while width < size:
        merged, r = hl.Func("merged"), hl.RDom([(0, 2 * width)])
        merged[x, y] = (0, 0, 0)
        i, j = merged[r.x - 1, y][0], merged[r.x - 1, y][1]
        left, right = result[hl.clamp(i, 0, width - 1), 2 * y], result[hl.clamp(j, 0, width - 1), 2 * y + 1]
        takes_left = (i < width) & ((left < right) | ~(j < width))
        merged[r.x, y] = hl.select(takes_left, hl.Tuple([i + 1, j, left]), hl.Tuple([i, j + 1, right]))
        inner.append(merged)
        result = hl.Func("values")
        result[x, y] = merged[x, y][2]
        width *= 2
    stage[x, y] = result[x, y]
    rows.compute_at(stage, y).bound(x, 0, 4).unroll(x)
    for merged in inner:
        merged.compute_at(stage, y)
    stage.compute_root().parallel(y)
    out = hl.Func("out")
    out[x] = stage[x, 0]
    out.bound(x, 0, size)
    check(out.realize([size]), np.sort(data))
