"""Clamped loads of lanes that are clamped nowhere, as a select or the predicate of the load itself demands.

    select(ramp < a || ramp > b, value, in[max(min(ramp, b), a)])
    -->
    select(ramp < a || ramp > b, value, in[ramp] where ramp >= a && ramp <= b)

So `constant_exterior` has them, and sums over the neighbours that exist. The condition says which lanes they are, so
that nothing is computed for the others. Ramps with a stride share vectors with their neighbours instead
(`clamped_loads.py`), which takes fewer loads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from pipec.bounds.conditions import MIRRORED, ORDERING, Relation, conjuncts, inequalities, is_likely, negation, parts
from pipec.bounds.linear import Linear, linear
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Add, Binary, Broadcast, Cast, Expr, Load, Max, Min, Not, Ramp, Select
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import Stmt
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import rewrite
from pipec.lower.vectorize.clamped_loads import ClampedIndex, clamped_index, levels

_LOADS = kinds_of(Load)


class Limit(NamedTuple):
    """A form that is at least 0 in the first lane, and what it gains from one lane to the next."""

    form: Linear
    step: int

    def implies(self, other: Limit) -> bool:
        """Whether the other form is at least 0 in each lane where this one is."""
        return self.step == other.step and other.form.is_at_least(self.form)


def load_taken_lanes(stmt: Stmt) -> Stmt:
    """`stmt` with loads of the lanes that selects and predicates take in place of clamped loads, where these imply the
    limits."""
    return rewrite(stmt, _with_guards, kinds=kinds_of(Select, Load))


def _with_guards(node: Node) -> Node:
    if isinstance(node, Load):
        return _taken(node, {})
    if not isinstance(node, Select) or node.condition.type.nlanes == 1:
        return node
    values = [_guarded(node.condition, True, node.true_value), _guarded(node.condition, False, node.false_value)]
    return Select(node.condition, *values)


def _guarded(condition: Expr, holds: bool, value: Expr) -> Node:
    """`value` where only lanes count in which the condition is `holds`."""
    clamped = [load for load in _loads_of_lanes(value) if load.type.nlanes > 1 and not isinstance(load.index, Ramp)]
    if not clamped:
        return value
    facts = _facts(condition, holds)
    loads: dict[Node, Load] = {load: taken for load in clamped if (taken := _taken(load, facts)) is not load}
    return _with_loads(value, loads, {}) if loads else value


def _facts(condition: Expr, holds: bool) -> dict[Expr, Limit]:
    """The limits of ramps that a condition states where it is `holds`."""
    orderings = [part if true else negation(part) for part, true in parts(condition, holds)]
    return {part: limit for part in orderings if (limit := _ordered(part)) is not None}


def _taken(load: Load, facts: Mapping[Expr, Limit]) -> Load:
    """The load of the lanes for which the facts hold, without the clamp if these and its predicate imply the limits."""
    is_masked = constant(load.predicate) != 1
    if not facts and not is_masked:
        return load
    index = clamped_index(Load(load.type, load.buffer, load.index, Broadcast(TRUE, load.type.nlanes)))
    if index is None or index.stride != 1:
        return load
    facts = {**facts, **_facts(load.predicate, True)}
    reasons = [_reason(facts, limit) for limit in _limits(index)]
    return load if None in reasons else _where(index, [part for part in (*reasons, load.predicate) if part is not None])


def _with_loads(e: Node, loads: Mapping[Node, Load], memo: dict[Node, Node]) -> Node:
    """`e` with other loads, but for what gives places or goes to other lanes: all of their lanes have to be right."""
    if isinstance(e, Load) or not _is_lanewise(e):
        return loads.get(e, e)
    if e not in memo:
        memo[e] = e.rebuild(lambda child: _with_loads(child, loads, memo))
    return memo[e]


def _is_lanewise(e: Node) -> bool:
    """Whether each lane is computed from the same lane of what the node is computed from."""
    return isinstance(e, (Binary, Cast, Not, Select)) or is_likely(e, innermost=True)


def _reason(facts: Mapping[Expr, Limit], limit: Limit) -> Expr | None:
    """A condition that implies a limit."""
    return next((condition for condition, fact in facts.items() if fact.implies(limit)), None)


def _loads_of_lanes(e: Expr) -> Iterator[Load]:
    """The loads each lane of which counts in the same lane of the expression, as a value."""
    stack: list[Node] = [e]
    visited: set[Node] = set()
    while stack:
        node = stack.pop()
        if node in visited or not node.kinds & _LOADS:
            continue
        visited.add(node)
        if isinstance(node, Load):
            yield node
        elif _is_lanewise(node):
            stack += node.children()


def _ordered(condition: Expr) -> Limit | None:
    """What the order of a ramp and a number that all lanes share says of the ramp; None for other conditions."""
    if not isinstance(condition, ORDERING) or condition.a.type.element_of() is not INT32:
        return None
    kind: Relation = type(condition)
    a, b = condition.a, condition.b
    if isinstance(a, Broadcast):
        kind, a, b = MIRRORED[kind], b, a
    if not isinstance(a, Ramp) or not isinstance(b, Broadcast) or constant(a.stride) != 1:
        return None
    forms = inequalities(kind(a.base, b.value))
    return Limit(forms[0], -1 if kind in ORDERING[:2] else 1) if forms else None


def _limits(index: ClampedIndex) -> Iterator[Limit]:
    """The limits of the clamp, from the innermost."""
    place = linear(index.ramp.base)
    for kind, scalar in reversed(list(levels(index.clamp))):
        amount = linear(scalar)
        if kind is Max:
            yield Limit(place.plus(amount, -1), 1)
        elif kind is Min:
            yield Limit(amount.plus(place, -1), -1)
        else:
            place = place.plus(amount, 1 if kind is Add else -1)


def _where(index: ClampedIndex, conditions: Sequence[Expr]) -> Load:
    """The load of the ramp itself in the lanes where all conditions hold."""
    load, place = index.load, build.add(index.ramp.base, index.shift)
    ramp = Ramp(build.add(index.offset, build.cast(INT64, place)), build.as_expr(1, INT64), index.ramp.lanes)
    limits = dict.fromkeys(conjunct for condition in conditions for conjunct in conjuncts(condition))
    return Load(load.type, load.buffer, ramp, reduce(build.and_, limits, load.predicate))
