"""Large pictures in zarr for the applications, and their outputs computed in memory."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

import pipec as hl
from apps.app import App, Array
from apps.registry import APPS

CHUNK = 1024
# Rows of noise that are repeated, so that a picture of any size is quick to make.
PATTERN_ROWS = 2048
Inputs = dict[str, Any]


def output_size(app: App, megapixels: float) -> tuple[int, ...]:
    """Width and height of about so many pixels, in multiples of whole tiles of the schedule, and other dimensions."""
    side = max(CHUNK, round((megapixels * 1e6) ** 0.5 / CHUNK) * CHUNK)
    return tuple([side if d in app.axes else extent for d, extent in enumerate(app.bench_size)])


def small_inputs(app: App) -> dict[str, Array]:
    """The inputs for a small output, which show types, dimensions and what is no picture."""
    return app.example(app.test_size)


def input_shape(app: App, name: str, size: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape, rows first, of an input for an output of that size; None for what does not grow with it."""
    small, small_size = small_inputs(app)[name].shape, app.test_size
    if small[-1] < small_size[0]:
        return None
    width, height = app.extent(size)
    old_width, old_height = app.extent(small_size)
    return (*small[:-2], small[-2] - old_height + height, small[-1] - old_width + width)


def zarr_path(app: App, name: str, folder: Path) -> str:
    """Where an input lies."""
    return str(folder / f"{app.name}.{name}.zarr")


def write_zarr(app: App, name: str, size: tuple[int, ...], folder: Path) -> str:
    """Writes a large input as a zarr array of noise; returns its path."""
    import zarr

    example = small_inputs(app)[name]
    shape, path = input_shape(app, name, size), zarr_path(app, name, folder)
    assert shape is not None
    chunks = (*[1] * (len(shape) - 2), CHUNK, CHUNK)
    array = zarr.create_array(path, shape=shape, chunks=chunks, dtype=example.dtype, compressors=None)
    pattern = noise(app, name, (*shape[:-2], PATTERN_ROWS, shape[-1]))
    for row in range(0, shape[-2], PATTERN_ROWS):
        count = min(PATTERN_ROWS, shape[-2] - row)
        array[..., row : row + count, :] = pattern[..., :count, :]
    return path


def noise(app: App, name: str, shape: tuple[int, ...]) -> Array:
    """Noise with the range of values of the example."""
    example = small_inputs(app)[name]
    high = int(example.max()) + 1
    return np.random.default_rng(0).integers(0, high, shape, example.dtype)


def scheduled(name: str) -> tuple[App, Any]:
    """An application and its algorithm for pipec, with the schedule by hand and its settings."""
    app = APPS[name]
    algorithm = app.build(hl)
    app.schedule(hl, algorithm)
    for key, param in algorithm.params.items():
        param.set(app.settings[key])
    return app, algorithm


def seconds_in_memory(name: str, megapixels: float, repeats: int = 3) -> float:
    """Seconds for a million pixels of output, all arrays in memory: the fastest of some runs."""
    app, algorithm = scheduled(name)
    size = output_size(app, megapixels)
    for key, image in algorithm.images.items():
        shape = input_shape(app, key, size)
        image.set(hl.Buffer(small_inputs(app)[key] if shape is None else noise(app, key, shape)))
    output = app.empty_output(size)
    best = float("inf")
    for _ in range(repeats + 1):
        started = time.perf_counter()
        algorithm.output.realize(output)
        best = min(best, time.perf_counter() - started)
    width, height = app.extent(size)
    return best / (width * height / 1e6)
