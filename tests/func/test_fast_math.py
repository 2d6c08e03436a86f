"""The fast_ functions against numpy: accurate to what their docstrings say."""

import math

import numpy as np
import pytest

import pipec as hl

x = hl.Var("x")


def computed(function, values):
    source, f = hl.Buffer(values), hl.Func("f")
    f[x] = function(source[x])
    f.vectorize(x, 8)
    return np.asarray(f.realize([len(values)])).astype(np.float64)


@pytest.mark.parametrize(
    "name, exact, low, high",
    [
        ("fast_exp", np.exp, -80, 80),
        ("fast_inverse", np.reciprocal, 0.01, 100),
        ("fast_inverse_sqrt", lambda v: 1 / np.sqrt(v), 0.01, 100),
    ],
)
def test_relative_error(name, exact, low, high):
    values = np.random.default_rng(0).uniform(low, high, 5000).astype(np.float32)
    expected = exact(values.astype(np.float64))
    assert np.max(np.abs(computed(getattr(hl, name), values) / expected - 1)) < 5e-6


def test_logarithms_of_all_magnitudes():
    values = np.geomspace(2e-38, 3e38, 5000).astype(np.float32)
    expected = np.log(values.astype(np.float64))
    error = np.abs(computed(hl.fast_log, values) - expected)
    assert np.max(error / np.maximum(np.abs(expected), 1e-3)) < 5e-6


@pytest.mark.parametrize("name, exact", [("fast_sin", np.sin), ("fast_cos", np.cos)])
def test_angles(name, exact):
    values = np.linspace(-100, 100, 9001).astype(np.float32)
    assert np.max(np.abs(computed(getattr(hl, name), values) - exact(values.astype(np.float64)))) < 3e-6


def test_powers():
    values = np.geomspace(1e-3, 1e3, 2000).astype(np.float32)
    for power in (2.5, -0.75):
        expected = values.astype(np.float64) ** power
        result = computed(lambda e, power=power: hl.fast_pow(e, hl.f32(power)), values)
        assert np.max(np.abs(result / expected - 1) / (np.abs(power * np.log(values.astype(np.float64))) + 1)) < 5e-6
    assert np.array_equal(computed(lambda e: hl.fast_pow(e, 2), values), (values * values).astype(np.float64))
    assert computed(lambda e: hl.fast_pow(e, 0.5), np.zeros(1, np.float32)) == 0


def test_the_error_function():
    special = [0.0, -0.0, np.inf, -np.inf, 1e-45, -1e-40, 1e38, np.nan]
    values = np.concatenate([np.linspace(-5, 5, 20_001), np.geomspace(1e-30, 1, 999), special]).astype(np.float32)
    result = computed(hl.erf, values)
    expected = np.array([math.erf(value) for value in values])
    # Denormal numbers are zero, with their signs.
    expected = np.where(np.abs(expected) < np.finfo(np.float32).tiny, np.copysign(0, expected), expected)
    spacing = np.spacing(np.abs(expected.astype(np.float32))).astype(np.float64)
    assert (np.abs(result - expected) / spacing)[:-1].max() <= 2
    assert (np.abs(result[:-1]) <= 1).all()
    assert (np.signbit(result) == np.signbit(expected))[:-1].all()
    assert np.isnan(result[-1])


def test_only_float32_is_taken():
    with pytest.raises(hl.HalideError, match="fast_exp only works for Float"):
        hl.fast_exp(hl.f64(1.0))


def test_fast_sines_take_all_types():
    assert hl.fast_sin(hl.u8(x)).type() == hl.fast_cos(hl.cast(hl.Float(16), x)).type() == hl.Float(32)
    assert hl.fast_cos(hl.f64(x)).type() == hl.Float(64)
    assert abs(hl.evaluate(hl.fast_sin(hl.i8(2))) - math.sin(2)) < 1e-5
    assert abs(hl.evaluate(hl.fast_cos(hl.f64(2))) - math.cos(2)) < 1e-15


def test_saturating_sums_of_floats_are_refused():
    with pytest.raises(hl.HalideError, match="saturating_add only works on integers"):
        hl.saturating_add(hl.f32(1.0), hl.f32(2.0))
