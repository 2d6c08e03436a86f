"""Photographs for the applications: those inside scikit-image's wheel, read, enlarged by mirroring, and written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import imageio.v3 as imageio
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
NAMES = ("astronaut", "coffee", "chelsea", "rocket", "retina", "hubble_deep_field")
PAIR = "stereo_motorcycle"  # what the left eye sees, and what the right eye does


def photo(name: str) -> Array:
    """A packaged photograph: height x width x 3, 8 bits; the pair has the right eye's as three more channels."""
    import skimage.data

    if name == PAIR:
        return np.dstack(skimage.data.stereo_motorcycle()[:2])
    if name not in NAMES:
        raise ValueError(f"no photograph named {name!r}; there are {', '.join(NAMES)}, {PAIR}")
    return np.ascontiguousarray(getattr(skimage.data, name)()[..., :3])


def read(path: str | Path) -> Array:
    return np.asarray(imageio.imread(path))


def colour(image: Array) -> Array:
    """Any picture as height x width x 3, 8 bits."""
    if image.dtype == np.uint16:
        image = (image >> 8).astype(np.uint8)
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    return np.ascontiguousarray(image[..., :3])


def write(path: str | Path, image: Array) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    imageio.imwrite(path, image)


def mirrored(image: Array, width: int, height: int) -> Array:
    """The image repeated by reflection until it fills width x height."""
    return np.ascontiguousarray(image[_reflect(height, image.shape[0])][:, _reflect(width, image.shape[1])])


def enlarged(image: Array, factor: float) -> Array:
    """The image with each pixel as a square of that side, or with pixels left out."""
    rows, columns = (np.minimum(np.arange(int(n * factor)) / factor, n - 1).astype(int) for n in image.shape[:2])
    return np.ascontiguousarray(image[rows][:, columns])


def _reflect(count: int, size: int) -> Array:
    index = np.arange(count) % (2 * size)
    return np.minimum(index, 2 * size - 1 - index)


def planar(image: Array) -> Array:
    """Height x width x channel to channel x height x width, the layout the Funcs see as (x, y, c)."""
    return np.ascontiguousarray(np.moveaxis(image, -1, 0))


def interleaved(image: Array) -> Array:
    return np.ascontiguousarray(np.moveaxis(image, 0, -1))


def grey(image: Array) -> Array:
    """Luminance of an RGB picture with 16 bits."""
    image = colour(image)
    weights = np.array([0.299, 0.587, 0.114])
    return np.round(image @ weights * 257).astype(np.uint16)


def to_bytes(image: Array) -> Array:
    """Any of the applications' pictures as 8 bits."""
    if image.dtype == np.uint16:
        return (image >> 8).astype(np.uint8)
    if image.dtype == np.uint8:
        return image
    return np.round(np.clip(image, 0, 1) * 255).astype(np.uint8)
