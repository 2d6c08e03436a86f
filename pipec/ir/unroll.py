"""Copies of statements with fresh names, and loops of a constant extent written out as such copies.

{ let t = x in f[t] = t }                                -->  { let t.1 = 4 in f[t.1] = t.1 }  (x := 4, suffix ".1")
for r in 0..3 { for c in 0..2 { f[c] = f[c] + in[r] } }  -->  six stores
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pipec.ir.build import NOTHING, add, block, constant
from pipec.ir.expr import Broadcast, BufferView, Const, Expr, FuncCall, Load, Ramp, Variable
from pipec.ir.node import kinds_of
from pipec.ir.stmt import (
    Allocate,
    Block,
    CallExtern,
    For,
    Fork,
    LetStmt,
    LoopKind,
    Post,
    ProducerConsumer,
    Provide,
    Realize,
    Report,
    Stmt,
    Store,
    Wait,
)
from pipec.ir.types import INT32, Type
from pipec.ir.walk import instances, mentions, postorder, rewrite, substitute

# A loop nest is unrolled to at most this many stores and this many nodes.
SHORT_LOOP_STORES = 32
SHORT_LOOP_NODES = 128


BoundNames = tuple[dict[str, Type], set[str]]
"""Variables with their types, and storage."""


def bound_names(stmt: Stmt) -> BoundNames:
    """The names of the variables that `stmt` binds, with their types, and of its storage."""
    variables: dict[str, Type] = {}
    storage: set[str] = set()
    for node in instances((LetStmt, For, Report, Allocate, Realize, Fork), stmt):
        if isinstance(node, (Allocate, Realize, Fork)):
            storage.add(node.name)
        elif node.name:
            variables[node.name] = node.value.type if isinstance(node, LetStmt) else INT32
    return variables, storage


def fresh_copy(
    stmt: Stmt, suffix: str, values: Mapping[str, Expr] | None = None, bound: BoundNames | None = None
) -> Stmt:
    """`stmt` with the Variables named in `values` replaced and `suffix` appended to all names it binds, `bound`."""
    variables, storage = bound_names(stmt) if bound is None else bound
    names = {name: Variable(type_, name + suffix) for name, type_ in variables.items()}

    def change(node: Any) -> Any:
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

    copy = substitute(stmt, {**(values or {}), **names})
    if not variables and not storage:
        return copy
    return rewrite(copy, change, kinds=kinds_of(LetStmt, For, Report, *(_OF_STORAGE if storage else ())))


# The nodes that name storage, some of them in their first field.
_NAMED_FIRST = (Allocate, Provide, ProducerConsumer, Realize, Fork, Wait, Post)
_OF_STORAGE = (*_NAMED_FIRST, CallExtern, BufferView, Load, Store, FuncCall)


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
    if isinstance(node, _NAMED_FIRST):
        return type(node)(name + suffix, *[getattr(node, field) for field in node.FIELDS[1:]])
    return node


def unrolled(loop: For) -> Stmt:
    """The iterations of `loop` one after the other; the first keeps the names that the body binds.

    A loop whose extent is not constant (at a border) stays a loop.
    """
    count = constant_extent(loop)
    if count is None:
        return For(loop.name, loop.minimum, loop.extent, LoopKind.SERIAL, loop.body)
    if count <= 0:
        return NOTHING
    copies, bound = [substitute(loop.body, {loop.name: loop.minimum})], bound_names(loop.body)
    for i in range(1, count):
        copies.append(fresh_copy(loop.body, f".{loop.name}{i}", {loop.name: add(loop.minimum, i)}, bound))
    return block(copies)


def constant_extent(loop: For) -> int | None:
    """The number of iterations of `loop` if it is constant."""
    extent = constant(loop.extent)
    return None if extent is None else int(extent)


def nest(loop: For) -> list[For]:
    """`loop` and the perfectly nested serial loops of constant extent in it, outermost first.

    Either all of a nest are unrolled or none: unrolling only the inner one was measured to be slower, unless it
    accumulates.
    """
    loops = [loop]
    while isinstance(inner := loops[-1].body, For) and isinstance(inner.extent, Const) and _is_serial(inner):
        loops.append(inner)
    return loops


def is_short(loops: list[For]) -> bool:
    """Whether the code generator unrolls a nest."""
    extents = [loop.extent.value for loop in loops if isinstance(loop.extent, Const) and _is_serial(loop)]
    if len(extents) < len(loops):
        return False
    copies, body = math.prod(extents), loops[-1].body
    parts = _below_lets(body)
    if not all(isinstance(part, Store) for part in parts) or not 0 < copies * len(parts) <= SHORT_LOOP_STORES:
        return False
    work = sum(1 for part in postorder(body) if isinstance(part, Expr) and not _is_index(part))
    return bool(copies * work <= SHORT_LOOP_NODES)


def _below_lets(stmt: Stmt) -> list[Stmt]:
    """The statements of a block, and of those that lets hold: Tuples are computed before any of their elements is
    stored."""
    if isinstance(stmt, LetStmt):
        return _below_lets(stmt.body)
    return [part for child in stmt.stmts for part in _below_lets(child)] if isinstance(stmt, Block) else [stmt]


def accumulates(loop: For) -> bool:
    """Whether each iteration adds to what the one before has stored in the same element.

    Such iterations wait for each other. The fewer instructions there are around them, the more of the next sum begins
    meanwhile.
    """
    stores = list(instances(Store, loop.body))
    lets = {let.name: let.value for let in instances(LetStmt, loop.body)}

    def value(store: Store) -> Expr:
        return lets.get(store.value.name, store.value) if isinstance(store.value, Variable) else store.value

    own = all(
        not mentions(store.index, {loop.name})
        and any(load.buffer == store.buffer and load.index is store.index for load in instances(Load, value(store)))
        for store in stores
    )
    return bool(stores) and own


def _is_serial(loop: For) -> bool:
    return loop.kind is LoopKind.SERIAL


def _is_index(part: Expr) -> bool:
    """Whether an expression probably becomes part of an address or costs nothing."""
    scalar_integer = part.type.nlanes == 1 and part.type.integral and not isinstance(part, Load)
    return scalar_integer or isinstance(part, (Const, Broadcast, Ramp, Variable))
