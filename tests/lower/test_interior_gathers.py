"""Gathers of neighbours at clamped places: vectors none of whose lanes is clamped have a version without clamps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import VectorReduce
from pipec.ir.node import kinds_of
from pipec.ir.stmt import IfThenElse
from pipec.ir.walk import statements
from pipec.lower.lower import lower

x, y = hl.vars("x y")
SIZES = [(1, 5), (2, 1), (3, 4), (17, 9)]
FORMS = {
    "repeat_edge": lambda image: hl.BoundaryConditions.repeat_edge(image),
    "min outside": lambda image: _func(
        lambda a, b: image[hl.min(hl.max(a, 0), image.width() - 1), hl.clamp(b, 0, image.height() - 1)]
    ),
    "constant_exterior": lambda image: hl.BoundaryConditions.constant_exterior(image, 9),
    "mirror_image": lambda image: hl.BoundaryConditions.mirror_image(image),
}


def _func(value: Any) -> hl.Func:
    f = hl.Func("clamped")
    f[x, y] = value(x, y)
    return f


def _corners(kind: Any, form: str, schedule: Any) -> tuple[hl.Func, hl.ImageParam, hl.ImageParam]:
    """Sums of the four pixels around places that an image gives, with weights that tell them apart."""
    image = hl.ImageParam(hl.Buffer(np.zeros((1, 1), kind)).type(), 2, "image")
    places = hl.ImageParam(hl.Int(32), 2, "places")
    wide, f = FORMS[form](image), hl.Func("f")
    at, row = places[x, y], y * 2 - 3
    f[x, y] = sum(hl.i64(wide[at + i, row + j]) * (1 + i + 3 * j) for i in range(3) for j in range(2))
    schedule(f)
    return f, image, places


def _expected(pixels: Any, places: Any, form: str) -> Any:
    padded = np.pad(
        pixels.astype(np.int64),
        60,
        **{
            "constant_exterior": {"mode": "constant", "constant_values": 9},
            "mirror_image": {"mode": "symmetric"},
        }.get(form, {"mode": "edge"}),
    )
    rows = np.arange(places.shape[0])[:, None] * 2 - 3 + 60
    return sum(padded[rows + j, places + 60 + i] * (1 + i + 3 * j) for i in range(3) for j in range(2))


SCHEDULES = {
    "a loop": lambda f: f.vectorize(x, 8),
    "threads": lambda f: f.vectorize(x, 8).parallel(y),
    "no loop inside": lambda f: f.bound(x, 0, 16).vectorize(x, 8).unroll(x).parallel(y),
    "guards": lambda f: f.vectorize(x, 8, hl.TailStrategy.GuardWithIf),
}


@pytest.mark.part(12)
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.uint32, np.int64])
def test_pixels_at_and_beyond_edges(kind, form, schedule):
    random = np.random.default_rng(0)
    f, image, places = _corners(kind, form, SCHEDULES[schedule])
    for width, height in SIZES:
        pixels = random.integers(0, 100, (height, width)).astype(kind)
        at = random.integers(-40, 40, (6, 16)).astype(np.int32)
        image.set(pixels)
        places.set(at)
        assert np.array_equal(np.asarray(f.realize([16, 6])), _expected(pixels, at, form))


def _versions(output: hl.Func) -> int:
    """How many conditions test all lanes of a vector."""
    definition, _ = freeze([output.function])
    program = lower(definition, schedule_of([output.function]), hl.get_host_target())
    chosen = [part for part in statements(program.body) if isinstance(part, IfThenElse) and part.otherwise is not None]
    return sum(bool(part.condition.kinds & kinds_of(VectorReduce)) for part in chosen)


@pytest.mark.parametrize(("kind", "versions"), [(np.uint8, True), (np.float32, True), (np.int64, False)])
@pytest.mark.parametrize("form", ["repeat_edge", "constant_exterior"])
def test_gathers_of_neighbours_that_fit_one_load_have_a_version(kind, versions, form):
    f, *_ = _corners(kind, form, SCHEDULES["a loop"])
    assert bool(_versions(f)) is versions


def test_small_tables_and_dense_loads_have_none():
    image, table = hl.ImageParam(hl.Int(32), 2, "image"), hl.ImageParam(hl.UInt(8), 1, "table")
    wide, f, g = hl.BoundaryConditions.repeat_edge(image), hl.Func("f"), hl.Func("g")
    f[x, y] = hl.i32(table[hl.clamp(image[x, y], 0, 255)]) + table[hl.clamp(image[x, y] + 1, 0, 255)]
    g[x, y] = wide[x, y] + wide[x + 1, y]
    assert not _versions(f.vectorize(x, 8)) and not _versions(g.vectorize(x, 8))


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
def test_iterations_of_a_reduction_that_gather_neighbours_are_written_out(kind):
    image, places = hl.ImageParam(hl.Buffer(np.zeros((1, 1), kind)).type(), 2, "image"), hl.ImageParam(hl.Int(32), 2)
    wide, f, r = hl.BoundaryConditions.repeat_edge(image), hl.Func("f"), hl.RDom([(-2, 5), (-1, 3)])
    f[x, y] = hl.f64(0)
    f[x, y] += hl.f64(wide[places[x, y] + r.x, y + r.y]) * (r.x + 3)
    xi = hl.Var("xi")
    f.update().split(x, x, xi, 8).reorder(xi, r.x, r.y, x, y).vectorize(xi)
    assert _versions(f)
    random = np.random.default_rng(3)
    pixels, at = random.integers(0, 100, (9, 50)).astype(kind), random.integers(-20, 70, (9, 40)).astype(np.int32)
    at[:, :24] = random.integers(2, 48, (9, 24))
    image.set(pixels)
    places.set(at)
    padded, rows = np.pad(pixels.astype(float), 80, mode="edge"), np.arange(9)[:, None] + 80
    expected = sum(padded[rows + j, at + 80 + i] * (i + 3) for i in range(-2, 3) for j in range(-1, 2))
    assert np.array_equal(np.asarray(f.realize([40, 9])), expected)


def test_places_that_the_statement_stores_itself_are_read_after_that():
    image = hl.ImageParam(hl.Int(32), 1, "image")
    wide, f, at = hl.BoundaryConditions.repeat_edge(image), hl.Func("f"), hl.Var("i")
    f[x, at] = x
    f[x, 1] = f[x, 0] * 3
    f[x, 2] = wide[f[x, 1]] + wide[f[x, 1] + 1]
    f.vectorize(x, 8).update(0).vectorize(x, 8)
    f.update(1).vectorize(x, 8)
    values = np.arange(100, dtype=np.int32) ** 2
    image.set(values)
    expected = values[np.minimum(np.arange(64) * 3, 99)] + values[np.minimum(np.arange(64) * 3 + 1, 99)]
    assert np.array_equal(np.asarray(f.realize([64, 3]))[2], expected)


@pytest.mark.parametrize("place", [-(2**31), -(2**31) + 1, 2**31 - 2, 2**31 - 1])
def test_places_near_the_ends_of_their_type_end_no_process(place):
    image, places, f = hl.ImageParam(hl.UInt(8), 1, "image"), hl.ImageParam(hl.Int(32), 1, "places"), hl.Func("f")
    at = hl.clamp(places[x], -(2**31) + 4, 2**31 - 5)
    f[x] = hl.BoundaryConditions.repeat_edge(image)[at + 1] + hl.BoundaryConditions.repeat_edge(image)[at + 2]
    image.set(np.full(20, 7, np.uint8))
    places.set(np.full(16, place, np.int32))
    assert np.all(np.asarray(f.vectorize(x, 8).realize([16])) == 14)
