"""Every application gives the same pixels by pipec, by its reference and by the halide wheel."""

from __future__ import annotations

import os
from functools import cache

import numpy as np
import pytest

from apps import run
from apps.app import App, Array
from apps.registry import APPS
from pipec.func.functions.names import local_names

pytestmark = pytest.mark.parametrize("name", APPS)
# The wheel compiles these for many seconds.
LONG_ON_THE_WHEEL = {"fft", "local_laplacian", "stencil_chain", "interpolate", "pyramid_blend"}


@cache
def example(name: str) -> dict[str, Array]:
    return APPS[name].example(APPS[name].test_size)


def result(module: str, app: App) -> Array:
    with local_names():
        function, _ = run.compile_app(run.front_end(module), app)
    return run.run_app(function, app, example(app.name), app.empty_output(app.test_size))


def assert_same(app: App, got: Array, desired: Array) -> None:
    assert got.shape == desired.shape and got.dtype == desired.dtype
    np.testing.assert_allclose(got.astype("f8"), desired.astype("f8"), rtol=0, atol=app.tolerance)


@pytest.mark.part(6)
def test_hand_schedule_matches_reference(name: str) -> None:
    app = APPS[name]
    assert_same(app, result("pipec", app), app.reference(example(name), app.settings))


@pytest.mark.part(6)
def test_wheel_matches_reference(name: str) -> None:
    if name in LONG_ON_THE_WHEEL and not os.environ.get("PIPEC_SLOW"):
        pytest.skip("takes long: set PIPEC_SLOW=1")
    app = APPS[name]
    assert_same(app, result("halide", app), app.reference(example(name), app.settings))


def test_library_agrees_roughly(name: str) -> None:
    """The library's filter is the same in kind: the pictures differ by little on average."""
    app = APPS[name]
    expected = app.picture(app.reference(example(name), app.settings)).astype("f8")
    got = app.picture(app.rival(example(name), app.settings)).astype("f8")
    assert got.shape == expected.shape and abs(got - expected).mean() < 12
