"""Bilateral filtering on a coarse grid of space and brightness (Chen, Paris and Durand, 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import cv2
import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.run import main

CELL = 8  # pixels of a cell of the grid, each way
TAPS = (1.0, 4.0, 6.0, 4.0, 1.0)
SETTINGS = {"r_sigma": 0.1}  # how far brightness reaches, of 1


def build(hl: ModuleType) -> Algorithm:
    """Average pixels with those near them in place and in brightness: edges stay, texture goes.

    The grid holds, for each cell of 8 x 8 pixels and each band of brightness, the sum of its pixels and their number.
    Both are smoothed in all three directions; a pixel becomes the quotient of the two where it lies in the grid.
    """
    x, y, z, c = hl.vars("x y z c")
    source, r_sigma = hl.ImageParam(hl.Float(32), 2, "source"), hl.Param(hl.Float(32), "r_sigma", SETTINGS["r_sigma"])
    bounded = hl.BoundaryConditions.repeat_edge(source)
    grid, blur_z, blur_x, blur_y, row = hl.funcs("grid blur_z blur_x blur_y row")
    output = hl.Func("bilateral_grid")

    cell = hl.RDom([(0, CELL), (0, CELL)], "cell")
    pixel = hl.clamp(bounded[x * CELL + cell.x - CELL // 2, y * CELL + cell.y - CELL // 2], 0.0, 1.0)
    band = hl.i32(pixel * (1.0 / r_sigma) + 0.5)
    grid[x, y, z, c] = 0.0
    grid[x, y, band, c] += hl.mux(c, [pixel, 1.0])

    blur_z[x, y, z, c] = _smooth(lambda i: grid[x, y, z + i, c])
    blur_x[x, y, z, c] = _smooth(lambda i: blur_z[x + i, y, z, c])
    blur_y[x, y, z, c] = _smooth(lambda i: blur_x[x, y + i, z, c])

    def between(before: Any, after: Any, pixels: Any) -> Any:
        """Interpolated between the centres of two neighbouring cells."""
        return hl.lerp(before, after, hl.f32(pixels % CELL) / CELL)

    row[x, y, z, c] = between(blur_y[x, y // CELL, z, c], blur_y[x, y // CELL + 1, z, c], y)
    height = hl.clamp(source[x, y], 0.0, 1.0) * (1.0 / r_sigma)
    below = hl.clamp(hl.i32(height), 0, hl.i32(1.0 / r_sigma))

    def sliced(channel: int) -> Any:
        column = x // CELL
        levels = [between(row[column, y, k, channel], row[column + 1, y, k, channel], x) for k in (below, below + 1)]
        return hl.lerp(*levels, height - hl.f32(below))

    output[x, y] = sliced(0) / sliced(1)
    stages = {"grid": grid, "blur_z": blur_z, "blur_x": blur_x, "blur_y": blur_y, "row": row, "cell": cell}
    return Algorithm(output, {"source": source}, {"r_sigma": r_sigma}, stages | {"x": x, "y": y, "z": z, "c": c})


def _smooth(tap: Any) -> Any:
    """The binomial weights over tap(-2) .. tap(2), not divided: the quotient at the end does that."""
    return sum((weight * tap(i - 2) for i, weight in enumerate(TAPS) if i > 0), TAPS[0] * tap(-2))


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Rows of the grid in parallel up to the first blur, planes of brightness for the others, then strips of pixels."""
    stages, output = algorithm.stages, algorithm.output
    x, y, z, c, cell = (stages[name] for name in ("x", "y", "z", "c", "cell"))
    strip = hl.Var("strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    blur_z, grid = stages["blur_z"], stages["grid"]
    blur_z.compute_root().reorder(c, z, x, y).parallel(y).vectorize(x, lanes).unroll(c)
    grid.compute_at(blur_z, y)
    grid.vectorize(x, lanes)
    grid.update().reorder(c, cell.x, cell.y, x, y).unroll(c)
    for name in ("blur_x", "blur_y"):
        stages[name].compute_root().reorder(c, x, y, z).parallel(z).vectorize(x, lanes).unroll(c)
    output.split(y, strip, y, CELL).parallel(strip).vectorize(x, lanes)
    stages["row"].compute_at(output, y).vectorize(x, lanes)


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
