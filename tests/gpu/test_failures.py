"""What is said when the device runs out of memory or is lost, by faults put into the driver."""

import numpy as np
import pyopencl as cl
import pytest

import pipec as hl
from pipec.errors import DeviceError, OutOfMemoryError
from pipec.jit import opencl_device
from pipec.jit.opencl_memory import pool_of
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
        ("enqueue_nd_range_kernel", FULL, OutOfMemoryError, "no room was left to run the kernel of Func f"),
        ("enqueue_nd_range_kernel", LOST, DeviceError, "failed to run the kernel of Func f: .*next call opens it"),
        ("enqueue_copy", LOST, DeviceError, r"failed to copy f\S*: .*next call opens it anew"),
    ],
)
def test_what_a_driver_refuses_is_said_and_the_next_call_works(monkeypatch, call, code, error, text):
    f = pipeline()
    assert_works(f)
    pool_of(opencl_device.device()).clear()
    with monkeypatch.context() as patch:
        patch.setattr(cl, call, failing(code))
        with pytest.raises(error, match=text):
            f.realize([16], target=TARGET)
    assert_works(f)
