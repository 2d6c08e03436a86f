"""Corners that the harris application finds."""

from __future__ import annotations

import numpy as np

from apps import harris


def test_the_corners_of_a_square_are_detected() -> None:
    image = np.zeros((3, 60, 80), np.float32)
    image[:, 20:40, 30:50] = 1
    result = harris.corners(harris.reference({"source": image}, {})) + harris.MARGIN // 2
    expected = np.array([[20, 30], [20, 49], [39, 30], [39, 49]])
    assert len(result) == 4 and all(abs(expected - corner).sum(axis=1).min() <= 2 for corner in result)


def test_the_picture_is_marked_where_corners_are() -> None:
    image = np.zeros((60, 80, 3), np.uint8)
    image[20:40, 30:50] = 255
    response = harris.reference(harris.inputs(image), {})
    shown = harris.APP.shown(image, response)
    assert shown.shape == (*response.shape, 3) and (shown != image[3:-3, 3:-3]).any(axis=2).sum() > 40
