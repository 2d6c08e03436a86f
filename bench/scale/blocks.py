"""dask: the cost of its tasks beside direct calls, and `map_overlap` with OpenCV on the same filter."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pipec as hl

SIDE, BLOCKS = 4096, (2, 4)
REPEATS = 3


def blur() -> hl.Func:
    """A 3x3 box blur with mirrored borders, scheduled by hand."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    padded = hl.BoundaryConditions.mirror_interior(image)
    rows, output = hl.funcs("rows blurred")
    rows[x, y] = hl.u16(padded[x - 1, y]) + padded[x, y] + padded[x + 1, y]
    output[x, y] = hl.u8((rows[x, y - 1] + rows[x, y] + rows[x, y + 1]) / 9)
    yi = hl.Var("yi")
    output.split(y, y, yi, 64).parallel(y).vectorize(x, 32)
    rows.store_at(output, y).compute_at(output, yi).vectorize(x, 32)
    return output


def corner(block: np.ndarray) -> np.ndarray:
    """One element of a block, so that results need not be joined."""
    return block[:1, :1]


def fastest(action: Callable[[], Any]) -> float:
    """Seconds of the fastest of some runs, after a first one."""
    action()
    best = float("inf")
    for _ in range(REPEATS):
        started = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - started)
    return best


def report_threads() -> dict[str, float]:
    """Direct calls, dask's threads, and OpenCV, over the same blocks in one process."""
    import cv2
    import dask.array as da

    shape = (SIDE * BLOCKS[0], SIDE * BLOCKS[1])
    picture = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    source = da.from_array(picture, chunks=SIDE)
    output = blur()
    whole = hl.Buffer(picture)
    parameter = output.infer_arguments()[0].source
    parameter.set_buffer(whole)
    count = BLOCKS[0] * BLOCKS[1]
    cv2.setNumThreads(1)

    def direct() -> None:
        for number in range(count):
            part = hl.Buffer(np.empty((SIDE, SIDE), np.uint8))
            part.set_min([SIDE * (number % BLOCKS[1]), SIDE * (number // BLOCKS[1])])
            output.realize(part)

    def opencv(block: np.ndarray) -> np.ndarray:
        return cv2.blur(block, (3, 3), borderType=cv2.BORDER_REFLECT_101)

    overlapped = da.map_overlap(opencv, source, depth=1, boundary="reflect", dtype=np.uint8).map_blocks(corner)
    lazy = hl.dask.apply(output, {"image": source}).map_blocks(corner)
    times = {
        "direct": fastest(direct),
        "dask": fastest(lambda: lazy.compute(scheduler="threads")),
        "opencv": fastest(lambda: overlapped.compute(scheduler="threads")),
    }
    megapixels = picture.size / 1e6
    print(
        f"dask, {count} blocks of {SIDE} x {SIDE} bytes in threads: {times['dask'] * 1e3:.0f} ms"
        f" ({megapixels / times['dask']:.0f} Mpx/s), direct calls {times['direct'] * 1e3:.0f} ms: overhead"
        f" {times['dask'] / times['direct'] - 1:.0%}; map_overlap with OpenCV {times['opencv'] * 1e3:.0f} ms",
        flush=True,
    )
    return times


def report_workers() -> dict[int, float]:
    """Seconds with 1, 2 and 4 worker processes of one thread each; the blocks lie in the workers."""
    import dask.array as da
    from distributed import Client, LocalCluster, wait

    os.environ["PIPEC_NUM_THREADS"] = "1"
    times = {}
    for workers in (1, 2, 4):
        settings: dict[str, Any] = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
        with LocalCluster(**settings) as cluster, Client(cluster) as client:
            random = da.random.default_rng(0)
            source = random.integers(0, 256, (SIDE * 4, SIDE * 4), dtype=np.uint8, chunks=SIDE).persist()
            wait(source)
            lazy = hl.dask.apply(blur(), {"image": source}).map_blocks(corner)
            times[workers] = fastest(lambda lazy=lazy, client=client: client.compute(lazy).result())
    text = ", ".join([f"{workers} workers {seconds * 1e3:.0f} ms" for workers, seconds in times.items()])
    print(f"dask, 16 blocks in processes of one thread: {text}", flush=True)
    return times
