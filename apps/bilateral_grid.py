"""Bilateral filtering on a coarse grid of space and brightness (Chen, Paris and Durand, 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

CELL = 8  # pixels of a cell of the grid, each way
TAPS = (1.0, 4.0, 6.0, 4.0, 1.0)
SETTINGS = {"r_sigma": 0.1}  # how far brightness reaches, of 1


def build(hl: ModuleType) -> Algorithm:
    """Average pixels with those near them in place and in brightness: edges stay, texture goes.

    The grid holds, for each cell of 8 x 8 pixels and each band of brightness, the sum of its pixels and their number.
    Both are smoothed in all three directions; a pixel becomes the quotient of the two where it lies in the grid.
    """
    x, y, z, c, k = hl.vars("x y z c k")
    source, r_sigma = hl.ImageParam(hl.Float(32), 2, "source"), hl.Param(hl.Float(32), "r_sigma", SETTINGS["r_sigma"])
    bounded = hl.BoundaryConditions.repeat_edge(source)
    grid, blur_z, blur_x, blur_y, row = hl.funcs("grid blur_z blur_x blur_y row")
    height, below, near, output = hl.funcs("height below near bilateral_grid")

    cell = hl.RDom([(0, CELL), (0, CELL)], "cell")
    pixel = hl.clamp(bounded[x * CELL + cell.x - CELL // 2, y * CELL + cell.y - CELL // 2], 0.0, 1.0)
    band = hl.i32(pixel * (1.0 / r_sigma) + 0.5)
    grid[c, z, x, y] = 0.0
    grid[c, band, x, y] += hl.mux(c, [pixel, 1.0])

    # From here on k counts sums and numbers in turn, 2 z and 2 z + 1, as they lie in memory.
    blur_z[k, x, y] = _smooth(lambda i: grid[k % 2, k // 2 + i, x, y])
    blur_x[k, x, y] = _smooth(lambda i: blur_z[k, x + i, y])
    blur_y[k, x, y] = _smooth(lambda i: blur_x[k, x, y + i])

    def between(before: Any, after: Any, pixels: Any) -> Any:
        """Interpolated between the centres of two neighbouring cells."""
        return hl.lerp(before, after, hl.f32(pixels % CELL) / CELL)

    row[k, x, y] = between(blur_y[k, x, y // CELL], blur_y[k, x, y // CELL + 1], y)
    height[x, y] = hl.clamp(source[x, y], 0.0, 1.0) * (1.0 / r_sigma)
    below[x, y] = hl.clamp(hl.i32(height[x, y]), 0, hl.i32(1.0 / r_sigma))
    first = 2 * below[x, y]
    near[k, x, y] = between(row[first + k, x // CELL, y], row[first + k, x // CELL + 1, y], x)
    share = height[x, y] - hl.f32(below[x, y])
    total, count = (hl.lerp(near[k, x, y], near[2 + k, x, y], share) for k in (0, 1))
    output[x, y] = total / count
    stages = {
        "grid": grid,
        "blur_z": blur_z,
        "blur_x": blur_x,
        "blur_y": blur_y,
        "row": row,
        "below": below,
        "near": near,
    }
    stages |= {"x": x, "y": y, "c": c, "k": k, "cell": cell}
    return Algorithm(output, {"source": source}, {"r_sigma": r_sigma}, stages)


def _smooth(tap: Any) -> Any:
    """The binomial weights over tap(-2) .. tap(2), not divided: the quotient at the end does that."""
    return sum((weight * tap(i - 2) for i, weight in enumerate(TAPS) if i > 0), TAPS[0] * tap(-2))


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Rows of the grid in parallel, then strips of as many pixels; vectors of sums and numbers, which lie together."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, k, cell = (stages[name] for name in ("x", "y", "c", "k", "cell"))
    strip = hl.Var("strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    round_up = hl.TailStrategy.RoundUp
    blur_x, grid, near = stages["blur_x"], stages["grid"], stages["near"]
    blur_x.compute_root().vectorize(k, lanes, round_up).parallel(y)
    stages["blur_z"].compute_at(blur_x, y).vectorize(k, lanes, round_up)
    grid.bound(c, 0, 2).compute_at(blur_x, y)
    grid.update().reorder(c, x, cell.x, cell.y, y).unroll(c)
    output.split(y, strip, y, CELL).vectorize(x, lanes).parallel(strip)
    stages["blur_y"].compute_at(output, strip).vectorize(k, lanes, round_up)
    stages["row"].compute_at(output, y).vectorize(k, lanes, round_up)
    stages["below"].compute_at(output, x).vectorize(x)
    near.bound(k, 0, 4).compute_at(output, x).vectorize(k).unroll(x)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A cell of the grid a thread, which counts its pixels; a kernel for each direction of smoothing; the pixels."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, k, cell = (stages[name] for name in ("x", "y", "c", "k", "cell"))
    cells = stages["grid"].compute_root().bound(c, 0, 2)
    z = cells.args()[1]
    grid(hl, cells.reorder(c, z, x, y).unroll(c), x, y)
    grid(hl, cells.update().reorder(c, cell.x, cell.y, x, y).unroll(c), x, y)
    for name in ("blur_z", "blur_x", "blur_y"):
        grid(hl, stages[name].compute_root(), k, x, y)
    grid(hl, output, x, y)
    stages["below"].compute_at(output, hl.Var("xi"))
    stages["near"].bound(k, 0, 4).compute_at(output, hl.Var("xi")).unroll(k)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    """The same grid with a further cell all round, filled by numpy's unbuffered add."""
    source, r_sigma = images["source"], np.float32(settings["r_sigma"])
    grid = _grid(np.clip(source, 0, 1), np.float32(1) / r_sigma)
    for axis in (1, 2, 3):
        grid = sum(np.float32(weight) * np.roll(grid, 2 - i, axis) for i, weight in enumerate(TAPS))
    height, width = source.shape
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    level = np.clip(source, 0, 1) * (np.float32(1) / r_sigma)
    z = level.astype(np.int32)
    total = np.zeros((2, height, width), np.float32)
    for dx, dy, dz in np.ndindex(2, 2, 2):
        weights = [_share(dx, (x % CELL) / CELL), _share(dy, (y % CELL) / CELL), _share(dz, level - z)]
        total += np.prod(weights, axis=0) * grid[:, z + dz + 2, y // CELL + dy + 2, x // CELL + dx + 2]
    return total[0] / total[1]


def _share(side: int, fraction: Array) -> Array:
    return np.float32(fraction if side else 1 - fraction)


def _grid(pixel: Array, scale: np.float32) -> Array:
    """Sums and counts by channel, z, y, x; cell (0, 0, 0) is element (2, 2, 2)."""
    height, width = pixel.shape
    cells = [(size - 1) // CELL + 6 for size in (height, width)]
    before = CELL // 2 + 2 * CELL
    room = [(before, count * CELL - before - size) for count, size in zip(cells, pixel.shape, strict=True)]
    padded = np.pad(pixel, room, mode="edge")
    z = (padded * scale + np.float32(0.5)).astype(np.int32)
    grid = np.zeros((2, int(scale) + 7, *cells), np.float32)
    y, x = np.indices(padded.shape) // CELL
    np.add.at(grid[0], (z + 2, y, x), padded)
    np.add.at(grid[1], (z + 2, y, x), np.float32(1))
    return grid


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    import cv2

    return cv2.bilateralFilter(images["source"], -1, settings["r_sigma"], CELL)


def inputs(picture: Array) -> dict[str, Array]:
    """Luminance in 0..1."""
    return {"source": photos.grey(picture).astype(np.float32) / np.float32(65535)}


def before(images: Mapping[str, Array]) -> Array:
    return photos.to_bytes(images["source"])


APP = App(
    name="bilateral_grid",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=photos.to_bytes,
    rival=opencv,
    rival_name="OpenCV bilateralFilter",
    photo="chelsea",
    dtype=np.float32,
    bench_size=(1536, 2560),
    test_size=(133, 70),
    settings=SETTINGS,
    before=before,
    tolerance=1e-4,
)

if __name__ == "__main__":
    main(APP)
