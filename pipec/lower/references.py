"""Params and reduction variables as plain variables of the same name, which is all that statements know."""

from __future__ import annotations

from pipec.ir.expr import Expr, ParameterRef, ReductionVariable, Variable
from pipec.ir.node import Node
from pipec.ir.walk import rewrite


def as_variables(e: Expr, memo: dict[Node, Expr] | None = None) -> Expr:
    """`e` without ParameterRef and ReductionVariable."""

    def change(node: Expr) -> Expr:
        if isinstance(node, ParameterRef | ReductionVariable):
            return Variable(node.type, node.name)
        return node

    return rewrite(e, change, memo)
