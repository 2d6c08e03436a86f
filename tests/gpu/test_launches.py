"""Launches from several threads, in loops of the host, and without buffers of their own."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pipec as hl
from tests.gpu.gpu import TARGET

pytestmark = pytest.mark.opencl

x, y, xo, xi = hl.vars("x y xo xi")


def chain(length):
    """Stages one after the other; each adds its number, and the parameter."""
    add = hl.Param(hl.Int(32), "add")
    stages = [hl.Func(f"stage{number}") for number in range(length)]
    stages[0][x] = x + add
    for number in range(1, length):
        stages[number][x] = stages[number - 1][x] + number + add
    for stage in stages:
        stage.compute_root().gpu_tile(x, xo, xi, 8)
    return add, stages[-1]


def test_threads_that_call_one_pipeline_do_not_mix_their_arguments():
    add, last = chain(4)
    run = last.compile_to_callable([add], TARGET)

    def call(value):
        out = np.empty(48, np.int32)
        run(value, out)
        return out.tolist() == [i + 6 + 4 * value for i in range(48)]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(60)))


def test_threads_of_the_host_launch_kernels_of_one_run():
    f, g = hl.Func("row"), hl.Func("rows")
    f[x, y] = x * 3 + y
    g[x, y] = f[x, y] + f[x + 1, y]
    g.parallel(y)
    f.compute_at(g, y).gpu_tile(x, xo, xi, 8)
    rows, columns = np.mgrid[0:40, 0:24]
    for _ in range(3):
        np.testing.assert_array_equal(np.asarray(g.realize([24, 40], target=TARGET)), 6 * columns + 3 + 2 * rows)


def test_a_call_on_memory_of_the_device_is_not_waited_for():
    add, last = chain(2)
    run, out = last.compile_to_callable([add], TARGET), hl.Buffer(hl.Int(32), [48])
    out.device_malloc(TARGET)
    for value in range(3):
        run(value, out)
        assert out.device_dirty()
    assert np.asarray(out).tolist() == [i + 1 + 4 for i in range(48)]


def test_an_empty_grid_launches_nothing():
    f, g = hl.Func("inner"), hl.Func("outer")
    count = hl.Param(hl.Int(32), "count", 0)
    r = hl.RDom([(0, count)], "r")
    f[x] = x
    f[r] += 1
    g[x] = f[x]
    f.compute_root()
    f.update(0).gpu_blocks(r)
    assert np.asarray(g.realize([4], target=TARGET)).tolist() == [0, 1, 2, 3]
    count.set(2)
    assert np.asarray(g.realize([4], target=TARGET)).tolist() == [1, 2, 2, 3]


def test_numbers_of_all_sizes_reach_kernels_anew_when_they_change():
    kinds = hl.Float(32), hl.Float(64), hl.Int(8), hl.UInt(16), hl.Int(64), hl.Float(16)
    factors = [hl.Param(kind, f"factor{number}") for number, kind in enumerate(kinds)]
    f = hl.Func("scaled")
    f[x] = tuple(hl.f64(factor) * x for factor in factors)
    f.gpu_tile(x, xo, xi, 4)
    for value in (3, 3, 5):
        for number, factor in enumerate(factors):
            factor.set(value + number)
        found = f.realize([8], target=TARGET)
        for number, values in enumerate(found):
            assert np.asarray(values).tolist() == [(value + number) * i for i in range(8)]
