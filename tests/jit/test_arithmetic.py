"""Every operation of every type in machine code, scalar and vector, against the meanings in `pipec.ir`."""

import numpy as np
import pytest
from programs import const, load, loop, ramp, run, store, variable

from pipec.ir import expr as e
from pipec.ir.build import block
from pipec.ir.intrinsics import INTRINSICS, result_type
from pipec.ir.numerics import binary_function, convert
from pipec.ir.stmt import Block
from pipec.ir.types import Type, TypeCode, type_of_numpy

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
LANES = 16
named = lambda t: np.dtype(t).name  # noqa: E731


def edge_values(dtype):
    rng = np.random.default_rng(7)
    if np.dtype(dtype).kind == "f":
        special = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e-3, 100.25, -77.75, 3.0]
        return np.concatenate([np.array(special, dtype), rng.normal(0, 8, 20).astype(dtype)])
    if np.dtype(dtype).kind == "b":
        return np.array([False, True])
    limits = np.iinfo(dtype)
    special = [0, 1, 2, 3, 5, 7, 8, 31, limits.max, limits.max - 1, limits.min, limits.min + 1, limits.max // 3]
    special += [-1, -2, -3, -7] if limits.min else []
    return np.concatenate([np.array(special, dtype), rng.integers(limits.min, limits.max, 11, dtype, endpoint=True)])


def pairs(values, others=None):
    others = values if others is None else others
    a, b = np.repeat(values, len(others)), np.tile(others, len(values))
    whole = -(-len(a) // LANES) * LANES
    return np.resize(a, whole), np.resize(b, whole)


def evaluated(makes, inputs):
    """The values of several expressions `make(*inputs)` for all elements: {key: array}.

    `makes` is {key: (make, type of the value)}. Each is computed with scalars and with vectors, which must agree.
    """
    n = len(next(iter(inputs.values())))
    types = {name: type_of_numpy(value.dtype) for name, value in inputs.items()}
    scalar, vector, stores = variable("x"), ramp(e.Mul(variable("v"), const(LANES)), LANES), {"s": [], "v": []}
    out = {}
    for i, (make, kind) in enumerate(makes.values()):
        for form, index in (("s", scalar), ("v", vector)):
            value = make(*[load(type_, buffer, index) for buffer, type_ in types.items()])
            out[f"{form}{i}"] = np.zeros(n, kind.numpy())
            stores[form].append(store(f"{form}{i}", value, index))
    loops = loop("x", n, block(stores["s"])), loop("v", n // LANES, block(stores["v"]))
    assert run(Block(loops), inputs, out)[0] == 0
    for i, key in enumerate(makes):
        np.testing.assert_array_equal(out[f"s{i}"], out[f"v{i}"], str(key))
    return {key: out[f"s{i}"] for i, key in enumerate(makes)}


def all_same(makes, expected, inputs):
    result = evaluated(makes, inputs)
    for key, value in expected.items():
        np.testing.assert_array_equal(result[key], value, str(key))


def constant_like(value, kind, operand):
    """A constant, in as many lanes as the operand has."""
    constant = const(value, kind)
    return constant if operand.type.nlanes == 1 else e.Broadcast(constant, LANES)


BINARY = [e.Add, e.Sub, e.Mul, e.Div, e.Mod, e.Min, e.Max, e.EQ, e.NE, e.LT, e.LE, e.GT, e.GE]


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, np.bool_], ids=named)
def test_binary_operations(dtype):
    a, b = pairs(edge_values(dtype))
    kind = type_of_numpy(np.dtype(dtype))
    if kind.floating:
        a, b = a[b != 0], b[b != 0]
        a, b = a[: len(a) // LANES * LANES], b[: len(a) // LANES * LANES]
    with np.errstate(all="ignore"):
        expected = {node: binary_function(node, kind)(a, b) for node in BINARY}
    makes = {node: (node, type_of_numpy(value.dtype)) for node, value in expected.items()}
    result = evaluated(makes, {"a": a, "b": b})
    for node, value in expected.items():
        if kind.floating and node is e.Mod:
            np.testing.assert_allclose(result[node], value, atol=float(np.finfo(dtype).eps) * 500)
        else:
            np.testing.assert_array_equal(result[node], value, str(node))


@pytest.mark.parametrize("dtype", INTEGERS, ids=named)
def test_division_by_constants(dtype):
    a = pairs(edge_values(dtype))[0]
    kind, limits = type_of_numpy(np.dtype(dtype)), np.iinfo(dtype)
    divisors = [0, 1, 2, 3, 7, 10, 64, 100, 127, 255, 1000, limits.max, limits.min, limits.max // 2 + 1]
    divisors += [-1, -2, -3, -10, -64] if limits.min else []
    makes, expected = {}, {}
    for divisor in {d for d in divisors if limits.min <= d <= limits.max}:
        for node in (e.Div, e.Mod):
            with np.errstate(all="ignore"):
                expected[node, divisor] = binary_function(node, kind)(a, np.full_like(a, divisor))

            def make(p, node=node, divisor=divisor):
                return node(p, constant_like(divisor, kind, p))

            makes[node, divisor] = make, kind
    all_same(makes, expected, {"a": a})


@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS, np.bool_], ids=named)
def test_casts(source):
    values = pairs(edge_values(source))[0]
    kind = type_of_numpy(np.dtype(source))
    # Floats below 0 have no definite value as an unsigned number.
    for own in (values, np.abs(values)) if kind.floating else (values,):
        makes, expected = {}, {}
        for target in [*INTEGERS, *FLOATS, np.bool_]:
            to = type_of_numpy(np.dtype(target))
            if not kind.floating or own is not values or to.signed or to.floating or to.boolean:
                with np.errstate(all="ignore"):
                    expected[to] = convert(own, kind, to)
                makes[to] = (lambda p, to=to: e.Cast(to.with_lanes(p.type.nlanes), p)), to
        all_same(makes, expected, {"a": own})


EXACT = "abs absd bitwise_and bitwise_or bitwise_xor bitwise_not popcount count_leading_zeros count_trailing_zeros"
EXACT += " div_round_to_zero mod_round_to_zero saturating_add saturating_sub floor ceil round trunc is_nan is_inf"
EXACT += " is_finite likely return_second"


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, np.bool_], ids=named)
def test_exact_intrinsics(dtype):
    kind = type_of_numpy(np.dtype(dtype))
    a, b = pairs(edge_values(dtype))
    if kind.floating:
        a[5], a[6], a[7] = np.nan, np.inf, -np.inf
    makes, expected = {}, {}
    for name in EXACT.split():
        rule = INTRINSICS[name]
        if rule.result(*[kind] * rule.arity) is None:
            continue
        with np.errstate(all="ignore"):
            expected[name] = rule.meaning(*(a, b)[: rule.arity])

        def make(*values, name=name, arity=rule.arity):
            return e.Intrinsic(result_type(name, tuple(v.type for v in values[:arity])), name, values[:arity])

        makes[name] = make, result_type(name, (kind,) * rule.arity)
    all_same(makes, expected, {"a": a, "b": b})


@pytest.mark.parametrize("name", ["shift_left", "shift_right"])
@pytest.mark.parametrize("dtype", INTEGERS, ids=named)
def test_shifts(dtype, name):
    kind = type_of_numpy(np.dtype(dtype))
    bits, meaning = kind.nbits, INTRINSICS[name].meaning
    for signed in (False, True):
        count_kind = Type(TypeCode.Int if signed else TypeCode.UInt, bits)
        counts = np.array([0, 1, 2, bits - 1, bits, bits + 1, 100, *([-1, -3, -bits, -100] if signed else [])])
        values, by = pairs(np.unique(edge_values(dtype)), counts.astype(count_kind.numpy()))
        makes = {"by": ((lambda p, q: e.Intrinsic(p.type, name, (p, q))), kind)}
        expected = {"by": meaning(values, by)}
        for count in counts.tolist():

            def make(p, q, count=count, count_kind=count_kind):
                return e.Intrinsic(p.type, name, (p, constant_like(count, count_kind, p)))

            makes[count] = make, kind
            expected[count] = meaning(values, np.full_like(values, count, dtype=count_kind.numpy()))
        all_same(makes, expected, {"a": values, "b": by})


FUNCTIONS = "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log pow atan2 sqrt"


@pytest.mark.parametrize("dtype", FLOATS, ids=named)
def test_functions_are_accurate(dtype):
    kind = type_of_numpy(np.dtype(dtype))
    rng = np.random.default_rng(3)
    unit, positive = rng.uniform(-0.99, 0.99, 256).astype(dtype), rng.uniform(1, 9, 256).astype(dtype)
    makes, expected = {}, {}
    for name in FUNCTIONS.split():
        arity, swapped = INTRINSICS[name].arity, name in ("log", "pow", "acosh", "sqrt")
        operands = (positive, unit) if swapped else (unit, positive)
        wide = [v.astype(np.longdouble if dtype is np.float64 else np.float64) for v in operands[:arity]]
        expected[name] = INTRINSICS[name].meaning(*wide)

        def make(p, q, name=name, arity=arity, swapped=swapped):
            return e.Intrinsic(p.type, name, ((q, p) if swapped else (p, q))[:arity])

        makes[name] = make, kind
    result = evaluated(makes, {"a": unit, "b": positive})
    for name, exact in expected.items():
        error = np.abs(result[name] - exact) / np.spacing(np.abs(exact).astype(dtype)).astype(np.float64)
        assert error.max() <= 2.5, (name, error.max())


def test_reinterpret():
    a = pairs(edge_values(np.float32))[0]
    to = type_of_numpy(np.dtype(np.int32))
    all_same(
        {"bits": (lambda p: e.Reinterpret(to.with_lanes(p.type.nlanes), p), to)}, {"bits": a.view(np.int32)}, {"a": a}
    )
