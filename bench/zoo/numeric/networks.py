"""Blocks of convolutional networks in single precision, ready for inference."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes
from bench.zoo.numeric.layers import (
    conv_interleaved,
    conv_planar,
    normal,
    np_conv_interleaved,
    np_conv_planar,
    padded,
    reduced,
    relu,
    tensors,
)
from bench.zoo.pieces import Stages

PLANES = 32


def build_conv_nchw(hl: ModuleType) -> Algorithm:
    images = tensors(hl, source=4, filters=4, bias=1)
    stages, args = Stages(hl), hl.vars("x y c n")
    source = images["source"]
    framed = stages["framed"] = padded(hl, source, source.width(), source.height())
    total = conv_planar(hl, stages, "total", framed, images["filters"], images["bias"], (3, 3, PLANES))
    return Algorithm(stages.define("activated", args, relu(hl, total[args])), images, stages=stages)


def conv_nchw_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Two rows at a time, framed; blocks of 4 channels by 2 rows by 2 vectors of pixels are summed in registers."""
    output, total = algorithm.output, algorithm.stages["total"]
    x, y, c, n = output.args()
    xi, yi, ci = hl.vars("xi yi ci")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.split(x, x, xi, 2 * lanes).split(c, c, ci, 4).split(y, y, yi, 2).reorder(xi, yi, ci, x, c, y, n)
    output.vectorize(xi, lanes).unroll(xi).unroll(yi).unroll(ci).parallel(y)
    framed = algorithm.stages["framed"].compute_at(output, y)
    framed.vectorize(framed.args()[0], lanes)
    dx, dy, k = total.rvars(0)
    total.compute_at(output, x).vectorize(x, lanes).unroll(x).unroll(y).unroll(c)
    total.update().reorder(x, y, c, dx, dy, k).vectorize(x, lanes).unroll(x).unroll(y).unroll(c)


def conv_nchw_inputs(size: Sizes) -> dict[str, Array]:
    width, height, channels, count = size
    return {
        "source": normal((count, PLANES, height, width)),
        "filters": normal((channels, PLANES, 3, 3), 0.06, 1),
        "bias": normal((channels,), 0.1, 2),
    }


def conv_nchw(images: Mapping[str, Array]) -> Array:
    return np.maximum(np_conv_planar(images["source"], images["filters"], images["bias"]), 0)


STEM = 3  # colours


def build_stem(hl: ModuleType) -> Algorithm:
    """7 x 7 filters at every second pixel of a colour picture, then the largest of 3 x 3 at every second of these."""
    images = tensors(hl, source=3, filters=4, bias=1)
    stages, (c, x, y) = Stages(hl), hl.vars("c x y")
    source = images["source"]
    width, height = source.dim(1).extent(), source.dim(2).extent()
    framed = padded(hl, source, width, height, 1)
    total = conv_interleaved(hl, stages, "total", framed, images["filters"], images["bias"], (7, 7, STEM), stride=2)
    activated = stages.define("activated", (c, x, y), relu(hl, total[c, x, y]))
    bounded = padded(hl, activated, width // 2, height // 2, 1)
    r = hl.RDom([(-1, 3), (-1, 3)], "window")
    pooled = reduced(stages, "pooled", (c, x, y), hl.f32(0), bounded[c, 2 * x + r.x, 2 * y + r.y], hl.max)
    return Algorithm(pooled, images, stages=stages)


def stem_inputs(size: Sizes) -> dict[str, Array]:
    channels, width, height = size
    return {
        "source": normal((4 * height, 4 * width, STEM)),
        "filters": normal((7, 7, STEM, channels), 0.08, 1),
        "bias": normal((channels,), 0.1, 2),
    }


def stem(images: Mapping[str, Array]) -> Array:
    activated = np.maximum(np_conv_interleaved(*images.values(), stride=2), 0)
    framed = np.pad(activated, ((1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(framed, (3, 3), axis=(0, 1))[::2, ::2]
    return windows.max(axis=(3, 4))


WIDE = 64  # channels between the layers


def normalised(hl: ModuleType, value: Any, folded: Any, c: Any) -> Any:
    """Batch normalisation at inference: `folded` (c, scale or shift)."""
    return value * folded[c, 0] + folded[c, 1]


def build_separable(hl: ModuleType) -> Algorithm:
    """A filter for each channel, then a mixture of channels; both normalised and kept between 0 and 6."""
    images = tensors(hl, source=3, depthwise=3, pointwise=2, first=2, second=2)
    stages, (c, x, y) = Stages(hl), hl.vars("c x y")
    source = images["source"]
    framed = padded(hl, source, source.dim(1).extent(), source.dim(2).extent(), 1)
    r, k = hl.RDom([(0, 3), (0, 3)], "r"), hl.RDom([(0, WIDE)], "k")

    def activated(name: str, total: Any, folded: str) -> Any:
        value = normalised(hl, total[c, x, y], images[folded], c)
        return stages.define(name, (c, x, y), hl.clamp(value, 0.0, 6.0))

    term = images["depthwise"][c, r.x, r.y] * framed[c, x + r.x - 1, y + r.y - 1]
    filtered = activated("filtered", reduced(stages, "depth", (c, x, y), hl.f32(0), term), "first")
    term = images["pointwise"][c, k] * filtered[k, x, y]
    mixed = activated("mixed", reduced(stages, "points", (c, x, y), hl.f32(0), term), "second")
    return Algorithm(mixed, images, stages=stages)


def separable_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """A row of filtered pixels at a time; blocks of 4 pixels by 2 vectors of channels are mixed in registers."""
    output, stages = algorithm.output, algorithm.stages
    c, x, y = output.args()
    ci, xi = hl.vars("ci xi")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.split(c, c, ci, 2 * lanes).split(x, x, xi, 4).reorder(ci, xi, c, x, y)
    output.vectorize(ci, lanes).unroll(ci).unroll(xi).parallel(y)
    points, depth = stages["points"], stages["depth"]
    points.compute_at(output, c).vectorize(c, lanes).unroll(c).unroll(x)
    points.update().reorder(c, x, points.rvars(0)[0]).vectorize(c, lanes).unroll(c).unroll(x)
    stages["filtered"].compute_at(output, y).vectorize(c, lanes)
    depth.compute_at(stages["filtered"], x).vectorize(c, lanes)
    depth.update().reorder(c, *depth.rvars(0)).vectorize(c, lanes)


def separable_inputs(size: Sizes) -> dict[str, Array]:
    channels, width, height = size
    folded = [np.stack([1 + normal((n,), 0.1, n), normal((n,), 0.1, n + 1)]) for n in (WIDE, channels)]
    return {
        "source": normal((height, width, WIDE)),
        "depthwise": normal((3, 3, WIDE), 0.4, 1),
        "pointwise": normal((WIDE, channels), 0.12, 2),
        "first": folded[0],
        "second": folded[1],
    }


def separable(images: Mapping[str, Array]) -> Array:
    source, depthwise, pointwise, first, second = images.values()
    height, width, _ = source.shape
    framed = np.pad(source, ((1, 1), (1, 1), (0, 0)))
    total = sum(depthwise[dy, dx] * framed[dy : dy + height, dx : dx + width] for dy, dx in np.ndindex(3, 3))
    filtered = np.clip(total * first[0] + first[1], 0, 6)
    return np.clip(filtered @ pointwise * second[0] + second[1], 0, 6)


RESIDUAL = 24  # channels


def build_residual(hl: ModuleType) -> Algorithm:
    """Two normalised convolutions, added to what they are of."""
    images = tensors(hl, source=4, filters=4, more_filters=4, folded=2, more_folded=2)
    stages, args = Stages(hl), hl.vars("x y c n")
    source, c = images["source"], args[2]
    shape, size = (3, 3, RESIDUAL), (source.width(), source.height())
    no_bias = stages.define("no_bias", (c,), hl.f32(0))
    first = conv_planar(hl, stages, "first", padded(hl, source, *size), images["filters"], no_bias, shape)
    activated = stages.define("activated", args, relu(hl, normalised(hl, first[args], images["folded"], c)))
    framed = padded(hl, activated, *size)
    second = conv_planar(hl, stages, "second", framed, images["more_filters"], no_bias, shape)
    value = normalised(hl, second[args], images["more_folded"], c) + source[args]
    return Algorithm(stages.define("block", args, relu(hl, value)), images, stages=stages)


def residual_inputs(size: Sizes) -> dict[str, Array]:
    width, height, channels, count = size
    return {
        "source": normal((count, channels, height, width)),
        "filters": normal((channels, channels, 3, 3), 0.07, 1),
        "more_filters": normal((channels, channels, 3, 3), 0.07, 2),
        "folded": normal((2, channels), 0.3, 3),
        "more_folded": normal((2, channels), 0.3, 4),
    }


def residual(images: Mapping[str, Array]) -> Array:
    value = source = images["source"]
    for name in ("", "more_"):
        (scale, shift), bias = images[f"{name}folded"][..., None, None], np.zeros(RESIDUAL, np.float32)
        value = np_conv_planar(np.maximum(value, 0) if name else value, images[f"{name}filters"], bias)
        value = value * scale + shift
    return np.maximum(value + source, 0)


GROUPS, GROUPED = 4, 16  # groups, channels of each


def build_shuffle(hl: ModuleType) -> Algorithm:
    """1 x 1 filters by groups, channels dealt to other groups, 3 x 3 filters by groups, activations between."""
    images = tensors(hl, source=4, mixing=4, filters=4, bias=1, more_bias=1)
    stages, args = Stages(hl), hl.vars("x y c n")
    x, y, c, n = args
    source = images["source"]
    mixed = conv_planar(hl, stages, "mixed", source, images["mixing"], images["bias"], (1, 1, GROUPED), GROUPS, GROUPED)
    dealt = c % GROUPS * GROUPED + c // GROUPS
    shuffled = stages.define("shuffled", args, relu(hl, mixed[x, y, dealt, n]))
    framed = padded(hl, shuffled, source.width(), source.height())
    total = conv_planar(
        hl, stages, "total", framed, images["filters"], images["more_bias"], (3, 3, GROUPED), GROUPS, GROUPED
    )
    return Algorithm(stages.define("activated", args, relu(hl, total[args])), images, stages=stages)


def shuffle_inputs(size: Sizes) -> dict[str, Array]:
    width, height, channels, count = size
    return {
        "source": normal((count, channels, height, width)),
        "mixing": normal((channels, GROUPED, 1, 1), 0.25, 1),
        "filters": normal((channels, GROUPED, 3, 3), 0.08, 2),
        "bias": normal((channels,), 0.1, 3),
        "more_bias": normal((channels,), 0.1, 4),
    }


def shuffle(images: Mapping[str, Array]) -> Array:
    mixed = np.maximum(np_conv_planar(images["source"], images["mixing"], images["bias"], GROUPS), 0)
    count, _, *size = mixed.shape
    dealt = mixed.reshape(count, GROUPS, GROUPED, *size).swapaxes(1, 2).reshape(mixed.shape)
    return np.maximum(np_conv_planar(dealt, images["filters"], images["more_bias"], GROUPS), 0)


DEEP, SKIPPED = 32, 16  # channels from below and from the same size


def build_decoder(hl: ModuleType) -> Algorithm:
    """Twice the size by bilinear interpolation, the encoder's channels beside it, a convolution."""
    images = tensors(hl, deep=3, skipped=3, filters=4, bias=1)
    stages, (c, x, y) = Stages(hl), hl.vars("c x y")
    deep, skipped = images["deep"], images["skipped"]
    ranges = [(hl.Expr(), hl.Expr()), *((0, deep.dim(k).extent()) for k in (1, 2))]
    edges = hl.BoundaryConditions.repeat_edge(deep, ranges)

    def between(at: Any, below: Any, above: Any) -> Any:
        """Quarters of the way: pixels of twice the size lie beside the middle of those they come from."""
        return hl.select(at % 2 == 0, 0.25 * below + 0.75 * above, 0.75 * below + 0.25 * above)

    first = (x - 1) // 2, (y - 1) // 2
    rows = stages.define("rows", (c, x, y), between(y, edges[c, x, first[1]], edges[c, x, first[1] + 1]))
    upper = stages.define("upper", (c, x, y), between(x, rows[c, first[0], y], rows[c, first[0] + 1, y]))
    joined = stages.define(
        "joined",
        (c, x, y),
        hl.select(
            c < DEEP,
            upper[hl.clamp(c, 0, DEEP - 1), x, y],
            skipped[hl.clamp(c - DEEP, 0, SKIPPED - 1), hl.clamp(x, 0, skipped.dim(1).extent() - 1), y],
        ),
    )
    framed = padded(hl, joined, skipped.dim(1).extent(), skipped.dim(2).extent(), 1)
    shape = (3, 3, DEEP + SKIPPED)
    total = conv_interleaved(hl, stages, "total", framed, images["filters"], images["bias"], shape)
    return Algorithm(stages.define("decoded", (c, x, y), relu(hl, total[c, x, y])), images, stages=stages)


def decoder_inputs(size: Sizes) -> dict[str, Array]:
    channels, width, height = size
    return {
        "deep": normal((height // 2, width // 2, DEEP)),
        "skipped": normal((height, width, SKIPPED), seed=1),
        "filters": normal((3, 3, DEEP + SKIPPED, channels), 0.05, 2),
        "bias": normal((channels,), 0.1, 3),
    }


def decoder(images: Mapping[str, Array]) -> Array:
    upper = images["deep"]
    for axis in (0, 1):
        lines = np.moveaxis(upper, axis, 0)
        before, after = lines[[0, *range(len(lines) - 1)]], lines[[*range(1, len(lines)), -1]]
        twice = np.stack([0.25 * before + 0.75 * lines, 0.75 * lines + 0.25 * after], axis=1)
        upper = np.moveaxis(twice.reshape(-1, *lines.shape[1:]), 0, axis)
    joined = np.concatenate([upper, images["skipped"]], axis=2).astype(np.float32)
    return np.maximum(np_conv_interleaved(joined, images["filters"], images["bias"]), 0)


def build_spatial_pyramid(hl: ModuleType) -> Algorithm:
    """The image beside the largest values of its 5 x 5, 9 x 9 and 13 x 13 neighbourhoods, each from the one before."""
    images = tensors(hl, source=3)
    stages, (x, y, c) = Stages(hl), hl.vars("x y c")
    source = images["source"]
    width, height, channels = source.width(), source.height(), source.channels()
    lowest, levels = hl.Float(32).min(), [source]
    for k in range(3):
        bounds = [(0, width), (0, height), (hl.Expr(), hl.Expr())]
        framed = hl.BoundaryConditions.constant_exterior(levels[-1], lowest, bounds)
        down = stages.define(f"down_{k}", (x, y, c), hl.max(*(framed[x, y + d, c] for d in range(-2, 3))))
        levels.append(stages.define(f"pool_{k}", (x, y, c), hl.max(*(down[x + d, y, c] for d in range(-2, 3)))))
    plane = c % channels
    joined = hl.mux(c // channels, [level[x, y, plane] for level in levels])
    return Algorithm(stages.define("joined", (x, y, c), joined), images, stages=stages)


def spatial_pyramid_inputs(size: Sizes) -> dict[str, Array]:
    return {"source": normal((size[2] // 4, *size[1::-1]))}


def spatial_pyramid(images: Mapping[str, Array]) -> Array:
    source = images["source"]
    framed = [np.pad(source, ((0, 0), (r, r), (r, r)), constant_values=-np.inf) for r in (2, 4, 6)]
    pools = [
        np.lib.stride_tricks.sliding_window_view(image, (2 * r + 1, 2 * r + 1), axis=(1, 2)).max(axis=(3, 4))
        for image, r in zip(framed, (2, 4, 6), strict=True)
    ]
    return np.concatenate([source, *pools])


SQUEEZED, HIDDEN = 64, 16


def build_squeeze(hl: ModuleType) -> Algorithm:
    """Channels weighted by a small network that sees their means: squeeze and excitation, with a skip."""
    images = tensors(hl, source=3, reduce=2, expand=2)
    stages, (c, x, y, h) = Stages(hl), hl.vars("c x y h")
    source = images["source"]
    width, height = source.dim(1).extent(), source.dim(2).extent()
    r = hl.RDom([(0, width), (0, height)], "r")
    k, j = hl.RDom([(0, SQUEEZED)], "k"), hl.RDom([(0, HIDDEN)], "j")
    total = reduced(stages, "total", (c,), hl.f32(0), source[c, r.x, r.y])
    mean = stages.define("mean", (c,), total[c] / hl.f32(width * height))
    hidden = reduced(stages, "hidden", (h,), hl.f32(0), images["reduce"][h, k] * mean[k])
    activated = stages.define("activated", (h,), hidden[h] / (1.0 + hl.exp(-hidden[h])))
    gate = reduced(stages, "gate", (c,), hl.f32(0), images["expand"][c, j] * activated[j])
    weight = stages.define("weight", (c,), 1.0 / (1.0 + hl.exp(-gate[c])))
    value = source[c, x, y]
    scaled = stages.define("scaled", (c, x, y), value + relu(hl, value) * weight[c])
    return Algorithm(scaled, images, stages=stages)


def squeeze_inputs(size: Sizes) -> dict[str, Array]:
    return {
        "source": normal(size[::-1]) + np.float32(0.5),
        "reduce": normal((SQUEEZED, HIDDEN), 0.4, 1),
        "expand": normal((HIDDEN, SQUEEZED), 0.8, 2),
    }


def squeeze(images: Mapping[str, Array]) -> Array:
    source, reduce, expand = (images[name].astype(np.float64) for name in ("source", "reduce", "expand"))
    hidden = source.mean(axis=(0, 1)) @ reduce
    gate = hidden / (1 + np.exp(-hidden)) @ expand
    return (source + np.maximum(source, 0) / (1 + np.exp(-gate))).astype(np.float32)


ENTRIES = (
    Entry(
        name="conv_nchw",
        kind="network",
        source="PyTorch conv2d, relu: two images of planes",
        build=build_conv_nchw,
        inputs=conv_nchw_inputs,
        reference=conv_nchw,
        bench_size=(112, 112, 32, 2),
        test_size=(37, 19, 8, 2),
        tolerance=1e-4,
        differentiable=True,
        hand=conv_nchw_hand,
    ),
    Entry(
        name="stem",
        kind="network",
        source="the first layers of ResNet: He et al., Deep residual learning for image recognition, 2016",
        build=build_stem,
        inputs=stem_inputs,
        reference=stem,
        bench_size=(64, 56, 56),
        test_size=(24, 11, 9),
        tolerance=1e-4,
    ),
    Entry(
        name="separable",
        kind="network",
        source="Howard et al., MobileNets, 2017",
        build=build_separable,
        inputs=separable_inputs,
        reference=separable,
        bench_size=(128, 112, 112),
        test_size=(48, 23, 19),
        tolerance=1e-4,
        hand=separable_hand,
    ),
    Entry(
        name="residual",
        kind="network",
        source="the basic block of ResNet",
        build=build_residual,
        inputs=residual_inputs,
        reference=residual,
        bench_size=(96, 80, RESIDUAL, 1),
        test_size=(23, 19, RESIDUAL, 2),
        tolerance=1e-3,
        differentiable=True,
    ),
    Entry(
        name="shuffle",
        kind="network",
        source="Zhang et al., ShuffleNet, 2018",
        build=build_shuffle,
        inputs=shuffle_inputs,
        reference=shuffle,
        bench_size=(56, 56, GROUPS * GROUPED, 2),
        test_size=(21, 19, GROUPS * GROUPED, 1),
        tolerance=1e-4,
    ),
    Entry(
        name="decoder",
        kind="network",
        source="Ronneberger, Fischer and Brox, U-Net, 2015",
        build=build_decoder,
        inputs=decoder_inputs,
        reference=decoder,
        bench_size=(16, 192, 160),
        test_size=(16, 22, 18),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="spatial_pyramid",
        kind="network",
        source="the SPPF block of YOLOv5: He et al., Spatial pyramid pooling, 2015",
        build=build_spatial_pyramid,
        inputs=spatial_pyramid_inputs,
        reference=spatial_pyramid,
        bench_size=(80, 80, 256),
        test_size=(23, 19, 12),
    ),
    Entry(
        name="squeeze",
        kind="network",
        source="Hu, Shen and Sun, Squeeze-and-excitation networks, 2018",
        build=build_squeeze,
        inputs=squeeze_inputs,
        reference=squeeze,
        bench_size=(SQUEEZED, 112, 112),
        test_size=(SQUEEZED, 23, 19),
        tolerance=1e-4,
        differentiable=True,
    ),
)
