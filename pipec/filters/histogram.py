"""Contrast-limited adaptive histogram equalization (CLAHE): a table for each tile, interpolated between tiles."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError
from pipec.filters.planes import BAND, Array, image_array, lanes_of, result_array

BINS = 256


def clahe(image: Any, clip_limit: float = 40.0, tiles: tuple[int, int] = (8, 8), *, out: Array | None = None) -> Array:
    """Equalizes the contrast of each part of a picture, as `cv2.createCLAHE(clip_limit, tiles).apply(image)`.

    `image`: uint8 of shape (y, x). `clip_limit`: how many times the mean of a histogram its bins may reach; 0 for no
    limit. `tiles`: their number across and down, in this order as for OpenCV. At most 1 from OpenCV's result.

    >>> ramp = np.tile(np.arange(100, 116, dtype=np.uint8), (16, 1))
    >>> result = hl.filters.clahe(ramp, 4.0, (2, 2))
    >>> bool(np.ptp(result) > np.ptp(ramp))
    True
    """
    array = image_array("clahe", image, ("uint8",))
    if array.ndim != 2:
        raise ArgumentError(f"Error: clahe() takes one channel, an array of shape (y, x), not {array.shape}.")
    across, down = tiles
    if min(across, down) < 1:
        raise ArgumentError(f"Error: tiles={tiles!r} of clahe() must be two numbers of at least 1.")
    height, width = array.shape
    right, below = -width % across, -height % down
    if right or below:  # OpenCV adds a whole row or column of tiles' remainder on both axes
        right, below = right or across, below or down
    padded = np.pad(array, ((0, below), (0, right)), mode="reflect") if right or below else array
    tile_height, tile_width = padded.shape[0] // down, padded.shape[1] // across
    area = tile_height * tile_width
    limit = max(int(clip_limit * area / BINS), 1) if clip_limit > 0 else area
    tables = np.empty((down, across, BINS), np.uint8)
    _tables()(padded, tile_width, tile_height, limit, tables)
    result = result_array("clahe", out, array.shape, array.dtype)
    _interpolation()(array, tables, tile_width, tile_height, result)
    return result


@cache
def _tables() -> Callable[..., None]:
    """The table of each tile: its histogram, clipped, what was cut off spread over all bins, and summed."""
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    width, height, limit = [hl.Param(hl.Int(32), name) for name in ("tile_width", "tile_height", "limit")]
    v, i, j = hl.vars("v i j")
    histogram, excess, spread, total, table = hl.funcs("histogram excess spread total table")
    # Four histograms, by the pixel's place in the row: equal neighbours do not wait for each other's increments.
    k = hl.Var("k")
    r = hl.RDom([(0, 4), (0, (width + 3) / 4), (0, height)], "r")
    r.where(r.y * 4 + r.x < width)
    pixel = source[hl.min(i * width + r.y * 4 + r.x, source.width() - 1), j * height + r.z]
    histogram[v, k, i, j] = 0
    histogram[hl.i32(pixel), r.x, i, j] += 1
    bins = hl.Func("bins")
    bins[v, i, j] = histogram[v, 0, i, j] + histogram[v, 1, i, j] + histogram[v, 2, i, j] + histogram[v, 3, i, j]
    b = hl.RDom([(0, BINS)], "b")
    excess[i, j] = 0
    excess[i, j] += hl.max(bins[b, i, j] - limit, 0)
    rest = excess[i, j] % BINS
    step = hl.max(BINS / hl.max(rest, 1), 1)
    spread[v, i, j] = hl.min(bins[v, i, j], limit) + excess[i, j] / BINS
    spread[v, i, j] += hl.select((v % step == 0) & (v / step < rest), 1, 0)
    total[v, i, j] = spread[v, i, j]
    later = hl.RDom([(1, BINS - 1)], "later")
    total[later, i, j] += total[later - 1, i, j]
    scale = hl.f32(BINS - 1) / hl.f32(width * height)
    table[v, i, j] = hl.u8_sat(hl.round(hl.f32(total[v, i, j]) * scale))
    tile = hl.Var("tile")
    lanes = lanes_of(hl.Int(32))
    table.bound(v, 0, BINS).fuse(i, j, tile).parallel(tile).vectorize(v, lanes)
    for func in (bins, spread):
        func.compute_at(table, tile).vectorize(v, lanes)
    spread.update().vectorize(v, lanes)
    histogram.compute_at(table, tile).vectorize(v, lanes)
    histogram.update().reorder(r.x, r.y, r.z).unroll(r.x)
    for func in (excess, total):
        func.compute_at(table, tile)
    excess.update().unscheduled()
    total.update().unscheduled()
    return table.compile_to_callable([source, width, height, limit])


@cache
def _interpolation() -> Callable[..., None]:
    """Each pixel by the tables of the four nearest tiles; their entries lie in one word, read by one gather."""
    source, tables = hl.ImageParam(hl.UInt(8), 2, "source"), hl.ImageParam(hl.UInt(8), 3, "tables")
    width, height = hl.Param(hl.Int(32), "tile_width"), hl.Param(hl.Int(32), "tile_height")
    tables.dim(0).set_bounds(0, BINS)
    x, y, v, i, j, band, row = hl.vars("x y v i j band row")
    four, output = hl.Func("four"), hl.Func("clahe")
    near = hl.BoundaryConditions.repeat_edge(tables)
    four[v, i, j] = hl.u32(0)
    for place, (down, across) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
        four[v, i, j] = four[v, i, j] | (hl.u32(near[v, i + across, j + down]) << hl.u32(8 * place))

    def position(at: hl.Var, size: hl.Param) -> tuple[hl.Expr, hl.Expr]:
        """The tile before a pixel, and the weight of the next tile."""
        place = hl.f32(at) * (hl.f32(1.0) / hl.f32(size)) - hl.f32(0.5)
        return hl.i32(hl.floor(place)), place - hl.floor(place)

    columns, rows = hl.Func("columns"), hl.Func("rows")
    columns[x] = hl.Tuple(*position(x, width))
    rows[y] = hl.Tuple(*position(y, height))
    last = [tables.dim(d).extent() - 1 for d in (1, 2)]
    word = four[hl.i32(source[x, y]), hl.clamp(columns[x][0], -1, last[0]), hl.clamp(rows[y][0], -1, last[1])]
    a, b, c, d = [hl.f32((word >> hl.u32(8 * place)) & hl.u32(255)) for place in range(4)]
    right, below = columns[x][1], rows[y][1]
    upper, lower = a * (1 - right) + b * right, c * (1 - right) + d * right
    output[x, y] = hl.u8(upper * (1 - below) + lower * below + hl.f32(0.5))
    lanes = lanes_of(hl.Float(32))
    output.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band).vectorize(x, lanes)
    columns.compute_root().vectorize(x, lanes)
    four.compute_root().vectorize(v, lanes)
    for number in range(4):
        four.update(number).vectorize(v, lanes)
    return output.compile_to_callable([source, tables, width, height])
