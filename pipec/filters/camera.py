"""Colours from the mosaic that a sensor records."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError
from pipec.filters.planes import BAND, TYPES, Array, image_array, lanes_of, planar, require_interleaved, result_array

# The colours of the pixels (0, 0), (0, 1), (1, 0), (1, 1), and where red lies: row and column.
RED = {"RGGB": (0, 0), "GRBG": (0, 1), "GBRG": (1, 0), "BGGR": (1, 1)}


def demosaic(mosaic: Any, pattern: str = "RGGB", *, out: Array | None = None) -> Array:
    """Interpolates the colours of a Bayer mosaic linearly: (y, x) becomes (y, x, 3), red first.

    `mosaic`: uint8 or uint16 of at least 3 x 3 pixels. `pattern`: the colours of its first two rows and columns. Equal
    to OpenCV's, whose name for "RGGB" is `cv2.cvtColor(mosaic, cv2.COLOR_BayerBG2RGB)` (the colours of the second row
    and column from (1, 1) on): the outermost pixels repeat their neighbours.

    >>> hl.filters.demosaic(np.full((4, 4), 9, np.uint8))[1, 1].tolist()
    [9, 9, 9]
    """
    array = image_array("demosaic", mosaic, ("uint8", "uint16"))
    if array.ndim != 2 or min(array.shape) < 3:
        raise ArgumentError(f"Error: demosaic() takes a mosaic (y, x) of at least 3 x 3 pixels, not {array.shape}.")
    if pattern not in RED:
        raise ArgumentError(f"Error: pattern={pattern!r} of demosaic() is none of {', '.join(RED)}.")
    result = result_array("demosaic", out, (*array.shape, 3), array.dtype)
    _demosaic(array.dtype.name, *RED[pattern])(array, planar(result))
    return result


@cache
def _demosaic(dtype: str, red_row: int, red_column: int) -> Callable[..., None]:
    """Means of the two or four nearest pixels of each colour, rounded half up."""
    kind = TYPES[np.dtype(dtype)]
    source = hl.ImageParam(kind, 2, "source")
    x, y, c, band, row = hl.vars("x y c band row")
    # The outermost rows and columns are those next to them.
    inner_x, inner_y = hl.clamp(x, 1, source.width() - 2), hl.clamp(y, 1, source.height() - 2)
    wide_kind = hl.UInt(2 * kind.bits())
    here, output = hl.Func("here"), hl.Func("demosaicked")

    def pixel(dx: int, dy: int) -> hl.Expr:
        return hl.cast(wide_kind, source[hl.clamp(x + dx, 0, source.width() - 1), y + dy])

    def mean(*pixels: hl.Expr) -> hl.Expr:
        total = pixels[0]
        for other in pixels[1:]:
            total += other
        return hl.cast(kind, (total + hl.cast(wide_kind, len(pixels) // 2)) / hl.cast(wide_kind, len(pixels)))

    centre = hl.cast(kind, pixel(0, 0))
    horizontal, vertical = mean(pixel(-1, 0), pixel(1, 0)), mean(pixel(0, -1), pixel(0, 1))
    cross = mean(pixel(-1, 0), pixel(1, 0), pixel(0, -1), pixel(0, 1))
    corners = mean(pixel(-1, -1), pixel(1, -1), pixel(-1, 1), pixel(1, 1))
    on_column, on_row = x % 2 == red_column, y % 2 == red_row
    here[x, y] = hl.Tuple(
        hl.select(on_row, hl.select(on_column, centre, horizontal), hl.select(on_column, vertical, corners)),
        hl.select(on_column == on_row, cross, centre),
        hl.select(on_row, hl.select(on_column, corners, vertical), hl.select(on_column, horizontal, centre)),
    )
    output[x, y, c] = hl.mux(c, [here[inner_x, inner_y][k] for k in range(3)])
    require_interleaved(output.output_buffer(), 3)
    lanes = lanes_of(kind)
    output.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, lanes)
    output.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band)
    here.compute_at(output, row).vectorize(x, lanes)
    return output.compile_to_callable([source])
