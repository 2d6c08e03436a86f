"""z3 proves for all integers that simplified index expressions are equal to what they come from."""

from __future__ import annotations

import random

import pytest

from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.bounds.simplify import simplify
from pipec.ir import expr as e
from pipec.ir.types import INT32
from pipec.ir.walk import postorder
from tests.bounds.random_expressions import DIVISORS, NAMES, condition, number

z3 = pytest.importorskip("z3")
CASES = 150
MILLISECONDS = 400


def divided(a, b, rest):
    """Euclidean quotient or remainder, which are those of SMT-LIB but for a divisor of 0."""
    return z3.If(b == 0, z3.IntVal(0), a % b if rest else a / b)


MEANING = {
    e.Add: lambda a, b: a + b,
    e.Sub: lambda a, b: a - b,
    e.Mul: lambda a, b: a * b,
    e.Div: lambda a, b: divided(a, b, False),
    e.Mod: lambda a, b: divided(a, b, True),
    e.Min: lambda a, b: z3.If(a <= b, a, b),
    e.Max: lambda a, b: z3.If(a >= b, a, b),
    e.EQ: lambda a, b: a == b,
    e.NE: lambda a, b: a != b,
    e.LT: lambda a, b: a < b,
    e.LE: lambda a, b: a <= b,
    e.GT: lambda a, b: a > b,
    e.GE: lambda a, b: a >= b,
    e.And: z3.And,
    e.Or: z3.Or,
    e.Not: z3.Not,
    e.Select: z3.If,
}


def formula(root: e.Expr):
    """An int32 or bool expression over the integers: index arithmetic does not overflow."""
    terms = {}
    for node in postorder(root):
        if isinstance(node, e.Const):
            terms[node] = z3.BoolVal(bool(node.value)) if node.type.boolean else z3.IntVal(node.value)
        elif isinstance(node, e.Variable):
            terms[node] = z3.Int(node.name)
        else:
            terms[node] = MEANING[type(node)](*[terms[child] for child in node.below])
    return terms[root]


def differs(a: e.Expr, b: e.Expr, *assumptions) -> bool | None:
    """Whether two expressions have different values somewhere; None: z3 does not know."""
    solver = z3.Solver()
    solver.set("timeout", MILLISECONDS)
    solver.add(*assumptions, formula(a) != formula(b))
    result = solver.check()
    return None if result == z3.unknown else result == z3.sat


def linear_only(root: e.Expr) -> bool:
    """Whether no two variables are multiplied or divided by each other."""
    products = [node for node in postorder(root) if isinstance(node, (e.Mul, e.Div, e.Mod))]
    return all(isinstance(node.b, e.Const) for node in products)


@pytest.mark.parametrize("kind", [number, condition], ids=["numbers", "conditions"])
@pytest.mark.parametrize("bounded", [False, True], ids=["any", "in ranges"])
@pytest.mark.part(2)
def test_random_expressions(kind, bounded):
    rng, proven = random.Random(kind.__name__), 0
    for _ in range(CASES):
        root = kind(rng, INT32, rng.randint(1, 3))
        if not linear_only(root):
            continue
        spans = {name: (low := rng.randint(-9, 9), low + rng.randint(0, 40)) for name in NAMES if bounded}
        inside = [z3.And(z3.Int(name) >= low, z3.Int(name) <= high) for name, (low, high) in spans.items()]
        simplified = simplify(root, Ranges({name: IntegerRange(*span) for name, span in spans.items()}))
        result = differs(root, simplified, *inside)
        assert result is not True, f"{root} -> {simplified} in {spans}"
        proven += result is False
    assert proven > CASES // 3


@pytest.mark.part(5)
@pytest.mark.parametrize("divisor", [d for d in DIVISORS if d])
def test_quotients_of_sums(divisor):
    x, y = e.variable("x"), e.variable("y")
    for factor in (1, divisor, -divisor, 2 * divisor, divisor + 1):
        for offset in (0, 1, divisor, -1, 3 * divisor - 2):
            top = e.Add(e.Add(e.Mul(x, e.const(factor)), y), e.const(offset))
            for part in (e.Div(top, e.const(divisor)), e.Mod(top, e.const(divisor))):
                for root in (
                    part,
                    e.Div(part, e.const(3)),
                    e.Min(part, e.Add(x, y)),
                    e.Sub(part, e.Div(y, e.const(2))),
                ):
                    assert differs(root, simplify(root)) is not True, str(root)


def test_a_wrong_rule_is_detected():
    x = e.variable("x")
    assert differs(e.Mul(e.Div(x, e.const(2)), e.const(2)), x) is True
