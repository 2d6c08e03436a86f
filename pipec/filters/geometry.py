"""Pictures on another grid: resizing by any factor, and reading at the coordinates of a map."""

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
    require_interleaved,
    result_array,
    rounded,
    sum_over,
)

Weights = tuple[np.ndarray[Any, np.dtype[np.int32]], np.ndarray[Any, np.dtype[np.float32]]]
INTERPOLATIONS = ("nearest", "linear", "cubic", "lanczos", "area")
# Taps of each kernel when enlarging, and a of Keys's cubic, as OpenCV has them.
TAPS = {"nearest": 1, "linear": 2, "cubic": 4, "lanczos": 8}
CUBIC_A = -0.75


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
    down = axis_weights(array.shape[0], height, interpolation)
    across = axis_weights(array.shape[1], width, interpolation)
    result = result_array("resize", out, (height, width, *array.shape[2:]), array.dtype)
    resample(array, down, across, result)
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
    _remap(array.dtype.name, channels_of(array))(planar(array), *maps, planar(result))
    return result


def axis_weights(size: int, length: int, interpolation: str) -> Weights:
    """Returns where the taps of each of `length` elements begin in a row of `size`, and their weights.

    Arrays of shape (length,) and (taps, length). Taps outside of the row are moved to its ends.
    """
    scale = size / length
    if interpolation == "area":
        return _area(size, length, scale)
    if interpolation == "area enlarging":
        begin = np.floor(np.arange(length) * scale).astype(np.int32)
        beyond: Any = np.arange(1, length + 1) - (begin + 1) / scale
        beyond = np.where(beyond <= 0, 0, beyond - np.floor(beyond))
        return _inside(begin, np.stack([1 - beyond, beyond]), size)
    taps = TAPS[interpolation]
    if interpolation == "nearest":
        return np.minimum((np.arange(length) * scale).astype(np.int32), size - 1), np.ones((1, length), np.float32)
    centre = (np.arange(length) + 0.5) * scale - 0.5
    begin = np.floor(centre).astype(np.int32)
    distance = centre - begin
    places = np.arange(taps)[:, None] - (taps // 2 - 1)
    weights = {"linear": _linear, "cubic": _cubic, "lanczos": _lanczos}[interpolation](places - distance)
    return _inside(begin - (taps // 2 - 1), weights, size)


def resample(array: Array, down: Weights, across: Weights, result: Array) -> None:
    """Fills `result` with sums over the columns and rows of `array`, by weights as `axis_weights` returns them."""
    channels = channels_of(array)
    taps = len(down[1]), len(across[1])
    begin: Any = across[0]
    weights: Any = across[1]
    if channels > 1:
        begin = (begin[:, None] * channels + np.arange(channels, dtype=np.int32)).reshape(-1)
        weights = np.repeat(weights, channels, axis=1)
    run = _resample(array.dtype.name, channels, *taps)
    run(plane(array), down[0], np.ascontiguousarray(down[1].T), begin, weights, plane(result))


def _inside(begin: Any, weights: Any, size: int) -> Weights:
    """Moves taps outside of a row of `size` to its ends, so that all are consecutive and inside."""
    taps = min(len(weights), size)
    moved = np.clip(begin, 0, size - taps)
    result = np.zeros((taps, len(begin)))
    columns = np.arange(len(begin))
    for tap, row in enumerate(weights):
        result[np.clip(begin + tap, 0, size - 1) - moved, columns] += row
    return moved.astype(np.int32), result.astype(np.float32)


def _linear(t: Any) -> Any:
    return np.maximum(1 - np.abs(t), 0)


def _cubic(t: Any) -> Any:
    a, d = CUBIC_A, np.abs(t)
    near, far = ((a + 2) * d - (a + 3)) * d * d + 1, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


def _lanczos(t: Any) -> Any:
    weights = np.sinc(t) * np.sinc(t / 4)
    return weights / weights.sum(0)


def _area(size: int, length: int, scale: float) -> Weights:
    """The share of each pixel that lies in the interval of `scale` pixels."""
    edges = np.arange(length + 1) * scale
    begin = np.minimum(np.floor(edges[:-1] + 1e-6), size - 1).astype(np.int32)
    taps = int((np.ceil(edges[1:] - 1e-6) - begin).max())
    places = begin + np.arange(taps)[:, None]
    share = np.minimum(places + 1, edges[1:]) - np.maximum(places, edges[:-1])
    return _inside(begin, np.maximum(share, 0) / scale, size)


@cache
def _resample(dtype: str, channels: int, down_taps: int, across_taps: int) -> Callable[..., None]:
    """Sums down the columns, then across the rows, with as many taps."""
    kind = TYPES[np.dtype(dtype)]
    source = hl.ImageParam(kind, 2, "source")
    row_begin, begin = hl.ImageParam(hl.Int(32), 1, "row_begin"), hl.ImageParam(hl.Int(32), 1, "begin")
    row_weights, weights = hl.ImageParam(hl.Float(32), 2, "row_weights"), hl.ImageParam(hl.Float(32), 2, "weights")
    row_weights.dim(0).set_bounds(0, down_taps)
    weights.dim(1).set_bounds(0, across_taps)
    i, y = hl.vars("i y")
    down, turned, across, output = hl.funcs("down turned across resampled")
    first = hl.clamp(row_begin[y], 0, source.height() - down_taps)
    down[i, y] = sum_over(row_weights[k, y] * hl.f32(source[i, first + k]) for k in range(down_taps))
    turned[i, y] = down[i, y]
    left = hl.clamp(begin[i], 0, source.width() - (across_taps - 1) * channels - 1)
    across[i, y] = rounded(sum_over(weights[i, k] * turned[left + k * channels, y] for k in range(across_taps)), kind)
    output[i, y] = across[i, y]
    _turning(output, across, turned, down)
    return output.compile_to_callable([source, row_begin, row_weights, begin, weights])


def _turning(output: hl.Func, across: hl.Func, turned: hl.Func, down: hl.Func) -> None:
    """Squares of one vector's lanes: columns are the lanes going down, rows going across; so nothing gathers."""
    i, y = output.args()
    lanes = lanes_of(hl.Float(32))
    strip, row, block = hl.vars("strip row block")
    output.split(y, strip, row, lanes).split(i, block, i, lanes).reorder(i, row, block, strip)
    output.vectorize(i).unroll(row).parallel(strip)
    across.compute_at(output, block).reorder_storage(y, i).reorder(y, i).vectorize(y, lanes).unroll(i)
    turned.compute_at(output, strip).reorder_storage(y, i).split(i, block, i, lanes).reorder(y, i, block)
    turned.vectorize(y, lanes).unroll(i)
    down.compute_at(turned, block).vectorize(i, lanes).unroll(y)


@cache
def _remap(dtype: str, channels: int) -> Callable[..., None]:
    """Four neighbours at each coordinate; those of 8-bit pictures lie in one word, so that it takes one gather."""
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
    if dtype == "uint8":
        four = hl.Func("four")
        four[x, y, c] = sum_over(hl.u32(wide[x + k % 2, y + k // 2, c]) << hl.u32(8 * k) for k in range(4))
        corners = [hl.f32((four[left, above, c] >> hl.u32(8 * k)) & hl.u32(255)) for k in range(4)]
        four.compute_root().reorder(c, x, y).bound(c, 0, channels).unroll(c).vectorize(x, lanes)
        four.split(y, band, row, BAND).parallel(band)
        four.reorder_storage(c, x, y)
    else:
        corners = [hl.f32(wide[left + k % 2, above + k // 2, c]) for k in range(4)]
    upper = corners[0] + (corners[1] - corners[0]) * right
    lower = corners[2] + (corners[3] - corners[2]) * right
    output[x, y, c] = rounded(upper + (lower - upper) * below, kind)
    require_interleaved(output.output_buffer(), channels)
    output.reorder(c, x, y).unroll(c).vectorize(x, lanes)
    output.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band)
    for stage in stages:
        stage.compute_at(output, x).vectorize(x, lanes)
    return output.compile_to_callable([source, *maps])
