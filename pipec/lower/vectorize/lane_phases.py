"""Lane phases: every c-th lane is computed in a vector of its own, so that quotients of a ramp are ramps.

    out[ramp(x, 1, 16)] = (in[ramp(x, 1, 16) / 2] + in[ramp(x, 1, 16) / 2 + 1]) * f[ramp(x, 1, 16)]
    -->
    out[ramp(x, 1, 16)] = interleave(in[ramp(x / 2, 1, 8)] + in[ramp(x / 2 + 1, 1, 8)],
                                     in[ramp((x + 1) / 2, 1, 8)] + in[ramp((x + 1) / 2 + 1, 1, 8)]) * f[ramp(x, 1, 16)]

In the lanes p, p + c, p + 2*c, ... the quotients by c increase by one, and the remainders are equal: conditions on
those are scalars, and what phases have in common is computed once. Only the largest parts of a value are taken in which
all differences between lanes are such quotients and remainders. What else differs would be shuffled twice for it, in
shorter vectors: that took up to three times as long. Where a part has more bits than what it loads, and no select, its
loads alone are interleaved (by the code generator).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import Div, Expr, Load, Mod, Ramp, Select, Shuffle
from pipec.ir.lanes import MAX_SHUFFLED_STRIDE, MIN_PHASE_LANES, phase_count
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import instances
from pipec.lower.vectorize.clamped_loads import clamped_index
from pipec.lower.vectorize.widen import Widener


def with_phases(value: Expr, widen: Widener) -> Expr:
    """`value` in all lanes, with parts that are interleavings of their phases where that saves gathers."""
    if _gathers(widen(value)):
        woven = [(part, _in_phases(part, widen)) for part in _parts(value, widen)]
        if defined := [(part, vector) for part, vector in woven if vector is not None]:
            widen.define(defined)
    return widen(value)


def _parts(value: Expr, widen: Widener) -> Iterator[Expr]:
    """The largest parts whose lanes differ by quotients and remainders only, and which are better interleaved than all
    that they load."""
    loads_of: dict[Expr, frozenset[Load] | None] = {}
    choices: set[Expr] = set()
    for node in instances(Expr, value):
        inner = [child for child in _operands(node) if widen(child).type.nlanes > 1]
        below = [loads_of[child] for child in inner]
        regular = _period(node, widen) is not None or (bool(inner) and None not in below)
        own = [node] if isinstance(node, Load) else []
        loads_of[node] = frozenset(own).union(*[loads or () for loads in below]) if regular else None
        if regular and (isinstance(node, Select) or not choices.isdisjoint(inner)):
            choices.add(node)
    stack, visited = [value], set[Expr]()
    while stack:
        node = stack.pop()
        if node in visited:
            continue
        visited.add(node)
        loads = loads_of[node]
        if loads and not node.type.boolean and (node in choices or _is_short(node, loads)):
            yield node
        else:
            stack += _operands(node)


def _operands(e: Expr) -> list[Expr]:
    return [child for child in e.children() if isinstance(child, Expr)]


def _is_short(part: Expr, loads: frozenset[Load]) -> bool:
    """Whether a part has fewer bits to interleave than its loads."""
    return part not in loads and part.type.nbits <= sum([load.type.nbits for load in loads])


def _in_phases(value: Expr, widen: Widener) -> Expr | None:
    """`value` as an interleaving of phases; None when that saves no gather, or its vectors are too short."""
    widened = widen(value)
    gathers = _gathers(widened)
    count = _phases(value, widen) if gathers else 1
    if count == 1:
        return None
    parts = []
    for phase in range(count):
        own = _phase_of(widen, phase, count)
        parts.append(own.vector(own(value)))
    if sum(_gathers(part) for part in parts) >= gathers:
        return None
    lanes = widen.lanes // count
    order = tuple([lane % count * lanes + lane // count for lane in range(widen.lanes)])
    return Shuffle(tuple(parts), order)


def _phase_of(widen: Widener, phase: int, count: int) -> Widener:
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
    """The number of phases in which all quotients of a value are ramps; 1 when there is none of long enough vectors."""
    periods = [_period(node, widen) or 1 for node in instances((Div, Mod), value)]
    count = phase_count(periods, widen.lanes)
    return count if widen.lanes // count >= MIN_PHASE_LANES else 1


def _period(node: Expr, widen: Widener) -> int | None:
    """After how many lanes a quotient or remainder of a ramp goes on as it began; None for all else."""
    if not isinstance(node, Div | Mod) or node.type not in (INT32, INT64):
        return None
    by, numerator = constant(node.b), widen(node.a)
    stride = constant(numerator.stride) if isinstance(numerator, Ramp) else None
    if by is None or by <= 1 or stride is None:
        return None
    return int(by) // gcd(int(by), int(stride))


def _gathers(e: Expr) -> int:
    loads = [load for load in instances(Load, e) if load.type.nlanes > 1 and not _is_woven(load.index)]
    return sum(clamped_index(load) is None for load in loads)


def _is_woven(index: Expr) -> bool:
    """Whether shuffles pick the elements at an index out of dense vectors."""
    stride = constant(index.stride) if isinstance(index, Ramp) else None
    return isinstance(index, Ramp) and (stride is None or abs(stride) <= MAX_SHUFFLED_STRIDE)
