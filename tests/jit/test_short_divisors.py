"""Vectors of 32-bit integers that float32 holds exactly are divided as such."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl

LARGEST = (1 << 24) - 1
COUNT = 4096
x = hl.Var("x")


def operands(kind: Any, largest: int, divisors: int) -> tuple[Any, Any]:
    """Numerators next to multiples of the divisors, and at the ends of their range."""
    random, lowest = np.random.default_rng(largest + divisors), -largest if np.issubdtype(kind, np.signedinteger) else 0
    by = random.integers(max(lowest, -divisors), divisors + 1, COUNT)
    by[:8] = [0, 1, divisors, divisors, max(lowest, -divisors), 2, 3, max(lowest, -1)]
    size = abs(by) + (by == 0)
    near = random.integers(lowest, largest + 1, COUNT) // size * size + random.integers(-1, 2, COUNT)
    near[2:5] = [largest, largest - 1, lowest]
    return near.clip(lowest, largest).astype(kind), by.astype(kind)


def limited(image: Any, numbers: Any) -> Any:
    """The image's elements, in limits that the compiler sees."""
    low, high = (hl.cast(image.type(), int(limit)) for limit in (numbers.min(), numbers.max()))
    return hl.clamp(image[x], low, high)


@pytest.mark.parametrize("largest", [255, LARGEST, LARGEST + 1, 2**31 - 1])
@pytest.mark.parametrize("divisors", [1, 255, LARGEST])
@pytest.mark.parametrize("kind", [np.int32, np.uint32])
def test_quotients_and_remainders_are_exact(kind, divisors, largest):
    a, b = operands(kind, largest, divisors)
    images = [hl.Buffer(numbers) for numbers in (a, b)]
    over, by = [limited(image, numbers) for image, numbers in zip(images, (a, b), strict=True)]
    f = hl.Func("f")
    f[x] = (over // by, over % by, hl.div_round_to_zero(over, by), hl.mod_round_to_zero(over, by))
    results = [np.asarray(part).astype(np.int64) for part in f.vectorize(x, 16).realize([COUNT])]
    a, b = a.astype(np.int64), b.astype(np.int64)
    nonzero, divisor = b != 0, np.where(b, b, 1)
    rest, short = np.where(nonzero, a % abs(divisor), 0), np.where(nonzero, np.fmod(a, divisor), 0)
    expected = [np.where(nonzero, (a - rest) // divisor, 0), rest, np.where(nonzero, (a - short) // divisor, 0), short]
    for result, numbers in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, numbers)


@pytest.mark.parametrize(("largest", "floats"), [(LARGEST, "float"), (LARGEST + 1, "double")])
def test_floats_divide_numbers_that_they_hold(largest, floats, tmp_path):
    image, by, f = hl.ImageParam(hl.Int(32), 1), hl.ImageParam(hl.UInt(8), 1), hl.Func("f")
    f[x] = hl.clamp(image[x], 0, largest) // hl.i32(by[x])
    f.vectorize(x, 8)
    f.compile_to_llvm_assembly(str(tmp_path / "f.ll"), [image, by])
    text = (tmp_path / "f.ll").read_text()
    assert f"fdiv <8 x {floats}>" in text


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64])
@pytest.mark.parametrize("lanes", [1, 8])
def test_broken_promises_about_divisors_end_no_process(kind, lanes):
    numbers = np.full(64, np.iinfo(kind).min, kind)
    a, b, f = (
        hl.Buffer(numbers),
        hl.Buffer(np.tile(np.array([0, -1 if kind != np.uint32 else 0], kind), 32)),
        hl.Func("f"),
    )
    over, by = hl.unsafe_promise_clamped(a[x], 0, 100), hl.unsafe_promise_clamped(b[x], 1, 10)
    f[x] = (over // by, over % by)
    if lanes > 1:
        f.vectorize(x, lanes)
    assert [len(np.asarray(part)) for part in f.realize([64])] == [64, 64]
