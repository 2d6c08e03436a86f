"""Depth and blur by the lens that is simulated."""

from __future__ import annotations

import numpy as np

from apps import lens_blur, photos

SETTINGS = lens_blur.SETTINGS


def flat_pair(shift: int) -> dict[str, np.ndarray]:
    """A textured wall whose picture lies that many pixels apart."""
    wall = np.random.default_rng(0).integers(0, 256, (60, 200, 3), np.uint8)
    return lens_blur.inputs(np.dstack([wall[:, :120], wall[:, shift : shift + 120]]))


def test_a_wall_in_focus_stays_as_it_is() -> None:
    images = flat_pair(2 * SETTINGS["focus"])
    result = lens_blur.reference(images, SETTINGS)
    inside = np.s_[:, 20:40, 70:100]
    assert np.array_equal(photos.to_bytes(result[inside]), images["left"][inside])


def test_a_wall_out_of_focus_is_blurred() -> None:
    images = flat_pair(2 * SETTINGS["focus"] - 24)
    result = lens_blur.reference(images, SETTINGS) * 255
    assert result[:, 20:40, 60:100].std() < 0.4 * images["left"][:, 20:40, 60:100].std()


def test_the_aperture_is_sampled_evenly() -> None:
    places = np.array(lens_blur.aperture())
    assert abs(places.mean(0)).max() < 0.05 * lens_blur.UNIT
    assert np.hypot(*places.T).max() <= lens_blur.UNIT
    assert abs((places**2).mean(0) / lens_blur.UNIT**2 - 0.25).max() < 0.02


def test_a_single_picture_lies_on_the_ground() -> None:
    images = lens_blur.inputs(photos.photo("coffee")[:64, :80])
    assert images["left"].shape == images["right"].shape == (3, 64, 80)
    assert np.array_equal(images["left"][:, 0], images["right"][:, 0])
    assert np.array_equal(images["left"][:, 32, 31:], images["right"][:, 32, :-31])
