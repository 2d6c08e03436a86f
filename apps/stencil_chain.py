"""A chain of 32 stencils of 5x5 taps on 16-bit pixels: each a binomial blur, all of them a wide Gaussian."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid, staged
from apps.run import main

STAGES = 32
REACH = 2
TAPS = (1, 4, 6, 4, 1)
BITS = 8  # the sum of all weights is 256, so that 8-bit values times them fit 16 bits
GROUP = 8  # stages that run together, strip by strip


def build(hl: ModuleType) -> Algorithm:
    """Every stage is the weighted mean of 25 pixels of the one before, rounded."""
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.UInt(16), 2, "source")
    previous = hl.Func("padded")
    previous[x, y] = hl.BoundaryConditions.repeat_edge(source)[x, y]
    stages = {"x": x, "y": y, "padded": previous}
    for k in range(STAGES):
        stage = hl.Func(f"stage_{k}" if k < STAGES - 1 else "stencil_chain")
        taps = [
            hl.u16(across * down) * previous[x + i - REACH, y + j - REACH]
            for j, down in enumerate(TAPS)
            for i, across in enumerate(TAPS)
        ]
        stage[x, y] = sum(taps[1:], taps[0] + hl.u16(1 << BITS - 1)) >> BITS
        stages[f"stage_{k}"] = previous = stage
    return Algorithm(previous, {"source": source}, stages=stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Eight stages at a time: strips of rows in parallel, down which all but the last slide, two rows at a time.

    Two neighbouring rows of a stage have four of their five rows of taps in common.
    """
    stages, strip, pair = algorithm.stages, *hl.vars("strip pair")
    x, y = stages["x"], stages["y"]
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(16))
    for first in range(0, STAGES, GROUP):
        last = stages[f"stage_{first + GROUP - 1}"]
        if first + GROUP < STAGES:
            last.compute_root()
        last.split(y, strip, y, 128).split(y, y, pair, 2).reorder(pair, x, y, strip).parallel(strip)
        last.vectorize(x, lanes).unroll(pair)
        for k in range(first, first + GROUP - 1):
            stage = stages[f"stage_{k}"].store_at(last, strip).compute_at(last, y).align_storage(x, lanes)
            stage.split(y, y, pair, 2, hl.TailStrategy.RoundUp).reorder(pair, x, y).vectorize(x, lanes).unroll(pair)
        if first == 0:
            stages["padded"].store_at(last, strip).compute_at(last, y).vectorize(x, lanes)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Two stages a kernel, the first of them staged for each tile."""
    stages, tile = algorithm.stages, (32, 16)
    x, y = stages["x"], stages["y"]
    for k in range(1, STAGES, 2):
        second = stages[f"stage_{k}"].compute_root()
        grid(hl, second, x, y, tile=tile)
        staged(hl, stages[f"stage_{k - 1}"], second, x, y, tile)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    plane = np.pad(images["source"].astype(np.int64), STAGES * REACH, mode="edge")
    for _ in range(STAGES):
        for axis in (0, 1):
            windows = np.lib.stride_tricks.sliding_window_view(plane, len(TAPS), axis)
            plane = windows @ np.array(TAPS)
        plane = (plane + (1 << BITS - 1)) >> BITS
    return plane.astype(np.uint16)


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    """The same means of 8 bits, each with its own margin repeated."""
    import cv2

    plane: Array = images["source"].astype(np.uint8)
    kernel = np.outer(TAPS, TAPS).astype(np.float32) / (1 << BITS)
    for _ in range(STAGES):
        plane = cv2.filter2D(plane, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return plane.astype(np.uint16)


def inputs(picture: Array) -> dict[str, Array]:
    """Luminance of 8 bits in 16."""
    return {"source": photos.grey(picture) >> 8}


def picture(output: Array) -> Array:
    return output.astype(np.uint8)


def before(images: Mapping[str, Array]) -> Array:
    return picture(images["source"])


APP = App(
    name="stencil_chain",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=opencv,
    rival_name="OpenCV filter2D, 32 times",
    photo="coffee",
    dtype=np.uint16,
    bench_size=(1536, 2560),
    test_size=(70, 133),
    before=before,
)

if __name__ == "__main__":
    main(APP)
