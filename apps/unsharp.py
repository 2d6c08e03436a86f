"""Unsharp masking of a colour picture: what a Gaussian takes away from the luminance is added again."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, pi, sqrt
from types import ModuleType

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid, staged
from apps.run import main

SIGMA = 1.5
RADIUS = 3
WEIGHTS = [float(np.float32(exp(-i * i / (2 * SIGMA * SIGMA)) / (sqrt(2 * pi) * SIGMA))) for i in range(RADIUS + 1)]
RED, GREEN, BLUE = (float(np.float32(w)) for w in (0.299, 0.587, 0.114))


def build(hl: ModuleType) -> Algorithm:
    """Sharpen by the ratio of the sharpened luminance to the luminance, channel by channel."""
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 3, "source")
    bounded = hl.BoundaryConditions.repeat_edge(source)
    gray, blur_y, blur_x, ratio, output = hl.funcs("gray blur_y blur_x ratio unsharp")
    gray[x, y] = RED * bounded[x, y, 0] + GREEN * bounded[x, y, 1] + BLUE * bounded[x, y, 2]
    blur_y[x, y] = _smooth(lambda i: gray[x, y + i])
    blur_x[x, y] = _smooth(lambda i: blur_y[x + i, y])
    ratio[x, y] = (2 * gray[x, y] - blur_x[x, y]) / gray[x, y]
    output[x, y, c] = ratio[x, y] * source[x, y, c]
    stages = {"gray": gray, "blur_y": blur_y, "ratio": ratio, "x": x, "y": y, "c": c}
    return Algorithm(output, {"source": source}, stages=stages)


def _smooth(tap):
    """The symmetric Gaussian over tap(-RADIUS) .. tap(RADIUS)."""
    total = WEIGHTS[0] * tap(0)
    for i in range(1, RADIUS + 1):
        total += WEIGHTS[i] * (tap(-i) + tap(i))
    return total


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; luminance and vertical blur slide down each strip, a row at a time."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, inner = stages["x"], stages["y"], stages["c"], hl.Var("yi")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.bound(c, 0, 3).split(y, y, inner, 32).reorder(x, c, inner, y).vectorize(x, lanes).parallel(y)
    for name in ("gray", "blur_y", "ratio"):
        stages[name].store_at(output, y).compute_at(output, inner).vectorize(x, lanes)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """One kernel: luminance and its vertical blur are staged for each tile; a thread makes all colours of a pixel."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = stages["x"], stages["y"], stages["c"]
    output.bound(c, 0, 3).reorder(c, x, y).unroll(c)
    grid(hl, output, x, y)
    staged(hl, stages["gray"], output, x, y)
    staged(hl, stages["blur_y"], output, x, y)
    stages["ratio"].compute_at(output, hl.Var("xi"))


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    source = images["source"]
    red, green, blue = np.pad(source, ((0, 0), (RADIUS, RADIUS), (RADIUS, RADIUS)), mode="edge")
    gray = np.float32(RED) * red + np.float32(GREEN) * green + np.float32(BLUE) * blue
    height, width = source.shape[1:]
    blur_y = _smooth(lambda i: gray[RADIUS + i : RADIUS + i + height])
    blur_x = _smooth(lambda i: blur_y[:, RADIUS + i : RADIUS + i + width])
    inside = gray[RADIUS:-RADIUS, RADIUS:-RADIUS]
    return ((2 * inside - blur_x) / inside) * source


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    import cv2

    source = images["source"]
    gray = cv2.transform(cv2.merge(list(source)), np.array([[RED, GREEN, BLUE]], np.float32))
    smooth = cv2.GaussianBlur(gray, (2 * RADIUS + 1,) * 2, SIGMA, borderType=cv2.BORDER_REPLICATE)
    ratio = cv2.divide(cv2.addWeighted(gray, 2, smooth, -1, 0), gray)
    return np.stack([cv2.multiply(ratio, channel) for channel in source])


def inputs(picture: Array) -> dict[str, Array]:
    """Values in 0..1, never quite zero, since the luminance divides."""
    return {"source": (photos.planar(photos.colour(picture)).astype(np.float32) + 1) / 256}


def picture(output: Array) -> Array:
    return photos.to_bytes(photos.interleaved(output))


APP = App(
    name="unsharp",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=opencv,
    rival_name="OpenCV transform, GaussianBlur, divide, multiply",
    photo="chelsea",
    dtype=np.float32,
    bench_size=(1536, 2560, 3),
    test_size=(133, 70, 3),
    tolerance=1e-4,
)

if __name__ == "__main__":
    main(APP)
