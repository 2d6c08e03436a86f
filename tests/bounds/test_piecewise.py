"""Pieces of choices: their values are those of the choice wherever what they need holds, and one holds everywhere."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from pipec.bounds.linear import Linear, from_linear
from pipec.bounds.piecewise import AffinePieces, pieces_of
from pipec.ir.build import add, as_expr, ge, lt, max_, min_, mod, mul, or_, select, sub
from pipec.ir.expr import EQ, FALSE, Add, And, Const, Expr, Or, Select, Variable
from pipec.ir.types import INT32
from tests.bounds.random_expressions import condition, number, points, values_of

X, Y, Z = [Variable(INT32, name) for name in "xyz"]
BOX = {"x": (-30, 30), "y": (-4, 4), "z": (-2, 9)}
LAST = sub(add(Y, Z), 1)


def _wrapped() -> Expr:
    return add(mod(sub(X, Y), Z), Y)


def _mirrored() -> Expr:
    distance = sub(mod(sub(X, Y), mul(sub(Z, 1), 2)), sub(Z, 1))
    return add(sub(sub(Z, 1), max_(distance, sub(0, distance))), Y)


def _mirrored_with_edge() -> Expr:
    within = mod(sub(X, Y), mul(Z, 2))
    return add(select(ge(within, Z), sub(sub(mul(Z, 2), 1), within), within), Y)


FOLDS: dict[str, tuple[Callable[[], Expr], list[int]]] = {
    "wrapped": (_wrapped, [1, 1, 1]),
    "mirrored": (_mirrored, [-1, 1, -1]),
    "mirrored with its edge": (_mirrored_with_edge, [-1, 1, -1]),
}


def _folded(far: Expr) -> Select:
    """`far` outside of the Z places from Y on, X inside."""
    choice = select(or_(lt(X, Y), ge(X, add(Y, Z))), max_(min_(far, LAST), Y), max_(min_(X, LAST), Y))
    assert isinstance(choice, Select)
    return choice


def _at_least_zero(forms: tuple[Linear, ...]) -> list[Expr]:
    return [ge(from_linear(form, INT32), 0) for form in forms]


def _check(choice: Select, pieces: AffinePieces) -> int:
    """Compares pieces with the choice at all points of the box; the number of points where some piece is certain."""
    at = points(INT32, BOX)
    shape = at["x"].shape
    (expected,) = values_of([choice], at)
    holding = np.zeros(shape, int)
    certain = np.zeros(shape, bool)
    for piece in pieces.pieces:
        roots = [piece.condition, from_linear(piece.value, INT32), *_at_least_zero(piece.limits + piece.needs)]
        holds, value, *demands = [np.broadcast_to(v, shape) for v in values_of(roots, at)]
        within, needed = demands[: len(piece.limits)], demands[len(piece.limits) :]
        assert np.array_equal(holds, np.logical_and.reduce(within))
        valid = holds & np.logical_and.reduce([np.ones(shape, bool), *needed])
        assert np.array_equal(value[valid], np.broadcast_to(expected, shape)[valid]), str(choice)
        holding += holds
        certain |= valid
    one_each = [np.broadcast_to(v, shape) for v in values_of(_at_least_zero(pieces.needs) or [as_expr(True)], at)]
    assert (holding[np.logical_and.reduce(one_each)] == 1).all(), str(choice)
    return int(certain.sum())


@pytest.mark.parametrize("fold", FOLDS)
def test_the_pieces_of_folded_coordinates_are_the_first_reflections(fold: str) -> None:
    far, slopes = FOLDS[fold]
    choice = _folded(far())
    pieces = pieces_of(choice, X)
    assert pieces is not None
    assert [piece.value.terms[X] for piece in pieces.pieces] == slopes
    assert _check(choice, pieces) > 900


def test_the_pieces_of_random_choices_are_their_values() -> None:
    rng, pieced = random.Random(0), 0
    for _ in range(2000):
        limit = add(rng.choice((Y, Z, add(Y, Z), as_expr(0))), rng.randint(-3, 3))
        below = rng.choice((lt, ge))(X, limit)
        if rng.random() < 0.5:
            below = rng.choice((And, Or))(below, rng.choice((lt, ge))(Add(X, Y), as_expr(rng.randint(-5, 5))))
        choice = Select(below, number(rng, INT32, 3), number(rng, INT32, 3))
        pieces = pieces_of(choice, X)
        if pieces is not None:
            pieced += _check(choice, pieces) > 0
    assert pieced > 300


def test_choices_without_affine_pieces_have_none() -> None:
    square = select(lt(X, 0), mul(X, X), X)
    assert isinstance(square, Select) and pieces_of(square, X) is None
    steep = select(lt(mul(X, 2), Y), sub(0, X), X)
    assert isinstance(steep, Select) and pieces_of(steep, X) is None
    constant = Select(FALSE, X, Y)
    assert pieces_of(constant, X) is None
    equal = Select(EQ(X, Const(INT32, 3)), X, Y)
    assert pieces_of(equal, X) is None


def test_conditions_of_many_comparisons_have_none() -> None:
    rng = random.Random(1)
    many = Select(And(And(lt(X, 5), lt(Y, X)), condition(rng, INT32, 0)), X, Y)
    assert pieces_of(many, X) is None
