"""Images from and to files, by the imageio package: colour images are planar in memory, interleaved in files.

`Buffer(imread(path))` has dimensions (x, y) or (x, y, c).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pipec.errors import ArgumentError
from pipec.func.arrays import as_array

MOST_CHANNELS = 4


def is_interleaved(im: Any) -> bool:
    """Whether this looks like an H x W x C image: three dimensions, the last one dense and of 1 to 4 channels."""
    array = _array(im)
    return array.ndim == 3 and array.strides[2] == array.itemsize and 1 <= array.shape[2] <= MOST_CHANNELS


def copy_to_interleaved(im: Any) -> np.ndarray:
    """A planar C x H x W image as an H x W x C copy; any other image as it is."""
    array = _array(im)
    if array.ndim != 3 or is_interleaved(array):
        return array
    return np.copy(np.moveaxis(array, 0, 2), order="C")


def copy_to_planar(im: Any) -> np.ndarray:
    """An interleaved H x W x C image as a C x H x W copy; any other image as it is."""
    array = _array(im)
    return np.copy(np.moveaxis(array, 2, 0), order="C") if is_interleaved(array) else array


def imread(uri: Any, format: str | None = None, **kwargs: Any) -> np.ndarray:
    """Read an image as imageio does; colour images become planar C x H x W."""
    return copy_to_planar(np.asarray(_imageio().imread(uri, format, **kwargs)))


def imwrite(uri: Any, im: Any, format: str | None = None, **kwargs: Any) -> None:
    """Write an image (a Buffer or an array) as imageio does; planar ones are interleaved first."""
    _imageio().imwrite(uri, copy_to_interleaved(im), format, **kwargs)


def _imageio() -> Any:
    # Here, not above: imageio takes longer to import than all of pipec.
    import imageio.v2

    return imageio.v2


def _array(im: Any) -> np.ndarray:
    array = as_array(im)
    if array is None:
        raise ArgumentError(f"Error: An image is an array or a Buffer, not {im!r}.")
    return array
