"""Non-local means (Buades, Coll and Morel, 2005): a pixel becomes the mean of those whose surroundings look alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import TILE, grid
from apps.run import main

PATCH, SEARCH = 7, 7  # sides of the squares that are compared, and in which they are looked for
NOISE = 0.08  # standard deviation of what is added to the pictures that it is shown on
SETTINGS = {"strength": 0.12}  # the root mean square difference at which a patch weighs 1 / e


def build(hl: ModuleType) -> Algorithm:
    """Each of the 49 pixels around weighs exp(-mean squared difference of the patches about the two / strength^2)."""
    x, y, c, dx, dy = hl.vars("x y c dx dy")
    source = hl.ImageParam(hl.Float(32), 3, "source")
    strength = hl.Param(hl.Float(32), "strength", SETTINGS["strength"])
    padded, difference, down, across, total, output = hl.funcs("padded difference down across total nl_means")

    padded[x, y, c] = hl.BoundaryConditions.repeat_edge(source)[x, y, c]
    squares = [(padded[x, y, k] - padded[x + dx, y + dy, k]) ** 2 for k in range(3)]
    difference[x, y, dx, dy] = squares[0] + squares[1] + squares[2]
    down[x, y, dx, dy] = _sum(lambda i: difference[x, y + i, dx, dy])
    across[x, y, dx, dy] = _sum(lambda i: down[x + i, y, dx, dy])
    search = hl.RDom([(-(SEARCH // 2), SEARCH)] * 2, "search")
    scale = -1.0 / (strength * strength * float(3 * PATCH * PATCH))
    weight = hl.fast_exp(across[x, y, search.x, search.y] * scale)
    total[x, y] = hl.Tuple([hl.f32(0)] * 4)
    near = [padded[x + search.x, y + search.y, k] for k in range(3)]
    total[x, y] = hl.Tuple([*(total[x, y][k] + weight * near[k] for k in range(3)), total[x, y][3] + weight])
    output[x, y, c] = hl.clamp(hl.mux(c, [total[x, y][k] for k in range(3)]) / total[x, y][3], 0.0, 1.0)
    stages = {"padded": padded, "difference": difference, "down": down, "total": total}
    return Algorithm(
        output,
        {"source": source},
        {"strength": strength},
        stages | {"x": x, "y": y, "c": c, "search": search},
    )


def _sum(tap: Any) -> Any:
    """Of the taps that a patch covers one way."""
    return sum((tap(i) for i in range(1 - PATCH // 2, PATCH // 2 + 1)), tap(-(PATCH // 2)))


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Tiles in parallel; for each of the 49 displacements the sums of differences slide down the tile, row by row."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, search, total = (stages[name] for name in ("x", "y", "c", "search", "total"))
    column, strip = hl.vars("column strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.bound(c, 0, 3).split(x, column, x, 256).split(y, strip, y, 64).reorder(c, x, y, column, strip)
    output.vectorize(x, lanes).unroll(c).parallel(strip)
    stages["padded"].compute_at(output, column).vectorize(x, lanes)
    total.compute_at(output, column).vectorize(x, lanes)
    total.update().reorder(x, y, search.x, search.y).vectorize(x, lanes)
    stages["difference"].store_at(total, search.x).compute_at(total, y).vectorize(x, lanes)
    stages["down"].compute_at(total, y).vectorize(x, lanes)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A tile a block: for each of the 49 displacements its threads make differences, their sums, and weights."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, search, total = (stages[name] for name in ("x", "y", "c", "search", "total"))
    grid(hl, stages["padded"].compute_root(), x, y, c)
    grid(hl, output.bound(c, 0, 3).reorder(c, x, y).unroll(c), x, y)
    total.compute_at(output, x).gpu_threads(x, y)
    total.update().reorder(x, y, search.x, search.y).gpu_threads(x, y)
    for name in ("difference", "down"):
        xi, yi = hl.vars("xi yi")
        stage = stages[name].compute_at(total, search.x)
        stage.tile(x, y, xi, yi, *TILE, hl.TailStrategy.GuardWithIf).gpu_threads(xi, yi)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    source, strength = images["source"], settings["strength"]
    height, width = source.shape[1:]
    patch, search = PATCH // 2, SEARCH // 2
    margin = patch + search
    planes = np.pad(source.astype(np.float64), ((0, 0), (margin, margin), (margin, margin)), mode="edge")
    total, weights = np.zeros(source.shape), np.zeros((height, width))
    current = planes[:, search:-search, search:-search]
    for dy, dx in np.ndindex(SEARCH, SEARCH):
        near = planes[:, dy : dy + height + 2 * patch, dx : dx + width + 2 * patch]
        windows = np.lib.stride_tricks.sliding_window_view(((current - near) ** 2).sum(0), (PATCH, PATCH))
        weight = np.exp(-windows.mean((2, 3)) / (3 * strength**2))
        total += weight * near[:, patch:-patch, patch:-patch]
        weights += weight
    return np.clip(total / weights, 0, 1).astype(np.float32)


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    """The same on 8 bits."""
    import cv2

    source = photos.to_bytes(photos.interleaved(images["source"]))
    result = cv2.fastNlMeansDenoising(source, None, settings["strength"] * 255, PATCH, SEARCH)
    return photos.planar(result).astype(np.float32) / 255


def inputs(picture: Array) -> dict[str, Array]:
    """Colours in 0..1 with noise."""
    planes = photos.planar(photos.colour(picture)).astype(np.float32) / 255
    return {"source": planes + np.random.default_rng(0).normal(0, NOISE, planes.shape).astype(np.float32)}


def before(images: Mapping[str, Array]) -> Array:
    return picture(images["source"])


def picture(output: Array) -> Array:
    return photos.to_bytes(photos.interleaved(output))


APP = App(
    name="nl_means",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=opencv,
    rival_name="OpenCV fastNlMeansDenoising (8 bits)",
    photo="astronaut",
    dtype=np.float32,
    bench_size=(1536, 2560, 3),
    test_size=(270, 70, 3),
    settings=SETTINGS,
    before=before,
    tolerance=2e-4,
)

if __name__ == "__main__":
    main(APP)
