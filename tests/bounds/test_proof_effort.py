"""Proofs give up after a limited effort."""

from unittest.mock import patch

from pipec.bounds.ranges import MAX_TRIALS, TERMS_OF_A_TRIAL, Ranges
from pipec.ir.build import add, select
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
