"""What is left of expressions without undef: their values, and under which condition they have them.

select(a, undef, b) + 1  -->  b + 1 where !a
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir import build
from pipec.ir.expr import TRUE, Expr, Select, Undef
from pipec.ir.node import Node
from pipec.ir.walk import postorder

# What an expression becomes without undef (None: it is undef), and the condition under which that is so.
Part = tuple[Expr | None, Expr]


def mentions_undef(roots: Sequence[Expr]) -> bool:
    """Whether there is an undef anywhere in the expressions."""
    seen: set[Node] = set()
    return any(isinstance(node, Undef) for root in roots for node in postorder(root, seen))


def defined_parts(roots: Sequence[Expr]) -> list[Part]:
    """Each of the expressions without undef."""
    memo: dict[Node, Part] = {}
    return [_part(root, memo) for root in roots]


def _part(root: Expr, memo: dict[Node, Part]) -> Part:
    for node in postorder(root):
        if node not in memo:
            memo[node] = _without(node, memo)
    return memo[root]


def _without(node: Node, memo: dict[Node, Part]) -> Part:
    if isinstance(node, Undef):
        return None, TRUE
    if isinstance(node, Select):
        return _select(node, memo)
    parts = {child: memo[child] for child in node.children()}
    if any(value is None for value, _ in parts.values()):
        return None, TRUE
    conditions = dict.fromkeys([condition for _, condition in parts.values()])
    return node.rebuild(lambda child: parts[child][0]), build.all_of(list(conditions))


def _select(node: Select, memo: dict[Node, Part]) -> Part:
    (test, tested), (yes, when_yes), (no, when_no) = [
        memo[child] for child in (node.condition, node.true_value, node.false_value)
    ]
    if test is None or (yes is None and no is None):
        return None, TRUE
    if yes is None:
        return no, build.all_of([tested, build.not_(test), when_no])
    if no is None:
        return yes, build.all_of([tested, test, when_yes])
    either = when_yes if when_yes is when_no else build.select(test, when_yes, when_no)
    return build.select(test, yes, no), build.all_of([tested, either])
