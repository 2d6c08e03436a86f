"""Equalised pictures."""

from __future__ import annotations

import numpy as np
import pytest

from apps import hist, photos, run
from apps.app import Array


def equalised(picture: Array) -> Array:
    images, size = hist.APP.inputs(picture), hist.APP.output_size(picture)
    function, _ = run.compile_app(run.front_end(), hist.APP)
    got = run.run_app(function, hist.APP, images, hist.APP.empty_output(size))
    assert np.array_equal(got, hist.APP.reference(images, {}))
    return hist.APP.picture(got)


@pytest.mark.parametrize("level", [0, 90, 255])
def test_a_picture_of_one_level_stays(level: int) -> None:
    picture = np.full((33, 17, 3), level, np.uint8)
    assert np.array_equal(equalised(picture), picture)


def test_two_levels_become_black_and_white() -> None:
    picture = np.full((16, 40, 3), 100, np.uint8)
    picture[:, 10:] = 120
    got = equalised(picture)
    assert (got[:, :10] == 0).all() and (got[:, 10:] == 255).all()


def test_the_levels_of_a_photograph_are_spread_evenly() -> None:
    got = equalised(photos.photo("coffee")).astype(int)
    luma = hist.luminance(*np.moveaxis(got, -1, 0))
    shares = np.histogram(luma, 4, (0, 256))[0] / luma.size
    assert abs(shares - 0.25).max() < 0.05
