"""Operators, conversions and intrinsics as C, against machine code."""

import itertools
import operator

import numpy as np
import pytest
from c_programs import descriptor, shared_library, shared_library_of

import pipec as hl

x, y = hl.vars("x y")
INTEGERS = [hl.Int(8), hl.UInt(8), hl.Int(16), hl.UInt(16), hl.Int(32), hl.UInt(32), hl.Int(64), hl.UInt(64)]
FLOATS = [hl.Float(32), hl.Float(64), hl.Float(16), hl.BFloat(16)]


def integer_values(a, b):
    kind = a.type()
    signed = kind.with_code(hl.TypeCode.Int)
    values = [a + b, a - b, a * b, a / b, a % b, hl.min(a, b), hl.max(a, b), hl.select(a < b, a, b), ~a, a & b, a | b]
    values += [a ^ b, hl.abs(a), hl.absd(a, b), hl.popcount(a), hl.count_leading_zeros(a), hl.count_trailing_zeros(a)]
    values += [hl.saturating_add(a, b), hl.saturating_sub(a, b), hl.div_round_to_zero(a, b), a << b, a >> b, a / 7]
    values += [hl.mod_round_to_zero(a, b), a << hl.cast(signed, b), a >> hl.cast(signed, b), a << 3, a >> 2, a % 8]
    values += [hl.cast(other, a) for other in INTEGERS + FLOATS[:2]] + [hl.cast(hl.Bool(), a), a == b, a >= b, a != 3]
    values += [hl.cast(hl.UInt(8), (a > b) & ~(a == 5) | (b < 9)), hl.reinterpret(signed, a), hl.cast(kind, a == 1)]
    return values


def float_values(a, b):
    values = [a + b, a - b, a * b, a / b, a % b, hl.min(a, b), hl.max(a, b), hl.abs(a), hl.floor(a), hl.ceil(a)]
    values += [hl.round(a), hl.trunc(a), hl.sqrt(hl.abs(a)), hl.is_nan(a), hl.is_inf(b), hl.is_finite(a), -a, a < b]
    values += [hl.select(a >= b, a, b), hl.cast(hl.Int(32), hl.clamp(hl.f64(a), -1e4, 1e4)), hl.absd(a, b), a == b]
    values += [hl.cast(other, a) for other in FLOATS[:2]] + [hl.cast(hl.UInt(8), hl.clamp(hl.f64(a), 0, 200))]
    return values


def edges(kind):
    if kind.is_float():
        result = np.array([0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 3.14159, 1e-3, 100, 1e4, np.inf, -np.inf, np.nan, 6e-8])
    else:
        low, high = kind.min_value(), kind.max_value()
        result = [low, low + 1, high, high - 1, 0, 1, 2, 3, 7, 8, 9, 100, 64, high // 2, high // 3, 31, low // 2 + 5]
        result = np.array(result, kind_dtype(kind))
    grid = [np.repeat(result, len(result)), np.tile(result, len(result))]
    if kind.is_bfloat():
        return [(np.asarray(part, np.float32).view(np.uint32) >> 16).astype(np.uint16) for part in grid]
    return [np.asarray(part, kind_dtype(kind)) for part in grid]


def kind_dtype(kind):
    return np.dtype(f"{'f' if kind.is_float() else 'i' if kind.is_int() else 'u'}{kind.bytes()}")


@pytest.mark.part(12)
@pytest.mark.parametrize(
    ("kind", "lanes"),
    [(kind, 4) for kind in INTEGERS + FLOATS] + [(hl.Int(32), 1), (hl.Float(32), 1)],
    ids=str,
)
def test_values(tmp_path, kind, lanes):
    images = [hl.ImageParam(kind, 1, name) for name in "ab"]
    values = (float_values if kind.is_float() else integer_values)(*[image[x] for image in images])
    compare_values(tmp_path, kind, lanes, images, values)


def nested(a, b):
    """Each operator with another one on its left and on its right."""
    three = hl.cast(a.type(), 3)
    inner = [operator.add, operator.sub, operator.mul, operator.truediv, operator.mod, hl.min]
    outer = inner[:5]
    if not a.type().is_float():
        inner += [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
        outer += [operator.and_, operator.lshift]
    pairs = itertools.product(outer, inner)
    return [value for f, g in pairs for value in (f(a, g(b, three)), f(g(a, three), b))]


@pytest.mark.parametrize("kind", [hl.UInt(32), hl.UInt(8), hl.Float(32)], ids=str)
@pytest.mark.part(4)
def test_operands_are_grouped_as_in_the_definition(tmp_path, kind):
    images = [hl.ImageParam(kind, 1, name) for name in "ab"]
    compare_values(tmp_path, kind, 1, images, nested(*[image[x] for image in images]))


def compare_values(tmp_path, kind, lanes, images, values):
    f = hl.Func("f")
    f[x] = tuple(values)
    if lanes > 1:
        f.vectorize(x, lanes)
    inputs = [hl.Buffer(kind, [len(part)]) for part in edges(kind)]
    for buffer, image, part in zip(inputs, images, edges(kind), strict=True):
        np.asarray(buffer).view(part.dtype)[:] = part
        image.set(buffer)
    expected = f.realize([len(edges(kind)[0])], target=hl.Target("host-strict_float"))
    result = [hl.Buffer(buffer.type(), [buffer.dim(0).extent()]) for buffer in expected]
    library = shared_library(tmp_path, f, images)
    raw = [descriptor(buffer) for buffer in (*inputs, *result)]
    assert library.f(*[head for head, _ in raw]) == 0, library.pipec_last_error()
    for number, (a, b) in enumerate(zip(expected, result, strict=True)):
        left, right = [np.asarray(buffer) for buffer in (a, b)]
        if a.type().is_bfloat():
            left, right = [(part.astype(np.uint32) << 16).view(np.float32) for part in (left, right)]
        same = np.isclose(left, right, rtol=1e-6, equal_nan=True) if a.type().is_float() else left == right
        wrong = np.flatnonzero(~same)[:5]
        assert not len(wrong), (number, str(values[number]), wrong, left[wrong], right[wrong])


@pytest.mark.parametrize("feature", ["", "-strict_float"])
def test_compilers_may_not_fuse_strict_operations(tmp_path, feature):
    size, random = 64, np.random.default_rng(2)
    a, b = random.random((2, size), np.float32) + 1
    images = [hl.ImageParam(hl.Float(32), 1, name) for name in "abc"]
    value = images[0][x] * images[1][x] - images[2][x]
    f = hl.Func("f")
    f[x] = value if feature else hl.strict_float(value)
    f.compile_to_c(tmp_path / "f.c", images, "f", hl.Target(f"host{feature}"))
    library = shared_library_of(tmp_path, "f.c", "-O2", "-march=native", "-ffp-contract=fast")
    result = hl.Buffer(hl.Float(32), [size])
    raw = [descriptor(buffer) for buffer in (hl.Buffer(a), hl.Buffer(b), hl.Buffer(a * b), result)]
    assert library.f(*[head for head, _ in raw]) == 0
    assert (np.asarray(result) == 0).all()
