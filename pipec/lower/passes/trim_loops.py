"""Trimming: loops run only the iterations that have an effect; invariant conditions move out of loops.

for y in 0..h { for x in 0..w { if (x <= y && y < n) f[x, y] = 0 } }
-->
for y in 0..min(h, n) { for x in 0..min(w, y + 1) { f[x, y] = 0 } }
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from pipec.bounds.conditions import conjuncts, inequalities
from pipec.bounds.linear import Linear, from_linear
from pipec.ir.build import add, all_of, block, constant, div, max_, min_, sub
from pipec.ir.expr import Expr, FuncCall, ImageCall, Load, Variable
from pipec.ir.stmt import Block, For, IfThenElse, LetStmt, LoopKind, Stmt
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, substitute
from pipec.lower.statements import map_statements, with_lets
from pipec.records import dataclass, field

_BOUNDED = (LoopKind.SERIAL, LoopKind.PARALLEL)


def trim_loops(stmt: Stmt) -> Stmt:
    """`stmt` with the conditions around whole loop bodies turned into bounds of the loops."""
    if isinstance(stmt, Block):
        return block([trim_loops(child) for child in stmt.stmts])
    new = map_statements(stmt, trim_loops)
    if not isinstance(stmt, For):
        return new
    assert isinstance(new, For)
    limits = _necessary_limits(stmt)
    if limits.first or limits.stop:
        new = For(new.name, *_bounds(new, limits), new.kind, new.body)
    return _trimmed(new)


@dataclass
class _Conditions:
    """The conjuncts of conditions that do not stay inside: those moved outside, and bounds of the loop."""

    outside: list[Expr] = field(default_factory=list)
    first: list[Expr] = field(default_factory=list)
    stop: list[Expr] = field(default_factory=list)

    def add_bound(self, slope: int, rest: Linear) -> None:
        """slope * v + rest >= 0."""
        if slope > 0:
            self.first.append(sub(0, div(from_linear(rest, INT32), slope)))
        else:
            self.stop.append(add(div(from_linear(rest, INT32), -slope), 1))


def _trimmed(loop: For) -> Stmt:
    lets, body = _without_lets(loop.body)
    if not isinstance(body, IfThenElse) or body.otherwise is not None:
        return loop
    values, hidden = _values(lets)
    branches, body = _branches_around(body)
    conditions = _Conditions()
    trimmed, speculatable = body, True
    for branch in reversed(branches):
        moved = len(conditions.outside)
        inside = _sort(conditions, loop, branch.condition, values, hidden)
        speculatable = speculatable and (branch.speculatable or len(conditions.outside) == moved)
        trimmed = IfThenElse(all_of(inside), trimmed, None, branch.speculatable) if inside else trimmed
    if not (conditions.outside or conditions.first or conditions.stop):
        return loop
    trimmed = with_lets([(let.name, let.value) for let in lets], trimmed)
    minimum, extent = _bounds(loop, conditions)
    result: Stmt = For(loop.name, minimum, extent, loop.kind, trimmed)
    if not conditions.outside:
        return result
    return IfThenElse(all_of(conditions.outside), result, None, speculatable)


def _necessary_limits(loop: For) -> _Conditions:
    """Limits of a loop outside of which a predicate that relates an RVar to a pure dimension never holds.

    The predicate is in loops of constant extents inside, such as those of a vector, and stays there.
    """
    limits = _Conditions()
    if loop.kind not in _BOUNDED:
        return limits
    ends: dict[str, tuple[int, int]] = {}
    lets, body = _without_lets(loop.body)
    branches, body = _branches_around(body)
    while isinstance(body, For) and (first := constant(body.minimum)) is not None:
        extent = constant(body.extent)
        if extent is None:
            break
        ends[body.name] = int(first), int(first + extent) - 1
        more, body = _without_lets(body.body)
        lets += more
        inner, body = _branches_around(body)
        branches += inner
    if not ends or not branches:
        return limits
    values, hidden = _values(lets)
    for e in conjuncts(all_of(branch.condition for branch in branches)):
        plain = substitute(e, values)
        names = free_variables(plain)
        if _relates_rvar(names) and not names & hidden and not _reads(plain):
            for form in inequalities(plain) or ():
                _add_necessary(limits, loop, form, ends)
    return limits


def _add_necessary(limits: _Conditions, loop: For, form: Linear, ends: Mapping[str, tuple[int, int]]) -> None:
    """What form >= 0 in some iteration of the inner loops demands of the loop."""
    variable = Variable(INT32, loop.name)
    for name, (first, last) in ends.items():
        inner = Variable(INT32, name)
        slope = form.terms.get(inner, 0)
        form = form.plus(Linear(0, {inner: 1}), -slope).shifted(slope * (last if slope > 0 else first))
    slope = form.terms.get(variable, 0)
    rest = form.plus(Linear(0, {variable: 1}), -slope)
    if slope and not any(free_variables(atom) & {loop.name, *ends} for atom in rest.terms):
        limits.add_bound(slope, rest)


_LOOP = re.compile(r"\.s\d+\.([^.]*)")


def _relates_rvar(names: Set[str]) -> bool:
    """Whether loops over RVars and over pure dimensions are among variables."""
    matches = [_LOOP.search(name) for name in names]
    kinds = {"$" in match[1] for match in matches if match is not None}
    return len(kinds) == 2


def _without_lets(stmt: Stmt) -> tuple[list[LetStmt], Stmt]:
    lets: list[LetStmt] = []
    while isinstance(stmt, LetStmt):
        lets.append(stmt)
        stmt = stmt.body
    return lets, stmt


def _values(lets: Sequence[LetStmt]) -> tuple[dict[str, Expr], set[str]]:
    """The int32 values of lets, and the names of the others."""
    values: dict[str, Expr] = {}
    for let in lets:
        if let.value.type is INT32:
            values[let.name] = substitute(let.value, values)
    return values, {let.name for let in lets} - values.keys()


def _branches_around(stmt: Stmt) -> tuple[list[IfThenElse], Stmt]:
    """The nested statements without alternatives around a statement, outermost first, and that statement."""
    branches: list[IfThenElse] = []
    while isinstance(stmt, IfThenElse) and stmt.otherwise is None:
        branches.append(stmt)
        stmt = stmt.then
    return branches, stmt


def _bounds(loop: For, conditions: _Conditions) -> tuple[Expr, Expr]:
    if not (conditions.first or conditions.stop):
        return loop.minimum, loop.extent
    minimum, end = loop.minimum, add(loop.minimum, loop.extent)
    for limit in conditions.first:
        minimum = max_(minimum, limit)
    for limit in conditions.stop:
        end = min_(end, limit)
    return minimum, sub(end, minimum)


def _sort(
    conditions: _Conditions, loop: For, condition: Expr, values: Mapping[str, Expr], hidden: set[str]
) -> list[Expr]:
    """Adds the conjuncts of a condition that do not stay inside the loop to `conditions`; returns those that do."""
    inside: list[Expr] = []
    variable = Variable(INT32, loop.name)
    may_bound = loop.kind in _BOUNDED
    for e in conjuncts(condition):
        plain = substitute(e, values)
        names = free_variables(plain)
        if _reads(plain) or names & hidden:
            inside.append(e)
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
                inside.append(e)
    return inside


def _reads(e: Expr) -> bool:
    return any(isinstance(node, (Load, FuncCall, ImageCall)) for node in postorder(e))
