"""Arithmetic of the ends of intervals; None: not bounded on that side."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from pipec.bounds.linear import difference
from pipec.bounds.simplify import simplify
from pipec.ir import build
from pipec.ir.build import as_expr, constant
from pipec.ir.expr import Add, Const, Div, Expr, FuncCall, ImageCall, Load, Max, Min, Mul, Sub
from pipec.ir.tape import evaluate
from pipec.ir.types import Type
from pipec.ir.walk import free_variables, postorder


def pick(a: Expr | None, b: Expr | None, kind: type[Min | Max]) -> Expr | None:
    """The min or max of two ends; None where one of them is not bounded."""
    if a is None or b is None:
        return None
    if a is b:
        return a
    distance = difference(a, b) if a.type.integral else _float_difference(a, b)
    if distance is not None:
        return a if (distance <= 0) == (kind is Min) else b
    return simplify(kind(a, b))


def extreme(ends: Iterable[Expr | None], kind: type[Min | Max]) -> Expr | None:
    """The min or max of many ends; None where one of them is not bounded."""
    first, *others = dict.fromkeys(ends)
    if first is None or None in others:
        return None
    if len(others) > 1 and first.type.integral:
        return simplify(reduce(kind, others, first))
    total: Expr | None = first
    for end in others:
        total = pick(total, end, kind)
    return total


def _float_difference(a: Expr, b: Expr) -> float | None:
    """a - b of constants; None where the difference is NaN."""
    x, y = constant(a), constant(b)
    return None if x is None or y is None or x - y != x - y else x - y


def pick_bounded(a: Expr | None, b: Expr | None, kind: type[Min | Max]) -> Expr | None:
    """The min or max of those ends that are bounded."""
    if a is None or b is None:
        return b if a is None else a
    return pick(a, b, kind)


def sum_of_ends(terms: list[tuple[Expr | None, int]], number: int, type_: Type) -> Expr | None:
    """The sum of multiples of ends and a number; None where constants overflow the type: then any value is possible."""
    total: Expr = as_expr(0, type_)
    for end, coefficient in terms:
        if end is None:
            return None
        value = constant(end)
        if value is None:
            total = build.add(total, build.mul(end, coefficient))
        else:
            number += int(value) * coefficient
    if not type_.min_value() <= number <= type_.max_value():
        return None
    return simplify(build.add(total, number))


EXACT = {Add: int.__add__, Sub: int.__sub__, Mul: int.__mul__}


def apply(kind: type[Add | Sub | Mul | Div], a: Expr | None, b: Expr | None) -> Expr | None:
    """An operation of ends; None where it overflows the type: then any value is possible."""
    if a is None or b is None:
        return None
    x, y = constant(a), constant(b)
    if kind in EXACT and isinstance(x, int) and isinstance(y, int):
        if not a.type.min_value() <= EXACT[kind](x, y) <= a.type.max_value():
            return None
    return folded(simplify(kind(a, b)))


def folded(e: Expr) -> Expr | None:
    """A float without variables as a constant, None for NaN; every other expression as it is."""
    if not e.type.floating or isinstance(e, Const) or e.type.nlanes > 1 or free_variables(e) or not is_plain(e):
        return e
    value = evaluate(e, {}).item()
    return None if value != value else Const(e.type, value)


def is_plain(e: Expr) -> bool:
    """Whether an expression can be evaluated outside the loops: it reads no Func and no image."""
    return not any(isinstance(node, (FuncCall, ImageCall, Load)) for node in postorder(e))
