"""Spaces of colours and what is done in them: subsampling, grading, tables of three dimensions, composition."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import inner, padded
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, pictures, planes, repeat_edge, single, total

# Chroma at half the resolution and back, in fixed point

TO_YUV = ((66, 129, 25), (-38, -74, 112), (112, -94, -18))
OFFSETS = (16, 128, 128)


def build_subsampling(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.UInt(8), 3, "source"), Stages(hl)
    width, height = source.width(), source.height()
    bounded = repeat_edge(hl, source, width, height)
    rgb = [hl.i32(bounded[x, y, k]) for k in range(3)]
    rows = [total([w * v for w, v in zip(row, rgb, strict=True)]) for row in TO_YUV]
    luma, *chroma = (hl.u8(((row + 128) >> 8) + offset) for row, offset in zip(rows, OFFSETS, strict=True))
    luma = stages.define("luma", (x, y), luma)
    chroma = stages.define("chroma", (x, y, c), hl.mux(c, chroma))
    near = [hl.u16(chroma[2 * x + dx, 2 * y + dy, c]) for dy in (0, 1) for dx in (0, 1)]
    small = stages.define("small", (x, y, c), hl.u8((total(near) + 2) >> 2))
    small = repeat_edge(hl, small, (width + 1) // 2, (height + 1) // 2)

    def between(before: Any, here: Any, after: Any, at: Any) -> Any:
        """A quarter of a pixel before or after the middle of a small one."""
        return 3 * hl.u16(here) + hl.u16(hl.select(at % 2 == 0, before, after))

    def up(name: str, func: Any, axis: int) -> Any:
        at = (x, y)[axis]
        taps = [func[(at // 2 + k, y, c) if axis == 0 else (x, at // 2 + k, c)] for k in (-1, 0, 1)]
        return stages.define(name, (x, y, c), between(*(hl.Expr(tap) for tap in taps), at))

    large = up("large", up("tall", small, 1), 0)
    u, v = (((hl.i32(large[x, y, k]) + 8) >> 4) - 128 for k in range(2))
    level = 298 * (hl.i32(luma[x, y]) - 16) + 128
    back = [level + 409 * v, level - 100 * u - 208 * v, level + 516 * u]
    output = stages.define("chroma_subsampling", (x, y, c), hl.u8_sat(hl.mux(c, back) >> 8))
    return Algorithm(output, {"source": source}, stages=stages)


def subsampling_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; small chroma for each strip, interpolated a row at a time, three colours at once."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, strip = hl.vars("x y c strip")
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(16))
    output.bound(c, 0, 3).split(y, strip, y, 16).reorder(c, x, y, strip)
    output.unroll(c).vectorize(x, lanes).parallel(strip)
    stages["small"].compute_at(output, strip).reorder(c, x, y).unroll(c).vectorize(x, lanes)
    stages["tall"].compute_at(output, y).vectorize(x, lanes)


def subsampling_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"].astype(np.int32)
    height, width = source.shape[1:]
    even = np.pad(source, ((0, 0), (0, height % 2), (0, width % 2)), mode="edge")
    yuv = ((np.einsum("ij,jyx->iyx", np.array(TO_YUV), even) + 128) >> 8) + np.reshape(OFFSETS, (3, 1, 1))
    small = padded((yuv[1:].reshape(2, even.shape[1] // 2, 2, -1, 2).sum((2, 4)) + 2) >> 2, 1)
    for axis in (1, 2):
        here, before, after = (np.roll(small, step, axis) for step in (0, 1, -1))
        pairs = np.stack([3 * here + before, 3 * here + after], axis + 1)
        small = pairs.reshape([2 * n if k == axis else n for k, n in enumerate(small.shape)])
    u, v = ((inner(small, 2)[:, :height, :width] + 8) >> 4) - 128
    level = 298 * (yuv[0, :height, :width] - 16) + 128
    back = np.stack([level + 409 * v, level - 100 * u - 208 * v, level + 516 * u])
    return np.clip(back >> 8, 0, 255).astype(np.uint8)


# Hue, saturation and value

TURN, RICHER, LIGHTER = 0.4, 1.3, 1.1  # sixths of the circle; factors


def build_hue(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.Float(32), 3, "source"), Stages(hl)
    red, green, blue = (source[x, y, k] for k in range(3))
    most, least = hl.max(red, green, blue), hl.min(red, green, blue)
    chroma = most - least
    inverse = 1.0 / hl.max(chroma, single(1e-6))
    by_green = 2.0 + (blue - red) * inverse
    hue = hl.select(most == red, (green - blue) * inverse, most == green, by_green, 4.0 + (red - green) * inverse)
    value = hl.min(most * single(LIGHTER), 1.0)
    richness = hl.min(chroma / hl.max(most, single(1e-6)) * single(RICHER), 1.0)
    hsv = stages.define("hsv", (x, y), hl.Tuple([hue + single(TURN), richness, value]))
    hue, richness, value = (hsv[x, y][k] for k in range(3))
    place = hue + hl.mux(c, [hl.f32(5), hl.f32(3), hl.f32(1)])
    place = place - 6.0 * hl.floor(place * single(1 / 6))
    output = value * (1.0 - richness * hl.clamp(hl.min(place, 4.0 - place), 0.0, 1.0))
    output = stages.define("hue_turn", (x, y, c), output)
    return Algorithm(output, {"source": source}, stages=stages)


def hue_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"].astype(np.float64)
    most, chroma = source.max(0), np.ptp(source, 0)
    red, green, blue = source
    inverse = 1 / np.maximum(chroma, 1e-6)
    hues = [(green - blue) * inverse, 2 + (blue - red) * inverse, 4 + (red - green) * inverse]
    hue = np.choose(source.argmax(0), hues) + TURN
    richness = np.minimum(chroma / np.maximum(most, 1e-6) * RICHER, 1)
    place = (np.reshape([5, 3, 1], (3, 1, 1)) + hue) % 6
    value = np.minimum(most * LIGHTER, 1)
    return (value - value * richness * np.clip(np.minimum(place, 4 - place), 0, 1)).astype(np.float32)


# Vibrance in CIE Lab: weak colours become richer, strong ones stay

TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
TO_XYZ /= TO_XYZ.sum(1, keepdims=True)  # relative to white
BENT, VIBRANCE = 6 / 29, 0.8


def build_vibrance(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.Float(32), 3, "source"), Stages(hl)

    def product(matrix: Array, values: list[Any]) -> list[Any]:
        return [total([single(w) * v for w, v in zip(row, values, strict=True)]) for row in matrix]

    linear = stages.define("linear", (x, y, c), hl.mux(c, product(TO_XYZ, [source[x, y, k] for k in range(3)])))
    share = linear[x, y, c]
    line = share * single(1 / (3 * BENT**2)) + single(4 / 29)
    bent = stages.define("bent", (x, y, c), hl.select(share > single(BENT**3), hl.pow(share, single(1 / 3)), line))
    fx, fy, fz = (bent[x, y, k] for k in range(3))
    lab = stages.define("lab", (x, y), hl.Tuple([hl.Expr(fy), 5.0 * (fx - fy), 2.0 * (fy - fz)]))
    lightness, a, b = (lab[x, y][k] for k in range(3))
    gain = stages.define("gain", (x, y), 1.0 + single(VIBRANCE) * hl.exp(-8.0 * (a * a + b * b)))
    back = [lightness + gain[x, y] * a * single(0.2), lightness, lightness - gain[x, y] * b * 0.5]
    cubes = []
    for name, value in zip("xyz", back, strict=True):
        value = stages.define(f"back_{name}", (x, y), value)[x, y]
        line = (value - single(4 / 29)) * single(3 * BENT**2)
        cubes.append(hl.select(value > single(BENT), value * value * value, line))
    cubes = [
        hl.Expr(stages.define(f"cube_{name}", (x, y), cube)[x, y]) for name, cube in zip("xyz", cubes, strict=True)
    ]
    output = stages.define("vibrance", (x, y, c), hl.mux(c, product(np.linalg.inv(TO_XYZ), cubes)))
    return Algorithm(output, {"source": source}, stages=stages)


def vibrance_reference(images: Mapping[str, Array]) -> Array:
    linear = np.einsum("ij,jyx->iyx", TO_XYZ, images["source"].astype(np.float64))
    fx, fy, fz = np.where(linear > BENT**3, np.cbrt(linear), linear / (3 * BENT**2) + 4 / 29)
    a, b = 5 * (fx - fy), 2 * (fy - fz)
    gain = 1 + VIBRANCE * np.exp(-8 * (a**2 + b**2))
    back = np.stack([fy + gain * a / 5, fy, fy - gain * b / 2])
    cubes = np.where(back > BENT, back**3, 3 * BENT**2 * (back - 4 / 29))
    return np.einsum("ij,jyx->iyx", np.linalg.inv(TO_XYZ), cubes).astype(np.float32)


# A table of three dimensions, trilinear

CELLS = 32


def build_table(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, table = hl.ImageParam(hl.Float(32), 3, "source"), hl.ImageParam(hl.Float(32), 4, "table")
    stages = Stages(hl)
    at = stages.define("at", (x, y, c), hl.clamp(source[x, y, c], 0.0, 1.0) * float(CELLS))
    cells = [hl.clamp(hl.i32(at[x, y, k]), 0, CELLS - 1) for k in range(3)]
    shares = [at[x, y, k] - hl.f32(cell) for k, cell in enumerate(cells)]

    def interpolated(axis: int, place: tuple[Any, ...]) -> Any:
        """Along the axes from `axis` down, at whole coordinates of those above it."""
        if axis < 0:
            return table[(*place, c)]
        before, after = (interpolated(axis - 1, (cells[axis] + step, *place)) for step in (0, 1))
        return hl.lerp(before, after, shares[axis])

    output = stages.define("colour_table", (x, y, c), interpolated(2, ()))
    return Algorithm(output, {"source": source, "table": table}, stages=stages)


def table_inputs(size: Sizes) -> dict[str, Array]:
    grid = np.linspace(0, 1, CELLS + 1, dtype=np.float32)
    blue, green, red = np.meshgrid(grid, grid, grid, indexing="ij")
    table = np.stack([red**1.4, green**0.8 * 0.9 + red * 0.1, np.sqrt(blue) * 0.8 + red * green * 0.2])
    return {"source": noise(size[::-1], np.float32, 0, 1), "table": table.astype(np.float32)}


def table_reference(images: Mapping[str, Array]) -> Array:
    at = np.clip(images["source"].astype(np.float64), 0, 1) * CELLS
    cell = np.minimum(at.astype(int), CELLS - 1)
    result = 0
    for corner in np.ndindex(2, 2, 2):
        step = np.reshape(corner, (3, 1, 1))
        red, green, blue = cell + step
        result = result + np.where(step == 1, at - cell, 1 - (at - cell)).prod(0) * images["table"][:, blue, green, red]
    return result.astype(np.float32)


# A matrix of colours in fixed point, pixels interleaved


def build_matrix(hl: ModuleType) -> Algorithm:
    c, x, y = hl.vars("c x y")
    source, matrix = hl.ImageParam(hl.UInt(8), 3, "source"), hl.ImageParam(hl.Int(16), 2, "matrix")
    stages = Stages(hl)
    products = [hl.i32(matrix[k, c]) * hl.i32(source[k, x, y]) for k in range(3)]
    value = (total(products) + hl.i32(matrix[3, c]) * 256 + (1 << 11)) >> 12
    output = stages.define("colour_matrix", (c, x, y), hl.u8_sat(value))
    return Algorithm(output, {"source": source, "matrix": matrix}, stages=stages)


def matrix_inputs(size: Sizes) -> dict[str, Array]:
    matrix = [[6200, -1700, -404, 48], [-900, 5600, -604, -32], [-100, -2100, 6296, 80]]
    return {"source": noise(size[::-1], np.uint8, 0, 255), "matrix": np.array(matrix, np.int16)}


def matrix_reference(images: Mapping[str, Array]) -> Array:
    matrix = images["matrix"].astype(np.int32)
    value = images["source"].astype(np.int32) @ matrix[:, :3].T + matrix[:, 3] * 256
    return np.clip((value + (1 << 11)) >> 12, 0, 255).astype(np.uint8)


# Composition: colours multiplied with their opacity, one picture over two others


def build_over(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    names = ("top", "middle", "bottom")
    images, stages = {name: hl.ImageParam(hl.UInt(8), 3, name) for name in names}, Stages(hl)

    def over(name: str, upper: Any, lower: Any) -> Any:
        product = hl.u16(lower[x, y, c]) * hl.u16(hl.u8(255) - upper[x, y, 3]) + 128
        shaded = (product + (product >> 8)) >> 8  # a 255th, rounded
        return stages.define(name, (x, y, c), hl.u8_sat(hl.u16(upper[x, y, c]) + shaded))

    output = over("composition", images["top"], over("behind", images["middle"], images["bottom"]))
    return Algorithm(output, images, stages=stages)


def over_reference(images: Mapping[str, Array]) -> Array:
    result = images["bottom"].astype(np.int32)
    for name in ("middle", "top"):
        upper = images[name].astype(np.int32)
        result = np.minimum(upper + (2 * result * (255 - upper[3]) + 255) // 510, 255)
    return result.astype(np.uint8)


# Two pictures mixed in linear light


def build_linear_mix(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    first, second = (hl.ImageParam(hl.Float(32), 3, name) for name in ("first", "second"))
    mask, stages = hl.ImageParam(hl.Float(32), 2, "mask"), Stages(hl)

    def decoded(name: str, image: Any) -> Any:
        value = image[x, y, c]
        curve = hl.pow((value + single(0.055)) * single(1 / 1.055), single(2.4))
        return stages.define(name, (x, y, c), hl.select(value <= single(0.04045), value * single(1 / 12.92), curve))

    mixed = hl.lerp(decoded("second_light", second)[x, y, c], decoded("first_light", first)[x, y, c], mask[x, y])
    light = stages.define("light", (x, y, c), mixed)[x, y, c]
    curve = single(1.055) * hl.pow(light, single(1 / 2.4)) - single(0.055)
    encoded = hl.select(light <= single(0.0031308), light * single(12.92), curve)
    output = stages.define("linear_mix", (x, y, c), encoded)
    return Algorithm(output, {"first": first, "second": second, "mask": mask}, stages=stages)


def linear_mix_inputs(size: Sizes) -> dict[str, Array]:
    return pictures(np.float32, 0.02, 1, "first", "second")(size) | planes(np.float32, 0.1, 0.9, "mask")(size)


def linear_mix_reference(images: Mapping[str, Array]) -> Array:
    first, second, mask = (images[name].astype(np.float64) for name in ("first", "second", "mask"))
    first, second = (
        np.where(image <= 0.04045, image / 12.92, ((image + 0.055) / 1.055) ** 2.4) for image in (first, second)
    )
    light = mask * first + (1 - mask) * second
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055).astype(np.float32)


# White balance by the mean of all pixels that are not saturated

SATURATED = 60000


def build_grey_world(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.UInt(16), 3, "source"), Stages(hl)
    column, row = hl.RDom([(0, source.width())], "column"), hl.RDom([(0, source.height())], "row")
    most = hl.max(*(source[x, y, k] for k in range(3)))
    usable = stages.define("usable", (x, y), hl.select(most < SATURATED, hl.u16(1), hl.u16(0)))
    value = hl.u64(source[column, y, c]) * hl.u64(usable[column, y])
    sums = stages.define("sums", (y, c), hl.sum(value))
    means = stages.define("means", (c,), hl.sum(sums[row, c]))
    gain = stages.define("gain", (c,), hl.u32(hl.min(means[1] * 4096 // hl.max(means[c], 1), 65535)))
    product = (hl.u64(source[x, y, c]) * hl.u64(gain[c]) + 2048) >> 12
    output = stages.define("grey_world", (x, y, c), hl.u16(hl.min(product, 65535)))
    return Algorithm(output, {"source": source}, stages=stages)


def grey_world_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"].astype(np.int64)
    sums = (source * (source.max(0) < SATURATED)).sum((1, 2))
    gain = np.minimum(sums[1] * 4096 // np.maximum(sums, 1), 65535)
    return np.minimum((source * gain[:, None, None] + 2048) >> 12, 65535).astype(np.uint16)


# The nearest of a palette's colours, with ordered dithering

PALETTE, DITHER = 16, np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.int16)


def build_palette(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, palette = hl.ImageParam(hl.UInt(8), 3, "source"), hl.ImageParam(hl.UInt(8), 2, "palette")
    matrix, stages = hl.ImageParam(hl.Int(16), 2, "matrix"), Stages(hl)
    dithered = hl.clamp(hl.i16(source[x, y, c]) + 2 * matrix[x % 4, y % 4] - 15, 0, 255)
    dithered = stages.define("dithered", (x, y, c), hl.i16(dithered))
    r = hl.RDom([(0, PALETTE)], "r")
    changes = [hl.i32(dithered[x, y, k]) - hl.i32(palette[r, k]) for k in range(3)]
    nearest = hl.argmin(total([w * d * d for w, d in zip((3, 6, 1), changes, strict=True)]))
    nearest = stages.define("nearest", (x, y), hl.u8(nearest[0]))
    at = hl.clamp(hl.i32(nearest[x, y]), 0, PALETTE - 1)
    output = stages.define("nearest_colour", (x, y, c), palette[at, c])
    return Algorithm(output, {"source": source, "palette": palette, "matrix": matrix}, stages=stages)


def palette_inputs(size: Sizes) -> dict[str, Array]:
    palette = np.random.default_rng(1).integers(0, 256, (3, PALETTE), np.uint8)
    return {"source": noise(size[::-1], np.uint8, 0, 255), "palette": palette, "matrix": DITHER}


def palette_reference(images: Mapping[str, Array]) -> Array:
    source, palette = images["source"].astype(np.int32), images["palette"].astype(np.int32)
    y, x = np.indices(source.shape[1:])
    dithered = np.clip(source + 2 * images["matrix"][y % 4, x % 4] - 15, 0, 255)
    squares = (dithered[:, None] - palette[..., None, None]) ** 2
    return images["palette"][:, np.einsum("c,ckyx->kyx", [3, 6, 1], squares).argmin(0)]


ENTRIES = (
    Entry(
        name="chroma_subsampling",
        kind="colour",
        source="BT.601 and 4:2:0 in fixed point, as libyuv has it, with interpolated chroma",
        build=build_subsampling,
        inputs=pictures(np.uint8, 0, 255),
        reference=subsampling_reference,
        bench_size=(2560, 1440, 3),
        test_size=(37, 23, 3),
        hand=subsampling_hand,
    ),
    Entry(
        name="hue_turn",
        kind="colour",
        source="kornia.enhance.adjust_hue and adjust_saturation",
        build=build_hue,
        inputs=pictures(np.float32, 0, 1),
        reference=hue_reference,
        bench_size=(1280, 960, 3),
        test_size=(37, 23, 3),
        tolerance=1e-4,
    ),
    Entry(
        name="vibrance",
        kind="colour",
        source="skimage.color.rgb2lab and lab2rgb, with the vibrance of photo editors between",
        build=build_vibrance,
        inputs=pictures(np.float32, 0.01, 1),
        reference=vibrance_reference,
        bench_size=(1280, 720, 3),
        test_size=(37, 23, 3),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="colour_table",
        kind="colour",
        source="a .cube look-up table of 33 x 33 x 33 colours, trilinear (ffmpeg's lut3d)",
        build=build_table,
        inputs=table_inputs,
        reference=table_reference,
        bench_size=(1920, 1080, 3),
        test_size=(37, 23, 3),
        tolerance=1e-5,
        differentiable=True,
    ),
    Entry(
        name="colour_matrix",
        kind="colour",
        source="cv2.transform of interleaved bytes, in fixed point",
        build=build_matrix,
        inputs=matrix_inputs,
        reference=matrix_reference,
        bench_size=(3, 4000, 3000),
        test_size=(3, 37, 23),
    ),
    Entry(
        name="composition",
        kind="colour",
        source="Porter and Duff, Compositing digital images, 1984: over, twice",
        build=build_over,
        inputs=pictures(np.uint8, 0, 255, "top", "middle", "bottom"),
        reference=over_reference,
        bench_size=(2560, 1600, 4),
        test_size=(37, 23, 4),
    ),
    Entry(
        name="linear_mix",
        kind="colour",
        source="cross-fading in linear light, with the curves of IEC 61966-2-1 (sRGB)",
        build=build_linear_mix,
        inputs=linear_mix_inputs,
        reference=linear_mix_reference,
        bench_size=(1600, 1200, 3),
        test_size=(37, 23, 3),
        tolerance=1e-5,
        differentiable=True,
    ),
    Entry(
        name="grey_world",
        kind="colour",
        source="cv2.xphoto.createGrayworldWB on sixteen bits",
        build=build_grey_world,
        inputs=pictures(np.uint16, 0, 65535),
        reference=grey_world_reference,
        bench_size=(3000, 2000, 3),
        test_size=(37, 23, 3),
    ),
    Entry(
        name="palette",
        kind="colour",
        source="Bayer's ordered dithering to sixteen colours",
        build=build_palette,
        inputs=palette_inputs,
        reference=palette_reference,
        bench_size=(1024, 768, 3),
        test_size=(37, 23, 3),
    ),
)
