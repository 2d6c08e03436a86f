"""Demand analysis: the conditions under which a stage needs the values that it reads.

    g(x) = select(x < 100 && p, f(x), 0), x in [0, 199]  -->  f is needed where p, over [0, 99]

Conditions on Params, sizes and coordinates count, those on values of Funcs and images do not. All results are upper
bounds: a value that is not needed may still be computed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from pipec.bounds.box import Box, box_of_accesses, union
from pipec.bounds.conditions import inequalities, is_likely, likely, negation, plain_conjuncts, possible
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.linear import from_linear
from pipec.ir import build
from pipec.ir.expr import FALSE, TRUE, And, Expr, FuncCall, ImageCall, Load, Not, Or, Select, Variable
from pipec.ir.node import Node
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder
from pipec.lower.planning.level_intervals import RegionView, interval_lookup
from pipec.lower.planning.nest import ROOT_LEVEL, Level, LoopNest
from pipec.lower.planning.plan import LoweringPlan

Coordinates = tuple[Expr, ...]

# Alternatives of a demand: one with more counts as always needed.
_MAX_ALTERNATIVES = 8


def conditional_calls(nest: LoopNest) -> dict[str, list[tuple[Coordinates, Expr]]]:
    """Returns the coordinates and the demand of each call of the Funcs that a nest does not always need."""
    roots = [*nest.args, *nest.values]
    order = list(postorder(*roots, *_unconditional(nest)))
    if not nest.func_calls or not (nest.predicate is not TRUE or any(isinstance(node, Select) for node in order)):
        return {}
    # The nodes that contain calls, children first.
    calling: dict[Node, None] = {}
    for node in order:
        if isinstance(node, FuncCall) or not calling.keys().isdisjoint(node.children()):
            calling[node] = None
    demands: dict[Node, Expr] = dict.fromkeys(roots, _invariant_part(nest))
    demands |= dict.fromkeys(_unconditional(nest), TRUE)
    calls: dict[str, list[tuple[Coordinates, Expr]]] = {}
    for node in reversed(calling):
        demand = demands[node]
        if isinstance(node, FuncCall):
            calls.setdefault(node.name, []).append((node.args, demand))
        for child, condition in _operands(node):
            if child in calling:
                demands[child] = build.or_(demands.get(child, FALSE), build.and_(demand, condition))
    return {name: own for name, own in calls.items() if any(demand is not TRUE for _, demand in own)}


def _unconditional(nest: LoopNest) -> list[Expr]:
    """The expressions of a nest that are evaluated in every iteration, whatever the predicate of the stage."""
    return [*nest.effects, *nest.guards()]


def _invariant_part(nest: LoopNest) -> Expr:
    """The conjuncts of the stage's predicate that are the same in all iterations: loops have the others as limits."""
    own = {item.name for item in nest.items if hasattr(item, "name")}
    return build.all_of(e for e in plain_conjuncts(_decidable(nest.predicate, True)) if not own & free_variables(e))


def _operands(node: Node) -> list[tuple[Node, Expr]]:
    """The operands of a node, each with the condition under which the value of the node depends on it."""
    if isinstance(node, Select) and not (is_likely(node.true_value) or is_likely(node.false_value)):
        holds, fails = _decidable(node.condition, True), _decidable(node.condition, False)
        return [(node.condition, TRUE), (node.true_value, holds), (node.false_value, fails)]
    if isinstance(node, (And, Or)):
        decisive = isinstance(node, And)
        return [(node.a, _decidable(node.b, decisive)), (node.b, _decidable(node.a, decisive))]
    return [(child, TRUE) for child in node.children()]


def _decidable(condition: Expr, value: bool) -> Expr:
    """The part of `condition == value` that depends on no values of Funcs and images; TRUE if there is none."""

    def part(e: Expr, value: bool) -> Expr:
        if any(isinstance(node, (FuncCall, ImageCall, Load)) for node in postorder(e)):
            return TRUE
        return e if value else negation(e)

    return _by_operands(condition, value, part)


def _by_operands(condition: Expr, value: bool, of: Callable[[Expr, bool], Expr]) -> Expr:
    """`condition == value` with `of(e, v)` in the place of each `e == v` that it is made of by `&`, `|` and `~`."""
    # Conditions share parts: without this the time would double with each of them.
    done: dict[tuple[Expr, bool], Expr] = {}

    def visit(e: Expr, value: bool) -> Expr:
        key = e, value
        result = done.get(key)
        if result is None:
            if isinstance(e, Not):
                result = visit(e.value, not value)
            elif isinstance(e, (And, Or)):
                combine = build.and_ if isinstance(e, And) == value else build.or_
                result = combine(visit(e.a, value), visit(e.b, value))
            else:
                result = of(e, value)
            done[key] = result
        return result

    return visit(condition, value)


def needed_by(plan: LoweringPlan, nest: LoopNest, name: str, level: Level) -> Expr:
    """Returns a condition, in terms of names at `level`, that holds wherever a nest needs a value of Func `name`."""
    calls = nest.conditional_calls.get(name)
    if calls is None:
        return TRUE
    return build.any_of(
        _Region(plan, level, conjuncts).is_possible()
        for demand in dict.fromkeys(demand for _, demand in calls)
        for conjuncts in _alternatives(demand)
    )


def needed_box(plan: LoweringPlan, nest: LoopNest, name: str, level: Level) -> Box | None:
    """Returns the box of Func `name` that a nest needs, seen from `level`. It may be empty, with ends in any order."""
    accesses: dict[Expr, list[Coordinates]] = {}
    for args, demand in nest.conditional_calls[name]:
        accesses.setdefault(demand, []).append(args)
    regions = [
        (_Region(plan, level, conjuncts), calls)
        for demand, calls in accesses.items()
        for conjuncts in _alternatives(demand)
    ]
    is_exact = len(regions) <= _MAX_ALTERNATIVES
    total: Box | None = None
    reached: Expr = FALSE
    for region, calls in regions:
        box = box_of_accesses(calls, region.analysis)
        if box is None:
            continue
        holds = region.is_possible() if is_exact else TRUE
        if total is not None:
            both = union([total, box]) or ()
            box = select_box(holds, select_box(reached, both, box), total)
        total, reached = box, build.or_(reached, holds)
    return total


def select_box(condition: Expr, box: Box, other: Box) -> Box:
    """Returns `box` where the condition holds, `other` elsewhere."""

    def end(a: Expr | None, b: Expr | None) -> Expr | None:
        return None if a is None or b is None else build.select(condition, a, b)

    return tuple([Interval(end(a.low, b.low), end(a.high, b.high)) for a, b in zip(box, other, strict=True)])


def may_hold(plan: LoweringPlan, condition: Expr, level: Level) -> Expr:
    """Returns a condition, in terms of names at `level`, that holds wherever `condition` may hold inside it."""
    lookup = interval_lookup(plan, level, RegionView.REQUIRED)

    def part(e: Expr, value: bool) -> Expr:
        if all(lookup(name) is None for name in free_variables(e)):
            return e if value else negation(e)
        holds = possible(e, value, plan.analysis(level, RegionView.REQUIRED).of)
        return TRUE if holds is None else holds

    return _by_operands(condition, True, part)


def _alternatives(demand: Expr) -> list[list[Expr]]:
    """The demand as lists of conjuncts, of which one holds; one empty list for a demand with too many."""
    done: dict[Expr, list[list[Expr]]] = {}

    def visit(e: Expr) -> list[list[Expr]]:
        lists = done.get(e)
        if lists is None:
            if isinstance(e, Or):
                lists = visit(e.a) + visit(e.b)
            elif isinstance(e, And):
                lists = [list(dict.fromkeys(a + b)) for a, b in product(visit(e.a), visit(e.b))]
            else:
                lists = [[] if e is TRUE else [e]]
            lists = done[e] = lists if len(lists) <= _MAX_ALTERNATIVES else [[]]
        return lists

    return visit(demand)


class _Region:
    """The iterations inside a level where some conditions hold; `analysis` has the intervals of expressions there."""

    def __init__(self, plan: LoweringPlan, level: Level, conjuncts: list[Expr]) -> None:
        self.plan, self.level = plan, level
        self.lookup = interval_lookup(plan, level, RegionView.REQUIRED)
        self.whole = plan.analysis(level, RegionView.REQUIRED)
        self.limits: dict[str, Interval] = {}
        self.conjuncts = conjuncts
        for condition in conjuncts:
            for form in inequalities(condition) or ():
                for atom, factor in form.terms.items():
                    if isinstance(atom, Variable) and atom.type is INT32:
                        self._limit(atom, factor, from_linear(form.without(atom), INT32))
        self.analysis = IntervalAnalysis(lambda name: self.limits.get(name) or self.lookup(name), plan.value_ranges.of)

    def _limit(self, variable: Variable, factor: int, rest: Expr) -> None:
        """Adds what follows from factor * variable + rest >= 0."""
        interval = self.limits.get(variable.name) or self.lookup(variable.name)
        largest = self.whole.of(rest).high
        if interval is None or largest is None:
            return
        if factor > 0:
            limit = Interval(build.sub(0, build.div(largest, factor)), None)
        else:
            limit = Interval(None, build.div(largest, -factor))
        if self.level != ROOT_LEVEL and interval.bounded:
            low, high = interval.ends
            interval = Interval(low if limit.low is None else likely(low), high if limit.high is None else likely(high))
        self.limits[variable.name] = interval.intersection(limit)

    def is_possible(self) -> Expr:
        """Whether there may be such iterations, in terms of names at the level."""
        ends = [interval.ends for interval in self.limits.values() if interval.bounded]
        inside = build.all_of(build.le(low, high) for low, high in ends)
        holds = build.all_of(may_hold(self.plan, e, self.level) for e in self.conjuncts)
        return self.plan.simplifier(build.and_(inside, holds))
