"""Scans, histograms and other reductions over rows, tiles or images; images changed by sums of few values."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.builder import (
    C,
    PipelineBuilder,
    Unsuitable,
    X,
    Y,
    flat,
    replaced,
    spatial,
    variables,
)
from pipec.autoschedule.random_pipelines.layer import TYPES, Layer, RandomValue, as_float, single

B = hl.Var("b")


def _bin(source: Layer, value: Any, bins: int) -> Any:
    """Returns the number of the bin that a value falls into."""
    if source.type == "f32":
        return hl.clamp(hl.i32((value + 1.0) * (bins / 2)), 0, bins - 1)
    span = max(1, int(source.high - source.low + bins) // bins)
    return hl.clamp((hl.i32(value) - int(source.low)) / span, 0, bins - 1)


def _inside(b: PipelineBuilder, source: Layer) -> tuple[int, int]:
    return source.extents[0], source.extents[1]


def scan_stage(b: PipelineBuilder) -> None:
    """A recursive filter along rows or columns, forward and mostly backward, too."""
    source = b.pick(spatial)
    r, args = b.random, variables(source)
    dimension, both = r.randrange(2), r.random() < 0.75
    b.affords(source.extents, 12 if both else 6)
    length = source.extents[dimension]
    feedback = r.choice([0.5, 0.7, 0.9])
    func = b.func("scanned")
    func[tuple(args)] = as_float(source.at(*args)).expr
    steps = b.rdom((1, length - 1))
    directions: list[tuple[Any, Any]] = [(steps[0], steps[0] - 1)]
    if both:
        directions.append((length - 1 - steps[0], length - steps[0]))
    for current, previous in directions:
        place, last = tuple(replaced(args, dimension, current)), tuple(replaced(args, dimension, previous))
        func[place] = func[place] * single(1.0 - feedback) + func[last] * single(feedback)
    low = as_float(source.at(*args)).low
    b.add_layer(Layer(func, "f32", source.extents, low, 1.0))


def integral_stage(b: PipelineBuilder) -> None:
    """Running sums along both dimensions, and the mean of a box from its corners."""
    source = b.pick(lambda layer: flat(layer) and layer.type in ("u8", "u16"))
    width, height = _inside(b, source)
    if source.high * width * height * b.shrink**2 >= 1 << 31:
        raise Unsuitable
    b.affords(source.extents, 8)
    across, down, radius = b.rdom((1, width - 1)), b.rdom((1, height - 1)), b.random.choice([2, 4, 7, 15])
    rows, whole = b.func("running_x"), b.func("running_y")
    rows[X, Y] = hl.i32(source.func[X, Y])
    rows[across[0], Y] += rows[across[0] - 1, Y]
    whole[X, Y] = rows[X, Y]
    whole[X, down[0]] += whole[X, down[0] - 1]

    def corner(x: Any, y: Any) -> Any:
        return whole[hl.clamp(x, 0, width - 1), hl.clamp(y, 0, height - 1)]

    total = corner(X + radius, Y + radius) - corner(X - radius, Y + radius)
    total = total - corner(X + radius, Y - radius) + corner(X - radius, Y - radius)
    high = source.high
    mean = hl.clamp(total / (4 * radius * radius), 0, int(high))
    b.define("box", (X, Y), RandomValue(hl.cast(TYPES[source.type], mean), source.type, 0, high), source.extents)


def equalize_stage(b: PipelineBuilder) -> None:
    """A histogram of the whole image, its running sum, and the image looked up in it."""
    source = b.pick(lambda layer: flat(layer) and layer.type == "u8")
    width, height = _inside(b, source)
    b.affords(source.extents, 12)
    counts, sums = b.func("histogram"), b.func("cumulative")
    r, steps = b.rdom((0, width), (0, height)), hl.RDom([(1, 255)], f"s{b.stages}")
    counts[B] = 0
    counts[hl.i32(source.func[r[0], r[1]])] += 1
    sums[B] = counts[B]
    sums[steps[0]] = sums[steps[0] - 1] + counts[steps[0]]
    share = hl.f32(sums[hl.i32(source.func[X, Y])]) * single(1.0 / (width * height))
    b.define("equalized", (X, Y), RandomValue(share, "f32", 0.0, 1.0), source.extents)


def tile_histogram_stage(b: PipelineBuilder) -> None:
    """A histogram of each tile, and for each point how common its value is around it."""
    source = b.pick(lambda layer: flat(layer) and layer.type in ("u8", "u16", "f32"))
    r = b.random
    tile, bins = r.choice([8, 16, 32]), r.choice([8, 16, 32])
    b.affords(source.extents, 16)
    counts = b.func("tile_histogram")
    inside = b.rdom((0, tile), (0, tile))
    counts[X, Y, B] = 0.0
    inside_value = source.func[X * tile + inside[0], Y * tile + inside[1]]
    counts[X, Y, _bin(source, inside_value, bins)] += 1.0 / tile**2
    counted: Any = counts
    if r.random() < 0.6:
        counted = b.func("smooth_histogram")
        counted[X, Y, B] = (counts[X - 1, Y, B] + counts[X, Y, B] * 2.0 + counts[X + 1, Y, B]) * 0.25
    frequency = counted[X / tile, Y / tile, _bin(source, source.func[X, Y], bins)]
    b.define("common", (X, Y), RandomValue(frequency, "f32", 0.0, 1.0), source.extents)


def grid_stage(b: PipelineBuilder) -> None:
    """Sums of the points of each tile by their value, smoothed along three dimensions, and interpolated."""
    source = b.pick(lambda layer: flat(layer) and layer.type in ("u8", "f32"))
    r = b.random
    tile, bins = r.choice([8, 16]), r.choice([8, 12])
    b.affords(source.extents, 40)
    inside = b.rdom((0, tile), (0, tile))
    value = as_float(source.at(X * tile + inside[0], Y * tile + inside[1]))
    grid = b.func("grid")
    grid[X, Y, B] = hl.Tuple([0.0, 0.0])
    level = _bin(source, source.func[X * tile + inside[0], Y * tile + inside[1]], bins)
    grid[X, Y, level] = hl.Tuple([grid[X, Y, level][0] + value.expr, grid[X, Y, level][1] + 1.0])
    for shift in ((0, 0, 1), (1, 0, 0), (0, 1, 0)):
        before, grid = grid, b.func("smooth_grid")
        near = [before[X + k * shift[0], Y + k * shift[1], B + k * shift[2]] for k in (-1, 0, 1)]
        if shift[2]:
            near = [before[X, Y, hl.clamp(B + k, 0, bins - 1)] for k in (-1, 0, 1)]
        grid[X, Y, B] = hl.Tuple([near[0][i] + near[1][i] * 2.0 + near[2][i] for i in (0, 1)])
    at = _bin(source, source.func[X, Y], bins)
    part = hl.f32(X % tile) * (1.0 / tile)
    left, right = grid[X / tile, Y / tile, at], grid[X / tile + 1, Y / tile, at]
    mixed = [left[i] + (right[i] - left[i]) * part for i in (0, 1)]
    result = mixed[0] / (mixed[1] + 1.0)
    b.define("sliced", (X, Y), RandomValue(result, "f32", as_float(source.at(X, Y)).low, 1.0), source.extents)


def best_stage(b: PipelineBuilder) -> None:
    """The place of the best match in a window, and the value there."""
    source = b.pick(lambda layer: flat(layer) and layer.type != "f32")
    other = b.pick(lambda layer: layer.extents == source.extents and layer.type != "f32")
    span = b.random.choice([3, 4, 7])
    b.affords(source.extents, 6 * span)
    shifts = b.rdom((0, span))
    miss = hl.i32(hl.abs(hl.i32(source.func[X, Y]) - hl.i32(other.func[X + shifts[0], Y])))
    func = b.func("best")
    func[X, Y] = hl.Tuple([0, 1 << 30])
    better = miss < func[X, Y][1]
    func[X, Y] = hl.Tuple([hl.select(better, shifts[0], func[X, Y][0]), hl.select(better, miss, func[X, Y][1])])
    match = other.at(X + hl.clamp(func[X, Y][0], 0, span - 1), Y)
    b.define("matched", (X, Y), match, source.extents)


def statistics_stage(b: PipelineBuilder) -> None:
    """The mean of the whole image, or of its rows, taken away from it."""
    source = b.pick(flat)
    width, height = _inside(b, source)
    b.affords(source.extents, 8)
    whole = b.random.random() < 0.5
    value = as_float(source.at(X, Y))
    func = b.func("mean")
    if whole:
        r = b.rdom((0, width), (0, height))
        func[()] = 0.0
        func[()] += as_float(source.at(r[0], r[1])).expr * single(1.0 / (width * height))
        mean = func[()]
    else:
        r = b.rdom((0, width))
        func[Y] = 0.0
        func[Y] += as_float(source.at(r[0], Y)).expr * single(1.0 / width)
        mean = func[Y]
    b.define("centred", (X, Y), RandomValue((value.expr - mean) * 0.5, "f32", -1.0, 1.0), source.extents)


D = hl.Var("d")


def _domain(b: PipelineBuilder, source: Layer) -> hl.RDom:
    return b.rdom((0, source.extents[0]), (0, source.extents[1]))


def _share(source: Layer) -> float:
    """The share of a point in the sum of the whole image."""
    return single(1.0 / (source.extents[0] * source.extents[1]))


def extremes_stage(b: PipelineBuilder) -> None:
    """The image stretched between its smallest and its largest value."""
    source = b.pick(flat)
    b.affords(source.extents, 12)
    low: Any
    high: Any
    together = b.random.random() < 0.4
    r = _domain(b, source)
    value = as_float(source.at(r[0], r[1])).expr
    if together:
        both = b.func("extremes")
        both[()] = hl.Tuple([1.0, -1.0])
        both[()] = hl.Tuple([hl.min(both[()][0], value), hl.max(both[()][1], value)])
        low, high = both[()][0], both[()][1]
    else:
        least, most = b.func("least"), b.func("most")
        least[()] = 1.0
        least[()] = hl.min(least[()], value)
        most[()] = -1.0
        most[()] = hl.max(most[()], value)
        low, high = least[()], most[()]
    stretched = (as_float(source.at(X, Y)).expr - low) / (high - low + 1.0)
    b.define("stretched", (X, Y), RandomValue(stretched, "f32", -2.0, 2.0), source.extents)


def projection_stage(b: PipelineBuilder) -> None:
    """The mean of every column, taken away from it."""
    source = b.pick(flat)
    b.affords(source.extents, 8)
    height = source.extents[1]
    means = b.func("columns")
    r = b.rdom((0, height))
    means[X] = 0.0
    means[X] += as_float(source.at(X, r[0])).expr * single(1.0 / height)
    value = (as_float(source.at(X, Y)).expr - means[X]) * 0.5
    b.define("levelled", (X, Y), RandomValue(value, "f32", -1.0, 1.0), source.extents)


def moments_stage(b: PipelineBuilder) -> None:
    """How channels vary together, and the image multiplied by that matrix."""
    source = b.pick(lambda layer: layer.dimensions == 3 and layer.extents[2] <= 4)
    channels = source.extents[2]
    b.affords(source.extents, 6 * channels)
    r = _domain(b, source)
    moments = b.func("moments")
    moments[C, D] = 0.0
    first, second = [as_float(source.at(r[0], r[1], channel)).expr for channel in (C, D)]
    moments[C, D] += first * second * _share(source)
    terms = [moments[C, k] * as_float(source.at(X, Y, k)).expr for k in range(channels)]
    value = reduce(operator.add, terms) * single(1.0 / channels)
    b.define("mixed", (X, Y, C), RandomValue(value, "f32", -1.0, 1.0), source.extents)


def correlation_stage(b: PipelineBuilder) -> None:
    """How an image varies with another one that is shifted, and that as a filter: a step of learning one."""
    source = b.pick(flat)
    other = b.pick(lambda layer: layer.extents == source.extents)
    taps = b.random.choice([1, 3, 3, 5])
    b.affords(source.extents, 6 * taps * taps)
    r = _domain(b, source)
    weights = b.func("correlation")
    weights[C, D] = 0.0
    near = as_float(source.at(r[0] + C - taps // 2, r[1] + D - taps // 2)).expr
    weights[C, D] += near * as_float(other.at(r[0], r[1])).expr * _share(source)
    places = [(i, j) for j in range(taps) for i in range(taps)]
    terms = [as_float(source.at(X + i - taps // 2, Y + j - taps // 2)).expr * weights[i, j] for i, j in places]
    value = reduce(operator.add, terms) * single(1.0 / taps**2)
    b.define("filtered", (X, Y), RandomValue(value, "f32", -1.0, 1.0), source.extents)


def class_means_stage(b: PipelineBuilder) -> None:
    """The sums and numbers of the values of each class, and for each point the mean of its class."""
    source = b.pick(lambda layer: flat(layer) and layer.type in ("u8", "f32"))
    other = b.pick(lambda layer: layer.extents == source.extents)
    classes = b.random.choice([4, 16, 64])
    b.affords(source.extents, 16)
    r = _domain(b, source)

    def class_at(x: Any, y: Any) -> Any:
        level = hl.i32((as_float(source.at(x, y)).expr + 1.0) * (classes / 2))
        return hl.clamp(level, 0, classes - 1)

    sums = b.func("classes")
    sums[C] = hl.Tuple([0.0, 1.0])
    index = class_at(r[0], r[1])
    sums[index] = hl.Tuple([sums[index][0] + as_float(other.at(r[0], r[1])).expr, sums[index][1] + 1.0])
    own = sums[class_at(X, Y)]
    b.define("class_mean", (X, Y), RandomValue(own[0] / own[1], "f32", -1.0, 1.0), source.extents)
