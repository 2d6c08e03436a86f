"""Inequalities between integers, and expressions simplified where they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipec.bounds.conditions import inequalities, plain_conjuncts, unmarked
from pipec.bounds.linear import Linear, linear, operands_of
from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.bounds.simplify import Simplifier
from pipec.ir import build
from pipec.ir.expr import EQ, FALSE, NE, TRUE, And, Compare, Expr, Max, Min, Not, Or, Select
from pipec.ir.types import INT32
from pipec.ir.walk import rewrite


class Facts:
    """Conditions that hold where an expression is evaluated, and ranges of variables."""

    def __init__(self, conditions: Iterable[Expr] = ()) -> None:
        self.forms: list[Linear] = []
        self.conditions: dict[Expr, bool] = {}
        self.ranges: dict[str, IntegerRange] = {}
        for condition in conditions:
            self.add(condition)

    def add(self, condition: Expr) -> None:
        """Adds a condition."""
        for part in plain_conjuncts(condition):
            forms = inequalities(part)
            if forms is None:
                self.conditions[part] = True
                continue
            for form in forms:
                self.add_form(form)

    def add_form(self, form: Linear) -> None:
        """Adds the inequality `form >= 0`."""
        self.forms.append(form)
        if len(form.terms) == 1:
            ((atom, factor),) = form.terms.items()
            name = getattr(atom, "name", None)
            if isinstance(name, str) and abs(factor) == 1 and not atom.children():
                own = IntegerRange(-form.constant, None) if factor > 0 else IntegerRange(None, form.constant)
                self.ranges[name] = self.ranges.get(name, IntegerRange(None, None)).intersection(own)

    def interval(self, variable: Expr, low: Expr, high: Expr) -> None:
        """Adds low <= variable <= high."""
        for limit in operands_of(low, Max):
            self.add_form(linear(variable).plus(linear(limit), -1))
        for limit in operands_of(high, Min):
            self.add_form(linear(limit).plus(linear(variable), -1))

    def at_least(self, form: Linear) -> bool:
        """Whether a linear form is proved to be >= 0."""
        if any(form.is_at_least(fact) for fact in self.forms):
            return True
        simple = Ranges(self.ranges)
        total = IntegerRange(form.constant, form.constant)
        for atom, factor in form.terms.items():
            total = total.plus(simple.of(atom).times(factor))
        if total.low is not None and total.low >= 0:
            return True
        # The sum of two facts, one for each side of a difference.
        return any(self._by_two(form, fact) for fact in self.forms)

    def _by_two(self, form: Linear, fact: Linear) -> bool:
        rest = form.plus(fact, -1)
        if len(rest.terms) >= len(form.terms) + len(fact.terms):
            return False
        return any(rest.is_at_least(other) for other in self.forms)

    def decide(self, condition: Expr) -> bool | None:
        """Whether a condition holds; None when neither is proved."""
        if condition in self.conditions:
            return self.conditions[condition]
        if isinstance(condition, NE):
            equal = self.decide(EQ(condition.a, condition.b))
            return None if equal is None else not equal
        forms = inequalities(condition)
        if forms is None:
            return None
        if all(self.at_least(form) for form in forms):
            return True
        if any(self.at_least(form.opposite()) for form in forms):
            return False
        return None

    def simplify(self, e: Expr) -> Expr:
        """The expression, simplified where the facts hold."""
        simplifier = Simplifier(Ranges(self.ranges))
        # Twice: the first time leaves quotients of parts of a sum, which the second simplifies.
        return Simplifier(simplifier.ranges)(simplifier(rewrite(e, self._node)))

    def _node(self, e: Any) -> Any:
        if isinstance(e, Compare):
            decided = self.decide(e)
            return e if decided is None else TRUE if decided else FALSE
        if isinstance(e, And):
            return build.and_(e.a, e.b)
        if isinstance(e, Or):
            return build.or_(e.a, e.b)
        if isinstance(e, Not):
            return build.not_(e.value)
        if isinstance(e, Select):
            return build.select(e.condition, e.true_value, e.false_value)
        if isinstance(e, Min | Max) and e.type is INT32:
            a, b = unmarked(e.a), unmarked(e.b)
            gap = linear(a).plus(linear(b), -1)
            if self.at_least(gap):
                return b if isinstance(e, Min) else a
            if self.at_least(gap.times(-1)):
                return a if isinstance(e, Min) else b
        return unmarked(e) if build.constant(unmarked(e)) is not None else e
