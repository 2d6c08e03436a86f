"""Pyramids: each level half as large as the one below, by binomial weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError
from pipec.filters.planes import (
    BAND,
    TYPES,
    Array,
    channels_of,
    image_array,
    lanes_of,
    planar,
    plane,
    reflected,
    require_interleaved,
    rows_extended,
)

# Hold sums of 256 pixels: of all weights, down and across.
_SUMS = {"uint8": hl.UInt(16), "uint16": hl.UInt(32), "float32": hl.Float(32)}


def pyramid(image: Any, levels: int) -> list[Array]:
    """Returns the picture and `levels` smaller ones, each half as large as the one before, as `cv2.pyrDown`.

    `image`: uint8, uint16 or float32 of shape (y, x) or (y, x, c). Equal to OpenCV's for integers, 1e-6 of the largest
    value for float32.

    >>> [level.shape for level in hl.filters.pyramid(np.zeros((20, 30), np.uint8), 2)]
    [(20, 30), (10, 15), (5, 8)]
    """
    array = image_array("pyramid", image)
    if levels < 0:
        raise ArgumentError(f"Error: levels={levels} of pyramid() must not be negative.")
    result = [array]
    for _ in range(levels):
        fine = result[-1]
        coarse = np.empty(((fine.shape[0] + 1) // 2, (fine.shape[1] + 1) // 2, *fine.shape[2:]), fine.dtype)
        _halved(array.dtype.name, channels_of(array))(plane(fine), planar(coarse))
        result.append(coarse)
    return result


@cache
def _halved(dtype: str, channels: int) -> Callable[..., None]:
    """Every second sum down the columns, split into even and odd pixels, so that the sums across read dense vectors."""
    kind, wide = TYPES[np.dtype(dtype)], _SUMS[dtype]
    source = hl.ImageParam(kind, 2, "source")
    i, x, y, c, stream, band, row = hl.vars("i x y c stream band row")
    down, halves, output = hl.funcs("down halves halved")
    rows, width = rows_extended(source, "reflect"), source.width() / channels

    def weighted(taps: list[Any]) -> Any:
        return taps[0] + taps[4] + (taps[1] + taps[3]) * hl.cast(wide, 4) + taps[2] * hl.cast(wide, 6)

    def column(at: Any) -> Any:
        return weighted([hl.cast(wide, rows[at, 2 * y + k]) for k in range(-2, 3)])

    down[i, y] = column(i)
    pairs = hl.RDom([(0, width / 2)], "pairs")
    halves[x, stream, y] = hl.undef(wide)
    halves[pairs.x, stream, y] = down[2 * channels * pairs.x + stream, y]
    # Two pixels on the left, and on the right up to three, of which the last of an odd width lies inside.
    ends = hl.RDom([(0, channels), (0, 5)], "ends")
    pixel = hl.select(ends.y < 2, ends.y - 2, width / 2 * 2 + ends.y - 2)
    inside = hl.clamp(reflected(pixel, width), 0, width - 1)
    halves[pixel // 2, pixel % 2 * channels + ends.x, y] = column(inside * channels + ends.x)
    total = weighted([halves[x + (k >> 1), c + k % 2 * channels, y] for k in range(-2, 3)])
    half = hl.cast(wide, 128)
    output[x, y, c] = total * hl.f32(1 / 256) if kind.is_float() else hl.cast(kind, (total + half) / hl.cast(wide, 256))

    require_interleaved(output.output_buffer(), channels)
    lanes = lanes_of(wide)
    output.reorder(c, x, y).unroll(c).vectorize(x, lanes)
    output.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band)
    halves.compute_at(output, row).bound(stream, 0, 2 * channels)
    halves.update(0).reorder(stream, pairs.x, y).unroll(stream).vectorize(pairs.x, lanes)
    halves.update(1).unscheduled()
    down.compute_at(halves, pairs.x).vectorize(i, lanes)
    return output.compile_to_callable([source])
