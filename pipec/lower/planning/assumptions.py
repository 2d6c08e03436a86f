"""Assumptions: what a condition on Params and buffers implies where it holds or does not, and simplification with it.

p == 3 holds  -->  p is 3; p > 3 does not hold  -->  p <= 3
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pipec.bounds.conditions import MIRRORED, NEGATED, is_likely, unmarked
from pipec.bounds.ranges import EVERYTHING, IntegerRange, Ranges
from pipec.bounds.simplify import Simplifier
from pipec.ir.build import constant
from pipec.ir.expr import EQ, FALSE, GE, GT, LE, LT, NE, TRUE, And, Compare, Expr, Not, Or, ParameterRef
from pipec.ir.expr import Variable as Name
from pipec.ir.node import Node
from pipec.ir.walk import rewrite

# The comparisons of the same operands that a true comparison implies.
_IMPLIED: dict[type[Compare], tuple[type[Compare], ...]] = {EQ: (LE, GE), LT: (LE, NE), GT: (GE, NE)}


class Assumptions:
    """Truths of conditions, values and ranges of Params and of properties of buffers. Immutable.

    `values`: those of names that are fixed.
    """

    def __init__(
        self, truths: Mapping[Expr, Expr], values: Mapping[str, Expr], ranges: Mapping[str, IntegerRange]
    ) -> None:
        self._truths = truths
        self.values = values
        self._ranges = ranges
        self._memo: dict[Node, Expr] = {}

    def __bool__(self) -> bool:
        return bool(self._truths or self.values)

    @cached_property
    def _simplify(self) -> Simplifier:
        return Simplifier(Ranges(self._ranges))

    def apply(self, e: Expr) -> Expr:
        """Returns `e` simplified under the assumptions."""
        if not self:
            return e

        def change(node: Expr) -> Expr:
            if isinstance(node, (Name, ParameterRef)):
                return self.values.get(node.name, self._truths.get(node, node))
            return self._truths.get(node, node)

        return self._simplify(rewrite(self._simplify(e), change, self._memo))

    def assume(self, condition: Expr, holds: bool) -> Assumptions:
        """Returns these assumptions and that `condition` holds, or does not."""
        collector = _Collector(dict(self._truths), dict(self.values), dict(self._ranges))
        collector.assume(condition, holds)
        collector.assume(self._simplify(condition), holds)
        return Assumptions(collector.truths, collector.values, collector.ranges)


NO_ASSUMPTIONS = Assumptions({}, {}, {})


class _Collector:
    """Collects what conditions imply."""

    def __init__(self, truths: dict[Expr, Expr], values: dict[str, Expr], ranges: dict[str, IntegerRange]) -> None:
        self.truths, self.values, self.ranges = truths, values, ranges

    def assume(self, e: Expr, holds: bool) -> None:
        """Adds what follows from `e` being true, or false."""
        if constant(e) is not None:
            return
        self.truths[e] = TRUE if holds else FALSE
        if isinstance(e, Not):
            self.assume(e.value, not holds)
        elif isinstance(e, And if holds else Or):
            self.assume(e.a, holds)
            self.assume(e.b, holds)
        elif is_likely(e, innermost=True):
            self.assume(unmarked(e), holds)
        elif isinstance(e, (Name, ParameterRef)):
            self.values[e.name] = TRUE if holds else FALSE
        elif isinstance(e, Compare):
            self.compare(e, holds)

    def compare(self, e: Compare, holds: bool) -> None:
        """Adds what follows from a comparison being true, or false."""
        if not holds and e.a.type.floating:
            # Where an operand is NaN, the opposite comparison is false too.
            self.truths[MIRRORED[type(e)](e.b, e.a)] = FALSE
            return
        if not holds:
            e = NEGATED[type(e)](e.a, e.b)
        for implied in (type(e), *_IMPLIED.get(type(e), ())):
            for relation, a, b in ((implied, e.a, e.b), (MIRRORED[implied], e.b, e.a)):
                self.truths[relation(a, b)] = TRUE
                self.truths[NEGATED[relation](a, b)] = FALSE
        for kind, a, b in ((type(e), e.a, e.b), (MIRRORED[type(e)], e.b, e.a)):
            value = constant(b)
            if isinstance(a, (Name, ParameterRef)) and value is not None:
                self.limit(a.name, kind, b, value)

    def limit(self, name: str, kind: type[Compare], limit: Expr, value: int | float) -> None:
        """Adds what follows from a comparison of `name` with the number `limit`, whose value is `value`."""
        if kind is EQ and (limit.type.integral or value != 0):
            # -0.0 equals 0.0 but is another value.
            self.values[name] = limit
        if limit.type.integral:
            ends: dict[type[Compare], IntegerRange] = {
                LT: IntegerRange(None, int(value) - 1),
                LE: IntegerRange(None, int(value)),
                GT: IntegerRange(int(value) + 1, None),
                GE: IntegerRange(int(value), None),
            }
            before = self.ranges.get(name, IntegerRange(0, None) if ".extent." in name else EVERYTHING)
            self.ranges[name] = before.intersection(ends.get(kind, EVERYTHING))
