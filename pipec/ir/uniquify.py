"""Copies of statements whose bound names stay unique in the whole program.

{ let t = x in f[t] = t }  -->  { let t.1 = 4 in f[t.1] = t.1 }     (x := 4, suffix ".1")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipec.ir.expr import BufferView, Expr, FuncCall, Load, Variable
from pipec.ir.stmt import (
    Allocate,
    CallExtern,
    For,
    Fork,
    LetStmt,
    Post,
    ProducerConsumer,
    Provide,
    Realize,
    Report,
    Stmt,
    Store,
    Wait,
)
from pipec.ir.walk import postorder, rewrite


def bound_names(stmt: Stmt) -> tuple[set[str], set[str]]:
    """The names of the variables and of the storage that `stmt` binds."""
    variables: set[str] = set()
    storage: set[str] = set()
    for node in postorder(stmt):
        if isinstance(node, (LetStmt, For, Report)) and node.name:
            variables.add(node.name)
        elif isinstance(node, (Allocate, Realize, Fork)):
            storage.add(node.name)
    return variables, storage


def fresh_copy(stmt: Stmt, suffix: str, values: Mapping[str, Expr] | None = None) -> Stmt:
    """`stmt` with the Variables named in `values` replaced and `suffix` appended to all names it binds."""
    variables, storage = bound_names(stmt)
    given = values or {}

    def change(node: Any) -> Any:
        if isinstance(node, Variable):
            if node.name in variables:
                return Variable(node.type, node.name + suffix)
            return given.get(node.name, node)
        if isinstance(node, LetStmt):
            return LetStmt(node.name + suffix, node.value, node.body)
        if isinstance(node, For):
            return For(node.name + suffix, node.minimum, node.extent, node.kind, node.body, node.partition)
        if isinstance(node, Report) and node.name:
            return Report(node.code, node.values, node.predicate, node.name + suffix, node.body)
        if isinstance(node, Wait):
            buffers = tuple([name + suffix if name in storage else name for name in node.buffers])
            node = Wait(node.name, node.index, buffers)
        return _renamed_storage(node, storage, suffix) if storage else node

    return rewrite(stmt, change)


def _renamed_storage(node: Any, storage: set[str], suffix: str) -> Any:
    if isinstance(node, CallExtern):
        renamed = node.results in storage
        return CallExtern(node.symbol, node.operands, node.results + suffix, node.code) if renamed else node
    name = node.buffer if isinstance(node, (Load, Store)) else getattr(node, "name", None)
    if name is None or name not in storage:
        return node
    if isinstance(node, BufferView):
        return BufferView(node.element, name + suffix, *[getattr(node, field) for field in BufferView.FIELDS[2:]])
    if isinstance(node, Load):
        return Load(node.type, name + suffix, node.index, node.predicate)
    if isinstance(node, Store):
        return Store(name + suffix, node.value, node.index, node.predicate)
    if isinstance(node, FuncCall):
        return FuncCall(node.type, name + suffix, node.args, node.value_index, node.function)
    if isinstance(node, (Allocate, Provide, ProducerConsumer, Realize, Fork, Wait, Post)):
        return type(node)(name + suffix, *[getattr(node, field) for field in node.FIELDS[1:]])
    return node
