"""Tests of kernels run on PoCL, or on the device that PIPEC_DEVICE names."""

from __future__ import annotations

import os
import tempfile

import pytest

# PoCL keeps what it compiled: much of the time of these tests.
os.environ.setdefault("POCL_CACHE_DIR", os.path.join(tempfile.gettempdir(), "pipec-test-pocl"))


@pytest.fixture(scope="session", autouse=True)
def device():
    """The device of the tests."""
    from pipec.jit.opencl import device as opencl_device
    from tests.gpu.pocl import name_processor

    for handle in opencl_device.devices():
        name_processor(handle)
    return opencl_device.open_device()
