"""Resizing by any factor, up or down: box, linear, cubic and Lanczos kernels on 8-bit, 16-bit and float pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from PIL import Image

from apps import photos, run
from apps.app import Algorithm, App, Array, Settings, scaled
from apps.gpu import grid


@dataclass(frozen=True)
class Kernel:
    """An even function that is zero further than `radius` from the origin, in source pixels."""

    radius: float
    weight: Callable[[ModuleType, Any], Any]  # as an expression
    numpy: Callable[[Array], Array]  # the same for the reference
    pillow: Image.Resampling
    nudge: float = 0.0  # moves a window with jumps at its ends, lest rounding decides which pixels lie in it


def _cubic(hl: ModuleType, t: Any) -> Any:
    """Keys' interpolating cubic with slope -1/2 at distance one."""
    a = hl.abs(t)
    near, far = (1.5 * a - 2.5) * a * a + 1.0, ((-0.5 * a + 2.5) * a - 4.0) * a + 2.0
    return hl.select(a < 1.0, near, a < 2.0, far, 0.0)


def _lanczos(hl: ModuleType, t: Any) -> Any:
    """sin(pi t) sin(pi t / 3) / (pi^2 t^2 / 3): the ideal low-pass filter within a wider one's main lobe."""
    angle = hl.f32(math.pi) * hl.abs(t)
    return hl.select(
        angle < hl.f32(1e-4),
        hl.f32(1.0),
        angle < hl.f32(3 * math.pi),
        hl.f32(3.0) * hl.sin(angle) * hl.sin(angle / 3.0) / (angle * angle),
        hl.f32(0.0),
    )


def _numpy_cubic(t: Array) -> Array:
    a = abs(t)
    return np.where(a < 1, 1.5 * a**3 - 2.5 * a**2 + 1, np.where(a < 2, -0.5 * a**3 + 2.5 * a**2 - 4 * a + 2, 0))


KERNELS = {
    "box": Kernel(
        0.5,
        lambda hl, t: hl.select(hl.abs(t) < 0.5, hl.f32(1.0), hl.f32(0.0)),
        lambda t: (abs(t) < 0.5).astype(float),
        Image.Resampling.BOX,
        2.0**-20,
    ),
    "linear": Kernel(
        1.0,
        lambda hl, t: hl.max(1.0 - hl.abs(t), 0.0),
        lambda t: np.maximum(1 - abs(t), 0),
        Image.Resampling.BILINEAR,
    ),
    "cubic": Kernel(2.0, _cubic, _numpy_cubic, Image.Resampling.BICUBIC),
    "lanczos": Kernel(
        3.0, _lanczos, lambda t: np.where(abs(t) < 3, np.sinc(t) * np.sinc(t / 3), 0), Image.Resampling.LANCZOS
    ),
}
TYPES: dict[str, Any] = {"u8": np.uint8, "u16": np.uint16, "f32": np.float32}


class Axis:
    """One direction: which source pixels an output pixel at a coordinate takes, and with which weights."""

    def __init__(self, hl: ModuleType, kernel: Kernel, step: Any, size: Any, name: str) -> None:
        self.hl, self.kernel, self.step = hl, kernel, step
        self.stretch = hl.max(step, hl.f64(1.0))  # making smaller, the kernel covers as many pixels as are left out
        self.taps = hl.min(hl.i32(hl.ceil(self.stretch * hl.f64(2 * kernel.radius))), size)
        self.last = size - self.taps
        at, k = hl.Var("at"), hl.Var("k")
        r = hl.RDom([(0, self.taps)], f"taps_{name}")
        self.raw, self.total, self.weights = (hl.Func(f"{func}_{name}") for func in ("raw", "total", "weights"))
        offset = (hl.f64(self.begin(at) + k) - self.centre(at)) / self.stretch
        self.raw[k, at] = kernel.weight(hl, hl.f32(offset))
        self.total[at] = hl.f32(0.0)
        self.total[at] += self.raw[r.x, at]
        self.weights[k, at] = self.raw[k, at] / self.total[at]
        self.at, self.r = at, r
        self.stages = {f"total_{name}": self.total, f"weights_{name}": self.weights}

    def centre(self, at: Any) -> Any:
        """Where the middle of output pixel `at` lies among the source pixels."""
        hl = self.hl
        return (hl.f64(at) + hl.f64(0.5)) * self.step - hl.f64(0.5 - self.kernel.nudge)

    def begin(self, at: Any) -> Any:
        """The first of the `taps` source pixels; the window stays inside the picture."""
        hl = self.hl
        first = hl.i32(hl.ceil(self.centre(at) - self.stretch * hl.f64(self.kernel.radius)))
        return hl.clamp(first, 0, self.last)


def build(hl: ModuleType, kernel: Kernel, dtype: Any) -> Algorithm:
    """Weighted sums down the columns, then along the rows, in floating point."""
    kind = hl.Buffer(np.zeros(1, dtype)).type()
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(kind, 3, "source")
    step = hl.Param(hl.Float(64), "step", 1.0)  # source pixels between neighbours of the output
    rows = Axis(hl, kernel, step, source.height(), "y")
    columns = Axis(hl, kernel, step, source.width(), "x")
    begin, down, turned, across, output = hl.funcs("begin down turned across resize")

    down[x, y, c] = hl.f32(0.0)
    down[x, y, c] += rows.weights[rows.r.x, y] * hl.f32(source[x, rows.begin(y) + rows.r.x, c])
    turned[x, y, c] = down[x, y, c]
    begin[x] = columns.begin(x)
    across[x, y, c] = hl.f32(0.0)
    across[x, y, c] += columns.weights[columns.r.x, x] * turned[begin[x] + columns.r.x, y, c]
    output[x, y, c] = _pixel(hl, across[x, y, c], kind)
    stages = {"x": x, "y": y, "c": c, "rows": rows, "columns": columns, **rows.stages, **columns.stages}
    stages |= {"begin": begin, "down": down, "turned": turned, "across": across}
    return Algorithm(output, {"source": source}, {"step": step}, stages)


def _pixel(hl: ModuleType, value: Any, kind: Any) -> Any:
    """The nearest value of that type: overshooting kernels leave its range."""
    if kind.is_float():
        return value
    return hl.cast(kind, hl.clamp(value, 0.0, float(2 ** kind.bits() - 1)) + 0.5)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in squares of one vector's lanes, summed down with columns and across with rows as the lanes.

    All sums of a square grow together, so that none waits for itself.
    """
    stages, output = algorithm.stages, algorithm.output
    x, y, c = stages["x"], stages["y"], stages["c"]
    strip, xo, xi, yi = hl.vars("strip xo xi yi")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    for axis in (stages["rows"], stages["columns"]):
        axis.weights.compute_root().vectorize(axis.at, lanes)
        axis.total.compute_at(axis.weights, axis.at).vectorize(axis.at).update().vectorize(axis.at)
    stages["begin"].compute_root().vectorize(x, lanes)

    output.split(y, strip, yi, lanes).split(x, xo, xi, lanes).reorder(xi, yi, xo, c, strip)
    output.vectorize(xi).unroll(yi).parallel(strip)
    across, turned, down = stages["across"], stages["turned"], stages["down"]
    across.compute_at(output, xo).reorder_storage(y, x, c).reorder(y, x, c).vectorize(y).unroll(x)
    across.update().reorder(y, x, stages["columns"].r.x, c).vectorize(y).unroll(x)
    turned.compute_at(output, c).reorder_storage(y, x, c).split(x, xo, xi, lanes)
    turned.reorder(y, xi, xo, c).vectorize(y).unroll(xi)
    down.compute_at(turned, xo).vectorize(x).unroll(y)
    down.update().reorder(x, y, stages["rows"].r.x, c).vectorize(x).unroll(y)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """The tables of weights, in double precision, on the CPU; then a kernel down the columns and one along the rows."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = stages["x"], stages["y"], stages["c"]
    for axis in (stages["rows"], stages["columns"]):
        axis.weights.compute_root()
        axis.total.compute_at(axis.weights, axis.at)
    stages["begin"].compute_root()
    turned = stages["turned"].compute_root()
    for func, name in ((turned, "down"), (output, "across")):
        grid(hl, func, x, y, c)
        stages[name].compute_at(func, hl.Var("xi"))


def matrix(kernel: Kernel, step: float, size: int, output: int) -> Array:
    """Weights of all source pixels (columns) for all output pixels (rows)."""
    centre = (np.arange(output) + 0.5) * step - 0.5 + kernel.nudge
    weights = kernel.numpy((np.arange(size) - centre[:, None]) / max(step, 1))
    return weights / weights.sum(axis=1, keepdims=True)


def reference(images: Mapping[str, Array], settings: Settings, kernel: Kernel) -> Array:
    source, step = images["source"], settings["step"]
    height, width = (scaled(n, 1 / step) for n in source.shape[1:])
    down, across = (matrix(kernel, step, n, m) for n, m in zip(source.shape[1:], (height, width), strict=True))
    image = np.stack([down @ channel @ across.T for channel in source.astype(np.float64)])
    if source.dtype == np.float32:
        return image.astype(np.float32)
    return (np.clip(image, 0, np.iinfo(source.dtype).max) + 0.5).astype(source.dtype)


def pillow(images: Mapping[str, Array], settings: Settings, kernel: Kernel) -> Array:
    """Pillow resizes colours of 8 bits together, other types channel by channel."""
    source = images["source"]
    size = [scaled(n, 1 / settings["step"]) for n in source.shape[:0:-1]]
    if source.dtype == np.uint8:
        resized = Image.fromarray(photos.interleaved(source)).resize(size, kernel.pillow)
        return np.moveaxis(np.asarray(resized), -1, 0)
    return np.stack([np.asarray(Image.fromarray(channel).resize(size, kernel.pillow)) for channel in source])


def inputs(picture: Array, dtype: Any) -> dict[str, Array]:
    planes = photos.planar(photos.colour(picture))
    if dtype == np.uint16:
        return {"source": planes.astype(np.uint16) * 257}
    return {"source": planes if dtype == np.uint8 else planes.astype(np.float32) / 255}


def picture(output: Array) -> Array:
    return photos.to_bytes(photos.interleaved(output))


def squares(images: Mapping[str, Array], factor: float) -> Array:
    """The input with each pixel as a square of the output's size."""
    return photos.enlarged(picture(images["source"]), factor)


def resizer(kernel: str = "lanczos", kind: str = "u8", factor: float = 2.0) -> App:
    """The application for that kernel (of KERNELS), type (of TYPES) and factor."""
    chosen, dtype = KERNELS[kernel], TYPES[kind]
    width, height = (768, 1280) if factor > 1 else (1536, 2560)
    return App(
        name="resize",
        build=partial(build, kernel=chosen, dtype=dtype),
        schedule=schedule,
        gpu_schedule=gpu_schedule,
        reference=partial(reference, kernel=chosen),
        inputs=partial(inputs, dtype=dtype),
        before=partial(squares, factor=factor),
        picture=picture,
        rival=partial(pillow, kernel=chosen),
        rival_name=f"Pillow resize, {kernel}",
        photo="chelsea",
        dtype=dtype,
        bench_size=(round(width * factor), round(height * factor), 3),
        test_size=(round(66 * factor), round(35 * factor), 3),
        settings={"step": 1 / factor},
        scale=factor,
        tolerance=1e-5 if kind == "f32" else 1,
    )


APP = resizer()


def main() -> None:
    parser = run.parser(APP)
    parser.description = __doc__
    parser.add_argument("--factor", type=float, default=2.0, help="width of the output for one of the input")
    parser.add_argument("--kernel", choices=KERNELS, default="lanczos")
    parser.add_argument("--type", choices=TYPES, default="u8", help="of the pixels that are computed with")
    options = parser.parse_args()
    if not options.factor > 0:
        parser.error("--factor must be more than 0")
    run.filter_file(resizer(options.kernel, options.type, options.factor), options)


if __name__ == "__main__":
    main()
