"""Strict arithmetic of floats: operations that are rounded one by one, in the order in which they are written.

An operation of this kind is an intrinsic of its own, not a mark around an expression, so that no pass can separate the
two: it stays strict where a Func is inlined, and what surrounds it stays as it was.
"""

from __future__ import annotations

from typing import Any

from pipec.ir.expr import Add, Binary, Div, Expr, Intrinsic, Mod, Mul, Sub
from pipec.ir.node import Node
from pipec.ir.walk import postorder, rewrite

STRICT_INTRINSICS: dict[type[Binary], str] = {
    Add: "strict_add",
    Sub: "strict_sub",
    Mul: "strict_mul",
    Div: "strict_div",
    Mod: "strict_mod",
}
_NODES = {name: node for node, name in STRICT_INTRINSICS.items()}


def with_strict_floats(e: Expr) -> Expr:
    """`e` with strict operations in place of all that are rounded. Funcs that it calls keep their definitions."""
    return rewrite(e, _strict)


def _strict(node: Any) -> Any:
    if isinstance(node, Intrinsic) and node.name == "absd" and node.type.floating:
        return Intrinsic(node.type, "abs", (Intrinsic(node.type, "strict_sub", node.args),))
    name = STRICT_INTRINSICS.get(type(node))
    return node if name is None or not node.type.floating else Intrinsic(node.type, name, (node.a, node.b))


def without_strictness(e: Expr) -> Expr | None:
    """The node of a strict operation's arithmetic; None for other expressions."""
    if not isinstance(e, Intrinsic) or e.name not in _NODES:
        return None
    return _NODES[e.name](*e.args)


def has_strict_floats(*roots: Node) -> bool:
    """Whether any operation below or among `roots` is strict."""
    return any(isinstance(node, Intrinsic) and node.name in _NODES for node in postorder(*roots))
