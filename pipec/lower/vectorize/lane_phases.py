"""Lane phases: every c-th lane is computed in a vector of its own, so that quotients of a ramp are ramps.

    out[ramp(x, 1, 8)] = in[ramp(x, 1, 8) / 2]
    -->
    out[ramp(x, 1, 8)] = interleave(in[ramp(x / 2, 1, 4)], in[ramp((x + 1) / 2, 1, 4)])

In the lanes p, p + c, p + 2*c, ... the quotients by c increase by one, and the remainders are equal.
"""

from __future__ import annotations

from math import gcd

from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import Div, Expr, Load, Mod, Ramp, Shuffle
from pipec.ir.lanes import MAX_SHUFFLED_STRIDE, phase_count
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import instances
from pipec.lower.vectorize.clamped_loads import clamped_index
from pipec.lower.vectorize.widen import Widener


def in_phases(value: Expr, widen: Widener, widened: Expr) -> Expr | None:
    """`value`, which widens to `widened`, as an interleaving of phases; None when that saves no gather."""
    gathers = _gathers(widened)
    count = _phases(value, widen) if gathers else 1
    if count == 1:
        return None
    parts = []
    for phase in range(count):
        own = phase_of(widen, phase, count)
        parts.append(own.vector(own(value)))
    if sum(_gathers(part) for part in parts) >= gathers:
        return None
    lanes = widen.lanes // count
    order = tuple([lane % count * lanes + lane // count for lane in range(widen.lanes)])
    return Shuffle(tuple(parts), order)


def phase_of(widen: Widener, phase: int, count: int) -> Widener:
    """A widener of the lanes phase, phase + count, ... of another."""
    own = Widener(widen.lanes // count)
    own.copies = Ramp(build.as_expr(phase), build.as_expr(count), own.lanes), widen.lanes
    own.private = widen.private
    for name, value in widen.values.items():
        if isinstance(value, Ramp):
            type_ = value.stride.type
            base = build.add(value.base, build.mul(value.stride, build.as_expr(phase, type_)))
            own.values[name] = Ramp(base, build.mul(value.stride, build.as_expr(count, type_)), own.lanes)
        elif value.type.nlanes > 1:
            own.values[name] = Shuffle((value,), tuple(range(phase, widen.lanes, count)))
        else:
            own.values[name] = value
    return own


def _phases(value: Expr, widen: Widener) -> int:
    """The number of phases in which all quotients of a value are ramps; 1 when it does not divide the lanes."""
    periods = []
    for node in instances((Div, Mod), value):
        if node.type not in (INT32, INT64):
            continue
        by, numerator = constant(node.b), widen(node.a)
        if by is None or by <= 1 or not isinstance(numerator, Ramp):
            continue
        stride = constant(numerator.stride)
        if stride is None:
            continue
        periods.append(int(by) // gcd(int(by), int(stride)))
    count = phase_count(periods, widen.lanes)
    return count if widen.lanes > count else 1


def _gathers(e: Expr) -> int:
    loads = [load for load in instances(Load, e) if load.type.nlanes > 1 and not _is_woven(load.index)]
    return sum(clamped_index(load) is None for load in loads)


def _is_woven(index: Expr) -> bool:
    """Whether shuffles pick the elements at an index out of dense vectors."""
    stride = constant(index.stride) if isinstance(index, Ramp) else None
    return isinstance(index, Ramp) and (stride is None or abs(stride) <= MAX_SHUFFLED_STRIDE)
