"""`Tuple`: several values that a Func computes together."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sized
from typing import Any, Protocol

from pipec.errors import DefinitionError
from pipec.func.functions.ref import FuncRef
from pipec.func.math.convert import node_or_none
from pipec.func.math.expr import Expr, ExprLike, Operand, wrap
from pipec.ir.expr import Expr as Node


class TupleLike(Protocol):
    """A value that converts to a Tuple: a tuple or list of Exprs, or any object with a length and items."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> ExprLike: ...


class Tuple:
    """A sequence of Exprs: Tuple(a, b, ...) or Tuple((a, b, ...)), or Tuple(f[x]) of a Func that computes a Tuple.

    >>> x = hl.Var("x")
    >>> f = hl.Func()
    >>> f[x] = hl.Tuple(x, x * x)
    >>> [values.numpy().tolist() for values in f.realize([3])]
    [[0, 1, 2], [0, 1, 4]]
    """

    __slots__ = ("_elements",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *elements: Any) -> None:
        only = elements[0] if len(elements) == 1 else None
        nodes = only.elements() if isinstance(only, FuncRef) else tuple_nodes(only)
        if nodes is not None:
            self._elements = tuple(wrap(node) for node in nodes)
            return
        operands = [node_or_none(element) for element in elements]
        if not elements or None in operands:
            raise TypeError(f"Tuple(): incompatible constructor arguments: {elements!r}; it takes Exprs and numbers")
        self._elements = tuple(wrap(node) for node in operands if node is not None)

    def __len__(self) -> int:
        return len(self._elements)

    def size(self) -> int:
        """Returns the number of elements."""
        return len(self._elements)

    def __getitem__(self, index: int) -> Expr:
        at = operator.index(index)
        if not 0 <= at < len(self._elements):
            raise IndexError(f"Tuple access out of bounds: {at} of a Tuple of {len(self._elements)} elements")
        return self._elements[at]

    def __iter__(self) -> Iterator[Expr]:
        return iter(self._elements)

    def as_vector(self) -> list[Expr]:
        """Returns the elements as a list."""
        return list(self._elements)

    def __repr__(self) -> str:
        return f"<halide.Tuple of size {len(self._elements)}>"


def tuple_nodes(value: Any) -> list[Node] | None:
    """The nodes of a Tuple, a tuple or list of operands and numbers, or an object with a length and items that are
    Exprs; None when `value` is none of these."""
    is_sequence = isinstance(value, Sized) and hasattr(type(value), "__getitem__")
    if not is_sequence or isinstance(value, str | bytes | dict | Operand):
        return None
    nodes = []
    for at in range(len(value)):
        node = node_or_none(value[at])
        if node is None:
            return None
        nodes.append(node)
    if not nodes:
        raise DefinitionError("Error: A Tuple must have at least one element.")
    return nodes
