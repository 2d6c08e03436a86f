"""The values of the lanes of constant vectors, and the number of phases of lanes."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import And, Broadcast, Compare, Const, Expr, Not, Or, Ramp, Shuffle

# More phases than this make vectors so short that a gather is as good.
MAX_PHASES = 8
# Shorter vectors of phases leave half of a register, or more, unused: shuffles of single loads are faster.
MIN_PHASE_LANES = 8
# Vectors of larger constant strides are gathered: most of what is read would be thrown away.
MAX_SHUFFLED_STRIDE = 4
# The widest load of scalars for each lane, of a register for integers: neighbours that fit are read at once.
MAX_LANE_BYTES = 8


def phase_count(periods: Iterable[int], lanes: int) -> int:
    """Returns the number of phases of a vector: lanes i, i + n, i + 2 * n, ... are regular in each.

    `periods`: of the quotients and remainders in it, in lanes. 1 where that are too many phases or they do not divide
    the lanes.
    """
    count = math.lcm(*periods)
    return count if count <= MAX_PHASES and lanes % count == 0 else 1


Lanes = list[int] | None


def lanes_of(e: Expr) -> Lanes:
    """The integers or truth values in the lanes of a constant vector; None for other vectors."""
    return _lanes_of(e, {})


def _lanes_of(e: Expr, done: dict[Expr, Lanes]) -> Lanes:
    """As `lanes_of`; masks share parts, and those that are `done` are not looked at again."""
    if e not in done:
        done[e] = _lanes_in(e, done)
    return done[e]


def _lanes_in(e: Expr, done: dict[Expr, Lanes]) -> Lanes:
    if isinstance(e, Broadcast):
        value = constant(e.value)
        return None if value is None or not (e.type.integral or e.type.boolean) else [int(value)] * e.lanes
    if isinstance(e, Ramp):
        base, stride = constant(e.base), constant(e.stride)
        return None if base is None or stride is None else [int(base) + int(stride) * i for i in range(e.lanes)]
    if isinstance(e, Shuffle):
        parts = [_lanes_of(vector, done) for vector in e.vectors]
        if any(part is None for part in parts):
            return None
        whole = [value for part in parts for value in part or ()]
        return [whole[i] for i in e.indices]
    if isinstance(e, (Compare, And, Or)):
        return _lanes_of_condition(e, done)
    if isinstance(e, Not):
        inner = _lanes_of(e.value, done)
        return None if inner is None else [1 - value for value in inner]
    return None


def _lanes_of_condition(e: Compare | And | Or, done: dict[Expr, Lanes]) -> Lanes:
    left = _lanes_of(e.a, done)
    right = None if left is None else _lanes_of(e.b, done)
    if left is None or right is None:
        return None
    if isinstance(e, (And, Or)):
        return [a & b if isinstance(e, And) else a | b for a, b in zip(left, right, strict=True)]
    type_ = e.a.type.element_of()
    folded = [build.compare(type(e), Const(type_, a), Const(type_, b)) for a, b in zip(left, right, strict=True)]
    values = [constant(one) for one in folded]
    return None if any(value is None for value in values) else [int(value or 0) for value in values]


def first_lanes(mask: Expr) -> int | None:
    """n where exactly the first n lanes of a constant mask hold, else None."""
    lanes = lanes_of(mask)
    if lanes is None:
        return None
    count = sum(lanes)
    return count if all(lanes[:count]) else None
