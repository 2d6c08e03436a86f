"""Transforms by sums and differences: Haar's and the 5/3 wavelet, Walsh-Hadamard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from scipy.linalg import hadamard

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages

BLOCK = 8  # pixels of a side
LEVELS, SOFT = 3, 0.04


def build_haar_denoise(hl: ModuleType) -> Algorithm:
    """Three levels of Haar's wavelet, details shrunk, put together again."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    x, y, band = hl.vars("x y band")
    stages = Stages(hl)
    approximations, details = [image], []
    for level in range(LEVELS):
        fine = approximations[-1]
        left, right = ([fine[2 * x + dx, 2 * y + dy] for dy in (0, 1)] for dx in (0, 1))
        low, high = ([(a + sign * b) * 0.5 for a, b in zip(left, right, strict=True)] for sign in (1, -1))
        bands = [high[0] + high[1], low[0] - low[1], high[0] - high[1]]
        approximations.append(stages.define(f"approximation_{level}", (x, y), low[0] + low[1]))
        shrunk = [value - hl.clamp(value, hl.f32(-SOFT), hl.f32(SOFT)) for value in bands]
        details.append(stages.define(f"detail_{level}", (x, y, band), hl.mux(band, shrunk)))
    coarse = approximations[-1]
    for level in reversed(range(LEVELS)):
        low, across, down, both = (
            coarse[x // 2, y // 2],
            *(details[level][x // 2, y // 2, k] for k in range(3)),
        )
        across, both = (hl.select(x % 2 == 0, value, -value) for value in (across, both))
        down, both = (hl.select(y % 2 == 0, value, -value) for value in (down, both))
        coarse = stages.define(f"fine_{level}", (x, y), (low + across + down + both) * 0.5)
    return Algorithm(coarse, {"image": image}, stages=stages)


def haar_inputs(size: Sizes) -> dict[str, Array]:
    width, height = (-(-n // 8) * 8 for n in size)
    return {"image": noise((height, width), np.float32, 0, 1)}


def haar_denoise(images: Mapping[str, Array]) -> Array:
    """With one orthogonal matrix along each axis of a block of 2 x 2."""
    matrix = np.array([[1, 1], [1, -1]]) / np.sqrt(2)

    def shrunk(image: Array, levels: int) -> Array:
        if not levels:
            return image
        blocks = image.reshape(image.shape[0] // 2, 2, -1, 2)
        waves = np.einsum("ij,kl,ajbl->aibk", matrix, matrix, blocks)
        small = np.sign(waves) * np.maximum(abs(waves) - SOFT, 0)
        small[:, 0, :, 0] = shrunk(waves[:, 0, :, 0], levels - 1)
        return np.einsum("ji,lk,ajbl->aibk", matrix, matrix, small).reshape(image.shape)

    return shrunk(images["image"].astype(np.float64), LEVELS).astype(np.float32)


def build_lossless_wavelet(hl: ModuleType) -> Algorithm:
    """JPEG 2000's reversible colours and 5/3 wavelet by lifting: (x, y, component, band), bands LL, HL, LH, HH."""
    image = hl.ImageParam(hl.UInt(8), 3, "image")
    x, y, c, band = hl.vars("x y c band")
    stages = Stages(hl)
    mirrored = hl.BoundaryConditions.mirror_interior(image)
    red, green, blue = (hl.i16(mirrored[x, y, k]) for k in range(3))
    components = [(red + 2 * green + blue >> 2) - 128, blue - green, red - green]
    component = stages.define("component", (x, y, c), hl.mux(c, components))

    def lifted(line: Any, at: Any, name: str, args: Sequence[Any]) -> tuple[Any, Any]:
        """High pass: odd values less the mean of their neighbours. Low pass: even values and a share of that."""
        high = stages.define(f"high_{name}", args, line(2 * at + 1) - (line(2 * at) + line(2 * at + 2) >> 1))
        before = tuple(arg - 1 if arg is at else arg for arg in args)
        low = stages.define(f"low_{name}", args, line(2 * at) + (high[before] + high[args] + 2 >> 2))
        return low, high

    args = (x, y, c)
    low, high = lifted(lambda at: component[at, y, c], x, "x", args)
    bands = [
        func
        for name, part in (("low", low), ("high", high))
        for func in lifted(lambda at, part=part: part[x, at, c], y, f"y_{name}", args)
    ]
    order = [bands[k][x, y, c] for k in (0, 2, 1, 3)]
    coefficients = stages.define("coefficients", (x, y, c, band), hl.mux(band, order))
    return Algorithm(coefficients, {"image": image}, stages=stages)


def wavelet_inputs(size: Sizes) -> dict[str, Array]:
    width, height, channels, _ = size
    return {"image": noise((channels, 2 * height, 2 * width), np.uint8, 0, 255)}


def lossless_wavelet(images: Mapping[str, Array]) -> Array:
    red, green, blue = np.pad(images["image"].astype(np.int16), ((0, 0), (4, 4), (4, 4)), mode="reflect")
    components = np.stack([(red + 2 * green + blue >> 2) - 128, blue - green, red - green])

    def lifted(values: Array) -> tuple[Array, Array]:
        """Along the last axis."""
        even, odd = values[..., ::2], values[..., 1::2]
        high = odd - (even + np.roll(even, -1, -1) >> 1)
        return even + (np.roll(high, 1, -1) + high + 2 >> 2), high

    (ll, lh), (hl, hh) = ([band.swapaxes(1, 2) for band in lifted(part.swapaxes(1, 2))] for part in lifted(components))
    return np.stack([ll, hl, lh, hh])[..., 2:-2, 2:-2]


def butterfly(at: Any, half: int) -> tuple[Any, Any, Any]:
    """The two places that a step of the Walsh-Hadamard transform combines, and whether `at` is the first."""
    first = at // (2 * half) * (2 * half) + at % half
    return first, first + half, at // half % 2 == 0


def build_satd(hl: ModuleType) -> Algorithm:
    """For each 8 x 8 block and each of 25 displacements: the sum of the Hadamard transform's absolute values."""
    current, reference = (hl.ImageParam(hl.UInt(8), 2, name) for name in ("current", "reference"))
    bx, by, k, m, n = hl.vars("bx by k m n")
    stages, r = Stages(hl), hl.RDom([(0, BLOCK), (0, BLOCK)], "r")
    edges = hl.BoundaryConditions.repeat_edge(reference)
    x, y = bx * BLOCK + m, by * BLOCK + n
    args = (m, n, bx, by, k)
    moved = edges[x + k % SEARCH - SEARCH // 2, y + k // SEARCH - SEARCH // 2]
    step = stages.define("difference", args, hl.i16(current[x, y]) - hl.i16(moved))
    for axis, at in enumerate((m, n)):
        for half in (4, 2, 1):
            upper, lower, is_upper = butterfly(at, half)
            first, second = (tuple(place if a is at else a for a in args) for place in (upper, lower))
            value = hl.select(is_upper, step[first] + step[second], step[first] - step[second])
            step = stages.define(f"butterfly_{'xy'[axis]}{half}", args, value)
    cost = stages["cost"] = hl.Func("cost")
    cost[bx, by, k] = 0
    cost[bx, by, k] += hl.i32(hl.abs(step[r.x, r.y, bx, by, k]))
    return Algorithm(cost, {"current": current, "reference": reference}, stages=stages)


SEARCH = 5  # displacements along each axis


def satd_inputs(size: Sizes) -> dict[str, Array]:
    shape = (size[1] * BLOCK, size[0] * BLOCK)
    return {"current": noise(shape, np.uint8, 0, 255), "reference": noise(shape, np.uint8, 0, 255, seed=1)}


def satd(images: Mapping[str, Array]) -> Array:
    current, reach = images["current"].astype(np.int32), SEARCH // 2
    reference = np.pad(images["reference"].astype(np.int32), reach, mode="edge")
    waves, costs = hadamard(BLOCK), []
    for dy, dx in np.ndindex(SEARCH, SEARCH):
        difference = current - reference[dy : dy + current.shape[0], dx : dx + current.shape[1]]
        blocks = difference.reshape(current.shape[0] // BLOCK, BLOCK, -1, BLOCK).swapaxes(1, 2)
        costs.append(abs(waves @ blocks @ waves).sum(axis=(2, 3)))
    return np.stack(costs).astype(np.int32)


def build_walsh_features(hl: ModuleType) -> Algorithm:
    """Random signs and a Walsh-Hadamard transform of 256 values, twice, then cosines: features of a Gaussian kernel."""
    data, signs = hl.ImageParam(hl.Float(32), 2, "data"), hl.ImageParam(hl.Float(32), 2, "signs")
    x, n = hl.vars("x n")
    stages, values = Stages(hl), data
    for turn in range(2):
        values = stages.define(f"signed_{turn}", (x, n), values[x, n] * signs[x, turn])
        half = WALSH // 2
        while half:
            upper, lower, is_upper = butterfly(x, half)
            first, second = values[upper, n], values[lower, n]
            value = hl.select(is_upper, first + second, first - second)
            values = stages.define(f"walsh_{turn}_{half}", (x, n), value)
            half //= 2
    features = stages.define("features", (x, n), hl.cos(values[x, n] * hl.f32(1 / WALSH) + signs[x, 2]))
    return Algorithm(features, {"data": data, "signs": signs}, stages=stages)


WALSH = 256


def walsh_inputs(size: Sizes) -> dict[str, Array]:
    rng = np.random.default_rng(0)
    signs = np.concatenate([rng.choice([-1, 1], (2, WALSH)), rng.uniform(0, 2 * np.pi, (1, WALSH))])
    return {"data": rng.standard_normal(size[::-1], np.float32), "signs": signs.astype(np.float32)}


def walsh_features(images: Mapping[str, Array]) -> Array:
    waves, (first, second, phase) = hadamard(WALSH), images["signs"].astype(np.float64)
    return np.cos(images["data"] * first @ waves * second @ waves / WALSH + phase).astype(np.float32)


ENTRIES = (
    Entry(
        name="haar_denoise",
        kind="transform",
        source="Donoho, De-noising by soft-thresholding, 1995; scikit-image denoise_wavelet",
        build=build_haar_denoise,
        inputs=haar_inputs,
        reference=haar_denoise,
        bench_size=(3072, 2048),
        test_size=(88, 72),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="lossless_wavelet",
        kind="transform",
        source="JPEG 2000, ISO/IEC 15444-1: reversible colour transform and Le Gall's 5/3 wavelet",
        build=build_lossless_wavelet,
        inputs=wavelet_inputs,
        reference=lossless_wavelet,
        bench_size=(2000, 1500, 3, 4),
        test_size=(45, 35, 3, 4),
    ),
    Entry(
        name="satd",
        kind="transform",
        source="the cost of motion vectors in x264: sums of absolute Hadamard-transformed differences",
        build=build_satd,
        inputs=satd_inputs,
        reference=satd,
        bench_size=(120, 67, 25),
        test_size=(9, 7, 25),
    ),
    Entry(
        name="walsh_features",
        kind="transform",
        source="Le, Sarlos and Smola, Fastfood: approximating kernel expansions in loglinear time, 2013",
        build=build_walsh_features,
        inputs=walsh_inputs,
        reference=walsh_features,
        bench_size=(WALSH, 4096),
        test_size=(WALSH, 19),
        tolerance=1e-4,
    ),
)
