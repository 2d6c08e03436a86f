"""Images as planes of elements: how ready filters read arrays, extend them at the borders and return results.

The channels of a pixel are neighbours in memory, so a row of an image of c channels is a row of `width * c` elements,
in which the neighbour of a pixel is c elements away. Filters of single channels work on this plane, in dense vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError
from pipec.func.buffers.arrays import as_array

Array = np.ndarray[Any, Any]
# The names of numpy.pad, with what OpenCV and scipy.ndimage call them.
BORDERS = {
    "reflect": "BORDER_REFLECT_101, mirror",
    "symmetric": "BORDER_REFLECT, reflect",
    "edge": "BORDER_REPLICATE, nearest",
    "wrap": "BORDER_WRAP, grid-wrap",
    "constant": "BORDER_CONSTANT with zeros, constant",
}
TYPES = {np.dtype(name): getattr(hl, kind)(bits) for name, kind, bits in (
    ("uint8", "UInt", 8), ("uint16", "UInt", 16), ("float32", "Float", 32),
)}  # fmt: skip
# Rows of a parallel task.
BAND = 32
_CONDITIONS = {
    "reflect": "mirror_interior",
    "symmetric": "mirror_image",
    "edge": "repeat_edge",
    "wrap": "repeat_image",
}


def image_array(name: str, image: Any, types: tuple[str, ...] = ("uint8", "uint16", "float32")) -> Array:
    """Returns a picture of shape (y, x) or (y, x, c) as a dense array; raises ArgumentError for other shapes and types.

    `name`: of the filter, for the error. Arrays whose rows are not dense are copied.
    """
    array = as_array(image)
    if array is None:
        raise ArgumentError(f"Error: {name}() takes an array of shape (y, x) or (y, x, c), not {image!r}.")
    if array.dtype.name not in types:
        raise ArgumentError(
            f"Error: {name}() takes arrays of {', '.join(types)}, not {array.dtype}: convert with .astype()."
        )
    if array.ndim not in (2, 3) or not array.size:
        raise ArgumentError(
            f"Error: {name}() takes arrays of shape (y, x) or (y, x, c) with at least one pixel, not {array.shape}."
        )
    return np.ascontiguousarray(array)


def channels_of(array: Array) -> int:
    """Returns the number of channels: 1 for shape (y, x)."""
    return int(array.shape[2]) if array.ndim == 3 else 1


def plane(array: Array) -> Array:
    """Views a dense picture as rows of elements: shape (height, width * channels)."""
    return array.reshape(array.shape[0], -1)


def planar(array: Array) -> Array:
    """Views a dense picture as (c, y, x): a Buffer of (x, y, c) whose channels are neighbours in memory."""
    return array.transpose(2, 0, 1) if array.ndim == 3 else array[None]


def require_interleaved(image: Any, channels: int) -> None:
    """Declares that an input or output of (x, y, c) has the layout of `planar` with so many channels."""
    image.dim(0).set_stride(channels)
    image.dim(2).set_bounds(0, channels)
    if channels > 1:
        image.dim(2).set_stride(1)


def check_border(name: str, border: str, legal: tuple[str, ...] = tuple(BORDERS)) -> str:
    """Returns `border`; raises ArgumentError unless it is one of `legal`."""
    if border not in legal:
        raise ArgumentError(f"Error: border={border!r} of {name}() is none of {', '.join(legal)} (as in numpy.pad).")
    return border


def result_array(name: str, out: Any, shape: tuple[int, ...], dtype: Any) -> Array:
    """Returns the array for the result: `out` if it fits, a new one if it is None."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype or not out.flags.c_contiguous:
        raise ArgumentError(f"Error: out= of {name}() must be a dense array of shape {shape} and {np.dtype(dtype)}.")
    return out


def rows_extended(source: Any, border: str) -> hl.Func:
    """Extends a plane above and below; `border` is a name of numpy.pad."""
    return extended(source, border, [(hl.Expr(), hl.Expr()), (0, source.height())])


def columns_extended(func: hl.Func, source: Any, border: str, channels: int, reach: int) -> hl.Func:
    """Extends a Func of (element, row), which is as wide as `source`, by `reach` pixels on the left and on the right.

    Its update definitions write the margins of whole rows, in few scalar steps: vectors at the edges, which gather,
    would be most of the code. So its consumers must need whole rows.
    """
    i, y = hl.vars("i y")
    width, margin = source.width(), reach * channels
    sides = hl.Func("sides")
    values = func[hl.clamp(i, 0, width - 1), y]
    sides[i, y] = values
    if border == "edge" and channels == 1 or not reach:
        return sides
    at = hl.RDom([(0, margin)], "margin")
    for number, outside in enumerate((at.x - margin, width + at.x)):
        folded = hl.clamp(_FOLDS[border](outside / channels, width / channels), 0, width / channels - 1)
        inside: Any = func[folded * channels + outside % channels, y]
        if border == "constant":
            nothing = [hl.cast(kind, 0) for kind in func.types()]
            inside = hl.Tuple(nothing) if len(nothing) > 1 else nothing[0]
        sides[outside, y] = inside
        sides.update(number).unscheduled()
    return sides


def extended(func: Any, border: str, bounds: list[Any] | None = None) -> hl.Func:
    """Extends a Func or an image beyond `bounds`, by default those of the image; `border` is a name of numpy.pad."""
    if border == "constant":
        return hl.BoundaryConditions.constant_exterior(func, 0, bounds)
    result: hl.Func = getattr(hl.BoundaryConditions, _CONDITIONS[border])(func, bounds)
    return result


def _symmetric(x: Any, extent: Any) -> Any:
    within = x % (2 * extent)
    return hl.min(within, 2 * extent - 1 - within)


def reflected(x: Any, extent: Any) -> Any:
    """Returns the place inside of a row that lies mirrored at its ends, which are not repeated."""
    within = x % hl.max(2 * extent - 2, 1)
    return hl.min(within, 2 * extent - 2 - within)


# From a pixel's place in a row and the length of the row to the place of the pixel that is read.
_FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "reflect": reflected,
    "symmetric": _symmetric,
    "edge": lambda x, extent: hl.clamp(x, 0, extent - 1),
    "wrap": lambda x, extent: x % extent,
    "constant": lambda x, extent: x,
}


def lanes_of(kind: hl.Type) -> int:
    """Returns how many elements of a type a vector of this machine holds."""
    return hl.get_host_target().natural_vector_size(kind)


def rounded(value: hl.Expr, kind: hl.Type) -> hl.Expr:
    """Returns a float32 as an element of `kind`; integers are rounded half up and limited to the range of the type."""
    if kind.is_float():
        return value
    return hl.cast(kind, hl.clamp(value + hl.f32(0.5), 0.0, float(kind.max_value())))


def sum_over(terms: Iterable[Any]) -> Any:
    """Returns the sum of at least one Expr."""
    first, *rest = terms
    for term in rest:
        first += term
    return first


def by_rows(output: hl.Func, stages: list[hl.Func], lanes: int) -> None:
    """Schedules a filter of (element, row): bands of rows in parallel, all `stages` for a row at a time."""
    i, y = output.args()
    band, row = hl.vars("band row")
    output.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band).vectorize(i, lanes)
    for stage in stages:
        stage.compute_at(output, row).vectorize(stage.args()[0], lanes)
