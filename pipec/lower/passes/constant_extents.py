"""Unrolled and vectorized loops whose extent varies get the largest extent, and a guard around their body.

unrolled y from m for select(first, 4, 2): f(y) = e
-->  unrolled y from m for 4: if y < m + select(first, 4, 2): f(y) = e
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping
from typing import Any

from pipec.ir.build import add, constant, lt
from pipec.ir.expr import Expr, const, variable
from pipec.ir.ranges import Range, Ranges
from pipec.ir.simplify import Simplifier
from pipec.ir.stmt import For, IfThenElse, LetStmt, LoopKind, Stmt
from pipec.ir.walk import free_variables, rewrite, statements, substitute

# More copies than this are no help to anyone.
MOST = 64
PROOF_DEPTH = 8


def constant_extents(stmt: Stmt) -> Stmt:
    """Every name must be bound once. Extents without a known limit stay, for the later passes to refuse."""
    nodes = list(statements(stmt))
    if not any(_varies(node) for node in nodes):
        return stmt
    largest = Largest({node.name: node.value for node in nodes if isinstance(node, LetStmt)})

    def change(node: Any) -> Any:
        if not _varies(node):
            return node
        most = largest.of(node.extent)
        if most is None:
            return node
        inside = lt(variable(node.name), add(node.minimum, node.extent))
        return For(node.name, node.minimum, const(most), node.kind, IfThenElse(inside, node.body, None))

    changed: Stmt = rewrite(stmt, change)
    return changed


def _varies(node: Any) -> bool:
    unrolled = isinstance(node, For) and node.kind in (LoopKind.UNROLLED, LoopKind.VECTORIZED)
    return unrolled and constant(node.extent) is None


class Largest:
    """The largest values of expressions, seen through lets."""

    def __init__(self, lets: Mapping[str, Expr], most: int = MOST, known: Mapping[str, Range] | None = None) -> None:
        """`known`: the ranges of variables."""
        self.lets, self.most = lets, most
        self.simplify = Simplifier(Ranges(known))

    def of(self, e: Expr) -> int | None:
        """The least number that is known to be reached by `e` at most; None when there is none worth copying for."""
        first = whole = self.simplify(e)
        while self.simplify.ranges.of(whole).high is None and not free_variables(whole).isdisjoint(self.lets):
            whole = self._seen_through(whole, free_variables(whole) & self.lets.keys())
        found = self._limit(whole)
        while found is None and not free_variables(first).isdisjoint(self.lets):
            # What is seen through all lets may have become too long for a proof, in which some of them cancel.
            names = free_variables(first) & self.lets.keys()
            inner = names.difference(*[free_variables(self.lets[name]) for name in names])
            first = self._seen_through(first, inner or names)
            found = self._limit(first)
        return found

    def _seen_through(self, e: Expr, names: Collection[str]) -> Expr:
        return self.simplify(substitute(e, {name: self.lets[name] for name in names}))

    def _limit(self, e: Expr) -> int | None:
        ranges = self.simplify.ranges
        high = ranges.of(e).high
        if high is not None:
            return high
        if not ranges.proves_at_least(const(self.most), e, PROOF_DEPTH):
            limit = ranges.largest(e, PROOF_DEPTH + 2)
            return None if limit is None or limit > self.most else limit
        return bisect_left(range(self.most), True, key=lambda n: ranges.proves_at_least(const(n), e, PROOF_DEPTH))
