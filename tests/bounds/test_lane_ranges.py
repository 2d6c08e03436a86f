"""Ranges of the integers that lanes hold."""

from __future__ import annotations

from itertools import product

import pytest

from pipec.bounds.lane_ranges import LaneRange, LaneRanges
from pipec.ir import build
from pipec.ir.build import as_expr, euclidean_div
from pipec.ir.expr import Variable
from pipec.ir.types import Int

RANGES = [(0, 0), (0, 7), (1, 5), (3, 9), (-6, 5), (-8, -2), (-3, 0)]


def between(name, low, high):
    return build.max_(build.min_(Variable(Int(32), name), as_expr(high)), as_expr(low))


@pytest.mark.parametrize("divisors", RANGES)
@pytest.mark.parametrize("dividends", RANGES)
def test_quotients_and_remainders_by_unknown_divisors_lie_in_their_ranges(dividends, divisors):
    a, b = between("a", *dividends), between("b", *divisors)
    pairs = list(product(range(dividends[0], dividends[1] + 1), range(divisors[0], divisors[1] + 1)))
    quotients = [euclidean_div(x, y) if y else 0 for x, y in pairs]
    rests = [x - y * euclidean_div(x, y) if y else 0 for x, y in pairs]
    spans = LaneRanges()
    for expression, values in ((build.div(a, b), quotients), (build.mod(a, b), rests)):
        span = spans(expression)
        assert span.low <= min(values)
        assert max(values) <= span.high
        # Not more than the operands allow.
        assert span.magnitude <= max(abs(end) for end in (*dividends, *divisors))


def test_quotients_by_positive_numbers_have_the_exact_range():
    assert LaneRanges()(build.div(between("a", 0, 255), between("b", 2, 9))) == LaneRange(0, 127)
