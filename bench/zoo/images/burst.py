"""Several frames of one scene: bursts, exposures and video; and tone mapping of what they merge to."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import clamped, inner, padded, smoothed
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, gaussian, repeat_edge, single, total

# Burst merge: frames are aligned to the first, tile by tile, on two scales, and averaged where they agree

FRAMES = 4
COARSE_TILE, COARSE_REACH = 8, 3  # pixels of an eighth of the resolution
FINE_TILE, FINE_REACH = 16, 2  # pixels of half the resolution
SHIFT = 4 * COARSE_REACH + FINE_REACH  # the largest displacement at half the resolution
TILE, STRIDE = 2 * FINE_TILE, FINE_TILE  # of the full resolution; tiles overlap by half
SAME, LESS = 8.0, 16.0  # mean differences: up to which a tile weighs 1, and how much more halves it


def build_burst_merge(hl: ModuleType) -> Algorithm:
    frames, stages = hl.ImageParam(hl.UInt(16), 3, "frames"), Stages(hl)
    x, y, t, i, j, tx, ty = hl.vars("x y t i j tx ty")
    width, height = frames.width(), frames.height()
    full = repeat_edge(hl, frames, width, height)
    quads = total([full[2 * x + dx, 2 * y + dy, t] for dy in (0, 1) for dx in (0, 1)])
    halves = stages.define("halves", (x, y, t), (quads + 2) // 4)
    half = repeat_edge(hl, halves, (width + 1) // 2, (height + 1) // 2)
    rows = stages.define("rows", (x, y, t), total([half[x, 4 * y + dy, t] for dy in range(4)]))
    eighths = stages.define("eighths", (x, y, t), (total([rows[4 * x + dx, y, t] for dx in range(4)]) + 8) // 16)
    eighth = repeat_edge(hl, eighths, (width + 7) // 8, (height + 7) // 8)

    def moved(offsets: Any, axis: int, reach: int) -> Any:
        return hl.clamp(offsets[axis], -reach, reach)

    zero = (hl.i32(0), hl.i32(0))
    coarse = align(hl, stages, "coarse", eighth, COARSE_TILE, COARSE_REACH, zero)
    from_coarse = tuple(4 * moved(coarse[tx // 2, ty // 2, t], axis, COARSE_REACH) for axis in (0, 1))
    fine = align(hl, stages, "fine", half, FINE_TILE, FINE_REACH, from_coarse)
    offset = [hl.clamp(from_coarse[axis] + fine[tx, ty, t][axis], -SHIFT, SHIFT) for axis in (0, 1)]
    offsets = stages.define("offsets", (tx, ty, t), hl.Tuple(offset))

    difference = hl.f32(fine[tx, ty, t][2]) / float(FINE_TILE**2)
    weight = hl.select(t == 0, 1.0, 1.0 / (1.0 + hl.max(difference - SAME, 0.0) / LESS))
    weights = stages.define("weights", (tx, ty, t), weight)
    later = hl.RDom([(0, FRAMES)], "later")
    moves = [2 * moved(offsets[tx, ty, later], axis, SHIFT) for axis in (0, 1)]
    at_x, at_y = STRIDE * (tx - 1) + i + moves[0], STRIDE * (ty - 1) + j + moves[1]
    sums = stages.define("sums", (tx, ty), hl.sum(weights[tx, ty, later]))
    merged = hl.sum(weights[tx, ty, later] * hl.f32(full[at_x, at_y, later])) / sums[tx, ty]
    tiles = stages.define("tiles", (i, j, tx, ty), merged)

    window = stages.define("window", (i,), 0.5 - 0.5 * hl.cos((hl.f32(i) + 0.5) * single(2 * np.pi / TILE)))
    parts = []
    for dy in (0, 1):
        for dx in (0, 1):
            at_x, at_y = x % STRIDE + STRIDE * (1 - dx), y % STRIDE + STRIDE * (1 - dy)
            parts.append(window[at_x] * window[at_y] * tiles[at_x, at_y, x // STRIDE + dx, y // STRIDE + dy])
    output = stages.define("burst_merge", (x, y), total(parts))
    return Algorithm(output, {"frames": frames}, stages=stages)


def align(hl: ModuleType, stages: Stages, name: str, level: Any, side: int, reach: int, start: tuple[Any, Any]) -> Any:
    """For each tile of each frame where it resembles the first frame's most, and the sum of differences there."""
    tx, ty, t, dx, dy = hl.vars("tx ty t dx dy")
    r = hl.RDom([(0, side), (0, side)], f"{name}_tile")
    at_x, at_y = side // 2 * (tx - 1) + r.x, side // 2 * (ty - 1) + r.y
    other = level[at_x + start[0] + dx, at_y + start[1] + dy, t]
    change = hl.sum(hl.u32(hl.absd(level[at_x, at_y, 0], other)))
    scores = stages.define(f"{name}_scores", (tx, ty, t, dx, dy), change)
    search = hl.RDom([(-reach, 2 * reach + 1)] * 2, f"{name}_search")
    return stages.define(name, (tx, ty, t), hl.argmin(scores[tx, ty, t, search.x, search.y]))


def burst_inputs(size: Sizes) -> dict[str, Array]:
    """The scene, each frame moved by a few pixels, with noise of its own."""
    width, height = size
    scene = noise((height + 24, width + 24), np.uint16, 100, 3000)
    moves = [(12, 12), (14, 9), (7, 16), (20, 22)]
    rng = np.random.default_rng(1)
    frames = [scene[dy : dy + height, dx : dx + width] + rng.integers(0, 60, (height, width)) for dx, dy in moves]
    return {"frames": np.array(frames, np.uint16)}


def burst_reference(images: Mapping[str, Array]) -> Array:
    frames = images["frames"].astype(np.int64)
    height, width = frames.shape[1:]
    half = _averaged(frames, 2)
    eighth = _averaged(half, 4)
    tiles_x, tiles_y = (width - 1) // STRIDE + 2, (height - 1) // STRIDE + 2

    start = np.zeros((2, FRAMES, (tiles_y + 1) // 2, (tiles_x + 1) // 2), int)
    coarse, _ = _aligned(eighth, COARSE_TILE, COARSE_REACH, start)
    start = 4 * coarse.repeat(2, -1).repeat(2, -2)[..., :tiles_y, :tiles_x]
    fine, score = _aligned(half, FINE_TILE, FINE_REACH, start)
    move_x, move_y = 2 * (start + fine)
    weights = 1 / (1 + np.maximum(score / FINE_TILE**2 - SAME, 0) / LESS)
    weights[0] = 1

    window = 0.5 - 0.5 * np.cos((np.arange(TILE) + 0.5) * (2 * np.pi / TILE))
    result = np.zeros((tiles_y * STRIDE + TILE, tiles_x * STRIDE + TILE))
    j, i = np.indices((TILE, TILE))
    for ty, tx in np.ndindex(tiles_y, tiles_x):
        at = [
            (STRIDE * (tx - 1) + i + move_x[t, ty, tx], STRIDE * (ty - 1) + j + move_y[t, ty, tx])
            for t in range(FRAMES)
        ]
        frame = sum(weights[t, ty, tx] * clamped(frames[t], *at[t]) for t in range(FRAMES)) / weights[:, ty, tx].sum()
        result[ty * STRIDE :, tx * STRIDE :][:TILE, :TILE] += window[:, None] * window * frame
    return result[STRIDE : STRIDE + height, STRIDE : STRIDE + width].astype(np.float32)


def _averaged(frames: Array, factor: int) -> Array:
    height, width = (-(-n // factor) for n in frames.shape[1:])
    y, x = np.indices((height * factor, width * factor))
    blocks = clamped(frames, x, y).reshape(-1, height, factor, width, factor)
    return (blocks.sum((2, 4)) + factor**2 // 2) // factor**2


def _aligned(level: Array, side: int, reach: int, start: Array) -> tuple[Array, Array]:
    """Displacements (x and y) and scores of all tiles."""
    _, _, tiles_y, tiles_x = start.shape
    t, ty, tx, j, i = np.ogrid[:FRAMES, :tiles_y, :tiles_x, :side, :side]
    at_x, at_y = side // 2 * (tx - 1) + i, side // 2 * (ty - 1) + j
    height, width = level.shape[1:]

    def pixels(t: Array, x: Array, y: Array) -> Array:
        return level[t, np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]

    first, reaches = pixels(np.zeros_like(t), at_x, at_y), range(-reach, reach + 1)
    moves = [(dx, dy) for dy in reaches for dx in reaches]
    base_x, base_y = start[..., None, None]
    scores = np.array(
        [np.abs(pixels(t, at_x + base_x + dx, at_y + base_y + dy) - first).sum((-1, -2)) for dx, dy in moves]
    )
    return np.array(moves)[scores.argmin(0)].transpose(3, 0, 1, 2), scores.min(0)


# Exposures merged to radiance

EXPOSURES = 5


def build_hdr_merge(hl: ModuleType) -> Algorithm:
    x, y, c, z = hl.vars("x y c z")
    stack, stages = hl.ImageParam(hl.UInt(8), 4, "stack"), Stages(hl)
    response, log_times = hl.ImageParam(hl.Float(32), 2, "response"), hl.ImageParam(hl.Float(32), 1, "log_times")
    hat = stages.define("hat", (z,), hl.f32(hl.min(z, 255 - z)) + single(1e-3))
    r = hl.RDom([(0, EXPOSURES)], "exposure")
    level = hl.i32(stack[x, y, c, r])
    light = hl.sum(hat[level] * (response[level, c] - log_times[r]))
    output = stages.define("hdr_merge", (x, y, c), hl.exp(light / hl.sum(hat[level])))
    return Algorithm(output, {"stack": stack, "response": response, "log_times": log_times}, stages=stages)


def hdr_inputs(size: Sizes) -> dict[str, Array]:
    """Exposures two stops apart of one scene."""
    times = 2.0 ** np.arange(-4, 2 * EXPOSURES - 4, 2)
    scene = noise(size[::-1], np.float32, 0.01, 1.2)
    stack = np.array([np.clip(np.rint(255 * (scene * time) ** 0.5), 0, 255) for time in times], np.uint8)
    levels = np.log(np.maximum(np.arange(256), 0.5) / 255)
    response = np.array([levels * slope for slope in (2.1, 2.0, 1.9)], np.float32)
    return {"stack": stack, "response": response, "log_times": np.log(times).astype(np.float32)}


def hdr_reference(images: Mapping[str, Array]) -> Array:
    stack, response = images["stack"], images["response"].astype(np.float64)
    weights = np.minimum(stack, 255 - stack) + 1e-3
    logs = np.stack([response[k][stack[:, k]] for k in range(3)], 1) - images["log_times"][:, None, None, None]
    return np.exp((weights * logs).sum(0) / weights.sum(0)).astype(np.float32)


# Local tone mapping (dodging and burning): each pixel is compared with the largest surround without an edge

KEY, SHARPNESS, EVEN = 0.18, 8.0, 0.05
SURROUNDS = [(1.0, 2), (1.6, 4), (2.6, 7), (4.0, 11)]  # each sigma and radius from the one before


def build_local_tone(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.Float(32), 3, "source"), Stages(hl)
    width, height = source.width(), source.height()
    weights = [single(w) for w in (0.2126, 0.7152, 0.0722)]
    luminance = stages.define("luminance", (x, y), total([w * source[x, y, k] for k, w in enumerate(weights)]))
    column, row = hl.RDom([(0, width)], "column"), hl.RDom([(0, height)], "row")
    logs = stages.define("logs", (y,), hl.sum(hl.log(luminance[column, y] + single(1e-4))))
    mean = stages.define("mean", (), hl.exp(hl.sum(logs[row]) / hl.f32(width * height)))
    scaled = stages.define("scaled", (x, y), luminance[x, y] * single(KEY) / mean[()])

    surrounds = [repeat_edge(hl, scaled, width, height)]
    for k, (sigma, radius) in enumerate(SURROUNDS):
        surrounds.append(stages.blur(f"surround_{k}", surrounds[-1], (x, y), gaussian(sigma, radius)))
    adapted = hl.Expr(surrounds[1][x, y])
    even = hl.cast(hl.Bool(), True)
    for centre, surround in zip(surrounds[1:], surrounds[2:], strict=False):
        contrast = (centre[x, y] - surround[x, y]) / (SHARPNESS * single(KEY) + centre[x, y])
        even = even & (hl.abs(contrast) < single(EVEN))
        adapted = hl.select(even, surround[x, y], adapted)
    gain = stages.define("gain", (x, y), scaled[x, y] / (1.0 + adapted) / (luminance[x, y] + single(1e-4)))
    output = stages.define("local_tone", (x, y, c), hl.min(source[x, y, c] * gain[x, y], 1.0))
    return Algorithm(output, {"source": source}, stages=stages)


def local_tone_inputs(size: Sizes) -> dict[str, Array]:
    return {"source": np.exp2(noise(size[::-1], np.float32, -6, 4))}


def local_tone_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"].astype(np.float64)
    luminance = np.einsum("c,cyx->yx", [0.2126, 0.7152, 0.0722], source)
    scaled = luminance * KEY / np.exp(np.log(luminance + 1e-4).mean())
    margin = sum(radius for _, radius in SURROUNDS)
    surrounds, level = [], padded(scaled, margin)
    for sigma, radius in SURROUNDS:
        level = smoothed(level, gaussian(sigma, radius))
        surrounds.append(inner(level, margin))
    adapted, even = surrounds[0], True
    for centre, surround in zip(surrounds, surrounds[1:], strict=False):
        even &= np.abs((centre - surround) / (SHARPNESS * KEY + centre)) < EVEN
        adapted = np.where(even, surround, adapted)
    gain = scaled / (1 + adapted) / (luminance + 1e-4)
    return np.minimum(source * gain, 1).astype(np.float32)


# Video: a recursive filter over time that opens where something moves


def build_temporal(hl: ModuleType) -> Algorithm:
    x, y, t = hl.vars("x y t")
    video, stages = hl.ImageParam(hl.UInt(8), 3, "video"), Stages(hl)
    width, height = video.width(), video.height()
    bounded = repeat_edge(hl, video, width, height)
    change = stages.define("change", (x, y, t), hl.u16(hl.absd(bounded[x, y, t], bounded[x, y, t - 1])))
    motion = stages.blur("motion", change, (x, y, t), [1] * 3)
    share = stages.define("share", (x, y, t), hl.i32(hl.clamp(motion[x, y, t] // 2 + 24, 0, 256)))
    filtered = stages.define("filtered", (x, y, t), hl.i32(video[x, y, t]) << 4)
    r = hl.RDom([(1, video.dim(2).extent() - 1)], "r")
    last = filtered[x, y, r - 1]
    filtered[x, y, r] = last + (((hl.i32(video[x, y, r]) << 4) - last) * share[x, y, r] >> 8)
    output = stages.define("temporal_denoise", (x, y, t), hl.u8((filtered[x, y, t] + 8) >> 4))
    return Algorithm(output, {"video": video}, stages=stages)


def temporal_inputs(size: Sizes) -> dict[str, Array]:
    return {"video": noise(size[::-1], np.uint8, 0, 255)}


def temporal_reference(images: Mapping[str, Array]) -> Array:
    video = images["video"].astype(np.int32)
    motion = inner(smoothed(padded(np.abs(np.diff(video, axis=0)), 1), [1] * 3), 1)
    share = np.clip(motion // 2 + 24, 0, 256)
    filtered = [video[0] << 4]
    for frame, open_by in zip(video[1:], share, strict=True):
        filtered.append(filtered[-1] + (((frame << 4) - filtered[-1]) * open_by >> 8))
    return ((np.array(filtered) + 8) >> 4).astype(np.uint8)


ENTRIES = (
    Entry(
        name="burst_merge",
        kind="burst",
        source="Hasinoff and others, Burst photography for high dynamic range (HDR+), 2016: align and merge",
        build=build_burst_merge,
        inputs=burst_inputs,
        reference=burst_reference,
        bench_size=(1536, 1024),
        test_size=(75, 53),
        tolerance=0.02,
    ),
    Entry(
        name="hdr_merge",
        kind="burst",
        source="Debevec and Malik, Recovering high dynamic range radiance maps, 1997 (OpenCV's MergeDebevec)",
        build=build_hdr_merge,
        inputs=hdr_inputs,
        reference=hdr_reference,
        bench_size=(1600, 1200, 3),
        test_size=(37, 23, 3),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="local_tone",
        kind="burst",
        source="Reinhard and others, Photographic tone reproduction for digital images, 2002: the local operator",
        build=build_local_tone,
        inputs=local_tone_inputs,
        reference=local_tone_reference,
        bench_size=(1280, 960, 3),
        test_size=(37, 23, 3),
        tolerance=1e-4,
    ),
    Entry(
        name="temporal_denoise",
        kind="burst",
        source="motion-adaptive recursive averaging of video, as in ffmpeg's hqdn3d and atadenoise",
        build=build_temporal,
        inputs=temporal_inputs,
        reference=temporal_reference,
        bench_size=(640, 480, 24),
        test_size=(37, 23, 6),
    ),
)
