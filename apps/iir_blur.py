"""A recursive blur: every pixel follows the one before it, down and up, then right and left, over the whole picture."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

SETTINGS = {"share": 0.1}  # of a pixel in its own blurred value; the others come from the neighbour before it
COLUMNS = 4  # vectors of columns that one task blurs, so that one chain computes while others wait


def build(hl: ModuleType) -> Algorithm:
    """Blur all columns and transpose, twice."""
    source = hl.ImageParam(hl.Float(32), 3, "source")
    share = hl.Param(hl.Float(32), "share", SETTINGS["share"])
    x, y, c = hl.vars("x y c")
    stages: dict[str, Any] = {"x": x, "y": y, "c": c}

    def turned(image: Any, length: Any, name: str) -> Any:
        """The image with its columns of that length blurred, transposed."""
        blurred, output = hl.Func(f"blurred_{name}"), hl.Func(name)
        down, up = hl.RDom([(1, length - 1)], f"down_{name}"), hl.RDom([(1, length - 1)], f"up_{name}")
        row = length - 1 - up.x
        blurred[x, y, c] = hl.undef(hl.Float(32))
        blurred[x, 0, c] = image[x, 0, c]
        blurred[x, down.x, c] = (1 - share) * blurred[x, down.x - 1, c] + share * image[x, down.x, c]
        blurred[x, row, c] = (1 - share) * blurred[x, row + 1, c] + share * blurred[x, row, c]
        output[x, y, c] = blurred[y, x, c]
        stages.update({name: output, f"blurred_{name}": blurred, f"rows_{name}": (down.x, up.x)})
        return output

    output = turned(turned(source, source.height(), "first"), source.width(), "second")
    return Algorithm(output, {"source": source}, {"share": share}, stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of columns in parallel, blurred from top to bottom and back, then transposed in squares of one vector."""
    stages = algorithm.stages
    x, y, c = stages["x"], stages["y"], stages["c"]
    strip, square, xi, yi = hl.vars("strip square xi yi")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    for name in ("first", "second"):
        output, blurred = stages[name], stages[f"blurred_{name}"]
        output.compute_root().split(y, strip, y, COLUMNS * lanes).tile(x, y, xi, yi, lanes, lanes)
        output.reorder(xi, yi, x, y, strip, c).vectorize(xi).unroll(yi).parallel(strip).parallel(c)
        blurred.compute_at(output, strip)
        blurred.update(0).vectorize(x, lanes)
        for k, row in enumerate(stages[f"rows_{name}"], 1):
            blurred.update(k).reorder(x, row).vectorize(x, lanes)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A column a thread, blurred down and up again; then transposed through tiles of the blocks' own memory."""
    stages = algorithm.stages
    x, y, c, xi = stages["x"], stages["y"], stages["c"], hl.Var("xi")
    for name in ("first", "second"):
        output, blurred = stages[name].compute_root(), stages[f"blurred_{name}"].compute_root()
        for k, rows in enumerate(([], *([row] for row in stages[f"rows_{name}"]))):
            blurred.update(k).reorder(*rows, x, c).gpu_tile(x, xi, 64).gpu_blocks(c)
        grid(hl, output, x, y, c, tile=(32, 16))
        turning = blurred.in_(output).compute_at(output, x)
        turning.tile(x, y, xi, hl.Var("yi"), 32, 16).gpu_threads(xi, hl.Var("yi"))


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    share, image = np.float32(settings["share"]), images["source"].copy()
    for axis in (1, 2):
        line = np.moveaxis(image, axis, 0)
        for at in range(1, len(line)):
            line[at] = (1 - share) * line[at - 1] + share * line[at]
        for at in range(len(line) - 2, -1, -1):
            line[at] = (1 - share) * line[at + 1] + share * line[at]
    return image


def scipy_filter(images: Mapping[str, Array], settings: Settings) -> Array:
    import scipy.signal

    share = np.float32(settings["share"])
    numerator, denominator = np.array([share]), np.array([1, share - 1])
    image = images["source"]
    for axis in (1, 2):
        for _ in range(2):
            state = (1 - share) * np.take(image, [0], axis)  # as if the first pixel went on for ever
            image = np.flip(scipy.signal.lfilter(numerator, denominator, image, axis, state)[0], axis)
    return image


def inputs(picture: Array) -> dict[str, Array]:
    return {"source": photos.planar(photos.colour(picture)).astype(np.float32) / 255}


def picture(output: Array) -> Array:
    return photos.to_bytes(photos.interleaved(output))


APP = App(
    name="iir_blur",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=scipy_filter,
    rival_name="SciPy lfilter, four times",
    photo="astronaut",
    dtype=np.float32,
    bench_size=(1536, 2560, 3),
    test_size=(133, 70, 3),
    settings=SETTINGS,
    tolerance=1e-5,
)

if __name__ == "__main__":
    main(APP)
