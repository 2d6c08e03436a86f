"""Helpers for passes that walk statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pipec.ir.expr import Expr
from pipec.ir.stmt import For, LetStmt, LoopKind, Stmt


def map_statements(stmt: Stmt, change: Callable[[Stmt], Stmt]) -> Stmt:
    """`stmt` with `change` of each statement directly inside it; its expressions stay."""
    result: Stmt = stmt.rebuild(lambda child: change(child) if isinstance(child, Stmt) else child)
    return result


def with_lets(lets: Iterable[tuple[str, Expr]], body: Stmt) -> Stmt:
    """`body` inside lets, the first of which is outermost."""
    for name, value in reversed(list(lets)):
        body = LetStmt(name, value, body)
    return body


def with_body(loop: For, body: Stmt, kind: LoopKind | None = None) -> For:
    """The iterations of `loop` with another body (and kind), without a policy for partitioning."""
    return For(loop.name, loop.minimum, loop.extent, kind or loop.kind, body)
