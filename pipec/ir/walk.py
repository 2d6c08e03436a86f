"""Walks over the DAG of nodes: each distinct node is visited once, with an explicit stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pipec.ir.expr import Expr, ParameterRef, ReductionVariable, Variable
from pipec.ir.node import Node
from pipec.ir.stmt import Stmt

N = TypeVar("N", bound=Node)


def postorder(root: Node, seen: set[Node] | None = None) -> Iterator[Node]:
    """All distinct nodes below and including `root`, children first; those in `seen` are left out and added to."""
    visited: set[Node] = set() if seen is None else seen
    # None stands on a node whose children have been visited.
    stack: list[Node | None] = [root]
    pop = stack.pop
    while stack:
        node = pop()
        if node is None:
            yield pop()  # type: ignore[misc]
        elif node not in visited:
            visited.add(node)
            children = node.below
            if not children:
                yield node
            elif len(children) == 1:
                stack += (node, None, children[0])
            else:
                stack += (node, None, *children[::-1])


def statements(root: Stmt, seen: set[Node] | None = None) -> Iterator[Stmt]:
    """As postorder, statements only."""
    visited: set[Node] = set() if seen is None else seen
    stack: list[Stmt | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            yield stack.pop()  # type: ignore[misc]
        elif node not in visited:
            visited.add(node)
            stack += (node, None, *[child for child in reversed(node.below) if isinstance(child, Stmt)])


def rewrite(root: N, change: Callable[[Any], Any], memo: dict[Node, Any] | None = None) -> N:
    """The DAG rebuilt bottom-up: `change(node)` is called on each node whose children are already rewritten.

    `change` returns the node itself to keep it. `memo` maps nodes to their results and may be shared between
    calls with the same `change`; entries put there beforehand are substitutions.
    """
    done: dict[Node, Any] = {} if memo is None else memo
    stack: list[Node] = [root]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        children = node.below
        if children:
            pending = [child for child in children if child not in done]
            if pending:
                size = len(stack)
                for child in pending:
                    if child.below:
                        stack.append(child)
                    elif child not in done:
                        done[child] = change(child)
                if len(stack) > size:
                    continue
            new = tuple([done[child] for child in children])
            # Nodes are equal when they are the same.
            done[node] = change(node if new == children else node.with_children(iter(new)))
        else:
            done[node] = change(node)
        stack.pop()
    result: N = done[root]
    return result


def substitute(root: N, values: Mapping[str, Expr]) -> N:
    """`root` with Variables of the given names replaced."""
    if not values:
        return root

    def change(node: Any) -> Any:
        return values.get(node.name, node) if isinstance(node, Variable) else node

    return rewrite(root, change)


def free_variables(root: Node) -> frozenset[str]:
    """The names of all Variables, ReductionVariables and ParameterRefs in an expression. Memoised on the node."""
    found = root.variables
    if found is None:
        names: set[str] = set()
        seen: set[Node] = set()
        stack = [root]
        while stack:
            node = stack.pop()
            known = node.variables
            if known is not None:
                names |= known
            elif isinstance(node, _NAMED):
                names.add(node.name)
            elif node not in seen:
                seen.add(node)
                stack.extend(node.below)
        found = root.variables = frozenset(names)
    return found


_NAMED = (Variable, ReductionVariable, ParameterRef)


def mentions(root: Node, names: frozenset[str] | set[str]) -> bool:
    """Whether an expression has a variable with one of the names."""
    return not free_variables(root).isdisjoint(names)
