"""Resampling: values on one grid, interpolated or averaged at the places of another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
from scipy.ndimage import map_coordinates

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.images.warps import bilinear, extent, pixels, sampled

STEP = 0.4  # source pixels between neighbours of the enlarged picture
SHARPNESS = -0.75  # Keys' parameter, as OpenCV has it


def cubic(hl: ModuleType, t: Any) -> Any:
    """Keys' interpolating cubic."""
    a, d = hl.f32(SHARPNESS), hl.abs(t)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return hl.select(d < 1.0, near, d < 2.0, far, 0.0)


def build_bicubic_zoom(hl: ModuleType) -> Algorithm:
    """Four rows, then four columns, with weights that depend on the place."""
    image, step = hl.ImageParam(hl.Float(32), 3, "image"), hl.Param(hl.Float(32), "step")
    x, y, c, k = hl.vars("x y c k")
    weight, rows, zoomed = hl.funcs("weight rows zoomed")
    edges = hl.BoundaryConditions.repeat_edge(image)

    def place(at: Any) -> Any:
        return (hl.f32(at) + 0.5) * step - 0.5

    def first(at: Any) -> Any:
        return hl.i32(hl.floor(place(at))) - 1

    weight[k, x] = cubic(hl, place(x) - hl.f32(first(x) + k))
    rows[x, y, c] = sum((weight[i, y] * edges[x, first(y) + i, c] for i in range(4)), hl.f32(0))
    zoomed[x, y, c] = sum((weight[i, x] * rows[first(x) + i, y, c] for i in range(4)), hl.f32(0))
    return Algorithm(zoomed, {"image": image}, {"step": step}, {"weight": weight, "rows": rows})


def bicubic_zoom_inputs(size: Sizes) -> dict[str, Array]:
    width, height, channels = size
    return {"image": noise((channels, round(height * STEP), round(width * STEP)), np.float32, 0, 1)}


def bicubic_zoom(images: Mapping[str, Array]) -> Array:
    """A product of matrices along each axis."""

    def matrix(source: int) -> Array:
        count = round(source / STEP)
        place = (np.arange(count) + 0.5) * STEP - 0.5
        weights = np.zeros((count, source))
        for k in range(-1, 3):
            at = np.floor(place).astype(int) + k
            d = abs(place - at)
            near = (SHARPNESS + 2) * d**3 - (SHARPNESS + 3) * d**2 + 1
            far = SHARPNESS * (d**3 - 5 * d**2 + 8 * d - 4)
            np.add.at(weights, (np.arange(count), at.clip(0, source - 1)), np.where(d < 1, near, far))
        return weights.astype(np.float32)

    image = images["image"]
    return matrix(image.shape[1]) @ image @ matrix(image.shape[2]).T


TAPS = 8
ACROSS_BITS, DOWN_BITS = 14, 12  # of the weights of a scaler
SHRINK = 1.5  # source pixels between neighbours of the output


def build_scaler(hl: ModuleType) -> Algorithm:
    """Rows with weights of 14 bits into 15 bits, then columns with weights of 12 bits, as a video scaler does."""
    image = hl.ImageParam(hl.UInt(8), 3, "image")
    weights = {name: hl.ImageParam(hl.Int(16), 2, name) for name in ("across", "down")}
    firsts = {name: hl.ImageParam(hl.Int(32), 1, name) for name in ("first_x", "first_y")}
    x, y, c = hl.vars("x y c")
    sum_x, rows, sum_y, scaled = hl.funcs("sum_x rows sum_y scaled")
    k, j = hl.RDom([(0, TAPS)], "k"), hl.RDom([(0, TAPS)], "j")
    column = hl.clamp(firsts["first_x"][x] + k, 0, image.width() - 1)
    row = hl.clamp(firsts["first_y"][y] + j, 0, image.height() - 1)
    sum_x[x, y, c] = 0
    sum_x[x, y, c] += hl.i32(image[column, y, c]) * weights["across"][k, x]
    rows[x, y, c] = hl.i16(hl.min(sum_x[x, y, c] >> (ACROSS_BITS - 7), (1 << 15) - 1))
    sum_y[x, y, c] = 1 << (DOWN_BITS + 6)
    sum_y[x, y, c] += hl.i32(rows[x, row, c]) * weights["down"][j, y]
    scaled[x, y, c] = hl.u8_sat(sum_y[x, y, c] >> (DOWN_BITS + 7))
    return Algorithm(
        scaled, {"image": image, **weights, **firsts}, stages={"sum_x": sum_x, "rows": rows, "sum_y": sum_y}
    )


def lanczos_table(count: int, bits: int) -> tuple[Array, Array]:
    """For each of so many places the first source pixel, and weights in fixed point that sum up to one."""
    place = (np.arange(count) + 0.5) * SHRINK - 0.5
    first = np.floor(place).astype(np.int32) - TAPS // 2 + 1
    distance = (first[:, None] + np.arange(TAPS) - place[:, None]) / SHRINK
    weights = np.where(abs(distance) < 3, np.sinc(distance) * np.sinc(distance / 3), 0)
    fixed = np.rint(weights / weights.sum(axis=1, keepdims=True) * (1 << bits)).astype(np.int16)
    fixed[:, TAPS // 2] += (1 << bits) - fixed.sum(axis=1, dtype=np.int16)
    return first, fixed


def scaler_inputs(size: Sizes) -> dict[str, Array]:
    width, height, channels = size
    (first_x, across), (first_y, down) = lanczos_table(width, ACROSS_BITS), lanczos_table(height, DOWN_BITS)
    image = noise((channels, round(height * SHRINK), round(width * SHRINK)), np.uint8, 0, 255)
    return {"image": image, "across": across, "down": down, "first_x": first_x, "first_y": first_y}


def scaler(images: Mapping[str, Array]) -> Array:
    image = images["image"]
    columns = (images["first_x"][:, None] + np.arange(TAPS)).clip(0, image.shape[2] - 1)
    lines = (images["first_y"][:, None] + np.arange(TAPS)).clip(0, image.shape[1] - 1)
    rows = sum(image[..., columns[:, k]] * images["across"][:, k].astype(np.int32) for k in range(TAPS))
    rows = np.minimum(rows >> 7, 32767)
    total = sum(rows[:, lines[:, k]] * images["down"][:, k, None].astype(np.int32) for k in range(TAPS))
    return ((total + (1 << 18)) >> 19).clip(0, 255).astype(np.uint8)


RATIO = 3.3  # source pixels for each pixel of the output


def build_area_shrink(hl: ModuleType) -> Algorithm:
    """The mean over the rectangle that a pixel covers, pixels at its sides counted by the share that lies inside."""
    image, ratio = hl.ImageParam(hl.UInt(16), 3, "image"), hl.Param(hl.Float(64), "ratio")
    x, y, c, k = hl.vars("x y c k")
    share, rows, shrunk = hl.funcs("share rows shrunk")
    edges = hl.BoundaryConditions.repeat_edge(image)
    taps = hl.i32(hl.ceil(ratio)) + 1
    i, j = hl.RDom([(0, taps)], "i"), hl.RDom([(0, taps)], "j")

    def first(at: Any) -> Any:
        return hl.i32(hl.floor(hl.f64(at) * ratio))

    begin, end = hl.f64(x) * ratio, hl.f64(x + 1) * ratio
    at = hl.f64(first(x) + k)
    share[k, x] = hl.f32(hl.max(hl.min(at + hl.f64(1), end) - hl.max(at, begin), hl.f64(0)) / ratio)
    rows[x, y, c] = hl.f32(0)
    rows[x, y, c] += share[j, y] * edges[x, first(y) + j, c]
    shrunk[x, y, c] = hl.f32(0)
    shrunk[x, y, c] += share[i, x] * rows[first(x) + i, y, c]
    return Algorithm(shrunk, {"image": image}, {"ratio": ratio}, {"share": share, "rows": rows})


def area_shrink_inputs(size: Sizes) -> dict[str, Array]:
    width, height, channels = size
    shape = (channels, math.ceil(height * RATIO), math.ceil(width * RATIO))
    return {"image": noise(shape, np.uint16, 0, 1023)}


def area_shrink(images: Mapping[str, Array]) -> Array:
    """Differences of the integral along each axis, which is linear between pixels."""
    image = images["image"].astype(np.float64)
    for axis in (1, 2):
        count = image.shape[axis]
        total = np.moveaxis(np.cumsum(image, axis), axis, 0)
        total = np.concatenate([np.zeros_like(total[:1]), total])
        place = np.arange(int(count / RATIO) + 1) * RATIO
        below = np.minimum(place.astype(int), count - 1)
        part = (place - below)[:, None, None]
        edges = total[below] * (1 - part) + total[below + 1] * part
        image = np.moveaxis(np.diff(edges, axis=0), 0, axis) / RATIO
    return image.astype(np.float32)


SPACING = 32  # pixels between control points


def b_spline(t: Any) -> tuple[Any, ...]:
    """The weights of four control points for a place `t` of the way from the second to the third."""
    left = 1 - t
    return (
        left * left * left / 6,
        (3 * t * t * t - 6 * t * t + 4) / 6,
        (3 * left * left * left - 6 * left * left + 4) / 6,
        t * t * t / 6,
    )


def build_mesh_warp(hl: ModuleType) -> Algorithm:
    """Displacements of a coarse mesh, interpolated by cubic B-splines along each axis, move all pixels."""
    image, mesh = hl.ImageParam(hl.Float(32), 2, "image"), hl.ImageParam(hl.Float(32), 3, "mesh")
    x, y, d, k, t = hl.vars("x y d k t")
    weight, across, field, warped = hl.funcs("weight across field warped")
    weight[k, t] = hl.mux(k, list(b_spline(hl.f32(t) * hl.f32(1 / SPACING))))
    across[x, y, d] = sum(
        (weight[i, x % SPACING] * mesh[x // SPACING + i, y, d] for i in range(1, 4)),
        weight[0, x % SPACING] * mesh[x // SPACING, y, d],
    )
    field[x, y, d] = sum(
        (weight[i, y % SPACING] * across[x, y // SPACING + i, d] for i in range(1, 4)),
        weight[0, y % SPACING] * across[x, y // SPACING, d],
    )
    warped[x, y] = bilinear(hl, image, extent(image), x + field[x, y, 0], y + field[x, y, 1])
    return Algorithm(
        warped, {"image": image, "mesh": mesh}, stages={"weight": weight, "across": across, "field": field}
    )


def mesh_warp_inputs(size: Sizes) -> dict[str, Array]:
    points = [(n - 1) // SPACING + 4 for n in size[::-1]]
    mesh = np.random.default_rng(1).uniform(-12, 12, (2, *points)).astype(np.float32)
    return {"image": noise(size[::-1], np.float32, 0, 1), "mesh": mesh}


def mesh_warp(images: Mapping[str, Array]) -> Array:
    image = images["image"]

    def basis(count: int, points: int) -> Array:
        """The weights of all control points (columns) for all pixels (rows) of one axis."""
        pixel, matrix = np.arange(count), np.zeros((count, points))
        for k, weight in enumerate(b_spline(pixel % SPACING / SPACING)):
            matrix[pixel, pixel // SPACING + k] = weight
        return matrix

    rows, columns = (basis(*axis) for axis in zip(image.shape, images["mesh"].shape[1:], strict=True))
    field = rows @ images["mesh"] @ columns.T
    x, y = pixels(image.shape[::-1])
    return sampled(image[None], x + field[0], y + field[1])[0]


CELLS, BANDS = 16, 8  # of the grid along each axis of the picture, and along the guide


def build_bilateral_slice(hl: ModuleType) -> Algorithm:
    """An affine function of colour for every pixel, between the eight nearest of a grid of space and guide."""
    image, guide = hl.ImageParam(hl.Float(32), 3, "image"), hl.ImageParam(hl.Float(32), 2, "guide")
    grid = hl.ImageParam(hl.Float(32), 4, "grid")  # (coefficient, band, column, row)
    x, y, c, k, z = hl.vars("x y c k z")
    rows, columns, affine, retouched = hl.funcs("rows columns affine retouched")

    def between(values: Any, at: Any, size: Any) -> Any:
        """Interpolated between the values for the whole numbers below and above the float `at`."""
        at = hl.clamp(at, 0.0, hl.f32(size - 1))
        low = hl.i32(at)
        return hl.lerp(values(low), values(hl.min(low + 1, size - 1)), at - hl.f32(low))

    cell_x, cell_y = ((at + 0.5) * CELLS / hl.f32(n) - 0.5 for at, n in zip((x, y), extent(image), strict=True))
    rows[k, z, x, y] = between(lambda row: grid[k, z, x, row], cell_y, CELLS)
    columns[k, z, x, y] = between(lambda column: rows[k, z, column, y], cell_x, CELLS)
    affine[k, x, y] = between(lambda band: columns[k, band, x, y], guide[x, y] * BANDS - 0.5, BANDS)
    retouched[x, y, c] = sum(
        (affine[4 * c + i, x, y] * image[x, y, i] for i in range(3)),
        affine[4 * c + 3, x, y],
    )
    return Algorithm(
        retouched,
        {"image": image, "guide": guide, "grid": grid},
        stages={"rows": rows, "columns": columns, "affine": affine},
    )


def bilateral_slice_inputs(size: Sizes) -> dict[str, Array]:
    grid = np.random.default_rng(2).normal(0, 0.3, (CELLS, CELLS, BANDS, 12)).astype(np.float32)
    return {
        "image": noise(size[::-1], np.float32, 0, 1),
        "guide": noise(size[1::-1], np.float32, 0, 1, seed=1),
        "grid": grid,
    }


def bilateral_slice(images: Mapping[str, Array]) -> Array:
    image = images["image"]
    _, height, width = image.shape
    x, y = pixels((width, height))
    place = ((y + 0.5) * CELLS / height - 0.5, (x + 0.5) * CELLS / width - 0.5, images["guide"] * BANDS - 0.5)
    grid = np.moveaxis(images["grid"], -1, 0)
    affine = np.stack([map_coordinates(values, place, order=1, mode="nearest") for values in grid])
    affine = affine.reshape(3, 4, height, width)
    return (affine[:, :3] * image).sum(axis=1) + affine[:, 3]


ENTRIES = (
    Entry(
        name="bicubic_zoom",
        kind="resampling",
        source="OpenCV resize, INTER_CUBIC",
        build=build_bicubic_zoom,
        inputs=bicubic_zoom_inputs,
        reference=bicubic_zoom,
        bench_size=(2400, 1350, 3),
        test_size=(95, 65, 3),
        tolerance=1e-4,
        differentiable=True,
        settings={"step": STEP},
    ),
    Entry(
        name="scaler",
        kind="resampling",
        source="FFmpeg swscale: Lanczos weights as tables, 15 bits between the passes",
        build=build_scaler,
        inputs=scaler_inputs,
        reference=scaler,
        bench_size=(1280, 720, 3),
        test_size=(62, 42, 3),
    ),
    Entry(
        name="area_shrink",
        kind="resampling",
        source="OpenCV resize, INTER_AREA",
        build=build_area_shrink,
        inputs=area_shrink_inputs,
        reference=area_shrink,
        bench_size=(800, 600, 3),
        test_size=(47, 31, 3),
        tolerance=1e-2,
        settings={"ratio": RATIO},
    ),
    Entry(
        name="mesh_warp",
        kind="resampling",
        source="Rueckert et al., Nonrigid registration using free-form deformations, 1999",
        build=build_mesh_warp,
        inputs=mesh_warp_inputs,
        reference=mesh_warp,
        bench_size=(2000, 1500),
        test_size=(93, 77),
        tolerance=1e-3,
        differentiable=True,
    ),
    Entry(
        name="bilateral_slice",
        kind="resampling",
        source="Gharbi et al., Deep bilateral learning for real-time image enhancement, 2017",
        build=build_bilateral_slice,
        inputs=bilateral_slice_inputs,
        reference=bilateral_slice,
        bench_size=(1024, 768, 3),
        test_size=(93, 77, 3),
        tolerance=1e-3,
        differentiable=True,
    ),
)
