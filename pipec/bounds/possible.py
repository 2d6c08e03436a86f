"""Whether a condition can hold for some values of intervals, asked at run time of the ends of the intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pipec.ir import build
from pipec.ir.conditions import NEGATED
from pipec.ir.expr import EQ, GE, GT, LE, LT, NE, And, Compare, Expr, Not, Or


class Ends(Protocol):
    """An interval; None: not bounded on that side."""

    @property
    def low(self) -> Expr | None: ...

    @property
    def high(self) -> Expr | None: ...


def possible(condition: Expr, wanted: bool, interval: Callable[[Expr], Ends]) -> Expr | None:
    """True at run time if the condition is what is `wanted` for some values; None where the ends do not tell.

    Each comparison is looked at alone, so that it may be true although no values make all of them hold at once.
    """
    if isinstance(condition, Not):
        return possible(condition.value, not wanted, interval)
    if isinstance(condition, And | Or):
        a, b = possible(condition.a, wanted, interval), possible(condition.b, wanted, interval)
        if a is None or b is None:
            return None
        return build.or_(a, b) if isinstance(condition, Or) == wanted else build.and_(a, b)
    if not isinstance(condition, Compare) or not condition.a.type.integral:
        return None
    kind = type(condition) if wanted else NEGATED[type(condition)]
    return _compared(kind, interval(condition.a), interval(condition.b))


def _compared(kind: type[Compare], a: Ends, b: Ends) -> Expr | None:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None
    if kind in (LT, LE):
        return build.compare(kind, a.low, b.high)
    if kind in (GT, GE):
        return build.compare(kind, a.high, b.low)
    if kind is EQ:
        return build.and_(build.le(a.low, b.high), build.le(b.low, a.high))
    apart = build.or_(build.compare(NE, a.low, a.high), build.compare(NE, b.low, b.high))
    return build.or_(apart, build.compare(NE, a.low, b.low))
