"""Corners and descriptors of their surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import AROUND, inner, padded, shifted, smoothed, sobel_of
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, single, sobel, squares, total

# Shi and Tomasi's corners: the smaller eigenvalue of the gradient's moments, where it is the largest around


def build_shi_tomasi(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    across, down = sobel(stages, stages.define("wide", (x, y), hl.i16(bounded[x, y])), (x, y))
    gx, gy = hl.i32(across[x, y]), hl.i32(down[x, y])
    xx, xy, yy = (
        hl.f32(stages.blur(f"sum_{name}", stages.define(name, (x, y), value), (x, y), [1] * 5)[x, y])
        for name, value in (("xx", gx * gx), ("xy", gx * gy), ("yy", gy * gy))
    )
    root = hl.sqrt((xx - yy) * (xx - yy) + 4.0 * xy * xy)
    smaller = stages.define("smaller", (x, y), (xx + yy - root) * single(0.5 / (25 * 64)))
    most = stages.define("most_x", (x, y), hl.max(smaller[x - 1, y], smaller[x, y], smaller[x + 1, y]))
    most = stages.define("most", (x, y), hl.max(most[x, y - 1], most[x, y], most[x, y + 1]))
    is_corner = (smaller[x, y] == most[x, y]) & (smaller[x, y] > 1.0)
    output = stages.define("shi_tomasi", (x, y), hl.select(is_corner, smaller[x, y], 0.0))
    return Algorithm(output, {"source": source}, stages=stages)


def shi_tomasi_reference(images: Mapping[str, Array]) -> Array:
    across, down = sobel_of(padded(images["source"].astype(np.int64), 4))
    xx, xy, yy = (smoothed(product, [1] * 5) for product in (across**2, across * down, down**2))
    smaller = (xx + yy - np.sqrt((xx - yy) ** 2 + 4 * xy**2)) / (2 * 25 * 64)
    most = np.maximum.reduce([smaller, *(shifted(smaller, dx, dy) for dx, dy in AROUND)])
    return inner(np.where((smaller == most) & (smaller > 1), smaller, 0), 4).astype(np.float32)


# FAST corners: nine neighbours in a row on a circle are all brighter, or all darker, by how much

CIRCLE = [(0, -3), (1, -3), (2, -2), (3, -1), (3, 0), (3, 1), (2, 2), (1, 3)]
CIRCLE += [(-dx, -dy) for dx, dy in CIRCLE]
ARC, BRIGHTER = 9, 10


def build_fast(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    ring = [hl.i16(bounded[x + dx, y + dy]) - hl.i16(bounded[x, y]) for dx, dy in CIRCLE]

    def strength(smaller: Any, larger: Any) -> Any:
        """The largest over all arcs of the smallest on the arc: pairs, fours, eights, nine."""
        arcs = ring
        for step in (1, 2, 4):
            arcs = [smaller(arc, arcs[(k + step) % 16]) for k, arc in enumerate(arcs)]
        return reduce(larger, [smaller(arc, ring[(k + ARC - 1) % 16]) for k, arc in enumerate(arcs)])

    score = hl.max(strength(hl.min, hl.max), -strength(hl.max, hl.min), BRIGHTER) - BRIGHTER
    scores = stages.define("scores", (x, y), hl.u8(score))
    most = hl.max(*[scores[x + dx, y + dy] for dx, dy in AROUND])
    output = stages.define("fast_corners", (x, y), hl.select(scores[x, y] > most, scores[x, y], hl.u8(0)))
    return Algorithm(output, {"source": source}, stages=stages)


def fast_reference(images: Mapping[str, Array]) -> Array:
    source = padded(images["source"].astype(np.int32), 4)
    ring = np.array([shifted(source, dx, dy) - source for dx, dy in CIRCLE])
    arcs = np.array([np.roll(ring, -k, 0)[:ARC] for k in range(16)])
    scores = np.maximum(arcs.min(1).max(0), -arcs.max(1).min(0)) - BRIGHTER
    scores = np.maximum(scores, 0)
    most = np.maximum.reduce([shifted(scores, dx, dy) for dx, dy in AROUND])
    return inner(np.where(scores > most, scores, 0), 4).astype(np.uint8)


# Histograms of oriented gradients: cells of 8 x 8, nine orientations, blocks of 2 x 2 cells normalised

CELL, BINS = 8, 9


def build_hog(hl: ModuleType) -> Algorithm:
    x, y, k, b = hl.vars("x y k b")
    source, stages = hl.ImageParam(hl.Float(32), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    gx, gy = bounded[x + 1, y] - bounded[x - 1, y], bounded[x, y + 1] - bounded[x, y - 1]
    size = stages.define("size", (x, y), hl.sqrt(gx * gx + gy * gy))
    place = stages.define("place", (x, y), hl.atan2(gy, gx) * single(BINS / np.pi) + float(BINS))
    r = hl.RDom([(0, CELL), (0, CELL)], "r")
    at = (CELL * x + r.x, CELL * y + r.y)
    apart = place[at] - hl.f32(k)  # in bins, up to twice around
    apart = apart - float(BINS) * hl.floor(apart * single(1 / BINS) + 0.5)
    cells = stages.define("cells", (x, y, k), hl.sum(size[at] * hl.max(1.0 - hl.abs(apart), 0.0)))
    bins = hl.RDom([(0, BINS)], "bins")
    energy = stages.define("energy", (x, y), hl.sum(cells[x, y, bins] * cells[x, y, bins]))
    block = total([energy[x + dx, y + dy] for dy in (0, 1) for dx in (0, 1)])
    norm = stages.define("norm", (x, y), 1.0 / hl.sqrt(block + single(1e-4)))
    value = hl.min(cells[x + b % 2, y + b // 2, k] * norm[x, y], single(0.2))
    output = stages.define("hog", (x, y, k, b), value)
    return Algorithm(output, {"source": source}, stages=stages)


def hog_inputs(size: Sizes) -> dict[str, Array]:
    return {"source": noise((CELL * (size[1] + 1), CELL * (size[0] + 1)), np.float32, 0, 1)}


def hog_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"].astype(np.float64)
    image = padded(source, 1)
    gx, gy = (
        inner(shifted(image, *step) - shifted(image, *back), 1) for step, back in (((1, 0), (-1, 0)), ((0, 1), (0, -1)))
    )
    place, size = np.arctan2(gy, gx) * BINS / np.pi % BINS, np.hypot(gx, gy)
    lower, share = np.floor(place).astype(int), place % 1
    cells_y, cells_x = (n // CELL for n in source.shape)
    y, x = np.indices(source.shape) // CELL
    cells = np.zeros((BINS, cells_y, cells_x))
    np.add.at(cells, (lower % BINS, y, x), size * (1 - share))
    np.add.at(cells, ((lower + 1) % BINS, y, x), size * share)
    corners = np.stack([cells[:, dy:, dx:][:, : cells_y - 1, : cells_x - 1] for dy in (0, 1) for dx in (0, 1)])
    norm = np.sqrt((corners**2).sum((0, 1)) + 1e-4)
    return np.minimum(corners / norm, 0.2).astype(np.float32)


# Uniform local binary patterns

RING = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]


def uniform_codes() -> Array:
    """A number for each pattern with at most two changes around the ring, in order; one more for all others."""
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
    is_uniform = (bits != np.roll(bits, 1, 1)).sum(1) <= 2
    return np.where(is_uniform, np.cumsum(is_uniform) - 1, np.count_nonzero(is_uniform)).astype(np.uint8)


def build_patterns(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, codes = hl.ImageParam(hl.UInt(8), 2, "source"), hl.ImageParam(hl.UInt(8), 1, "codes")
    stages, bounded = Stages(hl), hl.BoundaryConditions.repeat_edge(source)
    bits = [
        hl.select(bounded[x + dx, y + dy] >= bounded[x, y], hl.u8(1 << k), hl.u8(0)) for k, (dx, dy) in enumerate(RING)
    ]
    pattern = stages.define("pattern", (x, y), reduce(lambda a, b: a | b, bits))
    output = stages.define("binary_patterns", (x, y), codes[hl.i32(pattern[x, y])])
    return Algorithm(output, {"source": source, "codes": codes}, stages=stages)


def patterns_inputs(size: Sizes) -> dict[str, Array]:
    return {"source": noise(size[::-1], np.uint8, 0, 255), "codes": uniform_codes()}


def patterns_reference(images: Mapping[str, Array]) -> Array:
    source = padded(images["source"], 1)
    bits = [(shifted(source, dx, dy) >= source).astype(np.int32) << k for k, (dx, dy) in enumerate(RING)]
    return images["codes"][inner(sum(bits), 1)]


ENTRIES = (
    Entry(
        name="shi_tomasi",
        kind="corners",
        source="Shi and Tomasi, Good features to track, 1994 (cv2.cornerMinEigenVal)",
        build=build_shi_tomasi,
        inputs=squares,
        reference=shi_tomasi_reference,
        bench_size=(1280, 960),
        test_size=(67, 43),
        tolerance=0.1,
    ),
    Entry(
        name="fast_corners",
        kind="corners",
        source="Rosten and Drummond's FAST-9 with scores and suppression (cv2.FastFeatureDetector)",
        build=build_fast,
        inputs=squares,
        reference=fast_reference,
        bench_size=(2048, 2048),
        test_size=(67, 43),
    ),
    Entry(
        name="hog",
        kind="descriptors",
        source="Dalal and Triggs, Histograms of oriented gradients, 2005 (skimage.feature.hog)",
        build=build_hog,
        inputs=hog_inputs,
        reference=hog_reference,
        bench_size=(239, 134, BINS, 4),
        test_size=(5, 4, BINS, 4),
        tolerance=1e-4,
    ),
    Entry(
        name="binary_patterns",
        kind="descriptors",
        source="Ojala, Pietikäinen and Mäenpää, 2002 (skimage.feature.local_binary_pattern, nri_uniform)",
        build=build_patterns,
        inputs=patterns_inputs,
        reference=patterns_reference,
        bench_size=(4000, 3000),
        test_size=(37, 23),
    ),
)
