"""Cameras: from the mosaic of a sensor to colours."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import clamped, inner, padded, shifted, weighted
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, pictures, planes, repeat_edge, total

BLACK, WHITE = 64, 4095  # of a sensor's twelve bits


def mosaic_param(hl: ModuleType) -> Any:
    """Red at even places of even rows, blue at odd places of odd rows, green elsewhere."""
    return hl.ImageParam(hl.UInt(16), 2, "mosaic")


def by_colour(hl: ModuleType, x: Any, y: Any, at_red: Any, at_red_row: Any, at_blue_row: Any, at_blue: Any) -> Any:
    """One of four values by the place in the mosaic; `at_red_row` is at the green between two reds of a row."""
    return hl.select(y % 2 == 0, hl.select(x % 2 == 0, at_red, at_red_row), hl.select(x % 2 == 0, at_blue_row, at_blue))


# Bilinear demosaicking


def bilinear(hl: ModuleType, stages: Stages, mosaic: Any, args: tuple[Any, ...]) -> Any:
    """Missing colours are the means of the nearest pixels of the colour."""
    x, y, c = args
    across = stages.define("across", (x, y), (mosaic[x - 1, y] + mosaic[x + 1, y] + 1) // 2)
    down = stages.define("down", (x, y), (mosaic[x, y - 1] + mosaic[x, y + 1] + 1) // 2)
    sides = mosaic[x - 1, y] + mosaic[x + 1, y] + mosaic[x, y - 1] + mosaic[x, y + 1]
    cross = stages.define("cross", (x, y), (sides + 2) // 4)
    corners = mosaic[x - 1, y - 1] + mosaic[x + 1, y - 1] + mosaic[x - 1, y + 1] + mosaic[x + 1, y + 1]
    diagonal = stages.define("diagonal", (x, y), (corners + 2) // 4)
    current, across, down, cross, diagonal = (hl.Expr(func[x, y]) for func in (mosaic, across, down, cross, diagonal))
    red = by_colour(hl, x, y, current, across, down, diagonal)
    green = by_colour(hl, x, y, cross, current, current, cross)
    blue = by_colour(hl, x, y, diagonal, down, across, current)
    return stages.define("demosaiced", (x, y, c), hl.mux(c, [red, green, blue]))


def build_bilinear(hl: ModuleType) -> Algorithm:
    mosaic, stages = mosaic_param(hl), Stages(hl)
    bounded = hl.BoundaryConditions.mirror_interior(mosaic)
    return Algorithm(bilinear(hl, stages, bounded, hl.vars("x y c")), {"mosaic": mosaic}, stages=stages)


def bilinear_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; everything inline, all three colours of a vector of pixels at once."""
    x, y, c, strip = hl.vars("x y c strip")
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(16))
    algorithm.output.bound(c, 0, 3).split(y, strip, y, 32).reorder(c, x, y, strip)
    algorithm.output.unroll(c).vectorize(x, lanes).parallel(strip)


def bilinear_reference(images: Mapping[str, Array]) -> Array:
    return inner(colours_of(padded(images["mosaic"].astype(np.int32), 2, "reflect")), 2).astype(np.uint16)


def colours_of(mosaic: Array) -> Array:
    """Each colour's pixels among zeros, filtered so that the nearest count."""
    y, x = np.indices(mosaic.shape)
    reds = weighted(weighted(np.where((x % 2 == 0) & (y % 2 == 0), mosaic, 0), (1, 2, 1), 0), (1, 2, 1), 1)
    blues = weighted(weighted(np.where((x % 2 == 1) & (y % 2 == 1), mosaic, 0), (1, 2, 1), 0), (1, 2, 1), 1)
    greens = np.where((x + y) % 2 == 1, mosaic, 0)
    greens = weighted(greens, (1, 2, 1), 0) + weighted(greens, (1, 2, 1), 1)
    return (np.stack([reds, greens, blues]) + 2) // 4


# Malvar, He and Cutler's demosaicking

GREEN_AT_RED = [(0, 0, 8), *((dx, dy, 4) for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)))]
GREEN_AT_RED += [(dx, dy, -2) for dx, dy in ((-2, 0), (2, 0), (0, -2), (0, 2))]
DIAGONALS = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
RED_IN_ROW = [(0, 0, 10), (-1, 0, 8), (1, 0, 8), (-2, 0, -2), (2, 0, -2), (0, -2, 1), (0, 2, 1)]
RED_IN_ROW += [(dx, dy, -2) for dx, dy in DIAGONALS]
RED_IN_COLUMN = [(dy, dx, weight) for dx, dy, weight in RED_IN_ROW]
RED_AT_BLUE = [(0, 0, 12), *((dx, dy, 4) for dx, dy in DIAGONALS)]
RED_AT_BLUE += [(dx, dy, -3) for dx, dy in ((-2, 0), (2, 0), (0, -2), (0, 2))]


def build_malvar(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    mosaic, stages = mosaic_param(hl), Stages(hl)
    raw = stages.define("raw", (x, y), hl.i32(hl.BoundaryConditions.mirror_interior(mosaic)[x, y]))

    def estimate(name: str, taps: list[tuple[int, int, int]]) -> Any:
        value = (total([raw[x + dx, y + dy] * weight for dx, dy, weight in taps]) + 8) >> 4
        return hl.Expr(stages.define(name, (x, y), hl.clamp(value, 0, WHITE))[x, y])

    cross = estimate("green_at_red", GREEN_AT_RED)
    across, down = estimate("red_in_row", RED_IN_ROW), estimate("red_in_column", RED_IN_COLUMN)
    diagonal, current = estimate("red_at_blue", RED_AT_BLUE), hl.Expr(raw[x, y])
    red = by_colour(hl, x, y, current, across, down, diagonal)
    green = by_colour(hl, x, y, cross, current, current, cross)
    blue = by_colour(hl, x, y, diagonal, down, across, current)
    output = stages.define("malvar", (x, y, c), hl.u16(hl.mux(c, [red, green, blue])))
    return Algorithm(output, {"mosaic": mosaic}, stages=stages)


def malvar_reference(images: Mapping[str, Array]) -> Array:
    mosaic = padded(images["mosaic"].astype(np.int32), 2, "reflect")

    def estimate(taps: list[tuple[int, int, int]]) -> Array:
        total = sum(weight * shifted(mosaic, dx, dy) for dx, dy, weight in taps)
        return np.clip((total + 8) >> 4, 0, WHITE)

    red, green, blue = (mosaic.copy() for _ in range(3))
    cross, across, down = estimate(GREEN_AT_RED), estimate(RED_IN_ROW), estimate(RED_IN_COLUMN)
    diagonal = estimate(RED_AT_BLUE)
    for parity in (0, 1):
        green[parity::2, parity::2] = cross[parity::2, parity::2]
        first, second = (red, blue) if parity == 0 else (blue, red)
        first[parity::2, 1 - parity :: 2] = across[parity::2, 1 - parity :: 2]
        first[1 - parity :: 2, parity::2] = down[1 - parity :: 2, parity::2]
        second[parity::2, parity::2] = diagonal[parity::2, parity::2]
    return inner(np.stack([red, green, blue]), 2).astype(np.uint16)


# A signal processor: black level, white balance, colours, tone curve, then sharper luma and smoother chroma

GAINS = (480, 256, 256, 390)  # of red, green, green, blue, in 1/256
MATRIX = ((1690, -520, -146), (-300, 1610, -286), (-40, -620, 1684))  # in 1/1024
TO_LUMA, TO_CB, TO_CR = (77, 150, 29), (-43, -85, 128), (128, -107, -21)  # in 1/256


def build_raw_isp(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    mosaic, curve, stages = mosaic_param(hl), hl.ImageParam(hl.UInt(8), 1, "curve"), Stages(hl)
    raw = hl.BoundaryConditions.mirror_interior(mosaic)
    level = hl.i32(hl.max(raw[x, y], BLACK)) - BLACK
    balanced = hl.min((level * by_colour(hl, x, y, *GAINS)) >> 8, WHITE)
    rgb = bilinear(hl, stages, stages.define("balanced", (x, y), hl.u16(balanced)), (x, y, c))

    channels = [hl.i32(rgb[x, y, k]) for k in range(3)]
    rows = [total([w * v for w, v in zip(row, channels, strict=True)]) for row in MATRIX]
    corrected = stages.define("corrected", (x, y, c), hl.u16(hl.clamp((hl.mux(c, rows) + 512) >> 10, 0, WHITE)))
    curved = stages.define("curved", (x, y, c), curve[hl.clamp(corrected[x, y, c], 0, WHITE)])

    channels = [hl.i16(curved[x, y, k]) for k in range(3)]
    luma = stages.define(
        "luma", (x, y), hl.i16(total([w * hl.i32(v) for w, v in zip(TO_LUMA, channels, strict=True)]) >> 8)
    )
    chroma = [total([w * hl.i32(v) for w, v in zip(row, channels, strict=True)]) >> 8 for row in (TO_CB, TO_CR)]
    smooth = stages.blur("smooth", stages.define("chroma", (x, y, c), hl.i16(hl.mux(c, chroma))), (x, y, c), [1] * 5)
    low = stages.blur("low", luma, (x, y), (1, 2, 1))
    sharp = stages.define("sharp", (x, y), hl.i32(luma[x, y]) + ((16 * hl.i32(luma[x, y]) - low[x, y]) >> 4))
    blue, red = ((hl.i32(smooth[x, y, k]) * 10) >> 8 for k in range(2))
    green = (88 * blue + 183 * red) >> 8
    back = [sharp[x, y] + ((359 * red) >> 8), sharp[x, y] - green, sharp[x, y] + ((454 * blue) >> 8)]
    output = stages.define("raw_isp", (x, y, c), hl.u8_sat(hl.mux(c, back)))
    return Algorithm(output, {"mosaic": mosaic, "curve": curve}, stages=stages)


def raw_isp_inputs(size: Sizes) -> dict[str, Array]:
    curve = np.rint(255 * (np.arange(WHITE + 1) / WHITE) ** 0.45).astype(np.uint8)
    return {"mosaic": noise(size[1::-1], np.uint16, 0, WHITE), "curve": curve}


def raw_isp_reference(images: Mapping[str, Array]) -> Array:
    mosaic = padded(images["mosaic"].astype(np.int32), 6, "reflect")
    gains = np.tile(np.reshape(GAINS, (2, 2)), [-(-n // 2) for n in mosaic.shape])
    balanced = np.minimum(np.maximum(mosaic - BLACK, 0) * gains[: mosaic.shape[0], : mosaic.shape[1]] >> 8, WHITE)
    rgb = np.einsum("ij,jyx->iyx", np.array(MATRIX), colours_of(balanced))
    curved = images["curve"].astype(np.int32)[np.clip((rgb + 512) >> 10, 0, WHITE)]
    luma, *chroma = (np.einsum("j,jyx->yx", np.array(row), curved) >> 8 for row in (TO_LUMA, TO_CB, TO_CR))
    blue, red = (weighted(weighted(plane, [1] * 5, 0), [1] * 5, 1) * 10 >> 8 for plane in chroma)
    sharp = luma + ((16 * luma - weighted(weighted(luma, (1, 2, 1), 0), (1, 2, 1), 1)) >> 4)
    back = [sharp + (359 * red >> 8), sharp - ((88 * blue + 183 * red) >> 8), sharp + (454 * blue >> 8)]
    return inner(np.clip(np.stack(back), 0, 255), 6).astype(np.uint8)


# Defect pixels: what stands out from all eight neighbours of its colour is replaced along the smoothest direction

TOLERATED = 48
DIRECTIONS = ((2, 0), (0, 2), (2, 2), (2, -2))


def build_defects(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    mosaic, stages = mosaic_param(hl), Stages(hl)
    raw = hl.BoundaryConditions.mirror_interior(mosaic)
    pixel = hl.i16(raw[x, y])
    pairs = [(hl.i16(raw[x - dx, y - dy]), hl.i16(raw[x + dx, y + dy])) for dx, dy in DIRECTIONS]
    neighbours = [value for pair in pairs for value in pair]
    stands_out = (pixel > hl.max(*neighbours) + TOLERATED) | (pixel < hl.min(*neighbours) - TOLERATED)
    changes = [hl.absd(*pair) for pair in pairs]
    means = [(first + second + 1) >> 1 for first, second in pairs]
    best, change = means[0], changes[0]
    for other, other_change in zip(means[1:], changes[1:], strict=True):
        best, change = hl.select(other_change < change, other, best), hl.min(other_change, change)
    output = stages.define("defect_pixels", (x, y), hl.u16(hl.select(stands_out, best, pixel)))
    return Algorithm(output, {"mosaic": mosaic}, stages=stages)


def defects_inputs(size: Sizes) -> dict[str, Array]:
    mosaic = noise(size[::-1], np.uint16, 500, 1500)
    rng = np.random.default_rng(1)
    hot = rng.random(mosaic.shape) < 0.01
    mosaic[hot] = rng.choice(np.array([0, WHITE], np.uint16), np.count_nonzero(hot))
    return {"mosaic": mosaic}


def defects_reference(images: Mapping[str, Array]) -> Array:
    raw = padded(images["mosaic"].astype(np.int32), 2, "reflect")
    pairs = np.array([[shifted(raw, -dx, -dy), shifted(raw, dx, dy)] for dx, dy in DIRECTIONS])
    smoothest = np.abs(pairs[:, 0] - pairs[:, 1]).argmin(0)
    best = np.take_along_axis((pairs.sum(1) + 1) >> 1, smoothest[None], 0)[0]
    low, high = pairs.min((0, 1)) - TOLERATED, pairs.max((0, 1)) + TOLERATED
    return inner(np.where((raw > high) | (raw < low), best, raw), 2).astype(np.uint16)


# Lens shading: a mesh of gains for each of the four colours, interpolated in fixed point

MESH = (16, 12)  # cells across and down


def build_shading(hl: ModuleType) -> Algorithm:
    x, y, p, i = hl.vars("x y p i")
    mosaic, mesh, stages = mosaic_param(hl), hl.ImageParam(hl.UInt(16), 3, "mesh"), Stages(hl)

    def interpolated(before: Any, after: Any, share: Any) -> Any:
        return (hl.i32(before) * (256 - share) + hl.i32(after) * share + 128) >> 8

    def position(at: Any, cells: int, extent: Any) -> tuple[Any, Any]:
        scaled = at * (256 * cells) // extent
        return hl.clamp(scaled >> 8, 0, cells - 1), scaled & 255

    cell, share = position(y, MESH[1], mosaic.height())
    rows = stages.define("rows", (i, y, p), hl.u16(interpolated(mesh[i, cell, p], mesh[i, cell + 1, p], share)))
    cell, share = position(x, MESH[0], mosaic.width())
    plane = x % 2 + 2 * (y % 2)
    gain = interpolated(rows[cell, y, plane], rows[cell + 1, y, plane], share)
    level = hl.i32(hl.max(mosaic[x, y], BLACK)) - BLACK
    corrected = hl.min(((level * gain + 512) >> 10) + BLACK, WHITE)
    output = stages.define("lens_shading", (x, y), hl.u16(corrected))
    return Algorithm(output, {"mosaic": mosaic, "mesh": mesh}, stages=stages)


def shading_inputs(size: Sizes) -> dict[str, Array]:
    mosaic = noise(size[::-1], np.uint16, 0, WHITE)
    return {"mosaic": mosaic, "mesh": noise((4, MESH[1] + 1, MESH[0] + 1), np.uint16, 1024, 4000, 1)}


def shading_reference(images: Mapping[str, Array]) -> Array:
    mosaic, mesh = images["mosaic"].astype(np.int32), images["mesh"].astype(np.int32)
    height, width = mosaic.shape

    def interpolated(mesh: Array, cells: int, extent: int, axis: int) -> Array:
        cell, share = np.divmod(np.arange(extent) * 256 * cells // extent, 256)
        share = share.reshape([-1 if k == axis else 1 for k in range(3)])
        return (np.take(mesh, cell, axis) * (256 - share) + np.take(mesh, cell + 1, axis) * share + 128) >> 8

    gains = interpolated(interpolated(mesh, MESH[1], height, 1), MESH[0], width, 2)
    y, x = np.indices(mosaic.shape)
    gain = gains[x % 2 + 2 * (y % 2), y, x]
    return np.minimum((np.maximum(mosaic - BLACK, 0) * gain + 512 >> 10) + BLACK, WHITE).astype(np.uint16)


# Lateral chromatic aberration: red and blue are magnified differently

MAGNIFIED = (-0.012, 0.0, 0.009)  # of red, green and blue in the corners


def build_aberration(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.Float(32), 3, "source"), Stages(hl)
    width, height = source.width(), source.height()
    middle = [hl.f32(extent - 1) / 2.0 for extent in (width, height)]
    u, v = hl.f32(x) - middle[0], hl.f32(y) - middle[1]
    radius = (u * u + v * v) / (middle[0] * middle[0] + middle[1] * middle[1])
    scale = 1.0 + hl.mux(c, [hl.f32(k) for k in MAGNIFIED]) * radius
    at_x, at_y = middle[0] + u * scale, middle[1] + v * scale
    left = hl.clamp(hl.i32(hl.floor(at_x)), -1, width - 1)
    top = hl.clamp(hl.i32(hl.floor(at_y)), -1, height - 1)
    share_x, share_y = at_x - hl.floor(at_x), at_y - hl.floor(at_y)
    bounded = repeat_edge(hl, source, width, height)

    def row(dy: int) -> Any:
        return hl.lerp(bounded[left, top + dy, c], bounded[left + 1, top + dy, c], share_x)

    output = stages.define("lateral_aberration", (x, y, c), hl.lerp(row(0), row(1), share_y))
    return Algorithm(output, {"source": source}, stages=stages)


def aberration_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"].astype(np.float64)
    height, width = source.shape[1:]
    v, u = (np.arange(n) - (n - 1) / 2 for n in (height, width))
    radius = (u**2 + v[:, None] ** 2) / (u[0] ** 2 + v[0] ** 2)
    result = np.empty_like(source)
    for plane, magnified, out in zip(source, MAGNIFIED, result, strict=True):
        scale = 1 + magnified * radius
        at_x, at_y = (width - 1) / 2 + u * scale, (height - 1) / 2 + v[:, None] * scale
        left, top = np.floor(at_x).astype(int), np.floor(at_y).astype(int)
        rows = []
        for dy in (0, 1):
            before, after = (clamped(plane, left + dx, top + dy) for dx in (0, 1))
            rows.append(before + (after - before) * (at_x - left))
        out[:] = rows[0] + (rows[1] - rows[0]) * (at_y - top)
    return result.astype(np.float32)


RAW = planes(np.uint16, 0, WHITE, "mosaic")
ENTRIES = (
    Entry(
        name="demosaic_bilinear",
        kind="camera",
        source="OpenCV's cv2.cvtColor COLOR_BayerBG2RGB",
        build=build_bilinear,
        inputs=RAW,
        reference=bilinear_reference,
        bench_size=(4000, 3000, 3),
        test_size=(37, 23, 3),
        hand=bilinear_hand,
    ),
    Entry(
        name="demosaic_malvar",
        kind="camera",
        source="Malvar, He and Cutler, High-quality linear interpolation for demosaicing, 2004",
        build=build_malvar,
        inputs=RAW,
        reference=malvar_reference,
        bench_size=(3264, 2448, 3),
        test_size=(37, 23, 3),
    ),
    Entry(
        name="raw_isp",
        kind="camera",
        source="the usual stages of an image signal processor, in integers",
        build=build_raw_isp,
        inputs=raw_isp_inputs,
        reference=raw_isp_reference,
        bench_size=(2592, 1944, 3),
        test_size=(37, 23, 3),
    ),
    Entry(
        name="defect_pixels",
        kind="camera",
        source="dynamic bad pixel correction of open ISPs (fast-openISP, Infinite-ISP)",
        build=build_defects,
        inputs=defects_inputs,
        reference=defects_reference,
        bench_size=(6000, 4000),
        test_size=(37, 23),
    ),
    Entry(
        name="lens_shading",
        kind="camera",
        source="Android's LensShadingMap, in fixed point",
        build=build_shading,
        inputs=shading_inputs,
        reference=shading_reference,
        bench_size=(5184, 3888),
        test_size=(37, 23),
    ),
    Entry(
        name="lateral_aberration",
        kind="camera",
        source="lensfun's radial model for transverse chromatic aberration, one term",
        build=build_aberration,
        inputs=pictures(np.float32, 0, 1),
        reference=aberration_reference,
        bench_size=(2000, 1500, 3),
        test_size=(37, 23, 3),
        tolerance=1e-4,
        differentiable=True,
    ),
)
