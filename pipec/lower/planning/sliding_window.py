"""Sliding window: a Func stored outside the loop it is computed in computes only what earlier iterations did not.

for y: f over [y - 1, y + 1]  -->  for y: f over [select(y == first, y - 1, y + 1), y + 1]
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.conditions import likely, unmarked
from pipec.ir.expr import GE, GT, LE, LT, Expr, Select, variable
from pipec.ir.linear import linear
from pipec.ir.simplify import simplify
from pipec.ir.stmt import LoopKind
from pipec.ir.walk import free_variables, postorder, rewrite, substitute
from pipec.lower.planning.loop_dependence import Motion
from pipec.lower.planning.plan import FuncPlan, GuardItem, LetItem, LoopItem, Nest, Plan, SharedItem, bound_symbols
from pipec.lower.planning.stage_shape import is_pure_arg

# Of this many there are eight cases to look at.
_MOST_CONDITIONS = 3


def slide(plan: Plan, func: FuncPlan) -> None:
    """Raises the lower bounds (or lowers the upper ones) of `func` along the serial loops between its sites."""
    if func.store == func.compute or func.is_output:
        return
    loops = [loop for loop, _ in plan.enclosing_loops(func.store, func.compute)]
    for loop in loops:
        if loop.kind in (LoopKind.SERIAL, LoopKind.UNROLLED) and _repeats(plan, func, loop):
            _slide_along(plan, func, loop)
    if func.slid:
        _confine(plan, func, loops)


def _confine(plan: Plan, func: FuncPlan, loops: list[LoopItem]) -> None:
    """Guards stages whose splits reach beyond their interval, into values that earlier iterations left for later ones.

    What is computed there may come from producers that hold nothing right so far out.
    """
    for dimension, interval in enumerate(func.required):
        if not any(plan.motion(loop).sign(end) != 0 for loop in loops for end in interval if end is not None):
            continue
        for nest in func.nests:
            if not _overreaches(nest, dimension, lambda item: _comes_out_even(plan, item, loops)):
                continue
            var, coordinate = func.definition.args[dimension], nest.args[dimension]
            low, high = bound_symbols(func.definition, func.schedule, nest.stage, var)
            assert low is not None and high is not None
            nest.items.append(GuardItem(build.and_(build.ge(coordinate, low), build.le(coordinate, high))))


def _repeats(plan: Plan, func: FuncPlan, loop: LoopItem) -> bool:
    """Whether every place where `func` is computed in an iteration was also reached in the iteration before.

    Loops further in whose bounds move, and conditions that hold only later, would leave values out.
    """
    motion = plan.motion(loop)
    for nest, position in plan.chain(func.compute).items():
        for item in nest.items[: position + 1]:
            if isinstance(item, LoopItem) and item is not loop:
                if motion.sign(item.minimum) != 0 or motion.sign(item.extent) != 0:
                    return False
            elif isinstance(item, GuardItem) and not _held_before(item.condition, motion):
                return False
    return True


def _held_before(condition: Expr, motion: Motion) -> bool:
    """Whether a condition that holds in one iteration held in the one before."""
    condition = unmarked(condition)
    if motion.sign(condition) == 0:
        return True
    if isinstance(condition, (LE, LT)):
        return motion.sign(build.sub(condition.b, condition.a)) in (0, -1)
    if isinstance(condition, (GE, GT)):
        return motion.sign(build.sub(condition.a, condition.b)) in (0, -1)
    return False


def _slide_along(plan: Plan, func: FuncPlan, loop: LoopItem) -> None:
    motion = plan.motion(loop)
    dims = []
    for dimension, interval in enumerate(func.required):
        assert interval.low is not None and interval.high is not None
        signs = (motion.sign(interval.low), motion.sign(interval.high))
        if signs != (0, 0):
            dims.append((dimension, signs))
    if len(dims) != 1:
        return
    ((dimension, signs),) = dims
    if None in signs or not pure_in_every_stage(func, dimension) or _unwanted(plan, func, loop, dimension):
        return
    if func.nests[-1].stage > 0 and any(_overreaches(nest, dimension) for nest in func.nests):
        # What a split computes beyond its interval would start again values that are finished already.
        return
    low_sign, high_sign = signs
    assert low_sign is not None and high_sign is not None
    if low_sign >= 0 and high_sign > 0:
        _advance(plan, func, loop, dimension, forward=True)
    elif high_sign <= 0 and low_sign < 0:
        _advance(plan, func, loop, dimension, forward=False)


def _unwanted(plan: Plan, func: FuncPlan, loop: LoopItem, dimension: int) -> bool:
    """Whether splits of other loops that round up take the interval to values that nobody wants in one iteration.

    Producers may hold nothing right for these, which a later iteration may want all the same.
    """
    low, high = func.required[dimension]
    assert low is not None and high is not None
    for nest, position in plan.chain(func.compute).items():
        others = [item for item in nest.items[: position + 1] if isinstance(item, LoopItem) and item is not loop]
        for item in nest.items:
            if not isinstance(item, LetItem) or not _rounds(item) or plan.motion(loop).moves(item.name):
                continue
            moving = [plan.motion(other) for other in others if plan.motion(other).moves(item.name)]
            if any(motion.sign(end) != 0 for motion in moving for end in (low, high)):
                return True
    return False


def _advance(plan: Plan, func: FuncPlan, loop: LoopItem, dimension: int, forward: bool) -> None:
    if dimension in func.slid:
        return
    simplify, motion = plan.simplifier, plan.motion(loop)
    interval = func.required[dimension]
    low, high = interval
    assert low is not None and high is not None
    own = variable(loop.name)
    previous = {loop.name: build.sub(own, 1)}
    done = substitute(motion.expanded(high if forward else low), previous)
    if forward:
        start = simplify(build.add(done, 1))
        first = motion.expanded(low)
        if not plan.simplifier.ranges.proves_at_least(start, first):
            start = build.max_(first, start)
    else:
        start = simplify(build.sub(done, 1))
        first = motion.expanded(high)
        if not plan.simplifier.ranges.proves_at_least(first, start):
            start = build.min_(first, start)
    later = likely(build.gt(own, loop.minimum))
    moved = build.select(later, start, low if forward else high)
    func.slid[dimension] = loop
    # The last stage comes first in the list; the other stages are bounded by it.
    let = func.bound_lets[2 * dimension + (0 if forward else 1)]
    plan.unslid[let.name] = let.value
    let.value = func.alignment(-1, dimension).cell(moved)


def _overreaches(nest: Nest, dimension: int, harmless: Callable[[LetItem], bool] = lambda item: False) -> bool:
    """Whether splits other than harmless ones may take a stage outside of its interval in `dimension`."""
    names = set(free_variables(nest.args[dimension]))
    for item in reversed(nest.items):
        if isinstance(item, LetItem) and item.name in names:
            if _rounds(item) and not harmless(item):
                return True
            names |= free_variables(item.value)
    return False


def _rounds(item: LetItem) -> bool:
    """Whether a split adds values to those that it is there for."""
    guarded = item.limit is not None or isinstance(item, SharedItem)
    return item.wanted is not None and item.span is None and not guarded


def _comes_out_even(plan: Plan, item: LetItem, loops: list[LoopItem]) -> bool:
    """Whether the number of values that a split is there for is a multiple of its factor, in all iterations."""
    factor = None if item.factor is None else constant(item.factor)
    if not factor or item.wanted is None or item.wanted.low is None or item.wanted.high is None:
        return False
    size = build.add(build.sub(item.wanted.high, item.wanted.low), 1)
    for loop in loops:
        size = plan.motion(loop, slid=True).expanded(size)
    forms = [linear(case) for case in _cases(size)]
    numbers = [number for form in forms for number in (form.constant, *form.terms.values())]
    return bool(forms) and all(number % factor == 0 for number in numbers)


def _cases(e: Expr) -> list[Expr]:
    """What `e` is for all choices of the selects in it, or nothing when there are too many."""
    conditions = list(dict.fromkeys(node.condition for node in postorder(e) if isinstance(node, Select)))
    if len(conditions) > _MOST_CONDITIONS:
        return []
    found = []
    for choices in product((True, False), repeat=len(conditions)):
        chosen = dict(zip(conditions, choices, strict=True))

        def choose(node: Any, chosen: dict[Expr, bool] = chosen) -> Any:
            # Conditions may have selects inside as well: those are not known, and neither is what depends on them.
            if not isinstance(node, Select) or node.condition not in chosen:
                return node
            return node.true_value if chosen[node.condition] else node.false_value

        found.append(simplify(rewrite(e, choose)))
    return found


def pure_in_every_stage(func: FuncPlan, dimension: int) -> bool:
    """Whether every stage writes, and reads of the Func itself, only its own coordinate in `dimension`."""
    name, var = func.definition.name, func.definition.args[dimension]
    for nest in func.nests:
        if not is_pure_arg(func.definition.stages[nest.stage].args[dimension], var):
            return False
        own = nest.args[dimension]
        if any(access[dimension] is not own for access in nest.func_calls.get(name, [])):
            return False
    return True
