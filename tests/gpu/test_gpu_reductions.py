"""Updates, reductions and scans inside kernels."""

import numpy as np
import pytest

import pipec as hl
from tests.gpu.gpu import same_on_gpu

pytestmark = pytest.mark.opencl

x, y, i, u, v, xo, yo, xi, yi = hl.vars("x y i u v xo yo xi yi")
IMAGE = np.random.default_rng(3).integers(0, 256, (37, 41)).astype(np.uint8)


def convolution():
    e = hl.BoundaryConditions.mirror_interior(hl.Buffer(IMAGE))
    f = hl.Func("convolution")
    r = hl.RDom([(-2, 5), (-1, 3)], "r")
    f[x, y] = hl.i32(x)
    f[x, y] += hl.i32(e[x + r.x, y + r.y]) * (r.x + 3 * r.y)
    f[x, y] = f[x, y] * 2 - y
    return [f]


PIXELS = hl.RDom([(0, 41), (0, 37)], "pixels")


def histogram():
    f = hl.Func("histogram")
    f[i] = 0
    f[hl.Buffer(IMAGE)[PIXELS.x, PIXELS.y]] += 1
    f.bound(i, 0, 256)
    return [f]


def test_pure_and_update_stages_in_kernels_of_their_own():
    def schedule(s):
        s[0].gpu_tile(x, y, xo, yo, xi, yi, 16, 4)
        s[0].update(0).gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
        s[0].update(1).gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    same_on_gpu(convolution, schedule, ((40, 35), (3, 5)))


def test_update_on_the_cpu_between_kernels():
    def schedule(s):
        s[0].gpu_tile(x, y, xo, yo, xi, yi, 16, 4)
        s[0].update(0).unscheduled()
        s[0].update(1).gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    same_on_gpu(convolution, schedule, ((40, 35), (3, 5)))


@pytest.mark.slow
def test_updates_of_a_producer_inside_a_block():
    def make():
        (f,) = convolution()
        g = hl.Func("reader")
        g[x, y] = f[x, y] + f[x + 1, y + 1]
        return [f, g]

    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
        s[0].compute_at(s[1], xo).gpu_threads(x, y)
        s[0].update(0).gpu_threads(x, y)
        s[0].update(1).gpu_threads(x)

    same_on_gpu(make, schedule, ((40, 35), (9, 5)))


def test_updates_inside_a_thread():
    def make():
        (f,) = convolution()
        g = hl.Func("reader")
        g[x, y] = f[x, y] + f[x + 1, y + 1]
        return [f, g]

    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
        s[0].compute_at(s[1], xi)

    same_on_gpu(make, schedule, ((40, 35), (9, 5)))


def test_reduction_loop_around_threads():
    r = hl.RDom([(0, 8)], "r")

    def make():
        f, g = hl.Func("sums"), hl.Func("reader")
        f[x] = x
        f[x] += r * x
        g[x] = f[x] + f[x + 3]
        return [f, g]

    def schedule(s):
        s[1].gpu_tile(x, xo, xi, 16)
        s[0].compute_at(s[1], xo).gpu_threads(x)
        s[0].update(0).reorder(x, r).gpu_threads(x)

    same_on_gpu(make, schedule, ((40,), (16,)))


def test_scan_by_doubling_meets_at_barriers():
    # Each step reads what other threads wrote in the step before.
    r = hl.RDom([(0, 16), (0, 4)], "r")

    def make():
        f, g, source = hl.Func("scan"), hl.Func("reader"), hl.Func("source")
        source[x] = x * x % 17
        f[x, y, i] = hl.select(i == 0, source[x + 16 * y], 0)
        step = hl.i32(1) << r.y
        before = f[hl.clamp(r.x - step, 0, 15), y, r.y]
        f[r.x, y, r.y + 1] = f[r.x, y, r.y] + hl.select(r.x >= step, before, 0)
        g[x, y] = f[x, y, 4]
        f.bound(x, 0, 16)
        return [f, g]

    def schedule(s):
        s[1].gpu_blocks(y).gpu_threads(x).bound(x, 0, 16)
        s[0].compute_at(s[1], y).gpu_threads(x)
        s[0].update(0).allow_race_conditions().gpu_threads(r.x)

    same_on_gpu(make, schedule, ((16, 5),))


def test_atomic_histogram():
    def schedule(s):
        s[0].gpu_tile(i, xo, xi, 64)
        s[0].update(0).atomic().gpu_tile(PIXELS.x, PIXELS.y, *rvars("ro po ri pi"), 8, 8)

    same_on_gpu(histogram, schedule, ((256,),))


def rvars(names):
    return [hl.RVar(name) for name in names.split()]


def test_atomic_float_sum():
    r = hl.RDom([(0, 1000)], "r")

    def make():
        f = hl.Func("sum")
        f[i] = hl.f32(0)
        f[i] += hl.f32(r % 7) * (i + 1)
        return [f]

    def schedule(s):
        ro, ri = rvars("ro ri")
        s[0].update(0).atomic().split(r, ro, ri, 50).gpu_blocks(ro).gpu_threads(ri)

    same_on_gpu(make, schedule, ((3,),))


@pytest.mark.parametrize("kind", [hl.UInt(8), hl.Int(8), hl.UInt(16), hl.Float(16), hl.Float(32)])
@pytest.mark.part(3)
def test_atomics_exchange_what_has_no_operation_of_its_own(kind):
    r = hl.RDom([(0, 60)], "r")

    def make():
        f = hl.Func("narrow")
        f[i] = hl.cast(kind, i - 3)
        f[i] = hl.max(f[i], hl.cast(kind, 1)) + hl.cast(kind, r % 5)
        return [f]

    def schedule(s):
        s[0].update(0).atomic(True).gpu_blocks(i).gpu_threads(r)

    # Neighbours share a word; sums do not depend on the order, once all are positive.
    same_on_gpu(make, schedule, ((7,),))


def test_atomics_of_narrow_types_in_local_memory():
    def make():
        f, g = hl.Func("counts"), hl.Func("reader")
        r = hl.RDom([(0, 32)], "r")
        f[i, y] = hl.u8(0)
        f[hl.Buffer(IMAGE)[r, y] % 5, y] += hl.u8(1)
        g[i, y] = f[i, y]
        return [f, g]

    def schedule(s):
        s[1].bound(i, 0, 5).gpu_blocks(y).gpu_threads(i)
        s[0].compute_at(s[1], y).gpu_threads(i)
        s[0].update(0).atomic().gpu_threads(s[0].rvars(0)[0])

    same_on_gpu(make, schedule, ((5, 4),))


def test_pairs_that_depend_on_each_other_are_refused_as_atomic_in_kernels_and_computed_by_rfactor():
    r = hl.RDom([(0, 41)], "r")

    def make():
        f, row = hl.Func("largest"), hl.Buffer(IMAGE[:1])
        f[()] = hl.u8(0), hl.i32(-1)
        f[()] = hl.max(f[()][0], row[r, 0]), hl.select(f[()][0] < row[r, 0], r, f[()][1])
        return [f]

    def schedule(s):
        ro, ri = rvars("ro ri")
        parts = s[0].update(0).split(r, ro, ri, 8).rfactor(ro, u).compute_root()
        parts.gpu_blocks(u)
        parts.update(0).gpu_blocks(u)

    (in_kernel,) = make()
    ro, ri = rvars("ro ri")
    in_kernel.update(0).atomic(True).split(r, ro, ri, 8).gpu_blocks(ro).gpu_threads(ri)
    with pytest.raises(hl.NotSupportedError, match="atomic is not supported .* largest(.|\n)*rfactor"):
        in_kernel.realize([], hl.Target("host-opencl"))
    same_on_gpu(make, schedule, ((),))


def test_partial_sums_by_rfactor():
    r = hl.RDom([(0, 40), (0, 37)], "r")

    def make():
        f = hl.Func("total")
        image = hl.Buffer(IMAGE)
        f[()] = 0
        f[()] += hl.i32(image[r.x, r.y])
        return [f]

    def schedule(s):
        ro, ri = rvars("ro ri")
        part = s[0].update(0).split(r.x, ro, ri, 8).rfactor([(ro, u), (r.y, v)])
        part.compute_root().gpu_tile(u, v, xo, yo, xi, yi, 4, 8)
        part.update(0).gpu_tile(u, v, xo, yo, xi, yi, 4, 8)

    same_on_gpu(make, schedule, ((),))


def test_partial_sums_over_the_threads_of_a_block():
    r = hl.RDom([(0, 32)], "r")

    def make():
        f, g = hl.Func("columns"), hl.Func("means")
        image = hl.Buffer(IMAGE)
        f[x] = 0
        f[x] += hl.i32(image[x, r])
        g[x] = f[x] / 32
        return [f, g]

    def schedule(s):
        ro, ri = rvars("ro ri")
        s[1].gpu_tile(x, xo, xi, 4)
        s[0].compute_at(s[1], xo).gpu_threads(x)
        part = s[0].update(0).split(r, ro, ri, 8).rfactor(ri, u)
        part.compute_at(s[1], xo).gpu_threads(u, x)
        part.update(0).reorder(u, x, ro).gpu_threads(u, x)
        s[0].update(0).gpu_threads(x)

    same_on_gpu(make, schedule, ((40,),))


@pytest.mark.parametrize("kind", [hl.Int(64), hl.UInt(64)])
def test_atomics_of_64_bits(kind):
    r = hl.RDom([(0, 100)], "r")

    def make():
        f = hl.Func("wide")
        f[i] = (hl.cast(kind, 1), hl.cast(kind, 0))
        f[i] = (f[i][0] + hl.cast(kind, r) * 100000 * 100000, hl.max(f[i][1], hl.cast(kind, (r * 37) % 101)))
        return [f]

    def schedule(s):
        ro, ri = rvars("ro ri")
        s[0].update(0).atomic().split(r, ro, ri, 10).gpu_blocks(ro).gpu_threads(ri)

    same_on_gpu(make, schedule, ((3,),))


@pytest.mark.slow
def test_updates_over_threads_of_rows_and_columns_by_turns():
    def make():
        f, g = hl.Func("flipped"), hl.Func("reader")
        f[x, y] = x + 100 * y
        for _ in range(2):
            rx, ry = hl.RDom([(0, 10)]), hl.RDom([(0, 8)])
            f[rx + 10, y] = f[9 - rx, y]
            f[rx, y] = f[rx + 10, y]
            f[x, ry + 8] = f[x, 7 - ry]
            f[x, ry] = f[x, ry + 8]
        g[x, y] = f[0, 0] + f[9, 7]
        return [f, g]

    def schedule(s):
        s[1].gpu_tile(x, y, *hl.vars("xo yo xi yi"), 16, 8)
        s[0].compute_at(s[1], hl.Var("xo"))
        for number in range(8):
            s[0].update(number).gpu_threads(y if number % 4 < 2 else x)

    same_on_gpu(make, schedule, ((20, 9),))
