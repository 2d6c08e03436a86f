"""Random pipelines whose gradients are compared with central differences, or run as machine code.

They cover the whole language: types, Tuples, RDoms with predicates, scans, scatters, gathers, selects, extrema,
reductions that are written inline, functions, boundary conditions, wrappers and rfactor; 0 to 4 dimensions.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

import pipec as hl
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import freeze
from pipec.func.functions.substitution import in_float64

x, y = hl.vars("x y")
# Makes the choices of one pipeline again each time.
Draws = Callable[[], random.Random]
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
    """A function of some reads, smooth but for a few places."""
    reads = [choose.choice(funcs)[place(choose)] for _ in range(choose.randint(1, 3))]
    first, last = reads[0], reads[-1]
    small, positive = hl.tanh(first) * 0.9, first * first + 0.3
    return choose.choice(
        [
            lambda: hl.sin(first) + last * 0.5,
            lambda: first * last,
            lambda: first / (last * last + 1),
            lambda: hl.exp(hl.tanh(first) * -0.5) * hl.f32(x % 3),
            lambda: hl.sqrt(first * first + last * last + 0.1),
            lambda: hl.select(x > y, first, last * 2),
            lambda: hl.select(first > 0.6, hl.log(positive + 1.5), last),
            # Not 0.4, which is a constant exterior times the gain: there is no derivative at a kink.
            lambda: hl.max(first, last) - hl.min(last, 0.43),
            lambda: hl.lerp(first, last, 0.25) + hl.abs(last - 0.7),
            lambda: hl.tanh(first) + reads[len(reads) // 2],
            lambda: hl.pow(positive, hl.tanh(last)) + hl.pow(last, 3.0),
            lambda: hl.atan2(first, last * last + 0.2) - hl.atan(last),
            lambda: hl.asin(small) * hl.acos(small) + hl.atanh(small),
            lambda: hl.asinh(last) + hl.acosh(positive + 1.1) + hl.sinh(small) * hl.cosh(small),
            lambda: hl.cos(first) * hl.tan(small * 0.5) + hl.floor(last * 3.1) * first,
            lambda: hl.clamp(first, 0.2, 0.8) * last + hl.select(x == 1, 0.0, y == 2, last, first),
            lambda: hl.f32(hl.f64(first) * hl.f64(last)) + hl.f32(hl.i32(last * 7.3)) * 0.1 * first,
            lambda: hl.f32(hl.u8_sat(first * 41.3)) * 0.01 * last + hl.strict_float(first),
            lambda: hl.mux(x % 3, [first, last, first * last]) + hl.likely(last) * 0.2,
            lambda: (first % 0.37) * last + hl.absd(first, last),
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


def gathered(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    """Reads at places that values decide, linearly interpolated or not."""
    f, g, h = hl.Func("gathered"), choose.choice(funcs), choose.choice(funcs)
    at = hl.clamp(h[x, y] * 3, 0.0, 3.9)
    cell = hl.clamp(hl.i32(at), 0, 3)
    part = at - hl.f32(cell)
    if choose.random() < 0.5:
        f[x, y] = hl.lerp(g[cell, y], g[cell + 1, y], part) + g[x, y]
    else:
        f[x, y] = g[cell, hl.clamp(y, -1, 3)] * g[x, hl.clamp(hl.i32(g[x, y] * 2), -1, 2)]
    return f


def grid(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    """A third and a fourth dimension, splatted into, blurred and sliced."""
    g, h, f, b, r = (
        hl.Func("splat"),
        hl.Func("blurred"),
        hl.Func("sliced"),
        choose.choice(funcs),
        hl.RDom([(0, 4), (0, 3)]),
    )
    c, d = hl.vars("c d")
    at = hl.clamp(b[r.x, r.y] * 2, 0.0, 2.9)
    cell = hl.clamp(hl.i32(at), 0, 2)
    g[x, y, c, d] = 0.0
    g[r.x // 2, r.y, cell, 0] += b[r.x, r.y] * (1 - (at - hl.f32(cell)))
    g[r.x // 2, r.y, cell, 1] += at - hl.f32(cell)
    near = choose.choice([g[x, y, c - 1, d] + g[x, y, c, d] * 2, g[x, y, c, d] * g[x, y, c, 1 - d], g[x, y, c, d]])
    h[x, y, c, d] = near
    band = hl.clamp(hl.i32(b[x, y] * 2), 0, 2)
    total = h[hl.clamp(x // 2, 0, 1), hl.clamp(y, 0, 2), band, 0]
    f[x, y] = total / (h[hl.clamp(x // 2, 0, 1), 1, band, 1] ** 2 + 1)
    return f


def normalized(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    """A Func of no dimensions, or of one, between others."""
    f, g = hl.Func("normalized"), choose.choice(funcs)
    total, r = hl.Func("total"), hl.RDom([(0, 4), (0, 3)])
    if choose.random() < 0.4:
        r.where(choose.choice([lambda: r.x > r.y, lambda: g[r.x, r.y] > 0.5, lambda: (r.x + r.y) % 2 == 0])())
    if choose.random() < 0.5:
        total[()] = 0.5
        total[()] += g[r.x, r.y] * g[r.y, r.x]
        f[x, y] = g[x, y] / (total[()] * total[()] + 1)
    else:
        total[x] = 0.5
        total[x] = choose.choice([hl.max, hl.min])(total[x], g[x + r.x, r.y])
        f[x, y] = g[x, y] - total[y] * 0.5
    return f


def inline(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    """Reductions inside of expressions."""
    f, g, r = hl.Func("inline"), choose.choice(funcs), hl.RDom([(-1, 3), (0, 2)])
    if choose.random() < 0.3:
        r.where(r.x != r.y)
    read = g[x + r.x, y + r.y]
    kind = choose.randint(0, 4)
    if kind == 0:
        best = choose.choice([hl.argmax, hl.argmin])(read)
        f[x, y] = best[2] * 2 + g[x + hl.clamp(best[0], -1, 1), y] * hl.f32(best[1] + 1)
    elif kind == 1:
        f[x, y] = hl.sum(read * hl.f32(r.x + 2)) * hl.maximum(read)
    elif kind == 2:
        f[x, y] = hl.sum(hl.exp(-(read - g[x, y]) * (read - g[x, y])) * read)
    elif kind == 3:
        f[x, y] = hl.product(hl.tanh(read) + 0.5) + hl.minimum(g[x, y + r.y])
    else:
        f[x, y] = hl.sum(hl.select(read > 0.5, read * read, 0.3))
    return f


def typed(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    """A Tuple of several types, with a scan or a choice of the best."""
    t, f, g, r = hl.Func("typed"), hl.Func("chosen"), choose.choice(funcs), hl.RDom([(1, 4)])
    if choose.random() < 0.5:
        t[x, y] = (g[x, y], hl.f64(g[x + 1, y]), hl.i32(0))
        t[r, y] = (t[r - 1, y][0] * 0.4 + g[r, y], t[r, y][1] + hl.f64(t[r - 1, y][0]), t[r - 1, y][2] + 1)
        f[x, y] = t[x, y][0] + hl.f32(t[x, y][1]) * 0.5 + hl.f32(t[x, y][2]) * g[x, y]
    else:
        t[x, y] = (hl.f32(-10), hl.i32(0))
        better = g[x + r, y] > t[x, y][0]
        t[x, y] = (hl.select(better, g[x + r, y], t[x, y][0]), hl.select(better, r, t[x, y][1]))
        f[x, y] = t[x, y][0] * g[x + hl.clamp(t[x, y][1], 0, 4), y]
    return f


def double_scan(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    """Scans over two dimensions, forwards and backwards."""
    f, g, r, s = hl.Func("scan"), choose.choice(funcs), hl.RDom([(1, 4), (0, 3)]), hl.RDom([(0, 4), (1, 2)])
    f[x, y] = value(choose, funcs)
    f[r.x, r.y] = f[r.x, r.y] + f[r.x - 1, r.y] * g[r.x, r.y] * 0.5
    if choose.random() < 0.5:
        f[s.x, 3 - s.y] += f[s.x, 4 - s.y] * 0.5
    else:
        f[s.x, s.y] += hl.tanh(f[s.x, s.y - 1])
    return f


def bordered(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    """A boundary condition in the middle, of a Func with bounds."""
    kind, f, g = choose.choice(BORDERS), hl.Func("bordered"), choose.choice(funcs)
    box = [(0, choose.randint(2, 4)), (choose.randint(-1, 0), 3)]
    arguments = [g, 0.25, box] if kind == "constant_exterior" else [g, box]
    inside = getattr(hl.BoundaryConditions, kind)(*arguments)
    f[x, y] = inside[x - 1, y] * inside[x, y + 1] + inside[x, y]
    return f


def wrapped(choose: random.Random, funcs: list[hl.Func]) -> hl.Func:
    """A wrapper, a clone, or an update that rfactor takes apart."""
    f, g, r = hl.Func("wrapped"), choose.choice(funcs), hl.RDom([(0, 4), (0, 2)])
    f[x, y] = 0.0
    f[x, y] += g[x + r.x, y + r.y] * g[r.x, y]
    kind = choose.randint(0, 2)
    if kind == 0:
        u = hl.Var("u")
        f.update().rfactor(r.x, u)
    elif kind == 1 and not g.function.wrapper:
        g.in_(f)
    return f


STEPS: list[Step] = [
    *[pointwise, pointwise, summed, scanned, updated, reduced, scattered, tupled],
    *[gathered, grid, normalized, inline, typed, double_scan, bordered, wrapped],
]


def pipeline(choose: random.Random) -> tuple[hl.Func, list[hl.Buffer | hl.Param], list[tuple[int, int]]]:
    """A pipeline, what it is differentiated by, and over which box."""
    numbers = np.random.default_rng(choose.getrandbits(16))
    kind = choose.choice([np.float32, np.float32, np.float64])
    image = hl.Buffer(numbers.uniform(0.3, 1.0, (6, 7)).astype(kind), "image")
    first = border(choose, image)
    if kind is np.float64:
        narrow = hl.Func("narrow")
        narrow[x, y] = hl.f32(first[x, y])
        first = narrow
    sources: list[hl.Buffer | hl.Param] = [image]
    if choose.random() > 0.7:
        gain, scaled = hl.Param(hl.Float(32), "gain", 0.8), hl.Func("scaled")
        scaled[x, y] = first[x, y] * gain + hl.sin(gain * x)
        first = scaled
        sources.append(gain)
    funcs = [first]
    for _ in range(choose.randint(1, 3)):
        new = choose.choice(STEPS)(choose, funcs[-2:])
        if choose.random() > 0.6:
            bounded = hl.Func("bounded")
            bounded[x, y] = hl.tanh(new[x, y])
            new = bounded
        funcs.append(new)
    return funcs[-1], sources, [(choose.randint(-2, 1), 4), (0, 3)]


def check_gradient(draws: Draws) -> None:
    """The gradient of a pipeline against central differences.

    Differences are wrong where a kink is nearer than the step, and inexact where it is small: several are tried.
    """
    for step in (1e-6, 1e-5, 1e-7):
        f, sources, bounds = pipeline(draws())
        try:
            hl.check_gradient(f, sources, bounds, step=step, tolerance=1e-5, seed=int(-np.log10(step)))
            return
        except AssertionError as error:
            last = error
    raise last


def check_compiled(draws: Draws) -> None:
    """The gradient by machine code with the schedule by Li2018 against that of the definitions in float64."""
    f, (image, *_), bounds = pipeline(draws())
    d = hl.grad(f, image, bounds=bounds)
    definition, bindings = freeze([d.function])
    inputs = {name: (value.numpy().T, (0, 0)) for name, value in bindings.items() if isinstance(value, hl.Buffer)}
    box = {d.name(): ((0, 7), (0, 6))}
    (expected,) = interpret(in_float64(definition), inputs, dict.fromkeys(definition.scalars, 0.8), box).values()
    d.autoschedule(sizes=[7, 6], strategy="li2018", threads=2)
    actual = d.realize([7, 6]).numpy().T
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(actual / scale, expected / scale, rtol=2e-3, atol=2e-4)


def definitions_text(f: hl.Func) -> str:
    """The definitions of a Func and of those that it uses, one line each."""
    lines = []
    for func in freeze([f.function])[0].funcs.values():
        for stage in func.stages:
            loops = [f"{loop.name} in [{loop.minimum}, +{loop.extent})" for loop in stage.rvars]
            where = ["", f"  for {', '.join(loops)} where {stage.predicate}"][bool(loops)]
            left, right = ", ".join(map(str, stage.args)), ", ".join(map(str, stage.values))
            lines.append(f"{func.name}[{left}] = {right}{where}")
    return "\n".join(lines)
