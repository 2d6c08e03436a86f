"""Histograms of whole images and of tiles, and what is done to each pixel by them."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import clamped
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, pictures


def counted(hl: ModuleType, stages: Stages, name: str, image: Any, levels: int, *planes: Any) -> Any:
    """How many pixels of each plane of an ImageParam have each level."""
    level = hl.Var("level")
    r = hl.RDom([(0, image.width()), (0, image.height())], f"{name}_r")
    counts = stages.define(name, (level, *planes), hl.i32(0))
    counts[(hl.clamp(hl.i32(image[(r.x, r.y, *planes)]), 0, levels - 1), *planes)] += 1
    return counts


def cumulated(hl: ModuleType, stages: Stages, name: str, counts: Any, levels: int, *planes: Any) -> Any:
    """Of each level the sum of the counts up to it."""
    level = hl.Var("level")
    sums = stages.define(name, (level, *planes), counts[(level, *planes)])
    r = hl.RDom([(1, levels - 1)], f"{name}_r")
    sums[(r, *planes)] = sums[(r - 1, *planes)] + counts[(r, *planes)]
    return sums


def cumulated_of(image: Array, levels: int) -> Array:
    return np.bincount(image.ravel(), minlength=levels).cumsum()


# Equalisation of twelve bits

LEVELS = 4096


def build_equalize(hl: ModuleType) -> Algorithm:
    x, y, level = hl.vars("x y level")
    source, stages = hl.ImageParam(hl.UInt(16), 2, "source"), Stages(hl)
    below = cumulated(hl, stages, "below", counted(hl, stages, "counts", source, LEVELS), LEVELS)
    r = hl.RDom([(0, LEVELS)], "r")
    pixels = source.width() * source.height()
    first = stages.define("first", (), hl.minimum(hl.select(below[r] > 0, below[r], pixels)))
    rank = hl.i64(below[level] - first[()]) * 65535 // hl.i64(hl.max(pixels - first[()], 1))
    table = stages.define("table", (level,), hl.u16(hl.max(rank, 0)))
    output = stages.define("equalize_deep", (x, y), table[hl.clamp(hl.i32(source[x, y]), 0, LEVELS - 1)])
    return Algorithm(output, {"source": source}, stages=stages)


def equalize_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"]
    below = cumulated_of(source, LEVELS)
    first = below[below > 0][0]
    table = np.maximum(below - first, 0) * 65535 // max(source.size - first, 1)
    return table.astype(np.uint16)[source]


# Contrast-limited adaptive equalisation: tables of 8 x 8 tiles, interpolated

TILES, CLIP = 8, 3  # tiles each way; the largest count, in multiples of the mean


def build_clahe(hl: ModuleType) -> Algorithm:
    x, y, level, tx, ty = hl.vars("x y level tx ty")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    width, height = ((extent + TILES - 1) // TILES for extent in (source.width(), source.height()))
    r = hl.RDom([(0, width), (0, height)], "r")
    counts = stages.define("counts", (level, tx, ty), hl.i32(0))
    counts[hl.i32(bounded[tx * width + r.x, ty * height + r.y]), tx, ty] += 1
    limit = hl.max(CLIP * width * height // 256, 1)
    levels = hl.RDom([(0, 256)], "levels")
    excess = stages.define("excess", (tx, ty), hl.sum(hl.max(counts[levels, tx, ty] - limit, 0)))
    spread = excess[tx, ty] // 256 + hl.select(level < excess[tx, ty] % 256, 1, 0)
    clipped = stages.define("clipped", (level, tx, ty), hl.min(counts[level, tx, ty], limit) + spread)
    below = cumulated(hl, stages, "below", clipped, 256, tx, ty)
    table = stages.define("table", (level, tx, ty), hl.u8(below[level, tx, ty] * 255 // (width * height)))

    def place(at: Any, extent: Any) -> tuple[Any, Any, Any]:
        """The tiles before and after, and the share of the one after, in 1/256."""
        position = (2 * at + 1 - extent) * 128 // extent
        tile = position >> 8
        return hl.clamp(tile, 0, TILES - 1), hl.clamp(tile + 1, 0, TILES - 1), position & 255

    left, right, share_x = place(x, width)
    top, bottom, share_y = place(y, height)
    pixel = hl.i32(source[x, y])

    def row(tile: Any) -> Any:
        return hl.i32(table[pixel, left, tile]) * (256 - share_x) + hl.i32(table[pixel, right, tile]) * share_x

    value = (row(top) * (256 - share_y) + row(bottom) * share_y + (1 << 15)) >> 16
    output = stages.define("clahe", (x, y), hl.u8(value))
    return Algorithm(output, {"source": source}, stages=stages)


def clahe_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"]
    height, width = (-(-n // TILES) for n in source.shape)
    y, x = np.indices((height * TILES, width * TILES))
    tiles = clamped(source, x, y).reshape(TILES, height, TILES, width).swapaxes(1, 2).reshape(TILES * TILES, -1)
    counts = np.array([np.bincount(tile, minlength=256) for tile in tiles])
    limit = max(CLIP * width * height // 256, 1)
    excess = np.maximum(counts - limit, 0).sum(1, keepdims=True)
    clipped = np.minimum(counts, limit) + excess // 256 + (np.arange(256) < excess % 256)
    table = (clipped.cumsum(1) * 255 // (width * height)).astype(np.uint8).astype(np.int64).reshape(TILES, TILES, 256)

    def place(size: int, extent: int) -> tuple[Array, Array]:
        tile, share = np.divmod((2 * np.arange(size) + 1 - extent) * 128 // extent, 256)
        return np.clip([tile, tile + 1], 0, TILES - 1), np.array([256 - share, share])

    (rows, weights_y), (columns, weights_x) = place(source.shape[0], height), place(source.shape[1], width)
    value = 0
    for row, weight_y in zip(rows, weights_y, strict=True):
        for column, weight_x in zip(columns, weights_x, strict=True):
            value = value + table[row[:, None], column, source] * weight_y[:, None] * weight_x
    return ((value + (1 << 15)) >> 16).astype(np.uint8)


# Otsu's threshold


def build_otsu(hl: ModuleType) -> Algorithm:
    x, y, level = hl.vars("x y level")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    counts = counted(hl, stages, "counts", source, 256)
    below = cumulated(hl, stages, "below", counts, 256)
    weighed = stages.define("weighed", (level,), hl.i64(counts[level]) * hl.i64(level))
    moments = cumulated(hl, stages, "moments", weighed, 256)
    pixels, whole = hl.f64(source.width() * source.height()), hl.f64(moments[255])
    under, over = hl.f64(below[level]), pixels - hl.f64(below[level])
    apart = whole * (under / pixels) - hl.f64(moments[level])
    spread = stages.define(
        "spread", (level,), hl.select((under > 0) & (over > 0), apart * apart / (under * over), hl.f64(0))
    )
    r = hl.RDom([(0, 256)], "r")
    threshold = stages.define("threshold", (), hl.argmax(spread[r]))
    is_bright = hl.i32(source[x, y]) > threshold[()][0]
    output = stages.define("otsu", (x, y), hl.select(is_bright, hl.u8(255), hl.u8(0)))
    return Algorithm(output, {"source": source}, stages=stages)


def otsu_inputs(size: Sizes) -> dict[str, Array]:
    """Two populations."""
    y, x = np.indices(size[::-1])
    return {"source": noise(size[::-1], np.uint8, 10, 110) + (((x // 9 + y // 7) % 3 == 0) * 90).astype(np.uint8)}


def otsu_reference(images: Mapping[str, Array]) -> Array:
    """The variances within both classes, at each threshold."""
    source = images["source"].astype(np.float64)
    within = []
    for threshold in range(256):
        classes = [source[source <= threshold], source[source > threshold]]
        within.append(sum(part.size * part.var() for part in classes if part.size))
    return np.where(source > np.argmin(np.round(within, 3)), 255, 0).astype(np.uint8)


# Histogram matching: each level becomes the one of the same rank in another picture


def build_match(hl: ModuleType) -> Algorithm:
    x, y, c, level = hl.vars("x y c level")
    source, model = (hl.ImageParam(hl.UInt(8), 3, name) for name in ("source", "model"))
    stages, ranks = Stages(hl), []
    for name, image in (("source", source), ("model", model)):
        counts = counted(hl, stages, f"{name}_counts", image, 256, c)
        ranks.append(cumulated(hl, stages, f"{name}_below", counts, 256, c))
    r = hl.RDom([(0, 255)], "r")
    sizes = [hl.i64(image.width() * image.height()) for image in (source, model)]
    is_lower = hl.i64(ranks[1][r, c]) * sizes[0] < hl.i64(ranks[0][level, c]) * sizes[1]
    table = stages.define("table", (level, c), hl.u8(hl.sum(hl.i32(is_lower))))
    output = stages.define("histogram_match", (x, y, c), table[hl.i32(source[x, y, c]), c])
    return Algorithm(output, {"source": source, "model": model}, stages=stages)


def match_inputs(size: Sizes) -> dict[str, Array]:
    return {"source": noise(size[::-1], np.uint8, 0, 200), "model": noise(size[::-1], np.uint8, 90, 255, 1)}


def match_reference(images: Mapping[str, Array]) -> Array:
    result = []
    for source, model in zip(images["source"], images["model"], strict=True):
        ranks = cumulated_of(source, 256) * model.size
        table = np.searchsorted(cumulated_of(model, 256) * source.size, ranks, "left")
        result.append(np.minimum(table, 255).astype(np.uint8)[source])
    return np.stack(result)


# Pointwise mutual information of two registered pictures, by their joint histogram

BINS = 32


def build_information(hl: ModuleType) -> Algorithm:
    x, y, a, b = hl.vars("x y a b")
    first, second = (hl.ImageParam(hl.UInt(8), 2, name) for name in ("first", "second"))
    stages = Stages(hl)
    r = hl.RDom([(0, first.width()), (0, first.height())], "r")
    joint = stages.define("joint", (a, b), hl.i32(0))
    joint[hl.i32(first[r.x, r.y] >> 3), hl.i32(second[r.x, r.y] >> 3)] += 1
    s = hl.RDom([(0, BINS)], "s")
    of_first = stages.define("of_first", (a,), hl.sum(joint[a, s]))
    of_second = stages.define("of_second", (b,), hl.sum(joint[s, b]))
    pixels = hl.f32(first.width() * first.height())
    expected = hl.f32(of_first[a]) * hl.f32(of_second[b]) / pixels
    value = hl.log(hl.max(hl.f32(joint[a, b]), 0.5) / hl.max(expected, 0.25))
    information = stages.define("information", (a, b), value)
    at = (hl.i32(first[x, y] >> 3), hl.i32(second[x, y] >> 3))
    output = stages.define("mutual_information", (x, y), information[at])
    return Algorithm(output, {"first": first, "second": second}, stages=stages)


def information_reference(images: Mapping[str, Array]) -> Array:
    first, second = (images[name].astype(np.int64) >> 3 for name in ("first", "second"))
    joint = np.histogram2d(first.ravel(), second.ravel(), BINS, [(0, BINS), (0, BINS)])[0]
    expected = joint.sum(1)[:, None] * joint.sum(0) / first.size
    return np.log(np.maximum(joint, 0.5) / np.maximum(expected, 0.25)).astype(np.float32)[first, second]


# Stretch between two percentiles of each colour

DEEP, LOW, HIGH = 1024, 2, 98


def build_stretch(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.UInt(16), 3, "source"), Stages(hl)
    below = cumulated(hl, stages, "below", counted(hl, stages, "counts", source, DEEP, c), DEEP, c)
    pixels = hl.i64(source.width() * source.height())
    r = hl.RDom([(0, DEEP)], "r")

    def percentile(name: str, share: int) -> Any:
        return stages.define(name, (c,), hl.sum(hl.i32(hl.i64(below[r, c]) * 100 < pixels * share)))[c]

    low, high = percentile("low", LOW), percentile("high", HIGH)
    value = (hl.i32(source[x, y, c]) - low) * 255 // hl.max(high - low, 1)
    output = stages.define("percentile_stretch", (x, y, c), hl.u8(hl.clamp(value, 0, 255)))
    return Algorithm(output, {"source": source}, stages=stages)


def stretch_reference(images: Mapping[str, Array]) -> Array:
    result = []
    for plane in images["source"].astype(np.int64):
        below = cumulated_of(plane, DEEP)
        low, high = (np.count_nonzero(below * 100 < plane.size * share) for share in (LOW, HIGH))
        result.append(np.clip((plane - low) * 255 // max(high - low, 1), 0, 255))
    return np.array(result, np.uint8)


ENTRIES = (
    Entry(
        name="equalize_deep",
        kind="histogram",
        source="skimage.exposure.equalize_hist of twelve bits",
        build=build_equalize,
        inputs=pictures(np.uint16, 300, 3000),
        reference=equalize_reference,
        bench_size=(3000, 2000),
        test_size=(37, 23),
    ),
    Entry(
        name="clahe",
        kind="histogram",
        source="Zuiderveld, Contrast limited adaptive histogram equalization, 1994 (cv2.createCLAHE)",
        build=build_clahe,
        inputs=pictures(np.uint8, 60, 200),
        reference=clahe_reference,
        bench_size=(2048, 1536),
        test_size=(61, 43),
    ),
    Entry(
        name="otsu",
        kind="histogram",
        source="Otsu, A threshold selection method from gray-level histograms, 1979",
        build=build_otsu,
        inputs=otsu_inputs,
        reference=otsu_reference,
        bench_size=(4000, 3000),
        test_size=(67, 43),
    ),
    Entry(
        name="histogram_match",
        kind="histogram",
        source="skimage.exposure.match_histograms, in integers",
        build=build_match,
        inputs=match_inputs,
        reference=match_reference,
        bench_size=(1600, 1200, 3),
        test_size=(37, 23, 3),
    ),
    Entry(
        name="mutual_information",
        kind="histogram",
        source="the joint histogram of Viola and Wells's mutual information, 1997, at each pixel",
        build=build_information,
        inputs=pictures(np.uint8, 0, 255, "first", "second"),
        reference=information_reference,
        bench_size=(1280, 960),
        test_size=(37, 23),
        tolerance=1e-5,
    ),
    Entry(
        name="percentile_stretch",
        kind="histogram",
        source="skimage.exposure.rescale_intensity between percentiles",
        build=build_stretch,
        inputs=pictures(np.uint16, 100, 900),
        reference=stretch_reference,
        bench_size=(3000, 2000, 3),
        test_size=(37, 23, 3),
    ),
)
