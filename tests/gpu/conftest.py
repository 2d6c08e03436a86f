"""Tests of kernels run on PoCL, or on the device that PIPEC_DEVICE names."""

from __future__ import annotations

import os
import tempfile

import pytest

from tests.gpu.pocl import name_processors

# PoCL keeps what it compiled: much of the time of these tests.
os.environ.setdefault("POCL_CACHE_DIR", os.path.join(tempfile.gettempdir(), "pipec-test-pocl"))


@pytest.fixture(scope="session", autouse=True)
def device():
    """The device of the tests."""
    from pipec.jit.opencl.device import open_device

    name_processors()
    return open_device()
