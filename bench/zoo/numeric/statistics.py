"""Statistics of whole pictures, rows, blocks and neighbourhoods, and what is computed from them pixel by pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from scipy.ndimage import uniform_filter
from scipy.special import log_softmax as scipy_log_softmax

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.numeric.layers import normal, reduced
from bench.zoo.pieces import Stages, pictures, repeat_edge, total


def plane_sum(hl: ModuleType, stages: Stages, name: str, values: Any, size: Sequence[Any], rest: Sequence[Any]) -> Any:
    """The sum of each plane of `values` (x, y, rest), row by row; a Func of `rest`."""
    y = hl.Var("y")
    r, s = hl.RDom([(0, size[0])], f"r_{name}"), hl.RDom([(0, size[1])], f"s_{name}")
    rows = reduced(stages, f"rows_{name}", (y, *rest), hl.f32(0), values[r, y, *rest])
    return reduced(stages, name, tuple(rest), hl.f32(0), rows[s, *rest])


def build_instance_norm(hl: ModuleType) -> Algorithm:
    """Every plane less its mean, over its deviation, negative values made small."""
    image = hl.ImageParam(hl.Float(32), 3, "image")
    scale, shift = (hl.ImageParam(hl.Float(32), 1, name) for name in ("scale", "shift"))
    stages, (x, y, c) = Stages(hl), hl.vars("x y c")
    size = image.width(), image.height()
    share = 1.0 / hl.f32(size[0] * size[1])
    sums = plane_sum(hl, stages, "sum", image, size, (c,))
    mean = stages.define("mean", (c,), sums[c] * share)
    deviation = image[x, y, c] - mean[c]
    square = stages.define("square", (x, y, c), deviation * deviation)
    squares = plane_sum(hl, stages, "squares", square, size, (c,))
    gain = stages.define("gain", (c,), scale[c] / hl.sqrt(squares[c] * share + hl.f32(1e-5)))
    value = (image[x, y, c] - mean[c]) * gain[c] + shift[c]
    output = stages.define("normalised", (x, y, c), hl.select(value > 0, value, hl.f32(0.1) * value))
    return Algorithm(output, {"image": image, "scale": scale, "shift": shift}, stages=stages)


def instance_norm_inputs(size: Sizes) -> dict[str, Array]:
    image = noise(size[::-1], np.float32, 0, 1)
    return {"image": image, "scale": 1 + normal((size[2],), 0.2), "shift": normal((size[2],), 0.2, 1)}


def instance_norm(images: Mapping[str, Array]) -> Array:
    image, scale, shift = (images[name].astype(np.float64) for name in ("image", "scale", "shift"))
    centred = image - image.mean(axis=(1, 2), keepdims=True)
    gain = scale / np.sqrt(image.var(axis=(1, 2)) + 1e-5)
    value = centred * gain[:, None, None] + shift[:, None, None]
    return np.where(value > 0, value, 0.1 * value).astype(np.float32)


def build_log_softmax(hl: ModuleType) -> Algorithm:
    """Of every row: values less the logarithm of the sum of their exponentials, relative to the largest."""
    logits = hl.ImageParam(hl.Float(32), 2, "logits")
    stages, (k, n) = Stages(hl), hl.vars("k n")
    r, s = (hl.RDom([(0, logits.width())], name) for name in "rs")
    most = reduced(stages, "most", (n,), hl.Float(32).min(), logits[r, n], hl.max)
    sums = reduced(stages, "sums", (n,), hl.f32(0), hl.exp(logits[s, n] - most[n]))
    offset = stages.define("offset", (n,), most[n] + hl.log(sums[n]))
    return Algorithm(stages.define("log_softmax", (k, n), logits[k, n] - offset[n]), {"logits": logits}, stages=stages)


def log_softmax(images: Mapping[str, Array]) -> Array:
    return scipy_log_softmax(images["logits"].astype(np.float64), axis=1).astype(np.float32)


BANDS, POWER_STEPS = 8, 6


def build_principal_component(hl: ModuleType) -> Algorithm:
    """Every pixel of several bands, innermost, along the direction in which all pixels vary most."""
    image = hl.ImageParam(hl.Float(32), 3, "image")
    stages, (b, i, j, x, y) = Stages(hl), hl.vars("b i j x y")
    width, height = image.dim(1).extent(), image.dim(2).extent()
    share = 1.0 / hl.f32(width * height)
    r, s, u, v = (hl.RDom([(0, extent)], name) for extent, name in zip((width, height) * 2, "rsuv", strict=True))
    rows = reduced(stages, "rows", (b, y), hl.f32(0), image[b, r, y])
    sums = reduced(stages, "sums", (b,), hl.f32(0), rows[b, s])
    centred = stages.define("centred", (b, x, y), image[b, x, y] - sums[b] * share)
    products = reduced(stages, "products", (i, j, y), hl.f32(0), centred[i, u, y] * centred[j, u, y])
    covariance = reduced(stages, "covariance", (i, j), hl.f32(0), products[i, j, v] * share)
    direction = stages.define("start", (i,), hl.f32(1))
    for k in range(POWER_STEPS):
        t, w = (hl.RDom([(0, BANDS)], f"{name}_{k}") for name in "tw")
        turned = reduced(stages, f"turned_{k}", (i,), hl.f32(0), covariance[i, t] * direction[t])
        square = reduced(stages, f"square_{k}", (), hl.f32(0), turned[w] * turned[w])
        direction = stages.define(f"direction_{k}", (i,), turned[i] / hl.sqrt(square[()]))
    d = hl.RDom([(0, BANDS)], "d")
    return Algorithm(
        reduced(stages, "component", (x, y), hl.f32(0), centred[d, x, y] * direction[d]),
        {"image": image},
        stages=stages,
    )


def component_inputs(size: Sizes) -> dict[str, Array]:
    width, height = size
    planes = [noise((height, width), np.float32, 0, 1, seed=k) for k in range(3)]
    mixture = 1 + normal((3, BANDS), 0.4)
    return {"image": np.stack(planes, axis=2) @ mixture}


def principal_component(images: Mapping[str, Array]) -> Array:
    image = images["image"].astype(np.float64)
    centred = image - image.mean(axis=(0, 1))
    flat = centred.reshape(-1, BANDS)
    covariance, direction = flat.T @ flat / len(flat), np.ones(BANDS)
    for _ in range(POWER_STEPS):
        direction = covariance @ direction
        direction /= np.linalg.norm(direction)
    return (centred @ direction).astype(np.float32)


TEMPLATE = 16  # pixels of a side


def build_template_match(hl: ModuleType) -> Algorithm:
    """The correlation of a template with the window at each place, both less their means, over their deviations."""
    image, template = (hl.ImageParam(hl.Float(32), 2, name) for name in ("image", "template"))
    stages, (x, y) = Stages(hl), hl.vars("x y")
    share = hl.f32(1 / TEMPLATE**2)
    r, t, u = (hl.RDom([(0, TEMPLATE), (0, TEMPLATE)], name) for name in "rtu")
    template_sum = reduced(stages, "template_sum", (), hl.f32(0), template[t.x, t.y])
    pattern = stages.define("pattern", (x, y), template[x, y] - template_sum[()] * share)
    energy = reduced(stages, "energy", (), hl.f32(0), pattern[u.x, u.y] * pattern[u.x, u.y])
    product = reduced(stages, "product", (x, y), hl.f32(0), image[x + r.x, y + r.y] * pattern[r.x, r.y])
    square = stages.define("square", (x, y), image[x, y] * image[x, y])
    sums = []
    for name, values in (("sum", image), ("squares", square)):
        i, j = hl.RDom([(0, TEMPLATE)], f"i_{name}"), hl.RDom([(0, TEMPLATE)], f"j_{name}")
        down = reduced(stages, f"down_{name}", (x, y), hl.f32(0), values[x, y + i])
        sums.append(reduced(stages, name, (x, y), hl.f32(0), down[x + j, y]))
    variance = hl.max(sums[1][x, y] - sums[0][x, y] * sums[0][x, y] * share, hl.f32(1e-3))
    likeness = stages.define("likeness", (x, y), product[x, y] / hl.sqrt(variance * energy[()]))
    return Algorithm(likeness, {"image": image, "template": template}, stages=stages)


def template_inputs(size: Sizes) -> dict[str, Array]:
    image = noise(tuple(n + TEMPLATE - 1 for n in size[::-1]), np.float32, 0, 1)
    return {"image": image, "template": image[5 : 5 + TEMPLATE, 7 : 7 + TEMPLATE].copy()}


def template_match(images: Mapping[str, Array]) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(images["image"].astype(np.float64), (TEMPLATE, TEMPLATE))
    pattern = images["template"] - images["template"].mean(dtype=np.float64)
    product = np.einsum("yxji,ji->yx", windows, pattern, optimize=True)
    variance = np.stack([rows.var(axis=(1, 2)) for rows in windows]) * TEMPLATE**2
    return (product / np.sqrt(np.maximum(variance, 1e-3) * (pattern**2).sum())).astype(np.float32)


REACH = 8


def build_local_zscore(hl: ModuleType) -> Algorithm:
    """Every pixel less the mean round it, over the deviation round it."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    stages, args = Stages(hl), hl.vars("x y")
    edges, ones = repeat_edge(hl, image, image.width(), image.height()), [1] * (2 * REACH + 1)
    share = hl.f32(1 / len(ones) ** 2)
    square = stages.define("square", args, edges[args] * edges[args])
    sums, squares = stages.blur("sums", edges, args, ones), stages.blur("squares", square, args, ones)
    mean = stages.define("mean", args, sums[args] * share)
    variance = stages.define("variance", args, hl.max(squares[args] * share - mean[args] * mean[args], 0.0))
    score = (image[args] - mean[args]) / (hl.sqrt(variance[args]) + hl.f32(0.01))
    return Algorithm(stages.define("score", args, score), {"image": image}, stages=stages)


def local_zscore(images: Mapping[str, Array]) -> Array:
    image = images["image"].astype(np.float64)
    mean, square = (uniform_filter(values, 2 * REACH + 1, mode="nearest") for values in (image, image**2))
    return ((image - mean) / (np.sqrt(np.maximum(square - mean**2, 0)) + 0.01)).astype(np.float32)


def build_minmax_stretch(hl: ModuleType) -> Algorithm:
    """Sixteen bits to eight: the darkest pixel becomes 0, the brightest 255."""
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    stages, (x, y) = Stages(hl), hl.vars("x y")
    ends = []
    for name, start, merge in (("least", 65535, hl.min), ("most", 0, hl.max)):
        r, s = hl.RDom([(0, image.width())], f"r_{name}"), hl.RDom([(0, image.height())], f"s_{name}")
        rows = reduced(stages, f"rows_{name}", (y,), hl.u16(start), image[r, y], merge)
        ends.append(hl.u32(reduced(stages, name, (), hl.u16(start), rows[s], merge)[()]))
    span = hl.max(ends[1] - ends[0], 1)
    stretched = ((image[x, y] - ends[0]) * 255 + span // 2) // span
    return Algorithm(stages.define("stretched", (x, y), hl.u8(stretched)), {"image": image}, stages=stages)


def minmax_stretch(images: Mapping[str, Array]) -> Array:
    image = images["image"].astype(np.int64)
    span = max(image.max() - image.min(), 1)
    return (((image - image.min()) * 255 + span // 2) // span).astype(np.uint8)


BLOCK, LEVELS = 16, 32


def build_block_entropy(hl: ModuleType) -> Algorithm:
    """The entropy, in bits, of the brightness of each block of 16 x 16 pixels, in 32 levels."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    stages, (level, bx, by) = Stages(hl), hl.vars("level bx by")
    r, s = hl.RDom([(0, BLOCK), (0, BLOCK)], "r"), hl.RDom([(0, LEVELS)], "s")
    count = stages.define("count", (level, bx, by), hl.u16(0))
    count[image[bx * BLOCK + r.x, by * BLOCK + r.y] // (256 // LEVELS), bx, by] += hl.u16(1)
    share = hl.f32(count[s, bx, by]) * hl.f32(1 / BLOCK**2)
    bits = hl.select(count[s, bx, by] > 0, -share * hl.log(share) * hl.f32(1 / np.log(2)), 0.0)
    entropy = reduced(stages, "entropy", (bx, by), hl.f32(0), bits)
    return Algorithm(entropy, {"image": image}, stages=stages)


def entropy_inputs(size: Sizes) -> dict[str, Array]:
    return {"image": noise((size[1] * BLOCK, size[0] * BLOCK), np.uint8, 0, 255)}


def block_entropy(images: Mapping[str, Array]) -> Array:
    level = images["image"].astype(np.int64) // (256 // LEVELS)
    height, width = (n // BLOCK for n in level.shape)
    block = np.repeat(np.repeat(np.arange(height * width).reshape(height, width), BLOCK, 0), BLOCK, 1)
    count = np.bincount((block * LEVELS + level).ravel(), minlength=height * width * LEVELS)
    share = count.reshape(height, width, LEVELS) / BLOCK**2
    return -(share * np.log2(np.where(share > 0, share, 1))).sum(axis=2).astype(np.float32)


CLUSTERS, ROUNDS = 6, 2


def build_kmeans(hl: ModuleType) -> Algorithm:
    """Every pixel gets the nearest of six colours, which twice become the means of the pixels nearest to them."""
    image, start = hl.ImageParam(hl.UInt(8), 3, "image"), hl.ImageParam(hl.Int(32), 2, "start")  # (cluster, channel)
    stages, (x, y, c, k) = Stages(hl), hl.vars("x y c k")
    centre = start
    for step in range(ROUNDS + 1):
        r = hl.RDom([(0, CLUSTERS)], f"cluster_{step}")
        away = [hl.i32(image[x, y, channel]) - centre[r, channel] for channel in range(3)]
        distance = total([difference * difference for difference in away])
        nearest = stages.define(f"nearest_{step}", (x, y), (hl.Int(32).max(), 0))
        best, cluster = nearest[x, y][0], nearest[x, y][1]
        nearest[x, y] = (hl.min(best, distance), hl.select(distance < best, r, cluster))
        label = hl.clamp(nearest[x, y][1], 0, CLUSTERS - 1)
        if step == ROUNDS:
            break
        p = hl.RDom([(0, image.width()), (0, image.height())], f"pixel_{step}")
        at = hl.clamp(nearest[p.x, p.y][1], 0, CLUSTERS - 1)
        sums = stages.define(f"sums_{step}", (k, c), 0)
        sums[at, c] += hl.i32(image[p.x, p.y, c])
        q = hl.RDom([(0, image.width()), (0, image.height())], f"counted_{step}")
        count = stages.define(f"count_{step}", (k,), 0)
        count[hl.clamp(nearest[q.x, q.y][1], 0, CLUSTERS - 1)] += 1
        centre = stages.define(f"centre_{step}", (k, c), (sums[k, c] + count[k] // 2) // hl.max(count[k], 1))
    painted = stages.define("painted", (x, y, c), hl.u8(centre[label, c]))
    return Algorithm(painted, {"image": image, "start": start}, stages=stages)


def kmeans_inputs(size: Sizes) -> dict[str, Array]:
    start = np.random.default_rng(1).integers(60, 196, (3, CLUSTERS), np.int32)
    return {"image": np.stack([noise(size[1::-1], np.uint8, 0, 255, seed=k) for k in range(3)]), "start": start}


def kmeans(images: Mapping[str, Array]) -> Array:
    image, centre = images["image"].reshape(3, -1).astype(np.int64), images["start"].astype(np.int64)
    for step in range(ROUNDS + 1):
        label = ((image[:, None] - centre[..., None]) ** 2).sum(axis=0).argmin(axis=0)
        if step < ROUNDS:
            count = np.bincount(label, minlength=CLUSTERS)
            sums = np.stack([np.bincount(label, plane, CLUSTERS) for plane in image]).astype(np.int64)
            centre = (sums + count // 2) // np.maximum(count, 1)
    return centre[:, label].reshape(images["image"].shape).astype(np.uint8)


ENTRIES = (
    Entry(
        name="instance_norm",
        kind="statistics",
        source="Ulyanov, Vedaldi and Lempitsky, Instance normalization, 2016, and a leaky activation",
        build=build_instance_norm,
        inputs=instance_norm_inputs,
        reference=instance_norm,
        bench_size=(1024, 768, 3),
        test_size=(61, 43, 3),
        tolerance=1e-3,
        differentiable=True,
    ),
    Entry(
        name="log_softmax",
        kind="statistics",
        source="PyTorch log_softmax",
        build=build_log_softmax,
        inputs=lambda size: {"logits": normal(size[::-1], 3.0)},
        reference=log_softmax,
        bench_size=(1000, 3000),
        test_size=(93, 23),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="principal_component",
        kind="statistics",
        source="principal components of multispectral images: scikit-learn PCA, by power iteration",
        build=build_principal_component,
        inputs=component_inputs,
        reference=principal_component,
        bench_size=(1000, 800),
        test_size=(61, 43),
        tolerance=1e-3,
    ),
    Entry(
        name="template_match",
        kind="statistics",
        source="OpenCV matchTemplate, TM_CCOEFF_NORMED",
        build=build_template_match,
        inputs=template_inputs,
        reference=template_match,
        bench_size=(640, 480),
        test_size=(61, 43),
        tolerance=1e-3,
        differentiable=True,
    ),
    Entry(
        name="local_zscore",
        kind="statistics",
        source="local contrast normalisation: Jarrett et al., What is the best multi-stage architecture, 2009",
        build=build_local_zscore,
        inputs=pictures(np.float32, 0, 1, "image"),
        reference=local_zscore,
        bench_size=(2560, 1440),
        test_size=(93, 77),
        tolerance=1e-3,
        differentiable=True,
    ),
    Entry(
        name="minmax_stretch",
        kind="statistics",
        source="OpenCV normalize, NORM_MINMAX",
        build=build_minmax_stretch,
        inputs=pictures(np.uint16, 300, 15000, "image"),
        reference=minmax_stretch,
        bench_size=(6000, 4000),
        test_size=(93, 77),
    ),
    Entry(
        name="block_entropy",
        kind="statistics",
        source="scikit-image shannon_entropy of blocks",
        build=build_block_entropy,
        inputs=entropy_inputs,
        reference=block_entropy,
        bench_size=(400, 300),
        test_size=(13, 11),
        tolerance=1e-4,
    ),
    Entry(
        name="kmeans",
        kind="statistics",
        source="Lloyd's algorithm on colours, as OpenCV kmeans for colour quantisation",
        build=build_kmeans,
        inputs=kmeans_inputs,
        reference=kmeans,
        bench_size=(1280, 720, 3),
        test_size=(61, 43, 3),
    ),
)
