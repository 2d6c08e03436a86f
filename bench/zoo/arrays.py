"""What the references share: arrays whose last two axes are y and x, with a margin that is cut off in the end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.app import Array

AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]


def padded(image: Array, margin: int, mode: str = "edge") -> Array:
    """The image with so many more pixels on each side."""
    return np.pad(image, [(0, 0)] * (image.ndim - 2) + [(margin, margin)] * 2, mode=mode)


def inner(image: Array, margin: int) -> Array:
    """The image without its margin."""
    return image[..., margin:-margin, margin:-margin]


def shifted(image: Array, dx: int, dy: int) -> Array:
    """The image whose pixel (x, y) is the given one's (x + dx, y + dy); it wraps, within the margin."""
    return np.roll(image, (-dy, -dx), axis=(-2, -1))


def weighted(image: Array, taps: Sequence[float], axis: int) -> Array:
    """The sum of the neighbours along an axis, weighted by an odd number of taps around the middle."""
    return sum(tap * np.roll(image, len(taps) // 2 - k, axis) for k, tap in enumerate(taps))


def smoothed(image: Array, taps: Sequence[float]) -> Array:
    """`weighted` along both axes."""
    return weighted(weighted(image, taps, -2), taps, -1)


def clamped(image: Array, x: Array, y: Array) -> Array:
    """The pixels at whole coordinates; outside, the nearest of the image."""
    height, width = image.shape[-2:]
    return image[..., np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]


def sobel_of(image: Array) -> tuple[Array, Array]:
    across = weighted(weighted(image, (1, 2, 1), -2), (-1, 0, 1), -1)
    return across, weighted(weighted(image, (1, 2, 1), -1), (-1, 0, 1), -2)
