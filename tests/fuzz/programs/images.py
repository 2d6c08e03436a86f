"""The input images of recipes, and the layouts of buffers in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
# Strides that a pipeline has to allow: dimension 0 is not dense.
UNUSUAL = ("transposed", "spread", "reversed")


def numpy_type(kind: str) -> np.dtype[Any]:
    """The numpy type of a short name."""
    return np.dtype(bool) if kind == "u1" else np.dtype(f"{kind[0]}{int(kind[1:]) // 8}")


def pixels(image: dict[str, Any]) -> Array:
    """The elements of an image, dimension 0 first, in its layout."""
    kind = image["type"]
    low, high = value_range(kind)
    shape = image["size"][::-1]
    values = np.random.default_rng(image["seed"]).integers(low, high, shape).astype(numpy_type(kind))
    return laid_out(values.T, image["layout"])


def value_range(kind: str) -> tuple[int, int]:
    """The least element of an image, and one more than the largest."""
    return (0, 2) if kind == "u1" else (-120, 121) if kind[0] == "i" else (0, 256)


def laid_out(array: Array, layout: str) -> Array:
    """A copy of an array with dimension 0 first: dense ("plain"), with gaps between rows ("padded"), the last dimension
    innermost ("transposed"), gaps between elements ("spread"), or negative strides ("reversed")."""
    if array.ndim == 0:
        return array.copy()
    if layout == "transposed":
        return np.ascontiguousarray(array)
    wide = {"padded": array.shape[0] + 3, "spread": 2 * array.shape[0]}.get(layout, array.shape[0])
    memory = np.zeros((wide, *array.shape[1:]), array.dtype, order="F")
    view = memory[::2] if layout == "spread" else memory[: array.shape[0]]
    if layout == "reversed":
        view = view[tuple([slice(None, None, -1)] * array.ndim)]
    view[...] = array
    return view
