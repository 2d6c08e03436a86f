"""The integers that the lanes of an expression can hold: of data, where every operation is followed exactly.

What `ir/ranges.py` says of indices rests on symbols; here it rests on types, constants, clamps and shifts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pipec.ir.build import constant, euclidean_div
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


class Span(NamedTuple):
    """All integers from `low` to `high`."""

    low: int
    high: int

    def fits(self, type_: Type) -> bool:
        return int(type_.min_value()) <= self.low and self.high <= int(type_.max_value())

    def union(self, other: Span) -> Span:
        return Span(min(self.low, other.low), max(self.high, other.high))


class LaneRanges:
    """The spans of integer expressions, memoised."""

    def __init__(self) -> None:
        self._memo: dict[Node, Span] = {}
        self._seen: set[Node] = set()

    def __call__(self, e: Expr) -> Span:
        found = self._memo.get(e)
        if found is None:
            for node in postorder(e, self._seen):
                if isinstance(node, Expr) and node.type.integral:
                    self._memo[node] = self._of(node)
            found = self._memo[e]
        return found

    def _of(self, e: Expr) -> Span:
        limits = Span(int(e.type.min_value()), int(e.type.max_value()))
        if isinstance(e, Const):
            return Span(int(e.value), int(e.value))
        rule = _RULES.get(type(e))
        found = None if rule is None else rule(self, e)
        if found is None:
            return limits
        # What leaves the type wraps, and may then be anything.
        return found if limits.low <= found.low and found.high <= limits.high else limits

    def known(self, e: Expr) -> Span:
        """As a call, for operands: those have been found before."""
        return self._memo[e]


Rule = Callable[[LaneRanges, Any], Span | None]


def _corners(spans: LaneRanges, e: Mul) -> Span:
    a, b = spans.known(e.a), spans.known(e.b)
    products = [x * y for x in a for y in b]
    return Span(min(products), max(products))


def _sum(spans: LaneRanges, e: Add) -> Span:
    a, b = spans.known(e.a), spans.known(e.b)
    return Span(a.low + b.low, a.high + b.high)


def _difference(spans: LaneRanges, e: Sub) -> Span:
    a, b = spans.known(e.a), spans.known(e.b)
    return Span(a.low - b.high, a.high - b.low)


def _smaller(spans: LaneRanges, e: Min) -> Span:
    a, b = spans.known(e.a), spans.known(e.b)
    return Span(min(a.low, b.low), min(a.high, b.high))


def _larger(spans: LaneRanges, e: Max) -> Span:
    a, b = spans.known(e.a), spans.known(e.b)
    return Span(max(a.low, b.low), max(a.high, b.high))


def _quotient(spans: LaneRanges, e: Div) -> Span | None:
    by = constant(e.b)
    if by is None or by <= 0:
        return None
    a = spans.known(e.a)
    return Span(euclidean_div(a.low, int(by)), euclidean_div(a.high, int(by)))


def _remainder(spans: LaneRanges, e: Mod) -> Span | None:
    by = constant(e.b)
    if by is None or by <= 0:
        return None
    a = spans.known(e.a)
    inside = 0 <= a.low and a.high < by
    return a if inside else Span(0, int(by) - 1)


def _chosen(spans: LaneRanges, e: Select) -> Span:
    return spans.known(e.true_value).union(spans.known(e.false_value))


def _converted(spans: LaneRanges, e: Cast) -> Span | None:
    return spans.known(e.value) if e.value.type.integral else None


def _same(spans: LaneRanges, e: Broadcast) -> Span:
    return spans.known(e.value)


def _any_lane(spans: LaneRanges, e: Shuffle) -> Span:
    total = spans.known(e.vectors[0])
    for vector in e.vectors[1:]:
        total = total.union(spans.known(vector))
    return total


def _limits(spans: LaneRanges, e: Intrinsic) -> Span | None:
    if not all(arg.type.integral for arg in e.args):
        return None
    limits = limits_of(e, [spans.known(arg) for arg in e.args])
    return None if limits is None else Span(int(limits[0]), int(limits[1]))


_RULES: dict[type[Expr], Rule] = {
    Add: _sum,
    Sub: _difference,
    Mul: _corners,
    Div: _quotient,
    Mod: _remainder,
    Min: _smaller,
    Max: _larger,
    Select: _chosen,
    Cast: _converted,
    Broadcast: _same,
    Shuffle: _any_lane,
    Intrinsic: _limits,
}
