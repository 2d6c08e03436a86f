"""Filling in what is missing from a picture, at every scale: pyramids of pixels weighted with their opacity."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos, pyramid
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

LEVELS = 10
EDGE = 3  # the level that ends where the picture does and repeats its edge, so that margins stay small
STORED_SHARE, BLOCK = 0.6, 6  # the share of the shown pictures that is there, in squares of so many pixels


def build(hl: ModuleType) -> Algorithm:
    """Halve the picture nine times; then, coarsest first, put each level over the enlarged one below it.

    Colours are multiplied with their opacity throughout, so that missing pixels weigh nothing in any average.
    """
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 3, "source")
    bounded = hl.BoundaryConditions.repeat_edge(source)
    stages: dict[str, Any] = {"x": x, "y": y, "c": c}

    def define(name: str, value: Any) -> Any:
        func = stages[name] = hl.Func(name)
        func[x, y, c] = value
        return func

    opacity = bounded[x, y, 3]
    smaller = [define("weighted", hl.select(c < 3, bounded[x, y, c] * opacity, opacity))]
    for level in range(1, LEVELS):
        finer = _with_edge(hl, smaller[-1], source) if level == EDGE + 1 else smaller[-1]
        mean = (finer[x, 2 * y - 1, c] + 2.0 * finer[x, 2 * y, c] + finer[x, 2 * y + 1, c]) / 4
        down_y = define(f"down_y_{level}", mean)
        mean = (down_y[2 * x - 1, y, c] + 2.0 * down_y[2 * x, y, c] + down_y[2 * x + 1, y, c]) / 4
        smaller.append(define(f"smaller_{level}", mean))

    filled = smaller[-1]
    for level in reversed(range(LEVELS - 1)):
        up_y = define(f"up_y_{level}", (filled[x, y // 2, c] + filled[x, (y + 1) // 2, c]) / 2)
        below = (up_y[x // 2, y, c] + up_y[(x + 1) // 2, y, c]) / 2
        over = smaller[level]
        filled = define(f"filled_{level}", over[x, y, c] + (1.0 - over[x, y, 3]) * below)
    output = hl.Func("interpolate")
    output[x, y, c] = filled[x, y, c] / filled[x, y, 3]
    return Algorithm(output, {"source": source}, stages=stages)


def _with_edge(hl: ModuleType, level: Any, source: Any) -> Any:
    width, height = ((extent + (1 << EDGE) - 1) >> EDGE for extent in (source.width(), source.height()))
    return hl.BoundaryConditions.repeat_edge(level, [(0, width), (0, height)])


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Every level of both pyramids in strips of rows; the vertical halves of the filters slide down each strip."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = stages["x"], stages["y"], stages["c"]
    strip = hl.Var("strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    for level in range(1, LEVELS):
        smaller = stages[f"smaller_{level}"].compute_root().vectorize(x, lanes)
        stages[f"down_y_{level}"].compute_at(smaller, y).vectorize(x, lanes)
        if level < 5:
            smaller.split(y, strip, y, 8).reorder(x, y, c, strip).parallel(strip)
    for level in range(1, LEVELS - 1):
        filled = stages[f"filled_{level}"].compute_root().vectorize(x, lanes)
        stages[f"up_y_{level}"].compute_at(filled, y).vectorize(x, lanes)
        if level < 5:
            filled.split(y, strip, y, 8).reorder(x, y, c, strip).parallel(strip)
    output.bound(c, 0, 3).split(y, strip, y, 16).reorder(c, x, y, strip).unroll(c).vectorize(x, lanes).parallel(strip)
    stages["up_y_0"].compute_at(output, y).reorder(c, x, y).bound_extent(c, 4).vectorize(x, lanes).unroll(c)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Every level of both pyramids in a kernel of its own."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = stages["x"], stages["y"], stages["c"]
    for level in range(1, LEVELS):
        grid(hl, stages[f"smaller_{level}"].compute_root(), x, y, c)
    for level in range(1, LEVELS - 1):
        grid(hl, stages[f"filled_{level}"].compute_root(), x, y, c)
    grid(hl, output.bound(c, 0, 3).reorder(c, x, y).unroll(c), x, y)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    source = pyramid.extended(images["source"])
    sizes = pyramid.sizes(images["source"].shape, LEVELS)
    smaller = [np.concatenate([source[:3] * source[3], source[3:]])]
    for scale, size in enumerate(sizes[1:]):
        finer = pyramid.extended(pyramid.inside(smaller[-1])) if scale == EDGE else smaller[-1]
        smaller.append(_halved(finer, size))
    filled = smaller[-1]
    for over, size in zip(smaller[-2::-1], sizes[-2::-1], strict=True):
        filled = over + (1 - over[3]) * _doubled(filled, size)
    result = pyramid.inside(filled)
    return result[:3] / result[3]


def _halved(level: Array, size: tuple[int, int]) -> Array:
    for axis in (1, 2):
        at = 2 * pyramid.coordinates(size[axis - 1])
        level = pyramid.weighted_sum(level, axis, [(at - 1, 0.25), (at, 0.5), (at + 1, 0.25)])
    return level


def _doubled(level: Array, size: tuple[int, int]) -> Array:
    for axis in (1, 2):
        at = pyramid.coordinates(size[axis - 1])
        level = pyramid.weighted_sum(level, axis, [(at // 2, 0.5), ((at + 1) // 2, 0.5)])
    return level


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    """The same with OpenCV's own pyramids, whose filters are a little wider."""
    import cv2

    colours, opacity = cv2.merge(list(images["source"][:3])), images["source"][3]
    weighted = cv2.merge([*cv2.split(colours * opacity[..., None]), opacity])
    smaller = [weighted]
    for _ in range(1, LEVELS):
        smaller.append(cv2.pyrDown(smaller[-1]))
    filled = smaller[-1]
    for over in reversed(smaller[:-1]):
        filled = over + (1 - over[..., 3:]) * cv2.pyrUp(filled, dstsize=over.shape[1::-1])
    return photos.planar(filled[..., :3] / filled[..., 3:])


def inputs(picture: Array) -> dict[str, Array]:
    """Colours in 0..1 and opacity: an RGBA picture as it is, any other with squares missing."""
    colours = photos.colour(picture).astype(np.float32) / 255
    if picture.ndim == 3 and picture.shape[2] == 4:
        opacity = picture[..., 3].astype(np.float32) / np.float32(np.iinfo(picture.dtype).max)
    else:
        height, width = picture.shape[:2]
        stored = np.random.default_rng(0).random((height // BLOCK + 1, width // BLOCK + 1)) < STORED_SHARE
        opacity = np.kron(stored, np.ones((BLOCK, BLOCK), np.float32))[:height, :width]
    return {"source": photos.planar(np.dstack([colours, opacity]))}


def before(images: Mapping[str, Array]) -> Array:
    """What is there of the picture, on black."""
    return picture(images["source"][:3] * images["source"][3])


def picture(output: Array) -> Array:
    return photos.to_bytes(photos.interleaved(output))


APP = App(
    name="interpolate",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=opencv,
    rival_name="OpenCV pyrDown, pyrUp",
    photo="coffee",
    dtype=np.float32,
    bench_size=(1536, 2560, 3),
    test_size=(131, 77, 3),
    before=before,
    tolerance=1e-4,
)

if __name__ == "__main__":
    main(APP)
