"""Values of expressions, also in vectors: Halide's programs about arithmetic, casts, bits and selections."""

import numpy as np
import pytest
from helpers import check, grid, image

RANDOM = np.random.default_rng(5)
LANES = [1, 8]


def realized(hl, expression, x, size, lanes=1):
    """The values of an expression over x."""
    f = hl.Func("f")
    f[x] = expression
    if lanes > 1:
        f.vectorize(x, lanes)
    return f.realize([size])


def test_a_condition_as_a_number(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = hl.u8(x + y)
    g[x, y] = hl.cast(hl.UInt(8), f[x, y] >= 12)
    g.vectorize(x, 8)
    xs, ys = grid(16, 16)
    check(g.realize([16, 16]), xs + ys >= 12)


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("place", ["inline", "root", "vectorized root"])
def test_a_stored_condition(hl, place, lanes):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = (x > y) ^ (x % 3 == 0)
    g[x, y] = hl.select(f[x, y] & ~f[x + 1, y], x, y)
    if place != "inline":
        f.compute_root()
    if place == "vectorized root":
        f.vectorize(x, 8)
    if lanes > 1:
        g.vectorize(x, lanes)
    xs, ys = grid(20, 9)
    first, second = ((a > ys) ^ (a % 3 == 0) for a in (xs, xs + 1))
    check(g.realize([20, 9]), np.where(first & ~second, xs, ys))


@pytest.mark.parametrize("lanes", LANES)
def test_logic_of_comparisons_of_several_types(hl, lanes):
    x, f = hl.Var("x"), hl.Func("f")
    data = RANDOM.integers(0, 256, 40, dtype=np.uint8)
    v = image(hl, data)[x]
    wide = hl.i32(v)
    f[x] = hl.select(
        ((v < 10) | (v > 30)) & ~((v < 100) & (wide % 5 != 0)), hl.u8(1),
        (hl.f32(v) > 80.5) | (hl.u16(v) * 300 == 6000), hl.u8(2), hl.u8(3),
    )  # fmt: skip
    if lanes > 1:
        f.vectorize(x, lanes)
    d = data.astype(int)
    first = ((d < 10) | (d > 30)) & ~((d < 100) & (d % 5 != 0))
    second = (d > 80.5) | (d * 300 % 65536 == 6000)
    check(f.realize([40]), np.where(first, 1, np.where(second, 2, 3)))


def test_conditions_of_values_of_different_width_in_one_vector(hl):
    x, f = hl.Var("x"), hl.Func("f")
    a, b, c = (image(hl, np.arange(32, dtype=t) * t(k)) for t, k in ((np.uint8, 7), (np.int16, -9), (np.int64, 5)))
    f[x] = hl.select((a[x] > 60) & (b[x] < -100) | (c[x] == 10), hl.f64(x), hl.f64(0.5))
    f.vectorize(x, 16)
    i = np.arange(32)
    check(f.realize([32]), np.where((i * 7 % 256 > 60) & (i * -9 < -100) | (i * 5 == 10), i, 0.5))


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_bits_are_counted(hl, bits):
    x = hl.Var("x")
    dtype = np.dtype(f"uint{bits}")
    data = RANDOM.integers(0, np.iinfo(dtype).max, 32, dtype=dtype)
    data[:3] = 0, 1, np.iinfo(dtype).max
    value = hl.reinterpret(hl.UInt(bits), image(hl, data.view(f"int{bits}"))[x])
    texts = [format(int(v), f"0{bits}b") for v in data]
    check(realized(hl, hl.i32(hl.popcount(value)), x, 32, 8), [t.count("1") for t in texts])
    # Of zero they are undefined.
    safe = hl.max(value, hl.cast(hl.UInt(bits), 1))
    texts[0] = texts[1]
    check(realized(hl, hl.i32(hl.count_leading_zeros(safe)), x, 32, 8), [t.index("1") for t in texts])
    check(realized(hl, hl.i32(hl.count_trailing_zeros(safe)), x, 32), [t[::-1].index("1") for t in texts])


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_bit_operations(hl, kind):
    x, info = hl.Var("x"), np.iinfo(kind)
    a, b = (RANDOM.integers(info.min, info.max, 32, kind, endpoint=True) for _ in range(2))
    p, q = image(hl, a)[x], image(hl, b)[x]
    f = hl.Func("f")
    f[x] = (p & q, p | q, p ^ q, ~p, p >> hl.cast(p.type(), 3), p << hl.cast(p.type(), 2))
    f.vectorize(x, 8)
    expected = (a & b, a | b, a ^ b, ~a, a >> np.array(3, kind), a << np.array(2, kind))
    for actual, want in zip(f.realize([32]), expected, strict=True):
        check(actual, want)


def test_bits_taken_out_and_put_together(hl):
    x, wide, narrow = hl.Var("x"), hl.Func("wide"), hl.Func("narrow")
    data = RANDOM.integers(0, 2**32, 16, dtype=np.uint32)
    source = image(hl, data)
    narrow[x] = hl.extract_bits(hl.UInt(8), source[x // 4], 8 * (x % 4))
    wide[x] = hl.concat_bits([narrow[4 * x + i] for i in range(4)])
    narrow.compute_root().vectorize(x, 16)
    wide.vectorize(x, 8)
    check(wide.realize([16]), data)
    check(narrow.realize([64]), data.view(np.uint8))


@pytest.mark.parametrize("narrow, wide", [("int8", "int32"), ("uint16", "uint64"), ("float16", "float64")])
def test_bits_put_together_keep_the_kind_of_type(hl, narrow, wide):
    x, f = hl.Var("x"), hl.Func("f")
    data = RANDOM.integers(0, 120, 32).astype(narrow)
    source = image(hl, data)
    f[x] = hl.concat_bits([source[4 * x + i] for i in range(4)])
    values = np.asarray(f.realize([8]))
    assert values.dtype == wide
    check(values, data.view(wide))


def test_shifts_by_negative_and_unsigned_counts(hl):
    x, f = hl.Var("x"), hl.Func("f")
    value, count = hl.i32(1000), image(hl, np.array([-3, -1, 0, 2, 5], np.int32))[x]
    f[x] = (value << count, value >> count, hl.i32(-7) << 2, hl.i32(-7) >> hl.u32(1))
    left, right, low, half = (np.asarray(b) for b in f.realize([5]))
    check(left, [125, 500, 1000, 4000, 32000])
    check(right, [8000, 2000, 1000, 250, 31])
    check(low, -28)
    check(half, -4)


def test_an_unsigned_count_that_was_negated_shifts_far(hl):
    x = hl.Var("x")
    count = image(hl, np.array([1, 2, 7], np.uint8))[x]
    # -count wraps: the count is at least the number of bits, and the value is not used.
    check(realized(hl, hl.u8(128) >> count, x, 3), [64, 32, 1])


@pytest.mark.part(2)
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32"])
def test_division_and_remainder_by_constants_and_values(hl, kind, lanes):
    x, info = hl.Var("x"), np.iinfo(kind)
    a = RANDOM.integers(info.min, info.max, 32, kind, endpoint=True)
    b = RANDOM.integers(max(info.min, -9), 9, 32, kind, endpoint=True)
    b[b == 0] = 5
    if info.min < 0:
        b[b == -1] = 3
    p, q = image(hl, a)[x], image(hl, b)[x]
    f = hl.Func("f")
    f[x] = (p // q, p % q, p // hl.cast(p.type(), 7), p % hl.cast(p.type(), 12), p * q)
    if lanes > 1:
        f.vectorize(x, lanes)
    n, d = a.astype(np.int64), b.astype(np.int64)
    remainder = n % abs(d)
    expected = ((n - remainder) // d, remainder, n // 7, n % 12, n * d)
    for actual, want in zip(f.realize([32]), expected, strict=True):
        check(actual, want.astype(kind))


def test_division_by_zero_is_zero(hl):
    x = hl.Var("x")
    d = image(hl, np.array([0, 1, -1, 2, 0], np.int32))[x]
    check(realized(hl, (x + 5) // d, x, 5, 4), [0, 6, -7, 4, 0])
    check(realized(hl, (x + 5) % d, x, 5), [0, 0, 0, 0, 0])


def test_division_that_rounds_to_zero(hl):
    x = hl.Var("x")
    a, b = np.meshgrid(np.array([-7, -1, 0, 5, 9], np.int32), np.array([-4, -2, 3, 5], np.int32))
    p, q = image(hl, a.ravel().copy())[x], image(hl, b.ravel().copy())[x]
    truncated = np.trunc(a.ravel() / b.ravel()).astype(int)
    check(realized(hl, hl.div_round_to_zero(p, q), x, 20, 4), truncated)
    check(realized(hl, hl.mod_round_to_zero(p, q), x, 20), a.ravel() - truncated * b.ravel())


@pytest.mark.parametrize("modulus", [1, 2, 3, 16])
def test_remainders_of_loop_variables(hl, modulus):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = (x + y * 3 - 20) % modulus + ((x - 5) // modulus) * 100
    f.vectorize(x, 4).unroll(x, 2)
    xs, ys = grid(24, 4)
    check(f.realize([24, 4]), (xs + ys * 3 - 20) % modulus + (xs - 5) // modulus * 100)


@pytest.mark.parametrize("exponent", range(-3, 9))
def test_powers_of_integers(hl, exponent):
    x = hl.Var("x")
    base = hl.f32(x) * 0.25 + 0.5
    check(
        realized(hl, hl.pow(base, exponent), x, 16, 4), (np.arange(16) * 0.25 + 0.5) ** exponent, rtol=2e-6
    )  # fmt: skip


def test_an_expression_that_is_a_constant(hl):
    f = hl.Func("f")
    f[()] = hl.cast(hl.UInt(8), 3) * 5 + 1
    assert np.asarray(f.realize()) == 16
    x, g = hl.Var("x"), hl.Func("g")
    g[x] = hl.Expr(7)
    check(g.realize([5]), 7)


CONSTANTS = {"i8": -5, "u8": 250, "i16": -30000, "u16": 65535, "i32": -(2**31), "u32": 2**31 - 1, "i64": 2**30}


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_of_each_type(hl, name):
    f = hl.Func("f")
    f[()] = getattr(hl, name)(CONSTANTS[name])
    assert int(np.asarray(f.realize())) == CONSTANTS[name]


def test_equal_subexpressions_with_nan(hl):
    x, f = hl.Var("x"), hl.Func("f")
    v = image(hl, np.array([np.nan, 1.5, -2], np.float32))[x]
    f[x] = (hl.select(hl.is_nan(v), 0.0, v + v), hl.select(hl.is_nan(v + v), 1, hl.is_nan(v), 2, 3), hl.is_nan(v + v))
    values, choice, nan = (np.asarray(b) for b in f.realize([3]))
    check(values, [0, 3, -4])
    check(choice, [1, 3, 3])
    check(nan, [True, False, False])


def test_shared_subexpressions_of_funcs_with_one_name(hl):
    x = hl.Var("t0")
    f, g = hl.Func("t1"), hl.Func("t2")
    shared = hl.sqrt(hl.f32(x) + 1) * 2
    f[x] = shared * shared + shared
    g[x] = f[x] * f[x] + (hl.sqrt(hl.f32(x) + 1) * 2)
    s = 2 * np.sqrt(np.arange(6, dtype=np.float32) + 1)
    check(g.realize([6]), (s * s + s) ** 2 + s, rtol=1e-5)


def test_classes_of_floats(hl):
    x, f = hl.Var("x"), hl.Func("f")
    data = np.array([np.nan, np.inf, -np.inf, 0, -0.0, 1e30, 3], np.float32)
    v = image(hl, data)[x]
    f[x] = (hl.is_nan(v), hl.is_inf(v), hl.is_finite(v))
    for actual, want in zip(f.realize([7]), (np.isnan(data), np.isinf(data), np.isfinite(data)), strict=True):
        check(actual, want)


FUNCTIONS = {
    "sin": np.sin, "cos": np.cos, "exp": np.exp, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round": np.rint, "abs": np.abs, "tanh": np.tanh, "sinh": np.sinh, "cosh": np.cosh, "atan": np.arctan,
    "asinh": np.arcsinh, "tan": np.tan,
}  # fmt: skip
POSITIVE = {"sqrt": np.sqrt, "log": np.log, "acosh": lambda v: np.arccosh(1 + v)}


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.part(3)
def test_functions_of_floats_in_vectors(hl, bits, lanes):
    x, dtype = hl.Var("x"), np.dtype(f"float{bits}")
    data = np.linspace(-4, 4, 32, dtype=dtype)
    v, w = image(hl, data)[x], image(hl, np.abs(data) + dtype.type(0.1))[x]
    f = hl.Func("f")
    f[x] = tuple(
        [getattr(hl, name)(v) for name in FUNCTIONS]
        + [getattr(hl, name)(w + 1 if name == "acosh" else w) for name in POSITIVE]
        + [hl.atan2(v, w), hl.pow(w, v), hl.fast_inverse(w) if bits == 32 else 1 / w]
    )
    if lanes > 1:
        f.vectorize(x, lanes)
    positive = np.abs(data) + dtype.type(0.1)
    expected = [function(data) for function in FUNCTIONS.values()]
    expected += [function(positive) for function in POSITIVE.values()]
    expected += [np.arctan2(data, positive), positive**data, 1 / positive]
    *results, inverse = f.realize([32])
    for actual, want in zip(results, expected, strict=False):
        check(actual, want, rtol=2e-5 if bits == 32 else 1e-12, atol=1e-6 if bits == 32 else 1e-14)
    check(inverse, expected[-1], rtol=2e-3 if bits == 32 else 1e-12)


def test_fast_sine_and_cosine(hl):
    x, f = hl.Var("x"), hl.Func("f")
    angle = hl.f32(x) * 0.1 - 6
    f[x] = (hl.fast_sin(angle), hl.fast_cos(angle))
    a = np.arange(120) * 0.1 - 6
    sine, cosine = f.realize([120])
    check(sine, np.sin(a), atol=1e-4)
    check(cosine, np.cos(a), atol=1e-4)


def test_the_error_function(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.erf(hl.f32(x) * 0.25 - 4)
    from math import erf

    check(f.realize([33]), [erf(i * 0.25 - 4) for i in range(33)], atol=2e-6)


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_rounding_of_halves(hl, bits):
    x = hl.Var("x")
    data = np.array([-2.5, -1.5, -0.5, -0.25, 0, 0.5, 1.5, 2.5, 3.49, 100.5])
    v = hl.cast(hl.Float(bits), image(hl, data.astype(np.float32))[x])
    expected = np.rint(data.astype(f"float{bits}"))
    check(realized(hl, hl.f32(hl.round(v)), x, 10), expected)


@pytest.mark.parametrize("lanes", [1, 3, 16])
@pytest.mark.parametrize("bits", [32, 64])
def test_rounding_of_large_and_of_almost_half_values(hl, bits, lanes):
    x, kind = hl.Var("x"), np.dtype(f"float{bits}")
    almost = np.nextafter(kind.type(0.5), kind.type(0))
    large = [2.0**22 + 0.5, 2.0**23 - 0.5, 2.0**23 + 1, 2.0**24, 2.0**52 + 1, 1e30, np.inf]
    positive = np.array([0, 0.2, almost, 0.5, 1, 1.5, 2.3, 2.5, 2.6, *large], kind)
    data = np.concatenate([positive, -positive])
    source, models = image(hl, data), {"round": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}
    funcs = [hl.Func(name) for name in models]
    for func, name in zip(funcs, models, strict=True):
        func[x] = getattr(hl, name)(source[x])
        if lanes > 1:
            func.vectorize(x, lanes)
    for result, model in zip(hl.Pipeline(funcs).realize([data.size]), models.values(), strict=True):
        check(result, model(data))
        check(np.signbit(np.asarray(result)), np.signbit(model(data)))


@pytest.mark.parametrize("level", ["inline", "root", "row"])
def test_scaled_products_in_64_bits(hl, level):
    x, y = hl.Var("x"), hl.Var("y")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    limits = np.iinfo(np.int32)

    def scaled(value):
        return hl.i32(hl.clamp((hl.i64(value) * hl.i64(value) + (1 << 30)) >> 31, limits.min, limits.max))

    f[x, y] = scaled(hl.max(x + (1 << 28), -(1 << 28)))
    g[x, y] = scaled(f[x, y]) + f[x, y] / 4 + (1 << 30)
    h[x, y] = scaled(g[x, y]) + g[x, y] / 4 + (1 << 30)
    h.vectorize(x, 8)
    for func in (f, g) if level != "inline" else ():
        func.compute_root() if level == "root" else func.compute_at(h, y)

    def model(value):
        return np.clip((value * value + (1 << 30)) >> 31, limits.min, limits.max)

    first = model(np.arange(32, dtype=np.int64) + (1 << 28))
    second = model(first) + first // 4 + (1 << 30)
    check(h.realize([32, 3]), model(second) + second // 4 + (1 << 30))


@pytest.mark.part(3)
@pytest.mark.parametrize("source", ["int16", "uint16", "int32", "float32"])
@pytest.mark.parametrize("target", ["int8", "uint8", "int16", "uint16"])
def test_saturating_casts_in_vectors(hl, source, target):
    x, limits = hl.Var("x"), np.iinfo(target)
    if source == "float32":
        data = np.array([-1e9, -300, -129, -1, 0, 1.9, 127, 255, 256, 7e4, 1e9, 33000], np.float32)
    else:
        low, high = np.iinfo(source).min, np.iinfo(source).max
        data = np.array([low, low + 1, 0, 1, 127, 128, 255, 256, 32767, high - 1, high, 3], source)
    kind = (hl.UInt if target.startswith("u") else hl.Int)(limits.bits)
    value = hl.saturating_cast(kind, image(hl, data)[x])
    check(realized(hl, value, x, 12, 4), np.clip(np.trunc(data.astype(np.float64)), limits.min, limits.max))


def casts(hl):
    return {
        "int8": hl.Int(8), "uint8": hl.UInt(8), "int16": hl.Int(16), "uint32": hl.UInt(32), "int32": hl.Int(32),
        "float32": hl.Float(32), "float64": hl.Float(64), "int64": hl.Int(64),
    }  # fmt: skip


@pytest.mark.slow_on_the_wheel
def test_casts_of_vectors_between_all_widths(hl):
    x = hl.Var("x")
    for source in casts(hl):
        data, funcs = np.arange(32).astype(source) * np.array(3, source), []
        for target, kind in casts(hl).items():
            funcs.append(hl.Func(f"to_{target}"))
            funcs[-1][x] = hl.cast(kind, image(hl, data)[x])
            funcs[-1].vectorize(x, 16)
        for result, target in zip(hl.Pipeline(funcs).realize([32]), casts(hl), strict=True):
            check(result, data.astype(target))


@pytest.mark.parametrize("kind", ["uint8", "uint16", "float32", "int8"])
def test_interpolation_in_vectors(hl, kind):
    x, f = hl.Var("x"), hl.Func("f")
    i = np.arange(64)
    if kind == "float32":
        a, b, w = (0.5 * i).astype(kind), (100 - i).astype(kind), (i / 63).astype(kind)
        expected = a * (1 - w) + b * w
    else:
        a, b = (i * 3 - (90 if kind == "int8" else 0)).astype(kind), (100 - i).astype(kind)
        w = (i * 4).astype(np.uint8)
        exact = (a.astype(float) * (255 - w) + b.astype(float) * w) / 255
        expected = np.floor(exact + 0.5)
    f[x] = hl.lerp(image(hl, a)[x], image(hl, b)[x], image(hl, w)[x])
    f.vectorize(x, 8)
    check(f.realize([64]), expected, rtol=1e-6, atol=1 if kind != "float32" else 0)


def test_interpolation_inside_of_a_widened_sum(hl):
    x = hl.Var("x")
    rng = np.random.default_rng(2)
    a, b, w = (rng.integers(0, 256, 64, dtype=np.uint8) for _ in range(3))
    p, q, r = (image(hl, v)[x] for v in (a, b, w))
    mixed = hl.u16(hl.lerp(p, q, r)) + hl.u16(hl.lerp(q, p, r))
    exact = [((v.astype(int) * (255 - w) + u.astype(int) * w) * 2 + 255) // 510 for v, u in ((a, b), (b, a))]
    check(realized(hl, mixed, x, 64, 16), exact[0] + exact[1])


@pytest.mark.parametrize("wide", ["uint16", "uint32", "int32", "float32"])
def test_sums_that_widen(hl, wide):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 16)])
    a, b = RANDOM.integers(0, 256, 128, dtype=np.uint8), RANDOM.integers(-128, 128, 128).astype(np.int8)
    p, q = image(hl, a), image(hl, b)
    kind = {"uint16": hl.UInt(16), "uint32": hl.UInt(32), "int32": hl.Int(32), "float32": hl.Float(32)}[wide]
    second = p if wide.startswith("u") else q
    f[x] = hl.cast(kind, 0)
    f[x] += hl.cast(kind, p[x * 16 + r.x]) * hl.cast(kind, second[x * 16 + r.x])
    f.update(0).atomic().vectorize(r.x, 8) if wide != "float32" else f.update(0).vectorize(x, 4)
    products = a.astype(float) * (a if wide.startswith("u") else b)
    expected = products.reshape(8, 16).sum(1)
    check(f.realize([8]), expected % 65536 if wide == "uint16" else expected)


def test_choice_of_many_in_vectors(hl):
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = hl.mux(x % 5, [x, x * 2, 7, -x, x * x]) + hl.select(x < 3, 100, x < 9, 200, x == 11, 300, 400)
    f.vectorize(x, 8)
    i = np.arange(16)
    choice = np.choose(i % 5, [i, i * 2, i * 0 + 7, -i, i * i])
    check(f.realize([16]), choice + np.where(i < 3, 100, np.where(i < 9, 200, np.where(i == 11, 300, 400))))


def test_choice_of_tuples(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = (x, hl.f32(x) / 2)
    g[x] = hl.select(x > 3, hl.Tuple([f[x][0], f[x][1]]), hl.Tuple([-x, hl.f32(-1.0)]))
    first, second = g.realize([8])
    i = np.arange(8)
    check(first, np.where(i > 3, i, -i))
    check(second, np.where(i > 3, i / 2, -1))


def test_choice_of_tuples_by_tuples_and_among_several(hl):
    x, y, several, by_elements = hl.Var("x"), hl.Var("y"), hl.Func("several"), hl.Func("by_elements")
    near, middle, far = hl.Tuple([x, y]), hl.Tuple([x - 1, y - 2]), hl.Tuple([x - 100, y - 200])
    several[x, y] = hl.select(x + y < 5, near, x + y < 12, middle, far)
    xs, ys = np.arange(9), np.arange(9)[:, None]
    for element, coordinate, steps in zip(several.realize([9, 9]), (xs, ys), ((1, 100), (2, 200)), strict=True):
        total = xs + ys
        check(element, coordinate - np.select([total < 5, total < 12], [0, steps[0]], steps[1]))
    by_elements[x, y] = hl.select(hl.Tuple([x < 3, y < 6]), near, middle)
    first, second = by_elements.realize([9, 9])
    check(first, np.where(xs < 3, xs, xs - 1) + 0 * ys)
    check(second, np.where(ys < 6, ys, ys - 2) + 0 * xs)
    conditions = hl.Tuple([x < 3, y < 3]), hl.Tuple([x < 6, y < 7])
    elements = hl.Func("elements")
    elements[x, y] = hl.select(conditions[0], near, conditions[1], middle, far)
    elements.vectorize(x, 4)
    first, second = elements.realize([9, 9])
    check(first, np.select([xs < 3, xs < 6], [xs, xs - 1], xs - 100) + 0 * ys)
    check(second, np.select([ys < 3, ys < 7], [ys, ys - 2], ys - 200) + 0 * xs)


def test_noise_of_few_bits(hl):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    bits = hl.random_uint()
    f[x, y] = hl.u8((bits >> 7) & 3)
    counts = np.bincount(np.asarray(f.realize([64, 64])).ravel(), minlength=4)
    assert len(counts) == 4 and (abs(counts - 1024) < 200).all()


def test_random_numbers_differ_by_coordinate_seed_and_call(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    f[x, y] = (hl.random_float(1), hl.random_float(1), hl.random_float(2), hl.random_float())
    first, same, other, free = (np.asarray(b) for b in f.realize([32, 32]))
    assert (first >= 0).all() and (first < 1).all() and abs(first.mean() - 0.5) < 0.05
    assert len(np.unique(first)) > 1000
    assert abs(np.corrcoef(first.ravel(), other.ravel())[0, 1]) < 0.1
    assert abs(np.corrcoef(first.ravel(), free.ravel())[0, 1]) < 0.1
    g[x, y] = hl.random_int(3) % 2
    assert (np.asarray(g.realize([16, 16])) == np.asarray(g.realize([16, 16]))).all()
    del same


def test_random_numbers_do_not_depend_on_the_schedule(hl):
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("noise"), hl.Func("g")
    f[x, y] = hl.random_uint(7)
    g[x, y] = f[x, y] + f[x + 1, y]
    inline = np.asarray(g.realize([16, 8])).copy()
    f.compute_root()
    assert (np.asarray(g.realize([16, 8])) == inline).all()
    f.vectorize(x, 8).parallel(y)
    g.vectorize(x, 4)
    assert (np.asarray(g.realize([16, 8])) == inline).all()


def test_strict_floats_are_not_reassociated(hl):
    x, f = hl.Var("x"), hl.Func("f")
    a = image(hl, np.array([1e8, -1e8, 1e8, 3], np.float32))[x]
    f[x] = (hl.strict_float((a + 1.0) - a), hl.strict_float(a * 0.0), hl.strict_float((a / 3.0) * 3.0))
    data = np.array([1e8, -1e8, 1e8, 3], np.float32)
    difference, zero, back = (np.asarray(b) for b in f.realize([4], hl.get_jit_target_from_environment()))
    check(difference, (data + np.float32(1)) - data)
    assert (np.signbit(zero) == np.signbit(data)).all()
    check(back, data / np.float32(3) * np.float32(3))


def test_bounds_of_a_strict_float(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = x * 3
    g[x] = f[hl.i32(hl.strict_float(hl.floor(hl.f32(x) * 0.5)))]
    f.compute_root()
    check(g.realize([12]), np.arange(12) // 2 * 3)


def test_stores_of_random_float_bits(hl):
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    bits = RANDOM.integers(0, 2**32, 64, dtype=np.uint32)
    f[x] = hl.reinterpret(hl.Float(32), image(hl, bits)[x])
    g[x] = f[x]
    f.compute_root().vectorize(x, 4)
    g.vectorize(x, 8)
    check(np.asarray(g.realize([64])).view(np.uint32), bits)


@pytest.mark.parametrize("lanes", LANES)
def test_half_floats_are_compared_and_stored(hl, lanes):
    x, f = hl.Var("x"), hl.Func("f")
    values = np.array([-2, -0.5, -0.0, 0, 0.1, 1, 65504, np.inf] * 2, np.float64)
    v = hl.cast(hl.Float(16), image(hl, values.astype(np.float32))[x])
    f[x] = (hl.u8(v < hl.cast(hl.Float(16), 0.5)), hl.u8(v == hl.cast(hl.Float(16), 0)), hl.f32(v * v + v))
    if lanes > 1:
        f.vectorize(x, lanes)
    less, zero, polynomial = f.realize([16])
    half = values.astype(np.float16)
    check(less, half < 0.5)
    check(zero, half == 0)
    with np.errstate(over="ignore"):
        check(polynomial, (half * half + half).astype(np.float32), rtol=2e-3)


def test_half_float_constants(hl):
    f, x = hl.Func("f"), hl.Var("x")
    half = hl.Float(16)
    f[x] = (hl.f32(hl.cast(half, 1 / 3)), hl.f32(hl.cast(half, 65504)), hl.f32(hl.cast(half, 2.0**-24)))
    third, largest, smallest = (np.asarray(b)[0] for b in f.realize([1]))
    assert (third, largest, smallest) == (np.float32(np.float16(1 / 3)), 65504, np.float32(2.0**-24))


def test_images_of_half_floats(hl):
    x, f = hl.Var("x"), hl.Func("f")
    data = np.linspace(-3, 3, 16).astype(np.float16)
    f[x] = image(hl, data)[x] * 2
    check(f.realize([16]), data * np.float16(2))


def test_newtons_method_by_an_update(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 8)])
    target = hl.f32(x) + 1
    f[x] = target
    f[x] = f[x] - (f[x] * f[x] - target) / (2 * f[x]) + 0 * hl.f32(r.x)
    check(f.realize([9]), np.sqrt(np.arange(9) + 1), rtol=1e-6)


def test_absolute_values_wrap_to_unsigned(hl):
    x = hl.Var("x")
    data = np.array([-128, -127, -1, 0, 127], np.int8)
    check(realized(hl, hl.abs(image(hl, data)[x]), x, 5), np.abs(data.astype(int)))
    check(realized(hl, hl.absd(image(hl, data)[x], hl.i8(100)), x, 5), np.abs(data.astype(int) - 100))


def test_averages_and_high_products(hl):
    x, f = hl.Var("x"), hl.Func("f")
    a, b = RANDOM.integers(0, 256, 32, dtype=np.uint8), RANDOM.integers(0, 256, 32, dtype=np.uint8)
    p, q = image(hl, a)[x], image(hl, b)[x]
    wide, other = hl.u16(p), hl.u16(q)
    f[x] = (
        hl.u8((wide + other) / 2), hl.u8((wide + other + 1) >> 1), hl.u8((wide * other) >> 8),
        hl.u8_sat(wide + other), hl.u8(hl.clamp(hl.i16(p) - hl.i16(q), 0, 255)),
    )  # fmt: skip
    f.vectorize(x, 16)
    n, m = a.astype(int), b.astype(int)
    expected = ((n + m) // 2, (n + m + 1) // 2, n * m >> 8, np.minimum(n + m, 255), np.maximum(n - m, 0))
    for actual, want in zip(f.realize([32]), expected, strict=True):
        check(actual, want)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"])
def test_remainders_of_each_type_are_not_negative(hl, kind):
    x, f = hl.Var("x"), hl.Func("f")
    halide_type = {"i": hl.Int, "u": hl.UInt, "f": hl.Float}[kind[0]](np.dtype(kind).itemsize * 8)
    f[x] = (hl.cast(halide_type, x) % 2, hl.cast(halide_type, -x) % 4)
    i = np.arange(16)
    even, negative = f.realize([16])
    check(even, i % 2)
    check(negative, -i % 4)


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_table_of_as_many_entries_as_bits_can_be_counted(hl, lanes):
    x, f, source = hl.Var("x"), hl.Func("f"), hl.ImageParam(hl.UInt(8), 1)
    order = np.array([4, 2, 8, 5, 1, 7, 0, 3, 6], np.uint8)
    table, value = image(hl, order), source[x]
    f[x] = (
        table[hl.i32(hl.popcount(value))],
        table[hl.i32(hl.count_leading_zeros(value))],
        table[hl.i32(hl.count_trailing_zeros(value))],
    )
    if lanes > 1:
        f.vectorize(x, lanes)
    data = RANDOM.integers(1, 256, 16, dtype=np.uint8)
    source.set(hl.Buffer(data))
    texts = [format(v, "08b") for v in data]
    counts = ([t.count("1") for t in texts], [t.index("1") for t in texts], [t[::-1].index("1") for t in texts])
    for result, count in zip(f.realize([16]), counts, strict=True):
        check(result, order[count])


def test_types_of_powers_by_signed_and_unsigned_constants(hl):
    bases = {"bfloat16": hl.BFloat(16), "float16": hl.Float(16), "int32": hl.Int(32), "uint8": hl.UInt(8)}
    for name, kind in bases.items():
        base = hl.cast(kind, 2)
        by_signed, by_unsigned = hl.pow(base, hl.i32(3)).type(), hl.pow(base, hl.u8(3)).type()
        assert str(by_signed) == name
        assert str(by_unsigned) == (name if name == "float16" else "float32")
