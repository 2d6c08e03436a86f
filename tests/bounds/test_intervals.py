"""Intervals of every operator and intrinsic against all values of their operands."""

import numpy as np
import pytest

from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.ir import expr, numerics
from pipec.ir.build import add, as_expr, cast, constant, div, mul
from pipec.ir.expr import Cast, Const, Intrinsic, Select, Variable
from pipec.ir.intrinsics import INTRINSICS, result_type
from pipec.ir.tape import evaluate
from pipec.ir.types import BOOL, INT32, Float, Int, UInt

TYPES = [UInt(8), Int(8), UInt(16), Int(16)]
# Intrinsics whose value is not one of their operands' values or a function of these.
NO_FUNCTION = {"address_of", "extern_query", "scatter_gather", "mulhi_shr", "random"}
BINARY = ["Add", "Sub", "Mul", "Div", "Mod", "Min", "Max", "EQ", "NE", "LT", "LE", "GT", "GE"]
# Operand ranges in the lower half of 8 bits, in all of them, and around their middle.
RANGES = [(0, 7), (3, 31), (16, 16), (0, 127), (-9, 20), (-128, -100), (100, 255), (0, 255), (-128, 127)]


def analysis(ranges):
    """`v0`, `v1`, ... are int32 variables in these ranges."""
    facts = {f"v{at}": Interval(as_expr(low), as_expr(high)) for at, (low, high) in enumerate(ranges)}
    return IntervalAnalysis(facts.get)


def operands(kind, ranges):
    """Expressions of a type whose values are those of the variables, and the values."""
    nodes = [cast(kind, Variable(INT32, f"v{at}")) for at in range(len(ranges))]
    values = [np.arange(low, high + 1).astype(kind.numpy()) for low, high in ranges]
    return nodes, np.meshgrid(*values, indexing="ij")


def check(node, results, ranges):
    result = analysis(ranges).of(node)
    limits = (node.type.min_value(), node.type.max_value())
    assert result.bounded or node.type.nbits >= 32, f"{node} of {ranges} has no bounds"
    low, high = (limit if end is None else constant(end) for end, limit in zip(result, limits, strict=True))
    least, most = results.min(), results.max()
    assert low <= least and most <= high, f"{node} of {ranges}: [{low}, {high}] without [{least}, {most}]"


def fitting(kind):
    return [(low, high) for low, high in RANGES if kind.min_value() <= low and high <= kind.max_value()]


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_operators(name, kind):
    node_class = getattr(expr, name)
    for first in fitting(kind):
        for second in fitting(kind):
            (a, b), values = operands(kind, [first, second])
            with np.errstate(all="ignore"):
                check(node_class(a, b), numerics.binary_function(node_class, kind)(*values), [first, second])


@pytest.mark.parametrize("name", [name for name in INTRINSICS if name not in NO_FUNCTION])
def test_intrinsics(name):
    rule = INTRINSICS[name]
    arity = rule.arity or 2
    kinds = [kind for kind in TYPES if rule.result(*[kind] * arity) is not None]
    for kind in kinds:
        for first in fitting(kind):
            for second in fitting(kind)[:: 2 if arity < 3 else 4] if arity > 1 else [first]:
                ranges = [first, second, second][:arity]
                nodes, values = operands(kind, ranges)
                with np.errstate(all="ignore"):
                    results = rule.meaning(*values)
                if name == "unsafe_promise_clamped":
                    inside = (values[1] <= results) & (results <= values[2])
                    if not inside.any():
                        continue
                    results = results[inside]
                check(Intrinsic(result_type(name, (kind,) * arity), name, tuple(nodes)), results, ranges)
    assert kinds or rule.result(*[Float(32)] * arity) is not None, f"{name} takes neither integers nor floats"


@pytest.mark.parametrize("name", ["floor", "ceil", "round", "trunc", "sqrt", "exp", "log", "abs", "sin", "cos", "tanh"])
@pytest.mark.parametrize("span", [(0.25, 31.0), (1.5, 1.5), (3.0, 7.75)], ids=str)
def test_float_functions(name, span):
    kind = Float(32)
    value = expr.Max(expr.Min(Variable(kind, "x"), Const(kind, span[1])), Const(kind, span[0]))
    values = np.linspace(*span, 200, dtype=np.float32)
    scaled = expr.Mul(Intrinsic(kind, name, (value,)), Const(kind, 4.0))
    result = IntervalAnalysis({"x": Interval(None, None)}.get).of(scaled)
    assert result.low is not None and result.high is not None
    low, high = (evaluate(end, {}).item() for end in result)
    results = INTRINSICS[name].meaning(values) * np.float32(4)
    assert low <= results.min() and results.max() <= high


@pytest.mark.parametrize("target", [UInt(8), Int(8), UInt(16), Int(16), UInt(32), Int(64), BOOL], ids=str)
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_casts(kind, target):
    for span in fitting(kind):
        (a,), (values,) = operands(kind, [span])
        check(Cast(target, a), numerics.convert(values, kind, target), [span])


@pytest.mark.parametrize("limits", [(0.0, 31.0), (-3.5, 7.9), (0.0, 300.0), (-1.0, 10.0)], ids=str)
@pytest.mark.parametrize("target", [UInt(8), Int(8), UInt(16), INT32], ids=str)
def test_casts_of_floats(target, limits):
    kind = Float(32)
    value = expr.Max(expr.Min(Variable(kind, "x"), Const(kind, limits[1])), Const(kind, limits[0]))
    result = IntervalAnalysis({"x": Interval(None, None)}.get).of(Cast(target, value))
    low, high = (evaluate(end, {}).item() for end in result)
    results = numerics.convert(np.linspace(*limits, 500, dtype=np.float32), kind, target)
    assert low <= results.min() and results.max() <= high


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_selections(kind):
    for first in fitting(kind):
        for second in fitting(kind)[::2]:
            (a, b), (x, y) = operands(kind, [first, second])
            check(Select(expr.LT(a, b), a, b), np.where(x < y, x, y), [first, second])


@pytest.mark.parametrize("bits", [0, 1, 4, 5, 7, 8, 100, -1, -2, -5, -8, -9])
@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_bits_of_symbolic_coordinates(name, bits):
    facts = {"x": Interval(Variable(INT32, "low"), Variable(INT32, "high"))}
    x = Variable(INT32, "x")
    nodes = [Intrinsic(INT32, name, (x, as_expr(bits))), Intrinsic(INT32, name, (as_expr(bits), x))]
    for node in nodes:
        ends = IntervalAnalysis(facts.get).of(node)
        assert ends.bounded
        for low, high in [(-9, -3), (-5, 12), (0, 0), (3, 17), (40, 47)]:
            results = INTRINSICS[name].meaning(np.arange(low, high + 1, dtype=np.int32), np.int32(bits))
            first, last = (evaluate(end, {"low": low, "high": high}).item() for end in ends)
            assert first <= results.min() and results.max() <= last, (low, high)
    inverted = IntervalAnalysis(facts.get).of(Intrinsic(INT32, "bitwise_not", (x,)))
    assert [evaluate(end, {"low": -3, "high": 5}).item() for end in inverted] == [-6, 2]


@pytest.mark.parametrize("shift", [0, 3])
@pytest.mark.parametrize(("times", "by", "factor"), [(16, 8, -1), (8, 8, -1), (-8, 4, 2), (1, 2, -1), (3, 8, -1)])
def test_a_variable_and_its_quotient_vary_together(times, by, factor, shift):
    x = Variable(INT32, "v0")
    e = add(mul(div(add(x, shift), by), times), mul(x, factor))
    for low, high in ((0, 15), (-5, 11), (3, 3)):
        interval = analysis([(low, high)]).of(e)
        values = [(i + shift) // by * times + i * factor for i in range(low, high + 1)]
        assert constant(interval.low) <= min(values) and max(values) <= constant(interval.high)
        if (times, low) == (16, 0) and shift == 0:
            assert (constant(interval.low), constant(interval.high)) == (-7, 8) == (min(values), max(values))
