"""Launches from several threads, in loops of the host, and without buffers of their own."""

import itertools
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pipec as hl
from pipec.jit.runtime.device_memory import rounded
from pipec.jit.runtime.python_call_layout import LayoutHead
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
        result = f.realize([8], target=TARGET)
        for number, values in enumerate(result):
            assert np.asarray(values).tolist() == [(value + number) * i for i in range(8)]


def quick_table(callable_):
    """What the fast call of a Callable counts."""
    callable_.fast_call()
    [(table, _)] = callable_._run.compiled._fast_call.values()
    return table


def on_device(values):
    buffer = hl.Buffer(np.asarray(values, np.int32))
    buffer.copy_to_device(TARGET)
    return buffer


def summed(stages=2):
    """A Callable of so many kernels, each of which adds neighbours; what lies between needs memory of the device."""
    source = hl.ImageParam(hl.Int(32), 1, "source")
    funcs = [source, *hl.funcs(" ".join([f"summed{number}" for number in range(stages)]))]
    for before, func in itertools.pairwise(funcs):
        func[x] = before[x] + before[x + 1]
        func.compute_root().gpu_tile(x, xo, xi, 8)
    return funcs[-1].compile_to_callable([source], TARGET)


def test_calls_whose_buffers_are_on_the_device_need_no_python():
    run, out = summed(), hl.Buffer(hl.Int(32), [16])
    out.device_malloc(TARGET)
    table, source = quick_table(run), on_device(np.arange(18))
    for number in range(3):
        run(source, out)
        assert table.calls == number, "the first call has to find out where the Buffers are"
    assert np.asarray(out).tolist() == [4 * i + 4 for i in range(16)]


def test_quick_calls_of_several_threads_do_not_mix():
    run = summed()
    table = quick_table(run)

    def calls(first):
        source, out = on_device(np.arange(18) + first), hl.Buffer(hl.Int(32), [16])
        out.device_malloc(TARGET)
        for _ in range(50):
            run(source, out)
        return np.asarray(out).tolist() == [4 * (i + first) + 4 for i in range(16)]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(calls, range(4)))
    assert table.calls > 100


def test_a_quick_call_that_cannot_go_on_gives_its_memory_back():
    from pipec.jit.opencl.device import open_device
    from pipec.jit.runtime.device_memory import pool_of

    # Of two intermediate results there is memory for one.
    run, pool = summed(3), pool_of(open_device())
    table, source, out = quick_table(run), on_device(np.arange(11)), hl.Buffer(hl.Int(32), [8])
    out.device_malloc(TARGET)
    for number in range(3):
        pool.clear()
        if number:
            pool.give(pool.take(1, "test"), 1)
        run(source, out)
        assert table.numbers[LayoutHead.UNFINISHED] == number and table.calls == 0
        assert pool.free_bytes == 2 * rounded(1)
    assert np.asarray(out).tolist() == [8 * i + 12 for i in range(8)]


def test_quick_calls_leave_what_must_be_copied_to_the_longer_way():
    run, out = summed(), hl.Buffer(hl.Int(32), [8])
    table, source = quick_table(run), on_device(np.zeros(10))
    out.device_malloc(TARGET)
    for _ in range(2):
        run(source, out)
    assert table.calls == 1
    source[3] = 5
    source.set_host_dirty()
    run(source, out)
    assert np.asarray(out).tolist() == [0, 5, 10, 5, 0, 0, 0, 0] and table.calls == 1
    run(np.arange(10, dtype=np.int32), out)
    results = np.asarray(out)
    run(on_device(np.arange(10) + 1), out)
    assert results.tolist() == [4 * i + 8 for i in range(8)], "whoever has looked sees later results at once"


def test_a_device_that_failed_has_no_quick_calls():
    run, out = summed(), hl.Buffer(hl.Int(32), [8])
    table, source = quick_table(run), on_device(np.arange(10))
    out.device_malloc(TARGET)
    run(source, out)
    [program] = [item for item in table.keep if item is run._run.compiled._code.kernels()]
    program.device.is_open.value = 0
    try:
        run(source, out)
    finally:
        program.device.is_open.value = 1
    assert table.calls == 0 and np.asarray(out).tolist() == [4 * i + 4 for i in range(8)]


def test_children_of_the_process_do_not_use_its_device():
    from pipec.jit.opencl.device import open_device

    is_open = open_device().is_open
    assert is_open.value
    child = os.fork()
    if child == 0:
        os._exit(is_open.value)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
