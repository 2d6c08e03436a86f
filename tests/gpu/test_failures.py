"""What is said when the device runs out of memory or is lost, by faults put into the driver."""

import ctypes

import numpy as np
import pyopencl as cl
import pytest

import pipec as hl
from pipec.errors import DeviceError, OutOfMemoryError
from pipec.jit.opencl import device as opencl_device
from pipec.jit.opencl.driver import driver_function
from pipec.jit.runtime.device_memory import pool_of
from tests.gpu.gpu import TARGET

pytestmark = pytest.mark.opencl

x, xo, xi = hl.vars("x xo xi")


def pipeline():
    f = hl.Func("f")
    f[x] = x * 2
    return f.gpu_tile(x, xo, xi, 8)


def failing(code):
    def call(*_, **__):
        raise cl.Error(cl._cl._ErrorRecord("injected", code, "clInjected"))

    return call


def assert_works(f):
    assert np.asarray(f.realize([16], target=TARGET)).tolist() == [2 * i for i in range(16)]


FULL, LOST = cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE, cl.status_code.OUT_OF_RESOURCES


@pytest.mark.parametrize(
    "call, code, error, text",
    [
        ("Buffer", FULL, OutOfMemoryError, r"buffer f\S* needs 4096 bytes; .* has \d+"),
        ("enqueue_copy", LOST, DeviceError, r"failed to copy f\S*, .*next call opens it anew"),
    ],
)
def test_what_a_driver_refuses_is_said_and_the_next_call_works(monkeypatch, call, code, error, text):
    f = pipeline()
    assert_works(f)
    pool_of(opencl_device.open_device()).clear()
    with monkeypatch.context() as patch:
        patch.setattr(cl, call, failing(code))
        with pytest.raises(error, match=text):
            f.realize([16], target=TARGET)
    assert_works(f)


@pytest.mark.parametrize(
    "name, code, error, text",
    [
        ("clEnqueueNDRangeKernel", FULL, OutOfMemoryError, "no room was left to run the kernel of Func f.*ALLOCATION"),
        ("clEnqueueNDRangeKernel", LOST, DeviceError, "failed to run the kernel of Func f.*OUT_OF.*next call opens it"),
        ("clSetKernelArg", LOST, DeviceError, "failed to run the kernel of Func f"),
    ],
)
def test_what_a_driver_refuses_of_a_launch_is_said_and_the_next_call_works(monkeypatch, name, code, error, text):
    arguments = {"clSetKernelArg": 4, "clEnqueueNDRangeKernel": 9}[name]
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_size_t] * arguments)
    real, codes = kind(driver_function(name)), [code]
    failing_once = kind(lambda *operands: codes.pop() if codes else real(*operands))
    member = {"clSetKernelArg": "set_argument", "clEnqueueNDRangeKernel": "enqueue"}[name]
    monkeypatch.setattr(opencl_device.open_device(), member, ctypes.cast(failing_once, ctypes.c_void_p).value)
    f = pipeline()
    with pytest.raises(error, match=text):
        f.realize([16], target=TARGET)
    assert_works(f)


def test_limits_of_a_smaller_device_are_held_before_the_launch(monkeypatch):
    device = opencl_device.open_device()
    f = pipeline()
    with monkeypatch.context() as patch:
        patch.setattr(device, "limits", device.limits._replace(max_threads=4))
        with pytest.raises(hl.ScheduleError, match=r"Func f has 8 threads a block \(8 x 1 x 1\), but .* allows 4, "):
            f.realize([16], target=TARGET)
    assert_works(f)
    with monkeypatch.context() as patch:
        patch.setattr(device, "limits", device.limits._replace(max_buffer_bytes=1 << 16))
        with pytest.raises(OutOfMemoryError, match=r"buffer f needs 131072 bytes; .* allows 65536 a buffer"):
            f.realize([1 << 15], target=TARGET)
    assert_works(f)


def test_groups_of_unknown_size_are_checked_at_run_time(monkeypatch):
    f = hl.Func("rows")
    f[x, xi] = x + xi
    f.gpu_blocks(xi).gpu_threads(x)
    device = opencl_device.open_device()
    monkeypatch.setattr(device, "limits", device.limits._replace(max_threads_per_axis=(16, 16, 16)))
    f.realize([16, 2], target=TARGET)
    with pytest.raises(hl.ScheduleError, match=r"Func rows has 20 threads a block .*in each dimension 16 x 16 x 16"):
        f.realize([20, 2], target=TARGET)


def test_kernels_that_need_many_registers_have_fewer_threads(monkeypatch):
    device = opencl_device.open_device()
    load = device.load

    def load_with_few_threads(code):
        kernels = load(code)
        for kernel in kernels:
            kernel.max_threads = 4
        return kernels

    monkeypatch.setattr(device, "load", load_with_few_threads)
    with pytest.raises(hl.ScheduleError, match=r"8 threads a block .* allows 4 as it needs many registers"):
        pipeline().realize([16], target=TARGET)
