"""The mean over a square of any radius, rounded: sums that run along, so that the radius costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

SETTINGS = {"radius": 20}
MOST_RADIUS = 1023  # so that divisors fit 23 bits
STRIP = 32  # rows whose sums run in one chain


def build(hl: ModuleType) -> Algorithm:
    """Sums of columns run down strips of rows, sums of those run across; edges are repeated."""
    x, y, c, strip = hl.vars("x y c strip")
    source = hl.ImageParam(hl.UInt(8), 3, "source")
    radius = hl.Param(hl.Int(32), "radius", SETTINGS["radius"])
    radius.set_range(0, MOST_RADIUS)
    pixel = hl.BoundaryConditions.repeat_edge(source, [(0, source.width()), (0, source.height())])
    down, turned, across, mean, output = hl.funcs("down turned across mean box_blur")

    window, rows = hl.RDom([(-radius, 2 * radius + 1)], "window"), hl.RDom([(1, STRIP - 1)], "rows")

    def at(row: Any) -> Any:
        return hl.i32(pixel[x, strip * STRIP + row, c])

    down[x, y, strip, c] = 0
    down[x, 0, strip, c] += at(window.x)
    down[x, rows.x, strip, c] = down[x, rows.x - 1, strip, c] + at(rows.x + radius) - at(rows.x - radius - 1)
    turned[y, x, strip, c] = down[x, y, strip, c]

    start, columns = hl.RDom([(-radius, 2 * radius + 1)], "start"), hl.RDom([(1, source.width() - 1)], "columns")

    def sums(column: Any) -> Any:
        return turned[y, column, strip, c]

    across[y, x, strip, c] = 0
    across[y, 0, strip, c] += sums(start.x)
    before = across[y, columns.x - 1, strip, c]
    across[y, columns.x, strip, c] = before + sums(columns.x + radius) - sums(columns.x - radius - 1)
    mean[x, y, strip, c] = _quotient(hl, across[y, x, strip, c], radius)
    output[x, y, c] = mean[x, y % STRIP, y // STRIP, c]
    stages = {"x": x, "y": y, "c": c, "down": down, "turned": turned, "across": across, "mean": mean}
    stages |= {"window": window.x, "rows": rows.x, "start": start.x, "columns": columns.x}
    return Algorithm(output, {"source": source}, {"radius": radius}, stages)


def _quotient(hl: ModuleType, total: Any, radius: Any) -> Any:
    """The nearest integer to the total over the pixels of a square, halves up.

    Instead of (2 total + area) / (2 area) a product, exact for all quotients below 2^8 and divisors below 2^23.
    """
    area = (2 * radius + 1) * (2 * radius + 1)
    divisor = hl.u32(2 * area)
    shift = 31 - hl.count_leading_zeros(divisor - 1)  # 2^shift < divisor <= 2^(shift + 1)
    factor = hl.u32((hl.u64(1) << hl.u64(32 + shift)) // hl.u64(divisor) + 1)
    return hl.u8(hl.mul_shift_right(hl.u32(2 * total + area), factor, 32) >> hl.u32(shift))


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel: summed down with columns as lanes, transposed, summed across with rows as lanes."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = (stages[name] for name in ("x", "y", "c"))
    xi, yi, rows = hl.vars("xi yi rows")
    target = hl.get_host_target()
    lanes = target.natural_vector_size(hl.Int(32))
    output.output_buffer().dim(1).set_min(0)
    output.split(y, rows, yi, STRIP, hl.TailStrategy.GuardWithIf).reorder(x, yi, c, rows)
    output.vectorize(x, target.natural_vector_size(hl.UInt(8))).parallel(rows).parallel(c)
    mean, across, turned, down = (stages[name] for name in ("mean", "across", "turned", "down"))
    mean.compute_at(output, c).tile(x, y, xi, yi, lanes, lanes).vectorize(xi).unroll(yi)
    across.compute_at(mean, y).vectorize(y, lanes)
    across.update(0).reorder(y, stages["start"]).vectorize(y, lanes)
    across.update(1).reorder(y, stages["columns"]).vectorize(y, lanes)
    turned.compute_at(mean, y).tile(y, x, yi, xi, lanes, lanes).vectorize(yi).unroll(xi)
    down.compute_at(output, c).vectorize(x, lanes)
    down.update(0).reorder(x, stages["window"]).vectorize(x, lanes)
    down.update(1).reorder(x, stages["rows"]).vectorize(x, lanes)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A column of a strip a thread, transposed, a row a thread, and the quotients."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, xi, yi = stages["x"], stages["y"], stages["c"], *hl.vars("xi yi")
    down, turned, across = (stages[name].compute_root() for name in ("down", "turned", "across"))
    strip = down.args()[2]
    output.output_buffer().dim(1).set_min(0)
    grid(hl, output, x, y, c)
    down.gpu_tile(x, y, xi, yi, 32, 8).fuse(strip, c, strip).gpu_blocks(strip)
    across.gpu_tile(y, x, yi, xi, 32, 8).fuse(strip, c, strip).gpu_blocks(strip)
    turned.gpu_tile(y, x, yi, xi, 32, 8).fuse(strip, c, strip).gpu_blocks(strip)
    for k, name in enumerate(("window", "rows")):
        down.update(k).reorder(stages[name], x, strip, c).gpu_tile(x, xi, 64).gpu_blocks(strip, c)
    for k, name in enumerate(("start", "columns")):
        across.update(k).reorder(stages[name], y, strip, c).gpu_tile(y, yi, STRIP).gpu_blocks(strip, c)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    radius, source = int(settings["radius"]), images["source"]
    area = (2 * radius + 1) ** 2
    total = np.pad(source, [(0, 0), (radius, radius), (radius, radius)], mode="edge").astype(np.int64)
    for axis in (1, 2):
        total = np.cumsum(np.insert(total, 0, 0, axis), axis)
        width = 2 * radius + 1
        total = np.take(total, range(width, total.shape[axis]), axis) - np.take(
            total, range(total.shape[axis] - width), axis
        )
    return ((2 * total + area) // (2 * area)).astype(np.uint8)


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    import cv2

    side = 2 * int(settings["radius"]) + 1
    return np.stack([cv2.blur(plane, (side, side), borderType=cv2.BORDER_REPLICATE) for plane in images["source"]])


def inputs(picture: Array) -> dict[str, Array]:
    return {"source": photos.planar(photos.colour(picture))}


APP = App(
    name="box_blur",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=photos.interleaved,
    rival=opencv,
    rival_name="OpenCV blur",
    photo="chelsea",
    dtype=np.uint8,
    bench_size=(1536, 2560, 3),
    test_size=(133, 150, 3),
    settings=SETTINGS,
)

if __name__ == "__main__":
    main(APP)
