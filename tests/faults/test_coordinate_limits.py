"""Values that no 32-bit integer holds, and NaN, lead to no place outside of what was computed."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl

x, k = hl.vars("x k")
VALUES = np.array([1, 1000, 2, np.inf, np.nan, -5, -np.inf, 3e9, -3e9, 7], np.float32)
INFINITE = hl.f32(float("inf"))
CONVERSIONS = {
    "magnitude": lambda v: hl.min(hl.i32(hl.abs(v)), 100),
    "largest of two": lambda v: hl.min(hl.i32(hl.max(v, 0.0)), 100),
    "rounded": lambda v: hl.min(hl.i32(hl.floor(hl.abs(v))), 100),
    "root": lambda v: hl.min(hl.i32(hl.sqrt(hl.abs(v))), 100),
    "64 bits": lambda v: hl.i32(hl.min(hl.i64(hl.abs(v)), 100)),
    "both ends": lambda v: hl.clamp(hl.i32(hl.abs(v)), 0, 100),
    "an infinite end": lambda v: hl.clamp(hl.i32(hl.min(INFINITE, v) * 4), 0, 100),
}


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("name", CONVERSIONS)
def test_reads_stay_inside(name: str, stored: bool, lanes: int) -> None:
    tens, places, output = hl.Func("tens"), hl.Func("places"), hl.Func("output")
    tens[x] = x * 10
    places[x] = CONVERSIONS[name](hl.Buffer(VALUES)[x])
    output[x] = tens[places[x]]
    tens.compute_root()
    if stored:
        places.compute_root()
    output.vectorize(x, lanes, hl.TailStrategy.GuardWithIf)
    result = output.realize([10]).numpy()
    expected = {"root": [10, 310, 10, 20], "an infinite end": [40, 1000, 80, 280]}.get(name, [10, 1000, 20, 70])
    assert result[[0, 1, 2, 9]].tolist() == expected
    assert result.min() >= 0 and result.max() <= 1000 and not np.any(result % 10)


OVERFLOWS = {
    "sum": lambda a: hl.min(hl.max(a, 0) + 1, 100),
    "sum of two": lambda a: hl.min(hl.max(a, 0) + hl.max(a + 0, 1), 100),
    "difference": lambda a: hl.max(hl.min(a, 0) - 1, -99) + 99,
    "negative": lambda a: hl.min(-hl.min(a, 0), 100),
    "product": lambda a: hl.min(hl.max(a, 0) * 3, 100),
    "shift": lambda a: hl.min(hl.max(a, 0) << 3, 100),
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_vectors_of_places_that_overflow_are_read_where_single_ones_are(name: str) -> None:
    numbers = hl.Buffer(np.array([1, -(2**31), 2**31 - 1, 5, -7, 2**30, 46341, 3], np.int32))
    results = []
    for lanes in (1, 8):
        tens, output = hl.Func("tens"), hl.Func("output")
        tens[x] = x * 10
        output[x] = tens[OVERFLOWS[name](numbers[x])]
        tens.compute_root()
        output.vectorize(x, lanes)
        results.append(output.realize([8]).numpy().tolist())
    assert results[0] == results[1]


@pytest.mark.parametrize("lanes", [1, 8])
def test_the_magnitude_of_the_least_integer_stays_inside(lanes: int) -> None:
    tens, output = hl.Func("tens"), hl.Func("output")
    numbers = hl.Buffer(np.array([-(2**31), 2**31 - 1, -3, 4], np.int32))
    tens[x] = x * 10
    output[x] = tens[hl.min(hl.i32(hl.abs(numbers[x])), 100)]
    tens.compute_root()
    output.vectorize(x, lanes, hl.TailStrategy.GuardWithIf)
    assert output.realize([4]).numpy()[1:].tolist() == [1000, 30, 40]


@pytest.mark.parametrize("name", CONVERSIONS)
def test_updates_stay_inside(name: str) -> None:
    r, counts, output = hl.RDom([(0, 10)]), hl.Func("counts"), hl.Func("output")
    counts[k] = 0
    counts[CONVERSIONS[name](hl.Buffer(VALUES)[r.x])] += 1
    output[k] = counts[k]
    counts.compute_root()
    assert output.realize([101]).numpy().sum() == 10


def test_the_smallest_of_none_is_infinite_and_bounds_a_clamped_place() -> None:
    r, least, tens, output = hl.RDom([(0, 3)]), hl.Func("least"), hl.Func("tens"), hl.Func("output")
    least[x] = hl.min(INFINITE, hl.minimum(hl.Buffer(VALUES)[x + r.x]))
    tens[x] = x * 10
    output[x] = tens[hl.clamp(hl.i32(least[x] * 2), -1, 3)]
    tens.compute_root()
    assert output.realize([1]).numpy().tolist() == [20]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e9, 2.0**31])
@pytest.mark.parametrize("offset", [-1, 1, 3])
@pytest.mark.parametrize("border", ["repeat_edge", "clamp", "constant_exterior"])
def test_places_that_overflow_have_the_same_pixels_in_vectors(value, offset, border):
    image, places, f = hl.ImageParam(hl.Int(32), 1, "image"), hl.ImageParam(hl.Float(32), 1, "places"), hl.Func("f")
    at = hl.i32(hl.floor(places[x])) + offset
    if border == "clamp":
        f[x] = image[hl.clamp(at, 0, image.width() - 1)]
    else:
        exterior = () if border == "repeat_edge" else (-5,)
        f[x] = getattr(hl.BoundaryConditions, border)(image, *exterior)[at]
    image.set(np.arange(100, 130, dtype=np.int32))
    places.set(np.where(np.arange(32) % 3 == 0, value, np.arange(32)).astype(np.float32))
    scalars = np.asarray(f.realize([32])).copy()
    assert np.array_equal(np.asarray(f.vectorize(x, 8).realize([32])), scalars)
