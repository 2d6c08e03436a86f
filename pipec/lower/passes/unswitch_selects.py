"""Loop unswitching for values: what no iteration of an innermost loop changes is chosen once, not by every vector.

    for x in 0..n { out[x] = select(c < 1, red, select(c < 2, green, blue)) }
    -->
    if (c < 1) { for x in 0..n { out[x] = red } } else { for x in 0..n { out[x] = select(c < 2, green, blue) } }

A select evaluates both of its sides. So `mux(c, [red, green, blue])` in planes computes all colours for each of them,
and a filter with a flag both of its variants.
"""

from __future__ import annotations

from pipec.ir.expr import Binary, Broadcast, Cast, Expr, Intrinsic, Load, Not, Select, VectorReduce
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import For, IfThenElse, LoopKind, Stmt
from pipec.ir.unroll import bound_names, constant_extent, fresh_copy
from pipec.ir.walk import instances, mentions, outside_indices, rewrite
from pipec.lower.statements import map_statements, with_body

SHORT = 4
"""Iterations of a loop of which copies are not worth their code."""
MIN_WORK = 3
"""Operations and loads of one side alone that are worth a loop of their own."""
MAX_COPIES = 16
MAX_NODES = 2000
"""Operations and loads of all copies of a loop."""
_WORK = (Binary, Not, Cast, Intrinsic, Load, Select, VectorReduce)


def unswitch_selects(stmt: Stmt) -> Stmt:
    """`stmt` with a copy of an innermost loop for each choice that it does not change."""
    if not stmt.kinds & kinds_of(Select):
        return stmt
    if isinstance(stmt, For) and not stmt.body.kinds & kinds_of(For):
        iterations = constant_extent(stmt)
        is_long = iterations is None or iterations > SHORT
        return _unswitched(stmt, MAX_COPIES, "") if is_long and stmt.kind is LoopKind.SERIAL else stmt
    return map_statements(stmt, unswitch_selects)


def _unswitched(loop: For, copies: int, path: str) -> Stmt:
    condition = _condition(loop, MAX_NODES // MAX_COPIES * copies) if copies > 1 else None
    if condition is None:
        return loop
    then = _unswitched(_chosen(loop, condition, True), copies // 2, path + "0")
    other = fresh_copy(_chosen(loop, condition, False), f".case{path}1")
    assert isinstance(other, For)
    return IfThenElse(condition, then, _unswitched(other, copies // 2, path + "1"))


def _condition(loop: For, nodes: int) -> Expr | None:
    """A condition by which the loop chooses between values that take some work; None where there is none."""
    candidates = [select for select in instances(Select, loop.body) if not _is_lanewise(select.condition)]
    if not candidates or 2 * len(_work(*_values(loop.body))) > nodes:
        return None
    inside = {*bound_names(loop)[0], loop.name}
    for select in reversed(candidates):
        condition = _of_all_lanes(select.condition)
        if condition.kinds & kinds_of(Load) or mentions(condition, inside) or not mentions(select, inside):
            continue
        sides = [_work(side) for side in (select.true_value, select.false_value)]
        if max(len(sides[0] - sides[1]), len(sides[1] - sides[0])) >= MIN_WORK:
            return condition
    return None


def _is_lanewise(condition: Expr) -> bool:
    return condition.type.nlanes > 1 and not isinstance(condition, Broadcast)


def _of_all_lanes(condition: Expr) -> Expr:
    return condition.value if isinstance(condition, Broadcast) else condition


def _values(stmt: Stmt) -> list[Expr]:
    """The expressions of a statement."""
    values: list[Expr] = []
    stack: list[Node] = [stmt]
    while stack:
        node = stack.pop()
        if isinstance(node, Expr):
            values.append(node)
        else:
            stack += node.children()
    return values


def _work(*values: Expr) -> set[Node]:
    """The operations and loads of expressions, without those of indices, which most loads share."""
    return {node for node in outside_indices(*values) if isinstance(node, _WORK)}


def _chosen(loop: For, condition: Expr, value: bool) -> For:
    """The loop where a condition is known to be `value`."""

    def choose(node: Node) -> Node:
        if isinstance(node, Select) and _of_all_lanes(node.condition) is condition:
            return node.true_value if value else node.false_value
        return node

    return with_body(loop, rewrite(loop.body, choose, kinds=kinds_of(Select)))
