"""Resizing with every kernel and type, up and down."""

from __future__ import annotations

import runpy
import sys
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from apps import photos, resize, run
from apps.app import App, Array, scaled

FACTORS = [0.31, 0.5, 1.0, 1.5, 2.7]


@cache
def compiled(kernel: str, kind: str, module: str = "pipec"):
    return run.compile_app(run.front_end(module), resize.resizer(kernel, kind))[0]


def resized(app: App, function, width: int = 83, height: int = 61) -> tuple[Array, dict[str, Array]]:
    images = app.inputs(photos.photo("coffee")[100 : 100 + height, 200 : 200 + width])
    size = scaled(width, app.scale), scaled(height, app.scale), 3
    return run.run_app(function, app, images, app.empty_output(size)), images


@pytest.mark.part(2)
@pytest.mark.parametrize(("kernel", "kind"), [*product(resize.KERNELS, ["u16"]), ("cubic", "u8"), ("lanczos", "f32")])
def test_all_factors_match_the_reference(kernel: str, kind: str) -> None:
    for factor in FACTORS:
        app = resize.resizer(kernel, kind, factor)
        got, images = resized(app, compiled(kernel, kind))
        assert run.compare(app, got, images, app.settings) <= app.tolerance, factor


@pytest.mark.parametrize("kernel", ["box", "cubic"])
def test_the_wheel_matches_the_reference(kernel: str) -> None:
    for factor in (0.31, 1.5):
        app = resize.resizer(kernel, "f32", factor)
        got, images = resized(app, compiled(kernel, "f32", "halide"))
        assert run.compare(app, got, images, app.settings) <= app.tolerance, factor


@pytest.mark.parametrize("factor", [0.25, 0.5, 0.75, 1.5, 2.5])
@pytest.mark.parametrize("kernel", resize.KERNELS)
def test_the_reference_is_what_pillow_computes(kernel: str, factor: float) -> None:
    app = resize.resizer(kernel, "f32", factor)
    images = app.inputs(photos.photo("coffee")[100:160, 200:280])
    expected, got = app.rival(images, app.settings), app.reference(images, app.settings)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("kernel", resize.KERNELS)
def test_constant_pictures_stay_and_factor_one_changes_nothing(kernel: str) -> None:
    function, app = compiled(kernel, "u16"), resize.resizer(kernel, "u16", 1.0)
    got, images = resized(app, function)
    assert np.array_equal(got, images["source"])
    flat, output = {"source": np.full((3, 40, 50), 1234, np.uint16)}, np.empty((3, 16, 20), np.uint16)
    assert (run.run_app(function, resize.resizer(kernel, "u16", 0.4), flat, output) == 1234).all()


@pytest.mark.filterwarnings("ignore:'apps.resize' found in sys.modules:RuntimeWarning")
@pytest.mark.slow
def test_the_command_line_takes_factor_kernel_and_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = tmp_path / "in.png", tmp_path / "out.png"
    photos.write(source, photos.photo("coffee")[:60, :80])
    options = ["--factor", "0.5", "--kernel", "cubic", "--type", "u16"]
    monkeypatch.setattr(sys, "argv", ["resize", str(source), str(target), *options])
    runpy.run_module("apps.resize", run_name="__main__")
    assert photos.read(target).shape == (30, 40, 3)
