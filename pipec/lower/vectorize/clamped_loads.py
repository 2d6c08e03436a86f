"""Loads of neighbours whose coordinates are clamped: a dense load, and the edge in the lanes that lie outside.

    in[max(min(ramp(x, 1, 8), b), a)]
    -->
    select(ramp < a, in[clamped first lane], select(ramp > b, in[clamped last lane], in[ramp] where a <= ramp <= b))

Loads at borders would be gathers otherwise, element by element. Where only the first lanes are active, as at the end of
a loop that is no multiple of its vectors, the last active lane takes the place of the last lane.
"""

from __future__ import annotations

from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import GT, LE, LT, Add, And, Broadcast, Cast, Expr, Load, Max, Min, Ramp, Sub
from pipec.ir.types import INT32, INT64, Int, Type

MAX_BYTE_LANES = 127
"""Of which all numbers, and that of the lane behind the last, are bytes with a sign."""


def clamped_load(load: Load, index: Expr, active: Expr) -> Expr | None:
    """The vector that `load` reads at a widened index in the active lanes; None when no dense load gives it.

    It does not where the index is no clamped ramp, or where the active lanes are not the first ones.
    """
    parts = _split(index)
    if parts is None:
        return None
    offset, clamp = parts
    ramp = _ramp(clamp)
    if ramp is None or constant(ramp.stride) != 1:
        return None
    lanes = ramp.lanes
    last = _last_active(active, lanes)
    if last is None:
        return None
    kind = load.type.element_of()
    any_active = build.ge(last, 0)

    def edge(lane: Expr) -> Expr:
        # An element that this lane reads anyway, so that no other memory is accessed.
        position = build.cast(INT64, _at(clamp, lane))
        return Broadcast(Load(kind, load.buffer, build.add(offset, position), any_active), lanes)

    wide = Ramp(build.add(offset, build.cast(INT64, ramp.base)), build.as_expr(1, INT64), lanes)
    before, beyond, between = _sides(clamp, ramp, kind)
    inside = Load(kind.with_lanes(lanes), load.buffer, wide, build.and_(between, active))
    first = edge(build.as_expr(0, INT32))
    return build.select(before, first, build.select(beyond, edge(last), inside))


def _sides(clamp: Expr, ramp: Ramp, kind: Type) -> tuple[Expr, Expr, Expr]:
    """The lanes of the ramp below the limits of the clamp, above, and between them.

    Numbers of lanes are compared, in integers as wide as the elements: so masks are made by one instruction.
    """
    lanes = ramp.lanes
    type_ = Int(min(32, max(8, kind.nbits))) if lanes <= MAX_BYTE_LANES else INT32
    numbers = Ramp(build.as_expr(0, type_), build.as_expr(1, type_), lanes)

    def limited(lane: int, count: int) -> Expr:
        # How far the clamp moves a lane is more than 32 bits hold where coordinates are far from an image.
        position = build.cast(INT64, _at(clamp, build.as_expr(lane, INT32)))
        moved = build.sub(position, build.cast(INT64, build.add(ramp.base, lane)))
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


def _ramp(e: Expr) -> Ramp | None:
    """The ramp that `e` would be without the Mins and Maxes with scalars that it consists of; None where it is none."""
    shift: Expr = build.as_expr(0, INT32)
    while isinstance(e, (Min, Max, Add, Sub)):
        scalar, rest = _operands(e)
        if scalar is None or (isinstance(e, Sub) and rest is e.b):
            return None
        if isinstance(e, (Add, Sub)):
            shift = build.add(shift, scalar) if isinstance(e, Add) else build.sub(shift, scalar)
        e = rest
    return Ramp(build.add(e.base, shift), e.stride, e.lanes) if isinstance(e, Ramp) else None


def _operands(e: Min | Max | Add | Sub) -> tuple[Expr | None, Expr]:
    """The operand that is the same in all lanes, None where there is none, and the other one."""
    if isinstance(e.b, Broadcast):
        return e.b.value, e.a
    return (e.a.value, e.b) if isinstance(e.a, Broadcast) else (None, e)


def _at(clamp: Expr, lane: Expr) -> Expr:
    """The clamp of the number of a lane in the place of the ramp."""
    if isinstance(clamp, Ramp):
        return build.add(clamp.base, lane)
    assert isinstance(clamp, (Min, Max, Add, Sub))
    scalar, rest = _operands(clamp)
    assert scalar is not None
    position = _at(rest, lane)
    match clamp:
        case Min():
            return build.min_(position, scalar)
        case Max():
            return build.max_(position, scalar)
        case Add():
            return build.add(position, scalar)
    return build.sub(position, scalar)
