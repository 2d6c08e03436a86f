"""A device API is one folder: pipelines run through the interface of pipec/jit/device.py on a device made for tests."""

import shutil

import numpy as np
import pytest

import pipec as hl
from pipec.errors import DeviceError, OutOfMemoryError
from pipec.jit import device as device_module
from pipec.jit.runtime.device_memory import pool_of
from tests.jit.fake_device.device import LOST, OUT_OF_MEMORY, open_device

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")

TARGET = hl.Target("host-opencl")
x, y, xo, xi = hl.vars("x y xo xi")


@pytest.fixture(autouse=True)
def device(monkeypatch):
    """The fake device in the place of OpenCL's."""
    monkeypatch.setitem(device_module.APIS, hl.TargetFeature.OpenCL, "tests.jit.fake_device")
    open_device().close()
    return open_device()


def stages():
    """Two kernels with a Param; the first one's result stays on the device."""
    factor = hl.Param(hl.Float(32), "factor", 1.5)
    source = hl.Buffer(np.arange(24, dtype=np.int32).reshape(3, 8))
    f, g = hl.funcs("first second")
    f[x, y] = source[x, y] * factor
    g[x, y] = f[x, y] + y
    f.compute_root().gpu_tile(x, xo, xi, 4)
    g.gpu_tile(x, xo, xi, 4)
    return g


EXPECTED = np.arange(24).reshape(3, 8) * 1.5 + np.arange(3)[:, None]


def test_a_pipeline_runs_on_any_device(device):
    result = np.asarray(stages().realize([8, 3], target=TARGET))
    np.testing.assert_array_equal(result, EXPECTED)
    assert device.commands == ["write", *["launch first"] * 3, *["launch second"] * 3, "read"]
    pool_of(device).clear()
    assert not device.memory


def test_buffers_stay_on_the_device(device):
    source, f = hl.ImageParam(hl.Int(32), 1, "source"), hl.Func("f")
    f[x] = source[x] * 2
    f.gpu_tile(x, xo, xi, 4)
    run = f.compile_to_callable([source], TARGET)
    image, result = hl.Buffer(np.arange(8, dtype=np.int32)), hl.Buffer(hl.Int(32), [8])
    image.copy_to_device(TARGET)
    result.device_malloc(TARGET)
    for _ in range(3):
        run(image, result)
    assert device.commands == ["write", *["launch f"] * 3] and result.device_dirty()
    assert np.asarray(result).tolist() == [2 * i for i in range(8)]


def test_times_are_those_of_the_device(device):
    g = stages()
    g.set_custom_print(lambda text: None)
    target = hl.Target("host-opencl-profile")
    g.realize([8, 3], target=target)
    profile = g.jit_statistics(target).profile.device
    assert [(kernel.func, kernel.launches, kernel.seconds) for kernel in profile.kernels] == [
        ("first", 3, 0.375),
        ("second", 3, 0.375),
    ]
    assert (profile.to_device.seconds, profile.to_host.seconds) == (0.5, 0.25)


@pytest.mark.parametrize("status, error", [(OUT_OF_MEMORY, OutOfMemoryError), (LOST, DeviceError)])
def test_a_refused_launch_is_an_error_and_the_next_call_works(device, status, error):
    g = stages()
    device.faults.append(status)
    with pytest.raises(error, match=f"run the kernel of Func first: status {status}"):
        g.realize([8, 3], target=TARGET)
    np.testing.assert_array_equal(np.asarray(g.realize([8, 3], target=TARGET)), EXPECTED)
    assert (open_device() is device) == (status == OUT_OF_MEMORY)


def test_limits_are_those_of_the_device():
    f = hl.Func("f")
    f[x] = x
    f.gpu_tile(x, xo, xi, 128)
    with pytest.raises(hl.ScheduleError, match="Func f has 128 threads a block .* but fake allows 64"):
        f.realize([256], target=TARGET)
    g = hl.Func("g")
    g[x] = x
    g.gpu_tile(x, xo, xi, 8)
    with pytest.raises(OutOfMemoryError, match=r"buffer g needs 131072 bytes; fake has 1048576 and allows 65536"):
        g.realize([1 << 15], target=TARGET)
