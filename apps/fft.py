"""The Fourier transform of a complex picture whose sides are the same power of two."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.gpu import grid
from apps.run import main

SIZE = 512
RADIX = 8  # points that one step transforms in registers


@dataclass(frozen=True)
class Complex:
    """A complex number of two expressions."""

    re: Any
    im: Any

    def __add__(self, other: Complex) -> Complex:
        return Complex(self.re + other.re, self.im + other.im)

    def __sub__(self, other: Complex) -> Complex:
        return Complex(self.re - other.re, self.im - other.im)

    def __mul__(self, other: Complex) -> Complex:
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    def turned(self, eighths: int) -> Complex:
        """Times exp(-2 pi i eighths / 8), for less than a half turn."""
        half = float(np.float32(np.sqrt(0.5)))
        match eighths:
            case 0:
                return self
            case 1:
                return Complex((self.re + self.im) * half, (self.im - self.re) * half)
            case 2:
                return Complex(self.im, -self.re)
            case _:
                return Complex((self.im - self.re) * half, (self.re + self.im) * -half)


def element(pair: Any) -> Complex:
    """A complex element of a Func of pairs."""
    return Complex(pair[0], pair[1])


def transform(values: Sequence[Complex]) -> list[Complex]:
    """The Fourier transform of 1, 2, 4 or 8 values."""
    if len(values) == 1:
        return list(values)
    even, odd = transform(values[::2]), transform(values[1::2])
    odd = [value.turned(k * 8 // len(values)) for k, value in enumerate(odd)]
    return [a + b for a, b in zip(even, odd, strict=True)] + [a - b for a, b in zip(even, odd, strict=True)]


def radices(size: int) -> list[int]:
    """How many points each step takes, so that their product is the size, a power of two."""
    result = []
    while size > RADIX:
        result.append(RADIX)
        size //= RADIX
    return [*result, size]


def build(hl: ModuleType, size: int = SIZE) -> Algorithm:
    """Transform all columns and transpose, twice, with unit norm; complex numbers are pairs, innermost."""
    c, x, y = hl.vars("c x y")
    source = hl.ImageParam(hl.Float(32), 3, "source")
    stages: dict[str, Any] = {"x": x, "y": y, "c": c}
    columns = _columns(hl, lambda x, n: Complex(source[0, x, n], source[1, x, n]), size, "down", stages)
    turned = stages["turned"] = hl.Func("turned")
    turned[x, y] = tuple(part * (1.0 / size) for part in columns(y, x))
    rows = _columns(hl, lambda x, n: element(turned[x, n]), size, "across", stages)
    output = hl.Func("fft")
    output[c, x, y] = hl.mux(c, rows(y, x))
    return Algorithm(output, {"source": source}, stages=stages)


def _columns(hl: ModuleType, column: Any, size: int, name: str, stages: dict[str, Any]) -> Any:
    """The transforms of columns of that size, `column` giving an element by column and row, as such a function.

    Stockham's order: before each step there are transforms of `done` elements each, of interleaved parts of the
    column. A Func's arguments are the column, the place in a transform, and which transform.
    """
    x, p, part = hl.vars("x p part")
    stages[f"steps_{name}"] = steps = []
    done = 1

    def before(x: Any, p: Any, part: Any) -> Complex:
        return column(x, part)

    for number, radix in enumerate(radices(size)):
        after = size // (done * radix)  # transforms that this step leaves
        lo, step = p % done, hl.Func(f"{name}_{number}")
        values = [before(x, lo, part + r * after) for r in range(radix)]
        if done > 1:
            table = _roots(hl, done, radix)
            values = [value * Complex(table[0, r, lo], table[1, r, lo]) for r, value in enumerate(values)]
        results = transform(values)
        step[x, p, part] = tuple(hl.mux(p // done, [getattr(z, which) for z in results]) for which in ("re", "im"))
        steps.append({"func": step, "x": x, "p": p, "part": part, "done": done, "radix": radix})

        def before(x: Any, p: Any, part: Any, step: Any = step) -> Complex:
            return element(step[x, p, part])

        done *= radix
    return lambda x, n: tuple(step[x, n, 0][which] for which in range(2))


def _roots(hl: ModuleType, done: int, radix: int) -> Any:
    """A table of exp(-2 pi i lo r / (done radix)) by part, r and lo."""
    angle = -2 * np.pi * np.outer(np.arange(done), np.arange(radix)) / (done * radix)
    table = hl.Buffer(hl.Float(32), [2, radix, done])  # its own memory: the wheel does not keep an array alive
    np.asarray(table)[:] = np.stack([np.cos(angle), np.sin(angle)], -1)
    return table


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of one vector's columns in parallel: all steps on one strip, then it is transposed in squares."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c = (stages[name] for name in ("x", "y", "c"))
    strip, xi, yi, k = hl.vars("strip xi yi k")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    turned = stages["turned"].compute_root()
    for func, name in ((turned, "down"), (output, "across")):
        func.split(y, strip, yi, lanes).split(x, x, xi, lanes).vectorize(xi).unroll(yi).parallel(strip)
        for step in stages[f"steps_{name}"]:
            step["func"].compute_at(func, strip).bound(step["p"], 0, step["done"] * step["radix"])
            step["func"].split(step["p"], k, step["p"], step["done"]).reorder(step["x"], k, step["p"], step["part"])
            step["func"].vectorize(step["x"], lanes).unroll(k)
    output.bound(c, 0, 2).reorder(c, xi, yi, x, strip).unroll(c)
    turned.reorder(xi, yi, x, strip)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A kernel for each step, in which a thread transforms some points of one column in registers."""
    stages, output = algorithm.stages, algorithm.output
    x, y, c, k = stages["x"], stages["y"], stages["c"], hl.Var("k")
    for step in (*stages["steps_down"], *stages["steps_across"]):
        func, p = step["func"].compute_root(), step["p"]
        func.bound(p, 0, step["done"] * step["radix"]).split(p, k, p, step["done"])
        func.reorder(k, step["x"], p, step["part"]).unroll(k)
        grid(hl, func, step["x"], p, step["part"], tile=(32, min(step["done"], 8)))
    grid(hl, stages["turned"].compute_root(), x, y)
    grid(hl, output.bound(c, 0, 2).reorder(c, x, y).unroll(c), x, y)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    """By the definition, a product with a matrix on either side."""
    source = images["source"].astype(np.float64)
    size = source.shape[0]
    matrix = np.exp(-2j * np.pi / size * (np.outer(np.arange(size), np.arange(size)) % size)) / np.sqrt(size)
    result = matrix @ (source[..., 0] + 1j * source[..., 1]) @ matrix
    return np.stack([result.real, result.imag], -1).astype(np.float32)


def scipy_fft(images: Mapping[str, Array], settings: Settings) -> Array:
    import scipy.fft

    threads = int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)
    result = scipy.fft.fft2(images["source"].view(np.complex64)[..., 0], norm="ortho", workers=threads)
    return result.view(np.float32).reshape(*result.shape, 2)


def inputs(picture: Array) -> dict[str, Array]:
    """The luminance, cut to the size or mirrored until it has it, with no imaginary part."""
    real = photos.mirrored(photos.grey(picture), SIZE, SIZE).astype(np.float32) / 65535
    return {"source": np.stack([real, np.zeros_like(real)], -1)}


def picture(output: Array) -> Array:
    """How much there is of each wave, logarithmically, the slowest in the middle."""
    strength = np.log(np.fft.fftshift(np.hypot(output[..., 0], output[..., 1])) + 1e-2)
    return photos.to_bytes((strength - strength.min()) / (strength.max() - strength.min()))


APP = App(
    name="fft",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=scipy_fft,
    rival_name="SciPy fft2",
    photo="astronaut",
    dtype=np.float32,
    bench_size=(2, SIZE, SIZE),
    test_size=(2, SIZE, SIZE),
    axes=(1, 2),
    fixed=True,
    tolerance=1e-4,
)

if __name__ == "__main__":
    main(APP)
