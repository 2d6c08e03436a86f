"""Filters that remove noise and leave edges: bilateral smoothing and non-local means."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError
from pipec.filters.planes import (
    BAND,
    TYPES,
    Array,
    channels_of,
    check_border,
    extended,
    image_array,
    lanes_of,
    planar,
    require_interleaved,
    result_array,
    rounded,
    sum_over,
)

# Rows and columns of a tile of non-local means: its distances and sums fit into the first cache.
TILE_ROWS, TILE_COLUMNS = 32, 128
# Weights below count as zero, as in OpenCV.
NEGLIGIBLE_WEIGHT = 0.001


def bilateral(
    image: Any,
    size: int,
    sigma_color: float,
    sigma_space: float,
    *,
    border: str = "reflect",
    out: Array | None = None,
) -> Array:
    """Smooths a picture but not across edges, as `cv2.bilateralFilter(image, size, sigma_color, sigma_space)`.

    `image`: uint8 or float32 of shape (y, x) or (y, x, c). `size`: the diameter of the window, a circle. Neighbours
    weigh less the further they are, and the more they differ (summed over channels). At most 1 from OpenCV's result for
    uint8, 1e-3 of the largest value for float32, where OpenCV interpolates a table of weights.

    >>> step = np.repeat(np.uint8([[10, 12, 90, 92]]), 4, axis=0)
    >>> hl.filters.bilateral(step, 3, 5.0, 5.0)[0].tolist()
    [11, 12, 90, 91]
    """
    array = image_array("bilateral", image, ("uint8", "float32"))
    if size < 1 or not sigma_color > 0 or not sigma_space > 0:
        raise ArgumentError(
            f"Error: size={size}, sigma_color={sigma_color} and sigma_space={sigma_space} of bilateral() must be"
            " positive."
        )
    radius = max(size // 2, 1)
    distances = sorted({dx * dx + dy * dy for dx, dy in _circle(radius)})
    space = np.exp(-np.array(distances) / (2 * sigma_space**2)).astype(np.float32)
    run = _bilateral(array.dtype.name, channels_of(array), radius, check_border("bilateral", border))
    result = result_array("bilateral", out, array.shape, array.dtype)
    run(planar(array), space, -0.5 / sigma_color**2, planar(result))
    return result


def nl_means(
    image: Any, h: float = 3.0, patch: int = 7, search: int = 21, *, border: str = "reflect", out: Array | None = None
) -> Array:
    """Averages pixels with similar surroundings, as `cv2.fastNlMeansDenoising(image, None, h, patch, search)`.

    `image`: uint8 of shape (y, x) or (y, x, c). `h`: how strongly; `patch` and `search`: sides of the compared patches
    and of the searched window, both odd. At most 2 from OpenCV's result, which rounds squared differences.

    >>> image = np.random.default_rng(0).normal(100, 5, (16, 16)).astype(np.uint8)
    >>> bool(hl.filters.nl_means(image, 20.0, 3, 7).std() < image.std() / 2)
    True
    """
    array = image_array("nl_means", image, ("uint8",))
    if patch < 1 or search < 1 or patch % 2 == 0 or search % 2 == 0 or not h > 0:
        raise ArgumentError(
            f"Error: patch={patch} and search={search} of nl_means() must be odd and positive, h={h} positive."
        )
    channels = channels_of(array)
    run = _nl_means(channels, patch, check_border("nl_means", border))
    result = result_array("nl_means", out, array.shape, array.dtype)
    run(planar(array), search, -1.0 / (h * h * channels * patch * patch), planar(result))
    return result


def _circle(radius: int) -> list[tuple[int, int]]:
    """The offsets (x, y) at most `radius` away, but the centre."""
    offsets = product(range(-radius, radius + 1), repeat=2)
    return [(dx, dy) for dy, dx in offsets if 0 < dx * dx + dy * dy <= radius * radius]


def _exponential(value: hl.Expr) -> hl.Expr:
    """exp of numbers that are not positive, to 2e-4 of the result: a polynomial of degree 4 for 2^f, |f| <= 1/2."""
    power = hl.max(value * hl.f32(1.4426950408889634), hl.f32(-126))
    whole = hl.floor(power + hl.f32(0.5))
    t = (power - whole) * hl.f32(0.6931471805599453)
    polynomial = 1 + t * (1 + t * (hl.f32(0.5) + t * (hl.f32(1 / 6) + t * hl.f32(1 / 24))))
    return hl.reinterpret(hl.Float(32), hl.reinterpret(hl.Int(32), polynomial) + (hl.i32(whole) << 23))


@cache
def _bilateral(dtype: str, channels: int, radius: int, border: str) -> Callable[..., None]:
    """Sums over the circle, with one weight for all channels."""
    kind = TYPES[np.dtype(dtype)]
    source, space = hl.ImageParam(kind, 3, "source"), hl.ImageParam(hl.Float(32), 1, "space")
    scale = hl.Param(hl.Float(32), "scale")
    x, y, c, band, row = hl.vars("x y c band row")
    circle = _circle(radius)
    distances = sorted({dx * dx + dy * dy for dx, dy in circle})
    space.dim(0).set_bounds(0, len(distances))
    require_interleaved(source, channels)
    wide, output = hl.Func("wide"), hl.Func("bilateral")
    wide[x, y, c] = hl.f32(extended(source, border)[x, y, c])
    centre: list[Any] = [wide[x, y, k] for k in range(channels)]
    total, sums = hl.f32(1.0), list(centre)
    for dx, dy in circle:
        pixel = [wide[x + dx, y + dy, k] for k in range(channels)]
        difference = hl.abs(pixel[0] - centre[0])
        for k in range(1, channels):
            difference += hl.abs(pixel[k] - centre[k])
        weight = space[distances.index(dx * dx + dy * dy)] * _exponential(difference * difference * scale)
        total += weight
        sums = [s + weight * p for s, p in zip(sums, pixel, strict=True)]
    mean = hl.Func("mean")
    mean[x, y] = hl.Tuple(*[s / total for s in sums]) if channels > 1 else sums[0] / total
    value = hl.mux(c, [mean[x, y][k] for k in range(channels)]) if channels > 1 else hl.f32(mean[x, y])
    output[x, y, c] = rounded(value, kind)
    require_interleaved(output.output_buffer(), channels)
    lanes = lanes_of(hl.Float(32))
    output.bound(c, 0, channels).reorder(c, x, y).unroll(c).vectorize(x, lanes)
    output.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band)
    mean.compute_at(output, x).vectorize(x, lanes)
    wide.store_at(output, band).compute_at(output, row).reorder(c, x, y).unroll(c).vectorize(x, lanes)
    wide.bound(c, 0, channels)
    return output.compile_to_callable([source, space, scale])


@cache
def _nl_means(channels: int, patch: int, border: str) -> Callable[..., None]:
    """For each offset in the window the distances of a tile's patches, from sums down, then across the patch."""
    source = hl.ImageParam(hl.UInt(8), 3, "source")
    search, scale = hl.Param(hl.Int(32), "search"), hl.Param(hl.Float(32), "scale")
    x, y, c, dx, dy = hl.vars("x y c dx dy")
    require_interleaved(source, channels)
    wide, squares, down, weight, sums, output = hl.funcs("wide squares down weight sums nl_means")
    wide[x, y, c] = hl.i16(extended(source, border)[x, y, c])
    square: Any = None
    for k in range(channels):
        difference = wide[x, y, k] - wide[x + dx, y + dy, k]
        term = hl.i32(difference) * hl.i32(difference)
        square = term if square is None else square + term
    squares[x, y, dx, dy] = square
    reach = range(-(patch // 2), patch // 2 + 1)
    down[x, y, dx, dy] = sum_over(squares[x, y + k, dx, dy] for k in reach)
    distance = sum_over(down[x + k, y, dx, dy] for k in reach)
    exponential = _exponential(hl.f32(distance) * scale)
    weight[x, y, dx, dy] = hl.select(exponential < NEGLIGIBLE_WEIGHT, hl.f32(0.0), exponential)
    window = hl.RDom([(-(search / 2), search), (-(search / 2), search)], "window")
    channel = [hl.f32(wide[x + window.x, y + window.y, k]) for k in range(channels)]
    sums[x, y] = hl.Tuple(*[hl.f32(0.0)] * (channels + 1))
    w = weight[x, y, window.x, window.y]
    sums[x, y] = hl.Tuple(*[sums[x, y][k] + w * value for k, value in enumerate([*channel, hl.f32(1.0)])])
    mean = [sums[x, y][k] / sums[x, y][channels] for k in range(channels)]
    output[x, y, c] = rounded(hl.mux(c, mean) if channels > 1 else mean[0], hl.UInt(8))
    require_interleaved(output.output_buffer(), channels)
    lanes = lanes_of(hl.Float(32))
    across, band = hl.vars("across band")
    output.bound(c, 0, channels).tile(x, y, across, band, x, y, TILE_COLUMNS, TILE_ROWS, hl.TailStrategy.GuardWithIf)
    output.reorder(c, x, y, across, band).unroll(c).vectorize(x, lanes).parallel(band)
    sums.compute_at(output, across).vectorize(x, lanes)
    sums.update().reorder(x, y, window.x, window.y).vectorize(x, lanes)
    weight.compute_at(sums, window.x).vectorize(x, lanes)
    for func in (down, squares):
        func.compute_at(weight, y).vectorize(x, lanes)
    squares.store_at(sums, window.x)
    wide.compute_at(output, across).vectorize(x, lanes)
    return output.compile_to_callable([source, search, scale])
