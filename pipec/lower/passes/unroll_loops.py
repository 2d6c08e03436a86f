"""Unrolled loops become copies of their bodies.

unrolled (c, 0, 3) { f[x, c] = g[c] }  -->  f[x, 0] = g[0]; f[x, 1] = g[1]; f[x, 2] = g[2]

Selects by the loop variable are decided before a copy is made. So the copies of a `mux` of n values over n iterations
take time in proportion to n, not to its square.
"""

from __future__ import annotations

from typing import Any

from pipec.bounds.simplify import simplify
from pipec.ir.build import add, block, constant
from pipec.ir.expr import EQ, Broadcast, Expr, Load, Select
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import Block, For, LoopKind, Stmt
from pipec.ir.unroll import constant_extent, fresh_copy, unrolled
from pipec.ir.walk import free_variables, postorder, rewrite, substitute


def unroll_loops(stmt: Stmt) -> Stmt:
    """`stmt` without unrolled loops."""

    def change(node: Any) -> Any:
        if isinstance(node, For) and node.kind is LoopKind.UNROLLED:
            return _unrolled(node)
        return block(node.stmts) if isinstance(node, Block) else node

    return rewrite(stmt, change, kinds=kinds_of(For, Block))


def _unrolled(loop: For) -> Stmt:
    count, first = constant_extent(loop), constant(loop.minimum)
    bodies = None if count is None or count < 2 or first is None else _IterationBodies(loop)
    if bodies is None or not bodies.selects:
        return unrolled(loop)
    copies = [substitute(bodies.of(loop.minimum), {loop.name: loop.minimum})]
    for i in range(1, count or 0):
        value = add(loop.minimum, i)
        copies.append(fresh_copy(bodies.of(value), f".{loop.name}{i}", {loop.name: value}))
    return block(copies)


class _IterationBodies:
    """The body of a loop in single iterations, with the selects decided that depend on the loop variable only."""

    def __init__(self, loop: For) -> None:
        self.name = loop.name
        self.body = loop.body
        self.selects: set[Node] = set()
        # The selects and all nodes that contain some: only these differ between iterations.
        self.spine: set[Node] = set()
        for node in postorder(loop.body):
            if isinstance(node, Select) and self._decidable(_scalar(node.condition)):
                self.selects.add(node)
            if node in self.selects or any(child in self.spine for child in node.children()):
                self.spine.add(node)
        self._tables: dict[Node, tuple[Expr, dict[int, Expr], Expr] | None] = {}

    def of(self, value: Expr) -> Stmt:
        """The body in the iteration where the loop variable is `value`; it still contains the variable."""
        memo: dict[Node, Any] = {}

        def visit(node: Any) -> Any:
            if node not in self.spine:
                return node
            if node not in memo:
                chosen = self._chosen(node, value)
                memo[node] = node.rebuild(visit) if chosen is node else visit(chosen)
            return memo[node]

        result: Stmt = visit(self.body)
        return result

    def _decidable(self, condition: Expr) -> bool:
        return free_variables(condition) == {self.name} and not any(isinstance(n, Load) for n in postorder(condition))

    def _chosen(self, node: Node, value: Expr) -> Node:
        """The side of a select, or the value of a chain of selects, that an iteration takes; `node` if undecided."""
        if not isinstance(node, Select) or node not in self.selects:
            return node
        table = self._table(node)
        if table is not None:
            index, sides, default = table
            key = constant(simplify(substitute(index, {self.name: value})))
            return node if key is None else sides.get(int(key), default)
        holds = constant(simplify(substitute(_scalar(node.condition), {self.name: value})))
        return node if holds is None else node.true_value if holds else node.false_value

    def _table(self, node: Select) -> tuple[Expr, dict[int, Expr], Expr] | None:
        """The common index of a chain of selects by `index == constant`, its sides by constant, and the last side."""
        if node not in self._tables:
            condition = _scalar(node.condition)
            index = condition.a if isinstance(condition, EQ) and condition.a.type.integral else None
            sides: dict[int, Expr] = {}
            rest: Expr = node
            while isinstance(rest, Select) and (key := _compared(_scalar(rest.condition), index)) is not None:
                sides.setdefault(key, rest.true_value)
                rest = rest.false_value
            self._tables[node] = None if index is None or not sides else (index, sides, rest)
        return self._tables[node]


def _scalar(condition: Expr) -> Expr:
    return condition.value if isinstance(condition, Broadcast) else condition


def _compared(condition: Expr, index: Expr | None) -> int | None:
    """The constant that a condition compares `index` with; None for other conditions."""
    if not isinstance(condition, EQ) or condition.a is not index:
        return None
    value = constant(condition.b)
    return None if value is None else int(value)
