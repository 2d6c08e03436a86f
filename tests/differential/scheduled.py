"""Fixed pipelines, and the check that a schedule changes none of their pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

import pipec

Build = Callable[[Any], SimpleNamespace]
Size = tuple[int, ...]

IMAGE = np.random.default_rng(21).integers(0, 256, (37, 41)).astype(np.uint8)


def start(hl: Any) -> SimpleNamespace:
    """Variables and the bordered input, the common beginning."""
    image = hl.Buffer(IMAGE)
    edge = hl.BoundaryConditions.repeat_edge(image)
    names = {name: hl.Var(name) for name in ("x", "y", "xo", "xi", "yo", "yi", "xoo", "xii", "t", "fused")}
    return SimpleNamespace(hl=hl, image=image, edge=edge, **names)


def blur(hl: Any) -> SimpleNamespace:
    s = start(hl)
    s.blur_x, s.output = hl.Func("blur_x"), hl.Func("blur_y")
    s.blur_x[s.x, s.y] = hl.u16(s.edge[s.x - 1, s.y]) + s.edge[s.x, s.y] * 2 + s.edge[s.x + 1, s.y]
    s.output[s.x, s.y] = (s.blur_x[s.x, s.y - 1] + s.blur_x[s.x, s.y] + s.blur_x[s.x, s.y + 1]) / 3 + hl.u16(s.x)
    return s


def accumulated(hl: Any) -> SimpleNamespace:
    """A separable filter whose stages have update definitions."""
    s = start(hl)
    s.rows, s.output = hl.Func("rows"), hl.Func("columns")
    s.r, s.q = hl.RDom([(-2, 5)], "r"), hl.RDom([(-1, 3), (0, 2)], "q")
    s.rows[s.x, s.y] = hl.i32(s.x)
    s.rows[s.x, s.y] += hl.i32(s.edge[s.x + s.r, s.y]) * (s.r + 3)
    s.output[s.x, s.y] = hl.i32(s.edge[s.x, s.y])
    s.output[s.x, s.y] += s.rows[s.x + s.q.y, s.y + s.q.x] * (s.q.x + 2)
    s.output[s.x, s.y] -= s.rows[s.x, s.y]
    return s


def histogram(hl: Any) -> SimpleNamespace:
    """Counts, their running sum, and the image looked up in it."""
    s = start(hl)
    s.i = hl.Var("i")
    s.counts, s.sums, s.output = hl.Func("counts"), hl.Func("sums"), hl.Func("equalized")
    s.r, s.b = hl.RDom([(0, 41), (0, 37)], "r"), hl.RDom([(1, 255)], "b")
    s.counts[s.i] = 0
    s.counts[s.image[s.r.x, s.r.y]] += 1
    s.sums[s.i] = s.counts[s.i]
    s.sums[s.b.x] = s.sums[s.b.x - 1] + s.counts[s.b.x]
    s.output[s.x, s.y] = hl.u8(s.sums[s.edge[s.x, s.y]] * 255 / (41 * 37))
    return s


def pyramid(hl: Any) -> SimpleNamespace:
    """Two levels down, two up again, and the difference."""
    s = start(hl)
    s.down, s.down2, s.up, s.output = hl.funcs("down down2 up detail")
    s.level = hl.Func("level")
    s.level[s.x, s.y] = hl.i32(s.edge[s.x, s.y])

    def halved(f):
        return (f[2 * s.x - 1, 2 * s.y] + 2 * f[2 * s.x, 2 * s.y] + f[2 * s.x + 1, 2 * s.y + 1]) / 4

    s.down[s.x, s.y] = halved(s.level)
    s.down2[s.x, s.y] = halved(s.down)
    s.up[s.x, s.y] = (s.down2[s.x / 2, s.y / 2] + s.down2[(s.x + 1) / 2, (s.y + 1) / 2]) / 2
    s.output[s.x, s.y] = s.level[s.x, s.y] * 3 - s.up[s.x / 2, s.y / 2] - s.down[(s.x + 1) / 2, s.y / 2]
    return s


def scan(hl: Any) -> SimpleNamespace:
    """Running sums along both dimensions, read by a stencil."""
    s = start(hl)
    s.sums, s.output = hl.Func("sums"), hl.Func("stencil")
    s.r, s.q = hl.RDom([(1, 45)], "r"), hl.RDom([(1, 40)], "q")
    s.sums[s.x, s.y] = hl.i32(s.edge[s.x, s.y])
    s.sums[s.r.x, s.y] += s.sums[s.r.x - 1, s.y]
    s.sums[s.x, s.q.x] += s.sums[s.x, s.q.x - 1]
    s.output[s.x, s.y] = s.sums[s.x, s.y] * 2 - s.sums[s.x + 1, s.y + 2]
    return s


def chain(hl: Any) -> SimpleNamespace:
    """Five stencils, each of the one before."""
    s = start(hl)
    s.stages = [hl.Func(f"stencil{i}") for i in range(5)]
    previous = s.edge
    for i, stage in enumerate(s.stages):
        reach = i % 2 + 1
        step = (s.x, s.y + 1) if i % 2 else (s.x + 1, s.y - 1)
        stage[s.x, s.y] = (hl.i32(previous[s.x - reach, s.y]) * 2 + previous[step]) / 2
        previous = stage
    s.output = s.stages[-1]
    return s


BUILDS: tuple[Build, ...] = (blur, accumulated, histogram, pyramid, scan, chain)
ODD_SIZES: tuple[Size, ...] = ((1, 1), (2, 7), (13, 5), (32, 16), (35, 33))


@cache
def unscheduled(build: Build, sizes: tuple[Size, ...]) -> tuple[np.ndarray, ...]:
    output = build(pipec).output
    return tuple(np.array(output.realize(list(size))) for size in sizes)


def unchanged(build: Build, schedule: Callable[[SimpleNamespace], Any], sizes: Iterable[Size] = ODD_SIZES) -> None:
    """The scheduled pipeline gives the pixels of the unscheduled one, for every size, compiled once."""
    sizes = tuple(sizes)
    stages = build(pipec)
    schedule(stages)
    for size, expected in zip(sizes, unscheduled(build, sizes), strict=True):
        actual = np.asarray(stages.output.realize(list(size)))
        np.testing.assert_array_equal(actual, expected, err_msg=f"size {size}")
