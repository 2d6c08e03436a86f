"""Resampling of the rows and columns of a picture by weights: how `resize` is computed.

There are two ways. One turns blocks by a quarter, so that both sums run along dense vectors. The other copies the
elements that a vector of results reads into a table, of which instructions that permute registers take the taps; it is
the quicker one where little else is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

import pipec as hl
from pipec.filters.planes import BAND, TYPES, Array, channels_of, lanes_of, plane, rounded, sum_over
from pipec.target import TargetFeature, get_host_target

Weights = tuple[np.ndarray[Any, np.dtype[np.int32]], np.ndarray[Any, np.dtype[np.float32]]]
MAX_CACHED_WEIGHTS = 64
# Elements of two registers of 64 bytes: what one permutation reaches.
REGISTER_PAIR_BYTES = 128
# Longer tables take more than two permutations and selections for each tap.
MAX_TABLE_PAIRS = 2
# With more taps, or conversions of bytes to floats, turned blocks are quicker (measured with AVX-512).
MAX_TABLE_TAPS = 4
# Taps of each kernel when enlarging, and a of Keys's cubic, as OpenCV has them.
TAPS = {"nearest": 1, "linear": 2, "cubic": 4, "lanczos": 8}
CUBIC_A = -0.75


def resample(array: Array, interpolation: str, result: Array) -> None:
    """Fills `result` with sums over the columns and rows of `array`, by weights as `axis_weights` returns them."""
    channels = channels_of(array)
    down = axis_weights(array.shape[0], result.shape[0], interpolation)
    begin, weights = _elements(array.shape[1], result.shape[1], interpolation, channels)
    taps = len(down[1]), len(weights)
    rows = down[0], np.ascontiguousarray(down[1].T)
    copies = interpolation == "nearest"
    if copies or array.dtype == np.float32 and result.shape[1] < array.shape[1] and taps[1] <= MAX_TABLE_TAPS:
        bits = array.dtype.itemsize * 8
        tables = _tables(array.shape[1], result.shape[1], interpolation, channels, bits)
        if tables is not None and get_host_target().has_feature(TargetFeature.AVX512_Cannonlake):
            first, offset, entries = tables
            run = _resample_by_tables(array.dtype.name, channels, *taps, entries, copies)
            run(plane(array), *rows, first, offset, weights, plane(result))
            return
    _resample(array.dtype.name, channels, *taps)(plane(array), *rows, begin, weights, plane(result))


@lru_cache(MAX_CACHED_WEIGHTS)
def _elements(size: int, length: int, interpolation: str, channels: int) -> Weights:
    """As axis_weights, for each element of a row of pixels with several channels."""
    begin, weights = axis_weights(size, length, interpolation)
    places: Any = begin[:, None] * channels + np.arange(channels, dtype=np.int32)
    return places.reshape(-1), np.repeat(weights, channels, axis=1)


@lru_cache(MAX_CACHED_WEIGHTS)
def _tables(size: int, length: int, interpolation: str, channels: int, bits: int) -> tuple[Any, Any, int] | None:
    """Where the table of each vector of results begins, the place of each result in it, and its length.

    None where a row is shorter than a table, or results are so far apart that tables would be long.
    """
    begin, weights = _elements(size, length, interpolation, channels)
    pair = REGISTER_PAIR_BYTES * 8 // bits
    lanes = pair // 2
    starts = np.arange(0, len(begin), lanes)
    low: Any = np.minimum.reduceat(begin, starts)
    span = int((np.maximum.reduceat(begin, starts) - low).max()) + (len(weights) - 1) * channels + 1
    entries = -(-span // pair) * pair
    if entries > min(size * channels, MAX_TABLE_PAIRS * pair):
        return None
    first = np.minimum(low, size * channels - entries)
    return first, begin - np.repeat(first, lanes)[: len(begin)], entries


@lru_cache(MAX_CACHED_WEIGHTS)
def axis_weights(size: int, length: int, interpolation: str) -> Weights:
    """Returns where the taps of each of `length` elements begin in a row of `size`, and their weights.

    Arrays of shape (length,) and (taps, length). Taps outside of the row are moved to its ends.
    """
    scale = 1 / (length / size)  # rounded as in OpenCV, where it decides between neighbours
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
def _resample_by_tables(
    dtype: str, channels: int, down_taps: int, across_taps: int, entries: int, copies: bool
) -> Callable[..., None]:
    """Sums down the columns that a vector of results reads, a table, then across it. `copies`: there is one tap."""
    kind = TYPES[np.dtype(dtype)]
    lanes = lanes_of(kind if copies else hl.Float(32))
    source = hl.ImageParam(kind, 2, "source")
    row_begin, first, offset = (hl.ImageParam(hl.Int(32), 1, name) for name in ("row_begin", "first", "offset"))
    row_weights, weights = hl.ImageParam(hl.Float(32), 2, "row_weights"), hl.ImageParam(hl.Float(32), 2, "weights")
    row_weights.dim(0).set_bounds(0, down_taps)
    weights.dim(1).set_bounds(0, across_taps)
    i, j, y, block, band, row = hl.vars("i j y block band row")
    table, output = hl.funcs("table resampled")
    top = hl.clamp(row_begin[y], 0, source.height() - down_taps)
    left = hl.clamp(first[block], 0, source.width() - entries)
    rows = [source[left + j, top + k] for k in range(down_taps)]
    table[j, block, y] = rows[0] if copies else sum_over(row_weights[k, y] * rows[k] for k in range(down_taps))
    at = hl.clamp(offset[i], 0, entries - 1 - (across_taps - 1) * channels)
    taps = [table[at + k * channels, i / lanes, y] for k in range(across_taps)]
    output[i, y] = taps[0] if copies else sum_over(weights[i, k] * tap for k, tap in enumerate(taps))
    # So that i / lanes is the number of the block.
    output.output_buffer().dim(0).set_min(0)
    output.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band)
    output.split(i, block, i, lanes, hl.TailStrategy.GuardWithIf).vectorize(i)
    table.compute_at(output, block).bound(j, 0, entries).vectorize(j, lanes).unroll(j)
    return output.compile_to_callable([source, row_begin, row_weights, first, offset, weights])
