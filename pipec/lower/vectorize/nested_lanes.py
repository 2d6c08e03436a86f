"""Vectorized reductions inside vector loops: one vector of all lanes, of which neighbours are combined.

vectorized (x, 0, 16) { vectorized (r, 0, 4) { f[x] = f[x] + a[4*x + r] * b[4*x + r] } }
-->
f[ramp(0, 1, 16)] = f[ramp(0, 1, 16)] + reduce_add(a[ramp(0, 1, 64)] * b[ramp(0, 1, 64)], 16 groups)

Conditions that the inner loop does not change, as at the ends of rows, say which lanes of the outer one are loaded and
stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import Add, Cast, Const, Expr, Load, Max, Min, Mul, Ramp, Shuffle, Sub, Variable, VectorReduce
from pipec.ir.node import Node
from pipec.ir.stmt import For, IfThenElse, LetStmt, LoopKind, Stmt, Store
from pipec.ir.types import INT32, INT64
from pipec.ir.unroll import constant_extent
from pipec.ir.walk import mentions, postorder, rewrite, substitute
from pipec.lower.vectorize.vector_reductions import reduction_of
from pipec.lower.vectorize.widen import CannotVectorize, Widener, always, any_lane

# NestedLanes. Longer vectors would not stay in registers.
_MAX_LANES = 256


def nested_reduction(outer: For) -> Stmt | None:
    """The update by a nest of two vector loops, in all lanes at once; None for other loops."""
    lets: dict[str, Expr] = {}
    guards: list[Expr] = []
    inner = _guarded(outer, lets, guards)
    if not isinstance(inner, For) or inner.kind is not LoopKind.VECTORIZED:
        return None
    store = _guarded(inner, lets, guards)
    rows, columns = constant_extent(outer) or 0, constant_extent(inner) or 0
    if not isinstance(store, Store) or min(rows, columns) < 2 or rows * columns > _MAX_LANES:
        return None
    if any(isinstance(node, Load) for value in (*lets.values(), *guards) for node in postorder(value)):
        return None
    if any(mentions(guard, {inner.name}) for guard in guards):
        return None
    plain = substitute(store, lets)
    reduction = reduction_of(plain)
    try:
        lanes = NestedLanes(outer, inner, guards)
    except CannotVectorize:
        return None
    where = lanes.steps(plain.index)
    if reduction is None or constant(plain.predicate) != 1 or where is None or constant(where[1]) != 0:
        return None
    if constant(where[0]) == 0:
        return None
    try:
        rest = lanes(reduction.rest, Shuffle((lanes.active,), lanes.repeated) if guards else None)
    except CannotVectorize:
        return None
    index = Ramp(lanes.first(plain.index), where[0], lanes.outer)
    old = Load(reduction.old.type.with_lanes(lanes.outer), plain.buffer, index, lanes.active)
    reduced = VectorReduce(reduction.operator, lanes.vector(rest), lanes.outer)
    update = Store(plain.buffer, reduction.kind(old, reduced), index, lanes.active)
    return IfThenElse(any_lane(lanes.active), update, None) if guards else update


def _guarded(loop: For, lets: dict[str, Expr], guards: list[Expr]) -> Stmt:
    """What a loop does below lets and conditions, which are added to `lets` and `guards`."""
    body = below(loop, lets)
    while isinstance(body, IfThenElse) and body.otherwise is None:
        guards.append(substitute(body.condition, lets))
        body = _below_lets(body.then, lets)
    return body


def below(loop: For, lets: dict[str, Expr]) -> Stmt:
    """The body of a loop below the lets that it begins with, whose values are added to `lets`."""
    return _below_lets(loop.body, lets)


def _below_lets(stmt: Stmt, lets: dict[str, Expr]) -> Stmt:
    while isinstance(stmt, LetStmt):
        lets[stmt.name] = substitute(stmt.value, lets)
        stmt = stmt.body
    return stmt


class NestedLanes(Widener):
    """Widens to the lanes of two loops: lane i is iteration i / n of the outer one and i % n of the inner one.

    `active`: the lanes of the outer loop in which all guards hold.
    """

    def __init__(self, outer: For, inner: For, guards: Sequence[Expr] = ()) -> None:
        self.outer, self.inner = constant_extent(outer) or 0, constant_extent(inner) or 0
        super().__init__(self.outer * self.inner)
        self.loops = outer, inner
        self.repeated = tuple([i // self.inner for i in range(self.lanes)])
        self.tiled = tuple([i % self.inner for i in range(self.lanes)])
        for loop, count, pattern in ((outer, self.outer, self.repeated), (inner, self.inner, self.tiled)):
            one = Const(loop.minimum.type, 1)
            self.values[loop.name] = Shuffle((Ramp(loop.minimum, one, count),), pattern)
        rows = Widener(self.outer)
        rows.values[outer.name] = Ramp(outer.minimum, Const(outer.minimum.type, 1), self.outer)
        self.active = reduce(build.and_, [rows.vector(rows(guard)) for guard in guards], always(self.outer))

    def first(self, index: Expr) -> Expr:
        """A scalar index in the first iterations of both loops."""
        return substitute(index, {loop.name: loop.minimum for loop in self.loops})

    def steps(self, index: Expr) -> tuple[Expr, Expr] | None:
        """The increments of an index with each loop; None unless both are the same in all iterations."""
        outer, inner = [increment(index, loop.name) for loop in self.loops]
        return None if outer is None or inner is None else (outer, inner)

    def _node(self, node: Node, children: list[Expr], mask: Expr | None) -> Expr:
        if isinstance(node, Load) and constant(node.predicate) == 1 and node.type.nlanes == 1:
            loaded = self._loaded(node)
            if loaded is not None:
                return loaded
        return super()._node(node, children, mask)  # type: ignore[arg-type]

    def _loaded(self, node: Load) -> Expr | None:
        """A load as dense loads with repeated lanes, where its index grows evenly with one of the loops; None else."""
        index, first = node.index, self.first(node.index)
        outer, inner = [increment(index, loop.name) for loop in self.loops]
        across = None if outer is None else constant(outer)
        along = None if inner is None else constant(inner)

        def dense(start: Expr, step: Expr | int, active: Expr) -> Expr:
            lanes = active.type.nlanes
            ramp = Ramp(start, build.as_expr(step, start.type), lanes)
            return Load(node.type.with_lanes(lanes), node.buffer, ramp, active)

        def rows(over: For, count: int, active: Expr) -> tuple[Expr, ...]:
            """A dense load in each iteration of one loop."""
            starts = [substitute(index, {over.name: build.add(over.minimum, at)}) for at in range(count)]
            return tuple([dense(self.first(start), 1, active) for start in starts])

        if across == 0 and along == 0:
            return Load(node.type, node.buffer, first, node.predicate)
        is_guarded = constant(self.active) != 1
        overlapping = None if is_guarded else self._overlapping(node)
        if overlapping is not None:
            return overlapping
        if along == 0 and outer is not None:
            return Shuffle((dense(first, outer, self.active),), self.repeated)
        if across == 0 and inner is not None:
            return Shuffle((dense(first, inner, always(self.inner)),), self.tiled)
        if along == 1 and not (across == 1 and self.inner == 2) and not is_guarded:
            # The columns are consecutive in memory: each iteration of the outer loop takes a row.
            return Shuffle(rows(self.loops[0], self.outer, always(self.inner)), tuple(range(self.lanes)))
        if across == 1:
            # The rows of the outer loop are consecutive in memory: each lane takes one element of each row.
            order = [row * self.outer + at for at in range(self.outer) for row in range(self.inner)]
            return Shuffle(rows(self.loops[1], self.inner, self.active), tuple(order))
        return None

    def _overlapping(self, node: Load) -> Expr | None:
        """A load as one dense load, or two of which lanes are picked, where the loops read neighbours, maybe several
        times, and maybe clamped; None else."""
        part = _only_part(node.index, {loop.name for loop in self.loops})
        if part is None:
            return None
        outer, inner = [increment(part, loop.name) for loop in self.loops]
        across, along = [None if step is None else constant(step) for step in (outer, inner)]
        if across is None or along is None:
            return None
        clamped = Variable(part.type, f"{node.buffer}.lanes")
        index = rewrite(node.index, lambda changed: changed, {part: clamped})

        def load(at: int, step: int, lanes: int) -> Expr:
            widener = Widener(lanes)
            start = build.add(self.first(part), at)
            widener.values[clamped.name] = Ramp(start, build.as_expr(step, start.type), lanes)
            return Load(node.type.with_lanes(lanes), node.buffer, widener.vector(widener(index)), always(lanes))

        if across == along * self.inner:
            return load(0, int(along), self.lanes)
        places = [int(across * row + along * at) for row in range(self.outer) for at in range(self.inner)]
        window = places[-1] + 1
        # Pairs are woven from two rows: the permutation of a window that LLVM chooses waits for what a register held.
        if min(across, along) <= 0 or window >= self.lanes or self.inner == 2:
            return None
        width = 1 << (window.bit_length() - 1)
        rest = window - width
        picked = tuple([at if at < width else at - rest + width for at in places])
        return Shuffle((load(0, 1, width), load(rest, 1, width)), picked)


def _only_part(e: Expr, names: set[str]) -> Expr | None:
    """The part of an index that grows evenly with the loops of these names, where a clamp or a sum has all of it."""
    while any(increment(e, name) is None for name in names):
        if not isinstance(e, (Min, Max, Add, Sub, Cast)):
            return None
        sides = (e.value,) if isinstance(e, Cast) else (e.a, e.b)
        parts = [side for side in sides if mentions(side, names)]
        if len(parts) != 1:
            return None
        e = parts[0]
    return e


def increment(e: Expr, name: str) -> Expr | None:
    """By how much an integer expression grows with a loop variable; None where that differs between iterations."""
    if not mentions(e, {name}):
        return Const(e.type, 0)
    if isinstance(e, Variable):
        return Const(e.type, 1)
    if isinstance(e, Cast) and {e.type, e.value.type} == {INT32, INT64}:
        inner = increment(e.value, name)
        return None if inner is None else build.cast(e.type, inner)
    if isinstance(e, (Add, Sub)):
        a, b = increment(e.a, name), increment(e.b, name)
        return None if a is None or b is None else (build.add if isinstance(e, Add) else build.sub)(a, b)
    if isinstance(e, Mul):
        varying, other = (e.a, e.b) if mentions(e.a, {name}) else (e.b, e.a)
        step = None if mentions(other, {name}) else increment(varying, name)
        return None if step is None else build.mul(step, other)
    return None
