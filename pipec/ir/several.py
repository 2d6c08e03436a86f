"""Expressions of several values: what gather and scatter make, one value for each store of an update.

f(scatter(1, 2)) = f(gather(2, 1)) + 5  -->  f(1) = f(2) + 5 and f(2) = f(1) + 5, all reads before all stores
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec.errors import DefinitionError
from pipec.ir.expr import Expr, Intrinsic
from pipec.ir.node import Node
from pipec.ir.walk import postorder, rewrite

NAME = "scatter_gather"


def is_several(node: Node) -> bool:
    """Whether the node itself stands for several values."""
    return isinstance(node, Intrinsic) and node.name == NAME


def value_count(roots: Sequence[Expr], what: str) -> int:
    """How many values the expressions have: 1 when there is no gather or scatter in them.

    DefinitionError, which names `what`, when two of them have different numbers.
    """
    counts: list[int] = []
    seen: set[Node] = set()
    for root in roots:
        for node in postorder(root, seen):
            if isinstance(node, Intrinsic) and node.name == NAME and len(node.args) not in counts:
                counts.append(len(node.args))
    if len(counts) > 1:
        raise DefinitionError(
            f"Error: Expression tuples of mismatched sizes used in definition of {what}: {counts[-1]} vs {counts[0]}. "
            "Every gather and scatter of a definition takes the same number of Exprs."
        )
    return counts[0] if counts else 1


def versions(roots: Sequence[Expr]) -> list[tuple[Expr, ...]]:
    """The expressions once for each of their values."""
    found = []
    count = value_count(roots, "an update")
    if count == 1 and not any(is_several(node) for root in roots for node in postorder(root)):
        return [tuple(roots)]
    for number in range(count):
        memo: dict[Node, Expr] = {}

        def change(node: Expr, number: int = number) -> Expr:
            return node.args[number] if isinstance(node, Intrinsic) and node.name == NAME else node

        found.append(tuple([rewrite(root, change, memo) for root in roots]))
    return found
