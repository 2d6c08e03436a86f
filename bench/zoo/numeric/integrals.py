"""Integrals over pictures and volumes (summed-area tables), and boxes of any size from their corners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import pictures


def integral(hl: ModuleType, values: Any, extents: Sequence[Any], name: str) -> list[Any]:
    """A Func for each axis: at a place the sum of all `values` before it along that axis and those before; last all.

    Every table begins with zeros and is one longer than `extents`, so that the sum from a to b is table[b] - table[a].
    """
    tables: list[Any] = []
    args = hl.vars("x y z" if len(extents) == 3 else "x y")
    for axis, extent in enumerate(extents):
        table, r = hl.Func(f"{name}_{'xyz'[axis]}"), hl.RDom([(1, extent)], f"along_{'xyz'[axis]}")
        at, before = list(args), list(args)
        at[axis], before[axis] = r.x, r.x - 1
        source = tables[-1] if tables else values
        table[args] = hl.cast(values.type(), 0)
        table[tuple(at)] = table[tuple(before)] + source[tuple(before)]
        tables.append(table)
    return tables


def box_sum(table: Any, begins: Sequence[Any], ends: Sequence[Any]) -> Any:
    """The sum of the values from `begins` to before `ends`, from the corners of the table."""
    total = None
    for corner in product((1, 0), repeat=len(begins)):
        value = table[tuple(end if side else begin for side, begin, end in zip(corner, begins, ends, strict=True))]
        sign = (-1) ** corner.count(0)
        total = value if total is None else total + value if sign > 0 else total - value
    return total


def window(hl: ModuleType, at: Any, radius: int, extent: Any) -> tuple[Any, Any]:
    """Begin and end of the window round a place, cut off at the ends of the axis."""
    return hl.max(at - radius, 0), hl.min(at + radius + 1, extent)


def widened(hl: ModuleType, image: Any, kind: Any, args: Sequence[Any]) -> Any:
    """The image in another type, as a Func."""
    wide = hl.Func("wide")
    wide[tuple(args)] = hl.cast(kind, image[tuple(args)])
    return wide


def summed(values: Array) -> Array:
    """The integral of an array, with zeros before."""
    for axis in range(values.ndim):
        values = np.insert(np.cumsum(values, axis), 0, 0, axis)
    return values


def windows(table: Array, radius: int) -> tuple[Array, Array]:
    """Sum and number of the values in every window of that radius."""
    count = np.ones((), np.int64)
    for axis in range(table.ndim):
        extent = table.shape[axis] - 1
        at = np.arange(extent)
        begin, end = (at - radius).clip(0), (at + radius + 1).clip(None, extent)
        table = table.take(end, axis) - table.take(begin, axis)
        count = np.multiply.outer(count, end - begin)
    return table, count


RADIUS, PERCENT = 15, 85


def build_adaptive_threshold(hl: ModuleType) -> Algorithm:
    """White where a pixel has at least 85 % of the mean round it."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    x, y = hl.vars("x y")
    extents = (image.width(), image.height())
    tables = integral(hl, widened(hl, image, hl.UInt(32), (x, y)), extents, "table")
    total, binary = hl.funcs("total binary")
    ends = [window(hl, at, RADIUS, extent) for at, extent in zip((x, y), extents, strict=True)]
    total[x, y] = box_sum(tables[-1], *zip(*ends, strict=True))
    count = hl.u32((ends[0][1] - ends[0][0]) * (ends[1][1] - ends[1][0]))
    binary[x, y] = hl.select(image[x, y] * count * 100 >= total[x, y] * PERCENT, hl.u8(255), hl.u8(0))
    stages = {"table_x": tables[0], "table_y": tables[1], "total": total}
    return Algorithm(binary, {"image": image}, stages=stages)


def adaptive_threshold(images: Mapping[str, Array]) -> Array:
    image = images["image"]
    total, count = windows(summed(image.astype(np.int64)), RADIUS)
    return np.where(image * count * 100 >= total * PERCENT, 255, 0).astype(np.uint8)


GUIDE_RADIUS, EPSILON = 4, 0.003


def build_guided_volume(hl: ModuleType) -> Algorithm:
    """The self-guided filter of a volume: means and variances of cubes from two integrals, means of their lines."""
    volume = hl.ImageParam(hl.Float(32), 3, "volume")
    args = x, y, z = hl.vars("x y z")
    extents = [volume.dim(k).extent() for k in range(3)]
    stages: dict[str, Any] = {}

    def mean(values: Any, name: str) -> Any:
        """The mean of every cube, summed up in double precision."""
        tables = integral(hl, widened(hl, values, hl.Float(64), args), extents, f"table_{name}")
        ends = [window(hl, at, GUIDE_RADIUS, extent) for at, extent in zip(args, extents, strict=True)]
        count = (ends[0][1] - ends[0][0]) * (ends[1][1] - ends[1][0]) * (ends[2][1] - ends[2][0])
        average = hl.Func(f"mean_{name}")
        average[args] = hl.f32(box_sum(tables[-1], *zip(*ends, strict=True)) / hl.f64(count))
        stages.update({table.name().split("$")[0]: table for table in tables} | {f"mean_{name}": average})
        return average

    square, slope, offset, filtered = hl.funcs("square slope offset filtered")
    square[args] = volume[args] * volume[args]
    first, second = mean(volume, "value"), mean(square, "square")
    variance = hl.max(second[args] - first[args] * first[args], 0.0)
    slope[args] = variance / (variance + hl.f32(EPSILON))
    offset[args] = first[args] * (1.0 - slope[args])
    filtered[args] = mean(slope, "slope")[args] * volume[args] + mean(offset, "offset")[args]
    return Algorithm(filtered, {"volume": volume}, stages=stages | {"slope": slope, "offset": offset})


def guided_volume(images: Mapping[str, Array]) -> Array:
    volume = images["volume"].astype(np.float64)

    def mean(values: Array) -> Array:
        total, count = windows(summed(values), GUIDE_RADIUS)
        return total / count

    first = mean(volume)
    variance = mean(volume**2) - first**2
    slope = variance / (variance + EPSILON)
    return (mean(slope) * volume + mean(first * (1 - slope))).astype(np.float32)


MAP_SIDE, FILTER_SIDE, LEAST_VARIANCE = 768, 9, 1e-5


def build_variance_shadow(hl: ModuleType) -> Algorithm:
    """How much light reaches each pixel: Chebyshev's bound from the moments of the shadow map round its place."""
    depth = hl.ImageParam(hl.Float(32), 2, "depth")  # as the light sees it
    receiver = hl.ImageParam(hl.Float(32), 3, "receiver")  # of each pixel: place in the shadow map, distance to light
    x, y = hl.vars("x y")
    extents = (depth.width(), depth.height())
    first, moments, light = hl.funcs("first moments light")
    squared, stages = hl.Func("squared"), {}
    squared[x, y] = hl.f64(depth[x, y]) * hl.f64(depth[x, y])
    sums = []
    for values, name in ((widened(hl, depth, hl.Float(64), (x, y)), "depth"), (squared, "square")):
        tables = integral(hl, values, extents, f"table_{name}")
        stages.update({f"table_{name}_x": tables[0], f"table_{name}_y": tables[1]})
        begins = [
            hl.clamp(hl.i32(receiver[x, y, k]) - FILTER_SIDE // 2, 0, extent - FILTER_SIDE)
            for k, extent in enumerate(extents)
        ]
        sums.append(box_sum(tables[-1], begins, [begin + FILTER_SIDE for begin in begins]))
    moments[x, y] = tuple(hl.f32(total * hl.f64(1 / FILTER_SIDE**2)) for total in sums)
    mean, second = moments[x, y][0], moments[x, y][1]
    variance = hl.max(second - mean * mean, hl.f32(LEAST_VARIANCE))
    behind = hl.max(receiver[x, y, 2] - mean, 0.0)
    light[x, y] = variance / (variance + behind * behind)
    return Algorithm(light, {"depth": depth, "receiver": receiver}, stages=stages | {"moments": moments})


def variance_shadow_inputs(size: Sizes) -> dict[str, Array]:
    shape = size[::-1]
    place = [noise(shape, np.float32, 0, MAP_SIDE - 1, seed=k) for k in range(2)]
    return {
        "depth": noise((MAP_SIDE, MAP_SIDE), np.float32, 0, 1),
        "receiver": np.stack([*place, noise(shape, np.float32, 0, 1, seed=2)]),
    }


def variance_shadow(images: Mapping[str, Array]) -> Array:
    depth = images["depth"].astype(np.float64)
    u, v = (images["receiver"][:2].astype(int) - FILTER_SIDE // 2).clip(0, MAP_SIDE - FILTER_SIDE)

    def mean(values: Array) -> Array:
        boxes = np.lib.stride_tricks.sliding_window_view(values, (FILTER_SIDE, FILTER_SIDE)).mean(axis=(2, 3))
        return boxes[v, u]

    variance = np.maximum(mean(depth**2) - mean(depth) ** 2, LEAST_VARIANCE)
    behind = np.maximum(images["receiver"][2] - mean(depth), 0)
    return (variance / (variance + behind**2)).astype(np.float32)


ENTRIES = (
    Entry(
        name="adaptive_threshold",
        kind="scan",
        source="Bradley and Roth, Adaptive thresholding using the integral image, 2007",
        build=build_adaptive_threshold,
        inputs=pictures(np.uint8, 0, 255, "image"),
        reference=adaptive_threshold,
        bench_size=(4000, 3000),
        test_size=(131, 77),
    ),
    Entry(
        name="guided_volume",
        kind="scan",
        source="He, Sun and Tang, Guided image filtering, 2010, of a volume as in ITK and TomoPy",
        build=build_guided_volume,
        inputs=pictures(np.float32, 0, 1, "volume"),
        reference=guided_volume,
        bench_size=(160, 160, 96),
        test_size=(37, 23, 19),
        tolerance=1e-4,
    ),
    Entry(
        name="variance_shadow",
        kind="scan",
        source="Lauritzen, Summed-area variance shadow maps, 2007",
        build=build_variance_shadow,
        inputs=variance_shadow_inputs,
        reference=variance_shadow,
        bench_size=(1280, 720),
        test_size=(61, 43),
        tolerance=2e-3,
    ),
)
