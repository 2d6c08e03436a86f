"""Loop unswitching for updates: which of the guarded vectors at the end of a row exist is decided before a reduction.

    for r in 0..n { if (x <= w - 8) f[x] = f[x] + in[r]; if (x <= w - 16) f[x + 8] = f[x + 8] + in[r] }
    -->
    if (x <= w - 16) { for r in 0..n { both } } else if (x <= w - 8) { for r in 0..n { the first } }

Elements stay in registers while a loop updates them only if no condition is around the updates; histograms in strips
would test for each element which strips are long enough.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from pipec.bounds.conditions import inequalities
from pipec.ir.build import NOTHING, all_of, block
from pipec.ir.expr import Expr, Load
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import Block, For, IfThenElse, LoopKind, Stmt, Store
from pipec.ir.unroll import bound_names, constant_extent, fresh_copy
from pipec.ir.walk import instances, mentions
from pipec.lower.passes.promote_accumulators import is_plain
from pipec.lower.statements import map_statements, with_body

MAX_GUARDS = 8
MAX_STORES = 128
"""Stores of a loop, times its copies."""
SHORT = 4
"""Iterations of an innermost loop of which copies are not worth their code if they update different elements."""

_Guards = dict[frozenset[int], list[Expr]]
"""The conditions around updates that no iteration changes, by the stores that each of them guards."""


def unswitch_updates(stmt: Stmt) -> Stmt:
    """`stmt` with a copy of a serial loop for each number of guarded updates that it runs."""
    return _walk(stmt, {})


def _walk(stmt: Stmt, plain: dict[Stmt, bool]) -> Stmt:
    if not stmt.kinds & kinds_of(IfThenElse):
        return stmt
    if isinstance(stmt, For) and stmt.kind is LoopKind.SERIAL and is_plain(stmt, plain):
        guards = _guards(stmt)
        stores = len(list(instances(Store, stmt)))
        if guards and len(guards) <= MAX_GUARDS and _copies(list(guards.values())) * stores <= MAX_STORES:
            return _unswitched(stmt, guards, "")
    return map_statements(stmt, lambda child: _walk(child, plain))


def _guards(loop: For) -> _Guards:
    """The guards of a loop; none where they guard no update of the same place in every iteration, or of any in a loop
    without others in it."""
    names = {*bound_names(loop)[0], loop.name}
    iterations = constant_extent(loop)
    anywhere = not loop.body.kinds & kinds_of(For) and (iterations is None or iterations > SHORT)
    guarded: dict[Expr, set[int]] = {}
    stores: list[Store] = []

    def visit(stmt: Node, conditions: tuple[Expr, ...]) -> None:
        if isinstance(stmt, Store):
            for condition in conditions:
                guarded.setdefault(condition, set()).add(len(stores))
            stores.append(stmt)
        elif isinstance(stmt, IfThenElse) and _is_guard(stmt) and not mentions(stmt.condition, names):
            conditions = (*conditions, stmt.condition)
        for child in stmt.below:
            if isinstance(child, Stmt):
                visit(child, conditions)

    visit(loop.body, ())
    guards: _Guards = {}
    for condition, places in guarded.items():
        guards.setdefault(frozenset(places), []).append(condition)
    return {
        places: own
        for places, own in guards.items()
        if any(_is_update(stores[k], set() if anywhere else names) for k in places)
    }


def _is_guard(branch: IfThenElse) -> bool:
    return branch.otherwise is None and not branch.speculatable and not branch.condition.kinds & kinds_of(Load)


def _is_update(store: Store, names: set[str]) -> bool:
    """Whether it changes elements, at an index without these names."""
    loads = instances(Load, store.value)
    own = any(load.buffer == store.buffer and load.index is store.index for load in loads)
    return own and not mentions(store.index, names)


def _copies(guards: list[list[Expr]]) -> int:
    """The loops that `_unswitched` makes: one more than guards if each implies the next, else up to twice as many for
    each guard."""
    if not guards:
        return 1
    strongest = _strongest(guards)
    weaker = [own for own in guards if own is not strongest]
    return _copies([own for own in weaker if not _imply(strongest, own)]) + _copies(weaker)


def _strongest(guards: Collection[list[Expr]]) -> list[Expr]:
    """The guard that implies the most of the others."""
    return max(guards, key=lambda own: sum([_imply(own, other) for other in guards]))


def _unswitched(loop: For, guards: _Guards, path: str) -> Stmt:
    if not guards:
        return loop
    strongest = _strongest(guards.values())
    then = with_body(loop, _changed(loop.body, lambda branch: _if_all(branch, strongest)))
    less = with_body(loop, _changed(loop.body, lambda branch: _if_not_all(branch, strongest)))
    other: Stmt | None = None
    if less.body is not NOTHING:
        copy = fresh_copy(less, f".less{path}")
        assert isinstance(copy, For)
        other = _unswitched(copy, _guards(copy), path + "1")
    return IfThenElse(all_of(strongest), _unswitched(then, _guards(then), path + "0"), other)


def _if_all(branch: IfThenElse, conditions: list[Expr]) -> Stmt:
    """What a branch is where all conditions hold."""
    return branch.then if _is_guard(branch) and _imply(conditions, [branch.condition]) else branch


def _if_not_all(branch: IfThenElse, conditions: list[Expr]) -> Stmt:
    """What a branch is where not all conditions hold, all of which are around the same stores."""
    return NOTHING if _is_guard(branch) and branch.condition in conditions else branch


def _changed(stmt: Stmt, change: Callable[[IfThenElse], Stmt]) -> Stmt:
    """`stmt` with its branches changed, outer ones first."""
    if isinstance(stmt, IfThenElse):
        result = change(stmt)
        if result is not stmt:
            return _changed(result, change)
    if isinstance(stmt, Block):
        return block([_changed(part, change) for part in stmt.stmts])
    result = map_statements(stmt, lambda child: _changed(child, change))
    emptied = stmt.kinds & kinds_of(Store) and not result.kinds & kinds_of(Store)
    return NOTHING if emptied else result


def _imply(conditions: list[Expr], others: list[Expr]) -> bool:
    """Whether each of the other conditions certainly holds where all of these do."""
    return all(any(_implies(condition, other) for condition in conditions) for other in others)


def _implies(condition: Expr, other: Expr) -> bool:
    if condition is other:
        return True
    own, needed = inequalities(condition), inequalities(other)
    if own is None or needed is None:
        return False
    return all(any(form.is_at_least(one) for one in own) for form in needed)
