"""Squares of a difference taken either way round are one expression."""

import numpy as np

from pipec.ir.expr import TRUE, Add, Const, Expr, Load, Mul, Sub, const
from pipec.ir.interp import run
from pipec.ir.stmt import Store
from pipec.ir.types import Float
from pipec.ir.walk import postorder
from pipec.lower.vectorize.vector_arithmetic import unify_squares

F32 = Float(32)


def read(at: int) -> Expr:
    return Load(F32, "in", const(at), TRUE)


def stored(stmt: Store) -> np.ndarray:
    buffers = {"in": np.array([0.3, 1.7], np.float32), "out": np.zeros(1, np.float32)}
    return run(stmt, buffers, strict=False)["out"]


def products(stmt: Store) -> int:
    return sum(isinstance(node, Mul) for node in postorder(stmt))


def test_both_orders_are_computed_once() -> None:
    a, b, zero = read(0), read(1), Const(F32, -0.0)
    near, far = Sub(a, b), Sub(b, a)
    before = Store("out", Add(Mul(near, near), Mul(far, far)), const(0), TRUE)
    assert (products(before), products(unify_squares(before))) == (2, 1)
    negated = Store("out", Sub(Mul(Sub(zero, near), near), Mul(Sub(zero, far), far)), const(0), TRUE)
    assert (products(negated), products(unify_squares(negated))) == (2, 1)
    assert stored(unify_squares(before)) == stored(before) != 0


def test_other_products_stay() -> None:
    a, b = read(0), read(1)
    stmt = Store("out", Add(Mul(Sub(a, b), a), Mul(Sub(b, a), Sub(a, b))), const(0), TRUE)
    assert unify_squares(stmt) is stmt
