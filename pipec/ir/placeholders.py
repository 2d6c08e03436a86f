"""Placeholders in definitions: gather and scatter, which stand for several values, and undef, which stands for none.

f(scatter(1, 2)) = f(gather(2, 1)) + 5  -->  f(1) = f(2) + 5 and f(2) = f(1) + 5, all reads before all stores
select(a, undef, b) + 1                 -->  b + 1 where !a
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec.errors import DefinitionError
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr, Intrinsic, Select, Undef
from pipec.ir.node import Node
from pipec.ir.walk import postorder, rewrite

NAME = "scatter_gather"


def is_several(node: Node) -> bool:
    """Whether the node is a gather or scatter."""
    return isinstance(node, Intrinsic) and node.name == NAME


def value_count(roots: Sequence[Expr], what: str) -> int:
    """The number of values of the expressions: 1 where there is no gather or scatter in them.

    Raises DefinitionError, which names `what`, where two of them have different numbers.
    """
    several = [node for node in postorder(*roots) if isinstance(node, Intrinsic) and is_several(node)]
    counts = list(dict.fromkeys(len(node.args) for node in several))
    if len(counts) > 1:
        raise DefinitionError(
            f"Error: Expression tuples of mismatched sizes used in definition of {what}: {counts[-1]} vs {counts[0]}. "
            "Every gather and scatter of a definition takes the same number of Exprs."
        )
    return counts[0] if counts else 1


def versions(roots: Sequence[Expr]) -> list[tuple[Expr, ...]]:
    """The expressions for each of their values."""
    result = []
    count = value_count(roots, "an update")
    if count == 1 and not any(map(is_several, postorder(*roots))):
        return [tuple(roots)]
    for number in range(count):
        memo: dict[Node, Expr] = {}

        def change(node: Expr, number: int = number) -> Expr:
            return node.args[number] if isinstance(node, Intrinsic) and node.name == NAME else node

        result.append(tuple([rewrite(root, change, memo) for root in roots]))
    return result


# An expression without undef (None: it is undef), and the condition under which it has that value.
Part = tuple[Expr | None, Expr]


def mentions_undef(roots: Sequence[Expr]) -> bool:
    """Whether an undef is part of the expressions."""
    return any(isinstance(node, Undef) for node in postorder(*roots))


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
