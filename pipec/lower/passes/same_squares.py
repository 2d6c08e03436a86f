"""Squares of the same difference, taken either way round, are one expression, which is computed once.

    (a - b) * (a - b), (b - a) * (b - a)  -->  (a - b) * (a - b), twice

Both are the same to the bit. Gradients of sums over windows meet each pair of pixels from both sides.
"""

from __future__ import annotations

from pipec.ir.build import constant
from pipec.ir.expr import Expr, Mul, Sub
from pipec.ir.node import Node
from pipec.ir.stmt import Stmt
from pipec.ir.walk import rewrite


def same_squares(stmt: Stmt) -> Stmt:
    """`stmt` with all squares of a float difference, or products with its negative, in the order met first."""
    met: set[tuple[Expr, Expr]] = set()

    def change(node: Node) -> Node:
        if not isinstance(node, Mul) or not node.type.floating:
            return node
        difference = _plain(node.a)
        if not isinstance(difference, Sub) or _plain(node.b) is not difference:
            return node
        a, b = difference.a, difference.b
        if (b, a) not in met:
            met.add((a, b))
            return node
        other = Sub(b, a)
        return Mul(_signed(node.a, difference, other), _signed(node.b, difference, other))

    return rewrite(stmt, change)


def _plain(e: Expr) -> Expr:
    """What is negated, or the expression itself."""
    return e.b if isinstance(e, Sub) and _is_zero(e.a) else e


def _is_zero(e: Expr) -> bool:
    value = constant(e)
    return value is not None and value == 0


def _signed(factor: Expr, old: Expr, new: Expr) -> Expr:
    return new if factor is old else Sub(factor.a, new)  # type: ignore[attr-defined]
