"""Intervals of names as seen from a level: loops inside it range over all their iterations.

for x from 0 for 8: let y = 8 * o + x  -->  seen from outside the loop over x: y in [8 * o, 8 * o + 7]
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pipec.bounds.conditions import likely
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.linear import linear
from pipec.bounds.monotonic import Monotonicity
from pipec.bounds.simplify import simplify
from pipec.ir import build
from pipec.ir.expr import Expr, Max, Min
from pipec.ir.node import Node
from pipec.ir.walk import compute_bottom_up, free_variables, substitute
from pipec.lower.planning.nest import FusedLet, LetItem, Level, LoopItem, LoopNest

if TYPE_CHECKING:
    from pipec.lower.planning.plan import LoweringPlan, ScopedSymbol


Chain = Mapping[LoopNest, int]


class RegionView(enum.Enum):
    """The values that a region has to cover."""

    REQUIRED = "those that must be right, without what splits add"
    ACCESSED = "all that are accessed"
    UNSLID = "all that would be accessed if each iteration computed everything it needs"


def interval_lookup(plan: LoweringPlan, level: Level, view: RegionView) -> Callable[[str], Interval | None]:
    """Returns a function from names to their intervals as seen from `level`; None for names that are in scope there."""
    chain = plan.chain(level)

    def lookup(name: str) -> Interval | None:
        symbol = plan.symbols.get(name)
        if symbol is None or _in_scope(symbol.level, chain):
            return None
        analysis = plan.analysis(level, view)
        if view is RegionView.UNSLID and name in plan.unslid:
            return analysis.of(plan.unslid[name])
        if view is RegionView.REQUIRED:
            domain = _required_values(plan, symbol, level, chain, analysis)
        else:
            domain = _evenly_split_domain(plan, symbol, chain)
        if domain is not None:
            low, high = domain.ends
            return Interval(analysis.of(low).low, analysis.of(high).high)
        interval = _near_domain(plan, symbol, chain, analysis, _range_of(plan, symbol.item, analysis, chain))
        return interval if interval.bounded else _queried_range(plan, symbol.item, interval, level)

    return lookup


def _queried_range(plan: LoweringPlan, item: LoopItem | LetItem, interval: Interval, level: Level) -> Interval:
    """Returns the interval of a bound that is a query inside `level`: what the query at `level` returns."""
    if isinstance(item, LoopItem) or item.bound_of is None or plan.required_box is None:
        return interval
    if not any(query.defines(name) for query in plan.all_queries() for name in free_variables(item.value)):
        return interval
    func, dimension, _ = item.bound_of
    low, high = map(plan.funcs[func].alignment(-1, dimension).cell, plan.required_box(func, level)[dimension].ends)
    return Interval(interval.low or low, interval.high or high)


def _required_values(
    plan: LoweringPlan, symbol: ScopedSymbol, level: Level, chain: Chain, analysis: IntervalAnalysis
) -> Interval | None:
    """Returns the values of a let that must be right, as seen from `level`; None: all that it takes."""
    item = symbol.item
    if isinstance(item, LoopItem):
        return None
    if item.bound_of is not None and plan.required_box is not None:
        func, dimension, end = item.bound_of
        low, high = plan.required_box(func, level)[dimension].ends
        cell = plan.funcs[func].alignment(-1, dimension).cell
        # The first coordinate is at most the last one of the whole range: sums of both would count the extent twice.
        whole = _range_of(plan, item, analysis, chain)
        if end == "min":
            return Interval(cell(low), whole.high if whole.high is not None else cell(high))
        return Interval(whole.low if whole.low is not None else cell(low), cell(high))
    return item.domain if item.domain is not None and _varies_fully(plan, symbol, chain) else None


def _evenly_split_domain(plan: LoweringPlan, symbol: ScopedSymbol, chain: Chain) -> Interval | None:
    """Returns the values of a let whose split adds none to its domain, in whatever order its loops run."""
    item = symbol.item
    if isinstance(item, LoopItem) or item.domain is None or item.factor is None:
        return None
    factor = build.constant(item.factor)
    if factor is None or factor <= 0 or not _varies_fully(plan, symbol, chain):
        return None
    size = item.domain.extent
    is_even = linear(size).is_multiple_of(int(factor)) or linear(_without_bounds(plan, size)).is_multiple_of(
        int(factor)
    )
    return item.domain if is_even else None


def _near_domain(
    plan: LoweringPlan, symbol: ScopedSymbol, chain: Chain, analysis: IntervalAnalysis, interval: Interval
) -> Interval:
    """Returns the part of the range of a let that its split can reach: less than a block beyond its domain.

    The range alone counts the size of a domain that moves with loops inside the level once for each end.
    """
    item = symbol.item
    if isinstance(item, LoopItem | FusedLet) or item.domain is None or item.factor is None:
        return interval
    if not any(_varies(plan, end, chain) for end in item.domain.ends):
        return interval
    if not _varies_fully(plan, symbol, chain):
        return interval
    low, high = item.domain.ends
    block = build.sub(item.factor, 1)
    reached = Interval(analysis.of(build.sub(low, block)).low, analysis.of(build.add(high, block)).high)
    return interval.intersection(reached)


def _without_bounds(plan: LoweringPlan, e: Expr) -> Expr:
    """Returns `e` with the bounds of regions replaced by their values, until it mentions none.

    Both ends of a region vary with the same loops: only their values tell that its size is constant, or a multiple.
    """
    values = plan.bound_values

    def operands(name: str) -> Iterable[str]:
        return _bounds_in(plan, _value_of_bound(plan, name))

    def expand(e: Expr) -> Expr:
        return simplify(substitute(e, {name: values[name] for name in _bounds_in(plan, e)}))

    def compute(name: str) -> None:
        values[name] = expand(_value_of_bound(plan, name))

    for name in _bounds_in(plan, e):
        compute_bottom_up(name, values.__contains__, compute, operands)
    return expand(e)


def _bounds_in(plan: LoweringPlan, e: Expr) -> list[str]:
    """Returns the bounds of regions, other than those of sliding windows, that `e` mentions."""
    symbols = [(name, plan.symbols.get(name)) for name in free_variables(e) if name not in plan.unslid]
    return [name for name, symbol in symbols if symbol is not None and _is_bound(symbol.item)]


def _is_bound(item: LoopItem | LetItem) -> bool:
    return isinstance(item, LetItem) and item.is_bound


def _value_of_bound(plan: LoweringPlan, name: str) -> Expr:
    item = plan.symbols[name].item
    assert isinstance(item, LetItem)
    return item.value


def _varies_fully(plan: LoweringPlan, symbol: ScopedSymbol, chain: Chain) -> bool:
    """Returns whether all loops of its own nest that a let depends on are inside the level that `chain` leads to."""
    if _in_scope(symbol.level, chain):
        return False
    if isinstance(symbol.item, LoopItem):
        return True
    operands = (plan.symbols.get(name) for name in free_variables(symbol.item.value))
    own = (other for other in operands if other is not None and _same_stage(other.level.nest, symbol.level.nest))
    return all(_varies_fully(plan, other, chain) for other in own)


def _varies(plan: LoweringPlan, e: Expr, chain: Chain) -> bool:
    """Returns whether an expression mentions names that are not in scope at the level that `chain` leads to."""
    symbols = [plan.symbols.get(name) for name in free_variables(e)]
    return any(symbol is not None and not _in_scope(symbol.level, chain) for symbol in symbols)


def _in_scope(level: Level, chain: Chain) -> bool:
    return level.nest is None or (level.nest in chain and level.position <= chain[level.nest])


def _same_stage(outer: LoopNest | None, nest: LoopNest | None) -> bool:
    """Returns whether `outer` is `nest` itself or holds fused loops around it."""
    while nest is not None and nest is not outer:
        nest = nest.around()
    return nest is not None


def _range_of(plan: LoweringPlan, item: LoopItem | LetItem, analysis: IntervalAnalysis, chain: Chain) -> Interval:
    """Returns all values that the name of an item takes."""
    if isinstance(item, FusedLet):
        # The fused loop is outside, and most of its iterations belong to the stage.
        low, high = analysis.of(item.value)
        if item.first is not None and low is not None:
            low = simplify(Max(likely(low), item.first))
        if item.last is not None and high is not None:
            high = simplify(Min(likely(high), item.last))
        return _limited(Interval(low, high), item, analysis)
    if isinstance(item, LetItem):
        if item.extremes is not None:
            low, high = item.extremes.ends
            interval = Interval(analysis.of(low).low, analysis.of(high).high)
        else:
            interval = analysis.of(item.value)
        if item.upper_limit is not None:
            interval = interval.intersection(Interval(None, analysis.of(item.upper_limit).high))
        return interval
    last = item.last
    if build.constant(last) is None and _varies(plan, last, chain):
        whole = _without_bounds(plan, last)
        last = last if build.constant(whole) is None else whole
    return _limited(Interval(analysis.of(item.minimum).low, analysis.of(last).high), item, analysis)


def _limited(interval: Interval, item: LoopItem | FusedLet, analysis: IntervalAnalysis) -> Interval:
    """Returns the part of an interval that the limits of a loop variable leave."""
    for limit in item.lower_limits:
        interval = interval.intersection(Interval(analysis.of(limit).low, None))
    for limit in item.upper_limits:
        interval = interval.intersection(Interval(None, analysis.of(limit).high))
    return interval


class LoopDependence:
    """The dependence of expressions on the variable of loop `loop`, directly or through lets.

    `value_of` returns the value of a let, and None for all other names. `memos`: caches of storage folding, of
    expressions rewritten for the first iteration and for later ones.
    """

    def __init__(self, loop: str, value_of: Callable[[str], Expr | None]) -> None:
        self.loop = loop
        self.memos: tuple[dict[Node, Any], dict[Node, Any]] = ({}, {})
        self._value_of = value_of
        self._direction = Monotonicity(loop, value_of)
        self._varies: dict[str, bool] = {loop: True}
        self._expanded: dict[str, Expr] = {}

    def direction(self, e: Expr) -> int | None:
        """Returns 0 if `e` is invariant, 1 if it never decreases, -1 if it never increases, None if unknown."""
        return self._direction.of(e)

    def expanded(self, e: Expr) -> Expr:
        """Returns `e` with every let that depends on the loop replaced by its value."""
        names = [name for name in free_variables(e) if name != self.loop and self.varies(name)]
        for name in names:
            if name not in self._expanded:
                value = self._value_of(name)
                assert value is not None
                self._expanded[name] = self.expanded(value)
        return simplify(substitute(e, {name: self._expanded[name] for name in names})) if names else e

    def varies(self, name: str) -> bool:
        """Whether the value of a name depends on the loop."""
        if name not in self._varies:
            value = self._value_of(name)
            self._varies[name] = value is not None and any(map(self.varies, free_variables(value)))
        return self._varies[name]
