"""Scans: recursive filters, running extrema and ranks along rows and columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from scipy.signal import lfilter, lfiltic

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes
from bench.zoo.pieces import pictures

SIGMAS = (2.0, 5.0)


def van_vliet(sigma: float) -> tuple[float, tuple[float, ...]]:
    """The share of the input and the weights of the three outputs before, of Young and van Vliet's Gaussian."""
    q = 0.98711 * sigma - 0.9633 if sigma >= 2.5 else 3.97156 - 4.14554 * math.sqrt(1 - 0.26891 * sigma)
    b0 = 1.57825 + 2.44413 * q + 1.4281 * q**2 + 0.422205 * q**3
    b1 = 2.44413 * q + 2.85619 * q**2 + 1.26661 * q**3
    b2, b3 = -(1.4281 * q**2 + 1.26661 * q**3), 0.422205 * q**3
    return 1 - (b1 + b2 + b3) / b0, (b1 / b0, b2 / b0, b3 / b0)


def build_recursive_dog(hl: ModuleType) -> Algorithm:
    """The difference of two recursive Gaussians, each forward and backward along the rows, then the columns."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    x, y = hl.vars("x y")
    extents = (image.width(), image.height())
    stages: dict[str, Any] = {}

    def blurred(source: Any, axis: int, sigma: float, name: str) -> Any:
        """Three values before and after the picture equal its first and last: where the recursions begin."""
        edges = hl.BoundaryConditions.repeat_edge(source, [(0, extent) for extent in extents])
        share, weights = van_vliet(sigma)
        line = hl.Func(name)
        forward, backward = (hl.RDom([(0, extents[axis])], f"{way}_{name}") for way in ("forward", "backward"))
        line[x, y] = edges[x, y]

        def at(place: Any) -> tuple[Any, Any]:
            return (place, y) if axis == 0 else (x, place)

        for place, step in ((forward.x, -1), (extents[axis] - 1 - backward.x, 1)):
            before = (hl.f32(w) * line[at(place + step * k)] for k, w in enumerate(weights, 1))
            line[at(place)] = sum(before, hl.f32(share) * line[at(place)])
        stages[name] = line
        return line

    difference = hl.Func("difference")
    narrow, wide = (blurred(blurred(image, 0, s, f"rows_{k}"), 1, s, f"both_{k}") for k, s in enumerate(SIGMAS))
    difference[x, y] = narrow[x, y] - wide[x, y]
    return Algorithm(difference, {"image": image}, stages=stages)


def recursive_dog(images: Mapping[str, Array]) -> Array:
    def blurred(image: Array, sigma: float) -> Array:
        share, weights = van_vliet(sigma)
        b, a = [share], [1, *(-w for w in weights)]
        state = lfiltic(b, a, [1, 1, 1])[:, None]
        for _ in range(2):
            line = lfilter(b, a, image, 0, state * image[0])[0]
            image = lfilter(b, a, line[::-1], 0, state * image[-1])[0][::-1].T
        return image

    image = images["image"].astype(np.float64)
    return (blurred(image, SIGMAS[0]) - blurred(image, SIGMAS[1])).astype(np.float32)


ALPHA = 0.7  # the inverse of the filter's width
DECAY = math.exp(-ALPHA)
SMOOTH_GAIN = (1 - DECAY) ** 2 / (1 + 2 * ALPHA * DECAY - DECAY**2)
SLOPE_GAIN = -((1 - DECAY) ** 2)
# Weights of the input at the place and after it, as seen by the filter to the right and by that to the left.
SMOOTH = (
    [SMOOTH_GAIN, SMOOTH_GAIN * DECAY * (ALPHA - 1), 0.0],
    [0.0, SMOOTH_GAIN * DECAY * (ALPHA + 1), -SMOOTH_GAIN * DECAY**2],
)
SLOPE = ([0.0, SLOPE_GAIN, 0.0], [0.0, -SLOPE_GAIN, 0.0])


def build_deriche(hl: ModuleType) -> Algorithm:
    """The length of Deriche's gradient: along each axis two recursions in opposite directions, added."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    x, y = hl.vars("x y")
    extents = (image.width(), image.height())
    stages: dict[str, Any] = {}

    def filtered(source: Any, axis: int, kernels: Sequence[Sequence[float]], name: str) -> Any:
        """Both recursions start from zeros; the input is zero outside of the picture."""
        padded = hl.BoundaryConditions.constant_exterior(source, hl.f32(0), [(0, extent) for extent in extents])

        def at(place: Any) -> tuple[Any, Any]:
            return (place, y) if axis == 0 else (x, place)

        ways = []
        for way, step, kernel in (("up", -1, kernels[0]), ("down", 1, kernels[1])):
            line, r = hl.Func(f"{name}_{way}"), hl.RDom([(0, extents[axis])], f"{name}_{way}_r")
            here = (x, y)[axis]
            line[x, y] = sum(
                (hl.f32(w) * padded[at(here + step * k)] for k, w in enumerate(kernel) if w),
                hl.f32(0),
            )
            place = r.x if step < 0 else extents[axis] - 1 - r.x
            line[at(place)] += (
                hl.f32(2 * DECAY) * line[at(place + step)] - hl.f32(DECAY**2) * line[at(place + 2 * step)]
            )
            stages[f"{name}_{way}"] = line
            ways.append(line)
        both = stages[name] = hl.Func(name)
        both[x, y] = ways[0][x, y] + ways[1][x, y]
        return both

    across = filtered(filtered(image, 0, SLOPE, "slope_x"), 1, SMOOTH, "across")
    down = filtered(filtered(image, 0, SMOOTH, "smooth_x"), 1, SLOPE, "down")
    strength = hl.Func("strength")
    strength[x, y] = hl.sqrt(across[x, y] * across[x, y] + down[x, y] * down[x, y])
    return Algorithm(strength, {"image": image}, stages=stages)


def deriche(images: Mapping[str, Array]) -> Array:
    feedback = [1, -2 * DECAY, DECAY**2]

    def filtered(image: Array, axis: int, kernels: Sequence[Sequence[float]]) -> Array:
        up = lfilter(kernels[0], feedback, image, axis)
        return up + np.flip(lfilter(kernels[1], feedback, np.flip(image, axis), axis), axis)

    image = images["image"].astype(np.float64)
    across = filtered(filtered(image, 1, SLOPE), 0, SMOOTH)
    return np.hypot(across, filtered(filtered(image, 1, SMOOTH), 0, SLOPE)).astype(np.float32)


FAST, SLOW, SIGNAL = (2 / (days + 1) for days in (12, 26, 9))


def build_macd(hl: ModuleType) -> Algorithm:
    """For each of many series, innermost: the difference of two running means, less its own running mean."""
    price = hl.ImageParam(hl.Float(64), 2, "price")  # (series, day)
    s, t = hl.vars("s t")
    stages: dict[str, Any] = {}

    def running_mean(source: Any, share: float, name: str) -> Any:
        mean, r = hl.Func(name), hl.RDom([(1, price.height() - 1)], f"days_{name}")
        mean[s, t] = source[s, t]
        mean[s, r] = mean[s, r - 1] + hl.f64(share) * (source[s, r] - mean[s, r - 1])
        stages[name] = mean
        return mean

    fast, slow = running_mean(price, FAST, "fast"), running_mean(price, SLOW, "slow")
    difference, histogram = hl.funcs("difference histogram")
    difference[s, t] = fast[s, t] - slow[s, t]
    signal = running_mean(difference, SIGNAL, "signal")
    histogram[s, t] = difference[s, t] - signal[s, t]
    return Algorithm(histogram, {"price": price}, stages=stages | {"difference": difference})


def macd(images: Mapping[str, Array]) -> Array:
    def running_mean(source: Array, share: float) -> Array:
        return lfilter([share], [1, share - 1], source, 0, (1 - share) * source[:1])[0]

    price = images["price"]
    difference = running_mean(price, FAST) - running_mean(price, SLOW)
    return difference - running_mean(difference, SIGNAL)


FALL = 37  # of the sun's rays from one pixel to the next
AMBIENT, LIT = 55, 50  # brightness without sun, and from each of four suns


def build_terrain_shadow(hl: ModuleType) -> Algorithm:
    """How many of four suns each place of a terrain sees: none whose ray a place before it reaches higher."""
    terrain = hl.ImageParam(hl.UInt(16), 2, "terrain")
    x, y = hl.vars("x y")
    extents = (terrain.width(), terrain.height())
    brightness, stages = hl.Func("brightness"), {}
    total = hl.u8(AMBIENT)
    for name, axis, step in (("east", 0, 1), ("west", 0, -1), ("north", 1, 1), ("south", 1, -1)):
        horizon, r = hl.Func(name), hl.RDom([(1, extents[axis] - 1)], f"r_{name}")
        place = r.x if step > 0 else extents[axis] - 1 - r.x
        at, before = (((p, y) if axis == 0 else (x, p)) for p in (place, place - step))
        horizon[x, y] = hl.i32(terrain[x, y])
        horizon[at] = hl.max(horizon[at], horizon[before] - FALL)
        total += hl.select(terrain[x, y] >= horizon[x, y], hl.u8(LIT), hl.u8(0))
        stages[name] = horizon
    brightness[x, y] = total
    return Algorithm(brightness, {"terrain": terrain}, stages=stages)


def terrain_shadow(images: Mapping[str, Array]) -> Array:
    terrain = images["terrain"].astype(np.int64)
    total = np.full(terrain.shape, AMBIENT)
    for axis in (0, 1):
        for way in (slice(None), slice(None, None, -1)):
            lines = np.moveaxis(terrain, axis, 0)[way]
            rays = lines + FALL * np.arange(len(lines))[:, None]
            lit = rays == np.maximum.accumulate(rays)
            total += LIT * np.moveaxis(lit[way], 0, axis)
    return total.astype(np.uint8)


THRESHOLD = 150


def build_compact_rows(hl: ModuleType) -> Algorithm:
    """The columns of all bright pixels of every row, one after the other; -1 after the last."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    x, y = hl.vars("x y")
    rank, columns = hl.funcs("rank columns")
    width = image.width()
    r, s = hl.RDom([(1, width - 1)], "r"), hl.RDom([(0, width)], "s")
    rank[x, y] = 0
    rank[r, y] = rank[r - 1, y] + hl.i32(image[r - 1, y] > THRESHOLD)
    s.where(image[s, y] > THRESHOLD)
    columns[x, y] = -1
    columns[hl.clamp(rank[s, y], 0, width - 1), y] = s
    return Algorithm(columns, {"image": image}, stages={"rank": rank})


def compact_rows(images: Mapping[str, Array]) -> Array:
    dark = images["image"] <= THRESHOLD
    order = np.argsort(dark, axis=1, kind="stable")
    return np.where(np.take_along_axis(dark, order, 1), -1, order).astype(np.int32)


def prices(size: Sizes) -> dict[str, Array]:
    steps = np.random.default_rng(0).normal(0, 0.01, size[::-1])
    return {"price": 100 * np.exp(np.cumsum(steps, axis=0))}


ENTRIES = (
    Entry(
        name="recursive_dog",
        kind="scan",
        source="Young and van Vliet, Recursive implementation of the Gaussian filter, 1995",
        build=build_recursive_dog,
        inputs=pictures(np.float32, 0, 1, "image"),
        reference=recursive_dog,
        bench_size=(2048, 1536),
        test_size=(93, 77),
        tolerance=1e-4,
    ),
    Entry(
        name="deriche",
        kind="scan",
        source="Deriche, Using Canny's criteria to derive a recursively implemented optimal edge detector, 1987",
        build=build_deriche,
        inputs=pictures(np.float32, 0, 1, "image"),
        reference=deriche,
        bench_size=(1280, 960),
        test_size=(93, 77),
        tolerance=1e-4,
    ),
    Entry(
        name="macd",
        kind="scan",
        source="moving average convergence and divergence, as in TA-Lib",
        build=build_macd,
        inputs=prices,
        reference=macd,
        bench_size=(2000, 2500),
        test_size=(61, 75),
        tolerance=1e-9,
    ),
    Entry(
        name="terrain_shadow",
        kind="scan",
        source="horizons as running maxima: Timonen and Westerholm, Scalable height field self-shadowing, 2010",
        build=build_terrain_shadow,
        inputs=pictures(np.uint16, 0, 8000, "terrain"),
        reference=terrain_shadow,
        bench_size=(4096, 4096),
        test_size=(131, 77),
    ),
    Entry(
        name="compact_rows",
        kind="scan",
        source="stream compaction: Blelloch, Prefix sums and their applications, 1990",
        build=build_compact_rows,
        inputs=pictures(np.uint8, 0, 255, "image"),
        reference=compact_rows,
        bench_size=(3000, 2000),
        test_size=(93, 77),
    ),
)
