"""Depth from two cameras: matching costs, aggregation along scanlines, phase."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import inner, padded, shifted, smoothed, weighted
from bench.zoo.entry import Entry
from bench.zoo.pieces import Stages, gaussian, moved_pair, pair_params, single, total

# Stereo: what matches a pixel of the left image in the same row of the right one, up to DISPARITIES to the left

DISPARITIES = 48


def build_block_matching(hl: ModuleType) -> Algorithm:
    x, y, d = hl.vars("x y d")
    left, right, params = pair_params(hl, hl.UInt(8), "left", "right")
    stages = Stages(hl)
    cost = stages.define("cost", (x, y, d), hl.u16(hl.absd(left[x, y], right[x - d, y])))
    window = stages.blur("window", cost, (x, y, d), [1] * 9)
    r = hl.RDom([(0, DISPARITIES)], "r")
    best = stages.define("best", (x, y), hl.argmin(window[x, y, r]))
    output = stages.define("block_matching", (x, y), hl.u8(best[x, y][0]))
    return Algorithm(output, params, stages=stages)


def block_matching_reference(images: Mapping[str, Array]) -> Array:
    costs = np.abs(_matches(images["left"].astype(np.int32), images["right"].astype(np.int32), 4))
    return inner(smoothed(costs, [1] * 9).argmin(0), 4).astype(np.uint8)


def _matches(left: Array, right: Array, margin: int) -> Array:
    """The left image less the right one at each disparity, with a margin."""
    left, right = padded(left, margin), padded(right, margin + DISPARITIES)
    height, width = left.shape
    rows = right[DISPARITIES : DISPARITIES + height]
    return np.stack([left - rows[:, DISPARITIES - d : DISPARITIES - d + width] for d in range(DISPARITIES)])


# Census transform, Hamming distances over windows

CENSUS = [(dx, dy) for dy in range(-2, 3) for dx in range(-2, 3) if (dx, dy) != (0, 0)]


def build_census(hl: ModuleType) -> Algorithm:
    x, y, d = hl.vars("x y d")
    left, right, params = pair_params(hl, hl.UInt(8), "left", "right")
    stages = Stages(hl)

    def census(name: str, image: Any) -> Any:
        bits = [hl.u32(image[x + dx, y + dy] < image[x, y]) << k for k, (dx, dy) in enumerate(CENSUS)]
        value = bits[0]
        for bit in bits[1:]:
            value = value | bit
        return stages.define(name, (x, y), value)

    left, right = census("left_census", left), census("right_census", right)
    cost = stages.define("cost", (x, y, d), hl.u16(hl.popcount(left[x, y] ^ right[x - d, y])))
    window = stages.blur("window", cost, (x, y, d), [1] * 5)
    r = hl.RDom([(0, DISPARITIES)], "r")
    best = stages.define("best", (x, y), hl.argmin(window[x, y, r]))
    # A parabola through the costs beside the least one, in sixteenths of a pixel.
    at = hl.clamp(best[x, y][0], 1, DISPARITIES - 2)
    before, here, after = (hl.i32(window[x, y, at + step]) for step in (-1, 0, 1))
    bend = hl.max(2 * (before - 2 * here + after), 1)
    output = stages.define("census_stereo", (x, y), hl.u16(16 * at + hl.clamp(16 * (before - after) // bend, -8, 8)))
    return Algorithm(output, params, stages=stages)


def census_reference(images: Mapping[str, Array]) -> Array:
    def census(image: Array) -> Array:
        image = padded(image, 2 + DISPARITIES + 2).astype(np.int32)
        return inner(sum((shifted(image, dx, dy) < image) << k for k, (dx, dy) in enumerate(CENSUS)), 2)

    left, right = census(images["left"]), census(images["right"])
    costs = np.stack([np.bitwise_count(left ^ shifted(right, -d, 0)).astype(np.int32) for d in range(DISPARITIES)])
    window = inner(smoothed(costs, [1] * 5), DISPARITIES + 2)
    at = np.clip(window.argmin(0), 1, DISPARITIES - 2)
    before, here, after = (np.take_along_axis(window, (at + step)[None], 0)[0] for step in (-1, 0, 1))
    bend = np.maximum(2 * (before - 2 * here + after), 1)
    return (16 * at + np.clip(16 * (before - after) // bend, -8, 8)).astype(np.uint16)


# Semi-global matching along rows: from the left, from the right, and both together

SMALL, LARGE, FAR = 12, 60, 30000  # penalties of a step and of a jump; more than any cost


def build_scanline(hl: ModuleType) -> Algorithm:
    x, y, d = hl.vars("x y d")
    left, right, params = pair_params(hl, hl.UInt(8), "left", "right")
    stages, width = Stages(hl), params["left"].width()
    cost = stages.blur(
        "cost", stages.define("change", (x, y, d), hl.u16(hl.absd(left[x, y], right[x - d, y]))), (x, y, d), [1] * 3
    )

    def aggregate(name: str, place: Any) -> Any:
        """Costs of the best path to a pixel; beside each the least of the disparities up to it."""
        r = hl.RDom([(0, DISPARITIES), (1, width - 1)], f"{name}_r")
        path = stages.define(name, (x, y, d), hl.Tuple([hl.u16(cost[x, y, d]), hl.u16(FAR)]))
        # The first column only lacks its least costs.
        first = hl.RDom([(0, DISPARITIES)], f"{name}_first")
        start, begin = place(0), path[place(0), y, first][0]
        path[start, y, first] = hl.Tuple(
            [begin, hl.min(hl.select(first > 0, path[start, y, hl.max(first - 1, 0)][1], FAR), begin)]
        )
        here, last = place(r.y), place(r.y - 1)
        lowest = path[last, y, DISPARITIES - 1][1]
        below = hl.select(r.x > 0, path[last, y, hl.max(r.x - 1, 0)][0], FAR) + hl.u16(SMALL)
        above = hl.select(r.x < DISPARITIES - 1, path[last, y, hl.min(r.x + 1, DISPARITIES - 1)][0], FAR) + hl.u16(
            SMALL
        )
        best = hl.min(path[last, y, r.x][0], below, above, lowest + hl.u16(LARGE))
        value = cost[here, y, r.x] + best - lowest
        least = hl.min(hl.select(r.x > 0, path[here, y, hl.max(r.x - 1, 0)][1], FAR), value)
        path[here, y, r.x] = hl.Tuple([value, least])
        return path

    forward, backward = aggregate("forward", lambda k: k), aggregate("backward", lambda k: width - 1 - k)
    r = hl.RDom([(0, DISPARITIES)], "r")
    both = stages.define("both", (x, y, d), forward[x, y, d][0] + backward[x, y, d][0])
    best = stages.define("best", (x, y), hl.argmin(both[x, y, r]))
    output = stages.define("scanline_stereo", (x, y), hl.u8(best[x, y][0]))
    return Algorithm(output, params, stages=stages)


def scanline_reference(images: Mapping[str, Array]) -> Array:
    costs = np.abs(_matches(images["left"].astype(np.int32), images["right"].astype(np.int32), 1))
    costs = inner(smoothed(costs, [1] * 3), 1)

    def paths(costs: Array) -> Array:
        columns = [costs[..., 0]]
        for column in np.moveaxis(costs, -1, 0)[1:]:
            last = columns[-1]
            near = np.pad(last, ((1, 1), (0, 0)), constant_values=FAR) + SMALL
            least = last.min(0)
            columns.append(column + np.minimum.reduce([last, near[:-2], near[2:], least + LARGE + 0 * last]) - least)
        return np.stack(columns, -1)

    both = paths(costs) + paths(costs[..., ::-1])[..., ::-1]
    return both.argmin(0).astype(np.uint8)


# Disparity from the phase of Gabor filters, averaged over three frequencies

FREQUENCIES = (0.9, 0.6, 0.4)


def gabor(frequency: float) -> tuple[list[float], list[float]]:
    """The real and imaginary taps of a filter one octave wide."""
    sigma = 2.5 / frequency
    envelope = gaussian(sigma, round(2.5 * sigma))
    at = np.arange(len(envelope)) - len(envelope) // 2
    return [[single(v) for v in envelope * wave(frequency * at)] for wave in (np.cos, np.sin)]


def build_phase(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    left, right, params = pair_params(hl, hl.Float(32), "left", "right")
    stages, sums, weights = Stages(hl), [], []
    for k, frequency in enumerate(FREQUENCIES):
        real, imaginary = gabor(frequency)
        parts = [
            stages.correlate(f"{name}_{part}_{k}", image, (x, y), 0, taps)[x, y]
            for name, image in (("left", left), ("right", right))
            for part, taps in (("real", real), ("imaginary", imaginary))
        ]
        re_l, im_l, re_r, im_r = parts
        cross = stages.define(f"cross_{k}", (x, y), hl.Tuple([re_l * re_r + im_l * im_r, im_l * re_r - re_l * im_r]))
        means = []
        for part in (0, 1):
            plane = stages.define(f"part_{part}_{k}", (x, y), cross[x, y][part])
            means.append(stages.blur(f"mean_{part}_{k}", plane, (x, y), gaussian(1.5, 3))[x, y])
        weight = hl.sqrt(means[0] * means[0] + means[1] * means[1])
        phase = stages.define(f"phase_{k}", (x, y), hl.Tuple([hl.atan2(means[1], means[0]), weight]))
        sums.append(phase[x, y][0] * phase[x, y][1] * single(1 / frequency))
        weights.append(phase[x, y][1])
    output = stages.define("phase_disparity", (x, y), total(sums) / (total(weights) + single(1e-6)))
    return Algorithm(output, params, stages=stages)


def phase_reference(images: Mapping[str, Array]) -> Array:
    margin = 24
    left, right = (padded(images[name].astype(np.float64), margin) for name in ("left", "right"))
    sums, weights = 1e-300, 1e-6
    for frequency in FREQUENCIES:
        taps = np.array(gabor(frequency)).T @ np.array([1, 1j])
        cross = weighted(left, taps, 1) * weighted(right, taps, 1).conj()
        cross = smoothed(cross, gaussian(1.5, 3))
        sums, weights = sums + np.angle(cross) * np.abs(cross) / frequency, weights + np.abs(cross)
    return inner(sums / weights, margin).astype(np.float32)


ENTRIES = (
    Entry(
        name="block_matching",
        kind="stereo",
        source="sums of absolute differences in 9 x 9 windows (cv2.StereoBM without its filters)",
        build=build_block_matching,
        inputs=moved_pair(np.uint8, 255, "left", "right"),
        reference=block_matching_reference,
        bench_size=(640, 480),
        test_size=(61, 23),
    ),
    Entry(
        name="census_stereo",
        kind="stereo",
        source="Zabih and Woodfill, 1994: census transform of 5 x 5, Hamming distances, parabola",
        build=build_census,
        inputs=moved_pair(np.uint8, 255, "left", "right"),
        reference=census_reference,
        bench_size=(512, 384),
        test_size=(61, 23),
    ),
    Entry(
        name="scanline_stereo",
        kind="stereo",
        source="Hirschmüller's semi-global matching along both directions of the rows (cv2.StereoSGBM)",
        build=build_scanline,
        inputs=moved_pair(np.uint8, 255, "left", "right"),
        reference=scanline_reference,
        bench_size=(450, 375),
        test_size=(61, 23),
    ),
    Entry(
        name="phase_disparity",
        kind="stereo",
        source="Fleet, Jepson and Jenkin, Phase-based disparity measurement, 1991",
        build=build_phase,
        inputs=moved_pair(np.float32, 1, "left", "right"),
        reference=phase_reference,
        bench_size=(1024, 768),
        test_size=(61, 23),
        tolerance=1e-4,
    ),
)
