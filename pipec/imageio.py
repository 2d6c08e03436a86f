"""Images from and to files, by the imageio package: colour images are planar in memory, interleaved in files.

`Buffer(imread(path))` has dimensions (x, y) or (x, y, c).
"""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from pipec.errors import ArgumentError
from pipec.func.buffers.arrays import MAX_CHANNELS, as_array

# For each kind of file the channels of the images that it holds without loss, by type of element.
_COLOURS: dict[str, tuple[int, ...]] = {"uint8": (1, 3)}
_HOLDS: dict[str, dict[str, tuple[int, ...]]] = {
    ".png": {"uint8": (1, 2, 3, 4), "uint16": (1,)},
    ".jpg": _COLOURS,
    ".jpeg": _COLOURS,
    ".bmp": _COLOURS,
    ".ppm": _COLOURS,
    ".pgm": {"uint8": (1,), "uint16": (1,)},
}
_PNG_HEADER = b"\x89PNG\r\n\x1a\n"
_PNG_COLOURS = (2, 6)


def is_interleaved(im: Any) -> bool:
    """Whether this looks like an H x W x C image: three dimensions, the last one dense and of 1 to 4 channels."""
    array = _array(im)
    return array.ndim == 3 and array.strides[2] == array.itemsize and 1 <= array.shape[2] <= MAX_CHANNELS


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


def convert(im: Any, dtype: Any) -> np.ndarray:
    """An image with elements of another type, the whole range to the whole range; floats go from 0 to 1.

    Integers from floats are rounded, and clamped to what the type holds; NaN becomes 0.

    >>> hl.imageio.convert(np.array([[0, 51, 255]], np.uint8), np.float32).tolist()
    [[0.0, 0.20000000298023224, 1.0]]
    >>> hl.imageio.convert(np.array([[-1.0, 0.5, 2.0]]), np.uint8).tolist()
    [[0, 128, 255]]
    """
    array, target = _array(im), np.dtype(dtype)
    for kind in (array.dtype, target):
        if kind.kind not in "buf":
            raise ArgumentError(f"Error: convert takes bool, unsigned integers and floats, not {kind}; use astype.")
    if target == array.dtype:
        return array.copy()
    scaled = array.astype(np.float64) / _white(array.dtype) * _white(target)
    if target.kind == "f":
        return scaled.astype(target)
    whole = np.clip(np.nan_to_num(scaled), 0, _white(target))
    return np.floor(whole + 0.5).astype(target)


def _white(dtype: np.dtype[Any]) -> float:
    return float(np.iinfo(dtype).max) if dtype.kind == "u" else 1.0


def imread(uri: Any, format: str | None = None, **kwargs: Any) -> np.ndarray:
    """Read an image as imageio does; colour images become planar C x H x W.

    Raises FileNotFoundError, and ArgumentError for files that are no images. A PNG of 16-bit colours is read as 8 bits,
    with a warning.
    """
    reader = _imageio()
    try:
        image = np.asarray(reader.imread(uri, format, **kwargs))
    except Exception as error:  # whatever the many readers of imageio raise at damaged files
        if isinstance(error, FileNotFoundError | PermissionError):
            raise
        raise ArgumentError(f"Error: {uri!r} cannot be read as an image: {_first_line(error)}") from error
    if image.dtype == np.uint8 and _has_deep_colours(uri):
        warnings.warn(f"{uri} holds colours of 16 bits, but was read as 8 bits.", stacklevel=2)
    return copy_to_planar(image)


def imwrite(uri: Any, im: Any, format: str | None = None, **kwargs: Any) -> None:
    """Write an image (a Buffer or an array) as imageio does; planar ones are interleaved first.

    Raises ArgumentError for what is no image, and for types and channels that the kind of file cannot hold.
    """
    image = copy_to_interleaved(im)
    _check_image(image)
    if format is None and isinstance(uri, str | os.PathLike):
        _check_holds(os.fspath(uri), image)
    try:
        _imageio().imwrite(uri, image, format, **kwargs)
    except (ValueError, TypeError, OSError) as error:
        if isinstance(error, FileNotFoundError | PermissionError):
            raise
        raise ArgumentError(f"Error: {_described(image)} cannot be written to {uri!r}: {_first_line(error)}") from error


def _check_image(image: np.ndarray) -> None:
    if image.ndim not in (2, 3) or image.size == 0 or image.ndim == 3 and image.shape[2] > MAX_CHANNELS:
        raise ArgumentError(
            f"Error: {_described(image)} is no image: it must have height and width, and may have 1 to {MAX_CHANNELS}"
            " channels, as the first axis (planar) or as a dense last one (interleaved)."
        )
    if image.dtype.kind not in "uif":
        raise ArgumentError(
            f"Error: {_described(image)} cannot be written; use hl.imageio.convert(image, numpy.uint8)."
        )


def _check_holds(path: str, image: np.ndarray) -> None:
    suffix = os.path.splitext(path)[1].lower()
    holds = _HOLDS.get(suffix)
    channels = 1 if image.ndim == 2 else image.shape[2]
    if holds is None or channels in holds.get(image.dtype.name, ()):
        return
    legal = "; ".join([f"{name} with {' or '.join(map(str, counts))} channels" for name, counts in holds.items()])
    raise ArgumentError(
        f"Error: {_described(image)} does not fit {suffix} files, which hold {legal}. Write a .tiff, or"
        " hl.imageio.convert(image, numpy.uint8), which takes floats from 0 to 1."
    )


def _described(image: np.ndarray) -> str:
    return f"An array of shape {image.shape} of {image.dtype}"


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _has_deep_colours(uri: Any) -> bool:
    """Whether this is the path of a PNG of 16 bits a colour."""
    if not isinstance(uri, str | os.PathLike) or not os.path.isfile(uri):
        return False
    with open(uri, "rb") as file:
        head = file.read(26)
    return head.startswith(_PNG_HEADER) and head[24] == 16 and head[25] in _PNG_COLOURS


def _imageio() -> Any:
    # Here, not above: imageio takes longer to import than all of pipec.
    import imageio.v2

    return imageio.v2


def _array(im: Any) -> np.ndarray:
    array = as_array(im)
    if array is None:
        raise ArgumentError(f"Error: An image is an array or a Buffer, not {im!r}.")
    return array
