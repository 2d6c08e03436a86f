"""Walks over the DAG of nodes: each distinct node is visited once, with an explicit stack."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pipec.ir.expr import Expr, ParameterRef, ReductionVariable, Variable
from pipec.ir.node import Node

N = TypeVar("N", bound=Node)


def postorder(root: Node, seen: set[Node] | None = None) -> Iterator[Node]:
    """All distinct nodes below and including `root`, children first; those in `seen` are left out and added to."""
    visited: set[Node] = set() if seen is None else seen
    stack: list[tuple[Node, bool]] = [(root, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            yield node
        elif node not in visited:
            visited.add(node)
            stack.append((node, True))
            stack.extend([(child, False) for child in reversed(node.children()) if child not in visited])


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
        children = node.children()
        if children:
            pending = [child for child in children if child not in done]
            if pending:
                stack.extend(pending)
                continue
            done[node] = change(node.rebuild(done.__getitem__))
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
    found = _variables.get(root)
    if found is None:
        names: set[str] = set()
        seen: set[Node] = set()
        stack = [root]
        while stack:
            node = stack.pop()
            known = _variables.get(node)
            if known is not None:
                names |= known
            elif isinstance(node, Variable | ReductionVariable | ParameterRef):
                names.add(node.name)
            elif node not in seen:
                seen.add(node)
                stack.extend(node.children())
        found = _variables[root] = frozenset(names)
    return found


_variables: weakref.WeakKeyDictionary[Node, frozenset[str]] = weakref.WeakKeyDictionary()


def mentions(root: Node, names: frozenset[str] | set[str]) -> bool:
    """Whether an expression has a variable with one of the names."""
    return not free_variables(root).isdisjoint(names)
