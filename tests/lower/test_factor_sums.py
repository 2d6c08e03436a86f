"""Sums of products with factors in common."""

import numpy as np
import pytest

from pipec.ir.build import as_expr
from pipec.ir.expr import TRUE, Add, Broadcast, Const, Expr, Load, Mul, Ramp, const
from pipec.ir.interp import run
from pipec.ir.node import Node
from pipec.ir.stmt import Store
from pipec.ir.types import Int, Type, UInt
from pipec.ir.walk import postorder
from pipec.lower.vectorize.vector_arithmetic import factor_sums

LANES = 8
ALWAYS = Broadcast(TRUE, LANES)


def tap(offset: int, type_: Type) -> Expr:
    return Load(type_.with_lanes(LANES), "in", Ramp(const(offset), const(1), LANES), ALWAYS)


def weighted(weights: list[int], type_: Type) -> Expr:
    """Each weight times the pixel of its number, from left to right."""
    terms = [Mul(tap(i, type_), as_expr(weight, type_.with_lanes(LANES))) for i, weight in enumerate(weights)]
    total: Expr = terms[0]
    for term in terms[1:]:
        total = Add(total, term)
    return total


def products(node: Node) -> int:
    return sum(isinstance(n, Mul) for n in postorder(node))


def factored(value: Expr, type_: Type) -> Store:
    """The store of `value` after the pass; both store the same."""
    before = Store("out", value, Ramp(const(0), const(1), LANES), ALWAYS)
    after = factor_sums(before)
    dtype = f"{'u' if type_ is UInt(type_.nbits) else 'i'}{type_.nbits // 8}"
    source = np.random.default_rng(0).integers(0, 1 << type_.nbits, 20, np.uint64).astype(dtype)
    buffers = {"in": source, "out": np.zeros(LANES, dtype)}
    expected, got = (run(stmt, buffers, {}, strict=False)["out"] for stmt in (before, after))
    assert np.array_equal(got, expected)
    assert isinstance(after, Store)
    return after


@pytest.mark.parametrize("type_", [UInt(8), UInt(16), Int(8), Int(16)])
def test_each_factor_is_multiplied_with_once(type_: Type) -> None:
    assert products(factored(weighted([3, 6, 3, 7, 6, 3], type_), type_)) == 3


def test_sums_without_factors_in_common_stay() -> None:
    value = weighted([2, 3, 5, 7], UInt(16))
    assert factored(value, UInt(16)).value is value


def test_wider_sums_stay() -> None:
    value = weighted([3, 3, 3], Int(32))
    assert factored(value, Int(32)).value is value


def test_what_several_sums_have_in_common_stays_in_common() -> None:
    common = weighted([3, 5], UInt(16))
    both = Mul(Add(common, tap(9, UInt(16))), Add(common, tap(10, UInt(16))))
    assert factored(both, UInt(16)).value is both


def test_sums_inside_of_terms_are_factored_as_well() -> None:
    inner = Mul(weighted([3, 3], UInt(16)), tap(5, UInt(16)))
    assert products(factored(Add(inner, tap(6, UInt(16))), UInt(16))) == 2


def test_lanes_of_the_factor_are_those_of_the_sum() -> None:
    value = factored(weighted([3, 3], UInt(16)), UInt(16)).value
    assert isinstance(value, Mul) and isinstance(value.b, Broadcast) and value.b.value is Const(UInt(16), 3)
