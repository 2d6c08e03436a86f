"""Conditions taken apart, negated and read as inequalities."""

import itertools

import pytest

from pipec.bounds.conditions import (
    MIRRORED,
    NEGATED,
    conjuncts,
    inequalities,
    is_contradiction,
    is_likely,
    likely,
    negation,
    parts,
    plain_conjuncts,
    unmarked,
    without_marks,
)
from pipec.bounds.linear import from_linear
from pipec.ir import build
from pipec.ir.expr import EQ, FALSE, GE, GT, LE, LT, NE, TRUE, And, Const, Intrinsic, Not, Or, Variable, variable
from pipec.ir.tape import evaluate
from pipec.ir.types import BOOL, INT32, Float

RELATIONS = [EQ, NE, LT, LE, GT, GE]
X, Y = variable("x"), variable("y")
A, B, C = [Variable(BOOL, name) for name in "abc"]
PAIRS = list(itertools.product(range(-2, 3), repeat=2))


@pytest.mark.parametrize("kind", RELATIONS)
def test_a_negated_comparison_holds_where_the_comparison_does_not(kind):
    for x, y in PAIRS:
        values = {"x": x, "y": y}
        assert evaluate(NEGATED[kind](X, Y), values) != evaluate(kind(X, Y), values)


@pytest.mark.parametrize("kind", RELATIONS)
def test_a_mirrored_comparison_with_its_operands_exchanged_is_the_comparison(kind):
    for x, y in PAIRS:
        values = {"x": x, "y": y}
        assert evaluate(MIRRORED[kind](Y, X), values) == evaluate(kind(X, Y), values)


def test_a_comparison_of_floats_is_negated_by_a_not_since_its_operands_may_be_nan():
    x = Variable(Float(32), "x")
    assert negation(LT(x, x)) is Not(LT(x, x)) and negation(LT(X, Y)) is GE(X, Y)
    assert negation(Not(A)) is A


@pytest.mark.parametrize("kind", RELATIONS)
def test_inequalities_hold_exactly_where_the_comparison_does(kind):
    forms = inequalities(kind(X, build.mul(Y, 2)))
    if kind is NE:
        assert forms is None
        return
    for x, y in PAIRS:
        values = {"x": x, "y": y}
        hold = all(evaluate(from_linear(form, INT32), values) >= 0 for form in forms)
        assert hold == evaluate(kind(X, build.mul(Y, 2)), values), (x, y)


def test_only_comparisons_of_int32_are_inequalities():
    wide = Const(Float(32), 1)
    assert inequalities(LT(wide, wide)) is None and inequalities(A) is None


def test_conjuncts_are_the_operands_of_nested_ands_in_their_order():
    assert conjuncts(And(And(A, B), C)) == conjuncts(And(A, And(B, C))) == [A, B, C]
    assert conjuncts(TRUE) == [] and conjuncts(FALSE) == [FALSE]
    assert conjuncts(likely(And(A, B))) == [likely(And(A, B))]


def test_plain_conjuncts_look_through_likely_and_negated_alternatives():
    assert plain_conjuncts(likely(And(A, Not(Or(LT(X, Y), B))))) == [A, GE(X, Y), Not(B)]
    assert plain_conjuncts(Not(Not(A))) == [A]


def test_parts_have_the_values_that_the_whole_forces_on_them():
    whole = Or(Not(And(A, B)), Not(C))
    assert list(parts(whole, False)) == [(A, True), (B, True), (C, True)]
    assert list(parts(whole, True)) == [(whole, True)]


def test_likely_marks_what_is_not_constant():
    assert is_likely(likely(X)) and likely(Const(INT32, 3)) is Const(INT32, 3)
    inner = Intrinsic(INT32, "likely_if_innermost", (X,))
    assert not is_likely(inner) and is_likely(inner, innermost=True)
    assert unmarked(inner) is unmarked(likely(X)) is unmarked(X) is X
    assert without_marks(build.add(likely(X), build.add(inner, Y))) is build.add(X, build.add(X, Y))


def test_remainders_that_exclude_each_other_are_a_contradiction():
    residues = [build.mod(X, modulus) for modulus in (2, 3, 4, 6)]
    residues += [X, Intrinsic(INT32, "bitwise_and", (X, Const(INT32, 3)))]
    equalities = [EQ(residue, Const(INT32, number)) for residue in residues for number in range(4)]
    for a, b in itertools.combinations(equalities, 2):
        possible = any(evaluate(And(a, b), {"x": x}) for x in range(-24, 24))
        assert is_contradiction(And(a, b)) <= (not possible), (a, b)
        assert is_contradiction(And(And(a, A), b)) == is_contradiction(And(a, b))
    assert is_contradiction(And(EQ(residues[0], Const(INT32, 1)), EQ(residues[2], Const(INT32, 0))))
    assert is_contradiction(And(EQ(residues[-1], Const(INT32, 0)), EQ(residues[0], Const(INT32, 1))))
