"""bfloat16: rounded to nearest, ties to even, after each operation; sums and products are computed in float32."""

import numpy as np
import pytest

import pipec as hl
from pipec.ir.numerics import round_bfloat

BFLOAT = hl.BFloat(16)
x = hl.Var("x")
SPECIAL = [0, -0.0, 1.00390625, 1.01171875, 3.4e38, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1e-45, 1 / 3]


def computed(value, count, lanes):
    f = hl.Func("f")
    f[x] = value
    if lanes > 1:
        f.vectorize(x, lanes)
    return np.asarray(f.realize([count]))


@pytest.mark.parametrize("lanes", [1, 16])
def test_conversion_is_to_the_nearest(lanes):
    bits = np.random.default_rng(0).integers(0, 1 << 32, 500, np.uint32).view(np.float32)
    values = np.concatenate([np.array(SPECIAL, np.float32), bits])
    result = computed(hl.f32(hl.cast(BFLOAT, hl.Buffer(values)[x])), len(values), lanes)
    assert np.array_equal(
        result.view(np.uint32)[~np.isnan(values)], round_bfloat(values).view(np.uint32)[~np.isnan(values)]
    )
    assert np.isnan(result[np.isnan(values)]).all()


@pytest.mark.parametrize("lanes", [1, 16])
def test_each_operation_rounds(lanes):
    a, b = np.random.default_rng(1).uniform(-100, 100, (2, 256)).astype(np.float32)
    p, q = [hl.cast(BFLOAT, hl.Buffer(values)[x]) for values in (a, b)]
    a, b = round_bfloat(a), round_bfloat(b)
    for result, expected in (
        (p + q, a + b),
        (p * q, a * b),
        (p / q, a / b),
        (p * q + p, round_bfloat(a * b) + a),
        (hl.cast(BFLOAT, hl.sqrt(hl.abs(p))), np.sqrt(np.abs(a))),
        (p % q, a - b * np.floor(a / b)),
        (hl.select(p < q, p, q), np.minimum(a, b)),
        (hl.cast(BFLOAT, hl.i32(p) * 257), np.trunc(a) * 257),
    ):
        assert np.array_equal(computed(hl.f32(result), 256, lanes), round_bfloat(expected.astype(np.float32)))


@pytest.mark.parametrize("lanes", [1, 16])
def test_strict_sums_have_denormal_numbers(lanes):
    small = np.array([1e-40, 3e-39, -5e-40, 1e-38] * 8, np.float32)
    p = hl.cast(BFLOAT, hl.Buffer(small)[x])
    expected = round_bfloat(round_bfloat(small) + round_bfloat(small))
    assert np.array_equal(computed(hl.f32(hl.strict_float(p + p)), len(small), lanes), expected)


@pytest.mark.parametrize("lanes", [3, 9, 17])
def test_vectors_have_any_number_of_lanes(lanes):
    values = np.random.default_rng(2).uniform(-100, 100, 68).astype(np.float32)
    stored = hl.Func("stored")
    stored[x] = hl.cast(BFLOAT, hl.Buffer(values)[x])
    stored.compute_root().vectorize(x, lanes)
    r = hl.RDom([(0, 3)])
    f = hl.Func("f")
    f[x] = hl.cast(BFLOAT, 1.25)
    f[x] = hl.max(f[x], hl.min(stored[x], stored[r]))
    f.vectorize(x, lanes).update().vectorize(x, lanes)
    rounded = round_bfloat(values)
    bits = np.asarray(f.realize([68])).astype(np.uint32) << 16
    assert np.array_equal(bits.view(np.float32), np.maximum(1.25, np.minimum(rounded, rounded[:3].max())))
