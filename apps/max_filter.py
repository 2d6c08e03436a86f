"""The largest value within a disc of radius 26 about every pixel, from vertical windows whose heights are doubled."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from math import isqrt
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

RADIUS = 26
# For each column of the disc, how many rows it reaches up and down: half a pixel is added to the radius.
REACHES = [isqrt((2 * RADIUS + 1) ** 2 // 4 - dx * dx) for dx in range(RADIUS + 1)]
LEVELS = (2 * RADIUS + 1).bit_length()


def build(hl: ModuleType) -> Algorithm:
    """A vertical window of any height is two of the next smaller power of two; the disc is one such for each column."""
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 3, "source")
    bounded = hl.BoundaryConditions.repeat_edge(source)
    stages: dict[str, Any] = {"x": x, "y": y, "c": c}

    def define(name: str, value: Any) -> Any:
        func = stages[name] = hl.Func(name)
        func[x, y, c] = value
        return func

    levels = [define("level_0", bounded[x, y, c])]  # the largest of 2^k rows from here down
    for k in range(1, LEVELS):
        half = levels[-1]
        levels.append(define(f"level_{k}", hl.max(half[x, y, c], half[x, y + (1 << k - 1), c])))
    slices = {}
    for reach in sorted(set(REACHES)):
        k = (2 * reach + 1).bit_length() - 1
        upper, lower = levels[k][x, y - reach, c], levels[k][x, y + reach + 1 - (1 << k), c]
        slices[reach] = define(f"slice_{reach}", hl.max(upper, lower))
    taps = [slices[REACHES[abs(dx)]][x + dx, y, c] for dx in range(-RADIUS, RADIUS + 1)]
    return Algorithm(define("max_filter", reduce(hl.max, taps)), {"source": source}, stages=stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Tiles of 256 columns in parallel; down each the windows slide, a row at a time, and stay in the caches."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = (stages[name] for name in ("x", "y", "c"))
    strip, tile = hl.vars("strip tile")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.split(x, tile, x, 256).split(y, strip, y, 128).reorder(x, y, tile, strip, c)
    output.vectorize(x, lanes).parallel(strip).parallel(c)
    for k in range(LEVELS):
        stages[f"level_{k}"].store_at(output, tile).compute_at(output, y).vectorize(x, lanes)
    for reach in set(REACHES):
        stages[f"slice_{reach}"].compute_at(output, y).vectorize(x, lanes)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Every level of windows in a kernel of its own; the disc takes two windows of each column."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = (stages[name] for name in ("x", "y", "c"))
    for func in (*(stages[f"level_{k}"].compute_root() for k in range(1, LEVELS)), output):
        grid(hl, func, x, y, c)


def disc() -> Array:
    """Ones within the disc, as bytes."""
    rows = abs(np.arange(-RADIUS, RADIUS + 1))
    return (rows[:, None] <= np.array(REACHES)[rows]).astype(np.uint8)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    """Windows that grow by a row up and down, each taken for the columns of the disc that reach so far."""
    planes = np.pad(images["source"], ((0, 0), (RADIUS, RADIUS), (RADIUS, RADIUS)), mode="edge")
    height, width = images["source"].shape[1:]
    tall, result = planes[:, RADIUS : RADIUS + height], images["source"]
    for reach in range(1, RADIUS + 1):
        upper, lower = (planes[:, RADIUS + dy : RADIUS + dy + height] for dy in (-reach, reach))
        tall = np.maximum(tall, np.maximum(upper, lower))
        for dx in range(-RADIUS, RADIUS + 1):
            if REACHES[abs(dx)] == reach:
                result = np.maximum(result, tall[:, :, RADIUS + dx : RADIUS + dx + width])
    return result


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    import cv2

    return np.stack([cv2.dilate(plane, disc()) for plane in images["source"]])


def inputs(picture: Array) -> dict[str, Array]:
    return {"source": photos.planar(photos.colour(picture)).astype(np.float32) / 255}


def picture(output: Array) -> Array:
    return photos.to_bytes(photos.interleaved(output))


APP = App(
    name="max_filter",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=opencv,
    rival_name="OpenCV dilate",
    photo="hubble_deep_field",
    dtype=np.float32,
    bench_size=(1536, 2560, 3),
    test_size=(270, 140, 3),
)

if __name__ == "__main__":
    main(APP)
