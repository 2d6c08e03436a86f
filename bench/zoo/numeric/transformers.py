"""Layers of transformers, and the products of matrices that they consist of, in single precision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import ModuleType

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes
from bench.zoo.numeric.layers import (
    dense,
    gelu,
    layer_norm,
    normal,
    np_gelu,
    np_layer_norm,
    np_softmax,
    reduced,
    relu,
    softmax,
    tensors,
)
from bench.zoo.pieces import Stages

SIDE = 512  # what a product of square matrices sums up
ROWS, VECTORS = 6, 4  # a block of the product that stays in registers: so many rows of so many vectors


def build_dense_relu(hl: ModuleType) -> Algorithm:
    images = tensors(hl, rows=2, weights=2, bias=1)
    stages, (o, n) = Stages(hl), hl.vars("o n")
    product = dense(hl, stages, "product", images["rows"], images["weights"], lambda o, n: images["bias"][o], SIDE)
    return Algorithm(stages.define("activated", (o, n), relu(hl, product[o, n])), images, stages=stages)


def dense_relu_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Blocks of the output whose sums stay in registers over the whole product; rows of blocks in parallel."""
    output, product = algorithm.output, algorithm.stages["product"]
    o, n = output.args()
    oi, ni = hl.vars("oi ni")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.tile(o, n, oi, ni, VECTORS * lanes, ROWS)
    output.vectorize(oi, lanes).unroll(oi).unroll(ni).parallel(n)
    product.compute_at(output, o).vectorize(o, lanes).unroll(o).unroll(n)
    product.update().reorder(o, n, product.rvars(0)[0]).vectorize(o, lanes).unroll(o).unroll(n)


def dense_relu_inputs(size: Sizes) -> dict[str, Array]:
    columns, rows = size
    return {
        "rows": normal((rows, SIDE)),
        "weights": normal((SIDE, columns), 0.05, 1),
        "bias": normal((columns,), 0.1, 2),
    }


def dense_relu(images: Mapping[str, Array]) -> Array:
    return np.maximum(images["rows"] @ images["weights"] + images["bias"], 0)


KEY = 64  # values of a query or key


def build_attention(hl: ModuleType) -> Algorithm:
    """Of every head: values averaged by the likeness of keys to queries, those after the query left out."""
    images = tensors(hl, query=3, key=3, value=3)  # (place, token, head)
    query, key, value = images.values()
    stages, (k, n, h, d) = Stages(hl), hl.vars("k n h d")
    tokens = query.height()
    r, s = hl.RDom([(0, KEY)], "r"), hl.RDom([(0, tokens)], "s")
    likeness = reduced(stages, "likeness", (k, n, h), hl.f32(0), query[r, n, h] * key[r, k, h])
    masked = stages.define(
        "masked", (k, n, h), hl.select(k <= n, likeness[k, n, h] * hl.f32(1 / math.sqrt(KEY)), hl.f32(-1e9))
    )
    share = softmax(hl, stages, "share", masked, tokens)
    attended = reduced(stages, "attended", (d, n, h), hl.f32(0), share[s, n, h] * value[d, s, h])
    return Algorithm(attended, images, stages=stages)


def attention_inputs(size: Sizes) -> dict[str, Array]:
    return {name: normal(size[::-1], seed=k) for k, name in enumerate(("query", "key", "value"))}


def attention(images: Mapping[str, Array]) -> Array:
    query, key, value = (images[name].astype(np.float64) for name in ("query", "key", "value"))
    likeness = query @ key.swapaxes(1, 2) / math.sqrt(KEY)
    future = np.triu(np.ones(likeness.shape[1:], bool), 1)
    return (np_softmax(np.where(future, -np.inf, likeness)) @ value).astype(np.float32)


MODEL, HIDDEN = 192, 384  # values of a token, and between the layers


def build_feed_forward(hl: ModuleType) -> Algorithm:
    """Tokens normalised, widened, activated, narrowed and added to what they were."""
    images = tensors(hl, tokens=2, scale=1, shift=1, widen=2, wide_bias=1, narrow=2, bias=1)
    tokens = images["tokens"]
    stages, (o, n) = Stages(hl), hl.vars("o n")
    normed = layer_norm(hl, stages, "normed", tokens, images["scale"], images["shift"], MODEL)
    wide = dense(hl, stages, "wide", normed, images["widen"], lambda o, n: images["wide_bias"][o], MODEL)
    active = stages.define("active", (o, n), gelu(hl, wide[o, n]))
    narrow = dense(hl, stages, "narrowed", active, images["narrow"], lambda o, n: images["bias"][o], HIDDEN)
    return Algorithm(stages.define("output", (o, n), narrow[o, n] + tokens[o, n]), images, stages=stages)


def feed_forward_inputs(size: Sizes) -> dict[str, Array]:
    return {
        "tokens": normal(size[::-1]),
        "scale": 1 + normal((MODEL,), 0.1, 1),
        "shift": normal((MODEL,), 0.1, 2),
        "widen": normal((MODEL, HIDDEN), 0.07, 3),
        "wide_bias": normal((HIDDEN,), 0.1, 4),
        "narrow": normal((HIDDEN, MODEL), 0.05, 5),
        "bias": normal((MODEL,), 0.1, 6),
    }


def feed_forward(images: Mapping[str, Array]) -> Array:
    images = {name: array.astype(np.float64) for name, array in images.items()}
    normed = np_layer_norm(images["tokens"], images["scale"], images["shift"])
    active = np_gelu(normed @ images["widen"] + images["wide_bias"])
    return (active @ images["narrow"] + images["bias"] + images["tokens"]).astype(np.float32)


WIDTH = 768  # values of a token


def build_add_norm(hl: ModuleType) -> Algorithm:
    """Two rows of values added and normalised."""
    images = tensors(hl, tokens=2, branch=2, scale=1, shift=1)
    stages, (k, n) = Stages(hl), hl.vars("k n")
    added = stages.define("added", (k, n), images["tokens"][k, n] + images["branch"][k, n])
    normed = layer_norm(hl, stages, "normed", added, images["scale"], images["shift"], WIDTH)
    return Algorithm(normed, images, stages=stages)


def add_norm_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """A row at a time in parallel; its sums in vectors, four in flight."""
    output, stages = algorithm.output, algorithm.stages
    k, n = output.args()
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.vectorize(k, lanes).parallel(n, 8)
    for name in ("added", "centred_normed"):
        stages[name].compute_at(output, n).vectorize(k, lanes)
    stages["inverse_normed"].compute_at(output, n)
    for name in ("total_normed", "squares_normed"):
        part, outer, lane = hl.Var("part"), hl.RVar("outer"), hl.RVar("lane")
        total = stages[name].compute_at(output, n)
        (r,) = total.rvars(0)
        parts = total.update().split(r, outer, lane, 4 * lanes).rfactor(lane, part)
        parts.compute_at(output, n).vectorize(part, lanes).unroll(part)
        parts.update().reorder(part, outer).vectorize(part, lanes).unroll(part)
        total.update().atomic().vectorize(lane, lanes)


def add_norm_inputs(size: Sizes) -> dict[str, Array]:
    return {
        "tokens": normal(size[::-1]),
        "branch": normal(size[::-1], seed=1),
        "scale": 1 + normal((WIDTH,), 0.1, 2),
        "shift": normal((WIDTH,), 0.1, 3),
    }


def add_norm(images: Mapping[str, Array]) -> Array:
    rows = images["tokens"].astype(np.float64) + images["branch"]
    return np_layer_norm(rows, images["scale"], images["shift"]).astype(np.float32)


ENTRIES = (
    Entry(
        name="dense_relu",
        kind="network",
        source="PyTorch Linear, ReLU",
        build=build_dense_relu,
        inputs=dense_relu_inputs,
        reference=dense_relu,
        bench_size=(512, 512),
        test_size=(85, 23),
        tolerance=1e-4,
        differentiable=True,
        hand=dense_relu_hand,
    ),
    Entry(
        name="attention",
        kind="network",
        source="Vaswani et al., Attention is all you need, 2017, with a causal mask",
        build=build_attention,
        inputs=attention_inputs,
        reference=attention,
        bench_size=(KEY, 256, 8),
        test_size=(KEY, 19, 3),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="feed_forward",
        kind="network",
        source="the feed-forward block of ViT: Dosovitskiy et al., 2021",
        build=build_feed_forward,
        inputs=feed_forward_inputs,
        reference=feed_forward,
        bench_size=(MODEL, 784),
        test_size=(MODEL, 19),
        tolerance=1e-3,
        differentiable=True,
    ),
    Entry(
        name="add_norm",
        kind="network",
        source="Ba, Kiros and Hinton, Layer normalization, 2016, after a skip as in BERT",
        build=build_add_norm,
        inputs=add_norm_inputs,
        reference=add_norm,
        bench_size=(WIDTH, 2048),
        test_size=(WIDTH, 19),
        tolerance=1e-4,
        differentiable=True,
        hand=add_norm_hand,
    ),
)
