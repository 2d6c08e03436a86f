"""Sums over whole images into few values, and images changed by these: what rfactor is for. Since version 2."""

from __future__ import annotations

from typing import Any

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.builder import C, PipelineBuilder, X, Y, flat
from pipec.autoschedule.random_pipelines.layer import Layer, RandomValue, as_float, single

D = hl.Var("d")


def _domain(b: PipelineBuilder, source: Layer) -> hl.RDom:
    return b.rdom((0, source.extents[0]), (0, source.extents[1]))


def _share(source: Layer) -> float:
    """What a point is of the whole image."""
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
    value = _total(terms) * single(1.0 / channels)
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
    value = _total(terms) * single(1.0 / taps**2)
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


def _total(terms: list[Any]) -> Any:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
