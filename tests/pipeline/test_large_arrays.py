"""Arrays of more than 2^31 elements: indices are 64 bits wide, with nothing to ask for."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl

# 3e9 elements, of which only those are touched, and take memory, that a test reads or writes.
WIDTH, HEIGHT = 60_000, 50_000


def cross() -> tuple[hl.ImageParam, hl.Func]:
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    source = hl.BoundaryConditions.repeat_edge(image)
    output = hl.Func("cross")
    output[x, y] = source[x - 1, y] + 3 * source[x + 1, y] + 5 * source[x, y - 1] + 7 * source[x, y + 1]
    output.vectorize(x, 32).parallel(y)
    return image, output


def expected(array: np.ndarray, row: int, columns: slice) -> np.ndarray:
    above, own, below = (array[min(max(row + d, 0), HEIGHT - 1)] for d in (-1, 0, 1))
    left, right = np.concatenate([own[:1], own[:-1]]), np.concatenate([own[1:], own[-1:]])
    return (left + 3 * right + 5 * above + 7 * below)[columns]


def test_the_far_corner_of_three_gigapixels_is_read_and_written() -> None:
    image, output = cross()
    array, result = np.zeros((HEIGHT, WIDTH), np.uint8), np.zeros((HEIGHT, WIDTH), np.uint8)
    array[-40:, -80:] = np.random.default_rng(0).integers(0, 256, (40, 80), np.uint8)
    image.set(hl.Buffer(array))
    part = hl.Buffer(result).cropped([(WIDTH - 64, 64), (HEIGHT - 32, 32)])
    output.realize(part)
    for row in (HEIGHT - 32, HEIGHT - 1):
        np.testing.assert_array_equal(result[row, -64:], expected(array, row, slice(-64, None)))


@pytest.mark.slow
def test_three_gigapixels_in_memory() -> None:
    image, output = cross()
    array = np.empty((HEIGHT, WIDTH), np.uint8)
    pattern = np.random.default_rng(0).integers(0, 256, WIDTH, np.uint8)
    for row in range(HEIGHT):
        np.add(pattern, row % 251, out=array[row], casting="unsafe")
    image.set(hl.Buffer(array))
    result = np.empty_like(array)
    output.realize(result)
    for row in (0, 1, 12_345, 35_791, 35_792, HEIGHT - 2, HEIGHT - 1):
        np.testing.assert_array_equal(result[row], expected(array, row, slice(None)))
