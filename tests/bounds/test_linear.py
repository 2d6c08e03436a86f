"""The canonical form of index arithmetic."""

from __future__ import annotations

from functools import reduce

import pytest

from pipec.bounds.linear import difference, linear
from pipec.bounds.simplify import simplify
from pipec.ir.build import as_expr, cast
from pipec.ir.expr import TRUE, Add, Const, Div, Expr, Load, Max, Min, Mod, Mul, Sub, Variable
from pipec.ir.tape import evaluate
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import postorder

X, Y = Variable(INT32, "x"), Variable(INT32, "y")


def number(value: int, type_=INT32) -> Const:
    return Const(type_, value)


def widened(e: Expr) -> Expr:
    return cast(INT64, e)


def test_widened_sums_are_sums_of_widened_terms() -> None:
    form = linear(widened(Sub(Add(Mul(X, number(3)), number(5)), Y)))
    assert form.constant == 5 and form.terms == {widened(X): 3, widened(Y): -1}


def test_elements_of_neighbours_differ_by_a_constant() -> None:
    first, second = (Mul(widened(e), number(32, INT64)) for e in (X, Add(X, number(1))))
    assert difference(second, first) == 32
    assert simplify(Sub(second, first)) == number(32, INT64)


def test_widened_products_of_symbols_stay() -> None:
    product = widened(Mul(X, Y))
    assert linear(product).terms == {product: 1}


def test_widened_sums_of_data_stay() -> None:
    data = Load(INT32, "data", widened(X), TRUE)
    total = widened(Add(data, number(1)))
    assert simplify(total) is total


def test_sums_times_a_stride_are_multiplied_out() -> None:
    stride = widened(Y)
    for product in (Mul(widened(Add(Mul(X, number(4)), number(2))), stride), Mul(stride, widened(Sub(X, number(1))))):
        form = linear(product)
        assert form.constant == 0 and form.terms[stride] in (2, -1) and len(form.terms) == 2
    ahead, aside = (Mul(widened(Add(X, number(k))), stride) for k in (1, 2))
    assert difference(Add(ahead, stride), aside) == 0 and simplify(Add(ahead, stride)) is simplify(aside)


def test_products_of_two_sums_stay() -> None:
    product = Mul(widened(Add(X, number(1))), widened(Add(Y, number(1))))
    assert linear(product).terms == {product: 1}
    square = Mul(widened(X), widened(X))
    assert linear(square).terms == {square: 1}


@pytest.mark.parametrize("by", [8, -8, 1, 3])
def test_quotients_and_remainders_add_up_to_whole_numbers(by: int) -> None:
    divisor, moved = as_expr(by), Add(X, as_expr(5))
    for factor in (1, -1, 3):
        terms = Mul(Div(moved, divisor), as_expr(by * factor)), Mul(Mod(moved, divisor), as_expr(factor))
        expected = simplify(Mul(moved, as_expr(factor)))
        assert simplify(Add(*terms)) is expected
    assert simplify(Add(Mul(Div(X, as_expr(8)), as_expr(4)), Mod(X, as_expr(8)))) is not X


def clamped(low: int, shift: int, high: int) -> Expr:
    return Max(Min(Add(X, as_expr(shift)), as_expr(high)), as_expr(low))


def test_extremes_of_operands_that_differ_in_constants_are_those_of_the_constants() -> None:
    clamps = [clamped(0, shift, 99) for shift in (4, 1, 7, 3)]
    assert simplify(reduce(Min, clamps)) is simplify(clamped(0, 1, 99))
    assert simplify(reduce(Max, clamps)) is simplify(clamped(0, 7, 99))
    # Neither is nowhere less than the other.
    apart = [clamped(0, 3, 50), clamped(0, 1, 99)]
    for kind in (Min, Max):
        lowest = simplify(reduce(kind, [*apart, clamped(0, 2, 70)]))
        for x in range(-9, 120):
            expected = (min if kind is Min else max)([max(min(x + s, h), 0) for s, h in ((3, 50), (1, 99), (2, 70))])
            assert evaluate(lowest, {"x": x}).item() == expected


@pytest.mark.parametrize("kind", [Min, Max])
@pytest.mark.parametrize("offset", [-2, 2])
def test_constants_of_other_operands_take_no_limit_beyond_its_type(kind, offset) -> None:
    """Which operand comes first depends on names; a Param may be the largest or least number."""
    limit = INT32.max_value() if kind is Min else INT32.min_value()
    for name in "abcdefgh":
        e = simplify(kind(Add(X, number(offset)), Variable(INT32, name)))
        values = [int(evaluate(node, {"x": 5, name: int(limit)})) for node in postorder(e)]
        assert values[-1] == 5 + offset and all(INT32.min_value() <= value <= INT32.max_value() for value in values)
