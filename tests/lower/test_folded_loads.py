"""Vectors in which some coordinates are mirrored or wrapped: a dense load for each side, gathers only far away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import Load, Ramp
from pipec.ir.program import Program
from pipec.ir.walk import instances
from pipec.lower.lower import lower

x, y, r = *hl.vars("x y"), hl.RDom([(-2, 5)], "r")
FOLDS = {
    "repeat_image": "wrap",
    "mirror_image": "symmetric",
    "mirror_interior": "reflect",
}
TAILS = {
    "inwards": hl.TailStrategy.ShiftInwards,
    "guarded": hl.TailStrategy.GuardWithIf,
    "predicated": hl.TailStrategy.Predicate,
    "rounded up": hl.TailStrategy.RoundUp,
}


def _wide(image: hl.ImageParam, fold: str) -> hl.Func:
    result: hl.Func = getattr(hl.BoundaryConditions, fold)(image)
    return result


def _stencil(fold: str, kind: Any) -> tuple[hl.Func, hl.ImageParam]:
    image = hl.ImageParam(hl.Buffer(np.zeros((1, 1), kind)).type(), 2, "image")
    wide, f = _wide(image, fold), hl.Func("f")
    f[x, y] = hl.i32(wide[x - 3, y]) + 3 * hl.i32(wide[x, y - 1]) + 5 * hl.i32(wide[x + 2, y + 1])
    return f, image


def _expected(pixels: Any, fold: str, left: int, width: int) -> Any:
    mode: Any = FOLDS[fold]
    padded = np.pad(pixels.astype(np.int64), 100, mode=mode)
    columns = np.arange(left, left + width) + 100
    rows = np.arange(pixels.shape[0])[:, None] + 100
    return padded[rows, columns - 3] + 3 * padded[rows - 1, columns] + 5 * padded[rows + 1, columns + 2]


def _lowered(f: hl.Func) -> Program:
    return lower(freeze([f.function])[0], schedule_of([f.function]), hl.get_host_target())


def _gathers(f: hl.Func) -> list[Load]:
    """Loads of whole vectors that are not dense; those of loops for places far away are shorter."""
    loads = instances(Load, _lowered(f).body)
    return [load for load in loads if load.type.nlanes > 8 and not isinstance(load.index, Ramp)]


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.part(6)
def test_stencils_over_folded_edges_are_those_of_padded_images(fold: str, tail: str) -> None:
    for kind in (np.uint8, np.float32):
        f, image = _stencil(fold, kind)
        f.vectorize(x, 8, TAILS[tail]).parallel(y)
        for width, height, left in [(1, 2, -8), (3, 1, 0), (8, 4, -16), (24, 5, 0), (41, 3, -21)]:
            pixels = np.random.default_rng(width).integers(0, 200, (height, width)).astype(kind)
            image.set(pixels)
            size = (width + 40) // 8 * 8
            out = hl.Buffer(hl.Int(32), [size, height])
            out.set_min([left, 0])
            f.realize(out)
            assert np.array_equal(np.asarray(out), _expected(pixels, fold, left, size)), (kind, width, left)


@pytest.mark.parametrize("fold", FOLDS)
def test_updates_over_folded_edges_are_those_of_padded_images(fold: str) -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    wide, f = _wide(image, fold), hl.Func("f")
    f[x, y] = hl.i32(0)
    f[x, y] += hl.i32(wide[x + r, y]) * (r + 4)
    f.vectorize(x, 8).update().reorder(x, r.x, y).vectorize(x, 8)
    pixels = np.random.default_rng(0).integers(0, 200, (3, 29)).astype(np.uint8)
    image.set(pixels)
    padded = np.pad(pixels.astype(np.int64), ((0, 0), (2, 2)), mode=FOLDS[fold])  # type: ignore[call-overload]
    expected = sum(padded[:, 2 + k : 31 + k] * (k + 4) for k in range(-2, 3))
    assert np.array_equal(np.asarray(f.realize([29, 3])), expected)


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.part(2)
def test_a_producer_over_folded_edges_is_computed_in_the_tiles_of_its_consumer(fold: str) -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    wide, f, g = _wide(image, fold), hl.Func("f"), hl.Func("g")
    xi, yi = hl.vars("xi yi")
    f[x, y] = hl.u16(wide[x - 1, y]) + wide[x + 1, y]
    g[x, y] = f[x - 1, y] + 2 * f[x + 1, y]
    g.tile(x, y, xi, yi, 16, 4).vectorize(xi, 8).parallel(y)
    f.compute_at(g, x).vectorize(x, 8)
    wide.compute_at(g, x).vectorize(hl.Var("_0"), 16)
    pixels = np.random.default_rng(0).integers(0, 200, (9, 37)).astype(np.uint8)
    image.set(pixels)
    p = np.pad(pixels.astype(np.int64), ((0, 0), (2, 2)), mode=FOLDS[fold])  # type: ignore[call-overload]
    sums = p[:, :-2] + p[:, 2:]
    assert np.array_equal(np.asarray(g.realize([37, 9])), sums[:, :-2] + 2 * sums[:, 2:])


@pytest.mark.parametrize("fold", FOLDS)
def test_nothing_is_gathered_near_folded_edges(fold: str) -> None:
    f, image = _stencil(fold, np.uint8)
    f.vectorize(x, 32)
    assert _gathers(f) == []


def test_coordinates_folded_by_hand_are_not_gathered() -> None:
    image, f = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("f")
    f[x] = image[hl.select(x < 5, hl.max(10 - x, 0), hl.likely(hl.max(x - 5, 0)))]
    f.vectorize(x, 16)
    assert _gathers(f) == []
    row = np.arange(40, dtype=np.uint8)
    image.set(row)
    assert np.asarray(f.realize([45])).tolist() == [10 - i if i < 5 else i - 5 for i in range(45)]


def test_a_choice_that_depends_on_a_parameter_too_is_gathered() -> None:
    image, flag, f = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Param(hl.Bool(), "flag"), hl.Func("f")
    f[x] = image[hl.select((x < 5) & flag, hl.max(10 - x, 0), hl.max(x - 5, 0))]
    f.vectorize(x, 16)
    image.set(np.arange(100, dtype=np.uint8))
    for value in (True, False):
        flag.set(value)
        expected = [10 - i if i < 5 and value else max(i - 5, 0) for i in range(48)]
        assert np.asarray(f.realize([48])).tolist() == expected


def test_sums_of_the_lanes_of_a_vector_over_folded_edges_are_right() -> None:
    image, f = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f")
    wide = hl.BoundaryConditions.mirror_interior(image)
    k = hl.RDom([(-3, 32)], "k")
    f[()] = hl.f32(0)
    f[()] += wide[k]
    f.update().atomic().vectorize(k.x, 8)
    row = np.random.default_rng(0).random(40).astype(np.float32)
    image.set(row)
    padded = np.pad(row, 3, mode="reflect")
    assert np.isclose(np.asarray(f.realize())[()], padded[:32].sum(), rtol=1e-5)
