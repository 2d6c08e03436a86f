"""Simplification, ranges, intervals, conditions and boxes against all points of small boxes."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pipec.bounds.box import box_of_accesses, union
from pipec.bounds.conditions import conjuncts, inequalities, negation, parts, plain_conjuncts, possible
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.linear import difference, from_linear, linear
from pipec.bounds.monotonic import Monotonicity
from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.bounds.simplify import simplify
from pipec.ir.build import all_of, as_expr
from pipec.ir.expr import Add, Expr
from pipec.ir.types import INT32, INT64, Int, UInt
from pipec.ir.walk import free_variables
from tests.bounds.random_expressions import NAMES, box, condition, number, points, values_of

KINDS = (INT32, INT64, UInt(8), Int(8), UInt(16), UInt(32))
CASES = 250


def any_expression(rng, kind) -> Expr:
    return number(rng, kind, rng.randint(1, 4)) if rng.random() < 0.7 else condition(rng, kind, rng.randint(1, 3))


def ranges_of(spans) -> Ranges:
    return Ranges({name: IntegerRange(*span) for name, span in spans.items()})


def analysis_of(spans, kind, names) -> IntervalAnalysis:
    """The variables of these names vary, others stay symbols."""
    return IntervalAnalysis({name: Interval(*[as_expr(end, kind) for end in spans[name]]) for name in names}.get)


@pytest.fixture(params=KINDS, ids=str)
def cases(request):
    """(expression, ranges of the variables, all points, values there) of one type."""
    rng, kind = random.Random(str(request.param)), request.param
    result = []
    for _ in range(CASES):
        root, spans = any_expression(rng, kind), box(rng, kind)
        at = points(kind, spans)
        result.append((root, spans, at, values_of([root], at)[0]))
    return kind, result


def test_simplified_expressions_have_the_same_values(cases):
    for root, spans, at, values in cases[1]:
        for simplified in (simplify(root), simplify(root, ranges_of(spans))):
            (results,) = values_of([simplified], at)
            assert simplified.type is root.type and np.array_equal(results, values), (
                f"{root} -> {simplified} in {spans}"
            )


def test_ranges_hold_all_values(cases):
    kind, trees = cases
    for root, spans, _, values in trees:
        low, high = ranges_of(spans).of(root)
        assert (low is None or low <= values.min()) and (high is None or values.max() <= high), f"{root} in {spans}"
        if root.type in (INT32, INT64):
            largest = ranges_of(spans).largest(root)
            assert largest is None or values.max() <= largest, f"{root} in {spans}"


def test_proven_inequalities_hold():
    rng, proven = random.Random(5), 0
    for _ in range(4 * CASES):
        a, b, spans = number(rng, INT32, 2), number(rng, INT32, 2), box(rng, INT32)
        if ranges_of(spans).proves_at_least(a, b):
            proven += 1
            x, y = values_of([a, b], points(INT32, spans))
            assert (x >= y).all(), f"{a} >= {b} in {spans}"
    assert proven > CASES


@pytest.mark.parametrize("varying", ["xyz", "xy", "y"])
@pytest.mark.part(3)
def test_intervals_hold_all_values(cases, varying):
    kind, trees = cases
    for root, spans, at, values in trees:
        for end, beyond in zip(
            analysis_of(spans, kind, varying).of(root), (np.less_equal, np.greater_equal), strict=True
        ):
            if end is not None:
                assert free_variables(end) <= set(NAMES) - set(varying), f"{end} of {root}"
                assert beyond(values_of([end], at)[0], values).all(), f"{end} of {root} in {spans}"


def test_unions_and_intersections_of_intervals():
    rng = random.Random(6)
    for _ in range(CASES):
        a, b = [sorted(rng.sample(range(-9, 10), 2)) for _ in range(2)]
        first, second = [Interval(as_expr(low), as_expr(high)) for low, high in (a, b)]
        joined = first.union(second)
        assert joined == Interval(as_expr(min(a[0], b[0])), as_expr(max(a[1], b[1])))
        common = first.intersection(second)
        assert common == Interval(as_expr(max(a[0], b[0])), as_expr(min(a[1], b[1])))
        assert union([(first, second), (second, first)]) == (joined, joined)


def test_boxes_of_accesses_hold_every_accessed_point():
    rng = random.Random(7)
    for _ in range(CASES // 2):
        spans = box(rng, INT32)
        accesses = [(number(rng, INT32, 2), number(rng, INT32, 2)) for _ in range(rng.randint(1, 3))]
        region = box_of_accesses(accesses, analysis_of(spans, INT32, "xy"))
        at = points(INT32, spans)
        for access in accesses:
            for coordinate, (low, high) in zip(values_of(access, at), region, strict=True):
                assert low is None or (values_of([low], at)[0] <= coordinate).all(), f"{accesses} in {spans}"
                assert high is None or (values_of([high], at)[0] >= coordinate).all(), f"{accesses} in {spans}"


def test_linear_forms_have_the_value_of_the_expression():
    rng = random.Random(8)
    for _ in range(CASES):
        root, other, at = number(rng, INT32, 3), number(rng, INT32, 2), points(INT32, box(rng, INT32))
        gap = difference(Add(root, as_expr(3)), root)
        form, values, others = values_of([from_linear(linear(root), INT32), root, other], at)
        assert gap == 3 and np.array_equal(form, values), str(root)
        distance = difference(root, other)
        assert distance is None or (values - others == distance).all(), f"{root} - ({other})"


def test_conditions_are_negated_and_taken_into_parts():
    rng = random.Random(9)
    for _ in range(2 * CASES):
        root, spans = condition(rng, INT32, 3), box(rng, INT32)
        at = points(INT32, spans)
        value, negated, conjoined, plain = values_of(
            [root, negation(root), all_of(conjuncts(root)), all_of(plain_conjuncts(root))], at
        )
        assert np.array_equal(value, ~negated) and np.array_equal(value, conjoined) and np.array_equal(value, plain)
        for truth in (True, False):
            for part, holds in parts(root, truth):
                assert (values_of([part], at)[0][value == truth] == holds).all(), f"{part} of {root}"
        forms = inequalities(root)
        if forms is not None:
            sides = values_of([from_linear(form, INT32) for form in forms], at)
            assert np.array_equal(value, np.all([side >= 0 for side in sides], axis=0)), str(root)


def test_what_happens_is_possible():
    rng = random.Random(10)
    for _ in range(2 * CASES):
        root, spans = condition(rng, INT32, 2), box(rng, INT32)
        at = points(INT32, spans)
        value = values_of([root], at)[0]
        for truth in (True, False):
            test = possible(root, truth, analysis_of(spans, INT32, "xy").of)
            if test is not None:
                assert values_of([test], at)[0][value == truth].all(), f"{test} for {root} in {spans}"


def test_monotonicity():
    rng, directions = random.Random(11), {0: 0, 1: 0, -1: 0, None: 0}
    for _ in range(4 * CASES):
        root, spans = number(rng, INT32, 2), box(rng, INT32)
        sign = Monotonicity("x").of(root)
        directions[sign] += 1
        steps = np.diff(values_of([root], points(INT32, spans))[0], axis=0)
        assert sign is None or (steps * sign >= 0).all() and (sign or not steps.any()), f"{root} moves {sign}"
    assert min(directions.values()) > 20
