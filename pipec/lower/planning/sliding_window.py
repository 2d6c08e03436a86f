"""Sliding windows: a Func stored outside the loop it is computed in computes only what earlier iterations did not.

for y: f over [y - 1, y + 1]  -->  for y: f over [select(y == first, y - 1, y + 1), y + 1]
"""

from __future__ import annotations

from collections.abc import Callable

from pipec.bounds.conditions import likely, unmarked
from pipec.bounds.linear import linear
from pipec.bounds.simplify import values_of_selects
from pipec.func.functions.definition import is_pure_arg
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import GE, GT, LE, LT, Expr, variable
from pipec.ir.stmt import LoopKind
from pipec.ir.walk import free_variables, substitute
from pipec.lower.planning.compute_levels import may_skip
from pipec.lower.planning.level_intervals import LoopDependence
from pipec.lower.planning.names import bound_symbols
from pipec.lower.planning.nest import FusedLet, GuardItem, LetItem, LoopItem, LoopNest
from pipec.lower.planning.plan import FuncPlan, LoweringPlan


def slide(plan: LoweringPlan, func: FuncPlan) -> None:
    """Raises the lower bound of `func`, or lowers the upper one, along each serial loop between its levels."""
    if func.store_level == func.compute_level or func.is_output:
        return
    loops = [loop for loop, _ in plan.enclosing_loops(func.store_level, func.compute_level)]
    for depth, loop in enumerate(loops):
        if loop.kind not in (LoopKind.SERIAL, LoopKind.UNROLLED) or _overwrites(plan, func, loops[depth + 1 :]):
            continue
        if _repeats(plan, func, loop):
            _slide_along(plan, func, loop, [other for other in loops if other is not loop])
    if func.sliding_loops:
        _confine(plan, func, loops, loops)
    elif func.shared_loops:
        # The first iteration of a loop around moves the interval, and all others use what is left of its values.
        _confine(plan, func, loops, loops[loops.index(func.shared_loops[0]) + 1 :])


def _confine(plan: LoweringPlan, func: FuncPlan, loops: list[LoopItem], moving: list[LoopItem]) -> None:
    """Guards stages whose splits reach beyond their interval, where earlier iterations computed values for later ones.

    Such values would be overwritten with wrong ones, because producers are not computed beyond the interval.
    `moving`: the loops that move the interval to where such values are.
    """
    for dimension, interval in enumerate(func.required):
        if not any(plan.dependence(loop).direction(end) != 0 for loop in moving for end in interval if end is not None):
            continue
        for nest in func.nests:
            if not _overreaches(nest, dimension, lambda item: _splits_evenly(plan, item, loops)):
                continue
            var, coordinate = func.definition.args[dimension], nest.args[dimension]
            low, high = bound_symbols(func.definition, func.schedule, nest.stage, var).ends
            nest.items.append(GuardItem(build.and_(build.ge(coordinate, low), build.le(coordinate, high))))


def _overwrites(plan: LoweringPlan, func: FuncPlan, loops: list[LoopItem]) -> bool:
    """Returns whether iterations of `loops` overwrite values that others of them have finished.

    Updates that use other places of a dimension than their own start stages there that the last one does not reach:
    for x: f[x] over [x, x], its first stage over [min(x, 0), max(x, 0)].
    """
    for dimension, interval in enumerate(func.required):
        varies = any(plan.dependence(loop).direction(end) != 0 for loop in loops for end in interval.ends)
        if varies and not pure_in_every_stage(func, dimension):
            return True
    return False


def _repeats(plan: LoweringPlan, func: FuncPlan, loop: LoopItem) -> bool:
    """Returns whether each iteration computes `func` wherever the next one does.

    Inner loops whose bounds depend on the loop, and conditions that become true later, leave values out.
    """
    dependence = plan.dependence(loop)
    for nest, position in plan.chain(func.compute_level).items():
        for item in nest.items[: position + 1]:
            if isinstance(item, LoopItem) and item is not loop:
                if dependence.direction(item.minimum) != 0 or dependence.direction(item.extent) != 0:
                    return False
            elif isinstance(item, GuardItem) and not _holds_before(item.condition, dependence):
                return False
    return True


def _holds_before(condition: Expr, dependence: LoopDependence) -> bool:
    """Returns whether a condition that holds in one iteration also holds in the one before."""
    condition = unmarked(condition)
    if dependence.direction(condition) == 0:
        return True
    if isinstance(condition, (LE, LT)):
        return dependence.direction(build.sub(condition.b, condition.a)) in (0, -1)
    if isinstance(condition, (GE, GT)):
        return dependence.direction(build.sub(condition.a, condition.b)) in (0, -1)
    return False


def _slide_along(plan: LoweringPlan, func: FuncPlan, loop: LoopItem, others: list[LoopItem]) -> None:
    """Slides the only dimension that depends on the loop, if it moves in one direction and that is safe.

    `others`: the other loops between the levels of `func`.
    """
    dependence = plan.dependence(loop)
    dims = []
    for dimension, interval in enumerate(func.required):
        low, high = (dependence.direction(end) for end in interval.ends)
        if (low, high) != (0, 0):
            dims.append((dimension, low, high))
    if not dims and may_skip(plan, func):
        # All iterations need the same values: the first one computes them.
        is_first = build.le(variable(loop.name), loop.minimum)
        func.compute_predicate = build.and_(func.compute_predicate, is_first)
        func.shared_loops.append(loop)
    if len(dims) != 1:
        return
    ((dimension, low, high),) = dims
    if low is None or high is None or not pure_in_every_stage(func, dimension):
        return
    if _rounds_beyond(plan, func, loop, others, dimension):
        return
    if func.nests[-1].stage > 0 and any(_overreaches(nest, dimension) for nest in func.nests):
        # Values that a split adds would be initialized again after their updates.
        return
    if low >= 0 and high > 0:
        _advance(plan, func, loop, dimension, forward=True)
    elif high <= 0 and low < 0:
        _advance(plan, func, loop, dimension, forward=False)


def _rounds_beyond(plan: LoweringPlan, func: FuncPlan, loop: LoopItem, others: list[LoopItem], dimension: int) -> bool:
    """Returns whether splits of other loops that round up extend the interval by values that are not needed.

    Such values may be wrong, because producers need not be computed for them, but later iterations would use them.
    Iterations of loops around the storage have no values in common.
    """
    ends = func.required[dimension].ends
    for nest in plan.chain(func.compute_level):
        for item in nest.items:
            if not isinstance(item, LetItem) or not _rounds(item) or plan.dependence(loop).varies(item.name):
                continue
            moving = [plan.dependence(other) for other in others if plan.dependence(other).varies(item.name)]
            if any(dependence.direction(end) != 0 for dependence in moving for end in ends):
                return True
    return False


def _advance(plan: LoweringPlan, func: FuncPlan, loop: LoopItem, dimension: int, forward: bool) -> None:
    """Computes only what lies after (`forward`) or before the window of the previous iteration."""
    if dimension in func.sliding_loops:
        return
    simplify, dependence = plan.simplifier, plan.dependence(loop)
    low, high = func.required[dimension].ends
    own = variable(loop.name)
    previous = {loop.name: build.sub(own, 1)}
    computed = substitute(dependence.expanded(high if forward else low), previous)
    start = simplify(build.add(computed, 1 if forward else -1))
    first = dependence.expanded(low if forward else high)
    if plan.simplifier.ranges.proves_at_least(*((first, start) if forward else (start, first))):
        # Windows of successive iterations have nothing in common.
        return
    if not plan.simplifier.ranges.proves_at_least(*((start, first) if forward else (first, start))):
        start = (build.max_ if forward else build.min_)(first, start)
    later = likely(build.gt(own, loop.minimum))
    moved = build.select(later, start, low if forward else high)
    func.sliding_loops[dimension] = loop
    # The last stage comes first in the list; the other stages are bounded by it.
    let = func.bound_lets[2 * dimension + (0 if forward else 1)]
    plan.unslid[let.name] = let.value
    plan.bound_values.clear()
    let.value = func.alignment(-1, dimension).cell(moved)


def _overreaches(nest: LoopNest, dimension: int, is_harmless: Callable[[LetItem], bool] = lambda item: False) -> bool:
    """Returns whether splits other than harmless ones may extend a stage beyond its interval in `dimension`."""
    names = set(free_variables(nest.args[dimension]))
    for item in reversed(nest.items):
        if isinstance(item, LetItem) and item.name in names:
            if _rounds(item) and not is_harmless(item):
                return True
            names |= free_variables(item.value)
    return False


def _rounds(item: LetItem) -> bool:
    """Returns whether a split may add values to its domain."""
    is_guarded = item.upper_limit is not None or isinstance(item, FusedLet)
    return item.domain is not None and item.extremes is None and not is_guarded


def _splits_evenly(plan: LoweringPlan, item: LetItem, loops: list[LoopItem]) -> bool:
    """Returns whether the size of a split's domain is a multiple of its factor in all iterations."""
    factor = None if item.factor is None else constant(item.factor)
    if not factor or item.domain is None or not item.domain.bounded:
        return False
    size = item.domain.extent
    for loop in loops:
        size = plan.dependence(loop, slid=True).expanded(size)
    forms = [linear(case) for case in values_of_selects(size)]
    return bool(forms) and all(form.is_multiple_of(int(factor)) for form in forms)


def pure_in_every_stage(func: FuncPlan, dimension: int) -> bool:
    """Returns whether every stage writes, and reads of the Func itself, only its own coordinate in `dimension`."""
    name, var = func.definition.name, func.definition.args[dimension]
    for nest in func.nests:
        if not is_pure_arg(func.definition.stages[nest.stage].args[dimension], var):
            return False
        own = nest.args[dimension]
        if any(access[dimension] is not own for access in nest.func_calls.get(name, [])):
            return False
    return True
