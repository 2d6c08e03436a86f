"""Which device runs kernels, and what is said where there is none or it refuses."""

import os
import subprocess
import sys

import numpy as np
import pytest

import pipec as hl
from pipec.errors import StrideError
from pipec.ir.program import DeviceCode, Kernel
from pipec.jit.objects import cache
from pipec.jit.opencl import device as opencl_device
from pipec.jit.runtime.device_program import DeviceProgram
from tests.gpu.gpu import TARGET

pytestmark = pytest.mark.opencl

x, xo, xi = hl.vars("x xo xi")

NO_DEVICE = """
import pipec as hl
x, xo, xi = hl.vars("x xo xi")
f = hl.Func("f")
f[x] = x
f.gpu_tile(x, xo, xi, 4)
try:
    f.realize([8], target=hl.Target("host-opencl"))
except hl.HalideError as error:
    print(type(error).__name__, error)
"""


def test_without_a_device_the_error_names_folders_and_a_remedy(tmp_path):
    driver = tmp_path / "none.icd"
    driver.write_text("no-such-driver.so")
    environment = {**os.environ, "OCL_ICD_VENDORS": str(driver), "PIPEC_CACHE": "0"}
    run = subprocess.run([sys.executable, "-c", NO_DEVICE], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("DeviceError Error: There is no OpenCL device.")
    assert str(tmp_path) in run.stdout and "/etc/OpenCL/vendors" in run.stdout
    assert "pip install pocl-binary-distribution" in run.stdout


def test_pipec_device_chooses(monkeypatch, device):
    monkeypatch.setenv("PIPEC_DEVICE", "0")
    assert opencl_device.open_device().handle == opencl_device.devices()[0]
    monkeypatch.setenv("PIPEC_DEVICE", device.handle.platform.name[:8].upper())
    assert opencl_device.open_device().handle == device.handle
    monkeypatch.setenv("PIPEC_DEVICE", "no such thing")
    with pytest.raises(hl.HalideError, match="asks for the device 'no such thing', but the OpenCL devices are:\n  0: "):
        opencl_device.open_device()


def test_a_target_names_one_of_several_devices(monkeypatch, device):
    monkeypatch.setattr(opencl_device, "devices", lambda: [device.handle, device.handle])
    first, second = [hl.Target(f"host-opencl-device_{number}") for number in (0, 1)]
    source = hl.ImageParam(hl.Int(32), 1, "source")
    f = hl.Func("f")
    f[x] = source[x] + 1
    f.gpu_tile(x, xo, xi, 4)
    current, there = hl.Buffer(np.arange(8, dtype=np.int32)), hl.Buffer(hl.Int(32), [8])
    source.set(current)
    current.copy_to_device(first)
    f.realize(there, target=second)
    assert current._device.pool.device is opencl_device.open_device("0") is not opencl_device.open_device("1")
    # What is on another device comes by way of the host.
    there.copy_to_device(second)
    source.set(there)
    for target in (first, second):
        assert np.asarray(f.realize([8], target=target)).tolist() == [i + 2 for i in range(8)]
    with pytest.raises(hl.HalideError, match="Target, asks for the device '2', but the OpenCL devices are"):
        f.realize([8], target=hl.Target("host-opencl-device_2"))


def test_a_failed_build_shows_the_lines(device):
    text = "__kernel void wrong(__global int *a) {\n    a[0] = 0;\n    a[1] = b;\n}\n"
    code = DeviceCode(text, (Kernel("wrong", "f", (), 0, (), (1, 1, 1), 0),))
    with pytest.raises(hl.HalideError, match=r"cannot compile the kernels(.|\n)*>    3     a\[1\] = b;(.|\n)*undecl"):
        DeviceProgram(code, device)


def test_too_many_threads_are_refused_before_the_launch(device):
    f = hl.Func("f")
    f[x] = x
    f.gpu_tile(x, xo, xi, 2 * device.limits.max_threads)
    with pytest.raises(hl.HalideError, match="kernel of Func f.* has .* threads a block .* allows"):
        f.realize([4 * device.limits.max_threads], target=TARGET)


def test_too_much_local_memory_is_refused_before_the_launch(device):
    f, g = hl.Func("f"), hl.Func("g")
    size = device.limits.local_bytes // 4 + 64
    f[x] = x
    g[x] = f[x] + f[x + 1]
    g.split(x, xo, xi, size).split(xi, xi, hl.Var("t"), 16).gpu_blocks(xo).gpu_threads(hl.Var("t"))
    f.compute_at(g, xo)
    with pytest.raises(hl.HalideError, match="kernel of Func g.* needs .* bytes of local memory"):
        g.realize([2 * size], target=TARGET)


def test_binaries_are_cached(device, monkeypatch, tmp_path):
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path / "cache"))
    text = "__kernel void kept(__global int *a) {\n    a[0] = 1;\n}\n"
    code = DeviceCode(text, (Kernel("kept", "f", (), 0, (), (1, 1, 1), 0),))
    stored = []
    plain = cache.store
    # PoCL does it itself.
    monkeypatch.setattr(device, "caches_binaries", False)
    monkeypatch.setattr(cache, "store", lambda key, body: (stored.append(key), plain(key, body)))
    DeviceProgram(code, device)
    DeviceProgram(code, device)
    assert len(stored) == 1


def test_a_pipeline_cached_on_disk_brings_its_kernels():
    def make():
        f = hl.Func("kept_on_disk")
        f[x] = x * 5
        return f.gpu_tile(x, xo, xi, 4)

    for _ in range(2):
        assert np.asarray(make().realize([8], target=TARGET)).tolist() == [5 * i for i in range(8)]


def test_files_cannot_hold_kernels(tmp_path):
    f = hl.Func("f")
    f[x] = x
    f.gpu_tile(x, xo, xi, 4)
    with pytest.raises(hl.NotSupportedError, match="cannot be written to files yet"):
        f.compile_to_object(str(tmp_path / "f.o"), [], "f", TARGET)


def test_a_negative_stride_is_an_error_of_strides():
    reversed_row = hl.Buffer(np.arange(8, dtype=np.int32)[::-1])
    f = hl.Func("f")
    f[x] = reversed_row[x]
    f.gpu_tile(x, xo, xi, 4)
    with pytest.raises(StrideError, match="negative stride, which kernels cannot follow: pass numpy"):
        f.realize([8], target=hl.Target(TARGET))
    with pytest.raises(StrideError, match="negative stride, which kernels cannot follow: use copy"):
        reversed_row.copy_to_device(hl.Target(TARGET))
