"""Below a select that takes another value beyond the edges, vectors load the lanes alone that lie inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import Broadcast, Load, Ramp
from pipec.ir.walk import instances
from pipec.lower.lower import lower

x, y = hl.vars("x y")
REACH = 3
TAILS = [hl.TailStrategy.GuardWithIf, hl.TailStrategy.ShiftInwards, hl.TailStrategy.PredicateLoads]


def _beyond_is_seven(image: Any) -> Any:
    return hl.BoundaryConditions.constant_exterior(image, hl.cast(image.type(), 7))


def _loads(func: hl.Func, image: hl.ImageParam) -> list[Load]:
    """The loads of an image in the lowered program."""
    program = lower(freeze([func.function])[0], schedule_of([func.function]), hl.get_host_target())
    return [load for load in instances(Load, program.body) if load.buffer.startswith(image.name())]


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.float32, np.float64])
@pytest.mark.part(3)
def test_taps_beyond_both_edges_are_the_exterior(kind: Any, tail: hl.TailStrategy) -> None:
    rng = np.random.default_rng(5)
    image, f = hl.ImageParam(hl.Buffer(np.zeros(1, kind)).type(), 2, "image"), hl.Func("f")
    wide = _beyond_is_seven(image)
    f[x, y] = wide[x - 1, y] + wide[x + 1, y - 2] * 2 + wide[x + REACH, y + 1] * 3
    f.vectorize(x, 16, tail)
    for width, height in ((16, 5), (37, 4), (90, 3)):
        pixels = rng.integers(0, 30, (height, width)).astype(kind)
        image.set(hl.Buffer(pixels))
        padded = np.pad(pixels, REACH, constant_values=7)

        def at(i: int, j: int, padded: Any = padded, width: int = width, height: int = height) -> Any:
            return padded[REACH + j : REACH + j + height, REACH + i : REACH + i + width]

        expected = at(-1, 0) + at(1, -2) * kind(2) + at(REACH, 1) * kind(3)
        assert np.array_equal(np.asarray(f.realize([width, height])), expected), (width, height)


def test_no_lane_at_an_edge_is_loaded() -> None:
    image, f = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("f")
    wide = _beyond_is_seven(image)
    f[x, y] = wide[x - 1, y] + wide[x + 1, y]
    f.vectorize(x, 16)
    loads = _loads(f, image)
    assert loads and all(isinstance(load.index, Ramp) for load in loads), "vectors only, no pixel of an edge alone"


def test_places_that_lanes_give_stay_right_in_lanes_that_are_not_taken() -> None:
    image, table, (places, f) = hl.ImageParam(hl.UInt(8), 2), hl.ImageParam(hl.Int(32), 1), hl.funcs("places f")
    places[x, y] = image[x, y] % 10 + hl.u8(100)
    places.compute_root()
    left = image.dim(0).min()
    place = places[hl.clamp(x - 2, left, image.dim(0).max()), y]
    f[x, y] = hl.select((x - 2 < left) | (x - 2 > image.dim(0).max()), -1, table[place] + place)
    f.vectorize(x, 16)
    numbers = np.random.default_rng(6).integers(0, 256, (3, 40)).astype(np.uint8)
    image.set(hl.Buffer(numbers))
    values = hl.Buffer(np.arange(10, dtype=np.int32) * 7)
    values.set_min([100])  # what a lane that was not loaded holds, 0, is no place of it
    table.set(values)
    shifted = np.pad(numbers % 10, ((0, 0), (2, 0)))[:, :40].astype(np.int32)
    expected = np.where(np.arange(40) < 2, -1, shifted * 7 + shifted + 100)
    assert np.array_equal(np.asarray(f.realize([40, 3], hl.Target("host-checked"))), expected)


def test_values_that_are_used_many_times_are_looked_at_once() -> None:
    image, f = hl.ImageParam(hl.UInt(32), 2, "image"), hl.Func("f")
    value = _beyond_is_seven(image)[x - 1, y]
    inside = (x - 1 >= image.dim(0).min()) & (x - 1 <= image.dim(0).max())
    for _ in range(60):
        value = value * value + 1
    f[x, y] = hl.select(inside, value, hl.u32(3))
    f.vectorize(x, 8)
    pixels = np.arange(20, dtype=np.uint32)[None]
    image.set(hl.Buffer(pixels))
    expected = np.pad(pixels, ((0, 0), (1, 0)))[:, :20]
    for _ in range(60):
        expected = expected * expected + 1
    expected[:, 0] = 3
    assert np.array_equal(np.asarray(f.realize([20, 1])), expected)


@pytest.mark.parametrize("first", [1, 2, 3])
def test_a_condition_that_leaves_lanes_beyond_the_edge_keeps_the_clamp(first: int) -> None:
    image, f = hl.ImageParam(hl.Int(16), 2, "image"), hl.Func("f")
    edge = hl.BoundaryConditions.repeat_edge(image)
    f[x, y] = hl.select((x >= image.dim(0).min() + first) & (x <= image.dim(0).max() + 2), edge[x - 2, y], hl.i16(-1))
    f.vectorize(x, 16)
    pixels = np.random.default_rng(7).integers(0, 999, (4, 43)).astype(np.int16)
    image.set(hl.Buffer(pixels))
    shifted = np.pad(pixels, ((0, 0), (2, 0)), mode="edge")[:, :43]
    expected = np.where(np.arange(43) >= first, shifted, -1)
    assert np.array_equal(np.asarray(f.realize([43, 4])), expected)
    clamped = any(isinstance(load.index, Broadcast) or load.type.nlanes == 1 for load in _loads(f, image))
    assert clamped == (first < 2), "the clamp goes where the condition implies its limits"


def test_sums_over_the_places_that_exist_load_no_clamped_lanes() -> None:
    image, f, r = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("f"), hl.RDom([(-REACH, 2 * REACH + 1)], "r")
    near = hl.BoundaryConditions.repeat_edge(image)
    r.where((x + r >= image.left()) & (x + r <= image.right()))
    f[x, y] = hl.f32(0)
    f[x, y] += near[x + r, y] * hl.f32(r + 9)
    f.update().reorder(x, r, y).vectorize(x, 16, hl.TailStrategy.GuardWithIf)
    vectors = [load for load in _loads(f, image) if load.type.nlanes > 1]
    assert vectors and all(isinstance(load.index, Ramp) for load in vectors)
    for width in (5, 16, 43):
        pixels = np.random.default_rng(4).random((3, width), np.float32)
        image.set(hl.Buffer(pixels))
        padded = np.pad(pixels, ((0, 0), (REACH, REACH)))
        expected = sum(padded[:, k : k + width] * np.float32(k - REACH + 9) for k in range(2 * REACH + 1))
        np.testing.assert_allclose(np.asarray(f.realize([width, 3])), expected, rtol=1e-5)
