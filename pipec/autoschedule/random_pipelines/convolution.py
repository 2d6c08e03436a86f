"""Windows: weighted sums, also over channels and rows of matrices, and minima, maxima and medians."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.builder import (
    C,
    N,
    PipelineBuilder,
    Unsuitable,
    X,
    Y,
    replaced,
    spatial,
    variables,
)
from pipec.autoschedule.random_pipelines.expressions import tree
from pipec.autoschedule.random_pipelines.layer import TYPES, Layer, RandomValue, single, weighted_sum, wide_type
from pipec.autoschedule.random_pipelines.pointwise import stored

# How many taps may be written out.
MAX_UNROLLED_TAPS = 25


def tree_stage(b: PipelineBuilder) -> None:
    """A row or column of neighbours in a random expression of all of them."""
    source = b.pick(spatial)
    taps = b.random.choice([2, 3, 3, 4, 5])
    b.affords(source.extents, 2 * taps)
    args, dimension = variables(source), b.random.randrange(2)
    values = [source.at(*replaced(args, dimension, args[dimension] + k - taps // 2)) for k in range(taps)]
    b.define("neighbours", args, stored(b, tree(b.random, values)), source.extents)


def row_stage(b: PipelineBuilder) -> None:
    """A convolution along one dimension, or along both, one after the other."""
    source = b.pick(spatial)
    taps = b.random.choice([3, 3, 5, 5, 7, 9, 13])
    dimensions = b.random.choice([[0], [1], [0, 1], [1, 0]])
    for _ in dimensions:
        b.affords(source.extents, 2 * taps)
    for dimension in dimensions:
        window = [(-(taps // 2), taps) if d == dimension else (0, 1) for d in range(2)]
        source = b.read(convolved(b, source, window))
    b.unread.append(source)


def patch_stage(b: PipelineBuilder) -> None:
    """A convolution over a window of both dimensions."""
    source = b.pick(spatial)
    taps = b.random.choice([3, 3, 3, 5, 7])
    b.affords(source.extents, 2 * taps * taps)
    convolved(b, source, [(-(taps // 2), taps)] * 2)


def convolved(b: PipelineBuilder, source: Layer, window: Sequence[tuple[int, int]]) -> Layer:
    """The convolution with a random kernel over a window, [(first, taps), ...] in x and y; one of three forms."""
    taps = math.prod(count for _, count in window)
    weights = _weights(b, source, taps)
    forms = ["sum", "update"] + (["written out"] * 3 if taps <= MAX_UNROLLED_TAPS else [])
    form = b.random.choice(forms)
    args = variables(source)
    offsets = [(i, j) for j in range(*_ends(window[1])) for i in range(*_ends(window[0]))]
    total = weighted_sum([source.at(X + i, Y + j, *args[2:]) for i, j in offsets], weights)
    if form == "written out":
        value = total if b.random.random() < 0.3 else stored(b, total)
        return b.define("convolved", args, value, source.extents)
    kind = TYPES[total.type]
    axes = [d for d, (_, count) in enumerate(window) if count > 1]
    table = b.table(np.reshape(np.array(weights, kind.numpy()), [window[d][1] for d in axes[::-1]]).transpose())
    r = b.rdom(*[window[d] for d in axes])
    place = list(args)
    for k, d in enumerate(axes):
        place[d] = args[d] + r[k]
    term = hl.cast(kind, source.at(*place).expr) * table[tuple([r[k] - window[d][0] for k, d in enumerate(axes)])]
    return _accumulated(b, args, term, r, total, source.extents, form)


def _accumulated(
    b: PipelineBuilder,
    args: Sequence[Any],
    term: Any,
    r: hl.RDom,
    total: RandomValue,
    extents: Sequence[int],
    form: str,
) -> Layer:
    """The sum of `term` over `r`, whose range is that of `total`: with sum(), or as an update of its own."""
    if form == "sum":
        value = RandomValue(hl.sum(r, term), total.type, total.low, total.high)
        return b.define("summed", args, stored(b, value), extents)
    func = b.func("accumulated")
    func[tuple(args)] = hl.cast(TYPES[total.type], 0)
    func[tuple(args)] += term
    layer = Layer(func, total.type, tuple(extents), total.low, total.high)
    if total.type == "f32" and b.random.random() < 0.7 or total.largest <= 1 << 20 and b.random.random() < 0.3:
        return b.add_layer(layer)
    return b.define("stored", args, stored(b, layer.at(*args)), extents)


def _ends(interval: tuple[int, int]) -> tuple[int, int]:
    return interval[0], interval[0] + interval[1]


def _weights(b: PipelineBuilder, source: Layer, taps: int) -> list[float]:
    """Symmetric or not, of both signs or not; those of floats add up to 1 at most."""
    r = b.random
    low = -4 if r.random() < 0.3 else 1
    half = [r.randint(low, 8) or 1 for _ in range(taps)]
    weights: list[float] = [*half[: (taps + 1) // 2], *half[: taps // 2][::-1]] if r.random() < 0.7 else [*half]
    if source.type != "f32":
        return weights
    total = sum(abs(weight) for weight in weights)
    return [weight / total for weight in weights]


def channels_stage(b: PipelineBuilder) -> None:
    """Every new channel a weighted sum of all channels of a window of one point or several."""
    source = b.pick(lambda layer: layer.dimensions == 3)
    r = b.random
    count, taps = r.choice([3, 4, 8, 16]), r.choice([1, 1, 3])
    channels = source.extents[2]
    extents = (*source.extents[:2], count)
    b.affords(extents, 2 * channels * taps * taps)
    points = channels * taps * taps
    kind = "f32" if source.type == "f32" else wide_type(-4 * points * abs(source.low), 4 * points * source.high)
    high = 1.0 if kind == "f32" else 4 * points * source.high
    table = _kernel(b, (taps, taps, channels, count), kind)
    window = b.rdom(*[(0, taps)] * 2, (0, channels)) if taps > 1 else b.rdom((0, channels))
    i, j, k = (window[0], window[1], window[2]) if taps > 1 else (0, 0, window[0])
    term = hl.cast(TYPES[kind], source.at(X + i, Y + j, k).expr) * table[i, j, k, C]
    low = 0.0 if source.low >= 0 and kind != "f32" else -high
    total = RandomValue(None, kind, low, high)
    _accumulated(b, (X, Y, C), term, window, total, extents, r.choice(["sum", "update"]))


def _kernel(b: PipelineBuilder, shape: tuple[int, ...], kind: str) -> Any:
    """Weights as numbers that come with the pipeline; those of each output add up to 1 at most."""
    generator = b.generator()
    if kind != "f32":
        return b.table(generator.integers(0, 4, shape).astype(TYPES[kind].numpy()))
    weights = generator.standard_normal(shape).astype(np.float32)
    return b.table(weights / np.abs(weights).sum(axis=tuple(range(len(shape) - 1))))


def network_stage(b: PipelineBuilder) -> None:
    """A layer of a neural network on a batch of small images: x, y, channel, image."""
    r = b.random
    deep = [layer for layer in b.layers if layer.dimensions == 4]
    source = b.pick(lambda layer: layer.dimensions == 4) if deep else None
    if source is not None:
        extents = source.extents
    else:
        sides = b.scaled(r.choice([32, 48, 64, 112])), b.scaled(r.choice([32, 48, 64]))
        extents = (*sides, r.choice([3, 8, 16, 32]), r.choice([1, 2, 4]))
    width, height, channels, images = extents
    count, taps = r.choice([8, 16, 32, 64]), r.choice([1, 3, 3, 5])
    shape = (width, height, count, images)
    b.affords(shape, 2 * channels * taps * taps)
    if source is None:
        source = b.read(b.image("f32", extents))
    weights = hl.ImageParam(TYPES["f32"], 4, f"weights{len(b.images)}")
    b.images.append(weights)
    r3 = b.rdom((0, channels), (0, taps), (0, taps))
    func = b.func("layer")
    func[X, Y, C, N] = 0.0
    scale = single(2.0 / (channels * taps * taps))
    func[X, Y, C, N] += weights[C, r3[1], r3[2], r3[0]] * source.func[X + r3[1], Y + r3[2], r3[0], N] * scale
    place = (X, Y, C, N)
    if r.random() < 0.3:
        half = (width // 2, height // 2, count, images)
        window = [func[2 * X + i, 2 * Y + j, C, N] for j in range(2) for i in range(2)]
        pooled = hl.max(*window)
        b.define("pooled", place, RandomValue(hl.min(pooled, 1.0), "f32", 0.0, 1.0), half)
    else:
        b.define("relu", place, RandomValue(hl.clamp(func[place] - 0.25, 0.0, 1.0), "f32", 0.0, 1.0), shape)


def matrix_stage(b: PipelineBuilder) -> None:
    """The product of two matrices, one of which may be a layer."""
    r = b.random
    sources = [layer for layer in b.layers if layer.dimensions == 2 and layer.type == "f32"]
    left = b.pick(lambda layer: layer in sources) if sources and r.random() < 0.5 else None
    sides = left.extents if left is not None else [b.scaled(r.choice([128, 192, 256, 384, 512])) for _ in range(2)]
    depth, rows = sides
    columns = b.scaled(r.choice([64, 128, 256, 512]))
    if depth > 1024:
        raise Unsuitable
    b.affords((columns, rows), 2 * depth)
    if left is None:
        left = b.read(b.image("f32", sides))
    right = b.read(b.image("f32", (columns, depth)))
    k = b.rdom((0, depth))
    func = b.func("product")
    func[X, Y] = 0.0
    func[X, Y] += left.func[k[0], Y] * right.func[X, k[0]] * single(1.0 / depth)
    b.add_layer(Layer(func, "f32", (columns, rows), -1.0, 1.0))


def median_stage(b: PipelineBuilder) -> None:
    """The median of three, five or nine points."""
    source = b.pick(spatial)
    r, args = b.random, variables(source)
    shape = r.choice(["row", "column", "cross", "square"])
    places = {
        "row": [(k, 0) for k in (-1, 0, 1)],
        "column": [(0, k) for k in (-2, -1, 0, 1, 2)],
        "cross": [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)],
        "square": [(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1)],
    }[shape]
    b.affords(source.extents, {3: 4, 5: 14, 9: 40}[len(places)])
    points = [source.at(X + i, Y + j, *args[2:]).expr for i, j in places]
    b.define("median", args, RandomValue(_median(points), source.type, source.low, source.high), source.extents)


def _median(values: Sequence[Any]) -> Any:
    """Smallest and largest of the rest go, until one is left: a network that forgets what can't be the median."""
    held, waiting = list(values[: len(values) // 2 + 2]), list(values[len(values) // 2 + 2 :])
    while True:
        for k in range(len(held) - 1):  # the largest goes to the end
            held[k], held[k + 1] = hl.min(held[k], held[k + 1]), hl.max(held[k], held[k + 1])
        for k in range(len(held) - 2, 0, -1):  # the smallest to the beginning
            held[k - 1], held[k] = hl.min(held[k - 1], held[k]), hl.max(held[k - 1], held[k])
        held = held[1:-1]
        if not waiting:
            return held[0]
        held.append(waiting.pop(0))


def extremum_stage(b: PipelineBuilder) -> None:
    """The largest or smallest of a long row and column: in steps that double, or as a reduction."""
    source = b.pick(spatial)
    r = b.random
    radius = r.choice([2, 4, 8])
    b.affords(source.extents, 4 * radius)
    word: Callable[..., Any] = r.choice([hl.max, hl.min])
    doubling = r.random() < 0.5
    for dimension in (0, 1) if r.random() < 0.7 else (0,):
        args = variables(source)
        if not doubling:
            window = b.rdom((-radius, 2 * radius + 1))
            reduce = hl.maximum if word is hl.max else hl.minimum
            expr = reduce(window, source.at(*replaced(args, dimension, args[dimension] + window[0])).expr)
            value = RandomValue(expr, source.type, source.low, source.high)
            source = b.read(b.define("extremum", args, value, source.extents))
            continue
        step = 1
        while step <= radius:
            pair = [source.at(*replaced(args, dimension, args[dimension] + k)).expr for k in (0, step)]
            value = RandomValue(word(*pair), source.type, source.low, source.high)
            source = b.read(b.define("extremum", args, value, source.extents))
            step *= 2
    b.unread.append(source)
