"""NaN, infinities, signed zeros and half floats that are rounded: Halide's programs about them."""

import numpy as np
import pytest
from helpers import check, grid, image

CLASSES = {"is_nan": np.isnan, "is_inf": np.isinf, "is_finite": np.isfinite}


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_floats_that_the_pipeline_computes(hl, name, stored):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    value = hl.f32(x - 8) / hl.f32(y - 8) if name != "is_nan" else hl.sqrt(hl.f32(x - y))
    f[x, y] = value
    g[x, y] = hl.strict_float(hl.select(getattr(hl, name)(f[x, y] if stored else value), 1.0, 0.0))
    g.vectorize(x, 8)
    if stored:
        f.compute_root()
    xs, ys = grid(16, 16)
    with np.errstate(all="ignore"):
        values = np.float32(xs - 8) / np.float32(ys - 8) if name != "is_nan" else np.sqrt(np.float32(xs - ys))
    check(g.realize([16, 16]), CLASSES[name](values))


@pytest.mark.parametrize("lanes", [1, 4])
def test_nan_as_a_constant_that_is_chosen(hl, lanes):
    x, f = hl.Var("x"), hl.Func("f")
    source = image(hl, np.array([np.nan, 2, np.inf, np.nan, -0.0], np.float32))
    f[x] = hl.select(hl.is_nan(source[x]), hl.f32(float("nan")), hl.f32(1))
    if lanes > 1:
        f.vectorize(x, lanes)
    target = hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.StrictFloat)
    check(f.realize([5], target), [np.nan, 1, 1, np.nan, 1])


NUMBERS = [0.0, -0.0, np.inf, -np.inf, 0.1, 4091.0, -4091.0, 0.3, -0.3, 65504.0, 65520.0, 1e6, 6e-8, 2.5e-8]


@pytest.mark.parametrize("number", NUMBERS)
def test_constants_are_rounded_to_half_floats(hl, number):
    x, f = hl.Var("x"), hl.Func("f")
    half = hl.cast(hl.Float(16), hl.f64(number))
    f[x] = (hl.reinterpret(hl.UInt(16), half), hl.f64(half))
    bits, value = (np.asarray(b)[0] for b in f.realize([1]))
    with np.errstate(over="ignore"):
        expected = np.float16(number)
    assert bits == expected.view(np.uint16) and value == np.float64(expected)
