"""Constant extents for unrolled and vectorized loops and for storage inside GPU blocks, which need them.

unrolled y from m for select(first, 4, 2): f(y) = e
-->  unrolled y from m for 4: if y < m + select(first, 4, 2): f(y) = e

gpu_block b: realize f[b * 16 for min(n - b * 16, 16)]: ...
-->  gpu_block b: realize f[b * 16 for 16]: ...
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping
from typing import Any

from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.bounds.simplify import Simplifier, values_of_selects
from pipec.ir.build import add, constant, lt
from pipec.ir.expr import Expr, const, variable
from pipec.ir.node import kinds_of
from pipec.ir.stmt import For, IfThenElse, LetStmt, LoopKind, Realize, Stmt
from pipec.ir.walk import free_variables, rewrite, statements, substitute
from pipec.lower.statements import map_statements

# Longer loops are not worth unrolling.
_MAX_COPIES = 64
# Elements of a dimension of storage inside a kernel.
_MAX_KERNEL_EXTENT = 1 << 14
_PROOF_DEPTH = 8


def constant_extents(stmt: Stmt) -> Stmt:
    """`stmt` with the largest extent, and a guarded body, in unrolled and vectorized loops whose extent varies.

    Every name must be bound once. Loops whose extent has no upper bound stay; a later check refuses them.
    """
    nodes = list(statements(stmt))
    if not any(_varies(node) for node in nodes):
        return stmt
    bounds = UpperBounds({node.name: node.value for node in nodes if isinstance(node, LetStmt)}, _MAX_COPIES)

    def change(node: Any) -> Any:
        if not _varies(node):
            return node
        largest = bounds.of(node.extent)
        if largest is None:
            return node
        inside = lt(variable(node.name), add(node.minimum, node.extent))
        return For(node.name, node.minimum, const(largest), node.kind, IfThenElse(inside, node.body, None))

    changed: Stmt = rewrite(stmt, change, kinds=kinds_of(For))
    return changed


def _varies(node: Any) -> bool:
    unrolled = isinstance(node, For) and node.kind in (LoopKind.UNROLLED, LoopKind.VECTORIZED)
    return unrolled and constant(node.extent) is None


class UpperBounds:
    """Upper bounds of expressions, up to `max_bound`, from the values of lets and the ranges of other variables."""

    def __init__(
        self, lets: Mapping[str, Expr], max_bound: int, ranges: Mapping[str, IntegerRange] | None = None
    ) -> None:
        self.lets, self.max_bound = lets, max_bound
        self.simplify = Simplifier(Ranges(ranges))

    def of(self, e: Expr) -> int | None:
        """The smallest upper bound of `e` that can be proved; None when there is none up to `max_bound`."""
        partly_expanded = expanded = self.simplify(e)
        while self.simplify.ranges.of(expanded).high is None and not free_variables(expanded).isdisjoint(self.lets):
            expanded = self._expand_lets(expanded, free_variables(expanded) & self.lets.keys())
        bound = self._limit(expanded)
        while bound is None and not free_variables(partly_expanded).isdisjoint(self.lets):
            # With all lets expanded the proof may be too long; expanded one level at a time, terms cancel.
            names = free_variables(partly_expanded) & self.lets.keys()
            inner = names.difference(*[free_variables(self.lets[name]) for name in names])
            partly_expanded = self._expand_lets(partly_expanded, inner or names)
            bound = self._limit(partly_expanded)
        return bound

    def _expand_lets(self, e: Expr, names: Collection[str]) -> Expr:
        return self.simplify(substitute(e, {name: self.lets[name] for name in names}))

    def _limit(self, e: Expr) -> int | None:
        """An upper bound of `e` itself, or of all values that it has by the outcomes of its selects."""
        limit = self._limit_of_all(e)
        values = values_of_selects(e) if limit is None else []
        limits = [self._limit_of_all(self.simplify(value)) for value in values if value is not e]
        return limit if not limits or None in limits else max(x for x in limits if x is not None)

    def _limit_of_all(self, e: Expr) -> int | None:
        ranges = self.simplify.ranges
        high = ranges.of(e).high
        if high is not None:
            return high
        if not ranges.proves_at_least(const(self.max_bound), e, _PROOF_DEPTH):
            limit = ranges.largest(e)
            return None if limit is None or limit > self.max_bound else limit
        return bisect_left(range(self.max_bound), True, key=lambda n: ranges.proves_at_least(const(n), e, _PROOF_DEPTH))


def kernel_storage(stmt: Stmt) -> Stmt:
    """`stmt` with the largest extent, where it varies, for storage inside GPU blocks: a device has no other arrays.

    Every name must be bound once. Extents without an upper bound stay.
    """
    if not any(isinstance(node, For) and node.kind is LoopKind.GPU_BLOCK for node in statements(stmt)):
        return stmt
    lets = {node.name: node.value for node in statements(stmt) if isinstance(node, LetStmt)}
    ranges = {node.name: _range(node) for node in statements(stmt) if isinstance(node, For)}
    return _walk(stmt, UpperBounds(lets, _MAX_KERNEL_EXTENT, ranges), inside=False)


def _range(loop: For) -> IntegerRange:
    """The values of a loop's variable, as far as they are constant."""
    first, extent = constant(loop.minimum), constant(loop.extent)
    if first is None:
        return IntegerRange(None, None)
    return IntegerRange(int(first), None if extent is None else int(first + extent) - 1)


def _walk(stmt: Stmt, largest: UpperBounds, inside: bool) -> Stmt:
    inside = inside or (isinstance(stmt, For) and stmt.kind is LoopKind.GPU_BLOCK)
    new = map_statements(stmt, lambda child: _walk(child, largest, inside))
    if not inside or not isinstance(new, Realize):
        return new
    bounds = tuple([(minimum, _constant(extent, largest)) for minimum, extent in new.bounds])
    return Realize(new.name, new.types, new.memory, bounds, new.layout, new.folds, new.start, new.body)


def _constant(extent: Expr, largest: UpperBounds) -> Expr:
    bound = None if constant(extent) is not None else largest.of(extent)
    return extent if bound is None else const(bound)
