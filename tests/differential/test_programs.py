"""Whole programs that join several features, with schedules, on the wheel and on pipec."""

import numpy as np
import pytest
from differential import same

RANDOM = np.random.default_rng(31)
GRAY = RANDOM.integers(0, 256, (24, 29), dtype=np.uint8)
COLOR = RANDOM.integers(0, 256, (3, 13, 18), dtype=np.uint8)


@pytest.mark.slow
def test_median_of_nine_by_minima_and_maxima():
    def middle(hl, a, b, c):
        return hl.max(hl.min(hl.max(a, b), c), hl.min(a, b))

    def program(hl):
        x, y, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi")
        edge = hl.BoundaryConditions.mirror_image(hl.Buffer(GRAY))
        low, mid, high, f = hl.funcs("low mid high f")
        three = [edge[x - 1, y], edge[x, y], edge[x + 1, y]]
        low[x, y], mid[x, y], high[x, y] = hl.min(*three), middle(hl, *three), hl.max(*three)
        rows = [-1, 0, 1]
        lowest = hl.max(*[low[x, y + d] for d in rows])
        highest = hl.min(*[high[x, y + d] for d in rows])
        f[x, y] = middle(hl, lowest, middle(hl, *[mid[x, y + d] for d in rows]), highest)
        f.tile(x, y, xi, yi, 8, 4).vectorize(xi).parallel(y)
        for stage in (low, mid, high):
            stage.compute_at(f, x).vectorize(x, 8)
        return f.realize([29, 24])

    same(program)


def test_bilateral_grid_of_a_scatter_and_three_blurs():
    def program(hl):
        x, y, z, r = hl.Var("x"), hl.Var("y"), hl.Var("z"), hl.RDom([(0, 4), (0, 4)], "r")
        edge = hl.BoundaryConditions.repeat_edge(hl.Buffer(GRAY))
        grid, bz, bx, by, f = hl.funcs("grid bz bx by f")
        value = hl.f32(edge[x * 4 + r.x - 2, y * 4 + r.y - 2]) / 255.0
        cell = hl.clamp(hl.i32(value * 8 + 0.5), 0, 8)
        grid[x, y, z] = 0.0
        grid[x, y, cell] += value
        bz[x, y, z] = grid[x, y, z - 1] + grid[x, y, z] * 4 + grid[x, y, z + 1]
        bx[x, y, z] = bz[x - 1, y, z] + bz[x, y, z] * 4 + bz[x + 1, y, z]
        by[x, y, z] = bx[x, y - 1, z] + bx[x, y, z] * 4 + bx[x, y + 1, z]
        position = hl.clamp(hl.f32(edge[x, y]) / 255.0, 0.0, 1.0) * 8
        f[x, y] = (
            by[x / 4, y / 4, hl.i32(position)] * (1.0 - hl.fract(position)) + by[x / 4, y / 4, hl.i32(position) + 1]
        )
        grid.compute_root().reorder(z, x, y).parallel(y)
        grid.update().reorder(x, r.x, r.y, y).parallel(y)
        bz.compute_root().reorder(z, x, y).vectorize(x, 4)
        bx.compute_root().vectorize(x, 4)
        by.compute_root().vectorize(x, 4).parallel(z)
        f.parallel(y).vectorize(x, 8)
        return f.realize([29, 24])

    same(program, rtol=1e-5)


def test_interleaving_and_separating_channels():
    def program(hl):
        x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
        image = hl.Buffer(COLOR)
        woven, apart, f = hl.Func("woven"), hl.Func("apart"), hl.Func("f")
        woven[x, y] = hl.mux(x % 3, [image[x / 3, y, 0], image[x / 3, y, 1], image[x / 3, y, 2]])
        apart[x, y, c] = woven[x * 3 + c, y]
        f[x, y, c] = hl.u16(apart[x, y, c]) * 2 + apart[x, y, 2 - c]
        woven.compute_root().vectorize(x, 12)
        apart.compute_root().bound(c, 0, 3).unroll(c).vectorize(x, 4)
        f.vectorize(x, 4)
        return f.realize([18, 13, 3])

    same(program)


def test_even_and_odd_elements():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image = hl.Buffer(GRAY)
        even, f = hl.Func("even"), hl.Func("f")
        even[x, y] = hl.u16(image[2 * x, y]) + image[2 * x + 1, y]
        f[x, y] = hl.select(x % 2 == 0, even[x / 2, y], even[x / 2, y] - image[x, y])
        even.compute_at(f, y).vectorize(x, 8)
        f.vectorize(x, 16, hl.TailStrategy.GuardWithIf)
        return f.realize([28, 24])

    same(program)


def test_demosaic_by_phase():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        edge = hl.BoundaryConditions.mirror_interior(hl.Buffer(GRAY))
        raw, green, f = hl.Func("raw"), hl.Func("green"), hl.Func("f")
        raw[x, y] = hl.i16(edge[x, y])
        cross = (raw[x - 1, y] + raw[x + 1, y] + raw[x, y - 1] + raw[x, y + 1]) / 4
        green[x, y] = hl.select((x + y) % 2 == 0, raw[x, y], cross)
        f[x, y] = hl.u8_sat(green[x, y] * 2 - (green[x - 1, y] + green[x + 1, y]) / 2)
        xi, yi = hl.Var("xi"), hl.Var("yi")
        f.tile(x, y, xi, yi, 2, 2).unroll(xi).unroll(yi)
        green.compute_root().align_bounds(x, 2).align_bounds(y, 2).unroll(x, 2).unroll(y, 2)
        return f.realize([26, 22])

    same(program)


def test_transposition_by_tiles():
    def program(hl):
        x, y, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi")
        tile, f = hl.Func("tile"), hl.Func("f")
        tile[x, y] = hl.Buffer(GRAY)[x, y]
        f[x, y] = tile[y, x]
        f.tile(x, y, xi, yi, 8, 8, hl.TailStrategy.GuardWithIf).vectorize(xi)
        tile.compute_at(f, x).vectorize(x, 8, hl.TailStrategy.GuardWithIf)
        return f.realize([24, 29])

    # The Buffer must outlive the pipeline on the wheel: it is the array GRAY, which lives as long as the module.
    same(program)


def test_matrix_product_in_blocks():
    a, b = RANDOM.integers(-9, 9, (16, 19)).astype(np.int32), RANDOM.integers(-9, 9, (19, 24)).astype(np.int32)

    def program(hl):
        x, y, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi")
        k, ko, ki = hl.RDom([(0, 19)], "k"), hl.RVar("ko"), hl.RVar("ki")
        p, q = hl.Buffer(a), hl.Buffer(b)
        product, f = hl.Func("product"), hl.Func("f")
        product[x, y] += p[k, y] * q[x, k]
        f[x, y] = product[x, y]
        f.tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf).vectorize(xi).unroll(yi)
        product.compute_at(f, x).vectorize(x, 8).unroll(y)
        product.update().split(k.x, ko, ki, 4).reorder(x, y, ki, ko).vectorize(x, 8).unroll(y).unroll(ki)
        return f.realize([24, 16])

    assert np.array_equal(same(program)["result"], a @ b)


def test_sums_along_a_recursion_in_strips():
    def program(hl):
        x, y, yo, yi = hl.Var("x"), hl.Var("y"), hl.Var("yo"), hl.Var("yi")
        r = hl.RDom([(1, 28)], "r")
        image = hl.Buffer(GRAY)
        sums, box = hl.Func("sums"), hl.Func("box")
        sums[x, y] = hl.u32(image[x, y])
        sums[r.x, y] += sums[r.x - 1, y]
        box[x, y] = (sums[hl.min(x + 3, 28), y] - hl.select(x > 2, sums[hl.max(x - 3, 0), y], hl.u32(0))) / 6
        box.split(y, yo, yi, 8, hl.TailStrategy.GuardWithIf).parallel(yo).vectorize(x, 8)
        sums.compute_at(box, yo).vectorize(y, 8)
        sums.update().vectorize(y, 8)
        return box.realize([29, 24])

    same(program)


def test_gather_by_a_computed_map():
    shift = RANDOM.integers(-5, 6, (24, 29)).astype(np.int8)

    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image, moves = hl.Buffer(GRAY), hl.Buffer(shift)
        f = hl.Func("f")
        f[x, y] = image[hl.clamp(x + moves[x, y], 0, 28), hl.clamp(y - moves[x, y] / 2, 0, 23)]
        f.vectorize(x, 8).parallel(y, 4)
        return f.realize([29, 24])

    same(program)


def test_lookup_table_of_bytes():
    def program(hl):
        x, y, i = hl.Var("x"), hl.Var("y"), hl.Var("i")
        curve, f = hl.Func("curve"), hl.Func("f")
        curve[i] = hl.u8(hl.clamp(hl.pow(hl.f32(i) / 255.0, 0.5) * 255.0 + 0.5, 0.0, 255.0))
        f[x, y] = curve[hl.Buffer(GRAY)[x, y]]
        curve.compute_root().vectorize(i, 8)
        f.vectorize(x, 8)
        return f.realize([29, 24])

    same(program)


def test_resampling_by_fractions():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        edge = hl.BoundaryConditions.repeat_edge(hl.Buffer(GRAY))
        across, f = hl.Func("across"), hl.Func("f")
        place = (x + 0.5) * 0.75 - 0.5
        left = hl.i32(hl.floor(place))
        weight = place - left
        across[x, y] = hl.lerp(hl.f32(edge[left, y]), hl.f32(edge[left + 1, y]), weight)
        row = (y + 0.5) * 1.25 - 0.5
        top = hl.i32(hl.floor(row))
        f[x, y] = hl.u8(hl.lerp(across[x, top], across[x, top + 1], row - top) + 0.5)
        f.vectorize(x, 8)
        across.compute_root().vectorize(x, 8)
        return f.realize([40, 18])

    same(program)


@pytest.mark.slow
def test_pyramid_of_three_levels_blended():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        base = hl.Func("base")
        base[x, y] = hl.f32(hl.BoundaryConditions.repeat_edge(hl.Buffer(GRAY))[x, y])
        levels = [base]
        for n in range(3):
            across, down = hl.Func(f"across{n}"), hl.Func(f"down{n}")
            f = levels[-1]
            across[x, y] = (f[2 * x - 1, y] + 3 * (f[2 * x, y] + f[2 * x + 1, y]) + f[2 * x + 2, y]) / 8
            down[x, y] = (
                across[x, 2 * y - 1] + 3 * (across[x, 2 * y] + across[x, 2 * y + 1]) + across[x, 2 * y + 2]
            ) / 8
            down.compute_root().vectorize(x, 4)
            levels.append(down)
        result = levels[-1]
        for f in reversed(levels[:-1]):
            across, up = hl.Func("across"), hl.Func("up")
            across[x, y] = 0.25 * result[x / 2 - 1 + 2 * (x % 2), y] + 0.75 * result[x / 2, y]
            up[x, y] = f[x, y] - (0.25 * across[x, y / 2 - 1 + 2 * (y % 2)] + 0.75 * across[x, y / 2]) * 0.5
            if f is not base:
                up.compute_root().vectorize(x, 4)
            result = up
        result.vectorize(x, 8)
        return result.realize([29, 24])

    same(program, rtol=1e-4, atol=1e-3)


def test_dilation_by_a_reduction_of_a_window():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(-2, 5), (-1, 3)], "r")
        edge = hl.BoundaryConditions.constant_exterior(hl.Buffer(GRAY), 0)
        f = hl.Func("f")
        f[x, y] = hl.maximum(edge[x + r.x, y + r.y])
        f.vectorize(x, 8)
        return f.realize([29, 24])

    same(program)


def test_distance_of_a_point_to_a_set():
    points = RANDOM.integers(0, 20, (6, 2)).astype(np.int32)

    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 6)], "r")
        where = hl.Buffer(points)
        nearest, f = hl.Func("nearest"), hl.Func("f")
        dx, dy = where[0, r] - x, where[1, r] - y
        nearest[x, y] = hl.argmin(dx * dx + dy * dy)
        f[x, y] = nearest[x, y][0] * 1000 + nearest[x, y][1]
        nearest.compute_root().vectorize(x, 4)
        return f.realize([20, 15])

    same(program)


def test_maxima_carried_down_columns_again_and_again():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        r = hl.RDom([(0, 7), (0, 7)], "r")
        f = hl.Func("f")
        f[x, y] = hl.Buffer(GRAY)[x, y]
        swapped = hl.Func("swapped")
        f[x, r.x + 1] = hl.max(f[x, r.x], f[x, r.x + 1])
        swapped[x, y] = f[x, y]
        f.compute_root().update(0).vectorize(x, 8)
        return swapped.realize([29, 8])

    same(program)


def test_an_update_in_tiles_that_its_producer_follows():
    def program(hl):
        x, y, xi, yi, r = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi"), hl.RDom([(-1, 3)], "r")
        edge = hl.BoundaryConditions.repeat_edge(hl.Buffer(GRAY))
        g, f, out = hl.Func("g"), hl.Func("f"), hl.Func("out")
        g[x, y] = hl.i32(edge[x, y]) * 2
        f[x, y] = x
        f[x, y] += g[x + r, y] - g[x, y + r]
        out[x, y] = f[x, y] + f[x + 1, y]
        f.compute_root().update(0).tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf)
        g.compute_at(f, x)
        return out.realize([28, 24])

    same(program)


def test_producer_of_a_split_reduction():
    def program(hl):
        x, r, ro, ri = hl.Var("x"), hl.RDom([(0, 24)], "r"), hl.RVar("ro"), hl.RVar("ri")
        image = hl.Buffer(GRAY)
        g, f = hl.Func("g"), hl.Func("f")
        g[x] = hl.i32(image[0, hl.clamp(x, 0, 23)]) + x
        f[x] = 0
        f[x] += g[r] * (x + 1)
        f.update(0).split(r.x, ro, ri, 5).reorder(x, ri, ro)
        g.compute_at(f, ro)
        return f.realize([6])

    same(program)


@pytest.mark.parametrize("steps", [1, 4])
def test_simulation_in_time_steps(steps):
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        state = hl.Func("start")
        state[x, y] = hl.f32(x * y % 7)
        for step in range(steps):
            following = hl.Func(f"step{step}")
            following[x, y] = (state[x - 1, y] + state[x, y] * 2 + state[x, y + 1]) / 4.0
            state.compute_at(following, y)
            state = following
        return state.realize([9, 5])

    same(program, rtol=1e-6)


def test_same_func_used_by_many_with_other_offsets():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        shared, a, b, c = hl.funcs("shared a b c")
        shared[x, y] = x * x + y
        a[x, y] = shared[x - 10, y] + shared[x + 10, y - 3]
        b[x, y] = shared[x * 2, y / 2] - a[x, y]
        c[x, y] = a[x + 1, y] + b[x - 1, y + 1] + shared[y, x]
        shared.compute_root()
        a.compute_at(c, y)
        b.compute_at(c, x)
        return c.realize([11, 7])

    same(program)


def test_constants_and_unused_dimensions():
    def program(hl):
        x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
        constant, row, f = hl.Func("constant"), hl.Func("row"), hl.Func("f")
        constant[()] = 5
        row[y] = y * 2 + constant[()]
        f[x, y, c] = row[y] + row[c] * 100
        constant.compute_root()
        row.compute_at(f, y)
        return f.realize([4, 5, 3])

    same(program)


def test_unsigned_differences_and_wide_accumulators():
    def program(hl):
        x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(-1, 3), (-1, 3)], "r")
        edge = hl.BoundaryConditions.repeat_image(hl.Buffer(GRAY))
        f, g = hl.Func("f"), hl.Func("g")
        f[x, y] = hl.sum(hl.u16(hl.absd(edge[x + r.x, y + r.y], edge[x, y])))
        g[x, y] = hl.u8_sat((hl.u32(f[x, y]) * f[x, y]) >> 9)
        f.compute_at(g, y).vectorize(x, 8)
        g.vectorize(x, 16)
        return g.realize([29, 24])

    same(program)
