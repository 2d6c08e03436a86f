"""Fewer allocations: buffers that are no longer needed are reused, and loops do not allocate in each iteration.

    allocate a[n] { allocate b[n] { allocate c[m] { f(a); g(a, b); h(b, c); out(c) } } }
    -->
    allocate a[max(n, m)] { allocate b[n] { f(a); g(a, b); h(b, a); out(a) } }

Each buffer lives from the first to the last statement of a sequence that mentions it. A buffer of the same size in
every iteration of a serial loop is allocated once, around it:

    for y in 0..h { let n = w + 2; allocate f[n] { ... } }
    -->
    allocate f[select(h > 0, w + 2, 0)] { for y in 0..h { let n = w + 2; ... } }
"""

from __future__ import annotations

from typing import Any

from pipec.ir.build import constant, gt, max_, select
from pipec.ir.expr import BufferView, Const, Expr, Load
from pipec.ir.node import kinds_of
from pipec.ir.stmt import Allocate, Block, CallExtern, For, LetStmt, LoopKind, ProducerConsumer, Stmt, Store, Wait
from pipec.ir.types import INT64
from pipec.ir.walk import free_variables, instances, rewrite, substitute
from pipec.lower.statements import map_statements, with_body, with_lets
from pipec.records import dataclass

# Smaller arrays of constant size may live on the stack or in registers, where allocating costs nothing.
_SMALL_BYTES = 4096


def reuse_storage(stmt: Stmt) -> Stmt:
    """`stmt` with one allocation for buffers of one type that are never needed at the same time."""
    renamed: dict[str, str] = {}
    shared = _walk(stmt, renamed)
    if not renamed:
        return stmt

    def change(node: Any) -> Any:
        if isinstance(node, Load) and node.buffer in renamed:
            return Load(node.type, renamed[node.buffer], node.index, node.predicate)
        if isinstance(node, Store) and node.buffer in renamed:
            return Store(renamed[node.buffer], node.value, node.index, node.predicate)
        if isinstance(node, BufferView) and node.name in renamed:
            rest = [getattr(node, field) for field in BufferView.FIELDS[2:]]
            return BufferView(node.element, renamed[node.name], *rest)
        if isinstance(node, Wait):
            return Wait(node.name, node.index, tuple([renamed.get(name, name) for name in node.buffers]))
        if isinstance(node, CallExtern) and node.results in renamed:
            return CallExtern(node.symbol, node.operands, renamed[node.results], node.code)
        return node

    result: Stmt = rewrite(shared, change, kinds=kinds_of(Load, Store, BufferView, Wait, CallExtern))
    return result


@dataclass
class _Shared:
    """One allocation; `last` is the statement after which it is free."""

    allocation: Allocate
    size: Expr
    last: int


def _walk(stmt: Stmt, renamed: dict[str, str]) -> Stmt:
    wrappers: list[LetStmt | Allocate] = []
    body = stmt
    while isinstance(body, (LetStmt, Allocate)) and not _loads(body.value if isinstance(body, LetStmt) else body.size):
        wrappers.append(body)
        body = body.body
    inner = map_statements(body, lambda child: _walk(child, renamed))
    allocations = [wrapper for wrapper in wrappers if isinstance(wrapper, Allocate)]
    if len(allocations) > 1 and isinstance(body, Block):
        shared = _assign_storage(allocations, body, renamed)
        if len(shared) < len(allocations):
            for one in reversed(shared):
                inner = _with_size(one.allocation, one.size, inner)
            return with_lets([(let.name, let.value) for let in wrappers if isinstance(let, LetStmt)], inner)
    return _rewrapped(wrappers, inner)


def _rewrapped(wrappers: list[Any], inner: Stmt) -> Stmt:
    """`inner` as the body of the last of several nested statements that have one body each."""
    for wrapper in reversed(wrappers):
        inner = map_statements(wrapper, lambda _, inner=inner: inner)  # type: ignore[misc]
    return inner


def _with_size(allocation: Allocate, size: Expr, body: Stmt) -> Allocate:
    return Allocate(allocation.name, allocation.type, allocation.memory, size, body)


def _loads(e: Expr) -> bool:
    return bool(e.kinds & kinds_of(Load))


def _assign_storage(allocations: list[Allocate], block: Block, renamed: dict[str, str]) -> list[_Shared]:
    """The allocations to make; buffers that share one are noted in `renamed`."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for position, stmt in enumerate(block.stmts):
        for node in instances((Load, Store, CallExtern), stmt):
            for name in node.buffers() if isinstance(node, CallExtern) else (node.buffer,):
                first.setdefault(name, position)
                last[name] = position
    shared: list[_Shared] = []
    for allocation in sorted(allocations, key=lambda a: first.get(a.name, -1)):
        name, begin = allocation.name, first.get(allocation.name, -1)
        free = [one for one in shared if _may_share(one, allocation, begin)]
        end = last.get(name, len(block.stmts))
        if begin < 0 or not free:
            shared.append(_Shared(allocation, allocation.size, end))
            continue
        # What was used last is most likely still in the caches.
        chosen = max(free, key=lambda one: one.last)
        renamed[name] = chosen.allocation.name
        chosen.size = max_(chosen.size, allocation.size)
        chosen.last = end
    return shared


def _may_share(one: _Shared, allocation: Allocate, begin: int) -> bool:
    other = one.allocation
    is_compatible = other.type is allocation.type and other.memory is allocation.memory
    return is_compatible and one.last < begin and _is_large(other) and _is_large(allocation)


def _is_large(allocation: Allocate) -> bool:
    elements = constant(allocation.size)
    return elements is None or elements * allocation.type.bytes() > _SMALL_BYTES


def hoist_allocations(stmt: Stmt) -> Stmt:
    """`stmt` with allocations of invariant size moved out of serial loops."""
    new = map_statements(stmt, hoist_allocations)
    return _hoisted(new) if isinstance(new, For) and new.kind is LoopKind.SERIAL else new


def _hoisted(loop: For) -> Stmt:
    values: dict[str, Expr] = {}  # of the lets between the loop and its allocations
    varying = {loop.name}
    hoisted: list[Allocate] = []
    wrappers: list[Stmt] = []
    body = loop.body
    while isinstance(body, (LetStmt, Allocate, ProducerConsumer)):
        if isinstance(body, Allocate) and (size := _size_outside(body, values, varying)) is not None:
            hoisted.append(_with_size(body, _unless_empty(size, loop), body.body))
        else:
            wrappers.append(body)
        if isinstance(body, LetStmt):
            value = substitute(body.value, values)
            if _varies(value, varying):
                varying.add(body.name)
            else:
                values[body.name] = value
        body = body.body
    if not hoisted:
        return loop
    result: Stmt = with_body(loop, _rewrapped(wrappers, body))
    for one in reversed(hoisted):
        result = _with_size(one, one.size, result)
    return result


def _size_outside(allocation: Allocate, values: dict[str, Expr], varying: set[str]) -> Expr | None:
    """The size in terms of values outside the loop, or None where the allocation has to stay."""
    if not _is_large(allocation):
        return None
    size = substitute(allocation.size, values)
    return None if _varies(size, varying) else size


def _varies(e: Expr, varying: set[str]) -> bool:
    return _loads(e) or not varying.isdisjoint(free_variables(e))


def _unless_empty(size: Expr, loop: For) -> Expr:
    """`size`, or 0 when the loop has no iterations: the size may have no meaning then."""
    extent = constant(loop.extent)
    return size if extent is not None and extent > 0 else select(gt(loop.extent, 0), size, Const(INT64, 0))
