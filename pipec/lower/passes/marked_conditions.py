"""Which conditions of a loop's body are worth deciding: those marked likely, and clamps of coordinates.

select(x < 0 || x >= w, 0, likely(in[x]))  -->  x < 0: hoped to be false; x >= w: hoped to be false
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipec.ir.build import constant
from pipec.ir.conditions import is_likely, parts
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
# Loops of a constant number of iterations up to this one are taken for unrolled.
_FEW = 8


class MarkedConditions:
    """The conditions worth deciding in a body."""

    def __init__(self, nodes: list[Node], innermost: bool) -> None:
        # Comparisons with the truth hoped for; Mins and Maxes with whether it is the first operand.
        self.wanted: dict[Node, bool] = {}
        self.clamps: list[Node] = []
        self._innermost = innermost
        self._tagged: set[Node] = set()
        for node in nodes:
            self._visit(node)
        seen: set[Node] = set()
        for e in indices(nodes):
            self.clamps += [node for node in self._hoped(e, seen) if self._is_clamp(node)]

    def _hoped(self, root: Expr, seen: set[Node]) -> Iterable[Node]:
        """An expression without what is left out where all conditions are as hoped."""
        stack: list[Any] = [root]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            yield node
            if isinstance(node, Select) and (node.true_value in self._tagged) != (node.false_value in self._tagged):
                stack.append(node.true_value if node.true_value in self._tagged else node.false_value)
            else:
                stack += node.children()

    def _is_clamp(self, node: Node) -> bool:
        return isinstance(node, (Min, Max)) and node.type is INT32 and node not in self.wanted

    def _visit(self, node: Node) -> None:
        tagged = self._tagged
        if isinstance(node, Intrinsic):
            if is_likely(node, self._innermost):
                tagged.add(node)
                if node.type.boolean:
                    self._want(node.args[0], True)
        elif isinstance(node, Select):
            first, second = node.true_value in tagged, node.false_value in tagged
            if first != second:
                self._want(node.condition, first)
        elif isinstance(node, (Min, Max)):
            first, second = node.a in tagged, node.b in tagged
            if first != second:
                self.wanted[node] = first
            if first or second:
                tagged.add(node)
        elif isinstance(node, Expr) and not isinstance(node, (FuncCall, ImageCall, Load)):
            if any(child in tagged for child in node.children()):
                tagged.add(node)

    def _want(self, condition: Expr, hoped: bool) -> None:
        """Ask for the parts of a condition that must all be decided for it to be as hoped."""
        for part, value in parts(condition, hoped):
            if isinstance(part, Compare):
                self.wanted.setdefault(part, value)


def indices(nodes: Iterable[Node]) -> Iterable[Expr]:
    """The expressions that say where things are and how often loops run."""
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
    return {node.name for node in nodes if isinstance(node, For) and node.kind is LoopKind.VECTORIZED}


def varying_with(nodes: list[Node], names: set[str]) -> set[Node]:
    """The expressions in a loop's body that vary with the named variables."""
    named: dict[Node, list[str]] = {}
    for node in nodes:
        if isinstance(node, LetStmt):
            named.setdefault(node.value, []).append(node.name)
    varying = set(names)
    found: set[Node] = set()
    for node in nodes:
        if isinstance(node, Variable):
            if node.name in varying:
                found.add(node)
        elif isinstance(node, Expr) and any(child in found for child in node.children()):
            found.add(node)
        if node in found:
            varying.update(named.get(node, ()))
    return found


def asked_by_inner_loops(nodes: list[Node]) -> set[Node]:
    """Of a loop's body, what varies with an innermost loop in it, and the comparisons that are made in loops.

    A clamp that does not vary in innermost loops is found before them, and costs nothing beside them.
    """
    names = {node.name for node in nodes if isinstance(node, For) and (not is_long(node) or is_innermost(node))}
    lets = {node.name: node.value for node in nodes if isinstance(node, LetStmt)}
    found = varying_with(nodes, names)
    bodies: set[Node] = set()
    for loop in nodes:
        if isinstance(loop, For) and is_long(loop):
            found.update(node for node in postorder(loop.body, bodies) if isinstance(node, Compare))
    # What a let stands for is found once; but the extents of loops within loops are best known beforehand.
    work = [node.extent for node in bodies if isinstance(node, For)]
    extents: set[Node] = set()
    while work:
        for node in postorder(work.pop(), extents):
            if isinstance(node, Compare):
                found.add(node)
            elif isinstance(node, Variable) and node.name in lets:
                work.append(lets[node.name])
    return found


def is_long(loop: For) -> bool:
    extent = constant(loop.extent)
    return loop.kind in SPLIT and (extent is None or extent > _FEW)


def steps_by_vectors(loop: For) -> bool:
    """Whether an iteration is a vector or more of a dimension: few of them are much work."""
    nodes = list(postorder(loop.body))
    lanes = [constant(node.extent) for node in nodes if isinstance(node, For) and node.kind is LoopKind.VECTORIZED]
    fewest = min([extent for extent in lanes if extent is not None], default=None)
    if fewest is None:
        return False
    variable = Variable(INT32, loop.name)
    steps = [constant(node.b) for node in nodes if isinstance(node, Mul) and node.a is variable]
    return any(step is not None and abs(step) >= fewest for step in steps)


def is_innermost(loop: For) -> bool:
    """Whether some store lies in no other loop inside of `loop`, unrolled and vector ones aside."""
    stack: list[Node] = [loop.body]
    while stack:
        node = stack.pop()
        if isinstance(node, (Provide, Store)):
            return True
        if not (isinstance(node, For) and is_long(node)):
            stack.extend([child for child in node.children() if isinstance(child, Stmt)])
    return False
