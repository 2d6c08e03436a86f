"""Expressions of depth 10,000 pass through every walk without a RecursionError."""

from __future__ import annotations

import copy
import pickle
import sys

import pytest

import pipec as hl
from pipec.bounds.conditions import conjuncts, parts, plain_conjuncts, possible
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.linear import linear
from pipec.bounds.monotonic import Monotonicity
from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.bounds.simplify import simplify
from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.build import as_expr
from pipec.ir.interp import run
from pipec.ir.placeholders import defined_parts
from pipec.ir.tape import evaluate
from pipec.ir.types import INT32, Int
from pipec.ir.verify import LoweringStage, verify
from pipec.ir.walk import free_variables, substitute

DEPTH = 10_000
X = e.variable("x")
BOX = (e.const(0), e.const(1))


def mixed_chain() -> e.Expr:
    """Nodes of many kinds, none of which simplifies away."""
    node: e.Expr = X
    for i in range(DEPTH // 4):
        node = e.Add(e.Mul(node, e.const(3)), e.const(i))
        node = e.Intrinsic(INT32, "bitwise_xor", (node, e.const(i + 1)))
        node = e.Select(e.LT(X, e.const(i)), node, e.Cast(INT32, e.Cast(Int(16), node)))
        node = e.Mod(node, e.const(1000 + i))
    return node


def sums() -> e.Expr:
    node: e.Expr = X
    for i in range(DEPTH):
        node = (e.Add, e.Sub)[i % 2](node, e.Mul(X, e.const(i % 7)))
    return node


def all_of_many() -> e.Expr:
    node: e.Expr = e.GE(X, e.const(-1))
    for i in range(DEPTH):
        node = e.And(node, e.Not(e.Or(e.LT(X, e.const(-i)), e.EQ(X, e.const(-2 * i - 1)))))
    return node


CHAINS = {"mixed": mixed_chain, "sums": sums, "conditions": all_of_many}
WALKS = {
    "text": str,
    "repr": repr,
    "digest": lambda node: node.digest(),
    "pickle": lambda node: pickle.loads(pickle.dumps(node)) is node or pytest.fail("not the same node"),
    "deepcopy": copy.deepcopy,
    "free variables": free_variables,
    "substitute": lambda node: substitute(node, {"x": as_expr(3)}),
    "verify": lambda node: verify(node, LoweringStage.SCHEDULED),
    "simplify": simplify,
    "linear": linear,
    "interval": lambda node: IntervalAnalysis({"x": Interval(as_expr(0), as_expr(9))}.get).of(node),
    "ranges": lambda node: Ranges({"x": IntegerRange(0, 9)}).of(node),
    "monotonicity": lambda node: Monotonicity("x").of(node),
    "evaluate": lambda node: evaluate(node, {"x": 3}),
    "undef": lambda node: defined_parts([node]),
}


@pytest.fixture(params=CHAINS, scope="module")
def deep(request) -> e.Expr:
    return CHAINS[request.param]()


@pytest.mark.part(3)
@pytest.mark.parametrize("walk", WALKS)
def test_walks(deep: e.Expr, walk: str) -> None:
    if walk == "linear" and deep.type is not INT32:
        pytest.skip("a condition has no linear form")
    limit = sys.getrecursionlimit()
    WALKS[walk](deep)
    assert sys.getrecursionlimit() == limit


def test_conditions() -> None:
    deep = all_of_many()
    assert len(list(parts(deep))) == len(plain_conjuncts(deep)) == 2 * DEPTH + 1
    assert len(conjuncts(deep)) == DEPTH + 1
    analysis = IntervalAnalysis({"x": Interval(as_expr(0), as_expr(9))}.get)
    assert possible(deep, True, analysis.of) is e.TRUE


def test_the_interpreter() -> None:
    node = mixed_chain()
    stores = s.Provide("f", (node,), (e.const(0),))
    program = s.Realize(
        "f", (INT32,), s.MemoryType.Auto, ((e.const(0), e.const(1)),), ((0, 1),), (), as_expr(0), stores
    )
    run(program, {}, {"x": 4})


def test_definitions_are_serialized_and_refused() -> None:
    x = hl.Var("x")
    f = hl.Func("f")
    value = hl.i32(x)
    for i in range(DEPTH):
        value = (value ^ i) * 3
    f[x] = value
    assert hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(f))).outputs()
    for wrong in (lambda: bool(value > 3), lambda: f[value, value]):
        with pytest.raises((hl.HalideError, ValueError)):
            wrong()
