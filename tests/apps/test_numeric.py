"""Applications that are known by other names: what they compute for any size, radius and weight."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from apps import box_blur, conv_layer, fft, mat_mul, photos, pyramid_blend, run


@cache
def blurred() -> Callable[..., Any]:
    return run.compile_app(run.front_end(), box_blur.APP)[0]


@pytest.mark.parametrize("radius", [0, 1, 7, 1023])
@pytest.mark.part(2)
def test_a_box_of_any_radius_is_exact(radius: int) -> None:
    images, output = box_blur.APP.example((150, 130, 3)), box_blur.APP.empty_output((150, 130, 3))
    blurred()(images["source"], radius, output)
    assert np.array_equal(output, box_blur.reference(images, {"radius": radius}))


def test_a_white_picture_stays_white() -> None:
    images, output = {"source": np.full((3, 128, 64), 255, np.uint8)}, box_blur.APP.empty_output((64, 128, 3))
    assert (run.run_app(blurred(), box_blur.APP, images, output) == 255).all()


@pytest.mark.parametrize("size", [16, 128])
@pytest.mark.part(2)
def test_transforms_of_powers_of_two(size: int) -> None:
    hl = run.front_end()
    algorithm = fft.build(hl, size)
    fft.schedule(hl, algorithm)
    function = algorithm.output.compile_to_callable(algorithm.arguments())
    source = np.random.default_rng(size).random((size, size, 2), np.float32)
    output = np.empty_like(source)
    function(source, output)
    np.testing.assert_allclose(output, fft.reference({"source": source}, {}), atol=1e-5)


def test_the_steps_of_a_transform() -> None:
    assert [fft.radices(n) for n in (2, 8, 32, 64, 1024)] == [[2], [8], [8, 4], [8, 8], [8, 8, 8, 2]]


def test_a_product_of_matrices_that_are_not_square() -> None:
    random = np.random.default_rng(0)
    images = {"left": random.random((70, 33), np.float32), "right": random.random((33, 101), np.float32)}
    function, _ = run.compile_app(run.front_end(), mat_mul.APP)
    got = run.run_app(function, mat_mul.APP, images, mat_mul.APP.empty_output((101, 70)))
    np.testing.assert_allclose(got, images["left"] @ images["right"], rtol=1e-5)


def test_slow_waves_keep_what_is_constant() -> None:
    matrix = mat_mul.slow_waves(48)
    np.testing.assert_allclose(matrix @ matrix, matrix, atol=1e-6)
    np.testing.assert_allclose(np.ones(48) @ matrix, np.ones(48), atol=1e-6)


def test_a_bias_below_all_sums_leaves_nothing_of_a_layer() -> None:
    images = conv_layer.inputs(photos.photo("coffee")[:20, :30])
    images["bias"] -= 1000
    assert (conv_layer.reference(images, {}) == 0).all()


@pytest.mark.parametrize(("mask", "name"), [(0, "first"), (255, "second")])
def test_a_plain_mask_takes_one_photograph(mask: int, name: str) -> None:
    images = pyramid_blend.inputs(photos.photo("coffee")[:64, :80])
    images["mask"][:] = mask
    assert abs(pyramid_blend.reference(images, {}).astype(int) - images[name]).max() <= 1


def test_a_blend_has_no_seam() -> None:
    images = pyramid_blend.inputs(np.full((128, 160, 3), 200, np.uint8))
    images["second"][:], images["mask"][:] = 40, np.where(np.arange(160) < 80, 0, 255)
    row = pyramid_blend.reference(images, {})[0, 64].astype(int)
    assert row[0] > 170 and row[-1] < 70 and abs(np.diff(row)).max() < 12
