"""Loads of neighbours whose coordinates are clamped: dense loads, and the edge in the lanes that lie outside.

    in[max(min(ramp(x, 1, 8), b), a)]
    -->
    select(ramp < a, in[clamped first lane], select(ramp > b, in[clamped last lane], in[ramp] where a <= ramp <= b))

Loads at borders would be gathers otherwise, element by element. Where only the first lanes are active, as at the end of
a loop that is no multiple of its vectors, the last active lane takes the place of the last lane.

Loads of an expression that differ in the base of the ramp only, as those of a filter, are picked from such vectors,
which lie side by side: seven neighbours take two of them. So are the lanes of ramps with a stride.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pipec.bounds.linear import Linear, linear
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import GT, LE, LT, Add, And, Broadcast, Cast, Expr, Load, Max, Min, Ramp, Shuffle, Sub
from pipec.ir.lanes import MAX_SHUFFLED_STRIDE
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import Stmt
from pipec.ir.types import INT32, INT64, Int, Type
from pipec.ir.walk import instances, rewrite

MAX_BYTE_LANES = 127
"""Of which all numbers, and that of the lane behind the last, are bytes with a sign."""


class ClampedIndex(NamedTuple):
    """The index of a load: `offset` + clamp of a ramp. `last`: the last active lane, below 0 where none is.

    `shift`: what the clamp adds to its ramp.
    """

    load: Load
    offset: Expr
    clamp: Expr
    ramp: Ramp
    stride: int
    shift: Expr
    last: Expr

    @property
    def place(self) -> Linear:
        """Where the first lane would be without limits."""
        return linear(self.offset).plus(linear(build.add(self.ramp.base, self.shift)))

    @property
    def frame(self) -> object:
        """What the loads have in common that are picked from the same vectors."""
        kind = self.load.type
        return kind, self.load.buffer, self.stride, self.last, _terms(self.place), tuple(self._limits())

    def _limits(self) -> Iterable[tuple[type[Expr], int, object]]:
        # From the outermost, as if nothing were added to what they limit.
        added = linear(self.offset)
        for kind, scalar in levels(self.clamp):
            if kind in (Min, Max):
                limit = linear(scalar).plus(added)
                yield kind, limit.constant, _terms(limit)
            else:
                added = added.plus(linear(scalar), 1 if kind is Add else -1)


def clamped_index(load: Load) -> ClampedIndex | None:
    """The parts of the index of a vector load; None when no dense loads give it.

    They do not where the index is no clamped ramp, or where the active lanes are not the first ones.
    """
    if load.type.nlanes == 1 or isinstance(load.index, Ramp):
        return None
    parts = _split(load.index)
    if parts is None:
        return None
    offset, clamp = parts
    inner = _ramp(clamp)
    if inner is None:
        return None
    ramp, shift = inner
    stride, last = constant(ramp.stride), _last_active(load.predicate, ramp.lanes)
    if stride is None or last is None or not 1 <= stride <= MAX_SHUFFLED_STRIDE:
        return None
    return ClampedIndex(load, offset, clamp, ramp, int(stride), shift, last)


def make_clamped_loads_dense(stmt: Stmt) -> Stmt:
    """`stmt` with dense loads in place of gathers whose index is a clamped ramp."""

    def child(node: Node) -> Node:
        return make_clamped_loads_dense(node) if isinstance(node, Stmt) else _dense(node)

    return stmt.rebuild(child) if stmt.kinds & kinds_of(Load) else stmt


def _dense(e: Node) -> Node:
    groups: dict[object, list[ClampedIndex]] = {}
    for load in instances(Load, e) if isinstance(e, Expr) else ():
        index = clamped_index(load)
        if index is not None:
            groups.setdefault(index.frame, []).append(index)
    values: dict[Node, Node] = {}
    for group in groups.values():
        for neighbours in _neighbours(group):
            values.update(_picked(neighbours))
        # Loads of one place may be written in several ways.
        at = {index.place.constant: values[index.load] for index in group if index.load in values}
        values.update({index.load: at[index.place.constant] for index in group})
    return rewrite(e, lambda node: values.get(node, node), kinds=kinds_of(Load)) if values else e


def _neighbours(group: Iterable[ClampedIndex]) -> Iterable[dict[int, ClampedIndex]]:
    """Loads with one frame by the constants of their ramps, those together whose vectors touch."""
    by_place = {index.place.constant: index for index in group}
    near: dict[int, ClampedIndex] = {}
    for place in sorted(by_place):
        index = by_place[place]
        if near and place - max(near) > index.ramp.lanes:
            yield near
            near = {}
        near[place] = index
    yield near


def _picked(by_place: dict[int, ClampedIndex]) -> dict[Node, Node]:
    """The values of loads with one frame."""
    places = list(by_place)
    index = by_place[places[0]]
    lanes, stride = index.ramp.lanes, index.stride
    elements = places[-1] - places[0] + stride * (lanes - 1) + 1
    count = math.ceil(elements / lanes)
    if stride == 1 and count >= len(places):
        return {index.load: _vector(index, 0, index.last) for index in by_place.values()}
    # No vector goes on behind the last element that is read.
    starts = [min(lanes * part, elements - lanes) for part in range(count)]
    behind = places[-1] - places[0]
    vectors = []
    for start in starts:
        last = build.add(build.mul(index.last, stride), behind - start)
        vectors.append(_vector(index, start, _none_where(index.last, build.min_(last, lanes - 1))))
    values: dict[Node, Node] = {}
    for place, own in by_place.items():
        elements_read = [place - places[0] + stride * lane for lane in range(lanes)]
        picks = []
        for element in elements_read:
            part = max(part for part, start in enumerate(starts) if start <= element)
            picks.append(part * lanes + element - starts[part])
        values[own.load] = _whole(vectors, picks, lanes) or Shuffle(tuple(vectors), tuple(picks))
    return values


def _whole(vectors: Sequence[Expr], picks: Sequence[int], lanes: int) -> Expr | None:
    """The vector that the lanes are, if they are one."""
    part, lane = divmod(picks[0], lanes)
    return vectors[part] if lane == 0 and list(picks) == list(range(picks[0], picks[0] + lanes)) else None


def _none_where(active: Expr, last: Expr) -> Expr:
    """The last lane of a vector, below 0 too where no lane of the load is active."""
    return last if constant(active) is not None else build.select(build.ge(active, 0), last, build.as_expr(-1, INT32))


def _vector(index: ClampedIndex, start: int, last: Expr) -> Expr:
    """The elements at `start`, `start` + 1, ... behind the first lane of the load, up to the lane `last`."""
    load, offset, clamp = index.load, index.offset, index.clamp
    lanes = index.ramp.lanes
    kind = load.type.element_of()
    base = build.add(index.ramp.base, start)
    place = build.add(base, index.shift)
    any_active = build.ge(last, 0)

    def edge(lane: Expr) -> Expr:
        # An element that this lane reads anyway, so that no other memory is accessed.
        position = build.cast(INT64, _at(clamp, base, lane))
        return Broadcast(Load(kind, load.buffer, build.add(offset, position), any_active), lanes)

    wide = Ramp(build.add(offset, build.cast(INT64, place)), build.as_expr(1, INT64), lanes)
    before, beyond, between = _sides(clamp, base, place, lanes, kind)
    if constant(last) != lanes - 1:
        numbers = Ramp(build.as_expr(0, INT32), build.as_expr(1, INT32), lanes)
        between = build.and_(between, LE(numbers, Broadcast(last, lanes)))
    inside = Load(kind.with_lanes(lanes), load.buffer, wide, between)
    first = edge(build.as_expr(0, INT32))
    return build.select(before, first, build.select(beyond, edge(last), inside))


def _sides(clamp: Expr, base: Expr, place: Expr, lanes: int, kind: Type) -> tuple[Expr, Expr, Expr]:
    """The lanes below the limits of the clamp, above, and between them. `place`: of the first lane without limits.

    Numbers of lanes are compared, in integers as wide as the elements: so masks are made by one instruction.
    """
    type_ = Int(min(32, max(8, kind.nbits))) if lanes <= MAX_BYTE_LANES else INT32
    numbers = Ramp(build.as_expr(0, type_), build.as_expr(1, type_), lanes)

    def limited(lane: int, count: int) -> Expr:
        # How far the clamp moves a lane is more than 32 bits hold where coordinates are far from an image.
        position = build.cast(INT64, _at(clamp, base, build.as_expr(lane, INT32)))
        moved = build.sub(position, build.cast(INT64, build.add(place, lane)))
        return Broadcast(build.cast(type_, build.max_(build.min_(build.add(moved, count), lanes), -1)), lanes)

    start, last = limited(0, 0), limited(lanes - 1, lanes - 1)
    return LT(numbers, start), GT(numbers, last), build.and_(LE(start, numbers), LE(numbers, last))


def _last_active(active: Expr, lanes: int) -> Expr | None:
    """The last active lane, where all before it are active, below 0 where none is; None when that is not certain."""
    if isinstance(active, And):
        a, b = _last_active(active.a, lanes), _last_active(active.b, lanes)
        return None if a is None or b is None else build.min_(a, b)
    if isinstance(active, Broadcast):
        return build.select(active.value, build.as_expr(lanes - 1, INT32), build.as_expr(-1, INT32))
    if not isinstance(active, LE | LT) or not isinstance(active.a, Ramp) or not isinstance(active.b, Broadcast):
        return None
    if active.a.type.element_of() is not INT32 or constant(active.a.stride) != 1:
        return None
    distance = build.sub(active.b.value, active.a.base)
    last = distance if isinstance(active, LE) else build.sub(distance, 1)
    return build.min_(last, lanes - 1)


def _split(index: Expr) -> tuple[Expr, Expr] | None:
    """An index as the sum of a scalar and one vector that is a Min or Max; None when it is none."""
    offset: Expr = build.as_expr(0, INT64)
    clamp: Expr | None = None
    stack = [(index, True)]
    while stack:
        e, plus = stack.pop()
        if isinstance(e, (Add, Sub)):
            stack += [(e.b, plus == isinstance(e, Add)), (e.a, plus)]
        elif isinstance(e, Broadcast):
            value = build.cast(INT64, e.value)
            offset = build.add(offset, value) if plus else build.sub(offset, value)
        elif isinstance(e, Cast) and e.value.type.element_of() is INT32:
            stack.append((e.value, plus))
        elif isinstance(e, (Min, Max)) and e.type.element_of() is INT32 and plus and clamp is None:
            clamp = e
        else:
            return None
    return None if clamp is None else (offset, clamp)


def _ramp(e: Expr) -> tuple[Ramp, Expr] | None:
    """The ramp in an expression of Mins, Maxes and sums with scalars, and what is added to it; None in another one."""
    shift: Expr = build.as_expr(0, INT32)
    while isinstance(e, (Min, Max, Add, Sub)):
        scalar, rest = _operands(e)
        if scalar is None or (isinstance(e, Sub) and rest is e.b):
            return None
        if isinstance(e, (Add, Sub)):
            shift = build.add(shift, scalar) if isinstance(e, Add) else build.sub(shift, scalar)
        e = rest
    return (e, shift) if isinstance(e, Ramp) else None


def _operands(e: Min | Max | Add | Sub) -> tuple[Expr | None, Expr]:
    """The operand that is the same in all lanes, None where there is none, and the other one."""
    if isinstance(e.b, Broadcast):
        return e.b.value, e.a
    return (e.a.value, e.b) if isinstance(e.a, Broadcast) else (None, e)


def levels(clamp: Expr) -> Iterable[tuple[type[Expr], Expr]]:
    """The operations on the ramp, from the outermost, with the scalars that they take."""
    while not isinstance(clamp, Ramp):
        assert isinstance(clamp, (Min, Max, Add, Sub))
        scalar, rest = _operands(clamp)
        assert scalar is not None
        yield type(clamp), scalar
        clamp = rest


def _terms(e: Linear) -> object:
    return frozenset(e.terms.items())


def _at(clamp: Expr, base: Expr, lane: Expr) -> Expr:
    """The clamp of `base` plus the number of a lane in the place of the ramp."""
    position = build.add(base, lane)
    for kind, scalar in reversed(list(levels(clamp))):
        position = _BUILD[kind](position, scalar)
    return position


_BUILD: dict[type[Expr], Callable[[Expr, Expr], Expr]] = {
    Add: build.add,
    Sub: build.sub,
    Min: build.min_,
    Max: build.max_,
}
