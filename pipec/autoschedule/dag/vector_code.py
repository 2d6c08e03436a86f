"""The arithmetic of definitions as vectors compute it: passes of code generation, applied to the values of a point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pipec.ir.build import as_expr, constant
from pipec.ir.expr import (
    TRUE,
    Broadcast,
    Cast,
    Expr,
    ExternValue,
    FuncCall,
    ImageCall,
    Intrinsic,
    Load,
    Ramp,
    ReductionVariable,
    Reinterpret,
    Undef,
    Variable,
)
from pipec.ir.node import Node
from pipec.ir.stmt import Store
from pipec.ir.walk import outside_indices, rewrite
from pipec.lower.vectorize.narrow_arithmetic import narrow_arithmetic
from pipec.lower.vectorize.vector_arithmetic import factor_sums, high_products
from pipec.lower.vectorize.widen import CannotVectorize, Widener

LANES = 16
"""Lanes of the vectors that stand for those of any nest: the rewrites are the same for all."""
_LEAVES = (FuncCall, ImageCall, Variable, ReductionVariable)


def vector_code(func: str, roots: Iterable[Expr]) -> tuple[Expr, ...]:
    """The values that a stage of `func` stores at one point, with the operations that code for vectors has."""
    return tuple([_rewritten(func, root) for root in roots])


def _rewritten(func: str, root: Expr) -> Expr:
    nodes = list(outside_indices(root, reads=_LEAVES))
    if isinstance(root, ExternValue | Undef) or not any(_converts(node) for node in nodes):
        return root
    leaves = [node for node in nodes if isinstance(node, _LEAVES)]
    widener = Widener(LANES)
    named: dict[Node, Any] = {}
    for number, leaf in enumerate(leaves):
        named[leaf] = Variable(leaf.type, f"leaf.{number}")
        widener.values[f"leaf.{number}"] = _load(leaf, number)
    try:
        value = widener.vector(widener(rewrite(root, lambda node: node, named)))
    except CannotVectorize:
        return root
    store = Store(func, value, Ramp(as_expr(0), as_expr(1), LANES), Broadcast(TRUE, LANES))
    rewritten = high_products(factor_sums(narrow_arithmetic(store)))
    assert isinstance(rewritten, Store)
    return rewrite(rewritten.value, _scalars(leaves))


def _converts(node: Any) -> bool:
    """Whether something is computed in a type that its operands do not have, so that another one may do."""
    return isinstance(node, Cast) and bool(node.type.integral and node.value.type.integral)


def _load(leaf: Any, number: int) -> Load:
    """A vector of memory in the place of what a point reads: updates find their own Func by the buffer's name."""
    name = leaf.name if isinstance(leaf, FuncCall | ImageCall) else f"values.{number}"
    index = Ramp(as_expr(number * LANES), as_expr(1), LANES)
    return Load(leaf.type.with_lanes(LANES), name, index, Broadcast(TRUE, LANES))


def _scalars(leaves: list[Any]) -> Callable[[Any], Any]:
    """Returns a rewriting of vectors as the values of one lane."""
    values: Mapping[Any, Any] = {number * LANES: leaf for number, leaf in enumerate(leaves)}

    def change(node: Any) -> Any:
        if isinstance(node, Load):
            return values[constant(node.index)]
        if isinstance(node, Ramp):
            return node.base
        if isinstance(node, Broadcast):
            return node.value
        if isinstance(node, Cast | Reinterpret):
            return type(node)(node.type.element_of(), node.value)
        if isinstance(node, Intrinsic):
            return Intrinsic(node.type.element_of(), node.name, node.args)
        return node

    return change
