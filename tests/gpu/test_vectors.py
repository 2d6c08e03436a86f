"""Vectors inside kernels."""

import numpy as np
import pytest

import pipec as hl
from tests.gpu.gpu import kernel_text, same_on_gpu

pytestmark = pytest.mark.opencl

x, y, xo, xi, xv = hl.vars("x y xo xi xv")
TYPES = ("int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64").split()
RANDOM = np.random.default_rng(9)


def numbers(name):
    if name.startswith("float"):
        result = (RANDOM.standard_normal(80) * 100).astype(name)
        result[5] = np.nan
        return result
    limits = np.iinfo(name)
    return RANDOM.integers(limits.min, limits.max, 80, dtype=name, endpoint=True)


def in_vectors(func, lanes):
    func.split(x, xo, xi, 32).split(xi, xi, xv, lanes).vectorize(xv).gpu_blocks(xo).gpu_threads(xi)


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.part(3)
def test_values(name):
    a, b = numbers(name), numbers(name)

    def make():
        p, q = hl.Buffer(a), hl.Buffer(b)
        p, q = p[x], q[x + 3]
        values = [p + q, p - q, p * q, hl.min(p, q), hl.max(p, q), (p + q) * (p + q) - 7]
        if name.startswith("float"):
            values += [p / q, hl.min(3, p), hl.max(p, 3)]
        else:
            values += [hl.cast(other, p) for other in (hl.Int(16), hl.UInt(8), hl.Float(32))]
        f = hl.Func("values")
        f[x] = tuple(values)
        return [f]

    same_on_gpu(make, lambda s: in_vectors(s[0], (2, 4, 8)[TYPES.index(name) % 3]), ((64,),))


def test_dense_vectors_have_types_of_their_own():
    f = hl.Func("f")
    image = hl.ImageParam(hl.Float(32), 1, "image")
    f[x] = image[x] * 2 + image[x + 1]
    in_vectors(f, 4)
    text = kernel_text(f)
    assert "vstore4(" in text and "vload4(0, image + " in text and "(float4)(2.0f)" in text


def test_strided_vectors_are_written_lane_by_lane():
    f = hl.Func("f")
    image = hl.ImageParam(hl.Float(32), 1, "image")
    f[x] = image[2 * x]
    in_vectors(f, 4)
    assert "vload" not in kernel_text(f) and "i < 4" in kernel_text(f)


def test_extrema_of_constants_and_nan_lane_by_lane():
    image = np.full(160, np.nan, np.float32)

    def make():
        f = hl.Func("extremes")
        p = hl.Buffer(image)[2 * x]
        f[x] = (hl.min(3, p), hl.max(p, 3), hl.min(p, 3), hl.max(3, p))
        return [f]

    same_on_gpu(make, lambda s: in_vectors(s[0], 4), ((64,),))
