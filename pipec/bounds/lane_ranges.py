"""Ranges of the integers that the lanes of an expression can hold.

`ranges.py` has ranges of indices, from symbols; these are ranges of data, from types, constants, clamps and shifts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

from pipec.ir.build import euclidean_div
from pipec.ir.expr import (
    Add,
    Broadcast,
    Cast,
    Const,
    Div,
    Expr,
    Intrinsic,
    Max,
    Min,
    Mod,
    Mul,
    Select,
    Shuffle,
    Sub,
)
from pipec.ir.intrinsics import limits_of
from pipec.ir.node import Node
from pipec.ir.types import Type
from pipec.ir.walk import postorder


class LaneRange(NamedTuple):
    """All integers from `low` to `high`."""

    low: int
    high: int

    @property
    def magnitude(self) -> int:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))

    def fits(self, type_: Type) -> bool:
        """Whether an integer type holds all of them."""
        return int(type_.min_value()) <= self.low and self.high <= int(type_.max_value())

    def union(self, other: LaneRange) -> LaneRange:
        """The smallest span that contains both."""
        return LaneRange(min(self.low, other.low), max(self.high, other.high))


class LaneRanges:
    """The spans of integer expressions, memoised."""

    def __init__(self) -> None:
        self._memo: dict[Node, LaneRange] = {}
        self._visited: set[Node] = set()

    def __call__(self, e: Expr) -> LaneRange:
        span = self._memo.get(e)
        if span is None:
            for node in postorder(e, visited=self._visited):
                if isinstance(node, Expr) and node.type.integral:
                    self._memo[node] = self._of(node)
            span = self._memo[e]
        return span

    def _of(self, e: Expr) -> LaneRange:
        limits = LaneRange(int(e.type.min_value()), int(e.type.max_value()))
        if isinstance(e, Const):
            return LaneRange(int(e.value), int(e.value))
        rule = _RULES.get(type(e))
        span = None if rule is None else rule(self, e)
        if span is None:
            return limits
        # Values outside the type wrap.
        return span if limits.low <= span.low and span.high <= limits.high else limits

    def operand(self, e: Expr) -> LaneRange:
        """The span of an operand of an expression whose rule is being applied."""
        return self._memo[e]


def _of_division(spans: LaneRanges, e: Div | Mod) -> LaneRange | None:
    a, by = spans.operand(e.a), spans.operand(e.b)
    if isinstance(e, Mod):
        return a if 0 <= a.low and a.high < by.low else LaneRange(0, max(0, by.magnitude - 1))
    if by.low <= 0:
        return LaneRange(0, a.high) if a.low >= 0 == by.low else LaneRange(-a.magnitude, a.magnitude)
    quotients = [euclidean_div(x, y) for x in a for y in by]
    return LaneRange(min(quotients), max(quotients))


def _of_intrinsic(spans: LaneRanges, e: Intrinsic) -> LaneRange | None:
    if not all(arg.type.integral for arg in e.args):
        return None
    limits = limits_of(e, [spans.operand(arg) for arg in e.args])
    return None if limits is None else LaneRange(int(limits[0]), int(limits[1]))


def _binary(combine: Callable[[LaneRange, LaneRange], tuple[int, int]]) -> Rule:
    return lambda spans, e: LaneRange(*combine(spans.operand(e.a), spans.operand(e.b)))


def _corners(a: LaneRange, b: LaneRange) -> tuple[int, int]:
    products = [x * y for x in a for y in b]
    return min(products), max(products)


Rule = Callable[[LaneRanges, Any], LaneRange | None]
_RULES: dict[type[Expr], Rule] = {
    Add: _binary(lambda a, b: (a.low + b.low, a.high + b.high)),
    Sub: _binary(lambda a, b: (a.low - b.high, a.high - b.low)),
    Mul: _binary(_corners),
    Min: _binary(lambda a, b: (min(a.low, b.low), min(a.high, b.high))),
    Max: _binary(lambda a, b: (max(a.low, b.low), max(a.high, b.high))),
    Div: _of_division,
    Mod: _of_division,
    Select: lambda spans, e: spans.operand(e.true_value).union(spans.operand(e.false_value)),
    Cast: lambda spans, e: spans.operand(e.value) if e.value.type.integral else None,
    Broadcast: lambda spans, e: spans.operand(e.value),
    Shuffle: lambda spans, e: reduce(LaneRange.union, [spans.operand(vector) for vector in e.vectors]),
    Intrinsic: _of_intrinsic,
}
