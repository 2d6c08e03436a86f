"""Pictures on another grid: resizing by any factor, and reading at the coordinates of a map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    require_interleaved,
    result_array,
    rounded,
    sum_over,
)
from pipec.filters.resampling import resample

INTERPOLATIONS = ("nearest", "linear", "cubic", "lanczos", "area")


def resize(image: Any, shape: tuple[int, int], interpolation: str = "linear", *, out: Array | None = None) -> Array:
    """Resizes a picture to `shape` = (height, width), as `cv2.resize(image, (width, height), interpolation=...)`.

    `image`: uint8, uint16 or float32 of shape (y, x) or (y, x, c). `interpolation`: "nearest", "linear", "cubic",
    "lanczos" (8 taps) or "area" (means, for shrinking). As in OpenCV only "area" looks at all
    pixels when it shrinks. At most 1 from OpenCV's result for integers, 1e-5 of the largest value for float32.

    >>> hl.filters.resize(np.float32([[0, 1]]), (1, 4)).tolist()
    [[0.0, 0.25, 0.75, 1.0]]
    """
    array = image_array("resize", image)
    height, width = (int(size) for size in shape)
    if interpolation not in INTERPOLATIONS:
        raise ArgumentError(
            f"Error: interpolation={interpolation!r} of resize() is none of {', '.join(INTERPOLATIONS)}."
        )
    if min(height, width) < 1:
        raise ArgumentError(f"Error: shape={shape!r} of resize() must be (height, width), both at least 1.")
    shrinks = height <= array.shape[0] and width <= array.shape[1]
    if interpolation == "area" and not shrinks:
        interpolation = "area enlarging"
    result = result_array("resize", out, (height, width, *array.shape[2:]), array.dtype)
    resample(array, interpolation, result)
    return result


def remap(image: Any, map_x: Any, map_y: Any, *, out: Array | None = None) -> Array:
    """Reads a picture at the coordinates of two maps, as `cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR)`.

    `image`: uint8, uint16 or float32 of shape (y, x) or (y, x, c), taken for zero outside; the maps are float32 of the
    result's shape (y, x). Interpolates linearly. OpenCV rounds coordinates to 1/32 pixel; where both are given such
    coordinates, at most 1 apart for integers, 1e-5 of the largest value for float32.

    >>> ys, xs = np.mgrid[:2, :2].astype(np.float32)
    >>> hl.filters.remap(np.float32([[0, 1], [2, 3]]), xs[:, ::-1], ys).tolist()
    [[1.0, 0.0], [3.0, 2.0]]
    """
    array = image_array("remap", image)
    maps = [np.ascontiguousarray(coordinates, np.float32) for coordinates in (map_x, map_y)]
    if maps[0].ndim != 2 or maps[0].shape != maps[1].shape:
        raise ArgumentError(
            f"Error: The maps of remap() must have one shape (y, x), not {maps[0].shape} and {maps[1].shape}."
        )
    result = result_array("remap", out, (*maps[0].shape, *array.shape[2:]), array.dtype)
    is_narrow = min(array.shape[:2]) < 2
    _remap(array.dtype.name, channels_of(array), is_narrow)(planar(array), *maps, planar(result))
    return result


@cache
def _remap(dtype: str, channels: int, is_narrow: bool) -> Callable[..., None]:
    """Interpolates between four neighbours at each coordinate. `is_narrow`: the picture has a single row or column.

    With AVX-512 those of grey 8-bit pictures lie in one word, so that it takes one gather.
    """
    kind = TYPES[np.dtype(dtype)]
    source = hl.ImageParam(kind, 3, "source")
    maps = [hl.ImageParam(hl.Float(32), 2, name) for name in ("map_x", "map_y")]
    x, y, c, band, row = hl.vars("x y c band row")
    place, output = hl.Func("place"), hl.Func("remapped")
    require_interleaved(source, channels)
    far = hl.f32(1 << 24)
    at = [hl.clamp(image[x, y], -far, far) for image in maps]
    place[x, y] = hl.Tuple(*[hl.i32(hl.floor(e)) for e in at], *[e - hl.floor(e) for e in at])
    wide = hl.BoundaryConditions.constant_exterior(source, hl.cast(kind, 0))
    left = hl.clamp(place[x, y][0], -2, source.width())
    above = hl.clamp(place[x, y][1], -2, source.height())
    right, below = place[x, y][2], place[x, y][3]
    stages = [place]
    lanes = lanes_of(hl.Float(32))
    if is_narrow:
        corners = [hl.f32(wide[left + k % 2, above + k // 2, c]) for k in range(4)]
        value = _between(corners, right, below)
    elif dtype == "uint8" and channels == 1 and lanes > 8:
        four = hl.Func("four")
        four[x, y, c] = sum_over(hl.u32(wide[x + k % 2, y + k // 2, c]) << hl.u32(8 * k) for k in range(4))
        word = four[left, above, c]
        value = _between([hl.f32((word >> hl.u32(8 * k)) & hl.u32(255)) for k in range(4)], right, below)
        four.compute_root().vectorize(x, lanes).split(y, band, row, BAND).parallel(band)
    elif dtype == "float32":
        value = _between(_neighbours(source, left, above, c), right, below)
    else:
        weights = hl.Func("weights")
        column, line = _inside(source, left, above)
        weights[x, y] = hl.Tuple(*_weights(left, column, right), *_weights(above, line, below))
        stages.append(weights)
        factors = [weights[x, y][k] for k in range(4)]
        pixels = [[hl.f32(source[column + i, line + j, c]) for i in range(2)] for j in range(2)]
        value = sum_over(factors[2 + j] * sum_over(factors[i] * pixels[j][i] for i in range(2)) for j in range(2))
    output[x, y, c] = rounded(value, kind)
    require_interleaved(output.output_buffer(), channels)
    output.reorder(c, x, y).unroll(c).vectorize(x, lanes)
    output.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band)
    for stage in stages:
        stage.compute_at(output, x).vectorize(x, lanes)
    return output.compile_to_callable([source, *maps])


def _between(corners: Sequence[Any], right: Any, below: Any) -> Any:
    """What lies between four pixels, the fractions `right` and `below` of the way."""
    upper = corners[0] + (corners[1] - corners[0]) * right
    lower = corners[2] + (corners[3] - corners[2]) * right
    return upper + (lower - upper) * below


def _inside(source: Any, left: Any, above: Any) -> tuple[Any, Any]:
    """The column and row of the nearest square of four pixels in a picture of at least two rows and two columns.

    One address with constant offsets serves all four.
    """
    return hl.clamp(left, 0, source.width() - 2), hl.clamp(above, 0, source.height() - 2)


def _weights(target: Any, place: Any, fraction: Any) -> tuple[Any, Any]:
    """The weights of the pixels at `place` and after it for what lies `fraction` after `target`, zero outside.

    All channels share them. Pixels of weight 0 must be finite.
    """
    rest = 1.0 - fraction
    first = hl.select(target == place, rest, target + 1 == place, fraction, 0.0)
    second = hl.select(target == place, fraction, target - 1 == place, rest, 0.0)
    return first, second


def _neighbours(source: Any, left: Any, above: Any, c: Any) -> list[Any]:
    """The four pixels at (left, above), zero outside of the picture: those inside, moved by a row or a column."""
    column, row = _inside(source, left, above)
    rows = []
    for j in range(2):
        pixels = [hl.f32(source[column + k, row + j, c]) for k in range(2)]
        rows.append(_moved(pixels, left, column))
    columns = [_moved([rows[0][k], rows[1][k]], above, row) for k in range(2)]
    return [columns[k][j] for j in range(2) for k in range(2)]


def _moved(pair: list[Any], target: Any, place: Any) -> list[Any]:
    """The values at `target` and after it, from those at `place` and after it; zero elsewhere."""
    first = hl.select(target == place, pair[0], target - 1 == place, pair[1], 0.0)
    second = hl.select(target == place, pair[1], target + 1 == place, pair[0], 0.0)
    return [first, second]
