"""Where stages are computed and stored on a GPU changes no pixel."""

import numpy as np
import pytest

import pipec as hl
from tests.gpu.gpu import TARGET, kernel_text, realized, same_on_gpu

pytestmark = pytest.mark.opencl

x, y, c, k, xo, yo, xi, yi, xii, yii, co = hl.vars("x y c k xo yo xi yi xii yii co")
SIZES = ((40, 35), (16, 16), (17, 5), (33, 64))
IMAGE = np.random.default_rng(7).integers(0, 1000, (70, 80)).astype(np.uint16)


def pointwise():
    f = hl.Func("pointwise")
    f[x, y] = x * 3 - y * y
    return [f]


def blur():
    e = hl.BoundaryConditions.repeat_edge(hl.Buffer(IMAGE))
    g, f = hl.Func("rows"), hl.Func("columns")
    g[x, y] = e[x - 1, y] + e[x, y] * 2 + e[x + 1, y]
    f[x, y] = g[x, y - 1] + g[x, y] + g[x, y + 1] + hl.u16(x)
    return [g, f]


def test_pointwise_tiles():
    same_on_gpu(pointwise, lambda s: s[0].gpu_tile(x, y, xo, yo, xi, yi, 16, 8), SIZES[1:])


def test_tiles_with_guards():
    tail = hl.TailStrategy.GuardWithIf
    same_on_gpu(pointwise, lambda s: s[0].gpu_tile(x, y, xo, yo, xi, yi, 16, 8, tail), ((1, 1), (5, 40), (17, 9)))


def test_blocks_without_threads():
    same_on_gpu(pointwise, lambda s: s[0].gpu_blocks(x, y), ((5, 3), (1, 1)))


def test_threads_of_unknown_extent():
    same_on_gpu(pointwise, lambda s: s[0].gpu_blocks(y).gpu_threads(x), ((5, 3), (700, 2), (1, 1)))


def test_one_dimension():
    same_on_gpu(pointwise, lambda s: s[0].fuse(x, y, k).gpu_tile(k, xo, xi, 32), SIZES)


def test_shared_tile():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 16, 16)
        s[0].compute_at(s[1], xo).gpu_threads(x, y)

    same_on_gpu(blur, schedule, SIZES)


def test_shared_tile_filled_by_the_first_thread():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
        s[0].compute_at(s[1], xo)

    same_on_gpu(blur, schedule)


def test_per_thread_storage():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 16, 4)
        s[0].compute_at(s[1], xi)

    same_on_gpu(blur, schedule, SIZES)


def test_serial_loop_inside_threads():
    def schedule(s):
        s[1].tile(x, y, xo, yo, xi, yi, 16, 16).split(yi, yi, yii, 4).reorder(yii, xi, yi, xo, yo)
        s[1].gpu_blocks(xo, yo).gpu_threads(xi, yi)
        s[0].compute_at(s[1], yii)

    same_on_gpu(blur, schedule, SIZES)


def test_storage_of_a_row_of_threads():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 16, 4)
        s[0].compute_at(s[1], yi).gpu_threads(x)

    same_on_gpu(blur, schedule, SIZES)


def test_serial_loop_around_threads():
    def schedule(s):
        s[1].tile(x, y, xo, yo, xi, yi, 16, 16).reorder(xi, yi, xo, yo).gpu_blocks(xo, yo).gpu_threads(xi)
        s[0].compute_at(s[1], yi).gpu_threads(x)

    same_on_gpu(blur, schedule, SIZES)


def test_two_kernels():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 16, 16)
        s[0].compute_root().gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    same_on_gpu(blur, schedule, SIZES)


def test_producer_on_the_cpu():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 16, 16)
        s[0].compute_root().vectorize(x, 8).parallel(y)

    same_on_gpu(blur, schedule, SIZES)


def test_consumer_on_the_cpu():
    def schedule(s):
        s[1].vectorize(x, 8)
        s[0].compute_root().gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    same_on_gpu(blur, schedule, SIZES)


def test_a_kernel_for_each_strip():
    def schedule(s):
        s[1].split(y, yo, yi, 8).vectorize(x, 8)
        s[0].compute_at(s[1], yo).gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    same_on_gpu(blur, schedule, SIZES)


def test_vectors_in_threads():
    def schedule(s):
        s[1].tile(x, y, xo, yo, xi, yi, 32, 8).vectorize(xi, 4).gpu_blocks(xo, yo).gpu_threads(xi, yi)
        s[0].compute_at(s[1], xo).split(x, x, xi, 2).vectorize(xi).gpu_threads(x, y)

    same_on_gpu(blur, schedule, ((40, 35), (64, 32)))


def test_unrolled_loops_in_threads():
    def schedule(s):
        s[1].tile(x, y, xo, yo, xi, yi, 32, 8).unroll(xi, 2).gpu_blocks(xo, yo).gpu_threads(xi, yi)
        s[0].compute_at(s[1], xo).gpu_threads(x, y)

    same_on_gpu(blur, schedule, ((40, 35), (64, 32)))


def test_four_dimensions():
    def make():
        f, g = hl.Func("four"), hl.Func("next")
        f[x, y, c, k] = x + 10 * y + 100 * c + 1000 * k
        g[x, y, c, k] = f[x, y, c, k] + f[x + 1, y, c + 1, k]
        return [f, g]

    def schedule(s):
        s[0].compute_root().gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
        s[1].fuse(c, k, co).gpu_tile(x, y, co, xo, yo, k, xi, yi, c, 8, 4, 2)

    same_on_gpu(make, schedule, ((9, 8, 3, 4), (1, 1, 1, 1)))


def test_registers_of_lanes():
    def schedule(s):
        s[1].split(x, xo, xi, 32).gpu_blocks(xo, y).gpu_lanes(xi)
        s[0].compute_at(s[1], xi).store_in(hl.MemoryType.Register)

    same_on_gpu(blur, schedule, ((40, 9),))


def test_local_memory_for_each_thread():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 16, 4)
        s[0].compute_at(s[1], xi).store_in(hl.MemoryType.GPUShared)

    same_on_gpu(blur, schedule)


@pytest.mark.parametrize("memory", [hl.MemoryType.Register, hl.MemoryType.Stack])
def test_what_threads_share_is_not_private(memory):
    g, f = blur()
    f.gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
    g.compute_at(f, xo).gpu_threads(x, y).store_in(memory)
    with pytest.raises(hl.NotSupportedError, match=f"rows is stored in blocks .* MemoryType.{memory.name} does not"):
        f.realize([16, 16], target=TARGET)


def test_a_part_of_global_memory_for_each_block():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 16, 4)
        s[0].compute_at(s[1], xo).gpu_threads(x, y).store_in(hl.MemoryType.Heap)

    same_on_gpu(blur, schedule, SIZES[:2])
    (g, f) = blur()
    schedule((g, f))
    text = kernel_text(f)
    assert "rows_of_all + (get_group_id(0) + get_num_groups(0) * " in text and "GLOBAL_MEM_FENCE" in text


def test_a_part_of_global_memory_for_each_thread():
    def schedule(s):
        s[1].gpu_blocks(y).gpu_threads(x)
        s[0].compute_at(s[1], x).store_in(hl.MemoryType.Heap)

    same_on_gpu(blur, schedule, ((40, 35),))


@pytest.mark.parametrize("in_threads", [True, False])
@pytest.mark.part(2)
def test_storage_of_a_size_that_a_param_gives_is_global_memory(in_threads):
    slices = hl.Param(hl.Int(32), "slices")
    r = hl.RDom([(0, 3 * slices + 1)])
    f, g = hl.funcs("f g")
    f[x, y] = x + y
    g[x, y] = hl.sum(f[x, r]) + slices
    g.gpu_tile(x, y, xi, yi, 16, 16)
    f.compute_at(g, xi if in_threads else x)
    if not in_threads:
        f.gpu_threads(x, y)
    for count in (2, 0, 5):
        slices.set(count)
        rows = 3 * count + 1
        column = np.arange(40) * rows + rows * (rows - 1) // 2 + count
        np.testing.assert_array_equal(g.realize([40, 33], target=TARGET), np.broadcast_to(column, (33, 40)))


@pytest.mark.parametrize("memory", [hl.MemoryType.Register, hl.MemoryType.Stack])
def test_what_threads_of_other_rows_read_is_not_private(memory):
    # Only the threads of one row would store g, but those of all rows read it.
    g, f = hl.funcs("g f")
    g[x] = x
    f[x, y] = g[x]
    f.gpu_tile(x, y, x, y, xi, yi, 16, 16)
    g.compute_at(f, x).store_in(memory).gpu_threads(x)
    with pytest.raises(hl.NotSupportedError, match="g is stored in blocks of a GPU and so shared by their threads"):
        f.compile_jit(TARGET)


@pytest.mark.parametrize("staging", ["none", "a Func", "a wrapper"])
@pytest.mark.part(2)
def test_staged_tiles_of_a_chain_of_stencils(staging):
    host, staged = hl.funcs("host staged")
    host[x, y] = x * 3 - y
    staged[x, y] = host[x, y]
    source = host if staging == "a wrapper" else staged
    stages = []
    for number in range(3):
        before = stages[-1][x, y] if stages else hl.Expr(0)
        here = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        taps = [source[hl.select(before > 0, x, x + dx), hl.select(before > 0, y, y + dy)] for dx, dy in here]
        stages.append(hl.Func(f"stage{number}"))
        stages[-1][x, y] = before + sum(taps[1:], taps[0])
    host.compute_root()
    expected = np.array(stages[-1].realize([30, 21]))
    for func in stages[:-1]:
        func.compute_at(stages[-1], xo).gpu_threads(x, y)
    stages[-1].gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
    if staging != "none":
        tile = host.in_() if staging == "a wrapper" else staged
        tile.compute_at(stages[-1], xo).unroll(x, 2).unroll(y, 2).gpu_threads(x, y)
    np.testing.assert_array_equal(stages[-1].realize([30, 21], target=TARGET), expected)


def test_global_memory_of_a_block_may_be_of_any_size():
    def schedule(s):
        s[1].gpu_blocks(y).gpu_threads(x)
        s[0].compute_at(s[1], y).gpu_threads(x).store_in(hl.MemoryType.Heap)

    same_on_gpu(blur, schedule, ((40, 3), (700, 2)))


def test_memoized_results_of_kernels():
    g, f = blur()
    g.compute_root().memoize().gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
    f.gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
    (want,) = realized(blur()[1], (20, 20))
    for _ in range(3):
        np.testing.assert_array_equal(np.asarray(f.realize([20, 20], target=TARGET)), want)


def test_kernels_in_threads_of_their_own():
    def schedule(s):
        s[1].gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
        s[0].compute_root().async_().gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    same_on_gpu(blur, schedule)


def test_kernels_in_parallel_loops_of_the_host():
    def schedule(s):
        s[1].split(y, yo, yi, 8).parallel(yo).vectorize(x, 8)
        s[0].compute_at(s[1], yo).gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    same_on_gpu(blur, schedule, ((40, 64),))


def test_versions_with_and_without_kernels():
    def schedule(s):
        s[1].specialize(s[1].output_buffer().width() > 20).gpu_tile(x, y, xo, yo, xi, yi, 8, 8)
        s[0].compute_root().gpu_tile(x, y, xo, yo, xi, yi, 8, 8)

    same_on_gpu(blur, schedule, ((40, 20), (16, 16)))


def test_what_kernels_cannot_do_is_said():
    f = hl.Func("talks")
    f[x] = hl.print(x, "seen")
    f.gpu_blocks(x)
    with pytest.raises(hl.NotSupportedError, match="GPU kernel can't check, print, trace or call C functions"):
        f.realize([4], target=TARGET)


def test_reductions_of_reductions_inside_of_a_kernel():
    def make():
        source, g, f, out = hl.funcs("source across down out")
        rh, rv = hl.RDom([(1, 3)], "rh"), hl.RDom([(1, 3)], "rv")
        source[x, y] = hl.i16((x * 7 + y * 13) % 100)
        g[x, y] = hl.i32(source[x, y])
        g[x, y] += hl.i32(source[x - rh.x, y]) + hl.i32(source[x + rh.x, y])
        f[x, y] = g[x, y]
        f[x, y] += g[x, y - rv.x] + g[x, y + rv.x]
        out[x, y] = hl.i16(f[x, y] >> 4)
        return [out]

    same_on_gpu(make, lambda s: s[0].gpu_tile(x, y, xo, yo, xi, yi, 8, 8, hl.TailStrategy.GuardWithIf), ((17, 9),))


def test_a_transposition_by_tiles_of_tiles():
    def make():
        source, out = hl.funcs("source out")
        source[x, y] = hl.u8(x * 17 + y)
        out[x, y] = source[y, x]
        return [source, out]

    def schedule(s):
        tile, part = hl.vars("tile part")
        s[1].tile(x, y, xo, yo, xi, yi, 16, 16).fuse(xo, yo, tile)
        s[1].tile(xi, yi, xo, yo, xii, yii, 8, 8).fuse(xo, yo, part).gpu_blocks(part, tile).gpu_threads(xii, yii)
        s[0].compute_at(s[1], part).gpu_threads(x, y)

    same_on_gpu(make, schedule, ((32, 32),))
