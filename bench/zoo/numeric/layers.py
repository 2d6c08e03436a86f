"""Layers of neural networks as Funcs, and the same in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Array
from bench.zoo.pieces import Stages


def normal(shape: tuple[int, ...], deviation: float = 1.0, seed: int = 0) -> Array:
    """Independent normal values in single precision, such as the weights of a network."""
    return np.random.default_rng(seed).standard_normal(shape, np.float32) * np.float32(deviation)


def tensors(hl: ModuleType, **dimensions: int) -> dict[str, Any]:
    """ImageParams of floats by name, with so many dimensions."""
    return {name: hl.ImageParam(hl.Float(32), count, name) for name, count in dimensions.items()}


def reduced(
    stages: Stages, name: str, args: tuple[Any, ...], start: Any, term: Any, merge: Any = lambda a, b: a + b
) -> Any:
    """A Func that begins with `start` and merges a term for each place of the reduction domain that `term` reads."""
    func = stages.define(name, args, start)
    func[args] = merge(func[args], term)
    return func


def padded(hl: ModuleType, image: Any, width: Any, height: Any, first: int = 0) -> Any:
    """Zeros around an image, whose columns and rows are the dimensions `first` and the one after it."""
    free = [(hl.Expr(), hl.Expr())]
    bounds = free * first + [(0, width), (0, height)] + free * (image.dimensions() - first - 2)
    return hl.BoundaryConditions.constant_exterior(image, hl.f32(0), bounds)


def conv_planar(
    hl: ModuleType,
    stages: Stages,
    name: str,
    image: Any,
    filters: Any,
    bias: Any,
    shape: Sequence[int],
    groups: int = 1,
    outputs: int = 1,
) -> Any:
    """A convolution of planes (x, y, channel, image) by `filters` (dx, dy, input, output); the image has its margin.

    `shape`: filter's width and height, channels that an output reads; of `groups`, each with `outputs` outputs.
    """
    x, y, c, n = args = hl.vars("x y c n")
    width, height, channels = shape
    r = hl.RDom([(0, width), (0, height), (0, channels)], f"r_{name}")
    first = c // outputs * channels if groups > 1 else 0
    term = filters[r.x, r.y, r.z, c] * image[x + r.x - width // 2, y + r.y - height // 2, first + r.z, n]
    return reduced(stages, name, args, bias[c], term)


def conv_interleaved(
    hl: ModuleType,
    stages: Stages,
    name: str,
    image: Any,
    filters: Any,
    bias: Any,
    shape: Sequence[int],
    stride: int = 1,
) -> Any:
    """A convolution of (channel, x, y) by `filters` (output, input, dx, dy); `shape` as in `conv_planar`."""
    c, x, y = args = hl.vars("c x y")
    width, height, channels = shape
    r = hl.RDom([(0, channels), (0, width), (0, height)], f"r_{name}")
    place = (stride * x + r.y - width // 2, stride * y + r.z - height // 2)
    return reduced(stages, name, args, bias[c], filters[c, r.x, r.y, r.z] * image[r.x, *place])


def dense(hl: ModuleType, stages: Stages, name: str, rows: Any, weights: Any, start: Any, inputs: int) -> Any:
    """Each row times a matrix: (output, row) from `rows` (input, row) and `weights` (output, input).

    `start`: what the sum begins with, by the output's place, such as a bias.
    """
    o, n = args = hl.vars("o n")
    r = hl.RDom([(0, inputs)], f"r_{name}")
    return reduced(stages, name, args, start(o, n), weights[o, r] * rows[r, n])


def relu(hl: ModuleType, value: Any) -> Any:
    return hl.max(value, 0.0)


def softmax(hl: ModuleType, stages: Stages, name: str, scores: Any, count: Any) -> Any:
    """Along the innermost dimension: exponentials relative to the row's largest value, over their sum."""
    k, *rows = hl.vars("k n h")[: scores.dimensions()]
    r, s = hl.RDom([(0, count)], f"r_{name}"), hl.RDom([(0, count)], f"s_{name}")
    most = reduced(stages, f"most_{name}", tuple(rows), scores.type().min(), scores[r, *rows], hl.max)
    power = stages.define(f"power_{name}", (k, *rows), hl.exp(scores[k, *rows] - most[tuple(rows)]))
    sums = reduced(stages, f"sum_{name}", tuple(rows), hl.f32(0), power[s, *rows])
    return stages.define(name, (k, *rows), power[k, *rows] / sums[tuple(rows)])


def layer_norm(hl: ModuleType, stages: Stages, name: str, rows: Any, scale: Any, shift: Any, count: int) -> Any:
    """Every row (place, row) less its mean, over its deviation, scaled and shifted for each place."""
    k, n = hl.vars("k n")
    r, s = hl.RDom([(0, count)], f"r_{name}"), hl.RDom([(0, count)], f"s_{name}")
    total = reduced(stages, f"total_{name}", (n,), hl.f32(0), rows[r, n])
    centred = stages.define(f"centred_{name}", (k, n), rows[k, n] - total[n] * hl.f32(1 / count))
    squares = reduced(stages, f"squares_{name}", (n,), hl.f32(0), centred[s, n] * centred[s, n])
    inverse = stages.define(f"inverse_{name}", (n,), 1.0 / hl.sqrt(squares[n] * hl.f32(1 / count) + hl.f32(1e-5)))
    return stages.define(name, (k, n), centred[k, n] * inverse[n] * scale[k] + shift[k])


def gelu(hl: ModuleType, value: Any) -> Any:
    """Hendrycks and Gimpel's activation, with their approximation by tanh."""
    return 0.5 * value * (1.0 + hl.tanh(hl.f32(0.7978845608) * (value + hl.f32(0.044715) * value * value * value)))


# In numpy; arrays have the dimensions reversed.


def np_conv_planar(image: Array, filters: Array, bias: Array, groups: int = 1) -> Array:
    """`conv_planar` of an image with zeros around it: (image, channel, y, x), (output, input, dy, dx)."""
    height, width = filters.shape[2:]
    framed = np.pad(image, [(0, 0), (0, 0), (height // 2,) * 2, (width // 2,) * 2])
    windows = np.lib.stride_tricks.sliding_window_view(framed, (height, width), axis=(2, 3))
    parts = zip(np.split(windows, groups, 1), np.split(filters, groups), strict=True)
    total = [np.einsum("ncyxji,ocji->noyx", *part, optimize=True) for part in parts]
    return np.concatenate(total, axis=1) + bias[:, None, None]


def np_conv_interleaved(image: Array, filters: Array, bias: Array, stride: int = 1) -> Array:
    """`conv_interleaved` of an image with zeros around it: (y, x, channel), (dy, dx, input, output)."""
    height, width = filters.shape[:2]
    framed = np.pad(image, [(height // 2,) * 2, (width // 2,) * 2, (0, 0)])
    windows = np.lib.stride_tricks.sliding_window_view(framed, (height, width), axis=(0, 1))[::stride, ::stride]
    return np.einsum("yxcji,jico->yxo", windows, filters, optimize=True) + bias


def np_softmax(scores: Array) -> Array:
    power = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return power / power.sum(axis=-1, keepdims=True)


def np_layer_norm(rows: Array, scale: Array, shift: Array) -> Array:
    centred = rows - rows.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(rows.var(axis=-1, keepdims=True) + 1e-5) * scale + shift


def np_gelu(value: Array) -> Array:
    return 0.5 * value * (1 + np.tanh(np.sqrt(2 / np.pi) * (value + 0.044715 * value**3)))
