"""The conditions of a loop's body that are worth deciding: those marked likely, and clamps of coordinates.

select(x < 0 || x >= w, 0, likely(in[x]))  -->  x < 0: preferably false; x >= w: preferably false
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipec.bounds.conditions import is_likely, parts
from pipec.ir.build import constant
from pipec.ir.expr import (
    Compare,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Load,
    Max,
    Min,
    Mul,
    Select,
    Variable,
)
from pipec.ir.node import Node
from pipec.ir.stmt import For, LetStmt, LoopKind, Provide, Stmt, Store
from pipec.ir.types import INT32
from pipec.ir.walk import postorder

SPLIT = (LoopKind.SERIAL, LoopKind.PARALLEL)
# Iterations. Loops with a constant extent of at most this count as unrolled.
_MAX_SHORT_EXTENT = 8


class MarkedConditions:
    """The conditions worth deciding in a body."""

    def __init__(self, nodes: list[Node], innermost: bool) -> None:
        # Comparisons with their preferred truth value; Mins and Maxes with whether the first operand is preferred.
        self.preferred: dict[Node, bool] = {}
        self.clamps: list[Node] = []
        self._innermost = innermost
        self._likely: set[Node] = set()
        for node in nodes:
            self._visit(node)
        visited: set[Node] = set()
        for e in indices(nodes):
            self.clamps += [node for node in self._steady_nodes(e, visited) if self._is_clamp(node)]

    def _steady_nodes(self, root: Expr, visited: set[Node]) -> Iterable[Node]:
        """The nodes of an expression that remain where all conditions have their preferred values."""
        stack: list[Any] = [root]
        while stack:
            node = stack.pop()
            if node in visited:
                continue
            visited.add(node)
            yield node
            if isinstance(node, Select) and (node.true_value in self._likely) != (node.false_value in self._likely):
                stack.append(node.true_value if node.true_value in self._likely else node.false_value)
            else:
                stack += node.children()

    def _is_clamp(self, node: Node) -> bool:
        return isinstance(node, (Min, Max)) and node.type is INT32 and node not in self.preferred

    def _visit(self, node: Node) -> None:
        likely = self._likely
        if isinstance(node, Intrinsic):
            if is_likely(node, self._innermost):
                likely.add(node)
                if node.type.boolean:
                    self._prefer(node.args[0], True)
        elif isinstance(node, Select):
            first, second = node.true_value in likely, node.false_value in likely
            if first != second:
                self._prefer(node.condition, first)
        elif isinstance(node, (Min, Max)):
            first, second = node.a in likely, node.b in likely
            if first != second:
                self.preferred[node] = first
            if first or second:
                likely.add(node)
        elif isinstance(node, Expr) and not isinstance(node, (FuncCall, ImageCall, Load)):
            if any(child in likely for child in node.children()):
                likely.add(node)

    def _prefer(self, condition: Expr, preferred_value: bool) -> None:
        """Adds the comparisons that must all be decided for a condition to have its preferred value."""
        for part, value in parts(condition, preferred_value):
            if isinstance(part, Compare):
                self.preferred.setdefault(part, value)


def indices(nodes: Iterable[Node]) -> Iterable[Expr]:
    """The coordinates, indices and loop bounds among the expressions of the nodes, and int32 values of lets."""
    for node in nodes:
        if isinstance(node, (FuncCall, ImageCall, Provide)):
            yield from node.args
        elif isinstance(node, (Load, Store)):
            yield node.index
        elif isinstance(node, For):
            yield from (node.minimum, node.extent)
        elif isinstance(node, LetStmt) and node.value.type is INT32:
            yield node.value


def vector_variables(nodes: list[Node]) -> set[str]:
    """The variables of the vector loops among the nodes."""
    return {node.name for node in nodes if isinstance(node, For) and node.kind is LoopKind.VECTORIZED}


def varying_with(nodes: list[Node], names: set[str]) -> set[Node]:
    """The expressions in a loop's body that vary with the named variables."""
    named: dict[Node, list[str]] = {}
    for node in nodes:
        if isinstance(node, LetStmt):
            named.setdefault(node.value, []).append(node.name)
    varying = set(names)
    result: set[Node] = set()
    for node in nodes:
        if isinstance(node, Variable):
            if node.name in varying:
                result.add(node)
        elif isinstance(node, Expr) and any(child in result for child in node.children()):
            result.add(node)
        if node in result:
            varying.update(named.get(node, ()))
    return result


def evaluated_in_inner_loops(nodes: list[Node]) -> set[Node]:
    """The expressions of a loop's body that vary with an innermost loop, and the comparisons inside loops.

    A clamp that does not vary in innermost loops is computed before them, at no cost in comparison.
    """
    names = {node.name for node in nodes if isinstance(node, For) and is_innermost(node)}
    lets = {node.name: node.value for node in nodes if isinstance(node, LetStmt)}
    result = varying_with(nodes, names)
    bodies: set[Node] = set()
    for loop in nodes:
        if isinstance(loop, For) and is_long(loop):
            result.update(node for node in postorder(loop.body, visited=bodies) if isinstance(node, Compare))
    # The value of a let is computed once, but extents of loops within loops should be decided beforehand.
    work = [node.extent for node in nodes if isinstance(node, For) and (node in bodies or is_innermost(node))]
    symbolic = {node.name for node in nodes if isinstance(node, For) and constant(node.extent) is None}
    ranging = varying_with(nodes, symbolic)
    extents: set[Node] = set()
    while work:
        for node in postorder(work.pop(), visited=extents):
            if isinstance(node, Compare):
                result.add(node)
            elif isinstance(node, (Min, Max)) and node not in ranging:
                result.add(node)
            elif isinstance(node, (Min, Max)):
                result.discard(node)  # all iterations of the inner loop rarely agree: it is cut itself
            elif isinstance(node, Variable) and node.name in lets:
                work.append(lets[node.name])
    return result


def is_long(loop: For) -> bool:
    """Whether a loop has many iterations, or an unknown number of them."""
    extent = constant(loop.extent)
    return loop.kind in SPLIT and (extent is None or extent > _MAX_SHORT_EXTENT)


def steps_by_vectors(loop: For) -> bool:
    """Whether each iteration computes at least a vector of a dimension, so that few iterations are much work."""
    nodes = list(postorder(loop.body))
    lanes = [constant(node.extent) for node in nodes if isinstance(node, For) and node.kind is LoopKind.VECTORIZED]
    fewest = min([extent for extent in lanes if extent is not None], default=None)
    if fewest is None:
        return False
    variable = Variable(INT32, loop.name)
    steps = [constant(node.b) for node in nodes if isinstance(node, Mul) and node.a is variable]
    return any(step is not None and abs(step) >= fewest for step in steps)


def is_innermost(loop: For) -> bool:
    """Whether some store is in no other long loop inside `loop`."""
    stack: list[Node] = [loop.body]
    while stack:
        node = stack.pop()
        if isinstance(node, (Provide, Store)):
            return True
        if not (isinstance(node, For) and is_long(node)):
            stack.extend([child for child in node.children() if isinstance(child, Stmt)])
    return False
