"""Monotonicity: how the value of an expression changes when one variable increases."""

from __future__ import annotations

from collections.abc import Callable

from pipec.ir.build import constant
from pipec.ir.expr import (
    Add,
    Cast,
    Const,
    Div,
    Expr,
    Intrinsic,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Variable,
    variable,
)
from pipec.ir.intrinsics import INTRINSICS, value_operand
from pipec.ir.walk import Analysis, free_variables


class Monotonicity(Analysis[int | None]):
    """How expressions change with variable `name`: 0 independent, 1 non-decreasing, -1 non-increasing, None unknown.

    `value_of`: the value of another name that may depend on the variable, None for a name that does not.
    """

    def __init__(self, name: str, value_of: Callable[[str], Expr | None] = lambda name: None) -> None:
        super().__init__()
        self.name = name
        self.value_of = value_of

    def _compute(self, e: Expr) -> int | None:
        if isinstance(e, Const):
            return 0
        if isinstance(e, Variable):
            if e.name == self.name:
                return 1
            value = self.value_of(e.name)
            return 0 if value is None else self.of(value)
        if isinstance(e, (Add, Min, Max)):
            return _agree(self.of(e.a), self.of(e.b))
        if isinstance(e, Sub):
            return _agree(self.of(e.a), _negated(self.of(e.b)))
        scaled = _scaled(e)
        if scaled is not None:
            operand, factor = scaled
            return self.of(operand) if factor >= 0 else _negated(self.of(operand))
        if isinstance(e, Cast) and e.type.integral and e.value.type.integral and e.type.nbits >= 32:
            return self.of(e.value)
        if isinstance(e, Intrinsic):
            same = e.args[0] if INTRINSICS[e.name].increasing else value_operand(e)
            if same is not None:
                return self.of(same)
        if isinstance(e, Select) and self.of(e.condition) == 0:
            return _agree(self.of(e.true_value), self.of(e.false_value))
        return 0 if all(self.of(variable(name)) == 0 for name in free_variables(e)) else None


def _scaled(e: Expr) -> tuple[Expr, int | float] | None:
    """The operand that `e` multiplies or divides by a constant, and that constant."""
    if isinstance(e, Mul):
        for operand, other in ((e.a, e.b), (e.b, e.a)):
            factor = constant(other)
            if factor is not None:
                return operand, factor
    if isinstance(e, Div):
        divisor = constant(e.b)
        return (e.a, divisor) if divisor else None
    return None


def _negated(sign: int | None) -> int | None:
    return None if sign is None else -sign


def _agree(a: int | None, b: int | None) -> int | None:
    if a is None or b is None or a * b < 0:
        return None
    return a or b
