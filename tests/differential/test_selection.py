"""select, mux, clamp, lerp, min and max, likely, boolean logic; against the wheel."""

import numpy as np
import pytest
from differential import edge_values, equals, evaluate, pairs, same, source, type_of

NUMBERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
by_type = pytest.mark.parametrize("dtype", NUMBERS)


def values_of(dtype):
    return np.array([-7.5, -1.0, 0.0, 0.5, 3.25, 100.0], dtype) if dtype.startswith("float") else edge_values(dtype)


@by_type
@pytest.mark.part(3)
def test_select_clamp_and_extremes_of_each_type(dtype):
    a, b = pairs(values_of(dtype))

    def program(hl):
        x = hl.Var("x")
        p, q = source(hl, a, "a")(x), source(hl, b, "b")(x)
        return evaluate(
            hl,
            {
                "select": hl.select(p < q, p, q),
                "select of literals": hl.select(p < q, 1, p == q, 2, q),
                "clamp": hl.clamp(p, 2, 90),
                "clamp between": hl.clamp(p, hl.min(p, q), q),
                "clamp reversed": hl.clamp(p, 50, 3),
                "min": hl.min(p, 5, q),
                "max": hl.max(q, p, 9),
            },
            a.size,
        )

    same(program)


def test_select_takes_the_first_true_condition():
    def program(hl):
        x = hl.Var("x")
        return evaluate(
            hl,
            {
                "four": hl.select(x < 3, 1, x < 6, 2, x < 9, 3, 4),
                "overlapping": hl.select(x > 2, 10, x > 1, 20, 30),
                "nested": hl.select(x % 2 == 0, hl.select(x > 5, x, -x), x * 10),
                "condition of a constant": hl.select(hl.Expr(True) & (x > -1), x, 0),
                "float": hl.select(x < 5, 0.5, 1.5),
            },
            12,
        )

    same(program)


def test_select_guards_a_division_by_zero():
    def program(hl):
        x = hl.Var("x")
        return evaluate(hl, {"guarded": hl.select(x == 3, 0, 100 / (x - 3))}, 7)

    same(program)


def test_mux_picks_the_last_value_outside_its_range():
    def program(hl):
        x = hl.Var("x")
        return evaluate(hl, {"mux": hl.mux(x - 2, [10, 20, x * 3, 40]), "of floats": hl.mux(x % 3, [0.5, 1.5, 2.5])}, 9)

    same(program)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "int8", "int16", "int32", "float32"])
@pytest.mark.part(3)
def test_lerp_of_each_type(dtype):
    values = np.array([0.0, 0.25, 1.0, -3.5], dtype) if dtype == "float32" else edge_values(dtype)[::2]
    if dtype == "int32":
        values = values[np.abs(values.astype(np.int64)) < 2**30]
    weights = np.array([0, 1, 127, 128, 200, 255], np.uint8)
    (a, b), w = pairs(values), np.resize(weights, values.size**2)

    def program(hl):
        x = hl.Var("x")
        p, q, weight = source(hl, a, "a")(x), source(hl, b, "b")(x), source(hl, w, "w")(x)
        results = {
            "weight of 8 bits": hl.lerp(p, q, weight),
            "weight of 16 bits": hl.lerp(p, q, hl.u16(weight) * 257),
            "constant weight": hl.lerp(p, q, hl.u8(64)),
        }
        return evaluate(hl, results, a.size)

    same(program, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "float32"])
def test_lerp_by_a_float_weight(dtype):
    values = np.array([0, 1, 10, 100, 127], dtype)
    (a, b), w = pairs(values), np.resize(np.linspace(0, 1, 9, dtype=np.float32), values.size**2)

    def program(hl):
        x = hl.Var("x")
        p, q, weight = source(hl, a, "a")(x), source(hl, b, "b")(x), source(hl, w, "w")(x)
        return evaluate(hl, {"lerp": hl.lerp(p, q, weight), "half": hl.lerp(p, q, 0.5)}, a.size)

    same(program, rtol=1e-6, atol=1e-6)


def test_boolean_logic():
    a, b = pairs(np.array([False, True]))

    def program(hl):
        x = hl.Var("x")
        p, q = source(hl, a, "a")(x), source(hl, b, "b")(x)
        logic = {
            "and": p & q,
            "or": p | q,
            "not": ~p,
            "logical_not": hl.logical_not(q),
            "xor": p ^ q,
            "eq": p == q,
            "ne": p != q,
        }
        mixed = {
            "of comparisons": (x < 3) & (x > 0) | (x == 0),
            "selected": hl.select(p, q, ~q),
            "as int": hl.i32(p) + hl.i32(q),
        }
        arithmetic = {
            "p + q": p + q,
            "p * q": p * q,
            "p - q": p - q,
            "less": p < q,
            "min": hl.min(p, q),
            "max": hl.max(p, q),
        }
        return evaluate(hl, logic | mixed | arithmetic | {"as u8": hl.u8(p), "as f32": hl.f32(p)}, 4)

    same(program)


def test_likely_changes_no_value():
    def program(hl):
        x = hl.Var("x")
        values = {
            "likely": hl.likely(x * 2),
            "in select": hl.select(hl.likely(x > 3), x, 7),
            "min": hl.min(hl.likely(x), 5),
        }
        return evaluate(hl, values | {"innermost": hl.max(hl.likely_if_innermost(x), 2)}, 9)

    same(program)


def test_tuple_select():
    def program(hl):
        x = hl.Var("x")
        f = hl.Func("f")
        f[x] = hl.select(x < 3, (x, 0.5), (x * 2, 1.5))
        g = hl.Func("g")
        g[x] = hl.select((x < 3, x > 1), (x, x + 1), (-x, -x - 1))
        return (*[np.asarray(b) for b in f.realize([6])], *[np.asarray(b) for b in g.realize([6])])

    same(program)


def test_clamped_index_reads_the_border():
    a = np.arange(10, dtype=np.int32) * 3

    def program(hl):
        x = hl.Var("x")
        return evaluate(hl, {"clamped": source(hl, a, "a")(hl.clamp(x - 4, 0, 9))}, 18)

    equals(program, {"clamped": a[np.clip(np.arange(18) - 4, 0, 9)]})


def test_constants_fold_like_the_machine():
    def program(hl):
        x = hl.Var("x")
        u8, i8 = type_of(hl, "uint8"), type_of(hl, "int8")
        wrap = {
            "u8 sum": hl.cast(u8, 200) + hl.cast(u8, 100),
            "i8 sum": hl.cast(i8, 100) + hl.cast(i8, 100),
            "u8 difference": hl.cast(u8, 1) - hl.cast(u8, 2),
            "u8 300": hl.u8(300),
            "i8 -129": hl.i8(-129),
            "negative /": hl.Expr(-7) / 2,
            "/ negative": hl.Expr(7) / hl.Expr(-2),
            "%": hl.Expr(-7) % 3,
            "/ 0": hl.Expr(7) / 0,
            "% 0": hl.Expr(7) % 0,
            ">>": hl.Expr(-7) >> 1,
            "<< negative": hl.Expr(64) << -2,
            "abs": hl.abs(hl.cast(i8, -128)),
            "bool": hl.cast(hl.Bool(), 2),
            "bool of 0.5": hl.cast(hl.Bool(), 0.5),
            "popcount": hl.popcount(hl.Expr(255)),
            "clz": hl.count_leading_zeros(hl.Expr(1)),
        }
        return evaluate(
            hl, {name: hl.select(x < 9, value, hl.cast(value.type(), 0)) for name, value in wrap.items()}, 2
        )

    same(program)
