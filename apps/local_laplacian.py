"""Local Laplacian filter (Paris, Hasinoff and Kautz, 2011) by a few levels of brightness (Aubry et al., 2014)."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos, pyramid
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid, staged
from apps.run import main

SCALES = 8  # levels of the pyramids, the finest first
EDGE = 3  # the level that ends where the picture does and repeats its edge, so that margins stay small
BANDS = 8  # brightnesses about which detail is remapped, evenly from 0 to 1
ITSELF = BANDS  # the plane of a pyramid that holds the picture itself
STEPS = 256  # of the table between two brightnesses
RED, GREEN, BLUE = (float(np.float32(w)) for w in (0.299, 0.587, 0.114))
DARK = float(np.float32(0.01))  # added to colours and luminance while they are multiplied and divided
SETTINGS = {"detail": 1.0, "contrast": 1.0}


class LocalLaplacian:
    """The stages, each a Func of (x, y) or of (x, y, plane); `stages` holds them by name."""

    def __init__(self, hl: ModuleType, source: Any, detail: Any, contrast: Any) -> None:
        self.hl, self.contrast = hl, contrast
        self.x, self.y, self.k, self.c = hl.vars("x y k c")
        self.stages: dict[str, Any] = {"x": self.x, "y": self.y, "k": self.k, "c": self.c}
        bounded = hl.BoundaryConditions.repeat_edge(source)
        self.colours = self.define("colours", hl.f32(bounded[self.x, self.y, self.c]) / 65535, self.c)
        red, green, blue = (self.colours[self.x, self.y, channel] for channel in range(3))
        self.grey = self.define("grey", RED * red + GREEN * green + BLUE * blue)
        self.curve = self.stages["curve"] = hl.Func("curve")
        distance = hl.f32(self.x) / STEPS
        self.curve[self.x] = detail / (BANDS - 1) * distance * hl.exp(-distance * distance / 2)

    def define(self, name: str, value: Any, *more: Any) -> Any:
        """A Func of (x, y) and the further arguments."""
        func = self.stages[name] = self.hl.Func(name)
        func[(self.x, self.y, *more)] = value
        return func

    def remapped(self, band: Any) -> Any:
        """The luminance with what differs from the band's brightness amplified when small, scaled when large."""
        hl, grey = self.hl, self.grey[self.x, self.y]
        brightness = hl.f32(band) / (BANDS - 1)
        index = hl.clamp(hl.i32(grey * ((BANDS - 1) * STEPS)), 0, (BANDS - 1) * STEPS)
        return self.contrast * (grey - brightness) + brightness + self.curve[index - STEPS * band]

    def halved(self, scale: int, finer: Any) -> Any:
        """A pyramid's next level: weights 1 3 3 1 each way."""
        x, y, k = self.x, self.y, self.k

        def mean(tap: Any) -> Any:
            return (tap(-1) + 3.0 * (tap(0) + tap(1)) + tap(2)) / 8

        down_y = self.define(f"down_y_{scale}", mean(lambda i: finer[x, 2 * y + i, k]), k)
        return self.define(f"level_{scale}", mean(lambda i: down_y[2 * x + i, y, k]), k)

    def with_edge(self, level: Any, source: Any) -> Any:
        width, height = ((extent + (1 << EDGE) - 1) >> EDGE for extent in (source.width(), source.height()))
        return self.hl.BoundaryConditions.repeat_edge(level, [(0, width), (0, height)])

    def doubled(self, name: str, coarser: Any, *plane: Any) -> Any:
        """A level at twice its size: a pixel lies a quarter of a coarser one's width from the nearest centre."""
        x, y = self.x, self.y

        def between(before: Any, after: Any, at: Any) -> Any:
            return self.hl.lerp(after, before, 0.25 + 0.5 * self.hl.f32(at % 2))

        before, after = (coarser[(x, (y + side) // 2, *plane)] for side in (-1, 1))
        up_y = self.define(name, between(before, after, y), *plane)
        return lambda *at: between(up_y[((x - 1) // 2, y, *at)], up_y[((x + 1) // 2, y, *at)], x)

    def at_brightness(self, brightness: Any, plane: Any) -> Any:
        """Interpolated between the planes of the two bands next to a brightness (of 0 .. BANDS - 1)."""
        weights = [self.hl.max(1.0 - self.hl.abs(brightness - float(band)), 0.0) for band in range(BANDS)]
        return sum((weight * plane(band) for band, weight in enumerate(weights[1:], 1)), weights[0] * plane(0))

    def brightness(self, grey: Any) -> Any:
        return self.hl.clamp(grey * float(BANDS - 1), 0.0, float(BANDS - 1))

    def finest_detail(self, coarser: Any) -> Any:
        """As `detail`, but the table is looked up for two bands only."""
        hl, brightness = self.hl, self.brightness(self.grey[self.x, self.y])
        below = hl.clamp(hl.i32(brightness), 0, BANDS - 2)
        current = hl.lerp(self.remapped(below), self.remapped(below + 1), brightness - hl.f32(below))
        return current - self.at_brightness(brightness, coarser)

    def detail(self, level: Any, coarser: Any) -> Any:
        """The level of the output's Laplacian pyramid: at each pixel, that of the bands next to its brightness."""
        x, y = self.x, self.y
        brightness = self.brightness(level[x, y, ITSELF])
        return self.at_brightness(brightness, lambda band: level[x, y, band] - coarser(band))

    def output(self, source: Any) -> Any:
        hl, x, y, k, c = self.hl, self.x, self.y, self.k, self.c
        finest = hl.select(hl.likely(k < BANDS), self.remapped(k), self.grey[x, y])
        levels = [self.define("level_0", finest, k)]
        for scale in range(1, SCALES):
            finer = self.with_edge(levels[-1], source) if scale == EDGE + 1 else levels[-1]
            levels.append(self.halved(scale, finer))
        last = levels[-1]
        coarsest = self.at_brightness(self.brightness(last[x, y, ITSELF]), lambda band: last[x, y, band])
        result = self.define(f"result_{SCALES - 1}", coarsest)
        for scale in reversed(range(SCALES - 1)):
            coarser = self.doubled(f"up_y_{scale}", levels[scale + 1], k)
            detail = self.detail(levels[scale], coarser) if scale else self.finest_detail(coarser)
            result = self.define(f"result_{scale}", self.doubled(f"result_up_y_{scale}", result)() + detail)
        gain = self.define("gain", (result[x, y] + DARK) / (self.grey[x, y] + DARK))
        colour = hl.clamp(gain[x, y] * (self.colours[x, y, c] + DARK) - DARK, 0.0, 1.0)
        return self.define("local_laplacian", hl.u16(colour * 65535.0), c)


def build(hl: ModuleType) -> Algorithm:
    """Amplify detail at every scale and keep edges: each pixel takes its detail from a picture remapped about it."""
    source = hl.ImageParam(hl.UInt(16), 3, "source")
    params = {name: hl.Param(hl.Float(32), name, value) for name, value in SETTINGS.items()}
    pipe = LocalLaplacian(hl, source, params["detail"], params["contrast"])
    return Algorithm(pipe.output(source), {"source": source}, params, pipe.stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel, up and down the pyramids; what a row needs is made for that row, sliding.

    The curve stays inline: vectors compute it in less time than they would take to look it up.
    """
    stages, output = algorithm.stages, algorithm.output
    x, y, k, c = (stages[name] for name in ("x", "y", "k", "c"))
    strip = hl.Var("strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    round_up = hl.TailStrategy.RoundUp
    for scale in range(1, SCALES):
        level = stages[f"level_{scale}"].compute_root().vectorize(x, lanes, round_up)
        stages[f"down_y_{scale}"].compute_at(level, y).vectorize(x, lanes, round_up)
        level.split(y, strip, y, 8).reorder(x, y, k, strip).parallel(strip)
    grey = stages["grey"].clone_in(stages["level_0"])
    grey.compute_at(stages["level_1"], strip).vectorize(x, lanes, round_up)
    stages["level_0"].store_at(stages["level_1"], k).compute_at(stages["level_1"], y).vectorize(x, lanes, round_up)

    stages[f"result_{SCALES - 1}"].compute_root().vectorize(x, lanes, round_up)
    for scale in range(1, SCALES - 1):
        result = stages[f"result_{scale}"].compute_root().vectorize(x, 2 * lanes, round_up)
        result.split(y, strip, y, 8).parallel(strip)
        for name in (f"up_y_{scale}", f"result_up_y_{scale}"):
            stages[name].compute_at(result, y).vectorize(x, lanes, round_up)
    output.bound(c, 0, 3).split(y, strip, y, 16).reorder(x, c, y, strip).vectorize(x, lanes).parallel(strip)
    for name in ("up_y_0", "result_up_y_0"):
        stages[name].compute_at(output, y).vectorize(x, lanes, round_up)
    stages["gain"].compute_at(output, y).vectorize(x, 2 * lanes, round_up)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Every level of the pyramids in a kernel of its own, the bands as planes of the grid."""
    stages, output = algorithm.stages, algorithm.output
    x, y, k, c = (stages[name] for name in ("x", "y", "k", "c"))
    stages["curve"].compute_root().gpu_tile(x, hl.Var("xi"), 64)
    grid(hl, stages["grey"].compute_root(), x, y)
    for scale in range(1, SCALES):
        level = stages[f"level_{scale}"].compute_root()
        grid(hl, level, x, y, k)
        staged(hl, stages[f"down_y_{scale}"], level, x, y)
        grid(hl, stages[f"result_{scale}"].compute_root(), x, y)
    grid(hl, output.bound(c, 0, 3).reorder(c, x, y).unroll(c), x, y)
    stages["gain"].compute_at(output, hl.Var("xi"))


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    colours = images["source"].astype(np.float32) / np.float32(65535)
    grey = np.float32(RED) * colours[0] + np.float32(GREEN) * colours[1] + np.float32(BLUE) * colours[2]
    sizes = pyramid.sizes(grey.shape, SCALES)
    levels = [_planes(pyramid.extended(grey), settings)]
    for scale, size in enumerate(sizes[1:]):
        finer = pyramid.extended(pyramid.inside(levels[-1])) if scale == EDGE else levels[-1]
        levels.append(_halved(finer, size))
    result = _at_brightness(levels[-1][ITSELF], levels[-1])
    for level, coarser, size in zip(levels[-2::-1], levels[:0:-1], sizes[-2::-1], strict=True):
        result = _doubled(result, size) + _at_brightness(level[ITSELF], level[:BANDS] - _doubled(coarser[:BANDS], size))
    dark = np.float32(DARK)
    gain = (pyramid.inside(result) + dark) / (grey + dark)
    return (np.clip(gain * (colours + dark) - dark, 0, 1) * np.float32(65535)).astype(np.uint16)


def _planes(grey: Array, settings: Settings) -> Array:
    """The luminance remapped about each band's brightness, and itself."""
    detail, contrast = (np.float32(settings[name]) for name in ("detail", "contrast"))
    reach = (BANDS - 1) * STEPS
    distance = np.arange(-reach, reach + 1, dtype=np.float32) / np.float32(STEPS)
    curve = detail / np.float32(BANDS - 1) * distance * np.exp(-distance * distance / 2)
    index = np.clip((grey * np.float32(reach)).astype(np.int32), 0, reach)
    planes = []
    for band in range(BANDS):
        brightness = np.float32(band) / np.float32(BANDS - 1)
        planes.append(contrast * (grey - brightness) + brightness + curve[index - STEPS * band + reach])
    return np.stack([*planes, grey])


def _at_brightness(grey: Array, planes: Array) -> Array:
    brightness = np.clip(grey * np.float32(BANDS - 1), 0, BANDS - 1)
    below = np.minimum(brightness.astype(np.int32), BANDS - 2)
    share = brightness - below.astype(np.float32)
    lower, upper = (np.take_along_axis(planes, (below + step)[None], 0)[0] for step in (0, 1))
    return lower * (1 - share) + upper * share


def _halved(level: Array, size: tuple[int, int]) -> Array:
    for axis in (-2, -1):
        at = 2 * pyramid.coordinates(size[axis])
        terms = [(at + offset, weight / 8) for offset, weight in zip((-1, 0, 1, 2), (1, 3, 3, 1), strict=True)]
        level = pyramid.weighted_sum(level, axis, terms)
    return level


def _doubled(level: Array, size: tuple[int, int]) -> Array:
    for axis in (-2, -1):
        at = pyramid.coordinates(size[axis])
        level = pyramid.weighted_sum(level, axis, [(at // 2, 0.75), (at // 2 - 1 + 2 * (at % 2), 0.25)])
    return level


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    """Another filter that amplifies detail and keeps edges, on 8 bits."""
    import cv2

    enhanced = cv2.detailEnhance(photos.interleaved(photos.to_bytes(images["source"])))
    return photos.planar(enhanced).astype(np.uint16) * 257


def inputs(picture: Array) -> dict[str, Array]:
    """Three planes of 16 bits."""
    return {"source": photos.planar(photos.colour(picture)).astype(np.uint16) * 257}


def picture(output: Array) -> Array:
    return photos.to_bytes(photos.interleaved(output))


APP = App(
    name="local_laplacian",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=opencv,
    rival_name="OpenCV detailEnhance (8 bits)",
    photo="chelsea",
    dtype=np.uint16,
    bench_size=(1536, 2560, 3),
    test_size=(131, 77, 3),
    settings=SETTINGS,
    tolerance=64,
)

if __name__ == "__main__":
    main(APP)
