"""Quotients of floats by constants as products: which divisors have such a reciprocal, and of which dividends."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import pipec as hl
from pipec.bounds.float_steps import step_of
from pipec.bounds.reciprocals import _is_exact, _parts, _rounded, reciprocal
from pipec.ir import expr as e
from pipec.ir.types import Float, Int, UInt

SINGLE = Float(32)


def number(value: float) -> e.Const:
    return e.Const(SINGLE, float(np.float32(value)))


def of_bytes() -> e.Cast:
    return e.Cast(SINGLE, e.Variable(UInt(8), "v"))


@pytest.mark.parametrize("precision", [5, 6, 7])
def test_a_divisor_that_passes_divides_all_numbers(precision: int) -> None:
    unit, passed = 1 << (precision - 1), 0
    for divisor in range(unit + 1, 2 * unit):
        exact = Fraction(unit, divisor)
        high, low = _parts(exact, precision)
        if _is_exact(divisor, precision, high, low):
            passed += 1
            for dividend in range(unit, 2 * unit):
                x = Fraction(dividend, unit)
                product = _rounded(x * high + _rounded(x * low, precision), precision)
                assert product == _rounded(x * exact, precision), f"{dividend} / {divisor}"
    assert passed > 0.7 * unit, "most divisors have a reciprocal"


@pytest.mark.parametrize("dtype", ["uint16", "int16"])
@pytest.mark.parametrize("divisor", [3, 9.0, 255, -7.3, 65535, 0.1])
def test_quotients_are_rounded_as_numpy_does(dtype: str, divisor: float) -> None:
    numbers = np.arange(65536, dtype=np.uint16).view(dtype)
    (x,), f, g = hl.vars("x"), hl.Func("f"), hl.Func("g")
    f[x] = hl.f32(hl.Buffer(numbers)[x]) / hl.f32(divisor)
    g[x] = (hl.f64(hl.Buffer(numbers)[x]) + 0.25) / hl.f64(divisor)
    f.vectorize(x, 16)
    g.vectorize(x, 8)
    assert np.array_equal(np.array(f.realize([65536])), numbers.astype(np.float32) / np.float32(divisor))
    assert np.array_equal(np.array(g.realize([65536])), (numbers.astype(np.float64) + 0.25) / divisor)


def test_only_dividends_from_integers_are_multiplied() -> None:
    loaded = e.Variable(SINGLE, "loaded")
    assert reciprocal(e.Div(of_bytes(), number(255))) is not None
    assert reciprocal(e.Div(e.Add(of_bytes(), number(0.5)), number(3))) is not None
    assert reciprocal(e.Div(loaded, number(255))) is None, "it may be a subnormal number"
    assert reciprocal(e.Div(of_bytes(), e.Variable(SINGLE, "d"))) is None
    assert reciprocal(e.Div(of_bytes(), number(4))) is None, "one product is exact"
    assert reciprocal(e.Div(of_bytes(), number(0))) is None


def test_quotients_of_zeros_infinite_and_nan() -> None:
    numbers = np.arange(-8, 8, dtype=np.int8)
    (x,), f = hl.vars("x"), hl.Func("f")
    v = hl.f32(hl.Buffer(numbers)[x])
    special = hl.select(v > 3, hl.f32(float("inf")), v < -3, hl.f32(float("nan")), v * hl.f32(-1e30) * hl.f32(0.5))
    f[x] = special / hl.f32(-7)
    f.vectorize(x, 16)
    expected = numbers.astype(np.float32) * np.float32(-1e30) * np.float32(0.5)
    expected[numbers > 3], expected[numbers < -3] = np.inf, np.nan
    result, expected = np.array(f.realize([16])), expected / np.float32(-7)
    assert np.array_equal(result, expected, equal_nan=True)
    assert np.array_equal(np.signbit(result[5:]), np.signbit(expected[5:])), "of zero too"


def test_steps_of_floats_from_integers() -> None:
    word = e.Cast(SINGLE, e.Variable(Int(16), "w"))
    assert step_of(e.Sub(of_bytes(), word)) == 0
    assert step_of(e.Mul(word, number(-0.75))) == -2
    assert step_of(e.Max(e.Mul(word, number(0.5)), number(float("inf")))) == -1
    assert step_of(e.Sub(of_bytes(), e.Variable(SINGLE, "loaded"))) is None
    assert step_of(e.Cast(SINGLE, e.Variable(Float(16), "h"))) == -24
    many = word
    for _ in range(40):
        many = e.Add(many, many)
    assert step_of(many) is None, "so many operations are not followed"
