"""Loops run only the iterations that do something; conditions stand outside the loops that they do not vary with.

for y in 0..h { for x in 0..w { if (x <= y && y < n) f[x, y] = 0 } }
-->
for y in 0..min(h, n) { for x in 0..min(w, y + 1) { f[x, y] = 0 } }
"""

from __future__ import annotations

from collections.abc import Mapping

from pipec.ir.build import add, all_of, block, div, max_, min_, sub
from pipec.ir.conditions import conjuncts, inequalities
from pipec.ir.expr import Expr, FuncCall, ImageCall, Load, Variable
from pipec.ir.linear import Linear, from_linear
from pipec.ir.stmt import Block, For, IfThenElse, LetStmt, LoopKind, Stmt
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, substitute
from pipec.records import dataclass, field


def trim_loops(stmt: Stmt) -> Stmt:
    """`stmt` with the conditions around whole loop bodies turned into bounds of the loops."""
    if isinstance(stmt, Block):
        return block([trim_loops(child) for child in stmt.stmts])
    new: Stmt = stmt.rebuild(lambda child: trim_loops(child) if isinstance(child, Stmt) else child)
    return _trimmed(new) if isinstance(new, For) else new


@dataclass
class _Conditions:
    """The conjuncts of a condition, by what becomes of them."""

    outside: list[Expr] = field(default_factory=list)
    first: list[Expr] = field(default_factory=list)
    stop: list[Expr] = field(default_factory=list)
    kept: list[Expr] = field(default_factory=list)

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
    found = _sorted(loop, body.condition, values, hidden)
    if not (found.outside or found.first or found.stop):
        return loop
    inside: Stmt = IfThenElse(all_of(found.kept), body.then, None) if found.kept else body.then
    for let in reversed(lets):
        inside = LetStmt(let.name, let.value, inside)
    minimum, extent = _bounds(loop, found)
    result: Stmt = For(loop.name, minimum, extent, loop.kind, inside)
    return IfThenElse(all_of(found.outside), result, None) if found.outside else result


def _bounds(loop: For, found: _Conditions) -> tuple[Expr, Expr]:
    if not (found.first or found.stop):
        return loop.minimum, loop.extent
    minimum, end = loop.minimum, add(loop.minimum, loop.extent)
    for limit in found.first:
        minimum = max_(minimum, limit)
    for limit in found.stop:
        end = min_(end, limit)
    return minimum, sub(end, minimum)


def _sorted(loop: For, condition: Expr, values: Mapping[str, Expr], hidden: set[str]) -> _Conditions:
    found = _Conditions()
    variable = Variable(INT32, loop.name)
    may_bound = loop.kind in (LoopKind.SERIAL, LoopKind.PARALLEL)
    for e in conjuncts(condition):
        plain = substitute(e, values)
        names = free_variables(plain)
        if any(isinstance(node, (Load, FuncCall, ImageCall)) for node in postorder(plain)) or names & hidden:
            found.kept.append(e)
        elif loop.name not in names:
            found.outside.append(plain)
        else:
            forms = (inequalities(plain) if may_bound else None) or []
            slopes = [form.terms.get(variable, 0) for form in forms]
            rests = [form.plus(Linear(0, {variable: 1}), -slope) for form, slope in zip(forms, slopes, strict=True)]
            exact = all(slopes) and not any(loop.name in free_variables(atom) for r in rests for atom in r.terms)
            if forms and exact:
                for slope, rest in zip(slopes, rests, strict=True):
                    found.add_bound(slope, rest)
            else:
                found.kept.append(e)
    return found
