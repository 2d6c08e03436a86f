"""A stream of 1080p frames through camera_pipe: frames a second, and how much of the time is computing."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import pipec as hl
from apps.app import Array
from bench.scale.pictures import input_shape, noise, scheduled, small_inputs

# 1080 rounded to whole strips of the schedule.
SIZE = (1920, 1088, 3)
FRAMES = 120


def report() -> dict[str, float]:
    """Measures a stream of raw frames, of which some repeat."""
    app, algorithm = scheduled("camera_pipe")
    frames: list[Array] = []
    for key, image in algorithm.images.items():
        shape = input_shape(app, key, SIZE)
        if shape is None:
            image.set(hl.Buffer(small_inputs(app)[key]))
        else:
            frames = list(noise(app, key, (8, *shape)))

    def source() -> Iterator[Array]:
        for number in range(FRAMES):
            # A camera writes each frame into memory of its own.
            yield frames[number % len(frames)].copy()

    mosaic = next(image for key, image in algorithm.images.items() if input_shape(app, key, SIZE) is not None)
    output = np.empty(SIZE[::-1], np.uint8)
    computing = 0.0
    for number in range(3 * len(frames)):
        mosaic.set(hl.Buffer(frames[number % len(frames)]))
        started = time.perf_counter()
        algorithm.output.realize(output)
        # The first round compiles and touches memory.
        computing += (time.perf_counter() - started) / (2 * len(frames)) if number >= len(frames) else 0
    mosaic.reset()
    count, started = 0, time.perf_counter()
    for frame in algorithm.output.stream(source(), sizes=SIZE):
        count += frame.shape[0] == 3
    seconds = (time.perf_counter() - started) / count
    print(
        f"camera_pipe, {SIZE[0]} x {SIZE[1]} raw frames: {1 / seconds:.0f} frames a second, {computing / seconds:.0%}"
        " of the time is computing",
        flush=True,
    )
    return {"frames_per_second": 1 / seconds, "computing": computing / seconds}
