"""The median of every 5x5 window of 8-bit pixels, by a network of minima and maxima: speckles go, edges stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any

import cv2
import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid, staged
from apps.run import main

SIDE = 5
REACH = SIDE // 2
MIDDLE = SIDE * SIDE // 2
SPECKLES = 0.15  # of the pixels of the picture that it is shown on, black or white

Network = tuple[tuple[int, int], ...]  # pairs of places: the smaller value goes to the first, the larger to the second


def sorting_network(count: int) -> Network:
    """Batcher's odd-even merge sort of so many values."""
    pairs = []
    size = 1
    while size < count:
        step = size
        while step:
            for start in range(step % size, count - step, 2 * step):
                for i in range(start, min(start + step, count - step)):
                    if i // (2 * size) == (i + step) // (2 * size):
                        pairs.append((i, i + step))
            step //= 2
        size *= 2
    return tuple(pairs)


def apply(network: Network, values: Sequence[Any], smaller: Any, larger: Any) -> list[Any]:
    """The values after all exchanges."""
    wires = list(values)
    for low, high in network:
        wires[low], wires[high] = smaller(wires[low], wires[high]), larger(wires[low], wires[high])
    return wires


@cache
def selection_network() -> Network:
    """Brings the median of a window to its middle; the window's columns are sorted before, column by column.

    The rows are sorted first. Then (i + 1) (j + 1) - 1 others are known to be no larger than the element in row i and
    column j, and likewise on the other side; the 13 that may be the median are sorted. Exchanges that no input needs
    are left out: by the zero-one principle all columns of zeros and ones tell which.
    """
    rows = [(low * SIDE + row, high * SIDE + row) for row, (low, high) in product(range(SIDE), sorting_network(SIDE))]
    few = [
        column * SIDE + row
        for row, column in product(range(SIDE), repeat=2)
        if max((row + 1) * (column + 1), (SIDE - row) * (SIDE - column)) <= MIDDLE + 1
    ]
    few.sort(key=lambda place: (place // SIDE + place % SIDE, place))
    network = (*rows, *((few[low], few[high]) for low, high in sorting_network(len(few))))
    assert few[len(few) // 2] == MIDDLE
    for exchange in reversed(network):
        shorter = tuple(other for other in network if other is not exchange)
        if selects_median(shorter):
            network = shorter
    return network


def selects_median(network: Network) -> bool:
    """Whether the middle holds the median for all windows of zeros and ones with sorted columns."""
    ones = np.array(list(product(range(SIDE + 1), repeat=SIDE)))
    windows = np.arange(SIDE) >= SIDE - ones[..., None]
    middle = apply(network, list(windows.reshape(len(ones), -1).T), np.logical_and, np.logical_or)[MIDDLE]
    return bool(np.array_equal(middle, ones.sum(1) > MIDDLE))


def build(hl: ModuleType) -> Algorithm:
    """Sort each column of five pixels once for the five windows it is in; select the median of five such columns."""
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    column, output = hl.funcs("column median")
    pixels = [source[x, y + i] for i in range(SIDE)]
    column[x, y] = hl.Tuple(apply(sorting_network(SIDE), pixels, hl.min, hl.max))
    window = [column[x + i, y][k] for i, k in product(range(SIDE), repeat=2)]
    output[x, y] = apply(selection_network(), window, hl.min, hl.max)[MIDDLE]
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
