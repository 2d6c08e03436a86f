"""Strides of arrays with axes of extent 1, where numpy may leave any number."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl


def planar(height: int, width: int) -> np.ndarray:
    """Planes of an interleaved picture; for a single pixel numpy keeps strides of 16 bytes."""
    return np.ascontiguousarray(
        np.moveaxis(np.arange(4 * height * width, dtype=np.float32).reshape(height, width, 4), -1, 0)
    )


def test_one_pixel_in_planes_is_dense() -> None:
    pixel = planar(1, 1)
    assert pixel.strides == (4, 16, 16)
    assert [hl.Buffer(pixel).dim(d).stride() for d in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("wrap", [hl.Buffer, lambda array: array])
def test_a_pipeline_takes_one_pixel_in_planes(wrap) -> None:
    x, y, c = hl.vars("x y c")
    source, f = hl.ImageParam(hl.Float(32), 3, "source"), hl.Func("f")
    f[x, y, c] = source[x, y, c] + 1.0
    output = np.zeros((4, 1, 1), np.float32)
    f.compile_to_callable([source])(wrap(planar(1, 1)), wrap(output))
    assert output.ravel().tolist() == [1, 2, 3, 4]


def test_strides_of_views_stay() -> None:
    image = np.zeros((6, 1, 3), np.uint8)
    assert [hl.Buffer(np.moveaxis(image, -1, 0)).dim(d).stride() for d in range(3)] == [3, 3, 1]
