"""Colour: conversions, white balance, tone curves."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise


def build_sepia(hl: ModuleType) -> Algorithm:
    image = hl.ImageParam(hl.UInt(8), 3, "rgb")
    x, y, c = hl.vars("x y c")
    weights, sepia = hl.funcs("weights sepia")
    weights[c] = hl.mux(c, [hl.f32(w) for w in (0.30, 0.28, 0.22)])
    total = sum((hl.f32(image[x, y, k]) for k in range(3)), hl.f32(0))
    sepia[x, y, c] = hl.u8(hl.min(total * weights[c], 255.0))
    return Algorithm(sepia, {"rgb": image})


def sepia_inputs(size: Sizes) -> dict[str, Array]:
    return {"rgb": noise(size[::-1], np.uint8, 0, 255)}


def sepia(images: Mapping[str, Array]) -> Array:
    total = images["rgb"].astype(np.float32).sum(axis=0, dtype=np.float32)
    weights = np.array([0.30, 0.28, 0.22], np.float32)[:, None, None]
    return np.minimum(total[None] * weights, np.float32(255)).astype(np.uint8)


ENTRIES = (
    Entry(
        name="sepia",
        kind="colour",
        source="three weighted sums of the channels, as in OpenCV's cv2.transform",
        build=build_sepia,
        inputs=sepia_inputs,
        reference=sepia,
        bench_size=(1920, 1080, 3),
        test_size=(37, 23, 3),
    ),
)
