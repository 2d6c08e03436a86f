"""Pyramids: fusion of exposures and of focus, detail by scale, mipmaps, scale spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import AROUND, inner, padded, shifted, smoothed, weighted
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, gaussian, pictures, repeat_edge, single, total

Size = tuple[Any, Any]
BINOMIAL = (1, 4, 6, 4, 1)


def sizes(width: Any, height: Any, levels: int) -> list[Size]:
    """Width and height of each level, half of the one before, rounded up."""
    result = [(width, height)]
    for _ in range(1, levels):
        result.append(((result[-1][0] + 1) // 2, (result[-1][1] + 1) // 2))
    return result


def reduced(stages: Stages, name: str, finer: Any, args: tuple[Any, ...], size: Size) -> Any:
    """The next coarser level of a Func of floats, with its edge repeated: every other pixel after 1 4 6 4 1."""
    x, y, *more = args
    down = total([finer[(x, 2 * y + k - 2, *more)] * (tap / 16) for k, tap in enumerate(BINOMIAL)])
    down = stages.define(f"{name}_y", args, down)
    across = total([down[(2 * x + k - 2, y, *more)] * (tap / 16) for k, tap in enumerate(BINOMIAL)])
    return repeat_edge(stages.hl, stages.define(name, args, across), *size)


def expanded(stages: Stages, name: str, coarser: Any, args: tuple[Any, ...]) -> Any:
    """A level of floats at twice its size: 1 6 1 at even places, 4 4 between."""
    hl, (x, y, *more) = stages.hl, args

    def between(tap: Any, at: Any) -> Any:
        even = (tap(at // 2 - 1) + 6.0 * tap(at // 2) + tap(at // 2 + 1)) * 0.125
        return hl.select(at % 2 == 0, even, (tap(at // 2) + tap(at // 2 + 1)) * 0.5)

    up = stages.define(f"{name}_y", args, between(lambda at: coarser[(x, at, *more)], y))
    return stages.define(name, args, between(lambda at: up[(at, y, *more)], x))


def reduced_of(level: Array) -> Array:
    level = padded(level, 2)
    return inner(smoothed(level, np.array(BINOMIAL) / 16), 2)[..., ::2, ::2]


def expanded_of(level: Array, shape: Sequence[int]) -> Array:
    """A level at the last two of `shape`."""
    level = padded(level, 1)
    for axis in (-2, -1):
        place = np.arange(shape[axis])
        here, after, before = (np.take(level, place // 2 + 1 + step, axis) for step in (0, 1, -1))
        is_even = (place % 2 == 0)[:, None] if axis == -2 else place % 2 == 0
        level = np.where(is_even, (before + 6 * here + after) / 8, (here + after) / 2)
    return level


# Exposure fusion

EXPOSURES, FUSION_LEVELS, SPREAD = 3, 5, 0.2


def build_exposure_fusion(hl: ModuleType) -> Algorithm:
    x, y, c, k = hl.vars("x y c k")
    stack, stages = hl.ImageParam(hl.Float(32), 4, "stack"), Stages(hl)
    extents = sizes(stack.width(), stack.height(), FUSION_LEVELS)
    bounded = repeat_edge(hl, stack, *extents[0])
    red, green, blue = (hl.Expr(bounded[x, y, plane, k]) for plane in range(3))
    grey = stages.define("grey", (x, y, k), single(0.299) * red + single(0.587) * green + single(0.114) * blue)
    sides = grey[x - 1, y, k] + grey[x + 1, y, k] + grey[x, y - 1, k] + grey[x, y + 1, k]
    contrast = hl.abs(sides - 4.0 * grey[x, y, k])
    mean = (red + green + blue) * single(1 / 3)
    spread = total([(value - mean) * (value - mean) for value in (red, green, blue)])
    far = total([(value - 0.5) * (value - 0.5) for value in (red, green, blue)])
    value = contrast * hl.sqrt(spread * single(1 / 3)) * hl.exp(far * single(-0.5 / SPREAD**2)) + single(1e-6)
    quality = stages.define("quality", (x, y, k), value)
    share = quality[x, y, k] / total([quality[x, y, e] for e in range(EXPOSURES)])
    weights = [repeat_edge(hl, stages.define("weight_0", (x, y, k), share), *extents[0])]
    images = [bounded]
    for level in range(1, FUSION_LEVELS):
        weights.append(reduced(stages, f"weight_{level}", weights[-1], (x, y, k), extents[level]))
        images.append(reduced(stages, f"image_{level}", images[-1], (x, y, c, k), extents[level]))

    fused = None
    for level in reversed(range(FUSION_LEVELS)):
        detail = images[level][x, y, c, k]
        if fused is not None:
            detail = detail - expanded(stages, f"coarse_{level}", images[level + 1], (x, y, c, k))[x, y, c, k]
        laplacian = stages.define(f"laplacian_{level}", (x, y, c, k), detail)
        blended = total([weights[level][x, y, e] * laplacian[x, y, c, e] for e in range(EXPOSURES)])
        if fused is not None:
            blended = blended + expanded(stages, f"fused_up_{level}", fused, (x, y, c))[x, y, c]
        fused = repeat_edge(hl, stages.define(f"fused_{level}", (x, y, c), blended), *extents[level])
    output = stages.define("exposure_fusion", (x, y, c), hl.clamp(stages["fused_0"][x, y, c], 0.0, 1.0))
    return Algorithm(output, {"stack": stack}, stages=stages)


def exposure_inputs(size: Sizes) -> dict[str, Array]:
    scene = noise(size[::-1], np.float32, 0, 1)
    return {"stack": np.array([np.clip(scene * gain, 0, 1) for gain in (0.4, 1.0, 2.5)], np.float32)}


def exposure_fusion_reference(images: Mapping[str, Array]) -> Array:
    stack = images["stack"].astype(np.float64)
    grey = padded(np.einsum("c,kcyx->kyx", [0.299, 0.587, 0.114], stack), 1)
    contrast = np.abs(inner(weighted(grey, (1, -2, 1), -1) + weighted(grey, (1, -2, 1), -2), 1))
    exposed = np.exp(-0.5 * ((stack - 0.5) ** 2).sum(1) / SPREAD**2)
    quality = contrast * stack.std(1) * exposed + 1e-6
    weight, fused = (quality / quality.sum(0))[:, None], []
    for level in range(FUSION_LEVELS):
        coarse, last = reduced_of(stack), level == FUSION_LEVELS - 1
        detail = stack if last else stack - expanded_of(coarse, stack.shape)
        fused.append((weight * detail).sum(0))
        stack, weight = coarse, reduced_of(weight)
    result = fused.pop()
    while fused:
        detail = fused.pop()
        result = detail + expanded_of(result, detail.shape)
    return np.clip(result, 0, 1).astype(np.float32)


# Focus stacking in integers: at each scale the frame with the strongest detail

FRAMES, FOCUS_LEVELS = 4, 4


def build_focus_stack(hl: ModuleType) -> Algorithm:
    x, y, k = hl.vars("x y k")
    frames, stages = hl.ImageParam(hl.UInt(8), 3, "frames"), Stages(hl)
    extents = sizes(frames.width(), frames.height(), FOCUS_LEVELS)
    level = repeat_edge(hl, stages.define("level_0", (x, y, k), hl.i16(frames[x, y, k]) << 4), *extents[0])
    details = []
    for scale in range(1, FOCUS_LEVELS):
        down = hl.i32(level[x, 2 * y - 1, k]) + 2 * hl.i32(level[x, 2 * y, k]) + hl.i32(level[x, 2 * y + 1, k])
        down = stages.define(f"down_{scale}", (x, y, k), down)
        value = hl.i16((down[2 * x - 1, y, k] + 2 * down[2 * x, y, k] + down[2 * x + 1, y, k] + 8) >> 4)
        coarse = repeat_edge(hl, stages.define(f"level_{scale}", (x, y, k), value), *extents[scale])
        detail = stages.define(f"detail_{scale}", (x, y, k), level[x, y, k] - doubled(coarse, x, y, k))
        size = stages.define(f"size_{scale}", (x, y, k), hl.i32(hl.abs(detail[x, y, k])))
        sharp = stages.blur(f"sharp_{scale}", repeat_edge(hl, size, *extents[scale - 1]), (x, y, k), [1] * 3)
        best, chosen = hl.Expr(sharp[x, y, 0]), hl.Expr(detail[x, y, 0])
        for frame in range(1, FRAMES):
            chosen = hl.select(sharp[x, y, frame] > best, detail[x, y, frame], chosen)
            best = hl.max(sharp[x, y, frame], best)
        details.append(stages.define(f"chosen_{scale}", (x, y), chosen))
        level = coarse
    mean = (total([hl.i32(level[x, y, frame]) for frame in range(FRAMES)]) + FRAMES // 2) // FRAMES
    merged = repeat_edge(hl, stages.define("merged", (x, y), hl.i16(mean)), *extents[-1])
    for scale in reversed(range(1, FOCUS_LEVELS)):
        value = details[scale - 1][x, y] + doubled(merged, x, y)
        merged = repeat_edge(hl, stages.define(f"merged_{scale}", (x, y), value), *extents[scale - 1])
    output = stages.define("focus_stack", (x, y), hl.u8_sat((stages["merged_1"][x, y] + 8) >> 4))
    return Algorithm(output, {"frames": frames}, stages=stages)


def doubled(coarse: Any, x: Any, y: Any, *more: Any) -> Any:
    """A level of integers at twice its size, bilinear between the even places."""
    near = [coarse[((x + dx) // 2, (y + dy) // 2, *more)] for dy in (0, 1) for dx in (0, 1)]
    return (total(near) + 2) >> 2


def focus_inputs(size: Sizes) -> dict[str, Array]:
    """Frames of one scene, each sharp in a band of its own."""
    scene = noise(size[::-1], np.float32, 0, 255)
    soft = inner(smoothed(padded(scene, 3), [1 / 7] * 7), 3)
    band = np.linspace(0, FRAMES, size[1], endpoint=False).astype(int)[:, None]
    return {"frames": np.array([np.where(band == k, scene, soft) for k in range(FRAMES)]).astype(np.uint8)}


def focus_reference(images: Mapping[str, Array]) -> Array:
    def enlarged(coarse: Array, shape: tuple[int, ...]) -> Array:
        y, x = (np.arange(n) for n in shape[-2:])
        coarse = np.pad(coarse, [(0, 0)] * (coarse.ndim - 2) + [(0, 1), (0, 1)], mode="edge")
        near = [coarse[..., (y + dy) // 2, :][..., (x + dx) // 2] for dy in (0, 1) for dx in (0, 1)]
        return (sum(near) + 2) >> 2

    level, details = images["frames"].astype(np.int64) << 4, []
    for _ in range(1, FOCUS_LEVELS):
        coarse = (inner(smoothed(padded(level, 1), (1, 2, 1)), 1)[:, ::2, ::2] + 8) >> 4
        detail = level - enlarged(coarse, level.shape)
        sharp = inner(smoothed(padded(np.abs(detail), 1), [1] * 3), 1)
        details.append(np.take_along_axis(detail, sharp.argmax(0)[None], 0)[0])
        level = coarse
    merged = (level.sum(0) + FRAMES // 2) // FRAMES
    for detail in reversed(details):
        merged = detail + enlarged(merged, detail.shape)
    return np.clip((merged + 8) >> 4, 0, 255).astype(np.uint8)


# Detail by scale: each band of the Laplacian pyramid is amplified, the strong less than the weak

BOOSTS = (1.6, 1.9, 1.4, 1.1)


def build_detail(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.Float(32), 2, "source"), Stages(hl)
    extents = sizes(source.width(), source.height(), len(BOOSTS) + 1)
    levels = [hl.BoundaryConditions.repeat_edge(source)]
    for scale in range(1, len(extents)):
        levels.append(reduced(stages, f"level_{scale}", levels[-1], (x, y), extents[scale]))
    result = levels[-1]
    for scale in reversed(range(len(BOOSTS))):
        band = levels[scale][x, y] - expanded(stages, f"coarse_{scale}", levels[scale + 1], (x, y))[x, y]
        band = stages.define(f"band_{scale}", (x, y), band)[x, y]
        boosted = band * (1.0 + single(BOOSTS[scale] - 1) / (1.0 + 100.0 * band * band))
        value = boosted + expanded(stages, f"up_{scale}", result, (x, y))[x, y]
        result = repeat_edge(hl, stages.define(f"result_{scale}", (x, y), value), *extents[scale])
    return Algorithm(stages["result_0"], {"source": source}, stages=stages)


def detail_reference(images: Mapping[str, Array]) -> Array:
    level, bands = images["source"].astype(np.float64), []
    for _ in BOOSTS:
        coarse = reduced_of(level)
        bands.append(level - expanded_of(coarse, level.shape))
        level = coarse
    for boost, band in reversed(list(zip(BOOSTS, bands, strict=True))):
        level = band * (1 + (boost - 1) / (1 + 100 * band**2)) + expanded_of(level, band.shape)
    return level.astype(np.float32)


# Mipmaps: seven levels of a colour texture, beside it in one picture

MIPS = 7


def build_mipmaps(hl: ModuleType) -> Algorithm:
    """Level k > 0 lies right of the texture, under the levels before it."""
    x, y, c = hl.vars("x y c")
    texture, stages = hl.ImageParam(hl.UInt(8), 3, "texture"), Stages(hl)
    width, height = texture.width(), texture.height()
    levels, extents = [texture], [(width, height)]
    for k in range(1, MIPS):
        extents.append((extents[-1][0] // 2, extents[-1][1] // 2))
        near = [hl.u16(levels[-1][2 * x + dx, 2 * y + dy, c]) for dy in (0, 1) for dx in (0, 1)]
        levels.append(stages.define(f"mip_{k}", (x, y, c), hl.u8((total(near) + 2) >> 2)))
    value, tops = hl.u8(0), [0]
    for k in range(2, MIPS):
        tops.append(tops[-1] + extents[k - 1][1])
    for k in reversed(range(1, MIPS)):
        at_x, at_y = x - width, y - tops[k - 1]
        is_here = (at_x < extents[k][0]) & (at_y >= 0) & (at_y < extents[k][1])
        at = (hl.clamp(at_x, 0, extents[k][0] - 1), hl.clamp(at_y, 0, extents[k][1] - 1), c)
        value = hl.select(is_here, levels[k][at], value)
    texel = texture[hl.clamp(x, 0, width - 1), y, c]
    output = stages.define("mipmaps", (x, y, c), hl.select(x < width, texel, value))
    return Algorithm(output, {"texture": texture}, stages=stages)


def mipmaps_inputs(size: Sizes) -> dict[str, Array]:
    width, height, planes = size
    return {"texture": noise((planes, height, width * 2 // 3), np.uint8, 0, 255)}


def mipmaps_reference(images: Mapping[str, Array]) -> Array:
    level = images["texture"].astype(np.int32)
    planes, height, width = level.shape
    result = np.zeros((planes, height, width + width // 2), np.uint8)
    result[..., :width], top = level, 0
    for _ in range(1, MIPS):
        rows, columns = (n // 2 for n in level.shape[1:])
        blocks = level[:, : 2 * rows, : 2 * columns].reshape(planes, rows, 2, columns, 2)
        level = (blocks.sum((2, 4)) + 2) >> 2
        result[:, top : top + rows, width : width + columns] = level
        top += rows
    return result


# Multi-scale retinex with colour restoration

RETINEX = ((3.0, 7), (8.0, 18), (14.0, 30))


def build_retinex(hl: ModuleType) -> Algorithm:
    x, y, c, k = hl.vars("x y c k")
    source, stages = hl.ImageParam(hl.Float(32), 3, "source"), Stages(hl)
    bounded = repeat_edge(hl, source, source.width(), source.height())
    shifted_up = stages.define("shifted_up", (x, y, c), bounded[x, y, c] + single(0.01))
    logs = stages.define("logs", (x, y, c), hl.log(shifted_up[x, y, c]))
    surrounds = []
    for scale, (sigma, radius) in enumerate(RETINEX):
        bell = stages.define(f"bell_{scale}", (k,), hl.exp(hl.f32(k * k) * single(-0.5 / sigma**2)))
        r = hl.RDom([(-radius, 2 * radius + 1)], f"r_{scale}")
        norm = stages.define(f"norm_{scale}", (), 1.0 / hl.sum(bell[r]))
        down = stages.define(f"down_{scale}", (x, y, c), hl.sum(bell[r] * shifted_up[x, y + r, c]) * norm[()])
        across = stages.define(f"across_{scale}", (x, y, c), hl.sum(bell[r] * down[x + r, y, c]) * norm[()])
        surrounds.append(hl.log(across[x, y, c]))
    retinex = stages.define("retinex", (x, y, c), logs[x, y, c] - total(surrounds) * single(1 / len(RETINEX)))
    whole = stages.define("whole", (x, y), hl.log(total([shifted_up[x, y, plane] for plane in range(3)])))
    restored = retinex[x, y, c] * (single(np.log(125)) + logs[x, y, c] - whole[x, y])
    output = stages.define("retinex_output", (x, y, c), single(0.3) * restored + 0.5)
    return Algorithm(output, {"source": source}, stages=stages)


def retinex_reference(images: Mapping[str, Array]) -> Array:
    source, surrounds = images["source"].astype(np.float64) + 0.01, 0
    for sigma, radius in RETINEX:
        bell = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
        surrounds = surrounds + np.log(inner(smoothed(padded(source, radius), bell / bell.sum()), radius))
    restored = (np.log(source) - surrounds / len(RETINEX)) * (np.log(125 * source) - np.log(source.sum(0)))
    return (0.3 * restored + 0.5).astype(np.float32)


# Extrema of a scale space: one octave of differences of Gaussians

STEPS, CONTRAST = 5, 0.008


def build_scale_space(hl: ModuleType) -> Algorithm:
    x, y, k = hl.vars("x y k")
    source, stages = hl.ImageParam(hl.Float(32), 2, "source"), Stages(hl)
    smooth = [hl.BoundaryConditions.repeat_edge(source)]
    for step, taps in enumerate(scale_steps()):
        smooth.append(stages.blur(f"smooth_{step}", smooth[-1], (x, y), taps))
    differences = [after[x, y] - before[x, y] for before, after in zip(smooth[1:], smooth[2:], strict=False)]
    dog = stages.define("dog", (x, y, k), hl.mux(k, differences))
    around = [(dx, dy, dk) for dk in (-1, 0, 1) for dx, dy in [(0, 0), *AROUND] if (dx, dy, dk) != (0, 0, 0)]
    extrema = []
    for scale in range(1, len(differences) - 1):
        value = dog[x, y, scale]
        neighbours = [dog[x + dx, y + dy, scale + dk] for dx, dy, dk in around]
        is_extreme = (value > hl.max(*neighbours)) | (value < hl.min(*neighbours))
        strong = is_extreme & (hl.abs(value) > single(CONTRAST))
        extrema.append(stages.define(f"extrema_{scale}", (x, y), hl.select(strong, hl.abs(value), 0.0))[x, y])
    output = stages.define("scale_space", (x, y), hl.max(*extrema))
    return Algorithm(output, {"source": source}, stages=stages)


def scale_steps() -> list[list[float]]:
    """The filters from each scale to the next, a third of an octave on."""
    scales = [1.6 * 2 ** (step / 3) for step in range(STEPS)]
    sigmas = [1.5, *(np.sqrt(after**2 - before**2) for before, after in zip(scales, scales[1:], strict=False))]
    return [gaussian(sigma, int(np.ceil(3 * sigma))) for sigma in sigmas]


def dots(size: Sizes) -> dict[str, Array]:
    """A field of dots a few pixels wide."""
    y, x = np.indices(size[::-1])
    return {
        "source": noise(size[::-1], np.float32, 0, 0.2) + (0.4 * np.sin(x / 2.7) * np.cos(y / 2.3)).astype(np.float32)
    }


def scale_space_reference(images: Mapping[str, Array]) -> Array:
    margin = sum(len(taps) // 2 for taps in scale_steps()) + 1
    level, levels = padded(images["source"].astype(np.float64), margin), []
    for taps in scale_steps():
        level = smoothed(level, taps)
        levels.append(level)
    dog = np.diff(levels, axis=0)
    result = np.zeros_like(level)
    for scale in range(1, len(dog) - 1):
        near = dog[scale - 1 : scale + 2]
        cube = np.concatenate([near[[0, 2]], *(shifted(near, dx, dy) for dx, dy in AROUND)])
        value = dog[scale]
        is_extreme = ((value > cube.max(0)) | (value < cube.min(0))) & (np.abs(value) > CONTRAST)
        result = np.maximum(result, np.where(is_extreme, np.abs(value), 0))
    return inner(result, margin).astype(np.float32)


ENTRIES = (
    Entry(
        name="exposure_fusion",
        kind="pyramid",
        source="Mertens, Kautz and Van Reeth, Exposure fusion, 2007 (cv2.createMergeMertens), five levels",
        build=build_exposure_fusion,
        inputs=exposure_inputs,
        reference=exposure_fusion_reference,
        bench_size=(1024, 768, 3),
        test_size=(37, 23, 3),
        tolerance=1e-4,
    ),
    Entry(
        name="focus_stack",
        kind="pyramid",
        source="focus stacking by Laplacian pyramids (Burt and Kolczynski, 1993), in integers",
        build=build_focus_stack,
        inputs=focus_inputs,
        reference=focus_reference,
        bench_size=(1920, 1280),
        test_size=(37, 23),
    ),
    Entry(
        name="detail_pyramid",
        kind="pyramid",
        source="multi-scale tone manipulation (Farbman and others, 2008), on a Laplacian pyramid",
        build=build_detail,
        inputs=pictures(np.float32, 0, 1),
        reference=detail_reference,
        bench_size=(2560, 1600),
        test_size=(37, 23),
        tolerance=1e-5,
        differentiable=True,
    ),
    Entry(
        name="mipmaps",
        kind="pyramid",
        source="Williams, Pyramidal parametrics, 1983",
        build=build_mipmaps,
        inputs=mipmaps_inputs,
        reference=mipmaps_reference,
        bench_size=(6144, 2048, 3),
        test_size=(192, 128, 3),
    ),
    Entry(
        name="retinex",
        kind="pyramid",
        source="Jobson, Rahman and Woodell, multi-scale retinex, 1997",
        build=build_retinex,
        inputs=pictures(np.float32, 0, 1),
        reference=retinex_reference,
        bench_size=(960, 640, 3),
        test_size=(37, 23, 3),
        tolerance=1e-4,
    ),
    Entry(
        name="scale_space",
        kind="pyramid",
        source="Lowe, 2004: extrema of one octave of differences of Gaussians",
        build=build_scale_space,
        inputs=dots,
        reference=scale_space_reference,
        bench_size=(640, 480),
        test_size=(67, 43),
        tolerance=1e-5,
    ),
)
