"""Motion: optical flow, and the structure of the gradient that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import clamped, inner, padded, shifted, smoothed, weighted
from bench.zoo.entry import Entry
from bench.zoo.pieces import Stages, gaussian, moved_pair, pair_params, planes, repeat_edge, single, total

# Lucas and Kanade's flow in windows of 9 x 9

FLOW_WINDOW = gaussian(2.0, 4)


def lucas_kanade(stages: Stages, args: tuple[Any, Any], products: list[Any], k: Any = "") -> tuple[Any, Any]:
    """The displacement from xx, xy, yy, xt and yt, averaged over windows."""
    x, y = args
    names = [f"{name}{k}" for name in ("xx", "xy", "yy", "xt", "yt")]
    funcs = [stages.define(name, args, value) for name, value in zip(names, products, strict=True)]
    xx, xy, yy, xt, yt = (
        stages.blur(f"mean_{name}", func, args, FLOW_WINDOW)[x, y] for name, func in zip(names, funcs, strict=True)
    )
    inverse = stages.define(f"inverse{k}", args, 1.0 / (xx * yy - xy * xy + single(1e-6)))[x, y]
    return (xy * yt - yy * xt) * inverse, (xy * xt - xx * yt) * inverse


def gradients(first: Any, second: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """Across and down the mean of both images, and from the first to the second."""
    across = (first[x + 1, y] - first[x - 1, y] + second[x + 1, y] - second[x - 1, y]) * 0.25
    down = (first[x, y + 1] - first[x, y - 1] + second[x, y + 1] - second[x, y - 1]) * 0.25
    return across, down, second[x, y] - first[x, y]


def build_lucas_kanade(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    first, second, params = pair_params(hl, hl.Float(32), "first", "second")
    stages = Stages(hl)
    values = zip(("across", "down", "change"), gradients(first, second, x, y), strict=True)
    across, down, change = (stages.define(name, (x, y), value)[x, y] for name, value in values)
    products = [across * across, across * down, down * down, across * change, down * change]
    output = stages.define("lucas_kanade", (x, y, c), hl.mux(c, lucas_kanade(stages, (x, y), products)))
    return Algorithm(output, params, stages=stages)


def gradients_of(first: Array, second: Array) -> tuple[Array, Array, Array]:
    mean = (first + second) / 2
    across = (shifted(mean, 1, 0) - shifted(mean, -1, 0)) / 2
    return across, (shifted(mean, 0, 1) - shifted(mean, 0, -1)) / 2, second - first


def flow_of(across: Array, down: Array, change: Array) -> Array:
    """The solution of the normal equations."""
    xx, xy, yy, xt, yt = (
        smoothed(a * b, FLOW_WINDOW)
        for a, b in ((across, across), (across, down), (down, down), (across, change), (down, change))
    )
    return np.stack([xy * yt - yy * xt, xy * xt - xx * yt]) / (xx * yy - xy * xy + 1e-6)


def lucas_kanade_reference(images: Mapping[str, Array]) -> Array:
    pair = [padded(images[name].astype(np.float64), 5) for name in ("first", "second")]
    return inner(flow_of(*gradients_of(*pair)), 5).astype(np.float32)


# The same on three scales: each refines the flow of the coarser one, by which it warps the second image

FLOW_LEVELS = 3


def build_pyramid_flow(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    first, second, params = pair_params(hl, hl.Float(32), "first", "second")
    stages = Stages(hl)
    width, height = params["first"].width(), params["first"].height()
    sizes, pairs = [(width, height)], [(first, second)]
    for k in range(1, FLOW_LEVELS):
        sizes.append(tuple((extent + 1) // 2 for extent in sizes[-1]))
        pairs.append(
            tuple(
                repeat_edge(hl, halved(hl, stages, f"{name}_{k}", image, (x, y)), *sizes[-1])
                for name, image in zip(("first", "second"), pairs[-1], strict=True)
            )
        )
    flow = None
    for k in reversed(range(FLOW_LEVELS)):
        flow = refined(hl, stages, k, *pairs[k], flow, sizes[k])
    output = stages.define("pyramid_flow", (x, y, c), hl.mux(c, [flow[x, y][axis] for axis in (0, 1)]))
    return Algorithm(output, params, stages=stages)


def halved(hl: ModuleType, stages: Stages, name: str, image: Any, args: tuple[Any, Any]) -> Any:
    """Every other pixel after the filter 1 2 1."""
    x, y = args
    down = (image[x, 2 * y - 1] + 2.0 * image[x, 2 * y] + image[x, 2 * y + 1]) * 0.25
    down = stages.define(f"{name}_y", args, down)
    return stages.define(name, args, (down[2 * x - 1, y] + 2.0 * down[2 * x, y] + down[2 * x + 1, y]) * 0.25)


def refined(hl: ModuleType, stages: Stages, k: int, first: Any, second: Any, coarser: Any, size: Any) -> Any:
    """The flow of a level: what the coarser one says, and Lucas and Kanade's for the warped image."""
    x, y = hl.vars("x y")
    start, warped = [hl.f32(0), hl.f32(0)], second
    if coarser is not None:
        middles = [hl.clamp(at // 2, 0, (extent + 1) // 2 - 1) for at, extent in zip((x, y), size, strict=True)]
        start = [2.0 * coarser[middles[0], middles[1]][axis] for axis in (0, 1)]
        start_func = stages.define(f"start_{k}", (x, y), hl.Tuple(start))
        start = [start_func[x, y][axis] for axis in (0, 1)]
        at_x, at_y = (
            hl.clamp(hl.f32(at) + move, -1.0, hl.f32(extent))
            for at, move, extent in zip((x, y), start, size, strict=True)
        )
        left, top = hl.i32(hl.floor(at_x)), hl.i32(hl.floor(at_y))
        share_x, share_y = at_x - hl.floor(at_x), at_y - hl.floor(at_y)
        rows = [hl.lerp(second[left, top + dy], second[left + 1, top + dy], share_x) for dy in (0, 1)]
        warped = stages.define(f"warped_{k}", (x, y), hl.lerp(rows[0], rows[1], share_y))
    bounded = repeat_edge(hl, warped, *size)
    across, down, change = (
        stages.define(f"{name}_{k}", (x, y), value)[x, y]
        for name, value in zip(("across", "down", "change"), gradients(first, bounded, x, y), strict=True)
    )
    products = [across * across, across * down, down * down, across * change, down * change]
    step = lucas_kanade(stages, (x, y), products, f"_{k}")
    limited = [hl.clamp(value, -2.0, 2.0) for value in step]
    return stages.define(f"flow_{k}", (x, y), hl.Tuple([a + b for a, b in zip(start, limited, strict=True)]))


def pyramid_flow_reference(images: Mapping[str, Array]) -> Array:
    pairs = [np.stack([images[name].astype(np.float64) for name in ("first", "second")])]
    for _ in range(1, FLOW_LEVELS):
        level = weighted(weighted(padded(pairs[-1], 2), (0.25, 0.5, 0.25), 1), (0.25, 0.5, 0.25), 2)
        pairs.append(inner(level, 2)[:, ::2, ::2])
    flow = np.zeros((2, *pairs[-1].shape[1:]))
    for first, second in reversed(pairs):
        y, x = np.indices(first.shape)
        if first is not pairs[-1][0] and first.shape != flow.shape[1:]:
            flow = 2 * flow[:, y // 2, x // 2]
            second = _warped(second, x + flow[0], y + flow[1])
        step = inner(flow_of(*gradients_of(padded(first, 5), padded(second, 5))), 5)
        flow = flow + np.clip(step, -2, 2)
    return flow.astype(np.float32)


def _warped(image: Array, at_x: Array, at_y: Array) -> Array:
    at_x, at_y = np.clip(at_x, -1, image.shape[1]), np.clip(at_y, -1, image.shape[0])
    left, top = np.floor(at_x).astype(int), np.floor(at_y).astype(int)
    share_x, share_y = at_x - left, at_y - top
    rows = [
        clamped(image, left, top + dy) * (1 - share_x) + clamped(image, left + 1, top + dy) * share_x for dy in (0, 1)
    ]
    return rows[0] * (1 - share_y) + rows[1] * share_y


# Horn and Schunck's flow

RELAXED, STIFFNESS = 16, 0.05


def build_horn_schunck(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    first, second, params = pair_params(hl, hl.Float(32), "first", "second")
    stages = Stages(hl)
    values = zip(("across", "down", "change"), gradients(first, second, x, y), strict=True)
    across, down, change = (stages.define(name, (x, y), value)[x, y] for name, value in values)
    inverse = stages.define("inverse", (x, y), 1.0 / (across * across + down * down + single(STIFFNESS)))
    flow = stages.define("flow_0", (x, y, c), hl.f32(0))
    for k in range(RELAXED):
        cross = flow[x - 1, y, c] + flow[x + 1, y, c] + flow[x, y - 1, c] + flow[x, y + 1, c]
        corners = total([flow[x + dx, y + dy, c] for dy in (-1, 1) for dx in (-1, 1)])
        mean = stages.define(f"mean_{k}", (x, y, c), cross * single(1 / 6) + corners * single(1 / 12))
        residual = across * mean[x, y, 0] + down * mean[x, y, 1] + change
        step = stages.define(f"step_{k}", (x, y), residual * inverse[x, y])
        value = mean[x, y, c] - hl.mux(c, [across, down]) * step[x, y]
        flow = stages.define(f"flow_{k + 1}", (x, y, c), value)
    return Algorithm(flow, params, stages=stages)


def horn_schunck_reference(images: Mapping[str, Array]) -> Array:
    pair = [padded(images[name].astype(np.float64), RELAXED + 1) for name in ("first", "second")]
    across, down, change = gradients_of(*pair)
    gradient, flow = np.stack([across, down]), np.zeros((2, *across.shape))
    for _ in range(RELAXED):
        cross = sum(shifted(flow, dx, dy) for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)))
        corners = sum(shifted(flow, dx, dy) for dx in (-1, 1) for dy in (-1, 1))
        mean = cross / 6 + corners / 12
        flow = mean - gradient * ((gradient * mean).sum(0) + change) / (across**2 + down**2 + STIFFNESS)
    return inner(flow, RELAXED + 1).astype(np.float32)


# Structure tensor: orientation, coherence and energy of the gradient


def build_structure(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.Float(32), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    smooth, slope = [single(k / 16) for k in (3, 10, 3)], [-0.5, 0.0, 0.5]
    rows = stages.correlate("rows", bounded, (x, y), 1, smooth)
    columns = stages.correlate("columns", bounded, (x, y), 0, smooth)
    across = stages.correlate("across", rows, (x, y), 0, slope)[x, y]
    down = stages.correlate("down", columns, (x, y), 1, slope)[x, y]
    window = gaussian(2.5, 6)
    xx, xy, yy = (
        stages.blur(f"mean_{name}", stages.define(name, (x, y), value), (x, y), window)[x, y]
        for name, value in (("xx", across * across), ("xy", across * down), ("yy", down * down))
    )
    twice = stages.define("twice", (x, y), hl.Tuple([xx - yy, 2.0 * xy, xx + yy]))
    cosine, sine, energy = (twice[x, y][k] for k in range(3))
    coherence = (cosine * cosine + sine * sine) / (energy * energy + single(1e-6))
    angle = 0.5 * hl.atan2(sine, cosine)
    output = stages.define("structure_tensor", (x, y, c), hl.mux(c, [angle, coherence, energy]))
    return Algorithm(output, {"source": source}, stages=stages)


def structure_reference(images: Mapping[str, Array]) -> Array:
    source = padded(images["source"].astype(np.float64), 7)
    smooth, slope = (3 / 16, 10 / 16, 3 / 16), (-0.5, 0, 0.5)
    across, down = (weighted(weighted(source, smooth, aside), slope, along) for aside, along in ((0, 1), (1, 0)))
    xx, xy, yy = (smoothed(p, gaussian(2.5, 6)) for p in (across**2, across * down, down**2))
    coherence = ((xx - yy) ** 2 + 4 * xy**2) / ((xx + yy) ** 2 + 1e-6)
    return inner(np.stack([np.arctan2(2 * xy, xx - yy) / 2, coherence, xx + yy]), 7).astype(np.float32)


ENTRIES = (
    Entry(
        name="lucas_kanade",
        kind="flow",
        source="Lucas and Kanade, 1981: dense flow in Gaussian windows",
        build=build_lucas_kanade,
        inputs=moved_pair(np.float32, 1, "first", "second"),
        reference=lucas_kanade_reference,
        bench_size=(1024, 768, 2),
        test_size=(37, 23, 2),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="pyramid_flow",
        kind="flow",
        source="Bouguet's pyramidal Lucas-Kanade, dense, three levels (cv2.calcOpticalFlowPyrLK)",
        build=build_pyramid_flow,
        inputs=moved_pair(np.float32, 1, "first", "second"),
        reference=pyramid_flow_reference,
        bench_size=(960, 640, 2),
        test_size=(45, 38, 2),
        tolerance=1e-3,
    ),
    Entry(
        name="horn_schunck",
        kind="flow",
        source="Horn and Schunck, 1981, sixteen iterations",
        build=build_horn_schunck,
        inputs=moved_pair(np.float32, 1, "first", "second"),
        reference=horn_schunck_reference,
        bench_size=(640, 480, 2),
        test_size=(37, 23, 2),
        tolerance=1e-4,
    ),
    Entry(
        name="structure_tensor",
        kind="flow",
        source="Bigün and Granlund, 1987 (skimage.feature.structure_tensor), with Scharr's derivatives",
        build=build_structure,
        inputs=planes(np.float32, 0, 1),
        reference=structure_reference,
        bench_size=(2048, 1536, 3),
        test_size=(37, 23, 3),
        tolerance=1e-3,
    ),
)
