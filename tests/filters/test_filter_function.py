"""`@filter`: Python functions of images as compiled functions of arrays and tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.filters import stack

RNG = np.random.default_rng(0)
GREY, COLOUR = RNG.random((11, 14), np.float32), RNG.random((9, 8, 3), np.float32)


@hl.filter(border="edge")
def sharpen(image: Any, amount: float = 1.0) -> Any:
    around = (image[-1, 0] + image[1, 0] + image[0, -1] + image[0, 1]) / 4.0
    return image + amount * (image - around)


def sharpened(a: Any, amount: float) -> Any:
    p = np.pad(a, [(1, 1), (1, 1), (0, 0)][: a.ndim], mode="edge").astype(np.float64)
    around = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 4
    return a + amount * (a - around)


def test_a_filter_takes_images_of_any_rank_and_size_and_numbers() -> None:
    own = hl.filter(sharpen._function, border="edge")
    assert np.allclose(own(GREY), sharpened(GREY, 1), atol=1e-6)
    assert np.allclose(own(GREY[:3, ::2], 0.3), sharpened(GREY[:3, ::2], 0.3), atol=1e-6)
    assert np.allclose(own(COLOUR, amount=2.0), sharpened(COLOUR, 2), atol=1e-6)
    assert np.allclose(own(COLOUR[:1, :1]), COLOUR[:1, :1], atol=1e-6)
    assert np.allclose(own(COLOUR[:, 2:3]), sharpened(COLOUR[:, 2:3], 1), atol=1e-6)
    assert len(own._compiled) == 2  # once for each rank, not for sizes and numbers


@pytest.mark.slow
def test_types_follow_numpy_with_float32_for_float64() -> None:
    @hl.filter
    def types(image: Any) -> Any:
        wide = image.astype(np.int16)
        return image + 1, image * 0.5, image / 2, wide - image, np.sqrt(image), image > 3, np.where(image > 3, wide, 9)

    @hl.filter
    def constants(image: Any) -> Any:
        return np.where(image > 3, 1.5, -1.0)

    bytes_ = np.array([[255, 3, 9]], np.uint8)
    results = types(bytes_)
    expected = [bytes_ + 1, bytes_ * 0.5, bytes_ / 2, bytes_ * 0, np.sqrt(bytes_ * 1.0), bytes_ > 3, [[255, 9, 9]]]
    assert [r.dtype.name for r in results] == "uint8 float32 float32 int16 float32 bool int16".split()
    assert constants(bytes_).dtype == np.float32 and constants(bytes_).tolist() == [[1.5, -1.0, 1.5]]
    assert all(np.allclose(r, e) for r, e in zip(results, expected, strict=True))


def test_channels_coordinates_and_results_of_another_type() -> None:
    @hl.filter(dtype=np.uint8)
    def turned(image: Any) -> Any:
        grey = 300.0 * image.channel(0)
        return stack([grey.at(image.rows, 7 - image.columns), 40 * image.columns])

    result = turned(COLOUR)
    assert result.dtype == np.uint8 and result.shape == (9, 8, 2)
    assert np.array_equal(result[..., 0], np.clip(np.rint(300 * COLOUR[:, ::-1, 0]), 0, 255))
    assert result[0, :, 1].tolist() == [0, 40, 80, 120, 160, 200, 240, 255]


@pytest.mark.parametrize("border", ["reflect", pytest.param("constant", marks=pytest.mark.slow)])
def test_borders_and_stages_are_those_of_padded_arrays(border: str) -> None:
    @hl.filter(border=border)
    def smooth(image: Any) -> Any:
        rows = image[0, -1] + 2 * image + image[0, 1]
        return rows[-1, 0] + 2 * rows + rows[1, 0]

    padded = np.pad(GREY, 1, mode=border)  # type: ignore[call-overload]
    rows = padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]
    assert np.allclose(smooth(GREY), rows[:-2] + 2 * rows[1:-1] + rows[2:], atol=1e-5)


@pytest.mark.torch
def test_a_filter_of_tensors_has_gradients() -> None:
    import torch

    layer = sharpen.module(amount=0.5)
    image = torch.from_numpy(COLOUR).requires_grad_()
    (layer(image) ** 2).sum().backward()
    step = 1e-2
    change = (sharpened(COLOUR, 0.5 + step) ** 2).sum() - (sharpened(COLOUR, 0.5 - step) ** 2).sum()
    assert layer.amount.grad.item() == pytest.approx(change / (2 * step), rel=1e-3)
    assert image.grad is not None and image.grad.shape == image.shape
    assert isinstance(sharpen(image.detach()), torch.Tensor)


@pytest.mark.slow
def test_a_filter_can_search_for_its_schedule() -> None:
    searched = hl.filter(sharpen._function, border="edge", autoschedule=True)
    assert np.allclose(searched(GREY), sharpened(GREY, 1), atol=1e-6)
    assert searched.pipeline(GREY).outputs()[0].name().startswith("sharpen")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda image: image[1:], r"image\[dy, dx\] is the pixel dy rows below"),
        (lambda image: 1, "returned 1, no image"),
        (lambda image: image if image > 0 else -image, "numpy.where"),
        (lambda image: np.linalg.norm(image), "numpy.norm is not available"),
        (lambda image: np.arccos(image), "numpy.arccos is not available"),
    ],
)
def test_what_no_filter_can_do_is_refused_with_what_to_write(function: Any, message: str) -> None:
    with pytest.raises(hl.PipecError, match=message):
        hl.filter(function)(GREY)


def test_images_of_different_sizes_are_refused() -> None:
    with pytest.raises(hl.ArgumentError, match="images of one size"):
        hl.filter(lambda a, b: a + b)(GREY, GREY[1:])
