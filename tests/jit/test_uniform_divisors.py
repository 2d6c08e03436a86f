"""Vectors divided by a number that is known at run time only: products with its reciprocal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl

x = hl.Var("x")
DIVISORS = [0, 1, 2, 3, 7, 10, 641, 65535, 65537, 1000003, 2**30, 2**31 - 19, 2**31 - 1]


def numerators(kind: Any, divisor: int) -> Any:
    """Numbers at the ends of the type, and around multiples of the divisor."""
    info = np.iinfo(kind)
    random = np.random.default_rng(abs(divisor))
    multiples = random.integers(0, info.max // max(abs(divisor), 1) + 1, 200) * divisor
    near = [multiples + step for step in (-1, 0, 1)]
    ends = [info.min + k for k in range(4)] + [info.max - k for k in range(4)] + list(range(-4, 5))
    numbers = np.concatenate([*near, ends, random.integers(info.min, info.max, 200)])
    numbers = numbers[(numbers >= info.min) & (numbers <= info.max)]
    return numbers[: len(numbers) // 8 * 8].astype(kind)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32])
def test_quotients_and_remainders_are_exact(kind):
    image = hl.ImageParam(hl.Buffer(np.zeros(1, kind)).type(), 1)
    divisor, f = hl.Param(image.type(), 1), hl.Func("f")
    f[x] = (image[x] // divisor, image[x] % divisor)
    f.vectorize(x, 8)
    info = np.iinfo(kind)
    for number in [sign * d for d in (*DIVISORS, 2**31, 2**32 - 1) for sign in (1, -1)]:
        if not info.min <= number <= info.max:
            continue
        a = numerators(kind, number)
        image.set(a)
        divisor.set(number)
        quotient, remainder = f.realize([len(a)])
        wide = a.astype(np.int64)
        rest = wide % abs(number) if number else wide * 0
        whole = (wide - rest) // number if number else wide * 0
        assert np.array_equal(np.asarray(remainder), rest.astype(kind)), number
        assert np.array_equal(np.asarray(quotient), whole.astype(kind)), number
