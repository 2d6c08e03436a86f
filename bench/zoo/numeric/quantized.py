"""Layers of networks in 8 bits: zero points, sums in 32 bits, requantised with rounding shifts."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.numeric.layers import reduced
from bench.zoo.pieces import Stages, pictures

ZERO_IN, ZERO_OUT = 121, 9  # what stands for zero in inputs and outputs
LOW_MULTIPLIER, SHIFT = 1 << 30, 9


def bytes_and_weights(hl: ModuleType, **dimensions: int) -> dict[str, Any]:
    """ImageParams by name: `source` of unsigned bytes, biases and multipliers of 32 bits, others of signed bytes."""

    def kind(name: str) -> Any:
        if name == "source":
            return hl.UInt(8)
        return hl.Int(32) if name.endswith(("bias", "multiplier")) else hl.Int(8)

    return {name: hl.ImageParam(kind(name), count, name) for name, count in dimensions.items()}


def requantised(hl: ModuleType, total: Any, multiplier: Any, least: int = 0) -> Any:
    """A sum as an unsigned byte: times `multiplier` / 2^31, shifted right by SHIFT, both rounded, and moved."""
    scaled = hl.rounding_mul_shift_right(total, multiplier, 31)
    return hl.u8(hl.clamp(hl.rounding_shift_right(scaled, SHIFT) + ZERO_OUT, least, 255))


def centred(hl: ModuleType, value: Any) -> Any:
    return hl.i32(hl.i16(value) - ZERO_IN)


def framed(hl: ModuleType, source: Any, width: Any, height: Any, zero: int) -> Any:
    """The zero point around an image (channel, x, y)."""
    bounds = [(hl.Expr(), hl.Expr()), (0, width), (0, height)]
    return hl.BoundaryConditions.constant_exterior(source, hl.u8(zero), bounds)


def np_requantised(total: Array, multiplier: Any, least: int = 0) -> Array:
    scaled = (total.astype(np.int64) * multiplier + (1 << 30)) >> 31
    return np.clip(((scaled + (1 << SHIFT - 1)) >> SHIFT) + ZERO_OUT, least, 255).astype(np.uint8)


def np_dot(left: Array, right: Array) -> Array:
    """A product of matrices of small integers, exact in double precision."""
    return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)


def np_windows(image: Array, zero: int) -> Array:
    """All 3 x 3 windows of (y, x, channel), as (y, x, channel, dy, dx), less the zero point."""
    wide = np.pad(image.astype(np.int64) - zero, ((1, 1), (1, 1), (0, 0)))
    return np.lib.stride_tricks.sliding_window_view(wide, (3, 3), axis=(0, 1))


def weights(shape: tuple[int, ...], seed: int) -> Array:
    return np.random.default_rng(seed).integers(-127, 128, shape, np.int8)


def biases(count: int, seed: int) -> Array:
    return np.random.default_rng(seed).integers(-4000, 4001, count, np.int32)


def multipliers(count: int, seed: int) -> Array:
    return np.random.default_rng(seed).integers(LOW_MULTIPLIER, 2 * LOW_MULTIPLIER, count, np.int32)


CHANNELS = 32


def build_qconv(hl: ModuleType) -> Algorithm:
    """3 x 3 filters over (channel, x, y); a multiplier for each output channel."""
    images = bytes_and_weights(hl, source=3, filters=4, bias=1, multiplier=1)
    stages, args = Stages(hl), hl.vars("c x y")
    c, x, y = args
    source = images["source"]
    bounded = framed(hl, source, source.dim(1).extent(), source.dim(2).extent(), ZERO_IN)
    r = hl.RDom([(0, CHANNELS), (0, 3), (0, 3)], "r")
    term = centred(hl, bounded[r.x, x + r.y - 1, y + r.z - 1]) * hl.i32(images["filters"][c, r.x, r.y, r.z])
    total = reduced(stages, "total", args, images["bias"][c], term)
    value = requantised(hl, total[args], images["multiplier"][c], ZERO_OUT)
    return Algorithm(stages.define("quantised", args, value), images, stages=stages)


def qconv_inputs(size: Sizes) -> dict[str, Array]:
    channels, width, height = size
    return {
        "source": noise((height, width, CHANNELS), np.uint8, 0, 255),
        "filters": weights((3, 3, CHANNELS, channels), 1),
        "bias": biases(channels, 2),
        "multiplier": multipliers(channels, 3),
    }


def qconv(images: Mapping[str, Array]) -> Array:
    windows = np_windows(images["source"], ZERO_IN)
    filters = images["filters"].transpose(2, 0, 1, 3)
    total = np_dot(windows.reshape(*windows.shape[:2], -1), filters.reshape(-1, filters.shape[-1]))
    return np_requantised(total + images["bias"], images["multiplier"], ZERO_OUT)


def build_qdepthwise(hl: ModuleType) -> Algorithm:
    """A 3 x 3 filter for each channel, at every second place."""
    images = bytes_and_weights(hl, source=3, filters=3, bias=1, multiplier=1)
    stages, args = Stages(hl), hl.vars("c x y")
    c, x, y = args
    source = images["source"]
    bounded = framed(hl, source, source.dim(1).extent(), source.dim(2).extent(), ZERO_IN)
    r = hl.RDom([(0, 3), (0, 3)], "r")
    term = centred(hl, bounded[c, 2 * x + r.x - 1, 2 * y + r.y - 1]) * hl.i32(images["filters"][c, r.x, r.y])
    total = reduced(stages, "total", args, images["bias"][c], term)
    value = requantised(hl, total[args], images["multiplier"][c], ZERO_OUT)
    return Algorithm(stages.define("quantised", args, value), images, stages=stages)


def qdepthwise_inputs(size: Sizes) -> dict[str, Array]:
    channels, width, height = size
    return {
        "source": noise((2 * height, 2 * width, channels), np.uint8, 0, 255),
        "filters": weights((3, 3, channels), 1),
        "bias": biases(channels, 2),
        "multiplier": multipliers(channels, 3),
    }


def qdepthwise(images: Mapping[str, Array]) -> Array:
    windows = np_windows(images["source"], ZERO_IN)[::2, ::2]
    total = np.einsum("yxcji,jic->yxc", windows, images["filters"].astype(np.int64))
    return np_requantised(total + images["bias"], images["multiplier"], ZERO_OUT)


DEPTH, ZERO_WEIGHT = 512, 3


def build_qgemm(hl: ModuleType) -> Algorithm:
    """Bytes as they are in the product; sums of rows and columns correct for the zero points afterwards."""
    images = bytes_and_weights(hl, source=2, weight=2, bias=1, multiplier=1)
    source, weight = images["source"], images["weight"]
    stages, (o, n) = Stages(hl), hl.vars("o n")
    r, s, t = (hl.RDom([(0, DEPTH)], name) for name in "rst")
    rows = reduced(stages, "rows", (n,), 0, hl.i32(source[s, n]))
    columns = reduced(stages, "columns", (o,), images["bias"][o], hl.i32(weight[o, t]) * -ZERO_IN)
    product = reduced(stages, "product", (o, n), 0, hl.i32(source[r, n]) * hl.i32(weight[o, r]))
    total = product[o, n] + columns[o] + DEPTH * ZERO_IN * ZERO_WEIGHT - rows[n] * ZERO_WEIGHT
    value = requantised(hl, total, images["multiplier"][o])
    return Algorithm(stages.define("quantised", (o, n), value), images, stages=stages)


def qgemm_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Blocks of 6 rows by 4 vectors of sums stay in registers over the whole product."""
    output, stages = algorithm.output, algorithm.stages
    o, n = output.args()
    oi, ni = hl.vars("oi ni")
    lanes = hl.get_host_target().natural_vector_size(hl.Int(32))
    output.tile(o, n, oi, ni, 4 * lanes, 6).reorder(oi, ni, n, o).vectorize(oi, 4 * lanes).unroll(ni).parallel(o)
    product = stages["product"].compute_at(output, n).vectorize(o, lanes).unroll(o).unroll(n)
    product.update().reorder(o, n, product.rvars(0)[0]).vectorize(o, lanes).unroll(o).unroll(n)
    columns = stages["columns"].compute_root().vectorize(o, lanes)
    columns.update().reorder(o, columns.rvars(0)[0]).vectorize(o, lanes, hl.TailStrategy.GuardWithIf)
    rows = stages["rows"].compute_root()
    rows.update().atomic().vectorize(rows.rvars(0)[0], 2 * lanes).parallel(n)


def qgemm_inputs(size: Sizes) -> dict[str, Array]:
    columns, rows = size
    return {
        "source": noise((rows, DEPTH), np.uint8, 0, 255),
        "weight": weights((DEPTH, columns), 1),
        "bias": biases(columns, 2),
        "multiplier": multipliers(columns, 3),
    }


def qgemm(images: Mapping[str, Array]) -> Array:
    centred = images["source"].astype(np.int64) - ZERO_IN
    total = np_dot(centred, images["weight"].astype(np.int64) - ZERO_WEIGHT)
    return np_requantised(total + images["bias"], images["multiplier"])


def build_qpool(hl: ModuleType) -> Algorithm:
    """Means of 3 x 3 bytes at every second place, rounded; those outside of the image don't count."""
    source = hl.ImageParam(hl.UInt(8), 3, "source")
    stages, (c, x, y) = Stages(hl), hl.vars("c x y")
    width, height = source.dim(1).extent(), source.dim(2).extent()
    bounded = framed(hl, source, width, height, 0)
    r = hl.RDom([(0, 3), (0, 3)], "r")
    total = reduced(stages, "total", (c, x, y), hl.u16(0), hl.u16(bounded[c, 2 * x + r.x - 1, 2 * y + r.y - 1]))

    def present(at: Any, extent: Any) -> Any:
        return hl.min(2 * at + 2, extent) - hl.max(2 * at - 1, 0)

    count = stages.define("count", (x, y), hl.u16(present(x, width) * present(y, height)))
    mean = (total[c, x, y] + count[x, y] // 2) // count[x, y]
    return Algorithm(stages.define("pooled", (c, x, y), hl.u8(mean)), {"source": source}, stages=stages)


def qpool_inputs(size: Sizes) -> dict[str, Array]:
    channels, width, height = size
    return {"source": noise((2 * height, 2 * width, channels), np.uint8, 0, 255)}


def qpool(images: Mapping[str, Array]) -> Array:
    total = np_windows(images["source"], 0)[::2, ::2].sum(axis=(3, 4))
    count = np_windows(np.ones_like(images["source"]), 0)[::2, ::2].sum(axis=(3, 4))
    return ((total + count // 2) // count).astype(np.uint8)


FIRST, SECOND, RESULT = (1518500250, 12), (1073741824, 11), (1717986918, 9)  # multipliers and shifts of an addition
ZERO_SECOND = 133


def build_qadd(hl: ModuleType) -> Algorithm:
    """The sum of two images of different scales: both in 20 more bits, to a common scale, added, requantised."""
    images = {name: hl.ImageParam(hl.UInt(8), 3, name) for name in ("first", "second")}
    stages, args = Stages(hl), hl.vars("x y c")

    def rescaled(value: Any, scale: tuple[int, int]) -> Any:
        return hl.rounding_shift_right(hl.rounding_mul_shift_right(value, scale[0], 31), scale[1])

    def wide(name: str, zero: int, scale: tuple[int, int]) -> Any:
        value = (hl.i32(images[name][args]) - zero) << 20
        return stages.define(f"wide_{name}", args, rescaled(value, scale))

    first, second = wide("first", ZERO_IN, FIRST), wide("second", ZERO_SECOND, SECOND)
    value = rescaled(first[args] + second[args], RESULT) + ZERO_OUT
    return Algorithm(stages.define("added", args, hl.u8_sat(value)), images, stages=stages)


def qadd(images: Mapping[str, Array]) -> Array:
    def rescaled(value: Array, scale: tuple[int, int]) -> Array:
        high = (value * scale[0] + (1 << 30)) >> 31
        return (high + (1 << scale[1] - 1)) >> scale[1]

    first = rescaled((images["first"].astype(np.int64) - ZERO_IN) << 20, FIRST)
    second = rescaled((images["second"].astype(np.int64) - ZERO_SECOND) << 20, SECOND)
    return np.clip(rescaled(first + second, RESULT) + ZERO_OUT, 0, 255).astype(np.uint8)


def build_qsoftmax(hl: ModuleType) -> Algorithm:
    """Of every row: exponentials from a table by the distance to the largest byte, over their sum."""
    source, table = hl.ImageParam(hl.UInt(8), 2, "source"), hl.ImageParam(hl.UInt(16), 1, "table")
    stages, (k, n) = Stages(hl), hl.vars("k n")
    width = source.width()
    r, s = hl.RDom([(0, width)], "r"), hl.RDom([(0, width)], "s")
    most = reduced(stages, "most", (n,), hl.u8(0), source[r, n], hl.max)
    power = stages.define("power", (k, n), table[most[n] - source[k, n]])
    total = reduced(stages, "total", (n,), hl.u32(0), hl.u32(power[s, n]))
    inverse = stages.define("inverse", (n,), (hl.u32(1) << 31) // total[n])
    share = (hl.u64(power[k, n]) * inverse[n] + (1 << 22)) >> 23
    return Algorithm(
        stages.define("share", (k, n), hl.u8(hl.min(share, 255))), {"source": source, "table": table}, stages=stages
    )


def qsoftmax_inputs(size: Sizes) -> dict[str, Array]:
    table = np.rint(32767 * np.exp(-np.arange(256) / 12)).astype(np.uint16)
    return {"source": noise(size[::-1], np.uint8, 0, 255), "table": table}


def qsoftmax(images: Mapping[str, Array]) -> Array:
    source = images["source"].astype(int)
    power = images["table"][source.max(axis=1, keepdims=True) - source].astype(np.int64)
    inverse = (1 << 31) // power.sum(axis=1, keepdims=True)
    return np.minimum((power * inverse + (1 << 22)) >> 23, 255).astype(np.uint8)


NARROW, EXPANDED = 16, 64


def build_inverted_residual(hl: ModuleType) -> Algorithm:
    """Channels expanded, filtered each by 3 x 3, narrowed, and added to what they came from."""
    images = bytes_and_weights(hl, source=3, expand=2, filters=3, narrow=2, bias=2, multiplier=2)
    stages, args = Stages(hl), hl.vars("c x y")
    c, x, y = args
    source = images["source"]
    r, k = hl.RDom([(0, 3), (0, 3)], "r"), hl.RDom([(0, EXPANDED)], "k")
    j = hl.RDom([(0, NARROW)], "j")

    def layer(name: str, place: int, term: Any, least: int = 0) -> Any:
        total = reduced(stages, f"{name}_total", args, images["bias"][c, place], term)
        value = requantised(hl, total[args], images["multiplier"][c, place], least)
        return stages.define(name, args, value)

    wide = layer("expanded", 0, centred(hl, source[j, x, y]) * hl.i32(images["expand"][c, j]), ZERO_OUT)
    bounded = framed(hl, wide, source.dim(1).extent(), source.dim(2).extent(), ZERO_OUT)
    value = hl.i32(hl.i16(bounded[c, x + r.x - 1, y + r.y - 1]) - ZERO_OUT)
    filtered = layer("filtered", 1, value * hl.i32(images["filters"][c, r.x, r.y]), ZERO_OUT)
    value = hl.i32(hl.i16(filtered[k, x, y]) - ZERO_OUT)
    narrowed = layer("narrowed", 2, value * hl.i32(images["narrow"][c, k]))
    added = hl.u8_sat(hl.i16(narrowed[args]) - ZERO_OUT + hl.i16(source[args]))
    return Algorithm(stages.define("added", args, added), images, stages=stages)


def inverted_residual_inputs(size: Sizes) -> dict[str, Array]:
    channels, width, height = size
    return {
        "source": noise((height, width, channels), np.uint8, 0, 255),
        "expand": weights((NARROW, EXPANDED), 1),
        "filters": weights((3, 3, EXPANDED), 2),
        "narrow": weights((EXPANDED, NARROW), 3),
        "bias": biases(3 * EXPANDED, 4).reshape(3, EXPANDED),
        "multiplier": multipliers(3 * EXPANDED, 5).reshape(3, EXPANDED),
    }


def inverted_residual(images: Mapping[str, Array]) -> Array:
    source, bias, multiplier = images["source"].astype(np.int64), images["bias"], images["multiplier"]
    wide = np_requantised(np_dot(source - ZERO_IN, images["expand"]) + bias[0], multiplier[0], ZERO_OUT)
    total = np.einsum("yxcji,jic->yxc", np_windows(wide, ZERO_OUT), images["filters"].astype(np.int64))
    filtered = np_requantised(total + bias[1], multiplier[1], ZERO_OUT).astype(np.int64) - ZERO_OUT
    total = np_dot(filtered, images["narrow"])
    narrowed = np_requantised(total + bias[2, :NARROW], multiplier[2, :NARROW]).astype(np.int64)
    return np.clip(narrowed - ZERO_OUT + source, 0, 255).astype(np.uint8)


ENTRIES = (
    Entry(
        name="qconv",
        kind="quantised network",
        source="TensorFlow Lite CONV_2D with multipliers for each channel",
        build=build_qconv,
        inputs=qconv_inputs,
        reference=qconv,
        bench_size=(32, 128, 96),
        test_size=(24, 23, 19),
    ),
    Entry(
        name="qdepthwise",
        kind="quantised network",
        source="TensorFlow Lite DEPTHWISE_CONV_2D, stride 2",
        build=build_qdepthwise,
        inputs=qdepthwise_inputs,
        reference=qdepthwise,
        bench_size=(96, 112, 112),
        test_size=(24, 13, 11),
    ),
    Entry(
        name="qgemm",
        kind="quantised network",
        source="gemmlowp and XNNPACK: bytes times signed bytes, requantised",
        build=build_qgemm,
        inputs=qgemm_inputs,
        reference=qgemm,
        bench_size=(512, 384),
        test_size=(85, 23),
        hand=qgemm_hand,
    ),
    Entry(
        name="qpool",
        kind="quantised network",
        source="TensorFlow Lite AVERAGE_POOL_2D",
        build=build_qpool,
        inputs=qpool_inputs,
        reference=qpool,
        bench_size=(64, 160, 160),
        test_size=(24, 13, 11),
    ),
    Entry(
        name="qadd",
        kind="quantised network",
        source="TensorFlow Lite ADD",
        build=build_qadd,
        inputs=pictures(np.uint8, 0, 255, "first", "second"),
        reference=qadd,
        bench_size=(320, 240, 64),
        test_size=(37, 23, 5),
    ),
    Entry(
        name="qsoftmax",
        kind="quantised network",
        source="TensorFlow Lite SOFTMAX of bytes, by a table",
        build=build_qsoftmax,
        inputs=qsoftmax_inputs,
        reference=qsoftmax,
        bench_size=(1000, 2000),
        test_size=(93, 23),
    ),
    Entry(
        name="inverted_residual",
        kind="quantised network",
        source="Sandler et al., MobileNetV2, 2018",
        build=build_inverted_residual,
        inputs=inverted_residual_inputs,
        reference=inverted_residual,
        bench_size=(NARROW, 128, 128),
        test_size=(NARROW, 23, 19),
    ),
)
