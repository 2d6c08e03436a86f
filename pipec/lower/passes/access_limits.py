"""Which elements of a buffer accesses reach, and which elements its memory has, as int64 indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce

from pipec.bounds.linear import sum_of_terms
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Broadcast, BufferView, Const, Expr, Ramp, VectorReduce
from pipec.ir.program import ProgramArgument
from pipec.ir.types import INT64
from pipec.lower.passes.definedness import shifted
from pipec.lower.passes.linear_index import ONE, ZERO, wide
from pipec.lower.planning.names import buffer_symbol
from pipec.records import dataclass

# `build.min_` or `build.max_`.
Choice = Callable[[Expr, Expr], Expr]


@dataclass(frozen=True)
class Limits:
    """The first and the last index of a buffer's memory."""

    first: Expr
    last: Expr


def properties(buffer: ProgramArgument, what: str) -> list[Expr]:
    """The `min`, `extent` or `stride` of a buffer argument in each dimension."""
    return [buffer_symbol(buffer.name, what, d) for d in range(buffer.dimensions)]


def _sum(terms: Sequence[Expr]) -> Expr:
    start: Expr = ZERO
    return reduce(build.add, terms, start)


def distance(point: Sequence[Expr], strides: Sequence[Expr]) -> Expr:
    """The distance of an element from the first one, in elements."""
    terms = [build.mul(wide(c), wide(stride)) for c, stride in zip(point, strides, strict=True)]
    return _sum(terms)


def _reach(choose: Choice, extents: Iterable[Expr], strides: Iterable[Expr]) -> Expr:
    """The distance of the last (or, at negative strides, first) element of a box from the one at its minimum."""
    steps = [build.mul(build.sub(wide(n), ONE), wide(stride)) for n, stride in zip(extents, strides, strict=True)]
    return _sum([choose(step, ZERO) for step in steps])


def limits_of(buffer: ProgramArgument) -> Limits:
    """The limits of a buffer argument; the last index is -1 where it has no elements."""
    extents, strides = properties(buffer, "extent"), properties(buffer, "stride")
    some = build.all_of([build.gt(extent, 0) for extent in extents])
    first, last = (_reach(choose, extents, strides) for choose in (build.min_, build.max_))
    return Limits(build.select(some, first, ZERO), build.select(some, last, Const(INT64, -1)))


def corners(view: BufferView) -> list[tuple[Expr, Expr]]:
    """The first and last index of a box, with the predicate that it has elements."""
    extents = [extent for _, extent in view.box]
    some = build.all_of([build.gt(extent, 0) for extent in extents])
    reaches = [_reach(choose, extents, view.strides) for choose in (build.min_, build.max_)]
    return [(build.add(wide(view.offset), reach), some) for reach in reaches]


def ends_of(index: Expr, predicate: Expr, limits: Limits) -> tuple[Expr, Expr]:
    """The smallest and the largest active index, which are legal where no lane is active."""
    is_whole = constant(predicate) == 1
    if is_whole and isinstance(index, Broadcast):
        return ends_of(index.value, TRUE, limits)
    if is_whole and isinstance(index, Ramp):
        low = wide(index.base)
        high = build.add(low, build.mul(wide(index.stride), Const(INT64, index.lanes - 1)))
        step = constant(index.stride)
        if step is None:
            return build.min_(low, high), build.max_(low, high)
        return (low, high) if step >= 0 else (high, low)
    lanes = shifted(index, ZERO)
    low, high = (build.select(predicate, lanes, limit) for limit in (limits.first, limits.last))
    return reduced("min", low), reduced("max", high)


def reduced(operator: str, value: Expr) -> Expr:
    """The lanes of a vector combined to one by an operator of VectorReduce."""
    return value if value.type.nlanes == 1 else VectorReduce(operator, value, 1)


def extreme(choose: Choice, indices: Iterable[Expr]) -> Expr:
    """The smallest or largest index; of those that differ by constants only one is compared with the others."""
    groups: dict[frozenset[tuple[Expr, int]], tuple[int, Expr]] = {}
    for index in indices:
        form = sum_of_terms(index)
        key = frozenset(form.terms.items())
        existing = groups.get(key)
        best = form.constant if existing is None else (min if choose is build.min_ else max)(form.constant, existing[0])
        if existing is None or best != existing[0]:
            groups[key] = (best, index)
    return reduce(choose, [index for _, index in groups.values()])
