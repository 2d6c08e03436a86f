"""The median of every 5x5 window of 8-bit pixels, by a network of minima and maxima: speckles go, edges stay."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from types import ModuleType

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid, staged
from apps.run import main
from pipec.filters.networks import exchange, median_network, sorting_network

SIDE = 5
REACH = SIDE // 2
MIDDLE = SIDE * SIDE // 2
SPECKLES = 0.15  # of the pixels of the picture that it is shown on, black or white


def build(hl: ModuleType) -> Algorithm:
    """Sort each column of five pixels once for the five windows it is in; select the median of five such columns."""
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    column, output = hl.funcs("column median")
    pixels = [source[x, y + i] for i in range(SIDE)]
    column[x, y] = hl.Tuple(exchange(sorting_network(SIDE), pixels, hl.min, hl.max))
    window = [column[x + i, y][k] for i, k in product(range(SIDE), repeat=2)]
    output[x, y] = exchange(median_network(SIDE), window, hl.min, hl.max)[MIDDLE]
    return Algorithm(output, {"source": source}, stages={"column": column, "x": x, "y": y})


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; the sorted columns of one row at a time."""
    column, output = algorithm.stages["column"], algorithm.output
    x, y, inner = algorithm.stages["x"], algorithm.stages["y"], hl.Var("yi")
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(8))
    output.split(y, y, inner, 16).parallel(y).vectorize(x, lanes)
    column.compute_at(output, inner).vectorize(x, lanes)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """The sorted columns are staged for each tile."""
    column, output = algorithm.stages["column"], algorithm.output
    x, y = algorithm.stages["x"], algorithm.stages["y"]
    grid(hl, output, x, y)
    staged(hl, column, output, x, y)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(images["source"], (SIDE, SIDE))
    return np.partition(windows.reshape(*windows.shape[:2], -1), MIDDLE, axis=-1)[..., MIDDLE]


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    import cv2

    return cv2.medianBlur(images["source"], SIDE)[REACH:-REACH, REACH:-REACH]


def inputs(picture: Array) -> dict[str, Array]:
    """Luminance with black and white speckles, and with its edge repeated."""
    grey = photos.to_bytes(photos.grey(picture))
    dice = np.random.default_rng(0).random(grey.shape)
    grey[dice < SPECKLES] = np.where(dice[dice < SPECKLES] < SPECKLES / 2, 0, 255)
    return {"source": np.pad(grey, REACH, mode="edge")}


def before(images: Mapping[str, Array]) -> Array:
    return images["source"][REACH:-REACH, REACH:-REACH]


APP = App(
    name="median",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=photos.to_bytes,
    rival=opencv,
    rival_name="OpenCV medianBlur",
    photo="chelsea",
    dtype=np.uint8,
    bench_size=(1536, 2560),
    test_size=(133, 70),
    before=before,
)

if __name__ == "__main__":
    main(APP)
