"""What the filters are for, shown by their references; that pipec computes the same is tested for all applications."""

from __future__ import annotations

import numpy as np
import pytest

from apps import (
    bilateral_grid,
    interpolate,
    local_laplacian,
    max_filter,
    nl_means,
    photos,
    pyramid,
    run,
    stencil_chain,
)


def test_interpolation_leaves_an_opaque_picture_as_it_is() -> None:
    colours = photos.photo("coffee")[:40, :50]
    source = interpolate.inputs(np.dstack([colours, np.full((40, 50), 255, np.uint8)]))["source"]
    assert abs(interpolate.reference({"source": source}, {}) - source[:3]).max() < 1e-6


def test_interpolation_fills_holes_in_a_plain_picture_with_its_colour() -> None:
    picture = np.full((64, 64, 3), (10, 200, 90), np.uint8)
    images = interpolate.inputs(picture)
    assert images["source"][3].min() == 0
    assert abs(interpolate.reference(images, {}) * 255 - picture.transpose(2, 0, 1)).max() < 1e-3


def test_the_local_laplacian_filter_changes_nothing_without_detail() -> None:
    images = local_laplacian.inputs(photos.photo("rocket")[:64, :96])
    result = local_laplacian.reference(images, {"detail": 0.0, "contrast": 1.0})
    assert abs(result.astype(int) - images["source"]).max() <= 1


def test_the_local_laplacian_filter_amplifies_detail() -> None:
    images = local_laplacian.inputs(photos.photo("rocket")[200:328, 400:560])
    result = local_laplacian.reference(images, local_laplacian.SETTINGS)
    before, after = (abs(np.diff(image[1].astype(float))).mean() for image in (images["source"], result))
    assert after > 1.3 * before


@pytest.mark.slow
def test_pyramids_compile_without_their_schedule() -> None:
    app, images = local_laplacian.APP, local_laplacian.inputs(photos.photo("rocket")[:48, :64])
    function, _ = run.compile_app(run.front_end(), app, scheduled=False)
    result = run.run_app(function, app, images, app.empty_output((64, 48, 3)))
    assert abs(result.astype(int) - app.reference(images, app.settings)).max() <= 1


def test_the_bilateral_grid_smooths_texture_and_keeps_edges() -> None:
    noise = np.random.default_rng(0).normal(0, 0.02, (64, 64))
    source = (np.where(np.arange(64) < 32, 0.2, 0.8) + noise).astype(np.float32)
    result = bilateral_grid.reference({"source": source}, bilateral_grid.SETTINGS)
    assert result[:, :28].std() < 0.5 * source[:, :28].std()
    assert result[:, 31].max() < 0.3 and result[:, 32].min() > 0.7


def test_levels_halve_and_round_up() -> None:
    assert pyramid.sizes((3, 77, 131), 4) == [(77, 131), (39, 66), (20, 33), (10, 17)]


def test_the_margin_of_a_level_repeats_its_edge() -> None:
    image = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    level = pyramid.extended(image)
    assert np.array_equal(pyramid.inside(level), image)
    beyond = pyramid.weighted_sum(level, 1, [(np.array([-9, 99]), 0.5)])
    assert np.array_equal(beyond[pyramid.MARGIN : -pyramid.MARGIN], image[:, [0, -1]] / 2)


def test_the_max_filter_makes_a_disc_of_a_point() -> None:
    source = np.zeros((3, 61, 71), np.float32)
    source[:, 30, 35] = 1
    result = max_filter.reference({"source": source}, {})
    reach = max_filter.RADIUS
    assert np.array_equal(result[0, 30 - reach : 31 + reach, 35 - reach : 36 + reach], max_filter.disc())
    assert result.sum() == 3 * max_filter.disc().sum()


def test_non_local_means_takes_noise_away_and_keeps_an_edge() -> None:
    noise = np.random.default_rng(0).normal(0, 0.05, (3, 40, 40))
    source = (np.where(np.arange(40) < 20, 0.2, 0.8) + noise).astype(np.float32)
    result = nl_means.reference({"source": source}, nl_means.SETTINGS)
    assert result[..., :16].std() < 0.4 * source[..., :16].std()
    assert result[..., 19].mean() < 0.25 and result[..., 20].mean() > 0.75


def test_the_stencil_chain_blurs_an_edge_as_a_gaussian_does() -> None:
    source = np.where(np.arange(80) < 40, 0, 255).astype(np.uint16)[None]
    steps = np.diff(stencil_chain.reference({"source": source}, {})[0].astype(float))
    steepest = 255 / np.sqrt(2 * np.pi * stencil_chain.STAGES)
    assert steps.min() >= 0 and steps.argmax() == 39 and abs(steps.max() - steepest) < 2
