"""Conditions on int32 numbers that are computed without overflow."""

from __future__ import annotations

import pytest

from pipec.bounds.exact import allocatable, exact_condition, exact_number, is_held
from pipec.ir import build
from pipec.ir.expr import Const, Expr, variable
from pipec.ir.tape import evaluate
from pipec.ir.types import INT64

A, B = variable("a"), variable("b")
LARGE = {"a": 2**30, "b": 4}
SMALL = {"a": 5, "b": 7}


def value(e: Expr, variables: dict[str, int]) -> int:
    return int(evaluate(e, variables))


def test_sums_and_products_are_those_of_whole_numbers() -> None:
    number = build.add(build.mul(A, B), build.sub(A, 1))
    assert value(exact_number(number), LARGE) == 2**32 + 2**30 - 1
    assert value(exact_number(number), SMALL) == 39


@pytest.mark.parametrize(
    ("condition", "large"),
    [
        (build.le(build.mul(A, B), 99), False),
        (build.not_(build.le(build.mul(A, B), 99)), True),
        (build.or_(build.eq(B, 0), build.lt(build.mul(A, B), 99)), False),
        (build.and_(build.gt(build.mul(A, B), 99), build.eq(B, 4)), True),
    ],
)
def test_conditions_are_those_of_whole_numbers(condition: Expr, large: bool) -> None:
    assert bool(value(exact_condition(condition), LARGE)) is large


@pytest.mark.parametrize("negated", [False, True])
def test_no_condition_holds_of_a_quotient_whose_numerator_overflows(negated: bool) -> None:
    condition = build.lt(build.div(build.mul(A, B), 4), 99)
    condition = build.not_(condition) if negated else condition
    assert not value(exact_condition(condition), LARGE)
    assert bool(value(exact_condition(condition), SMALL)) is not negated


def test_a_number_is_held_where_nothing_that_it_is_chosen_from_overflows() -> None:
    clamped = build.max_(build.min_(build.mul(A, B), 99), 0)
    assert value(is_held(clamped), SMALL)
    assert not value(is_held(clamped), LARGE)


def test_sizes_that_overflow_are_more_than_any_memory_has() -> None:
    size = build.mul(build.mul(build.cast(INT64, A), build.cast(INT64, A)), build.cast(INT64, B))
    assert value(allocatable(size, [A, A, B]), SMALL) == 5 * 5 * 7
    assert value(allocatable(size, [A, A, B]), LARGE) == 2**47
    assert value(allocatable(Const(INT64, 12), [build.as_expr(3), build.as_expr(4)]), {}) == 12
