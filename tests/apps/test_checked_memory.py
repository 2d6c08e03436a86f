"""Applications stay within their memory and use only what they wrote, under their hand schedules."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from apps.registry import APPS
from apps.run import run_app

# These take seconds each.
LONG = {"local_laplacian", "interpolate", "iir_blur", "stencil_chain", "lens_blur", "pyramid_blend", "nl_means", "fft"}


@pytest.mark.part(10)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in APPS]
)
def test_results_with_checks_are_those_of_the_reference(name: str) -> None:
    app = APPS[name]
    inputs = app.example(app.test_size)
    algorithm = app.build(hl)
    app.schedule(hl, algorithm)
    function = algorithm.output.compile_to_callable(algorithm.arguments(), hl.Target("host-checked"))
    got = run_app(function, app, inputs, app.empty_output(app.test_size))
    expected = app.reference(inputs, app.settings)
    np.testing.assert_allclose(got.astype("f8"), expected.astype("f8"), rtol=0, atol=app.tolerance)
