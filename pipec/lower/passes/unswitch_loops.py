"""Loop unswitching: a condition around all that a loop does, which no iteration changes, is tested once before it.

    for r in 0..n { if (x <= w) f[x] = f[x] + in[r] }
    -->
    if (x <= w) { for r in 0..n { f[x] = f[x] + in[r] } }

Vectors at the ends of guarded loops leave such conditions inside reductions, where they would hide that sums can stay
in registers.
"""

from __future__ import annotations

from pipec.ir.build import block
from pipec.ir.expr import Expr, Load
from pipec.ir.node import kinds_of
from pipec.ir.stmt import Block, For, IfThenElse, LetStmt, LoopKind, Stmt
from pipec.ir.walk import mentions
from pipec.lower.statements import map_statements, with_body


def unswitch_loops(stmt: Stmt) -> Stmt:
    """`stmt` with serial loops inside the conditions that hold for all of their statements."""
    stmt = map_statements(stmt, unswitch_loops)
    if isinstance(stmt, For) and stmt.kind is LoopKind.SERIAL:
        condition = _common_condition(stmt.body)
        if condition is not None and not mentions(condition, {stmt.name}):
            return IfThenElse(condition, with_body(stmt, _without_condition(stmt.body)), None)
    return stmt


def _common_condition(stmt: Stmt) -> Expr | None:
    """The condition without loads that surrounds each part of a statement, so that all of it runs or nothing."""
    if isinstance(stmt, IfThenElse):
        changes = stmt.condition.kinds & kinds_of(Load)
        return None if changes or stmt.otherwise is not None else stmt.condition
    if isinstance(stmt, LetStmt):
        condition = _common_condition(stmt.body)
        return None if condition is None or mentions(condition, {stmt.name}) else condition
    if isinstance(stmt, Block):
        first, *others = [_common_condition(part) for part in stmt.stmts]
        return first if all(other == first for other in others) else None
    return None


def _without_condition(stmt: Stmt) -> Stmt:
    if isinstance(stmt, IfThenElse):
        return stmt.then
    if isinstance(stmt, Block):
        return block([_without_condition(part) for part in stmt.stmts])
    assert isinstance(stmt, LetStmt)
    return LetStmt(stmt.name, stmt.value, _without_condition(stmt.body))
