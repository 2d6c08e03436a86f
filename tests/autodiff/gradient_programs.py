"""Programs to differentiate, for pipec and for the halide wheel alike: each takes the module and the images to read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

PHOTO = np.random.default_rng(1).uniform(0.2, 1.0, (8, 10)).astype(np.float32)
TABLE = np.random.default_rng(2).uniform(0.2, 1.0, 12).astype(np.float32)
SQUARE = np.random.default_rng(3).uniform(0.2, 1.0, (8, 8)).astype(np.float32)
# What a program makes of images: Func -> its sizes are in the Program.
Make = Callable[..., Any]


@dataclass(frozen=True)
class Program:
    """`wheel`: whether the halide wheel differentiates it, and does so rightly."""

    make: Make
    images: tuple[np.ndarray, ...]
    sizes: tuple[int, ...]
    wheel: bool = True


PROGRAMS: dict[str, Program] = {}


def program(*sizes: int, images: tuple[np.ndarray, ...] = (PHOTO,), wheel: bool = True) -> Callable[[Make], Make]:
    """Adds a program under its name."""

    def add(make: Make) -> Make:
        PROGRAMS[make.__name__] = Program(make, images, sizes, wheel)
        return make

    return add


def coordinates(hl: Any) -> Any:
    return hl.Var("x"), hl.Var("y")


# Expressions


@program(10, 8)
def arithmetic(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = (b[x, y] - 0.5) * b[x, y] / (1 + b[x, y]) - 2 / b[x, y]
    return f


@program(10, 8)
def functions(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, v = hl.Func("f"), b[x, y]
    f[x, y] = hl.sqrt(v) * hl.exp(v) + hl.log(v) * hl.sin(v) - hl.cos(v) * hl.tan(v) + hl.abs(v - 0.6) + v**2.5
    return f


@program(10, 8, wheel=False)
def more_functions(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, v = hl.Func("f"), b[x, y]
    a = hl.asin(v * 0.9) + hl.acos(v * 0.9) * v + hl.atan(v) + hl.atan2(v, v * v + 0.1)
    h = hl.sinh(v) * hl.cosh(v) + hl.tanh(v) + hl.asinh(v) + hl.acosh(v + 1.1) + hl.atanh(v * 0.9)
    f[x, y] = a * h + hl.pow(v, v + 0.5) + hl.fast_inverse(v) + hl.fast_inverse_sqrt(v) + hl.absd(v, 0.6) + v % 0.3
    return f


@program(10, 8, wheel=False)
def quick_functions(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, v = hl.Func("f"), b[x, y]
    waves = hl.fast_exp(v) * hl.fast_sin(v) - hl.fast_cos(v)
    f[x, y] = waves + hl.fast_log(v) + hl.erf(v) + hl.fast_pow(v, hl.f32(1.5))
    return f


@program(10, 8)
def selects(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, v = hl.Func("f"), b[x, y]
    extremes = hl.max(v, 0.7) * hl.min(v, b[9 - x, y]) + hl.clamp(v, 0.3, 0.8)
    f[x, y] = hl.select(v > 0.5, hl.log(v - 0.4), v * v) + extremes
    return f


@program(10, 8)
def lerps(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = hl.lerp(b[x, y], b[9 - x, y], b[x, 7 - y])
    return f


@program(10, 8, wheel=False)
def casts(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = hl.f32(hl.f64(b[x, y]) * hl.f64(b[x, y])) * hl.f32(x + 1) + hl.strict_float(b[x, y])
    return f


# Stencils, borders, resampling


@program(6, 4, images=(PHOTO, SQUARE))
def convolution(hl: Any, b: Any, weights: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 5), (0, 5)], "r")
    f[x, y] = 0.0
    f[x, y] += b[x + r.x, y + r.y] * weights[r.x, r.y]
    return f


@program(6, 4)
def written_out(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    g, f = hl.Func("g"), hl.Func("f")
    g[x, y] = b[x, y] + 2 * b[x + 1, y] * b[x + 2, y] + b[x + 3, y]
    f[x, y] = g[x, y] * g[x, y + 1] + g[x, y + 3] + g[x + 1, y]
    return f


def _border(kind: str) -> Make:
    def make(hl: Any, b: Any) -> Any:
        x, y = coordinates(hl)
        inputs = (b, 0.5) if kind == "constant_exterior" else (b,)
        e, f = getattr(hl.BoundaryConditions, kind)(*inputs), hl.Func("f")
        f[x, y] = e[x - 2, y] * e[x + 1, y + 3] + e[x, y - 1]
        return f

    make.__name__ = kind
    return make


for _kind in ("constant_exterior", "repeat_edge", "repeat_image", "mirror_image", "mirror_interior"):
    program(10, 8)(_border(_kind))


@program(10, 8)
def clamped_twice(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(-2, 5)], "r")
    f[x, y] = 0.0
    f[x, y] += b[hl.clamp(x + r.x, 0, 9), hl.clamp(y - r.x, 0, 7)] * b[x, y]
    return f


@program(5, 8)
def every_second(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = b[2 * x, y] * b[2 * x + 1, y]
    return f


@program(4, 3)
def pooled(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 4), (0, 3)], "r")
    f[x, y] = 0.0
    f[x, y] += b[2 * x + r.x, 2 * y + r.y] * b[2 * x + r.x, 7 - 2 * y - r.y]
    return f


@program(18, 16)
def enlarged(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = b[x // 2, y // 2] * b[(x + 1) // 2, y // 2] * (1 + x % 3)
    return f


@program(15, 7, wheel=False)
def resampled(hl: Any, b: Any) -> Any:
    """By the factor 3 / 2, linearly."""
    x, y = coordinates(hl)
    f = hl.Func("f")
    place = 2 * x
    part = hl.f32(place % 3) / 3.0
    f[x, y] = b[hl.clamp(place // 3, 0, 8), y] * (1 - part) + b[hl.clamp(place // 3 + 1, 0, 9), y] * part * part
    return f


@program(7, wheel=False)
def diagonal(hl: Any, b: Any) -> Any:
    x, _ = coordinates(hl)
    f = hl.Func("f")
    f[x] = b[x, x] * b[x, x + 1]
    return f


@program(5, 4, wheel=False)
def sheared(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = b[x + y, 7 - y] * b[x - y + 4, 2 * y] + b[8 - 2 * x + y // 2, x]
    return f


@program(3, 3, wheel=False)
def skewed(hl: Any, b: Any) -> Any:
    """A matrix of determinant -1 without a unit: 2x + 3y, 5x + 7y."""
    x, y = coordinates(hl)
    f, e = hl.Func("f"), hl.BoundaryConditions.constant_exterior(b, 0.25)
    f[x, y] = e[2 * x + 3 * y, 5 * x + 7 * y - 8] * (x + 1) + e[4 * x - 2 * y, x + y]
    return f


@program(4, 3, wheel=False)
def strided_blocks(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 3), (0, 2)], "r")
    f[x, y] = 0.0
    f[x, y] += b[r.x + x * 2, y + r.y * 3] * b[x * 2 - r.x + 2, y]
    return f


@program(10, 8, images=(PHOTO, TABLE))
def table(hl: Any, b: Any, lut: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = lut[hl.clamp(hl.i32(b[x, y] * 10), 0, 10)] * b[x, y]
    return f


@program(8, 8, images=(SQUARE,), wheel=False)
def bilateral_grid(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    z, grid, f, r = hl.Var("z"), hl.Func("grid"), hl.Func("f"), hl.RDom([(0, 4), (0, 4)], "r")
    grid[x, y, z] = 0.0
    value = b[4 * x + r.x, 4 * y + r.y]
    grid[x, y, hl.clamp(hl.i32(value * 4), 0, 3)] += value
    place = b[x, y] * 3
    cell = hl.clamp(hl.i32(place), 0, 2)
    f[x, y] = hl.lerp(grid[x // 4, y // 4, cell], grid[x // 4, y // 4, cell + 1], place - hl.f32(cell))
    return f


# Updates


@program(10, 8, wheel=False)
def updated(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = b[x, y]
    f[x, y] = f[x, y] * f[x, y]
    f[x, 0] = f[x, 1] * f[x, 0]
    f[3, y] += f[2, y] * 2.0
    return f


@program(10, 8, wheel=False)
def undefined(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = b[x, y]
    f[x, y] = hl.select(x % 2 == 0, f[x, y] * b[x, y], hl.undef(hl.Float(32)))
    return f


@program(10, 8, wheel=False)
def exchanged(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f = hl.Func("f")
    f[x, y] = b[x, y]
    f[hl.scatter([0, 3]), y] = f[hl.gather([3, 0]), y] * b[2, y]
    return f


@program(5)
def histogram(hl: Any, b: Any) -> Any:
    x, _ = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 10), (0, 8)], "r")
    f[x] = 0.0
    f[hl.clamp(hl.i32(b[r.x, r.y] * 5), 0, 4)] += b[r.x, r.y]
    return f


@program(10, 8, wheel=False)
def predicated(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 5), (0, 5)], "r")
    r.where(r.x + r.y < 6)
    r.where(x + r.x < 10)
    f[x, y] = 0.0
    f[x, y] += b[hl.clamp(x + r.x, 0, 9), hl.clamp(y + r.y, 0, 7)] * b[x, y]
    return f


@program()
def total(hl: Any, b: Any) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 10), (0, 8)], "r")
    f[()] = 0.0
    f[()] += b[r.x, r.y] * b[r.x, r.y] * b[9 - r.x, r.y]
    return f


# Scans


@program(10, 8, wheel=False)
def running_sum(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(1, 9)], "r")
    f[x, y] = b[x, y]
    f[r.x, y] += f[r.x - 1, y]
    return f


@program(10, 8, wheel=False)
def nonlinear_scan(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(2, 8)], "r")
    f[x, y] = b[x, y] * 1.0
    f[r.x, y] = 0.5 * f[r.x - 1, y] * f[r.x, y] + 0.25 * f[r.x - 2, y] * b[r.x, y]
    return f


@program(10, 8, wheel=False)
def upward_scan(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 7)], "r")
    f[x, y] = b[x, y]
    f[x, 6 - r] = hl.sin(f[x, 7 - r]) * f[x, 6 - r] + b[x, r]
    return f


@program(10, 8, wheel=False)
def integral_image(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(1, 9), (1, 7)], "r")
    f[x, y] = b[x, y]
    f[r.x, r.y] += f[r.x - 1, r.y] + f[r.x, r.y - 1] - f[r.x - 1, r.y - 1]
    return f


@program(10, 8, wheel=False)
def both_sides(hl: Any, b: Any) -> Any:
    """What is read to the left has been written, what is read to the right has not."""
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(1, 8)], "r")
    f[x, y] = b[x, y]
    f[r, y] = 0.5 * f[r - 1, y] * f[r + 1, y]
    return f


@program(10, 8, wheel=False)
def tuple_scan(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    t, f, r = hl.Func("t"), hl.Func("f"), hl.RDom([(1, 7)], "r")
    t[x, y] = (b[x, y], b[x, y] * 2)
    t[x, r] = (
        t[x, r - 1][0] * 0.5 + t[x, r - 1][1] * 0.3 + t[x, r][0],
        t[x, r - 1][0] * b[x, r],
    )
    f[x, y] = t[x, y][0] * t[x, y][1]
    return f


@program(10, 8, wheel=False)
def predicated_scan(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(1, 9)], "r")
    r.where(r.x % 3 != 0)
    f[x, y] = b[x, y]
    f[r.x, y] = f[r.x - 1, y] * b[r.x, y]
    return f


@program(10, 8, wheel=False)
def tuples(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    t, f = hl.Func("t"), hl.Func("f")
    t[x, y] = (b[x, y], b[x, y] * 2)
    t[x, y] = (t[x, y][1] * t[x, y][0], t[x, y][0] + 1)
    f[x, y] = t[x, y][0] * t[x, y][1]
    return f


# Reductions that overwrite


@program(5, 4, wheel=False)
def largest_of_four(hl: Any, b: Any) -> Any:
    x, y = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 2), (0, 2)], "r")
    f[x, y] = hl.maximum(b[2 * x + r.x, 2 * y + r.y])
    return f


@program(wheel=False)
def extremes(hl: Any, b: Any) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 10), (0, 8)], "r")
    f[()] = hl.maximum(b[r.x, r.y] * b[9 - r.x, r.y]) + hl.minimum(b[r.x, r.y])
    return f


@program(10, wheel=False)
def products(hl: Any, b: Any) -> Any:
    x, _ = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 8)], "r")
    f[x] = hl.product(b[x, r.x])
    return f


@program(10, wheel=False)
def greatest_value(hl: Any, b: Any) -> Any:
    x, _ = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(0, 8)], "r")
    f[x] = hl.argmax(b[x, r.x])[1] * 2
    return f


@program(10, wheel=False)
def overwritten(hl: Any, b: Any) -> Any:
    x, _ = coordinates(hl)
    f, r = hl.Func("f"), hl.RDom([(1, 3), (2, 2)], "r")
    r.where(r.x != r.y)
    f[x] = b[x, 0]
    f[x] = f[x] * b[x, r.x] + hl.sin(f[x]) * b[x, r.y]
    return f
