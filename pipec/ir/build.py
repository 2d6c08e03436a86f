"""Constructors that fold constants and drop neutral operands: how passes build arithmetic."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from functools import partial, reduce
from typing import Any

from pipec.ir.expr import (
    EQ,
    FALSE,
    GE,
    GT,
    LE,
    LT,
    NE,
    TRUE,
    Add,
    And,
    Binary,
    Broadcast,
    Cast,
    Compare,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Reinterpret,
    Select,
    Sub,
)
from pipec.ir.stmt import Block, Evaluate, Stmt
from pipec.ir.types import BOOL, INT32, INT64, Float, Type

NOTHING = Evaluate(Const(INT32, 0))


def as_expr(value: Expr | float, like: Type = INT32) -> Expr:
    """`value`, or the constant of type `like` when it is a Python number; broadcast to the lanes of `like`."""
    if isinstance(value, Expr):
        return value
    scalar = Const(like.element_of(), value)
    return scalar if like.nlanes == 1 else Broadcast(scalar, like.nlanes)


def constant(e: Expr) -> int | float | None:
    """The value of a constant or a broadcast constant, else None."""
    kind = type(e)
    if kind is Broadcast:
        e = e.value  # type: ignore[attr-defined]
        kind = type(e)
    return e.value if kind is Const else None  # type: ignore[attr-defined]


def euclidean_div(a: int, b: int) -> int:
    """Quotient whose remainder is never negative; x/0 is 0."""
    if b == 0:
        return 0
    return a // b if b > 0 else -(a // -b)


def euclidean_mod(a: int, b: int) -> int:
    """Remainder in [0, |b|); x%0 is 0."""
    return 0 if b == 0 else a % abs(b)


_FOLD: dict[type[Expr], Callable[[Any, Any], Any]] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
    Div: euclidean_div,
    Mod: euclidean_mod,
    Min: min,
    Max: max,
    EQ: operator.eq,
    NE: operator.ne,
    LT: operator.lt,
    LE: operator.le,
    GT: operator.gt,
    GE: operator.ge,
}


def _operands(a: Expr | int, b: Expr | int) -> tuple[Expr, Expr]:
    if not isinstance(a, Expr):
        a = as_expr(a, b.type if isinstance(b, Expr) else INT32)
    if not isinstance(b, Expr):
        b = as_expr(b, a.type)
    if a.type is not b.type and a.type.nlanes != b.type.nlanes:
        if a.type.nlanes == 1:
            a = Broadcast(a, b.type.nlanes)
        elif b.type.nlanes == 1:
            b = Broadcast(b, a.type.nlanes)
    return a, b


def fold(kind: type[Binary], a: Expr, b: Expr) -> Expr | None:
    """The constant value of an integer operation on two constants, else None. Floats are left to run time."""
    x = constant(a)
    if x is None or not a.type.integral:
        return None
    y = constant(b)
    if y is None or kind not in _FOLD:
        return None
    type_ = BOOL if issubclass(kind, Compare) else a.type.element_of()
    value = Const(type_, int(_FOLD[kind](x, y)))
    return value if a.type.nlanes == 1 else Broadcast(value, a.type.nlanes)


def add(a: Expr | int, b: Expr | int) -> Expr:
    """a + b"""
    a, b = _operands(a, b)
    if a.type.integral:
        if constant(a) == 0:
            return b
        if constant(b) == 0:
            return a
    return fold(Add, a, b) or Add(a, b)


def sub(a: Expr | int, b: Expr | int) -> Expr:
    """a - b"""
    a, b = _operands(a, b)
    if a.type.integral:
        if constant(b) == 0:
            return a
        if a is b:
            return as_expr(0, a.type)
    return fold(Sub, a, b) or Sub(a, b)


def mul(a: Expr | int, b: Expr | int) -> Expr:
    """a * b"""
    a, b = _operands(a, b)
    if a.type.integral:
        for x, y in ((a, b), (b, a)):
            value = constant(x)
            if value is not None and 0 <= value <= 1:
                return y if value else x
    return fold(Mul, a, b) or Mul(a, b)


def div(a: Expr | int, b: Expr | int) -> Expr:
    """a / b: Euclidean for integers."""
    a, b = _operands(a, b)
    if a.type.integral and constant(b) == 1:
        return a
    return fold(Div, a, b) or Div(a, b)


def mod(a: Expr | int, b: Expr | int) -> Expr:
    """a % b: Euclidean for integers."""
    a, b = _operands(a, b)
    if a.type.integral and constant(b) == 1:
        return as_expr(0, a.type)
    return fold(Mod, a, b) or Mod(a, b)


def min_(a: Expr | int, b: Expr | int) -> Expr:
    """The smaller operand."""
    a, b = _operands(a, b)
    return a if a is b else fold(Min, a, b) or Min(a, b)


def max_(a: Expr | int, b: Expr | int) -> Expr:
    """The larger operand."""
    a, b = _operands(a, b)
    return a if a is b else fold(Max, a, b) or Max(a, b)


def compare(kind: type[Binary], a: Expr | int, b: Expr | int) -> Expr:
    """A comparison node of class `kind`."""
    a, b = _operands(a, b)
    return fold(kind, a, b) or kind(a, b)


lt = partial(compare, LT)
le = partial(compare, LE)
gt = partial(compare, GT)
ge = partial(compare, GE)
eq = partial(compare, EQ)
ne = partial(compare, NE)


def and_(a: Expr, b: Expr) -> Expr:
    """a && b"""
    a, b = _operands(a, b)
    for x, y in ((a, b), (b, a)):
        value = constant(x)
        if value is not None:
            return y if value else x
    return a if a is b else And(a, b)


def or_(a: Expr, b: Expr) -> Expr:
    """a || b"""
    a, b = _operands(a, b)
    for x, y in ((a, b), (b, a)):
        value = constant(x)
        if value is not None:
            return x if value else y
    return a if a is b else Or(a, b)


def not_(a: Expr) -> Expr:
    """!a"""
    value = constant(a)
    if value is not None:
        return as_expr(1 - int(value), a.type)
    return a.value if isinstance(a, Not) else Not(a)


def select(condition: Expr, a: Expr | int, b: Expr | int) -> Expr:
    """`a` where the condition holds, else `b`."""
    a, b = _operands(a, b)
    value = constant(condition)
    if value is not None:
        return a if value else b
    return a if a is b else Select(condition, a, b)


def cast(type_: Type, e: Expr | int) -> Expr:
    """`e` converted to `type_`; lanes are those of `e`."""
    if not isinstance(e, Expr):
        return as_expr(e, type_)
    type_ = type_.with_lanes(e.type.nlanes)
    if e.type is type_:
        return e
    if isinstance(e, Broadcast):
        return Broadcast(cast(type_.element_of(), e.value), e.lanes)
    if isinstance(e, Const) and e.type.integral and (type_.integral or type_.floating):
        return Const(type_, e.value)
    if isinstance(e, Const) and e.type.floating and type_.integral and type_.nbits > 1 and math.isfinite(e.value):
        whole = math.trunc(e.value)
        if type_.min_value() <= whole <= type_.max_value():
            return Const(type_, whole)
    return Cast(type_, e)


def slot_bits(value: Expr) -> Expr:
    """A value as slots of 64 bits hold it: integers extended, floats as the bits of a double."""
    lanes = value.type.nlanes
    if value.type.floating:
        return Reinterpret(INT64.with_lanes(lanes), cast(Float(64).with_lanes(lanes), value))
    return cast(INT64.with_lanes(lanes), value)


def all_of(conditions: Iterable[Expr]) -> Expr:
    """The conjunction of conditions; true when there are none."""
    start: Expr = TRUE
    return reduce(and_, conditions, start)


def any_of(conditions: Iterable[Expr]) -> Expr:
    """The disjunction of conditions; false when there are none."""
    start: Expr = FALSE
    return reduce(or_, conditions, start)


def block(stmts: Iterable[Stmt | None]) -> Stmt:
    """The statements in order, flattened, without those that do nothing."""
    flat: list[Stmt] = []
    for stmt in stmts:
        if isinstance(stmt, Block):
            flat.extend(stmt.stmts)
        elif stmt is not None and stmt is not NOTHING:
            flat.append(stmt)
    if not flat:
        return NOTHING
    return flat[0] if len(flat) == 1 else Block(tuple(flat))
