"""Stages whose layers are smaller or larger than what they read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.builder import PipelineBuilder, Unsuitable, X, Y, replaced, spatial, variables
from pipec.autoschedule.random_pipelines.expressions import combined
from pipec.autoschedule.random_pipelines.layer import Layer, RandomValue, as_float, shifted_into, single, weighted_sum
from pipec.autoschedule.random_pipelines.pointwise import stored


def pooling_stage(b: PipelineBuilder) -> None:
    """The largest, the smallest or the mean of each square."""
    source = b.pick(spatial)
    r, args = b.random, variables(source)
    step = r.choice([2, 2, 3, 4])
    extents = (*[extent // step for extent in source.extents[:2]], *source.extents[2:])
    b.affords(extents, step * step)
    word = r.choice(["max", "min", "mean"])
    low, high = source.low, source.high
    if word == "mean":
        places = [(i, j) for j in range(step) for i in range(step)]
        weights = [1 / step**2 if source.type == "f32" else 1.0] * step**2
        total = weighted_sum([source.at(step * X + i, step * Y + j, *args[2:]) for i, j in places], weights)
        value = stored(b, total)
    else:
        window = b.rdom((0, step), (0, step))
        inside = source.at(step * X + window[0], step * Y + window[1], *args[2:])
        value = RandomValue((hl.maximum if word == "max" else hl.minimum)(window, inside.expr), source.type, low, high)
    b.define("pooled", args, value, extents)


def downsample_stage(b: PipelineBuilder) -> None:
    """Half or a third of the size, along one dimension or both."""
    source = b.pick(spatial)
    step = b.random.choice([2, 2, 3])
    smaller = [extent // step for extent in source.extents[:2]]
    b.affords((*smaller, *source.extents[2:]), 6)
    b.affords((smaller[0], *source.extents[1:]), 6)
    halved(b, source, step, b.random.choice([[1], [1, 1], [1, 2, 1], [1, 3, 3, 1]]))


def halved(b: PipelineBuilder, source: Layer, step: int, taps: Sequence[int]) -> Layer:
    """Smaller by `step` along both dimensions, with a filter along each; in one stage or in two."""
    if len(taps) == 1 or b.random.random() < 0.25:
        args = variables(source)
        extents = (*[extent // step for extent in source.extents[:2]], *source.extents[2:])
        places = [(i, j) for j in range(len(taps)) for i in range(len(taps))]
        weights: list[float] = [taps[i] * taps[j] for i, j in places]
        return b.define("smaller", args, _filtered(source, places, weights, args, (step, step)), extents)
    for dimension in (0, 1):
        args = variables(source)
        steps = (step, 1) if dimension == 0 else (1, step)
        places = [(k, 0) if dimension == 0 else (0, k) for k in range(len(taps))]
        value = _filtered(source, places, [float(tap) for tap in taps], args, steps)
        extents = tuple([e // step if d == dimension else e for d, e in enumerate(source.extents)])
        if dimension == 0:
            b.affords(extents, 6)
        source = b.define("smaller_x" if dimension == 0 else "smaller_y", args, value, extents)
        b.read(source)
    b.unread.append(source)
    return source


def _filtered(
    source: Layer,
    places: Sequence[tuple[int, int]],
    weights: Sequence[float],
    args: Sequence[Any],
    steps: Sequence[int],
) -> RandomValue:
    values = [source.at(steps[0] * X + i, steps[1] * Y + j, *args[2:]) for i, j in places]
    if source.type == "f32":
        total = sum(weights)
        return weighted_sum(values, [weight / total for weight in weights])
    return shifted_into(weighted_sum(values, weights), source.type)


def upsample_stage(b: PipelineBuilder) -> None:
    """Twice or three times the size, by repeating or by linear interpolation."""
    source = b.pick(spatial)
    step = b.random.choice([2, 2, 3, 4])
    extents = (*[extent * step for extent in source.extents[:2]], *source.extents[2:])
    b.affords(extents, 8)
    if b.random.random() < 0.4:
        args = variables(source)
        b.define("repeated", args, source.at(X / step, Y / step, *args[2:]), extents)
    else:
        doubled(b, source, step)


def doubled(b: PipelineBuilder, source: Layer, step: int) -> Layer:
    """Larger by `step` along both dimensions, linear between the points: in one stage or in two."""
    separate = b.random.random() < 0.6
    for dimensions in ([0], [1]) if separate else ([0, 1],):
        args = variables(source)
        value = _between(source, args, dimensions, step)
        extents = tuple([e * step if d in dimensions else e for d, e in enumerate(source.extents)])
        source = b.define("larger", args, value, extents)
        b.read(source)
    b.unread.append(source)
    return source


def _between(source: Layer, args: Sequence[Any], dimensions: Sequence[int], step: int) -> RandomValue:
    """The mean of the two or four points around, weighted by how near they are."""
    if not dimensions:
        return source.at(*args)
    dimension, *rest = dimensions
    var = args[dimension]
    first = _between(source, replaced(args, dimension, var / step), rest, step)
    second = _between(source, replaced(args, dimension, var / step + 1), rest, step)
    part = var % step
    if source.type == "f32":
        expr = first.expr + (second.expr - first.expr) * (hl.f32(part) * single(1.0 / step))
        return RandomValue(expr, "f32", source.low, source.high)
    mean = (hl.i32(first.expr) * (step - part) + hl.i32(second.expr) * part) / step
    return shifted_into(RandomValue(mean, "i32", source.low, source.high), source.type)


def pyramid_stage(b: PipelineBuilder) -> None:
    """Down several times and up again, with what the levels hold mixed in."""
    source = b.pick(lambda layer: spatial(layer) and layer.type in ("f32", "u8", "u16"))
    r = b.random
    depth = r.choice([2, 2, 3, 4])
    if min(source.extents[:2]) * b.shrink >> depth < 16 or b.stages + 2 * depth > b.max_stages:
        raise Unsuitable
    b.affords(source.extents, 24)
    taps = r.choice([[1, 1], [1, 2, 1], [1, 3, 3, 1]])
    levels = [source]
    for _ in range(depth):
        levels.append(halved(b, levels[-1], 2, taps))
    layer = b.read(levels[-1])
    for level in levels[-2::-1]:
        larger = b.read(doubled(b, layer, 2))
        b.read(level)
        args = variables(level)
        value = combined(r, level.at(*args), larger.at(*args))
        layer = b.read(b.define("level", args, shifted_into(value, level.type), level.extents))
    b.unread.append(layer)


def resize_stage(b: PipelineBuilder) -> None:
    """Any ratio, by weights that another Func computes: first along one dimension, then along the other."""
    source = b.pick(spatial)
    r = b.random
    support = r.choice([2, 4, 6])
    targets = [max(8, round(extent * r.uniform(0.4, 1.8))) for extent in source.extents[:2]]
    b.affords((*targets, *source.extents[2:]), 2 * support)
    b.affords((targets[0], *source.extents[1:]), 2 * support)
    for dimension in r.sample([0, 1], 2):
        source = b.read(_resized(b, source, dimension, targets[dimension], support))
    b.unread.append(source)


def _resized(b: PipelineBuilder, source: Layer, dimension: int, target: int, support: int) -> Layer:
    args = variables(source)
    k = hl.Var("k")
    var = (X, Y)[dimension]
    ratio = source.extents[dimension] / target
    middle = (hl.f32(var) + 0.5) * single(ratio) - 0.5
    first = hl.i32(hl.floor(middle)) - (support // 2 - 1)
    distance = hl.f32(k) + hl.f32(first) - middle
    raw, weights = b.func("nearness"), b.func("weights")
    angle = distance * single(math.pi / support)
    raw[k, var] = hl.max(1.0 - angle * angle, 0.0) * hl.max(1.0 - hl.abs(distance) * single(2.0 / support), 0.0)
    taps = b.rdom((0, support))
    weights[k, var] = raw[k, var] / hl.max(hl.sum(taps, raw[taps[0], var]), single(1e-3))
    value = as_float(source.at(*replaced(args, dimension, hl.clamp(first + taps[0], 0, source.extents[dimension] - 1))))
    extents = tuple([target if d == dimension else e for d, e in enumerate(source.extents)])
    total = hl.sum(taps, value.expr * weights[taps[0], var])
    return b.define("resized", args, RandomValue(total, "f32", value.low, value.high), extents)
