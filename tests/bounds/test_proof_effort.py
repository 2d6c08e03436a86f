"""Proofs give up after a limited effort."""

from unittest.mock import patch

from pipec.bounds import linear
from pipec.bounds.box import box_of_accesses
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.ranges import MAX_TRIALS, TERMS_OF_A_TRIAL, Ranges
from pipec.bounds.simplify import forget_simplified
from pipec.ir.build import add, max_, min_, mul, select
from pipec.ir.expr import LT, Expr, const, variable


def sum_of_selects(count: int) -> Expr:
    total: Expr = const(0)
    for k in range(count):
        total = add(total, select(LT(variable("x"), const(k)), variable(f"a{k}"), variable(f"b{k}")))
    return total


def trials(count: int) -> int:
    with patch.object(Ranges, "_nonnegative", autospec=True, side_effect=Ranges._nonnegative) as tried:
        assert not Ranges().proves_at_least(sum_of_selects(count), const(0))
    return tried.call_count


def test_a_proof_about_many_selects_tries_a_limited_number_of_cases():
    assert trials(12) <= MAX_TRIALS + 1
    # More terms make each case slower, so fewer are tried.
    assert trials(20 * TERMS_OF_A_TRIAL) <= MAX_TRIALS // 20 + 1


def accesses(count: int) -> list[tuple[Expr, ...]]:
    """Clamped coordinates none of which is always the first or the last; other counts have other coordinates."""
    x, y = variable("x"), variable(f"y{count}")
    return [(min_(max_(add(mul(x, k), y), 0), 99),) for k in range(count)]


def operands_in_unions(count: int) -> int:
    """How many operands of mins and maxes are looked at for the box of so many accesses."""
    forget_simplified()
    varying = {"x": Interval(variable("first"), variable("last"))}
    with patch.object(linear, "_shape", side_effect=linear._shape) as looked_at:
        box = box_of_accesses(accesses(count), IntervalAnalysis(varying.get))
    assert box is not None and box[0].bounded
    return looked_at.call_count


def test_the_effort_for_a_box_grows_with_the_number_of_accesses():
    assert operands_in_unions(160) < 2.5 * operands_in_unions(80)
