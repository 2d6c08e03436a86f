"""Edges and lines."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import AROUND, inner, padded, shifted, smoothed, sobel_of, weighted
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, gaussian, planes, repeat_edge, single, sobel, squares, total

# Canny's edges, with three steps of hysteresis

WEAK, STRONG, GROWN = 60, 140, 3


def build_canny(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    wide = stages.define("wide", (x, y), hl.i32(bounded[x, y]))
    blurred = stages.blur("blurred", wide, (x, y), (1, 4, 6, 4, 1))
    smooth = stages.define("smooth", (x, y), hl.i16((blurred[x, y] + 128) >> 8))
    across, down = sobel(stages, smooth, (x, y))
    gx, gy = hl.i32(across[x, y]), hl.i32(down[x, y])
    magnitude = stages.define("magnitude", (x, y), hl.i32(hl.abs(gx) + hl.abs(gy)))
    # tan(22.5 degrees) in 1/32768, and its reciprocal: as OpenCV quantises directions.
    flat, steep = hl.i32(hl.abs(gx)) * 13573, hl.i32(hl.abs(gy)) << 15
    size, falling = magnitude[x, y], gx * gy < 0
    along_x = (size > magnitude[x - 1, y]) & (size >= magnitude[x + 1, y])
    along_y = (size > magnitude[x, y - 1]) & (size >= magnitude[x, y + 1])
    rising_line = (size > magnitude[x - 1, y - 1]) & (size > magnitude[x + 1, y + 1])
    falling_line = (size > magnitude[x + 1, y - 1]) & (size > magnitude[x - 1, y + 1])
    diagonal = hl.select(falling, falling_line, rising_line)
    upright = steep > flat + (hl.i32(hl.abs(gx)) << 16)
    is_ridge = hl.select(steep < flat, along_x, upright, along_y, diagonal)
    marked = hl.select(is_ridge & (size > WEAK), hl.select(size > STRONG, hl.u8(2), hl.u8(1)), hl.u8(0))
    edge = stages.define("edge_0", (x, y), marked)
    for k in range(GROWN):
        beside = hl.max(*[edge[x + dx, y + dy] for dx, dy in AROUND])
        edge = stages.define(
            f"edge_{k + 1}", (x, y), hl.select((edge[x, y] == 1) & (beside == 2), hl.u8(2), edge[x, y])
        )
    output = stages.define("canny", (x, y), hl.select(edge[x, y] == 2, hl.u8(255), hl.u8(0)))
    return Algorithm(output, {"source": source}, stages=stages)


def canny_reference(images: Mapping[str, Array]) -> Array:
    margin = 4 + GROWN + 1
    source = padded(images["source"].astype(np.int64), margin)
    across, down = sobel_of((smoothed(source, (1, 4, 6, 4, 1)) + 128) >> 8)
    size = np.abs(across) + np.abs(down)
    flat, steep = np.abs(across) * 13573, np.abs(down) << 15
    ridges = []
    for dx, dy, equal in ((1, 0, True), (0, 1, True), (1, -1, False), (1, 1, False)):
        after = size >= shifted(size, dx, dy) if equal else size > shifted(size, dx, dy)
        ridges.append((size > shifted(size, -dx, -dy)) & after)
    direction = np.where(steep < flat, 0, np.where(steep > flat + (np.abs(across) << 16), 1, 3 - (across * down < 0)))
    ridge = np.choose(direction, ridges)
    strong, weak = ridge & (size > STRONG), ridge & (size > WEAK)
    for _ in range(GROWN):
        strong = strong | (weak & np.logical_or.reduce([shifted(strong, dx, dy) for dx, dy in AROUND]))
    return inner(np.where(strong, 255, 0), margin).astype(np.uint8)


# Magnitude and direction of the gradient


def build_sobel(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    across, down = sobel(stages, stages.define("wide", (x, y), hl.i16(bounded[x, y])), (x, y))
    gx, gy = hl.f32(across[x, y]), hl.f32(down[x, y])
    output = stages.define("sobel_polar", (x, y, c), hl.mux(c, [hl.sqrt(gx * gx + gy * gy), hl.atan2(gy, gx)]))
    return Algorithm(output, {"source": source}, stages=stages)


def sobel_reference(images: Mapping[str, Array]) -> Array:
    across, down = sobel_of(padded(images["source"].astype(np.int32), 1))
    return inner(np.stack([np.hypot(across, down), np.arctan2(down, across)]), 1).astype(np.float32)


# Zero crossings of the Laplacian of a Gaussian

BINOMIAL, STEEP = (1, 6, 15, 20, 15, 6, 1), 3 << 10


def build_zero_crossings(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    smooth = stages.blur("smooth", stages.define("wide", (x, y), hl.i32(bounded[x, y])), (x, y), BINOMIAL)
    sides = smooth[x - 1, y] + smooth[x + 1, y] + smooth[x, y - 1] + smooth[x, y + 1]
    laplacian = stages.define("laplacian", (x, y), sides - 4 * smooth[x, y])
    low = hl.min(*[laplacian[x + dx, y + dy] for dx, dy in [(0, 0), *AROUND]])
    high = hl.max(*[laplacian[x + dx, y + dy] for dx, dy in [(0, 0), *AROUND]])
    is_edge = (low < 0) & (high > 0) & (high - low > STEEP)
    output = stages.define("zero_crossings", (x, y), hl.select(is_edge, hl.u8(255), hl.u8(0)))
    return Algorithm(output, {"source": source}, stages=stages)


def zero_crossings_reference(images: Mapping[str, Array]) -> Array:
    smooth = smoothed(padded(images["source"].astype(np.int64), 5), BINOMIAL)
    laplacian = weighted(smooth, (1, -2, 1), 0) + weighted(smooth, (1, -2, 1), 1)
    windows = np.array([laplacian, *(shifted(laplacian, dx, dy) for dx, dy in AROUND)])
    low, high = windows.min(0), windows.max(0)
    return inner(np.where((low < 0) & (high > 0) & (high - low > STEEP), 255, 0), 5).astype(np.uint8)


# Line drawings by the extended difference of Gaussians

SHARPENED, LEVEL, SLOPE = 18.0, 0.6, 8.0


def build_drawing(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.Float(32), 3, "source"), Stages(hl)
    bounded = repeat_edge(hl, source, source.width(), source.height())
    shares = [single(w) for w in (0.299, 0.587, 0.114)]
    luma = stages.define("luma", (x, y), total([w * bounded[x, y, k] for k, w in enumerate(shares)]))
    narrow = stages.blur("narrow", luma, (x, y), gaussian(1.0, 3))
    wide = stages.blur("wide", luma, (x, y), gaussian(1.6, 5))
    sharp = (1.0 + SHARPENED) * narrow[x, y] - SHARPENED * wide[x, y]
    soft = 1.0 + hl.tanh(SLOPE * (sharp - single(LEVEL)))
    output = stages.define("line_drawing", (x, y), hl.select(sharp >= single(LEVEL), 1.0, soft))
    return Algorithm(output, {"source": source}, stages=stages)


def drawing_inputs(size: Sizes) -> dict[str, Array]:
    return {"source": noise((3, *size[::-1]), np.float32, 0, 1)}


def drawing_reference(images: Mapping[str, Array]) -> Array:
    luma = padded(np.einsum("c,cyx->yx", [0.299, 0.587, 0.114], images["source"].astype(np.float64)), 5)
    sharp = (1 + SHARPENED) * smoothed(luma, gaussian(1.0, 3)) - SHARPENED * smoothed(luma, gaussian(1.6, 5))
    return inner(np.where(sharp >= LEVEL, 1, 1 + np.tanh(SLOPE * (sharp - LEVEL))), 5).astype(np.float32)


ENTRIES = (
    Entry(
        name="canny",
        kind="edges",
        source="Canny, 1986, as cv2.Canny, hysteresis cut after three steps",
        build=build_canny,
        inputs=squares,
        reference=canny_reference,
        bench_size=(1920, 1080),
        test_size=(67, 43),
    ),
    Entry(
        name="sobel_polar",
        kind="edges",
        source="cv2.Sobel and cv2.cartToPolar",
        build=build_sobel,
        inputs=planes(np.uint8, 0, 255),
        reference=sobel_reference,
        bench_size=(3000, 2000, 2),
        test_size=(37, 23, 2),
        tolerance=1e-3,
    ),
    Entry(
        name="zero_crossings",
        kind="edges",
        source="Marr and Hildreth, Theory of edge detection, 1980",
        build=build_zero_crossings,
        inputs=squares,
        reference=zero_crossings_reference,
        bench_size=(2048, 1536),
        test_size=(67, 43),
    ),
    Entry(
        name="line_drawing",
        kind="edges",
        source="Winnemöller, Kyprianidis and Olsen, XDoG, 2012",
        build=build_drawing,
        inputs=drawing_inputs,
        reference=drawing_reference,
        bench_size=(1600, 1200),
        test_size=(37, 23),
        tolerance=1e-3,
        differentiable=True,
    ),
)
