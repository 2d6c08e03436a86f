"""Scatters: histograms, forward warps, voxels and lists, written at places that the data tell."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.numeric.layers import reduced
from bench.zoo.pieces import Stages, planes

FRACTION = 16  # steps of a displacement in a pixel


def build_splat(hl: ModuleType) -> Algorithm:
    """Every pixel is spread over the four that it moves between; sums over weights, zero where nothing arrives."""
    image, flow = hl.ImageParam(hl.UInt(8), 2, "image"), hl.ImageParam(hl.Int(16), 3, "flow")
    stages, (x, y) = Stages(hl), hl.vars("x y")
    width, height = image.width(), image.height()
    place = stages.define("place", (x, y), (x * FRACTION + flow[x, y, 0], y * FRACTION + flow[x, y, 1]))
    r = hl.RDom([(0, 2), (0, 2), (0, width), (0, height)], "r")
    to = [place[r.z, r.w][k] for k in range(2)]
    column, row = (value // FRACTION + side for value, side in zip(to, (r.x, r.y), strict=True))
    across, down = (
        hl.select(side == 0, FRACTION - value % FRACTION, value % FRACTION)
        for value, side in zip(to, (r.x, r.y), strict=True)
    )
    r.where((column >= 0) & (column < width) & (row >= 0) & (row < height))
    splat = stages.define("splat", (x, y), (0, 0))
    at = (hl.clamp(column, 0, width - 1), hl.clamp(row, 0, height - 1))
    weight = across * down
    splat[at] = (splat[at][0] + weight * hl.i32(image[r.z, r.w]), splat[at][1] + weight)
    value, weights = splat[x, y][0], splat[x, y][1]
    mean = (value + weights // 2) // hl.max(weights, 1)
    return Algorithm(stages.define("moved", (x, y), hl.u8(mean)), {"image": image, "flow": flow}, stages=stages)


def splat_inputs(size: Sizes) -> dict[str, Array]:
    shape = size[::-1]
    flow = np.stack([noise(shape, np.int16, -90, 120, seed=k) for k in (1, 2)])
    return {"image": noise(shape, np.uint8, 0, 255), "flow": flow}


def splat(images: Mapping[str, Array]) -> Array:
    image = images["image"].astype(np.int64)
    height, width = image.shape
    y, x = np.indices(image.shape) * FRACTION + images["flow"][::-1]
    value, weights = np.zeros((2, image.size))
    for dy, dx in np.ndindex(2, 2):
        column, row = x // FRACTION + dx, y // FRACTION + dy
        weight = abs(FRACTION * (1 - dx) - x % FRACTION) * abs(FRACTION * (1 - dy) - y % FRACTION)
        inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
        at = (row * width + column)[inside]
        value += np.bincount(at, (weight * image)[inside], image.size)
        weights += np.bincount(at, weight[inside], image.size)
    return ((value + weights // 2) // np.maximum(weights, 1)).reshape(image.shape).astype(np.uint8)


EVENTS_A_VOXEL = 2


def build_event_voxels(hl: ModuleType) -> Algorithm:
    """Events of a camera (x, y, polarity; time) spread over the two nearest of several times, scaled to unit energy."""
    where = hl.ImageParam(hl.Int(16), 2, "where")  # (event, x or y or polarity)
    time = hl.ImageParam(hl.Float(32), 1, "time")  # of each event, from 0 to 1
    width, height, times = (hl.Param(hl.Int(32), name) for name in ("width", "height", "times"))
    stages, (x, y, t) = Stages(hl), hl.vars("x y t")
    r = hl.RDom([(0, 2), (0, time.width())], "r")
    place = time[r.y] * hl.f32(times - 1)
    first = hl.clamp(hl.i32(place), 0, times - 2)
    share = place - hl.f32(first)
    weight = hl.f32(where[r.y, 2]) * hl.select(r.x == 0, 1.0 - share, share)
    voxels = stages.define("voxels", (x, y, t), hl.f32(0))
    column, row = (hl.clamp(hl.i32(where[r.y, k]), 0, n - 1) for k, n in enumerate((width, height)))
    voxels[column, row, first + r.x] += weight
    s, p, q = (hl.RDom([(0, extent)], n) for extent, n in zip((width, height, times), "spq", strict=True))
    rows = reduced(stages, "rows", (y, t), hl.f32(0), voxels[s, y, t] * voxels[s, y, t])
    planes_energy = reduced(stages, "planes", (t,), hl.f32(0), rows[p, t])
    energy = reduced(stages, "energy", (), hl.f32(1e-6), planes_energy[q])
    count = hl.f32(width * height * times)
    scaled = stages.define("scaled", (x, y, t), voxels[x, y, t] / hl.sqrt(energy[()] / count))
    params = {"width": width, "height": height, "times": times}
    return Algorithm(scaled, {"where": where, "time": time}, params, stages)


VOXELS = (320, 240, 5)


def event_inputs(size: Sizes) -> dict[str, Array]:
    rng, count = np.random.default_rng(0), EVENTS_A_VOXEL * size[0] * size[1] * size[2]
    x, y = (np.abs(rng.normal(0, n / 3, count)).clip(0, n - 1) for n in size[:2])
    where = np.stack([x, y, rng.choice([-1, 1], count)]).astype(np.int16)
    return {"where": where, "time": np.sort(rng.random(count, np.float32))}


def event_voxels(images: Mapping[str, Array]) -> Array:
    (x, y, polarity), (width, height, times) = images["where"].astype(np.int64), VOXELS
    place = images["time"].astype(np.float64) * (times - 1)
    first = np.minimum(place.astype(np.int64), times - 2)
    voxels = np.zeros(times * height * width)
    for side in (0, 1):
        at = ((first + side) * height + y) * width + x
        voxels += np.bincount(at, polarity * (1 - abs(place - first - side)), len(voxels))
    scale = np.sqrt((1e-6 + (voxels**2).sum()) / len(voxels))
    return (voxels / scale).reshape(times, height, width).astype(np.float32)


COLOURS = 32  # bins of each of two chromatic values


def build_backproject(hl: ModuleType) -> Algorithm:
    """How typical each pixel's chroma is of a weighted region: a histogram of two dimensions, read at every pixel."""
    image, weight = hl.ImageParam(hl.UInt(8), 3, "image"), hl.ImageParam(hl.UInt(8), 2, "weight")
    stages, (x, y, u, v) = Stages(hl), hl.vars("x y u v")
    red, green, blue = (hl.i32(image[x, y, c]) for c in range(3))
    chroma = [(2 * red - green - blue + 510) * COLOURS // 1021, (2 * blue - red - green + 510) * COLOURS // 1021]
    colour = stages.define("colour", (x, y), tuple(hl.u8(value) for value in chroma))

    def bins(column: Any, row: Any) -> tuple[Any, Any]:
        return tuple(hl.clamp(hl.i32(colour[column, row][k]), 0, COLOURS - 1) for k in range(2))

    r, s = hl.RDom([(0, image.width()), (0, image.height())], "r"), hl.RDom([(0, COLOURS), (0, COLOURS)], "s")
    histogram = stages.define("histogram", (u, v), 0)
    histogram[bins(r.x, r.y)] += hl.i32(weight[r.x, r.y])
    most = reduced(stages, "most", (), 1, histogram[s.x, s.y], hl.max)
    table = stages.define("table", (u, v), hl.u8(hl.i64(histogram[u, v]) * 255 // most[()]))
    back = stages.define("back", (x, y), table[bins(x, y)])
    return Algorithm(back, {"image": image, "weight": weight}, stages=stages)


def backproject_inputs(size: Sizes) -> dict[str, Array]:
    image = np.stack([noise(size[::-1], np.uint8, 0, 255, seed=k) for k in range(3)])
    across, down = (np.sin(np.linspace(0, np.pi, n)) for n in size)
    return {"image": image, "weight": (255 * np.outer(down, across)).astype(np.uint8)}


def backproject(images: Mapping[str, Array]) -> Array:
    red, green, blue = images["image"].astype(np.int64)
    u, v = ((value + 510) * COLOURS // 1021 for value in (2 * red - green - blue, 2 * blue - red - green))
    counts = np.bincount((v * COLOURS + u).ravel(), images["weight"].ravel(), COLOURS**2).astype(np.int64)
    return (counts * 255 // max(counts.max(), 1))[v * COLOURS + u].astype(np.uint8)


def build_run_lengths(hl: ModuleType) -> Algorithm:
    """Of every row the runs of equal levels: (run, row, length or level), zeros after the last."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    stages, (x, y, n) = Stages(hl), hl.vars("x y n")
    width = image.width()
    level = stages.define("level", (x, y), image[x, y] // 64)
    begins = stages.define("begins", (x, y), (x == 0) | (level[x, y] != level[hl.max(x - 1, 0), y]))
    scan = hl.RDom([(1, width - 1)], "scan")
    run = stages.define("run", (x, y), 0)  # which of its row a pixel belongs to
    run[scan, y] = run[scan - 1, y] + hl.i32(begins[scan, y])
    r = hl.RDom([(0, width)], "r")
    r.where(begins[r, y])
    start = stages.define("start", (n, y), width)
    start[hl.clamp(run[r, y], 0, width), y] = r
    length = start[n + 1, y] - start[n, y]
    at = hl.clamp(start[n, y], 0, width - 1)
    k = hl.Var("k")
    value = hl.mux(k, [length, hl.select(start[n, y] < width, hl.i32(level[at, y]), 0)])
    return Algorithm(stages.define("runs", (n, y, k), value), {"image": image}, stages=stages)


def run_lengths(images: Mapping[str, Array]) -> Array:
    level = images["image"] // 64
    height, width = level.shape
    begins = np.ones(level.shape, bool)
    begins[:, 1:] = level[:, 1:] != level[:, :-1]
    row, column = np.nonzero(begins)
    run = (begins.cumsum(axis=1) - 1)[row, column]
    ends = np.append(column[1:], 0)
    ends[np.append(row[1:] != row[:-1], True)] = width
    runs = np.zeros((2, height, width), np.int32)
    runs[:, row, run] = ends - column, level[row, column]
    return runs


def build_view_synthesis(hl: ModuleType) -> Algorithm:
    """Another eye's view: pixels move left by their disparity, the nearest wins, holes take the pixel to their left."""
    image, disparity = (hl.ImageParam(hl.UInt(8), 2, name) for name in ("image", "disparity"))
    stages, (x, y) = Stages(hl), hl.vars("x y")
    width = image.width()
    r, scan = hl.RDom([(0, width)], "r"), hl.RDom([(1, width - 1)], "scan")
    nearest = stages.define("nearest", (x, y), hl.u16(0))  # disparity + 1 above, brightness below
    to = hl.clamp(r - disparity[r, y], 0, width - 1)
    key = (hl.u16(disparity[r, y]) + 1) * 256 + image[r, y]
    nearest[to, y] = hl.max(nearest[to, y], key)
    filled = stages.define("filled", (x, y), nearest[x, y])
    filled[scan, y] = hl.select(filled[scan, y] == 0, filled[scan - 1, y], filled[scan, y])
    view = stages.define("view", (x, y), hl.u8(filled[x, y] & 255))
    return Algorithm(view, {"image": image, "disparity": disparity}, stages=stages)


def view_inputs(size: Sizes) -> dict[str, Array]:
    return {
        "image": noise(size[::-1], np.uint8, 0, 255),
        "disparity": noise(size[::-1], np.uint8, 0, 60, seed=1),
    }


def view_synthesis(images: Mapping[str, Array]) -> Array:
    disparity = images["disparity"].astype(np.int64)
    y, x = np.indices(disparity.shape)
    nearest = np.zeros_like(disparity)
    np.maximum.at(nearest, (y, (x - disparity).clip(0)), (disparity + 1) * 256 + images["image"])
    last = np.maximum.accumulate(np.where(nearest > 0, x, 0), axis=1)
    return (np.take_along_axis(nearest, last, 1) & 255).astype(np.uint8)


ENTRIES = (
    Entry(
        name="splat",
        kind="scatter",
        source="forward warping with bilinear weights: Niklaus and Liu, Softmax splatting, 2020",
        build=build_splat,
        inputs=splat_inputs,
        reference=splat,
        bench_size=(1280, 720),
        test_size=(61, 43),
    ),
    Entry(
        name="event_voxels",
        kind="scatter",
        source="Zhu et al., Unsupervised event-based learning of optical flow, depth, and egomotion, 2019",
        build=build_event_voxels,
        inputs=event_inputs,
        reference=event_voxels,
        bench_size=VOXELS,
        test_size=VOXELS,
        tolerance=1e-3,
        settings=dict(zip(("width", "height", "times"), VOXELS, strict=True)),
    ),
    Entry(
        name="backproject",
        kind="scatter",
        source="OpenCV calcHist and calcBackProject, as for CamShift",
        build=build_backproject,
        inputs=backproject_inputs,
        reference=backproject,
        bench_size=(1920, 1080),
        test_size=(61, 43),
    ),
    Entry(
        name="run_lengths",
        kind="scatter",
        source="run-length encoding of label images, as in COCO's masks",
        build=build_run_lengths,
        inputs=planes(np.uint8, 0, 255, "image"),
        reference=run_lengths,
        bench_size=(2000, 1500, 2),
        test_size=(61, 43, 2),
    ),
    Entry(
        name="view_synthesis",
        kind="scatter",
        source="Fehn, Depth-image-based rendering, compression and transmission for 3D-TV, 2004",
        build=build_view_synthesis,
        inputs=view_inputs,
        reference=view_synthesis,
        bench_size=(1920, 1080),
        test_size=(93, 47),
    ),
)
