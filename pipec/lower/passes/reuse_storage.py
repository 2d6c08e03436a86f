"""Storage whose time is over is used again: less memory, which stays in the caches.

    allocate a[n] { allocate b[n] { allocate c[m] { f(a); g(a, b); h(b, c); out(c) } } }
    -->
    allocate a[max(n, m)] { allocate b[n] { f(a); g(a, b); h(b, a); out(a) } }

Each buffer lives from the first to the last statement of a sequence that mentions it.
"""

from __future__ import annotations

from typing import Any

from pipec.ir.build import constant, max_
from pipec.ir.expr import BufferView, Expr, Load
from pipec.ir.stmt import Allocate, Block, CallExtern, LetStmt, Stmt, Store, Wait
from pipec.ir.walk import postorder, rewrite
from pipec.records import dataclass

# Smaller arrays of constant size may live in registers, each by itself.
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

    result: Stmt = rewrite(shared, change)
    return result


@dataclass
class _Shared:
    """One allocation; `last` is the statement after which it is free."""

    allocation: Allocate
    size: Expr
    last: int


def _walk(stmt: Stmt, renamed: dict[str, str]) -> Stmt:
    lets: list[LetStmt] = []
    allocations: list[Allocate] = []
    body = stmt
    while isinstance(body, (LetStmt, Allocate)) and not _loads(body.value if isinstance(body, LetStmt) else body.size):
        if isinstance(body, LetStmt):
            lets.append(body)
        else:
            allocations.append(body)
        body = body.body
    inner: Stmt = body.rebuild(lambda child: _walk(child, renamed) if isinstance(child, Stmt) else child)
    if len(allocations) > 1 and isinstance(body, Block):
        found = _share(allocations, body, renamed)
        if len(found) < len(allocations):
            for one in reversed(found):
                kept = one.allocation
                inner = Allocate(kept.name, kept.type, kept.memory, one.size, inner)
            for let in reversed(lets):
                inner = LetStmt(let.name, let.value, inner)
            return inner
    return _rewrapped(stmt, body, inner)


def _rewrapped(stmt: Stmt, body: Stmt, inner: Stmt) -> Stmt:
    """`stmt` with `inner` in place of the `body` at the end of its lets and allocations."""
    if inner is body:
        return stmt
    wrappers: list[LetStmt | Allocate] = []
    while stmt is not body:
        assert isinstance(stmt, (LetStmt, Allocate))
        wrappers.append(stmt)
        stmt = stmt.body
    for wrapper in reversed(wrappers):
        if isinstance(wrapper, LetStmt):
            inner = LetStmt(wrapper.name, wrapper.value, inner)
        else:
            inner = Allocate(wrapper.name, wrapper.type, wrapper.memory, wrapper.size, inner)
    return inner


def _loads(e: Expr) -> bool:
    return any(isinstance(node, Load) for node in postorder(e))


def _share(allocations: list[Allocate], block: Block, renamed: dict[str, str]) -> list[_Shared]:
    """The allocations to make; buffers that share one are noted in `renamed`."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for position, stmt in enumerate(block.stmts):
        for node in postorder(stmt):
            if isinstance(node, (Load, Store)):
                first.setdefault(node.buffer, position)
                last[node.buffer] = position
            elif isinstance(node, CallExtern):
                for name in node.buffers():
                    first.setdefault(name, position)
                    last[name] = position
    made: list[_Shared] = []
    for allocation in sorted(allocations, key=lambda a: first.get(a.name, -1)):
        name, begin = allocation.name, first.get(allocation.name, -1)
        free = [one for one in made if _may_share(one, allocation, begin)]
        end = last.get(name, len(block.stmts))
        if begin < 0 or not free:
            made.append(_Shared(allocation, allocation.size, end))
            continue
        # What was used last is most likely still in the caches.
        chosen = max(free, key=lambda one: one.last)
        renamed[name] = chosen.allocation.name
        chosen.size = max_(chosen.size, allocation.size)
        chosen.last = end
    return made


def _may_share(one: _Shared, allocation: Allocate, begin: int) -> bool:
    other = one.allocation
    alike = other.type is allocation.type and other.memory is allocation.memory
    return alike and one.last < begin and _is_large(other) and _is_large(allocation)


def _is_large(allocation: Allocate) -> bool:
    elements = constant(allocation.size)
    return elements is None or elements * allocation.type.bytes() > _SMALL_BYTES
