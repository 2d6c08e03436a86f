"""Vectors of which some lanes neither load nor store: Halide's programs about predicates."""

import numpy as np
import pytest
from helpers import check, grid, image

RANDOM = np.random.default_rng(4)


def test_a_condition_on_lanes_of_loads_and_stores(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 40), (0, 40)])
    g[x, y] = x + y
    g.compute_root()
    r.where(r.x + r.y < r.x * r.y)
    f[x, y] = 10
    f[r.x, r.y] += g[2 * r.x, r.y] + g[2 * r.x + 1, r.y]
    f.update(0).vectorize(r.x, 16)
    xs, ys = grid(50, 50)
    inside = (xs < 40) & (ys < 40) & (xs + ys < xs * ys)
    check(f.realize([50, 50]), np.where(inside, 10 + 4 * xs + 1 + 2 * ys, 10))


def test_reversed_lanes_under_a_condition(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    g[x, y] = x * y
    g.compute_root()
    f[x, y] = hl.select(x < 23, g[73 - x, y] * 2 + g[20 - x, y], 5)
    f.vectorize(x, 16, hl.TailStrategy.Predicate)
    xs, ys = grid(73, 6)
    check(f.realize([73, 6]), np.where(xs < 23, (73 - xs) * ys * 2 + (20 - xs) * ys, 5))


def test_lanes_that_write_one_element(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 16), (0, 16)])
    g[x, y] = x + y
    g.compute_root()
    r.where(r.x + r.y < 20)
    f[x, y] = 10
    f[3, 3] = hl.max(f[3, 3], g[2 * r.x + 1, r.y])
    f.update(0).atomic().vectorize(r.x, 8)
    xs, ys = grid(6, 6)
    check(f.realize([6, 6]), np.where((xs == 3) & (ys == 3), 2 * 15 + 1 + 4, 10))


def test_updates_that_change_nothing(hl):
    x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 20), (0, 20)])
    r.where(r.x + r.y < 17)
    f[x, y] = x + y
    f[2 * r.x + 1, r.y] = f[2 * r.x + 1, r.y]
    f[2 * r.x, 3 * r.y] = f[2 * r.x, 3 * r.y]
    f.update(0).vectorize(r.x, 8)
    f.update(1).vectorize(r.y, 8)
    xs, ys = grid(60, 60)
    check(f.realize([60, 60]), xs + ys)


PREDICATED_READS = {
    "one element for all lanes": lambda hl, g, source, r: 1 + hl.max(g[0, 1], g[2 * r.x + 1, r.y]),
    "a function of the loop variables": lambda hl, g, source, r: hl.i32(hl.abs(r.x * r.y - 9)) + g[2 * r.x + 1, r.y],
    "two elements by turns": lambda hl, g, source, r: hl.clamp(
        hl.select(r.x % 2 == 0, r.x, r.y) + source[r.x % 2, r.y], 0, 50
    ),
    "reversed": lambda hl, g, source, r: g[20 - r.x, r.y] * 2 + g[17 - r.x, r.y],
    "elements that a table gives": lambda hl, g, source, r: g[source[r.x, r.y] % 8, r.y],
}


@pytest.mark.parametrize("name", PREDICATED_READS)
def test_reads_of_lanes_under_two_conditions(hl, name):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 18), (0, 18)])
    data = RANDOM.integers(0, 40, (18, 18), dtype=np.int32)
    source = image(hl, data)
    g[x, y] = x * 3 + y
    g.compute_root()
    r.where(r.x + r.y < 23)
    r.where(r.x * r.y + r.x * r.x < 90)
    f[x, y] = 10
    f[r.x, r.y] += PREDICATED_READS[name](hl, g, source, r)
    f.update(0).vectorize(r.x, 8)
    model = np.full((20, 20), 10)
    for j in range(18):
        for i in range(18):
            if i + j < 23 and i * j + i * i < 90:
                model[j, i] += {
                    "one element for all lanes": 1 + max(1, 6 * i + 3 + j),
                    "a function of the loop variables": abs(i * j - 9) + 6 * i + 3 + j,
                    "two elements by turns": np.clip((j if i % 2 else i) + data[j, i % 2], 0, 50),
                    "reversed": ((20 - i) * 3 + j) * 2 + (17 - i) * 3 + j,
                    "elements that a table gives": data[j, i] % 8 * 3 + j,
                }[name]
    check(f.realize([20, 20]), model)


def test_a_condition_on_a_vectorized_loop_that_nothing_else_reads(hl):
    x, y, f, g, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g"), hl.RDom([(0, 6), (0, 12)])
    g[x, y] = x + y
    g.compute_root()
    r.where(r.y * r.y < 47)
    f[x, y] = 10
    f[r.x, 1] = hl.max(g[0, 1], g[r.x + 1, 2])
    f.update(0).allow_race_conditions().vectorize(r.y, 8)
    xs, ys = grid(8, 3)
    check(f.realize([8, 3]), np.where((ys == 1) & (xs < 6), xs + 3, 10))


def test_a_predicated_vector_of_a_scalar_producer(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    g[x] = 10 + x
    f[x, y] = x + g[0]
    g.compute_at(f, y)
    f.vectorize(x, 16, hl.TailStrategy.Predicate)
    xs, _ = grid(21, 4)
    check(f.realize([21, 4]), xs + 10)


def test_a_table_of_an_odd_size_that_chooses_where_lanes_write(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 6)])
    table = image(hl, np.array([[5, 0], [3, 0], [9, 0], [200, 0], [1, 0], [4, 0]], np.int32))
    f[x] = 0.0
    f[hl.clamp(table[0, r], 0, 19)] += 1.0
    f.output_buffer().dim(0).set_min(0).set_extent(20)
    f.update(0).allow_race_conditions().vectorize(r.x, 4)
    check(f.realize([20]), np.bincount([5, 3, 9, 19, 1, 4], minlength=20))
