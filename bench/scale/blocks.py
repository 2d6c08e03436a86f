"""dask: the cost of its tasks beside direct calls, and `map_overlap` with OpenCV on the same filter."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import pipec as hl

SIDE, BLOCKS = 4096, (4, 4)
REPEATS = 8


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
    """One element of a block, so that results are not joined, and their memory is free again."""
    return block[:1, :1].copy()


def fastest(actions: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Seconds of the fastest of some runs of each action, which take turns, after a first one."""
    best = dict.fromkeys(actions, float("inf"))
    for number in range(REPEATS + 1):
        for name, action in actions.items():
            started = time.perf_counter()
            action()
            if number:
                best[name] = min(best[name], time.perf_counter() - started)
    return best


def report_threads() -> dict[str, float]:
    """Direct calls, dask's threads, and OpenCV, over the same blocks in one process."""
    import cv2
    import dask.array as da

    shape = (SIDE * BLOCKS[0], SIDE * BLOCKS[1])
    picture = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    source = da.from_array(picture, chunks=SIDE)
    separate = source.map_blocks(np.copy).persist()
    output = blur()
    parameter = output.infer_arguments()[0].source
    parameter.set_buffer(hl.Buffer(picture))
    count = BLOCKS[0] * BLOCKS[1]
    cv2.setNumThreads(1)
    memory = [np.empty((SIDE, SIDE), np.uint8) for _ in range(2)]

    def direct() -> None:
        for number in range(count):
            part = hl.Buffer(memory[number % len(memory)])
            part.set_min([SIDE * (number % BLOCKS[1]), SIDE * (number // BLOCKS[1])])
            output.realize(part)

    def opencv(block: np.ndarray) -> np.ndarray:
        return cv2.blur(block, (3, 3), borderType=cv2.BORDER_REFLECT_101)

    overlapped = da.map_overlap(opencv, source, depth=1, boundary="reflect", dtype=np.uint8)
    graphs = {
        "dask": hl.dask.apply(output, {"image": source}),
        "dask, blocks apart": hl.dask.apply(output, {"image": separate}),
        "dask alone": source,
        "map_overlap with OpenCV": overlapped,
    }
    lazy = {name: array.map_blocks(corner) for name, array in graphs.items()}
    actions = {name: partial(array.compute, scheduler="threads") for name, array in lazy.items()}
    times = fastest({"direct calls": direct, **actions})
    text = ", ".join([f"{name} {seconds * 1e3:.1f} ms" for name, seconds in times.items()])
    overhead = {name: f"{times[name] / times['direct calls'] - 1:.0%}" for name in ("dask", "dask, blocks apart")}
    print(f"{count} blocks of {SIDE} x {SIDE} bytes in threads: {text}; overhead {overhead}", flush=True)
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
            times[workers] = fastest({"run": lambda lazy=lazy, client=client: client.compute(lazy).result()})["run"]
    text = ", ".join([f"{workers} workers {seconds * 1e3:.0f} ms" for workers, seconds in times.items()])
    print(f"dask, 16 blocks in processes of one thread: {text}", flush=True)
    return times
