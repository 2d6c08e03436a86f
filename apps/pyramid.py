"""Pyramids in numpy for the references: levels of a picture whose edge is repeated for ever.

An array holds a level with MARGIN more pixels all round. Further out a level is constant along the normal of its edge,
as the picture itself is, so that asking for the nearest pixel there is gives the same as a picture without end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MARGIN = 4


def extended(image: Array) -> Array:
    """The finest level, of an array whose last two axes are y and x."""
    return np.pad(image, [(0, 0)] * (image.ndim - 2) + [(MARGIN, MARGIN)] * 2, mode="edge")


def inside(level: Array) -> Array:
    return level[..., MARGIN:-MARGIN, MARGIN:-MARGIN]


def sizes(shape: tuple[int, ...], levels: int) -> list[tuple[int, int]]:
    """Height and width of each level without its margin, each half of the one before, rounded up."""
    height, width = shape[-2:]
    return [(-(-height >> level), -(-width >> level)) for level in range(levels)]


def coordinates(size: int) -> Array:
    """Those of a level of that size and its margin."""
    return np.arange(-MARGIN, size + MARGIN)


def weighted_sum(level: Array, axis: int, terms: Sequence[tuple[Array, float | Array]]) -> Array:
    """The sum of weights times the pixels at those coordinates along an axis."""
    last = level.shape[axis] - 1
    picked = [(np.take(level, np.clip(index + MARGIN, 0, last), axis), weight) for index, weight in terms]
    return sum(np.float32(weight) * pixels for pixels, weight in picked)
