"""The applications with their schedules for GPUs give the pixels of their references."""

from __future__ import annotations

import os

import numpy as np
import pytest

import pipec as hl
from apps import run
from apps.registry import APPS

# PoCL compiles the kernels of the other ones for many seconds: there they run only when PIPEC_SLOW is set.
QUICK = (
    "blur unsharp camera_pipe hist resize bilateral_grid nl_means median conv_layer harris box_blur iir_blur lens_blur"
).split()


@pytest.mark.part(3)
@pytest.mark.opencl
@pytest.mark.parametrize("name", APPS)
def test_gpu_schedules_give_the_pixels_of_the_reference(name: str, device) -> None:
    if name not in QUICK and "Portable" in device.name and not os.environ.get("PIPEC_SLOW"):
        pytest.skip("slow on PoCL: set PIPEC_SLOW=1")
    app = APPS[name]
    images = app.example(app.test_size)
    got = run.run_app(run.compile_for_gpu(hl, app), app, images, app.empty_output(app.test_size))
    expected = app.reference(images, app.settings)
    np.testing.assert_allclose(got.astype("f8"), expected.astype("f8"), rtol=0, atol=app.tolerance)
