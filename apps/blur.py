"""A 3x3 box blur of 16-bit pixels in two passes, the first example of every image compiler."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.run import main


def build(hl: ModuleType) -> Algorithm:
    """Two one-dimensional means of three; the input is two pixels larger than the output each way."""
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.UInt(16), 2, "source")
    blur_x, blur_y = hl.Func("blur_x"), hl.Func("blur_y")
    blur_x[x, y] = (source[x, y] + source[x + 1, y] + source[x + 2, y]) / 3
    blur_y[x, y] = (blur_x[x, y] + blur_x[x, y + 1] + blur_x[x, y + 2]) / 3
    return Algorithm(blur_y, {"source": source}, stages={"blur_x": blur_x, "x": x, "y": y})


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel, four rows at a time, which share what they read of the horizontal pass.

    Within a strip the horizontal pass slides down, two rows ahead of the vertical one.
    """
    blur_y, blur_x = algorithm.output, algorithm.stages["blur_x"]
    x, y, inner, row = algorithm.stages["x"], algorithm.stages["y"], hl.Var("yi"), hl.Var("row")
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(16))
    blur_y.split(y, y, inner, 32).parallel(y).split(inner, inner, row, 4).reorder(row, x, inner, y)
    blur_y.vectorize(x, lanes).unroll(row)
    blur_x.store_at(blur_y, y).compute_at(blur_y, x).vectorize(x, lanes).unroll(y)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A tile a block, a column of four pixels a thread, which keeps the six means across that these take."""
    blur_y, blur_x = algorithm.output, algorithm.stages["blur_x"]
    x, y, xi, yi, row = algorithm.stages["x"], algorithm.stages["y"], *hl.vars("xi yi row")
    blur_y.tile(x, y, xi, yi, 32, 32).split(yi, yi, row, 4).reorder(row, xi, yi, x, y).unroll(row)
    blur_y.gpu_blocks(x, y).gpu_threads(xi, yi)
    blur_x.compute_at(blur_y, xi).unroll(y)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    source = images["source"]
    across = (source[:, :-2] + source[:, 1:-1] + source[:, 2:]) // 3
    return (across[:-2] + across[1:-1] + across[2:]) // 3


def opencv(images: Mapping[str, Array], settings: Settings) -> Array:
    import cv2

    return cv2.blur(images["source"], (3, 3))[1:-1, 1:-1]


def inputs(picture: Array) -> dict[str, Array]:
    """Luminance at 14 bits, so that the sum of three pixels fits 16, with its edge repeated."""
    return {"source": np.pad(photos.grey(picture) >> 2, 1, mode="edge")}


def picture(output: Array) -> Array:
    return photos.to_bytes(output << 2)


APP = App(
    name="blur",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=opencv,
    rival_name="OpenCV blur",
    photo="coffee",
    dtype=np.uint16,
    bench_size=(6400, 4800),
    test_size=(131, 77),
)

if __name__ == "__main__":
    main(APP)
