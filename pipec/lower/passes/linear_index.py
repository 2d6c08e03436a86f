"""Flat indices as int64 sums whose terms are in the order of the loops that they vary with.

    in[x + 1, y]  -->  (((-min0 - min1*stride1) + y*stride1) + x) + 1

The invariant part of an inner loop's index is thus a prefix of the sum, shared by all accesses and hoisted as one;
constants come last, where addressing modes add them for free.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.bounds.linear import sum_of_terms
from pipec.ir.build import add, cast, constant, mul
from pipec.ir.expr import Const, Expr, Sub, Variable
from pipec.ir.node import Node
from pipec.ir.types import INT64
from pipec.ir.walk import postorder

Terms = dict[Expr, int]
ZERO = Const(INT64, 0)
ONE = Const(INT64, 1)


class LoopDepths:
    """The loop depths at which names are bound and expressions vary; unknown names have depth 0."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._memo: dict[Node, int] = {}
        self._visited: set[Node] = set()

    def bind(self, name: str, depth: int) -> None:
        """Records the depth of a name."""
        self._names[name] = depth

    def of(self, e: Expr) -> int:
        """The depth of the innermost loop that `e` varies with; 0: none."""
        if e not in self._memo:
            for node in postorder(e, visited=self._visited):
                own = self._names.get(node.name, 0) if isinstance(node, Variable) else 0
                self._memo[node] = max([own, *[self._memo[child] for child in node.children()]])
        return self._memo[e]


def wide(e: Expr) -> Expr:
    """`e` as an int64 expression."""
    return e if e.type is INT64 else cast(INT64, e)


def element_index(
    coordinates: Sequence[Expr], minima: Sequence[Expr], strides: Sequence[Expr], depths: LoopDepths
) -> Expr:
    """The int64 sum over the dimensions of (coordinate - minimum) * stride."""
    levels: dict[int, Terms] = {}
    offset = 0
    for coordinate, minimum, stride in zip(coordinates, minima, strides, strict=True):
        distance = sum_of_terms(coordinate).plus(sum_of_terms(minimum), -1)
        shift = distance.constant
        scale = constant(stride)
        if scale is not None:
            offset += shift * int(scale)
        elif shift:
            _collect(levels, depths, wide(stride), shift)
        for symbol, factor in distance.terms.items():
            if scale is not None:
                _collect(levels, depths, wide(symbol), factor * int(scale))
            else:
                _collect(levels, depths, mul(wide(symbol), wide(stride)), factor)
    total: Expr = ZERO
    for level in sorted(levels):
        total = add(total, _sum(levels[level]))
    return add(total, Const(INT64, offset))


def _collect(levels: dict[int, Terms], depths: LoopDepths, symbol: Expr, factor: int) -> None:
    level = levels.setdefault(depths.of(symbol), {})
    level[symbol] = level.get(symbol, 0) + factor


def _sum(terms: Mapping[Expr, int]) -> Expr:
    """The int64 sum of coefficient * symbol, in an order that depends on the terms only."""
    total: Expr = ZERO
    for symbol in sorted(terms, key=lambda node: node.order()):
        factor = terms[symbol]
        if factor < 0 and total is not ZERO:
            total = Sub(total, mul(symbol, Const(INT64, -factor)))
        elif factor:
            total = add(total, mul(symbol, Const(INT64, factor)))
    return total
