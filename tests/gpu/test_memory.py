"""Data moves between host and device when it has to, and only then."""

import gc

import numpy as np
import pytest

import pipec as hl
from tests.gpu.gpu import TARGET

pytestmark = pytest.mark.opencl

x, y, xo, xi = hl.vars("x y xo xi")


@pytest.fixture
def copies(monkeypatch):
    """What is copied while a test runs: "up" and "down"."""
    from pipec.jit.runtime.device_memory import MirroredMemory

    result = []
    up, down = MirroredMemory.to_device, MirroredMemory.to_host

    def to_device(twin, *timing):
        result.append("up")
        up(twin, *timing)

    def to_host(twin, *timing):
        if twin.device_is_newer:
            result.append("down")
        down(twin, *timing)

    monkeypatch.setattr(MirroredMemory, "to_device", to_device)
    monkeypatch.setattr(MirroredMemory, "to_host", to_host)
    return result


def doubled(source, name="doubled"):
    f = hl.Func(name)
    f[x] = source[x] * 2
    return f.gpu_tile(x, xo, xi, 16)


def image(name="source"):
    return hl.ImageParam(hl.Int(32), 1, name)


def test_arrays_go_up_and_come_down_in_each_call(copies):
    source = image()
    f = doubled(source)
    for _ in range(2):
        source.set(hl.Buffer(np.arange(32, dtype=np.int32)))
        assert np.asarray(f.realize([32], target=TARGET)).tolist() == [2 * i for i in range(32)]
    assert copies == ["up", "down"] * 2


def test_intermediate_results_stay_on_the_device(copies):
    g = hl.Func("g")
    f = doubled(image_of(32)).compute_root()
    g[x] = f[x] + 1
    g.gpu_tile(x, xo, xi, 16)
    assert np.asarray(g.realize([32], target=TARGET)).tolist() == [2 * i + 1 for i in range(32)]
    assert copies == ["up", "down"]


def image_of(size):
    return hl.Buffer(np.arange(size, dtype=np.int32))


def test_what_kernels_and_the_cpu_take_turns_on_is_copied_once_each_time(copies):
    a, b, c, d = hl.funcs("a b c d")
    a[x] = image_of(34)[x] + 1
    b[x] = a[x] + a[x + 1]
    c[x] = a[x] * 2 + b[x]
    d[x] = b[x] + c[x]
    for func in (a, b, c):
        func.compute_root()
    # a in a kernel; b by the CPU, which needs a; c in a kernel, which needs b and still has a; d by the CPU.
    a.gpu_tile(x, xo, xi, 16)
    c.gpu_tile(x, xo, xi, 16)
    result = np.asarray(d.realize([32], target=TARGET))
    assert result.tolist() == [2 * (2 * i + 3) + 2 * (i + 1) for i in range(32)]
    assert copies == ["up", "down", "up", "down"]


def test_buffers_with_device_memory_stay_there(copies):
    source = image()
    f = doubled(source)
    first = image_of(32)
    second, third = hl.Buffer(hl.Int(32), [32]), hl.Buffer(hl.Int(32), [32])
    first.copy_to_device(TARGET)
    assert copies == ["up"] and first.has_device_allocation() and not first.host_dirty()
    second.device_malloc(hl.DeviceAPI.OpenCL)
    third.device_malloc(TARGET)
    source.set(first)
    f.realize(second, target=TARGET)
    source.set(second)
    f.realize(third, target=TARGET)
    assert copies == ["up"] and second.device_dirty() and third.device_dirty()
    assert np.asarray(third).tolist() == [4 * i for i in range(32)]
    assert copies == ["up", "down"] and not third.device_dirty()
    assert second[3] == 6


def test_who_has_seen_the_host_memory_may_change_it():
    source = image()
    f = doubled(source)
    buffer, out = image_of(32), hl.Buffer(hl.Int(32), [32])
    buffer.copy_to_device(TARGET)
    out.device_malloc(TARGET)
    source.set(buffer)
    array, results = np.asarray(buffer), np.asarray(out)
    for value in (7, 9):
        array[5] = value
        f.realize(out, target=TARGET)
        assert results[5] == 2 * value


def test_set_host_dirty_tells_of_changes():
    source = image()
    f = doubled(source)
    array = np.arange(32, dtype=np.int32)
    buffer = hl.Buffer(array)
    buffer.copy_to_device(TARGET)
    source.set(buffer)
    array[5] = 100
    buffer.set_host_dirty()
    assert np.asarray(f.realize([32], target=TARGET))[5] == 200


def test_pipelines_of_the_cpu_see_what_is_on_the_device():
    source = image()
    f, h = doubled(source), hl.Func("h")
    h[x] = source[x] + 1
    buffer = hl.Buffer(hl.Int(32), [32])
    for _ in range(3):
        buffer.device_malloc(TARGET)
        source.set(image_of(32))
        f.realize(buffer, target=TARGET)
        source.set(buffer)
        assert np.asarray(h.realize([32])).tolist() == [2 * i + 1 for i in range(32)]
        buffer.copy_to_device(TARGET)


def test_results_of_the_cpu_go_to_the_device():
    source = image()
    f, h = doubled(source), hl.Func("h")
    h[x] = x + 1
    buffer = hl.Buffer(hl.Int(32), [32])
    buffer.copy_to_device(TARGET)
    h.realize(buffer)
    source.set(buffer)
    assert np.asarray(f.realize([32], target=TARGET)).tolist() == [2 * i + 2 for i in range(32)]


def test_device_memory_can_be_released():
    buffer = image_of(32)
    buffer.copy_to_device(TARGET)
    assert buffer.device_free() == 0 and not buffer.has_device_allocation()
    assert buffer.copy_to_host() == 0 and buffer.device_sync() == 0
    with pytest.raises(hl.HalideError, match="no device memory"):
        buffer.set_device_dirty()
    with pytest.raises(hl.HalideError, match="has no GPU feature"):
        buffer.copy_to_device(hl.Target("host"))


def test_gaps_of_outputs_are_not_touched():
    f = hl.Func("f")
    f[x, y] = x + y
    f.gpu_tile(x, y, xo, hl.Var("yo"), xi, hl.Var("yi"), 4, 4)
    whole = np.full((8, 20), -1, np.int32)
    f.realize(hl.Buffer(whole[:, 3:11]), target=TARGET)
    rows, columns = np.mgrid[0:8, 0:8]
    assert (whole[:, 3:11] == rows + columns).all()
    assert (whole[:, :3] == -1).all() and (whole[:, 11:] == -1).all()


def test_memory_is_used_again():
    from pipec.jit.opencl.device import open_device
    from pipec.jit.runtime.device_memory import pool_of

    f = doubled(image_of(32))
    f.realize([32], target=TARGET)
    gc.collect()
    before = pool_of(open_device()).free_bytes
    for _ in range(5):
        f.realize([32], target=TARGET)
    assert pool_of(open_device()).free_bytes == before


@pytest.mark.parametrize("side", ["producer", "consumer", "both"])
@pytest.mark.parametrize("updates", [0, 1])
@pytest.mark.part(3)
def test_threads_that_wait_for_each_other_see_what_kernels_have_written(side, updates, device):
    f, g, outer, inner = hl.Func("f"), hl.Func("g"), hl.Var("outer"), hl.Var("inner")
    f[x, y] = x + y * 10
    if updates:
        f[x, y] = f[x, y] * 3
    g[x, y] = f[x, y] + f[x + 1, y]
    if side != "consumer":
        (f.update(0) if updates else f).gpu_tile(x, outer, inner, 4)
    if side != "producer":
        g.gpu_tile(x, outer, inner, 4)
    f.compute_root().async_()
    row, column = np.mgrid[:3, :9]
    expected = (2 * column + 1 + 20 * row) * (3 if updates else 1)
    for _ in range(5):
        np.testing.assert_array_equal(g.realize([9, 3], TARGET), expected)
