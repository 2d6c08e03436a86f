"""Canny's edges: gradients and thin ridges in one pass, then strong edges grow along weak ones, 64 pixels at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError
from pipec.filters.planes import BAND, Array, image_array, lanes_of

WORD = 64
# tan(22.5 degrees) in units of 2^-16; OpenCV rounds it to 2^-15.
TANGENT = 2 * 13573


def canny(image: Any, low: float, high: float) -> Array:
    """Finds edges, as `cv2.Canny(image, low, high)`: 255 on edges, 0 elsewhere.

    `image`: uint8 of shape (y, x). Pixels whose gradient |dx| + |dy| (Sobel, 3 x 3) is a ridge above `low` are edges
    where they are connected to one above `high`. Equal to OpenCV's.

    >>> step = np.zeros((5, 6), np.uint8)
    >>> step[:, 3:] = 100
    >>> hl.filters.canny(step, 50, 150)[2].tolist()
    [0, 0, 255, 0, 0, 0]
    """
    array = image_array("canny", image, ("uint8",))
    if array.ndim != 2:
        raise ArgumentError(f"Error: canny() takes one channel, an array of shape (y, x), not {array.shape}.")
    low, high = sorted((int(np.floor(low)), int(np.floor(high))))
    height, width = array.shape
    padded = -(-width // WORD) * WORD
    ridges, strong = masks = np.empty((2, height, padded), np.uint8)
    masks[:, :, width:] = 0
    _ridges()(array, low, high, ridges[:, :width], strong[:, :width])
    weak, edges = [np.packbits(mask, axis=1, bitorder="little").view(np.uint64) for mask in (ridges, strong)]
    grow, grown = _grow(), np.empty_like(edges)
    while True:
        grow(weak, edges, grown)
        if np.array_equal(grown, edges):
            break
        edges, grown = grown, edges
    result = np.unpackbits(edges.view(np.uint8), axis=1, count=width, bitorder="little")
    np.negative(result, out=result)  # 1 becomes 255
    return result


@cache
def _ridges() -> Callable[..., None]:
    """Pixels whose gradient exceeds that of its neighbours across the edge: 1 above `low`, and 1 above `high`."""
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    low, high = hl.Param(hl.Int(32), "low"), hl.Param(hl.Int(32), "high")
    x, y, band, row = hl.vars("x y band row")
    wide, gradient, ridges = hl.funcs("wide gradient ridges")
    extended = hl.BoundaryConditions.repeat_edge(source)
    wide[x, y] = hl.i16(extended[x, y])
    left, right = ([wide[x + side, y + k] for k in (-1, 0, 1)] for side in (-1, 1))
    dx = (right[0] - left[0]) + 2 * (right[1] - left[1]) + (right[2] - left[2])
    above, below = ([wide[x + k, y + side] for k in (-1, 0, 1)] for side in (-1, 1))
    dy = (below[0] - above[0]) + 2 * (below[1] - above[1]) + (below[2] - above[2])
    inside = (x >= 0) & (x < source.width()) & (y >= 0) & (y < source.height())
    total = hl.i16(hl.abs(dx)) + hl.i16(hl.abs(dy))
    gradient[x, y] = hl.Tuple(hl.select(inside, total, hl.i16(0)), dx, dy)

    def strength(across: int, down: int) -> Any:
        return gradient[x + across, y + down][0]

    here, slope_x, slope_y = (gradient[x, y][k] for k in range(3))
    across, down = hl.i16(hl.abs(slope_x)), hl.i16(hl.abs(slope_y))
    # The product is a multiple of 2^16 for 0 only, so that comparisons with the rounded quotient are exact.
    tilt = hl.i16((hl.i32(across) * TANGENT) >> 16)
    horizontal = (here > strength(-1, 0)) & (here >= strength(1, 0))
    vertical = (here > strength(0, -1)) & (here >= strength(0, 1))
    falling = (here > strength(-1, -1)) & (here > strength(1, 1))
    rising = (here > strength(1, -1)) & (here > strength(-1, 1))
    diagonal = hl.select((slope_x ^ slope_y) < 0, rising, falling)
    ridge = hl.select(down <= tilt, horizontal, hl.select(down > tilt + across * 2, vertical, diagonal))
    is_weak, is_strong = ridge & (here > hl.i16(low)), ridge & (here > hl.i16(high))
    ridges[x, y] = hl.Tuple(hl.u8(is_weak), hl.u8(is_strong))
    lanes = lanes_of(hl.Int(16))
    ridges.split(y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band).vectorize(x, lanes)
    gradient.store_at(ridges, band).compute_at(ridges, row).vectorize(x, lanes)
    wide.store_at(ridges, band).compute_at(ridges, row).vectorize(x, lanes)
    return ridges.compile_to_callable([source, low, high])


@cache
def _grow() -> Callable[..., None]:
    """Grows edges over weak pixels that touch them: rows downwards, then upwards; masks of 64 pixels, the first lowest.

    To be repeated until nothing changes.
    """
    weak, edges = hl.ImageParam(hl.UInt(64), 2, "weak"), hl.ImageParam(hl.UInt(64), 2, "edges")
    j, y = hl.vars("j y")
    words, rows = weak.width(), weak.height()
    before = hl.BoundaryConditions.constant_exterior(edges, hl.u64(0))
    sweeps = []
    for name, backwards in (("downwards", False), ("upwards", True)):
        sweep = hl.Func(name)
        sweep[j, y] = before[j, y]
        r = hl.RDom([(0, words), (0, rows)], f"r_{name}")
        row, behind = (rows - 1 - r.y, 1) if backwards else (r.y, -1)
        mask = weak[r.x, row]
        # Within the row itself, edges pass from word to word once in a sweep: so that words are computed in vectors.
        touching = before[r.x, row] | _beside(*[before[r.x + k, row] for k in (-1, 0, 1)])
        touching |= sweep[r.x, row + behind] | _beside(*[sweep[r.x + k, row + behind] for k in (-1, 0, 1)])
        sweep[r.x, row] = _filled(touching & mask, mask)
        lanes = lanes_of(hl.UInt(64))
        sweep.compute_root().vectorize(j, lanes)
        # The words of a row are independent: they read the row before, which is complete, and `before`.
        sweep.update().allow_race_conditions().vectorize(r.x, lanes, hl.TailStrategy.GuardWithIf)
        sweeps.append(sweep)
        before = sweep
    grown = hl.Func("grown")
    grown[j, y] = sweeps[-1][j, y]
    return grown.compile_to_callable([weak, edges])


def _beside(before: Any, here: Any, after: Any) -> Any:
    """The pixels to the left and right of those in the word `here`."""
    return (here << hl.u64(1)) | (here >> hl.u64(1)) | (before >> hl.u64(WORD - 1)) | (after << hl.u64(WORD - 1))


def _filled(seeds: hl.Expr, mask: hl.Expr) -> hl.Expr:
    """All pixels of the runs of `mask` that hold a seed."""
    # An addition carries each seed to the end of its run.
    seeds |= ((mask + seeds) ^ mask) & mask
    step = 1
    while step < WORD:
        seeds |= mask & (seeds >> hl.u64(step))
        mask &= mask >> hl.u64(step)
        step *= 2
    return seeds
