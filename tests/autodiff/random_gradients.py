"""Random differentiable pipelines: `python tests/autodiff/random_gradients.py --first 0 --count 1000`."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

import pipec as hl  # noqa: E402

x, y = hl.vars("x y")
# From the Funcs so far (all defined everywhere) to one more.
Step = Callable[[random.Random, list[hl.Func]], hl.Func]
BORDERS = ("constant_exterior", "repeat_edge", "repeat_image", "mirror_image", "mirror_interior")


def border(choose: random.Random, image: hl.Buffer) -> hl.Func:
    kind = choose.choice(BORDERS)
    if kind == "constant_exterior":
        return hl.BoundaryConditions.constant_exterior(image, 0.5)
    return getattr(hl.BoundaryConditions, kind)(image)


def place(choose: random.Random) -> tuple[hl.Expr, hl.Expr]:
    """Where a Func is read for the point x, y."""
    a, b = choose.randint(-2, 2), choose.randint(-2, 2)
    return choose.choice(
        [
            (x + a, y + b),
            (a - x, y + b),
            (y + a, x + b),
            (2 * x + a, y + b),
            (x + y + a, y - x + b),
            (x // 2 + a, (y + b) // 3),
            (hl.clamp(x + a, 0, 4), y + b),
            (x + a, 3),
            (x + a, hl.select(y % 2 == 0, y + b, 3 - y)),
            (x % 3 + a, y * 3 + b),
            (x * 3 - y + a, x + 2 * y + b),
            (x, x + b),
        ]
    )


def value(choose: random.Random, funcs: list[hl.Func]) -> hl.Expr:
    """A smooth function of some reads."""
    reads = [choose.choice(funcs)[place(choose)] for _ in range(choose.randint(1, 3))]
    first, last = reads[0], reads[-1]
    return choose.choice(
        [
            lambda: hl.sin(first) + last * 0.5,
            lambda: first * last,
            lambda: first / (last * last + 1),
            lambda: hl.exp(first * -0.5) * hl.f32(x % 3),
            lambda: hl.sqrt(first * first + last * last + 0.1),
            lambda: hl.select(x > y, first, last * 2),
            lambda: hl.select(first > 0.6, hl.log(first + 1.5), last),
            lambda: hl.max(first, last) - hl.min(last, 0.4),
            lambda: hl.lerp(first, last, 0.25) + hl.abs(last - 0.7),
            lambda: hl.tanh(first) + reads[len(reads) // 2],
        ]
    )()


def pointwise(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    f = hl.Func("p")
    f[x, y] = value(choose, funcs)
    return f


def summed(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    f, g, r = hl.Func("s"), choose.choice(funcs), hl.RDom([(choose.randint(-1, 1), 3), (0, choose.randint(1, 2))], "r")
    if choose.random() < 0.3:
        r.where(r.x + r.y < choose.randint(0, 3))
    f[x, y] = 0.0
    scale, step = choose.choice([1, 2, -1]), choose.choice([1, 2])
    f[x, y] += g[scale * x + r.x, step * y + r.y] * value(choose, funcs) * (r.x + 2)
    return f


def scanned(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    f, g, r = hl.Func("c"), choose.choice(funcs), hl.RDom([(1, 5)], "r")
    f[x, y] = value(choose, funcs)
    if choose.random() < 0.3:
        r.where(r.x != 3)
    kind = choose.randint(0, 3)
    if kind == 0:
        f[r, y] += f[r - 1, y] * 0.5
    elif kind == 1:
        f[x, r] = f[x, r - 1] * hl.tanh(g[x, r]) + g[x + 1, r]
    elif kind == 2:
        f[5 - r, y] = hl.sin(f[6 - r, y]) + f[5 - r, y] * g[r, y]
    else:
        f[r, y] = f[r - 1, y] * 0.3 + f[r + 1, y] * f[r, y] * 0.2
    return f


def updated(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    f = hl.Func("u")
    f[x, y] = value(choose, funcs)
    for _ in range(choose.randint(1, 2)):
        kind, g = choose.randint(0, 4), choose.choice(funcs)
        if kind == 0:
            f[x, y] = hl.tanh(f[x, y]) * g[x, y]
        elif kind == 1:
            f[x, 2] = f[x, 1] * f[x, 2]
        elif kind == 2:
            f[x, y] = hl.select((x + y) % 2 == 0, f[x, y] * 0.5 + g[y, x], hl.undef(hl.Float(32)))
        elif kind == 3:
            f[x, hl.clamp(x, 0, 3)] += g[x, 1]
        else:
            f[hl.scatter([0, 2]), y] = f[hl.gather([2, 0]), y] * g[1, y]
    return f


def reduced(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    f, g, r = hl.Func("m"), choose.choice(funcs), hl.RDom([(0, 3)], "r")
    kind = choose.randint(0, 3)
    read = g[2 * x + r, y] if choose.random() < 0.5 else g[x, y + r] * (r + 1)
    if kind == 0:
        f[x, y] = hl.maximum(read)
    elif kind == 1:
        f[x, y] = hl.minimum(read)
    elif kind == 2:
        f[x, y] = hl.product(hl.tanh(read) + 1)
    else:
        f[x, y] = 0.1
        f[x, y] = f[x, y] * hl.tanh(read) + value(choose, funcs)
    return f


def scattered(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    h, f, r = hl.Func("h"), hl.Func("g"), hl.RDom([(0, 4), (0, 3)], "r")
    g = choose.choice(funcs)
    h[x, y] = 0.0
    h[r.x, hl.clamp(hl.i32(g[r.x, r.y] * 3), -1, 3)] += value(choose, funcs) if choose.random() < 0 else g[r.y, r.x]
    f[x, y] = h[hl.clamp(x, 0, 3), hl.clamp(hl.i32(g[x, y] * 4), -1, 3)] + h[0, y]
    return f


def tupled(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    t, f, r = hl.Func("t"), hl.Func("v"), hl.RDom([(1, 4)], "r")
    t[x, y] = (value(choose, funcs), value(choose, funcs))
    if choose.random() < 0.5:
        t[r, y] = (t[r - 1, y][0] * 0.5 + t[r, y][1], t[r - 1, y][0] * t[r, y][0])
    else:
        t[x, y] = (t[x, y][1] * 2, t[x, y][0] * t[x, y][1])
    f[x, y] = t[x, y][0] * t[x + 1, y][1]
    return f


STEPS: list[Step] = [pointwise, pointwise, summed, scanned, updated, reduced, scattered, tupled]


def check(seed: int) -> hl.GradientCheck:
    """The gradient of the pipeline of this seed, checked."""
    choose = random.Random(seed)
    image = hl.Buffer(np.random.default_rng(seed).uniform(0.3, 1.0, (6, 7)).astype(np.float32), "image")
    funcs = [border(choose, image)]
    for _ in range(choose.randint(1, 3)):
        funcs.append(choose.choice(STEPS)(choose, funcs[-2:]))
    bounds = [(choose.randint(-2, 1), 4), (0, 3)]
    return hl.check_gradient(funcs[-1], image, bounds, step=1e-6, tolerance=1e-5)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    failures = 0
    for seed in range(options.first, options.first + options.count):
        try:
            check(seed)
        except Exception as error:  # noqa: BLE001
            failures += 1
            print(f"seed {seed}: {type(error).__name__}: {str(error)[:300]}", flush=True)
    print(f"{options.count} pipelines, {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
