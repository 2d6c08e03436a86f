"""Stages whose points depend on one point of each layer they read, at its own place or one that data decide."""

from __future__ import annotations

from typing import Any

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.builder import C, PipelineBuilder, Unsuitable, X, Y, flat, spatial, variables
from pipec.autoschedule.random_pipelines.expressions import activation, combined, unary
from pipec.autoschedule.random_pipelines.layer import (
    TYPES,
    Layer,
    RandomValue,
    as_float,
    saturated_into,
    shifted_into,
    single,
    weighted_sum,
)


def stored(b: PipelineBuilder, value: RandomValue) -> RandomValue:
    """The value in a type that an image might have: narrow integers mostly."""
    if value.floating:
        return value
    type = b.random.choice(["u8", "u8", "u16", "i16", "i32"])
    if type == "i32" and value.largest > 1 << 22:
        type = "u16"
    return (saturated_into if b.random.random() < 0.4 else shifted_into)(value, type)


def unary_stage(b: PipelineBuilder) -> None:
    """A function of one value."""
    source = b.pick(spatial)
    b.affords(source.extents, 8)
    args = variables(source)
    b.define("unary", args, unary(b.random, source.at(*args)), source.extents)


def activation_stage(b: PipelineBuilder) -> None:
    """What follows a layer of a neural network."""
    source = b.pick(lambda layer: spatial(layer) and layer.type == "f32")
    b.affords(source.extents, 8)
    args = variables(source)
    b.define("activation", args, activation(b.random, source.at(*args)), source.extents)


def binary_stage(b: PipelineBuilder) -> None:
    """Two layers made one; the smaller is stretched, or the larger thinned out, to the size of the first."""
    first = b.pick(spatial)
    second = b.pick(lambda layer: spatial(layer) and layer is not first)
    b.affords(first.extents, 4)
    joined(b, first, second)


def joined(b: PipelineBuilder, first: Layer, second: Layer) -> Layer:
    """The two layers in one of the size of the first."""
    args = variables(first)
    value = combined(b.random, first.at(*args), matched(first, second))
    return b.define("binary", args, stored(b, value), first.extents)


def matched(first: Layer, second: Layer) -> RandomValue:
    """The value of the second layer where the first is at its Vars."""
    places: list[Any] = []
    for var, own, other in zip((X, Y), first.extents, second.extents, strict=False):
        if other >= 2 * own:
            places.append(var * (other // own))
        elif own >= 2 * other:
            places.append(var / (own // other))
        else:
            places.append(var)
    if second.dimensions == 3:
        fits = first.dimensions == 3 and first.extents[2] <= second.extents[2]
        places.append(C if fits else 0)
    return second.at(*places)


def fixed_point_stage(b: PipelineBuilder) -> None:
    """Gains, offsets and shifts in 16 or 32 bits, cut off at the ends of the range."""
    source = b.pick(lambda layer: spatial(layer) and layer.type in ("u8", "u16", "i16"))
    b.affords(source.extents, 6)
    r, args = b.random, variables(source)
    value = source.at(*args)
    gain, shift = r.randint(3, 255), r.randint(2, 7)
    product = hl.i32(value.expr) * gain + (1 << (shift - 1))
    low, high = [int(end * gain + (1 << (shift - 1))) >> shift for end in (value.low, value.high)]
    offset = r.choice([0, 0, 16, -16])
    scaled = RandomValue((product >> shift) + offset, "i32", low + offset, high + offset)
    b.define("fixed", args, saturated_into(scaled, r.choice(["u8", "u8", "u16", "i16"])), source.extents)


def colour_matrix_stage(b: PipelineBuilder) -> None:
    """Every channel a weighted sum of all channels, written out."""
    source = b.pick(lambda layer: layer.dimensions == 3 and layer.extents[2] in (3, 4))
    channels = source.extents[2]
    b.affords(source.extents, 3 * channels)
    r = b.random
    rows = []
    for _ in range(channels):
        weights: list[float] = [float(r.randint(-3, 12)) for _ in range(channels)]
        if source.type == "f32":
            weights = [w / (12 * channels) for w in weights]
        rows.append(weighted_sum([source.at(X, Y, k) for k in range(channels)], weights))
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    types = {row.type for row in rows}
    if len(types) > 1:
        rows = [RandomValue(hl.i32(row.expr), "i32", row.low, row.high) for row in rows]
    mixed = RandomValue(hl.mux(C, [row.expr for row in rows]), rows[0].type, low, high)
    b.define("colours", (X, Y, C), shifted_into(mixed, "u8" if source.type == "u8" else "i16"), source.extents)


def luminance_stage(b: PipelineBuilder) -> None:
    """All channels in one."""
    source = b.pick(lambda layer: layer.dimensions == 3 and layer.extents[2] in (3, 4))
    extents = source.extents[:2]
    b.affords(extents, 6)
    weights: list[float] = [77.0, 150.0, 29.0, 10.0][: source.extents[2]]
    if source.type == "f32":
        weights = [w / 266 for w in weights]
    total = weighted_sum([source.at(X, Y, k) for k in range(len(weights))], weights)
    b.define("luminance", (X, Y), shifted_into(total, "u8" if source.type == "u8" else "i16"), extents)


def channel_stage(b: PipelineBuilder) -> None:
    """One channel by itself, or layers put side by side as channels."""
    r = b.random
    deep = [layer for layer in b.layers if layer.dimensions == 3]
    if deep and r.random() < 0.5:
        source = b.pick(lambda layer: layer.dimensions == 3)
        b.affords(source.extents[:2], 1)
        b.define("channel", (X, Y), source.at(X, Y, r.randrange(source.extents[2])), source.extents[:2])
        return
    source = b.pick(lambda layer: layer.dimensions == 2)
    others = [layer for layer in b.layers if layer.dimensions == 2 and layer is not source]
    if not others:
        raise Unsuitable
    parts = [source, *[b.read(layer) for layer in r.sample(others, min(2, len(others)))]]
    extents = (*source.extents, len(parts))
    b.affords(extents, 4)
    values = [as_float(source.at(X, Y)), *[as_float(matched(source, part)) for part in parts[1:]]]
    low = min(value.low for value in values)
    b.define("planes", (X, Y, C), RandomValue(hl.mux(C, [v.expr for v in values]), "f32", low, 1.0), extents)


def tuple_stage(b: PipelineBuilder) -> None:
    """A Tuple Func, and a stage that combines its elements to one value."""
    first = b.pick(spatial)
    second = b.pick(lambda layer: spatial(layer) and layer is not first)
    b.affords(first.extents, 8)
    args, r = variables(first), b.random
    values = [combined(r, first.at(*args), matched(first, second)) for _ in range(r.choice([2, 2, 3]))]
    func = b.func("several")
    func[tuple(args)] = hl.Tuple([value.expr for value in values])
    shift = r.choice([0, 1, 2])
    near = [X + shift, *args[1:]]
    parts = []
    for k, value in enumerate(values):
        place = near if k else args
        parts.append(RandomValue(func[tuple(place)][k], value.type, value.low, value.high))
    one = combined(r, parts[0], parts[1])
    for part in parts[2:]:
        one = combined(r, one, part)
    b.define("one_of_several", args, stored(b, one), first.extents)


I = hl.Var("i")  # noqa: E741


def table_stage(b: PipelineBuilder) -> None:
    """Each value looked up in a table, which comes with the pipeline or is computed."""
    source = b.pick(lambda layer: spatial(layer) and layer.type in ("u8", "u16") and layer.low >= 0)
    b.affords(source.extents, 4)
    r, args = b.random, variables(source)
    # Tables of more than 256 values are indexed by the high bits.
    size = 256 if source.high <= 255 else 1024
    shift = max(0, int(source.high).bit_length() - (size - 1).bit_length())
    place = hl.clamp(hl.i32(source.at(*args).expr >> shift), 0, size - 1)
    if r.random() < 0.5:
        kind = r.choice(["u8", "u16"])
        values = b.generator().integers(0, int(_high(kind)) + 1, size).astype(TYPES[kind].numpy())
        b.define("looked_up", args, RandomValue(b.table(values)[place], kind, 0, _high(kind)), source.extents)
        return
    curve = b.func("curve")
    curve[I] = hl.pow(hl.f32(hl.clamp(I, 0, size - 1)) * (1.0 / size), single(r.choice([0.45, 0.8, 2.2])))
    b.define("looked_up", args, RandomValue(curve[place], "f32", 0.0, 1.0), source.extents)


def _high(kind: str) -> float:
    return 255 if kind == "u8" else 65535


def gather_stage(b: PipelineBuilder) -> None:
    """Each point read at a distance that another layer gives, or that the coordinates give, as lenses do."""
    source = b.pick(spatial)
    guide = b.pick(lambda layer: flat(layer) and layer is not source and layer.type != "f32")
    b.affords(source.extents, 12)
    r, args = b.random, variables(source)
    width, height = source.extents[:2]
    if r.random() < 0.6:
        step = hl.i32(matched(source, guide).expr) % r.choice([4, 8, 16])
        x, y = X + step, Y + (step / 2 if r.random() < 0.5 else 0)
    else:
        dx, dy = hl.i32(X) - width // 2, hl.i32(Y) - height // 2
        bent = (dx * dx + dy * dy) / max(64, (width * height) >> 3)
        x, y = X + bent, Y - bent
        b.read(guide)
    place = (hl.clamp(x, 0, width - 1), hl.clamp(y, 0, height - 1), *args[2:])
    b.define("gathered", args, source.at(*place), source.extents)


def slice_stage(b: PipelineBuilder) -> None:
    """A channel for each point, chosen by another layer."""
    source = b.pick(lambda layer: layer.dimensions == 3 and layer.extents[2] > 2)
    guide = b.pick(lambda layer: flat(layer) and layer.type != "f32" and layer.low >= 0)
    extents = source.extents[:2]
    b.affords(extents, 6)
    channel = hl.clamp(hl.i32(matched(source, guide).expr) % source.extents[2], 0, source.extents[2] - 1)
    b.define("chosen", (X, Y), source.at(X, Y, channel), extents)


def border_stage(b: PipelineBuilder) -> None:
    """A layer continued beyond its edges in one of five ways, and cut or shifted."""
    source = b.pick(spatial)
    b.affords(source.extents, 2)
    r, args = b.random, variables(source)
    bounds = [(0, extent) for extent in source.extents[:2]]
    word = r.choice(
        ["repeat_edge", "repeat_edge", "mirror_image", "mirror_interior", "repeat_image", "constant_exterior"]
    )
    free = [(hl.Expr(), hl.Expr())] * (source.dimensions - 2)
    condition = getattr(hl.BoundaryConditions, word)
    b.stages += 1
    if word == "constant_exterior":
        func = condition(source.func, hl.cast(TYPES[source.type], max(0, int(source.low))), [*bounds, *free])
    else:
        func = condition(source.func, [*bounds, *free])
    layer = Layer(func, source.type, source.extents, min(source.low, 0), source.high)
    shift = r.randint(1, 9)
    b.define("shifted", args, layer.at(X - shift, Y + shift, *args[2:]), source.extents)
    b.layers.append(layer)


def quantize_stage(b: PipelineBuilder) -> None:
    """Floats to bytes."""
    source = b.pick(lambda layer: spatial(layer) and layer.type == "f32")
    b.affords(source.extents, 4)
    args = variables(source)
    value = as_float(source.at(*args))
    scaled = value.expr * 255.0 if value.low >= 0 else value.expr * 127.5 + 127.5
    b.define("bytes", args, RandomValue(hl.saturating_cast(TYPES["u8"], scaled + 0.5), "u8", 0, 255), source.extents)
