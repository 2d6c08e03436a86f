"""Gathered loads of two neighbours, each clamped for itself: two neighbours that exist are loaded, and one is taken.

    in[max(min(i, b), a)], in[max(min(i + 1, b), a)]
    -->
    if (a < b):   p = max(min(i, b - 1), a)
                  select(max(min(i, b), a) == p, in[p], in[p + 1]), select(max(min(i + 1, b), a) == p, in[p], in[p + 1])

Those at p and p + 1 are read by one load for each lane (`jit/llvm/memory/neighbours.py`). So interpolation between the
pixels of an image with `repeat_edge` takes half of the loads.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

from pipec.bounds.conditions import clamp_parts
from pipec.bounds.linear import linear
from pipec.bounds.simplify import simplify
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import Broadcast, Cast, Expr, Load, Max
from pipec.ir.lanes import MAX_LANE_BYTES
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import GPU_KINDS, For, IfThenElse, LetStmt, LoopKind, Stmt
from pipec.ir.types import INT32, INT64
from pipec.ir.unroll import fresh_copy
from pipec.ir.walk import free_variables, instances, rewrite, statements
from pipec.lower.statements import map_statements, with_body

MAX_TABLE = 256
"""Elements of a table that may be looked up in registers."""


class Clamped(NamedTuple):
    """A load at index rest + max(min(place, high), low), or with minimum and maximum the other way round."""

    load: Load
    clamp: Expr
    place: Expr
    low: Expr
    high: Expr

    @property
    def group(self) -> object:
        """What neighbours have in common."""
        nothing = Broadcast(build.as_expr(0, INT32), self.clamp.type.nlanes)
        others = linear(_replaced(self.load.index, self.clamp, nothing))
        rest = others.constant, frozenset(others.terms.items())
        place = frozenset(linear(self.place).terms.items())
        return self.load.buffer, self.load.type, rest, place, type(self.clamp), self.low, self.high

    def limited(self, high: Expr) -> Expr:
        """The place between the lower limit and another upper one."""
        low, most = [Broadcast(limit, self.clamp.type.nlanes) for limit in (self.low, high)]
        if isinstance(self.clamp, Max):
            return build.max_(build.min_(self.place, most), low)
        return build.min_(build.max_(self.place, low), most)


def pair_clamped_neighbours(stmt: Stmt) -> Stmt:
    """`stmt` with innermost loops in two versions, one for images where neighbours exist."""
    if isinstance(stmt, For) and stmt.kind in GPU_KINDS or not stmt.kinds & kinds_of(Load):
        return stmt
    if not isinstance(stmt, For) or any(isinstance(part, For) for part in statements(stmt.body)):
        return map_statements(stmt, pair_clamped_neighbours)
    loop = stmt if stmt.kind is LoopKind.SERIAL else stmt.body
    own = {stmt.name, *[part.name for part in statements(stmt.body) if isinstance(part, LetStmt)]}
    values: dict[Node, Expr] = {}
    conditions: list[Expr] = []
    for first, second in _pairs(stmt.body, own):
        values.update(_values(first, second))
        conditions.append(simplify(build.lt(first.low, first.high)))
    if not values:
        return stmt
    paired = rewrite(loop, lambda node: values.get(node, node), kinds=kinds_of(Load))
    versions = IfThenElse(build.all_of(dict.fromkeys(conditions)), paired, fresh_copy(loop, ".alone"))
    return versions if loop is stmt else with_body(stmt, versions)


def _pairs(stmt: Stmt, own: Set[str]) -> Iterator[tuple[Clamped, Clamped]]:
    """The pairs of neighbours whose limits do not mention the names `own`."""
    groups: dict[object, dict[int, Clamped]] = {}
    for clamped in [clamped for load in instances(Load, stmt) for clamped in _clamped(load)]:
        if own.isdisjoint(free_variables(clamped.low) | free_variables(clamped.high)):
            groups.setdefault(clamped.group, {})[linear(clamped.place).constant] = clamped
    paired: set[Load] = set()
    for group in groups.values():
        for at in sorted(group):
            first, second = group[at], group.get(at + 1)
            if second is not None and paired.isdisjoint((first.load, second.load)):
                paired.update((first.load, second.load))
                yield first, second


def _clamped(load: Load) -> Iterator[Clamped]:
    """The ways in which a gathered load is one of clamped places in the innermost dimension."""
    if load.type.nlanes == 1 or 2 * load.type.bytes() > MAX_LANE_BYTES or constant(load.predicate) != 1:
        return
    for atom, factor in linear(load.index).terms.items():
        clamp = atom.value if isinstance(atom, Cast) and atom.type.element_of() is INT64 else atom
        parts = clamp_parts(clamp) if factor == 1 and clamp.type.element_of() is INT32 else None
        if parts is None or not isinstance(parts.low, Broadcast) or not isinstance(parts.high, Broadcast):
            continue
        low, high = parts.low.value, parts.high.value
        size = constant(simplify(build.sub(high, low)))
        if size is None or size >= MAX_TABLE:
            yield Clamped(load, clamp, parts.place, low, high)


def _values(first: Clamped, second: Clamped) -> dict[Node, Expr]:
    """The values of two neighbours."""
    place = first.limited(simplify(build.sub(first.high, 1)))
    index = _replaced(first.load.index, first.clamp, place)
    kind, buffer, predicate = first.load.type, first.load.buffer, first.load.predicate
    left = Load(kind, buffer, index, predicate)
    right = Load(kind, buffer, build.add(index, Broadcast(build.as_expr(1, INT64), kind.nlanes)), predicate)
    return {one.load: build.select(build.eq(one.clamp, place), left, right) for one in (first, second)}


def _replaced(index: Expr, old: Expr, new: Expr) -> Expr:
    return rewrite(index, lambda node: new if node is old else node)
