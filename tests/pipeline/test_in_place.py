"""Outputs in the memory of their inputs, for pipelines each of whose values depends on its own point only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl

x, y = hl.vars("x y")
SCHEDULES: dict[str, Callable[[hl.Func, hl.Func], Any]] = {
    "none": lambda f, g: None,
    "vectors": lambda f, g: g.vectorize(x, 8),
    "vectors, shifted inwards": lambda f, g: g.vectorize(x, 8, hl.TailStrategy.ShiftInwards),
    "tiles": lambda f, g: g.tile(x, y, *hl.vars("xo yo xi yi"), 8, 4).parallel(hl.Var("yo")),
    "at root": lambda f, g: f.compute_root().vectorize(x, 16),
    "in tiles": lambda f, g: (
        g.tile(x, y, *hl.vars("xo yo xi yi"), 8, 4).vectorize(hl.Var("xi"), 4),
        f.compute_at(g, hl.Var("xo")).vectorize(x, 16, hl.TailStrategy.RoundUp),
    ),
    "sliding": lambda f, g: (g.split(y, *hl.vars("yo yi"), 4), f.store_root().compute_at(g, hl.Var("yi"))),
    "unrolled": lambda f, g: g.unroll(x, 3).vectorize(y, 4),
}


def two_steps() -> tuple[hl.ImageParam, hl.Func, hl.Func]:
    image = hl.ImageParam(hl.Int(32), 2, "image")
    f, g = hl.funcs("f g")
    f[x, y] = image[x, y] * 3 + x
    g[x, y] = f[x, y] + image[x, y] + y
    return image, f, g


def expected(a: np.ndarray) -> np.ndarray:
    return a * 4 + np.arange(a.shape[1]) + np.arange(a.shape[0])[:, None]


def pixels() -> np.ndarray:
    return np.arange(19 * 37, dtype=np.int32).reshape(19, 37)


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "dense": np.copy,
    "transposed": lambda a: np.asfortranarray(a),
    "every second row and column": lambda a: np.repeat(np.repeat(a, 2, 0), 2, 1)[::2, ::2],
    "mirrored": lambda a: a[:, ::-1].copy()[:, ::-1],
}


@pytest.mark.part(3)
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
@pytest.mark.part(3)
def test_pointwise_pipelines_write_into_their_input(schedule: Callable[..., Any], layout: Callable[..., Any]) -> None:
    image, f, g = two_steps()
    schedule(f, g)
    run = g.compile_to_callable([image])
    for _ in range(2):
        array = layout(pixels())
        run(array, array)
        assert (array == expected(pixels())).all()
        array = layout(pixels())
        image.set(array)
        g.realize(array)
        assert (array == expected(pixels())).all()
    separate = np.zeros_like(pixels())
    run(pixels(), separate)
    assert (separate == expected(pixels())).all()


def shifted(image: hl.ImageParam) -> hl.Func:
    f = hl.Func("f")
    f[x, y] = hl.BoundaryConditions.repeat_edge(image)[x + 1, y]
    return f


def transposed(image: hl.ImageParam) -> hl.Func:
    f = hl.Func("f")
    f[x, y] = image[y, x]
    return f


def updated(image: hl.ImageParam) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(0, 3)], "r")
    f[x, y] = image[x, y]
    f[x, y] += r
    return f


def two_values(image: hl.ImageParam) -> hl.Func:
    f = hl.Func("f")
    f[x, y] = (image[x, y] + 1, image[x, y] - 1)
    return f


@pytest.mark.parametrize("define", [shifted, transposed, updated, two_values])
def test_other_pipelines_are_refused(define: Callable[[hl.ImageParam], hl.Func]) -> None:
    image = hl.ImageParam(hl.Int(32), 2, "image")
    array = np.arange(25, dtype=np.int32).reshape(5, 5)
    run = define(image).compile_to_callable([image])
    outputs = [array, array.copy()] if define is two_values else [array]
    with pytest.raises(hl.ArgumentError, match="shares memory with the input buffer image"):
        run(array, *outputs)
    assert (array == np.arange(25).reshape(5, 5)).all()


@pytest.mark.parametrize("overlap", [lambda a: a[:-1], lambda a: a[1:], lambda a: a[::-1], lambda a: a[:, ::-1]])
def test_memory_that_is_not_exactly_that_of_the_input_is_refused(overlap: Callable[[np.ndarray], np.ndarray]) -> None:
    image, _, g = two_steps()
    run = g.compile_to_callable([image])
    array = pixels()
    with pytest.raises(hl.ArgumentError, match="shares memory"):
        run(array, overlap(array))
    assert (array == pixels()).all()


def test_two_inputs_of_which_one_is_overwritten() -> None:
    a, b, f = hl.ImageParam(hl.Int(32), 1, "a"), hl.ImageParam(hl.Int(32), 1, "b"), hl.Func("f")
    f[x] = a[x] * 10 + b[x]
    f.vectorize(x, 4)
    run = f.compile_to_callable([a, b])
    first, second = np.arange(7, dtype=np.int32), np.arange(7, dtype=np.int32)
    run(first, second, second)
    assert second.tolist() == [11 * k for k in range(7)] and first.tolist() == list(range(7))
    run(first, first, first)
    assert first.tolist() == [11 * k for k in range(7)]
