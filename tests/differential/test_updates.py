"""Update definitions: scatter, gather, histograms, scans, compound assignment; against the wheel."""

import numpy as np
import pytest
from differential import both_equal, equals, same, source, type_of

RANDOM = np.random.default_rng(12)
IMAGE = RANDOM.integers(0, 256, (8, 11), dtype=np.uint8)


def test_histogram():
    def program(hl):
        i, r = hl.Var("i"), hl.RDom([(0, 11), (0, 8)], "r")
        f = hl.Func("f")
        f[i] = hl.u32(0)
        f[source(hl, IMAGE, "image")(r.x, r.y)] += hl.u32(1)
        return f.realize([256])

    both_equal(program, np.bincount(IMAGE.ravel(), minlength=256).astype(np.uint32))


def test_histogram_equalization():
    def program(hl):
        i, x, y, r = hl.Var("i"), hl.Var("x"), hl.Var("y"), hl.RDom([(0, 11), (0, 8)], "r")
        b = hl.RDom([(1, 255)], "b")
        image = source(hl, IMAGE, "image")
        counts, cumulative, equal = hl.Func("counts"), hl.Func("cumulative"), hl.Func("equal")
        counts[i] = 0
        counts[image(r.x, r.y)] += 1
        cumulative[i] = counts[i]
        cumulative[b.x] = cumulative[b.x - 1] + counts[b.x]
        equal[x, y] = hl.u8_sat(cumulative[image(x, y)] * 255 / 88)
        return equal.realize([11, 8])

    same(program)


def test_scan_along_each_dimension():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        rx, ry = hl.RDom([(1, 10)], "rx"), hl.RDom([(1, 7)], "ry")
        image = source(hl, IMAGE, "image")
        f = hl.Func("f")
        f[x, y] = hl.i32(image(x, y))
        f[rx, y] += f[rx - 1, y]
        f[x, ry] += f[x, ry - 1]
        return f.realize([11, 8])

    both_equal(program, IMAGE.astype(np.int32).cumsum(0).cumsum(1).astype(np.int32))


def test_recursive_filter_backwards():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(1, 10)], "r")
        f = hl.Func("f")
        f[x, y] = hl.f32(source(hl, IMAGE, "image")(x, y))
        f[r, y] = f[r, y] * 0.5 + f[r - 1, y] * 0.5
        f[10 - r, y] = f[10 - r, y] * 0.25 + f[11 - r, y] * 0.75
        return f.realize([11, 8])

    same(program, rtol=1e-5)


def test_fibonacci():
    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(2, 30)], "r")
        f = hl.Func("f")
        f[x] = 1
        f[r.x] = f[r.x - 1] + f[r.x - 2]
        return f.realize([32])

    same(program)


def test_scatter_by_computed_coordinates():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 11), (0, 8)], "r")
        f = hl.Func("f")
        f[x, y] = -1
        f[10 - r.x, (r.y * 3) % 8] = r.x + 100 * r.y
        return f.realize([11, 8])

    same(program)


def test_scatter_where_the_last_write_wins():
    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(0, 20)], "r")
        f = hl.Func("f")
        f[x] = 0
        f[r / 3] = r
        f[r % 4 + 8] += r
        return f.realize([12])

    same(program)


def test_compound_assignment_with_a_definition():
    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(1, 3)], "r")
        outputs = []
        for start in (hl.i32(100), hl.f32(100), hl.u8(100)):
            f = hl.Func("f")
            f[x] = start
            f[x] += hl.cast(start.type(), r)
            f[x] -= hl.cast(start.type(), 2 * r)
            f[x] *= hl.cast(start.type(), r)
            f[x] /= hl.cast(start.type(), r + 1)
            outputs.append(np.asarray(f.realize([3])))
        return outputs

    same(program, rtol=1e-6)


def test_compound_assignment_without_a_definition_starts_from_the_identity():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(1, 4)], "r")
        added, subtracted, multiplied, divided = hl.funcs("added subtracted multiplied divided")
        added[x] += x + r
        subtracted[x, y] -= x * y + r
        multiplied[x] *= hl.f32(r + x)
        divided[x] /= hl.f32(r + x)
        return [
            np.asarray(f.realize(size))
            for f, size in ((added, [5]), (subtracted, [3, 4]), (multiplied, [5]), (divided, [5]))
        ]

    same(program, rtol=1e-6)


def test_unevaluated_reference_defines_the_identity_first():
    def program(hl):
        x = hl.Var("x")
        f, g = hl.Func("f"), hl.Func("g")
        f[x] = f[x] + (x + 1)
        g[x] = g[x] * (x + 2)
        return np.asarray(f.realize([5])), np.asarray(g.realize([5]))

    same(program)


def test_updates_run_in_order_and_read_earlier_ones():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        f = hl.Func("f")
        f[x, y] = x + y * 10
        f[x, 0] = f[x, 1] + 5
        f[3, y] = f[2, y] * 2
        f[x, y] = f[x, y] * 2 + 1
        f[x, 4] += f[x, 3] - f[x, 0]
        return f.realize([7, 6])

    same(program)


def test_updates_read_other_funcs():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 4)], "r")
        g, h, f = hl.Func("g"), hl.Func("h"), hl.Func("f")
        g[x, y] = x * y
        h[x] = x + 1
        h[x] *= 3
        f[x, y] = g[x, y] + 1
        f[x, y] += g[x + r, y - 1] * h[r + x]
        f[x, r] -= h[r] + g[r, x]
        return f.realize([5, 6])

    same(program)


def test_update_at_constant_and_swapped_places():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 3)], "r")
        f = hl.Func("f")
        f[x, y] = x * 10 + y
        f[2, 3] = 1000
        f[0, 0] += f[2, 3]
        f[r, 4] = f[r, 4] + f[4, r]
        return f.realize([5, 5])

    same(program)


def test_update_behind_a_lookup_table():
    table = RANDOM.permutation(16).astype(np.uint8)

    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(0, 16)], "r")
        lut = source(hl, table, "table")
        f = hl.Func("f")
        f[x] = hl.i32(0)
        f[hl.clamp(hl.i32(lut(r)), 0, 15)] = hl.i32(r)
        return f.realize([16])

    both_equal(program, np.argsort(table).astype(np.int32))


def test_update_with_a_selected_value_and_a_where():
    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(0, 10), (0, 3)], "r")
        r.where((r.x + r.y) % 2 == 0)
        f = hl.Func("f")
        f[x] = x
        f[r.x] = hl.select(f[r.x] > 5, f[r.x] - r.y, f[r.x] + 10 * r.y)
        return f.realize([10])

    same(program)


def test_updates_that_write_outside_the_asked_region():
    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(0, 30)], "r")
        f = hl.Func("f")
        f[x] = 0
        f[r.x] = r * r
        return f.realize([10])

    same(program)


def test_a_reduced_func_computed_where_used():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 5)], "r")
        inner, f = hl.Func("inner"), hl.Func("f")
        inner[x, y] = x
        inner[x, y] += r * y
        f[x, y] = inner[x - 1, y] + inner[x + 1, y + 2]
        return f.realize([6, 5])

    same(program)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64", "uint64", "float64", "bool"])
def test_updates_of_each_type(dtype):
    def program(hl):
        x, r, t = hl.Var("x"), hl.RDom([(0, 5)], "r"), type_of(hl, dtype)
        f = hl.Func("f")
        if dtype == "bool":
            f[x] = x > 3
            f[r.x] = f[r.x] | (r == 1)
        else:
            f[x] = hl.cast(t, x)
            f[r.x] = f[r.x] * hl.cast(t, 100) + hl.cast(t, r)
            f[x] -= hl.cast(t, 3)
        return f.realize([9])

    same(program)


def test_sorting_network_by_many_updates():
    data = RANDOM.integers(-50, 50, 6).astype(np.int32)

    def program(hl):
        x = hl.Var("x")
        f = hl.Func("f")
        f[x] = source(hl, data, "data")(x)
        for i in range(6):
            for j in range(i % 2, 5, 2):
                low = hl.Func("pair")
                low[x] = hl.select(x == 0, hl.min(f[j], f[j + 1]), hl.max(f[j], f[j + 1]))
                g = hl.Func("step")
                g[x] = hl.select(x == j, low[0], x == j + 1, low[1], f[x])
                f = g
                f.compute_root()
        return f.realize([6])

    equals(program, np.sort(data))


def test_game_of_life_in_place():
    world = RANDOM.integers(0, 2, (8, 8)).astype(np.uint8)

    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        state = hl.Buffer(world.copy())
        for _ in range(2):
            edge = hl.BoundaryConditions.constant_exterior(state, 0)
            r = hl.RDom([(-1, 3), (-1, 3)], "r")
            count, f = hl.Func("count"), hl.Func("f")
            count[x, y] = hl.sum(edge[x + r.x, y + r.y]) - edge[x, y]
            f[x, y] = hl.u8((count[x, y] == 3) | ((count[x, y] == 2) & (edge[x, y] == 1)))
            state = f.realize([8, 8])
        return state

    same(program)
