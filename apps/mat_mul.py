"""A product of two matrices, shown on a picture: its rows times the matrix that leaves slow waves alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.run import main

ROWS, VECTORS = 6, 4  # a block of the product that stays in registers: so many rows of so many vectors
WAVE_STEP = 16  # one of so many waves stays


def build(hl: ModuleType) -> Algorithm:
    """Every element is the sum of the products of a row of `left` and a column of `right`."""
    x, y = hl.vars("x y")
    left, right = (hl.ImageParam(hl.Float(32), 2, name) for name in ("left", "right"))
    panel, product, output = hl.funcs("panel product mat_mul")
    k = hl.RDom([(0, left.width())], "k")
    panel[x, y] = right[x, y]
    product[x, y] = 0.0
    product[x, y] += left[k.x, y] * panel[x, k.x]
    output[x, y] = product[x, y]
    stages = {"x": x, "y": y, "k": k.x, "panel": panel, "product": product}
    return Algorithm(output, {"left": left, "right": right}, stages=stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Panels of columns in parallel, packed; down each, blocks whose sums stay in registers over the whole product."""
    stages, output = algorithm.stages, algorithm.output
    x, y, k = (stages[name] for name in ("x", "y", "k"))
    xi, yi = hl.vars("xi yi")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.tile(x, y, xi, yi, VECTORS * lanes, ROWS).reorder(xi, yi, y, x)
    output.vectorize(xi, lanes).unroll(xi).unroll(yi).parallel(x)
    stages["panel"].compute_at(output, x).vectorize(x, lanes).unroll(x)
    product = stages["product"].compute_at(output, y).vectorize(x, lanes).unroll(x).unroll(y)
    product.update().reorder(x, y, k).vectorize(x, lanes).unroll(x).unroll(y)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A block makes 64 x 64 elements, a thread 4 x 4 of them; both factors are staged for 16 products at a time."""
    stages, output = algorithm.stages, algorithm.output
    x, y, k, product = (stages[name] for name in ("x", "y", "k", "product"))
    xi, yi, xt, yt = hl.vars("xi yi xt yt")
    ko, ki = hl.RVar("ko"), hl.RVar("ki")
    output.tile(x, y, xi, yi, 64, 64).tile(xi, yi, xt, yt, 4, 4).gpu_blocks(x, y).gpu_threads(xi, yi)
    output.unroll(xt).unroll(yt)
    product.compute_at(output, x).tile(x, y, xt, yt, 4, 4).gpu_threads(x, y).unroll(xt).unroll(yt)
    update = product.update().tile(x, y, xt, yt, 4, 4).split(k, ko, ki, 16)
    update.reorder(xt, yt, ki, x, y, ko).gpu_threads(x, y).unroll(xt).unroll(yt)
    for factor in (stages["panel"], algorithm.images["left"].in_(product)):
        first, second = factor.args()
        factor.compute_at(product, ko).tile(first, second, xi, yi, 16, 16).gpu_threads(xi, yi)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    return (images["left"].astype(np.float64) @ images["right"].astype(np.float64)).astype(np.float32)


def numpy_product(images: Mapping[str, Array], settings: Settings) -> Array:
    return images["left"] @ images["right"]


def slow_waves(size: int) -> Array:
    """The symmetric matrix that keeps the cosines of the lowest frequencies and removes the others."""
    frequency, at = np.arange(-(-size // WAVE_STEP))[:, None], np.arange(size) + 0.5
    waves = np.cos(np.pi * frequency * at / size) * np.sqrt(np.where(frequency > 0, 2, 1) / size)
    return (waves.T @ waves).astype(np.float32)


def inputs(picture: Array) -> dict[str, Array]:
    """The picture's luminance, and a square matrix as wide as it."""
    return {"left": photos.grey(picture).astype(np.float32) / 65535, "right": slow_waves(picture.shape[1])}


APP = App(
    name="mat_mul",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=photos.to_bytes,
    rival=numpy_product,
    rival_name="NumPy matmul (BLAS)",
    photo="astronaut",
    dtype=np.float32,
    bench_size=(1024, 1024),
    test_size=(133, 70),
    tolerance=1e-5,
)

if __name__ == "__main__":
    main(APP)
