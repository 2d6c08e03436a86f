"""All types, operators and functions give the same values in kernels as on the CPU."""

from functools import cache

import numpy as np
import pytest

import pipec as hl
from tests.gpu.gpu import TARGET, realized, same_on_gpu

pytestmark = pytest.mark.opencl

x, y, xo, xi = hl.vars("x y xo xi")
TYPES = ("int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 bool").split()
RANDOM = np.random.default_rng(5)


def type_of(name):
    return hl.Buffer(np.zeros(1, name)).type()


def numbers(name, size=64):
    if name.startswith("float"):
        return (RANDOM.standard_normal(size) * 100).astype(name)
    if name == "bool":
        return RANDOM.integers(0, 2, size).astype(bool)
    limits = np.iinfo(name)
    return RANDOM.integers(limits.min, limits.max, size, dtype=name, endpoint=True)


def of_each_type(names, values_of):
    """A Func with an element for each type, whose rows are the values that `values_of` makes of two images of it."""
    f, values = hl.Func("of_each_type"), []
    for name in names:
        pictures = [hl.Buffer(numbers_of(name, which))[x] for which in range(2)]
        values.append(hl.mux(y, values_of(name, *pictures)))
    f[x, y] = tuple(values)
    return [f]


@cache
def numbers_of(name, which):
    return numbers(name)


def test_arithmetic_of_all_types():
    def values_of(name, p, q):
        if name == "bool":
            return [p & q, p | q, ~p, hl.select(p, q, p), p == q, p != q]
        values = [p + q, p - q, p * q, hl.min(p, q), hl.max(p, q), hl.select(p < q, p, q)]
        return [*values, p / q, p % q]

    same_on_gpu(lambda: of_each_type(TYPES, values_of), lambda s: s[0].gpu_tile(x, xo, xi, 16), ((64, 8),))


def test_bits_and_saturation_of_all_integers():
    def values_of(name, p, q):
        values = [p & q, p | q, p ^ q, ~p, p << (q & 7), p >> (q & 7), hl.saturating_add(p, q)]
        values += [hl.saturating_sub(p, q), hl.cast(type_of(name), hl.absd(p, q)), hl.popcount(p)]
        return [*values, hl.count_leading_zeros(p), hl.count_trailing_zeros(p)]

    integers = [name for name in TYPES if name[0] in "iu"]
    same_on_gpu(lambda: of_each_type(integers, values_of), lambda s: s[0].gpu_tile(x, xo, xi, 16), ((64, 12),))


def test_conversions_between_all_types():
    def make():
        f, values = hl.Func("conversions"), []
        for target in TYPES:
            # What a float too large for an integer type becomes is nobody's business.
            sources = [name for name in TYPES if not name.startswith("f") or target.startswith("f")]
            pictures = [hl.Buffer(numbers_of(name, 0))[x] for name in sources]
            values.append(hl.mux(y, [hl.cast(type_of(target), picture) for picture in pictures]))
        f[x, y] = tuple(values)
        return [f]

    same_on_gpu(make, lambda s: s[0].gpu_tile(x, xo, xi, 16), ((64, len(TYPES)),))


FUNCTIONS = (
    "sqrt exp sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh log floor ceil round trunc abs".split()
)


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_functions(name):
    a = (RANDOM.random(64) + np.arange(64) / 32 - 1).astype(name)

    def make():
        f, p = hl.Func("functions"), hl.Buffer(a)[x]
        values = [getattr(hl, function)(p) for function in FUNCTIONS]
        values += [hl.pow(hl.abs(p), p), hl.atan2(p, p + 1), hl.sqrt(hl.abs(p)) / (p * p + 1)]
        f[x, y] = hl.mux(y, values)
        return [f]

    plain, placed = make()[0], make()[0]
    placed.gpu_tile(x, xo, xi, 16)
    size = (64, len(FUNCTIONS) + 3)
    (want,), (got,) = realized(plain, size), realized(placed, size, TARGET)
    np.testing.assert_allclose(got, want, rtol=2e-4 if name == "float32" else 1e-13, atol=1e-6)


@pytest.mark.parametrize("kind", [hl.Float(16), hl.BFloat(16)])
def test_sixteen_bit_floats(kind):
    a = numbers("float32")

    def make():
        f, g = hl.Func("small"), hl.Func("wide")
        f[x] = hl.cast(kind, hl.Buffer(a)[x]) * hl.cast(kind, 3) + hl.cast(kind, x)
        g[x] = hl.cast(hl.Float(32), f[x])
        return [f, g]

    plain, placed = make(), make()
    placed[0].compute_root().gpu_tile(x, xo, xi, 16)
    placed[1].gpu_tile(x, xo, xi, 16)
    # Every operation rounds: processors with arithmetic of this type would fuse product and sum otherwise.
    (want,) = realized(plain[1], (64,), hl.Target("host-strict_float"))
    (got,) = realized(placed[1], (64,), hl.Target(f"{TARGET}-strict_float"))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("feature", ["", "-strict_float"])
@pytest.mark.parametrize("lanes", [1, 4])
def test_strict_products_and_sums_are_rounded_apart(lanes, feature):
    a, b = numbers("float32"), numbers("float32")
    images = [hl.Buffer(array)[x] for array in (a, b, a * b)]
    f = hl.Func("f")
    value = images[0] * images[1] - images[2]
    f[x] = value if feature else hl.strict_float(value)
    f.vectorize(x, lanes) if lanes > 1 else None
    f.gpu_tile(x, xo, xi, 4)
    (got,) = realized(f, (64,), hl.Target(f"{TARGET}{feature}"))
    assert (got == 0).all()


def test_special_floats():
    # Machine code keeps the denormal number as devices do: it is strict.
    a = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3e38, -1.5] * 2, np.float32)

    def make():
        f, p, q = hl.Func("special"), hl.Buffer(a)[x], hl.Buffer(a[::-1].copy())[x]
        tests = [hl.is_nan(p), hl.is_inf(p), hl.is_finite(p)]
        values = [hl.min(p, q), hl.max(p, q), hl.strict_float(p / q), *[hl.f32(test) for test in tests]]
        f[x, y] = hl.mux(y, values)
        return [f]

    same_on_gpu(make, lambda s: s[0].gpu_tile(x, xo, xi, 4), ((16, 6),))


def test_scalars_of_all_types():
    parameters = [hl.Param(type_of(name), f"scale_{name}", numbers(name, 1)[0].item()) for name in TYPES]

    def make():
        f = hl.Func("scaled")
        f[x] = tuple(hl.select(x > 3, parameter, hl.cast(parameter.type(), x)) for parameter in parameters)
        return [f]

    same_on_gpu(make, lambda s: s[0].gpu_tile(x, xo, xi, 4), ((16,),))


def test_tuples():
    def make():
        f, g = hl.Func("pair"), hl.Func("reader")
        f[x] = (x * 2, hl.f32(x) / 3)
        g[x] = hl.f32(f[x][0]) + f[x + 1][1]
        return [f, g]

    def schedule(s):
        s[1].gpu_tile(x, xo, xi, 8)
        s[0].compute_at(s[1], xo).gpu_threads(x)

    same_on_gpu(make, schedule, ((40,),))
    same_on_gpu(lambda: make()[:1], lambda s: s[0].gpu_tile(x, xo, xi, 8), ((40,),))
