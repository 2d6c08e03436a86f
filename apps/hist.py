"""Histogram equalisation of a colour picture: its luminance is spread evenly over all levels, its colours stay."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

STRIP = 16  # rows of the picture that one histogram counts
WAYS = 4  # neighbours are counted apart, so that no count waits for the one before
BITS = 14  # of the fixed-point weights
RED, GREEN, BLUE = (round(w * (1 << BITS)) for w in (0.299, 0.587, 0.114))
TO_CR, TO_CB = (round(w * (1 << BITS)) for w in (0.713, 0.564))
CR_TO_RED, CR_TO_GREEN, CB_TO_GREEN, CB_TO_BLUE = (round(w * (1 << BITS)) for w in (1.403, -0.714, -0.344, 1.773))


def rounded(value: Any) -> Any:
    """From fixed point to the nearest integer."""
    return (value + (1 << BITS - 1)) >> BITS


def luminance(red: Any, green: Any, blue: Any) -> Any:
    return rounded(RED * red + GREEN * green + BLUE * blue)


def chroma(red: Any, blue: Any, luma: Any) -> tuple[Any, Any]:
    """How far red and blue lie from grey, signed; both fit nine bits."""
    return rounded((red - luma) * TO_CR), rounded((blue - luma) * TO_CB)


def recoloured(luma: Any, cr: Any, cb: Any) -> list[Any]:
    """Red, green and blue of that luminance and chroma, not yet saturated."""
    green = rounded(cb * CB_TO_GREEN + cr * CR_TO_GREEN)
    return [luma + rounded(cr * CR_TO_RED), luma + green, luma + rounded(cb * CB_TO_BLUE)]


def build(hl: ModuleType) -> Algorithm:
    """Count the levels of luminance and give every level its rank among all pixels."""
    x, y, c, level = hl.vars("x y c level")
    source = hl.ImageParam(hl.UInt(8), 3, "source")
    width, height = source.width(), source.height()
    luma, total, below, table, output = hl.funcs("luma total below table hist")

    pixel = [hl.i32(source[x, y, k]) for k in range(3)]
    luma[x, y] = hl.u8(luminance(*pixel))

    r = hl.RDom([(0, width), (0, height)], "r")
    total[level] = 0
    total[luma[r.x, r.y]] += 1

    below[level] = total[level]
    upward = hl.RDom([(1, 255)], "upward")
    below[upward.x] = below[upward.x - 1] + total[upward.x]
    levels = hl.RDom([(0, 256)], "levels")
    first = hl.minimum(hl.select(below[levels.x] > 0, below[levels.x], width * height))  # pixels of the darkest level
    rank, most = hl.i64(below[level] - first), hl.i64(width * height - first)
    table[level] = hl.select(most > 0, hl.i32((rank * 510 + most) // hl.max(2 * most, 1)), level)

    grey = hl.i32(luma[x, y])
    colours = recoloured(table[grey], *chroma(pixel[0], pixel[2], grey))
    output[x, y, c] = hl.mux(c, [hl.u8_sat(colour) for colour in colours])
    stages = {"luma": luma, "total": total, "below": below, "table": table}
    return Algorithm(output, {"source": source}, stages=stages | {"x": x, "y": y, "c": c, "level": level, "r": r})


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Histograms of strips in parallel, their luminance a row at a time; then the colours, rows in parallel."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, r = (stages[name] for name in ("x", "y", "c", "r"))
    total, luma = stages["total"], stages["luma"]
    lanes = hl.get_host_target().natural_vector_size(hl.Int(32))
    level, way, strip = stages["level"], *hl.vars("way strip")
    across, down, column, row = (hl.RVar(name) for name in ("across", "down", "column", "row"))

    total.compute_root().vectorize(level, lanes)
    total.update().split(r.x, across, column, WAYS).split(r.y, down, row, STRIP)
    counts = total.update().rfactor([(column, way), (down, strip)])
    counts.compute_root().vectorize(level, lanes).parallel(strip)
    counts.update().reorder(way, across, row, strip).unroll(way).parallel(strip)
    luma.clone_in(counts).compute_at(counts, row).vectorize(x, 2 * lanes)
    total.update().reorder(level, column, down).vectorize(level, lanes)
    stages["below"].compute_root()
    stages["table"].compute_root().vectorize(level, lanes // 2)

    inner = hl.Var("yi")
    output.bound(c, 0, 3).split(y, y, inner, STRIP).reorder(c, x, inner, y)
    output.vectorize(x, 2 * lanes).unroll(c).parallel(y)
    luma.compute_at(output, x).vectorize(x)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A strip of rows a block, counted by atomic additions to its own memory; one thread ranks the levels."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, level, r = (stages[name] for name in ("x", "y", "c", "level", "r"))
    total, strip, li = stages["total"], *hl.vars("strip li")
    down, row, across, column = (hl.RVar(name) for name in ("down", "row", "across", "column"))
    total.update().split(r.y, down, row, STRIP)
    counts = total.update().rfactor([(down, strip)])
    stored = counts.in_(total).compute_root().gpu_blocks(strip).gpu_threads(level)
    stored.bound_extent(level, 256)
    counts.compute_at(stored, strip).gpu_threads(level)
    counts.update().split(r.x, across, column, 256).reorder(column, across, row, strip).atomic().gpu_threads(column)
    total.compute_root().gpu_tile(level, li, 64)
    total.update().gpu_tile(level, li, 64)
    stages["below"].compute_root().gpu_tile(level, li, 64).update().gpu_single_thread()
    stages["table"].compute_root().gpu_tile(level, li, 64)
    output.bound(c, 0, 3).reorder(c, x, y).unroll(c)
    grid(hl, output, x, y)
    stages["luma"].in_(output).compute_at(output, hl.Var("xi"))


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    red, green, blue = images["source"].astype(np.int32)
    luma = luminance(red, green, blue)
    below = np.bincount(luma.ravel(), minlength=256).cumsum()
    first = below[below > 0][0]
    most = luma.size - first
    table = (510 * (below - first) + most) // (2 * most) if most else np.arange(256)
    return np.clip(recoloured(table[luma], *chroma(red, blue, luma)), 0, 255).astype(np.uint8)


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    import cv2

    parts = list(cv2.split(cv2.cvtColor(cv2.merge(list(images["source"])), cv2.COLOR_RGB2YCrCb)))
    parts[0] = cv2.equalizeHist(parts[0])
    return np.stack(cv2.split(cv2.cvtColor(cv2.merge(parts), cv2.COLOR_YCrCb2RGB)))


def inputs(picture: Array) -> dict[str, Array]:
    return {"source": photos.planar(photos.colour(picture))}


APP = App(
    name="hist",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=photos.interleaved,
    rival=opencv,
    rival_name="OpenCV cvtColor, equalizeHist, cvtColor",
    photo="rocket",
    dtype=np.uint8,
    bench_size=(1536, 2560, 3),
    test_size=(133, 70, 3),
)

if __name__ == "__main__":
    main(APP)
