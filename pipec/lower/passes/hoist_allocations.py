"""Buffers that have the same size in every iteration of a serial loop are allocated once, around it.

for y in 0..h { let n = w + 2; allocate f[n] { ... } }
-->
allocate f[select(h > 0, w + 2, 0)] { for y in 0..h { let n = w + 2; ... } }
"""

from __future__ import annotations

from pipec.ir.build import constant, gt, select
from pipec.ir.expr import Const, Expr, Load
from pipec.ir.stmt import Allocate, For, LetStmt, LoopKind, ProducerConsumer, Stmt
from pipec.ir.types import INT64
from pipec.ir.walk import free_variables, postorder, substitute

# Smaller arrays of constant size lie on the stack or in registers, where allocating costs nothing.
_SMALL_BYTES = 4096


def hoist_allocations(stmt: Stmt) -> Stmt:
    """`stmt` with allocations moved out of the serial loops that only pass by them."""
    new: Stmt = stmt.rebuild(lambda child: hoist_allocations(child) if isinstance(child, Stmt) else child)
    return _hoisted(new) if isinstance(new, For) and new.kind is LoopKind.SERIAL else new


def _hoisted(loop: For) -> Stmt:
    values: dict[str, Expr] = {}  # of the lets between the loop and its allocations
    varying = {loop.name}
    moved: list[Allocate] = []
    kept: list[Stmt] = []
    body = loop.body
    while isinstance(body, (LetStmt, Allocate, ProducerConsumer)):
        if isinstance(body, Allocate) and (size := _size_outside(body, values, varying)) is not None:
            moved.append(Allocate(body.name, body.type, body.memory, _unless_empty(size, loop), body.body))
        else:
            kept.append(body)
        if isinstance(body, LetStmt):
            value = substitute(body.value, values)
            if _varies(value, varying):
                varying.add(body.name)
            else:
                values[body.name] = value
        body = body.body
    if not moved:
        return loop
    for wrapper in reversed(kept):
        body = wrapper.rebuild(lambda child, inner=body: inner if isinstance(child, Stmt) else child)
    result: Stmt = For(loop.name, loop.minimum, loop.extent, loop.kind, body)
    for one in reversed(moved):
        result = Allocate(one.name, one.type, one.memory, one.size, result)
    return result


def _size_outside(allocation: Allocate, values: dict[str, Expr], varying: set[str]) -> Expr | None:
    """The size in terms of what is known outside the loop, or None where the allocation has to stay."""
    elements = constant(allocation.size)
    if elements is not None and elements * allocation.type.bytes() <= _SMALL_BYTES:
        return None
    size = substitute(allocation.size, values)
    return None if _varies(size, varying) else size


def _varies(e: Expr, varying: set[str]) -> bool:
    return not varying.isdisjoint(free_variables(e)) or any(isinstance(node, Load) for node in postorder(e))


def _unless_empty(size: Expr, loop: For) -> Expr:
    """Without iterations the size may be anything."""
    extent = constant(loop.extent)
    return size if extent is not None and extent > 0 else select(gt(loop.extent, 0), size, Const(INT64, 0))
