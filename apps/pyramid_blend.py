"""Two photographs in one without a seam: coarse levels blend widely, fine ones narrowly (Burt and Adelson, 1983)."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos, pyramid
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

LEVELS = 6  # of the pyramids, the finest first
PARTNER = "hubble_deep_field"  # the photograph that the picture is blended with


class Blend:
    """The stages, each a Func of (x, y) or of (x, y, c); `stages` holds them by name.

    All is linear. So only the difference of the photographs needs a pyramid: with d the difference on one level and m
    its mask, what the blend has more than the first photograph is e = m (d - up(d')) + up(e'), where d' and e' are
    those of the next coarser level; on the coarsest it is m d.
    """

    def __init__(self, hl: ModuleType, images: Mapping[str, Any]) -> None:
        self.hl, self.images = hl, images
        self.x, self.y, self.c = hl.vars("x y c")
        self.stages: dict[str, Any] = {"x": self.x, "y": self.y, "c": self.c}

    def define(self, name: str, value: Any, *plane: Any) -> Any:
        func = self.stages[name] = self.hl.Func(name)
        func[(self.x, self.y, *plane)] = value
        return func

    def finest(self, name: str, *plane: Any) -> Any:
        """An input as floating point, its edge repeated."""
        image = self.images[name]
        bounded = self.hl.BoundaryConditions.repeat_edge(image, [(0, image.width()), (0, image.height())])
        return self.hl.f32(bounded[(self.x, self.y, *plane)])

    def halved(self, name: str, finer: Any, *plane: Any) -> Any:
        """A pyramid's next level: weights 1 3 3 1 each way."""
        x, y = self.x, self.y

        def mean(tap: Any) -> Any:
            return (tap(-1) + 3.0 * (tap(0) + tap(1)) + tap(2)) / 8

        down_y = self.define(f"down_y_{name}", mean(lambda i: finer[(x, 2 * y + i, *plane)]), *plane)
        return self.define(name, mean(lambda i: down_y[(2 * x + i, y, *plane)]), *plane)

    def doubled(self, name: str, coarser: Any) -> Any:
        """A level at twice its size: a pixel lies a quarter of a coarser one's width from the nearest centre."""
        x, y, c = self.x, self.y, self.c

        def between(before: Any, after: Any, at: Any) -> Any:
            return self.hl.lerp(after, before, 0.25 + 0.5 * self.hl.f32(at % 2))

        before, after = (coarser[x, (y + side) // 2, c] for side in (-1, 1))
        up_y = self.define(f"up_y_{name}", between(before, after, y), c)
        return between(up_y[(x - 1) // 2, y, c], up_y[(x + 1) // 2, y, c], x)

    def output(self) -> Any:
        hl, x, y, c = self.hl, self.x, self.y, self.c
        first = self.finest("first", c)
        differences = [self.define("difference_0", self.finest("second", c) - first, c)]
        masks = [self.define("mask_0", self.finest("mask") / 255)]
        for scale in range(1, LEVELS):
            differences.append(self.halved(f"difference_{scale}", differences[-1], c))
            masks.append(self.halved(f"mask_{scale}", masks[-1]))
        change = self.define(f"change_{LEVELS - 1}", masks[-1][x, y] * differences[-1][x, y, c], c)
        for scale in reversed(range(LEVELS - 1)):
            coarser = self.doubled(f"difference_{scale}", differences[scale + 1])
            detail = differences[scale][x, y, c] - coarser
            more = self.doubled(f"change_{scale}", change)
            change = self.define(f"change_{scale}", masks[scale][x, y] * detail + more, c)
        return self.define("pyramid_blend", hl.u8(hl.clamp(first + change[x, y, c] + 0.5, 0.0, 255.0)), c)


def build(hl: ModuleType) -> Algorithm:
    """Blend the levels of two Laplacian pyramids by the levels of a mask's Gaussian pyramid, and add them up."""
    images = {name: hl.ImageParam(hl.UInt(8), 2 if name == "mask" else 3, name) for name in ("first", "second", "mask")}
    blend = Blend(hl, images)
    return Algorithm(blend.output(), images, stages=blend.stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Every level in strips of rows in parallel; the vertical halves of the filters a row at a time."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = (stages[name] for name in ("x", "y", "c"))
    strip = hl.Var("strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    round_up = hl.TailStrategy.RoundUp
    for scale in range(1, LEVELS):
        for name, planes in ((f"difference_{scale}", [c]), (f"mask_{scale}", [])):
            level = stages[name].compute_root().vectorize(x, lanes, round_up)
            stages[f"down_y_{name}"].compute_at(level, y).vectorize(x, lanes, round_up)
            level.split(y, strip, y, 8).reorder(x, y, *planes, strip).parallel(strip)
    for scale in range(1, LEVELS):
        change = stages[f"change_{scale}"].compute_root().vectorize(x, lanes, round_up)
        change.split(y, strip, y, 8).reorder(x, y, c, strip).parallel(strip)
    for scale in range(LEVELS - 1):
        level = stages[f"change_{scale}"] if scale else output
        for name in (f"up_y_difference_{scale}", f"up_y_change_{scale}"):
            stages[name].compute_at(level, y).vectorize(x, lanes, round_up)
    output.bound(c, 0, 3).split(y, strip, y, 16).reorder(x, y, c, strip).vectorize(x, 2 * lanes).parallel(strip)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Every level of the pyramids in a kernel of its own."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = (stages[name] for name in ("x", "y", "c"))
    for scale in range(1, LEVELS):
        grid(hl, stages[f"difference_{scale}"].compute_root(), x, y, c)
        grid(hl, stages[f"mask_{scale}"].compute_root(), x, y)
        grid(hl, stages[f"change_{scale}"].compute_root(), x, y, c)
    grid(hl, output.bound(c, 0, 3), x, y, c)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    """By both photographs' Laplacian pyramids, as the paper has it."""
    firsts, seconds, masks = (_levels(images[name].astype(np.float32)) for name in ("first", "second", "mask"))
    result = firsts[-1] + masks[-1] / 255 * (seconds[-1] - firsts[-1])
    for scale in reversed(range(LEVELS - 1)):
        first, second = (
            levels[scale] - _doubled(levels[scale + 1], masks[scale].shape) for levels in (firsts, seconds)
        )
        result = _doubled(result, masks[scale].shape) + first + masks[scale] / 255 * (second - first)
    return np.clip(pyramid.inside(result) + np.float32(0.5), 0, 255).astype(np.uint8)


def _levels(image: Array) -> list[Array]:
    levels = [pyramid.extended(image)]
    for size in pyramid.sizes(image.shape, LEVELS)[1:]:
        level = levels[-1]
        for axis, length in zip((-2, -1), size, strict=True):
            at = 2 * pyramid.coordinates(length)
            terms = [(at + offset, weight / 8) for offset, weight in zip((-1, 0, 1, 2), (1, 3, 3, 1), strict=True)]
            level = pyramid.weighted_sum(level, axis, terms)
        levels.append(level)
    return levels


def _doubled(level: Array, shape: tuple[int, ...]) -> Array:
    for axis in (-2, -1):
        at = pyramid.coordinates(shape[axis] - 2 * pyramid.MARGIN)
        level = pyramid.weighted_sum(level, axis, [(at // 2, 0.75), (at // 2 - 1 + 2 * (at % 2), 0.25)])
    return level


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    """OpenCV's pyramids, whose filters have five taps."""
    import cv2

    mask = cv2.merge([images["mask"]] * 3).astype(np.float32) / 255
    levels = [[*(photos.interleaved(images[name]).astype(np.float32) for name in ("first", "second")), mask]]
    for _ in range(1, LEVELS):
        levels.append([cv2.pyrDown(image, borderType=cv2.BORDER_REPLICATE) for image in levels[-1]])
    first, second, mask = levels[-1]
    result = first + mask * (second - first)
    for finer, coarser in zip(levels[-2::-1], levels[:0:-1], strict=True):
        size = finer[0].shape[1::-1]
        first, second = (
            image - cv2.pyrUp(coarse, dstsize=size) for image, coarse in zip(finer[:2], coarser[:2], strict=True)
        )
        result = cv2.pyrUp(result, dstsize=size) + first + finer[2] * (second - first)
    return photos.planar(np.clip(np.rint(result), 0, 255).astype(np.uint8))


def inputs(picture: Array) -> dict[str, Array]:
    """The picture, a packaged photograph of its size, and a mask that takes the second outside an ellipse."""
    height, width = picture.shape[:2]
    down, across = (np.linspace(-1, 1, n) for n in (height, width))
    mask = np.where((down[:, None] + 0.1) ** 2 + across**2 < 0.55, 0, 255).astype(np.uint8)
    partner = photos.mirrored(photos.photo(PARTNER), width, height)
    return {"first": photos.planar(photos.colour(picture)), "second": photos.planar(partner), "mask": mask}


APP = App(
    name="pyramid_blend",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=photos.interleaved,
    rival=opencv,
    rival_name="OpenCV pyrDown, pyrUp",
    photo="astronaut",
    dtype=np.uint8,
    bench_size=(1536, 2560, 3),
    test_size=(133, 70, 3),
    tolerance=1,
)

if __name__ == "__main__":
    main(APP)
