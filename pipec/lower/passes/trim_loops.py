"""Trimming: loops run only the iterations that have an effect; invariant conditions move out of loops.

for y in 0..h { for x in 0..w { if (x <= y && y < n) f[x, y] = 0 } }
-->
for y in 0..min(h, n) { for x in 0..min(w, y + 1) { f[x, y] = 0 } }
"""

from __future__ import annotations

from collections.abc import Mapping

from pipec.bounds.conditions import conjuncts, inequalities
from pipec.bounds.linear import Linear, from_linear
from pipec.ir.build import add, all_of, block, div, max_, min_, sub
from pipec.ir.expr import Expr, FuncCall, ImageCall, Load, Variable
from pipec.ir.stmt import Block, For, IfThenElse, LetStmt, LoopKind, Stmt
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, substitute
from pipec.lower.statements import map_statements, with_lets
from pipec.records import dataclass, field


def trim_loops(stmt: Stmt) -> Stmt:
    """`stmt` with the conditions around whole loop bodies turned into bounds of the loops."""
    if isinstance(stmt, Block):
        return block([trim_loops(child) for child in stmt.stmts])
    new = map_statements(stmt, trim_loops)
    return _trimmed(new) if isinstance(new, For) else new


@dataclass
class _Conditions:
    """The conjuncts of a condition: those moved outside, bounds of the loop, and those that stay inside."""

    outside: list[Expr] = field(default_factory=list)
    first: list[Expr] = field(default_factory=list)
    stop: list[Expr] = field(default_factory=list)
    inside: list[Expr] = field(default_factory=list)

    def add_bound(self, slope: int, rest: Linear) -> None:
        """slope * v + rest >= 0."""
        if slope > 0:
            self.first.append(sub(0, div(from_linear(rest, INT32), slope)))
        else:
            self.stop.append(add(div(from_linear(rest, INT32), -slope), 1))


def _trimmed(loop: For) -> Stmt:
    lets: list[LetStmt] = []
    body = loop.body
    while isinstance(body, LetStmt):
        lets.append(body)
        body = body.body
    if not isinstance(body, IfThenElse) or body.otherwise is not None:
        return loop
    values: dict[str, Expr] = {}
    for let in lets:
        if let.value.type is INT32:
            values[let.name] = substitute(let.value, values)
    hidden = {let.name for let in lets} - values.keys()
    conditions = _sorted(loop, body.condition, values, hidden)
    if not (conditions.outside or conditions.first or conditions.stop):
        return loop
    trimmed: Stmt = IfThenElse(all_of(conditions.inside), body.then, None) if conditions.inside else body.then
    trimmed = with_lets([(let.name, let.value) for let in lets], trimmed)
    minimum, extent = _bounds(loop, conditions)
    result: Stmt = For(loop.name, minimum, extent, loop.kind, trimmed)
    return IfThenElse(all_of(conditions.outside), result, None) if conditions.outside else result


def _bounds(loop: For, conditions: _Conditions) -> tuple[Expr, Expr]:
    if not (conditions.first or conditions.stop):
        return loop.minimum, loop.extent
    minimum, end = loop.minimum, add(loop.minimum, loop.extent)
    for limit in conditions.first:
        minimum = max_(minimum, limit)
    for limit in conditions.stop:
        end = min_(end, limit)
    return minimum, sub(end, minimum)


def _sorted(loop: For, condition: Expr, values: Mapping[str, Expr], hidden: set[str]) -> _Conditions:
    conditions = _Conditions()
    variable = Variable(INT32, loop.name)
    may_bound = loop.kind in (LoopKind.SERIAL, LoopKind.PARALLEL)
    for e in conjuncts(condition):
        plain = substitute(e, values)
        names = free_variables(plain)
        if any(isinstance(node, (Load, FuncCall, ImageCall)) for node in postorder(plain)) or names & hidden:
            conditions.inside.append(e)
        elif loop.name not in names:
            conditions.outside.append(plain)
        else:
            forms = (inequalities(plain) if may_bound else None) or []
            slopes = [form.terms.get(variable, 0) for form in forms]
            rests = [form.plus(Linear(0, {variable: 1}), -slope) for form, slope in zip(forms, slopes, strict=True)]
            exact = all(slopes) and not any(loop.name in free_variables(atom) for r in rests for atom in r.terms)
            if forms and exact:
                for slope, rest in zip(slopes, rests, strict=True):
                    conditions.add_bound(slope, rest)
            else:
                conditions.inside.append(e)
    return conditions
