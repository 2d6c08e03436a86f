"""Profiles tell how long the device was busy with each kernel and with copies."""

import numpy as np
import pytest

import pipec as hl

pytestmark = pytest.mark.opencl

x, xo, xi = hl.vars("x xo xi")
TARGET = hl.Target("host-opencl-profile")


def test_kernels_and_copies_are_timed_by_the_device():
    f, g, h, reports = hl.Func("first"), hl.Func("second"), hl.Func("third"), []
    f[x] = hl.Buffer(np.arange(64, dtype=np.int32))[x] * 2
    g[x] = f[x] + 1
    h[x] = g[x] - 1
    f.compute_root().gpu_tile(x, xo, xi, 16)
    g.compute_root().gpu_tile(x, xo, xi, 16)
    h.set_custom_print(reports.append)
    for _ in range(2):
        assert np.asarray(h.realize([64], target=TARGET)).tolist() == [2 * i for i in range(64)]
    result = h.jit_statistics(TARGET).profile.device
    assert [(kernel.func, kernel.launches) for kernel in result.kernels] == [("first", 2), ("second", 2)]
    assert (result.to_device.count, result.to_device.bytes) == (2, 512)
    assert (result.to_host.count, result.to_host.bytes) == (2, 512)
    assert 0 < result.seconds < 10 and result.to_host.seconds > 0
    assert "    first_s0: " in reports[0] and "launches: 1" in reports[0] and " copies to the device: " in reports[0]


def test_more_launches_than_events_are_held_at_once(monkeypatch):
    from pipec.jit.runtime import device_run

    monkeypatch.setattr(device_run, "_EVENTS", 4)
    f, g, y = hl.Func("row"), hl.Func("all"), hl.Var("y")
    f[x, y] = x + y
    g[x, y] = f[x, y] * 2
    f.compute_at(g, y).gpu_tile(x, xo, xi, 16)
    g.set_custom_print(lambda text: None)
    g.realize([16, 11], target=TARGET)
    (kernel,) = g.jit_statistics(TARGET).profile.device.kernels
    assert kernel.launches == 11
