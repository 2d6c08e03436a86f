"""Walks over the DAG of nodes: each distinct node is visited once, with an explicit stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar, overload

from pipec.ir.expr import Expr, FuncCall, Load, Named, Variable
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import Stmt

N = TypeVar("N", bound=Node)
K = TypeVar("K")
R = TypeVar("R")


# The kinds of all nodes, see `Node.kinds`.
ALL_KINDS = -1


def postorder(*roots: Node, visited: set[Node] | None = None, kinds: int = ALL_KINDS) -> Iterator[Node]:
    """All distinct nodes below and including `roots`, children first; `visited` ones are skipped.

    `kinds` (see `kinds_of`): nodes without one of these kinds below and including them are skipped too.
    """
    if visited is None:
        visited = set()
    # None precedes a node whose children have been visited.
    stack: list[Node | None] = [*reversed(roots)]
    pop = stack.pop
    while stack:
        node = pop()
        if node is None:
            yield pop()  # type: ignore[misc]
        elif node.kinds & kinds and node not in visited:
            visited.add(node)
            children = node.below
            if not children:
                yield node
            elif len(children) == 1:
                stack += (node, None, children[0])
            else:
                stack += (node, None, *children[::-1])


@overload
def instances(kind: type[K], *roots: Node) -> Iterator[K]: ...


@overload
def instances(kind: tuple[type[Any], ...], *roots: Node) -> Iterator[Any]: ...


def instances(kind: type[Any] | tuple[type[Any], ...], *roots: Node) -> Iterator[Any]:
    """The nodes of a class, or of several, below and including `roots`, in postorder."""
    kinds = kinds_of(*kind) if isinstance(kind, tuple) else kinds_of(kind)
    return (node for node in postorder(*roots, kinds=kinds) if isinstance(node, kind))


def outside_indices(*roots: Node, reads: tuple[type[Node], ...] = (Load,)) -> Iterator[Node]:
    """The distinct nodes below and including `roots`, but for those below nodes of the classes `reads`."""
    visited: set[Node] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node not in visited:
            visited.add(node)
            yield node
            if not isinstance(node, reads):
                stack += node.children()


def statements(root: Stmt, visited: set[Node] | None = None) -> Iterator[Stmt]:
    """The statements below and including `root`, in the order of `postorder`."""
    if visited is None:
        visited = set()
    stack: list[Stmt | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            yield stack.pop()  # type: ignore[misc]
        elif node not in visited:
            visited.add(node)
            stack += (node, None, *[child for child in reversed(node.below) if isinstance(child, Stmt)])


def rewrite(root: N, change: Callable[[Any], Any], memo: dict[Node, Any] | None = None, kinds: int = ALL_KINDS) -> N:
    """The DAG rebuilt bottom-up: `change(node)` is called on each node whose children are already rewritten.

    `memo` maps nodes to their results and may be shared between calls with the same `change`; entries that it has
    beforehand are substitutions. `kinds` (see `kinds_of`): `change` returns all other nodes as they are.
    """
    if not root.kinds & kinds:
        return root
    done: dict[Node, Any] = {} if memo is None else memo
    # None precedes a node whose children are rewritten.
    stack: list[Node | None] = [root]
    pop = stack.pop
    while stack:
        node = pop()
        if node is None:
            node = pop()
            assert node is not None
            children = node.below
            new = tuple([done[child] for child in children])
            # Nodes are equal when they are the same.
            done[node] = change(node if new == children else node.with_children(iter(new)))
        elif node not in done:
            children = node.below
            if not children:
                done[node] = change(node)
                continue
            stack += (node, None)
            for child in children:
                if child not in done:
                    if not child.kinds & kinds:
                        done[child] = child
                    elif child.below:
                        stack.append(child)
                    else:
                        done[child] = change(child)
    result: N = done[root]
    return result


def rewriter(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Returns a function that rewrites by `change`, with one memo for all its calls."""
    memo: dict[Node, Any] = {}
    return lambda root: rewrite(root, change, memo)


def renaming_calls(names: Mapping[str, str]) -> Callable[[Any], Any]:
    """Returns a function that rewrites calls of the Funcs in `names` as calls, by name only, of others."""

    def change(node: Any) -> Any:
        if isinstance(node, FuncCall) and node.name in names:
            return FuncCall(node.type, names[node.name], node.args, node.value_index, None)
        return node

    return rewriter(change)


def compute_bottom_up(
    root: K, is_computed: Callable[[K], bool], compute: Callable[[K], None], operands: Callable[[K], Iterable[K]]
) -> None:
    """Calls `compute` on `root` and on all that it depends on by way of `operands`, operands first, without recursion.

    `is_computed` is true of what `compute` has been called on, and of what needs no call.
    """
    stack = [root]
    while stack:
        item = stack[-1]
        if is_computed(item):
            stack.pop()
            continue
        pending = [operand for operand in operands(item) if not is_computed(operand)]
        if pending:
            stack += pending
        else:
            compute(item)
            stack.pop()


# Analyses compute the results of operands by recursion down to this depth, below it bottom-up.
MAX_RECURSION = 64


class Analysis(Generic[R]):
    """Base of analyses of expressions: results are memoised for the life of the object, whose depth does not matter.

    A subclass defines `_compute`, which calls `of` for the operands, and `_operands` if these are not the children.
    """

    def __init__(self) -> None:
        self._memo: dict[Expr, R] = {}
        self._depth = 0

    def of(self, e: Expr) -> R:
        """The result for an expression."""
        memo = self._memo
        if e not in memo:
            self._depth += 1
            try:
                if self._depth < MAX_RECURSION:
                    memo[e] = self._compute(e)
                else:
                    compute_bottom_up(e, memo.__contains__, self._store, self._operands)
            finally:
                self._depth -= 1
        return memo[e]

    def _store(self, e: Expr) -> None:
        self._memo[e] = self._compute(e)

    def _compute(self, e: Expr) -> R:
        """The result for an expression, from those of its operands."""
        raise NotImplementedError

    def _operands(self, e: Expr) -> Iterable[Expr]:
        """The expressions on whose results that of `e` depends."""
        return e.below


def substitute(
    root: N, values: Mapping[str, Expr], kind: type[Named] = Variable, memo: dict[Node, Any] | None = None
) -> N:
    """`root` with those Variables, or variables of another class `kind`, replaced whose names `values` has."""
    if not values:
        return root
    done: dict[Node, Any] = {} if memo is None else memo
    replaced = values.keys()
    # None precedes a node whose children are replaced.
    stack: list[Node | None] = [root]
    pop = stack.pop
    while stack:
        node = pop()
        if node is None:
            node = pop()
            assert node is not None
            children = node.below
            new = tuple([done[child] for child in children])
            done[node] = node if new == children else node.with_children(iter(new))
        elif node not in done:
            names = node.variables
            if names is not None and replaced.isdisjoint(names):
                done[node] = node
            elif node.below:
                stack += (node, None, *node.below)
            else:
                done[node] = values.get(node.name, node) if isinstance(node, kind) else node
    result: N = done[root]
    return result


def free_variables(root: Node) -> frozenset[str]:
    """The names of all variables in an expression or, memoised, in a statement."""
    if root.variables is None:
        names: set[str] = set()
        visited: set[Node] = set()
        stack = [root]
        while stack:
            node = stack.pop()
            if node.variables is not None:
                names |= node.variables
            elif node not in visited:
                visited.add(node)
                stack.extend(node.below)
        root.variables = frozenset(names)
    return root.variables


def mentions(root: Node, names: frozenset[str] | set[str]) -> bool:
    """Whether an expression contains a variable with one of the names."""
    return not free_variables(root).isdisjoint(names)
