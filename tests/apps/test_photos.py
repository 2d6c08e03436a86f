"""Helpers of the applications: mirroring, files, the simulated sensor."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from apps import photos, raw
from apps.app import scaled
from apps.registry import APPS


def test_mirrored_reflects_without_repeating_a_seam_twice_over() -> None:
    image = np.arange(6).reshape(2, 3)
    assert photos.mirrored(image, 7, 3).tolist() == [
        [0, 1, 2, 2, 1, 0, 0],
        [3, 4, 5, 5, 4, 3, 3],
        [3, 4, 5, 5, 4, 3, 3],
    ]


def test_pictures_survive_a_file(tmp_path: Path) -> None:
    image = photos.photo("coffee")[:20, :30]
    photos.write(tmp_path / "new" / "a.png", image)
    assert np.array_equal(photos.read(tmp_path / "new" / "a.png"), image)


def test_planar_and_interleaved_are_inverse() -> None:
    image = photos.photo("chelsea")[:5, :7]
    assert np.array_equal(photos.interleaved(photos.planar(image)), image)


def test_pixels_become_squares_or_are_left_out() -> None:
    image = np.arange(6).reshape(2, 3)
    assert photos.enlarged(image, 2).tolist() == np.repeat(np.repeat(image, 2, axis=0), 2, axis=1).tolist()
    assert photos.enlarged(photos.enlarged(image, 3), 1 / 3).tolist() == image.tolist()


def test_halves_are_rounded_down_so_that_no_centre_lies_outside() -> None:
    assert [scaled(61, 1.5), scaled(5, 0.5), scaled(5, 0.1), scaled(30, 0.35)] == [91, 2, 1, 10]


def test_the_sensor_is_seeded_and_has_ten_bits() -> None:
    image = photos.photo("astronaut")[:64, :64]
    first, second = raw.record(image, 3700.0), raw.record(image, 3700.0)
    assert np.array_equal(first, second) and first.dtype == np.uint16 and first.max() <= raw.WHITE
    assert not np.array_equal(first, raw.record(image, 3700.0, seed=1))


def test_camera_pipe_recovers_the_photograph() -> None:
    app, image = APPS["camera_pipe"], photos.photo("astronaut")
    got = app.picture(app.reference(app.inputs(image), app.settings)).astype("f8")
    expected = image[12 : 12 + got.shape[0], 16 : 16 + got.shape[1]].astype("f8")
    for channel in range(3):
        assert np.corrcoef(got[..., channel].ravel(), expected[..., channel].ravel())[0, 1] > 0.95
