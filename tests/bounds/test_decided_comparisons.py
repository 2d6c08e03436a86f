"""Comparisons that the ranges of both sides decide."""

import itertools
import operator

import pytest

from pipec.bounds.ranges import IntegerRange
from pipec.bounds.simplify import _decided_by_ranges, simplify
from pipec.ir.build import cast, constant
from pipec.ir.expr import EQ, GE, GT, LE, LT, NE, Const, Variable
from pipec.ir.types import BOOL, Int, UInt

KINDS = {LT: operator.lt, LE: operator.le, GT: operator.gt, GE: operator.ge, EQ: operator.eq, NE: operator.ne}
RANGES = [IntegerRange(low, high) for low in range(-2, 3) for high in range(low, 3)]


@pytest.mark.parametrize("kind", KINDS)
def test_ranges_decide_what_holds_for_all_of_their_values_or_for_none(kind):
    for a, b in itertools.product(RANGES, RANGES):
        pairs = itertools.product(range(a.low, a.high + 1), range(b.low, b.high + 1))
        answers = {KINDS[kind](x, y) for x, y in pairs}
        decided = _decided_by_ranges(kind, a, b)
        # Equal single values are the one case that is left open.
        assert answers == {decided} or decided is None and (len(answers) == 2 or a == b and a.low == a.high)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("type_", [Int(16), UInt(32), UInt(8), Int(64)])
def test_casts_of_truths_are_compared_with_others(kind, type_):
    truth = cast(type_, Variable(BOOL, "truth"))
    assert constant(simplify(kind(truth, Const(type_, 3)))) == KINDS[kind](0, 3)
    assert constant(simplify(kind(Const(type_, 3), truth))) == KINDS[kind](3, 0)
