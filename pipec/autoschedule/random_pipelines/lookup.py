"""Stages that read at places which the data, or tables, decide."""

from __future__ import annotations

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.builder import PipelineBuilder, X, Y, flat, spatial, variables
from pipec.autoschedule.random_pipelines.layer import TYPES, Layer, RandomValue, as_float, single
from pipec.autoschedule.random_pipelines.pointwise import matched

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
