"""The applications with their schedules for GPUs give the pixels of their references."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from apps import run
from apps.registry import APPS

# The other ones have kernels that PoCL compiles for many seconds.
QUICK = ("blur", "unsharp", "bilateral_grid", "median", "conv_layer", "resize")


CASES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in APPS]


@pytest.mark.opencl
@pytest.mark.parametrize("name", CASES)
def test_gpu_schedules_give_the_pixels_of_the_reference(name: str) -> None:
    app = APPS[name]
    images = app.example(app.test_size)
    got = run.run_app(run.compile_for_gpu(hl, app), app, images, app.empty_output(app.test_size))
    wanted = app.reference(images, app.settings)
    np.testing.assert_allclose(got.astype("f8"), wanted.astype("f8"), rtol=0, atol=app.tolerance)
