"""Constant ranges of integer expressions, and proofs of inequalities from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf, isfinite
from typing import NamedTuple

from pipec.bounds.linear import Linear, canonical, from_linear, is_atom, linear
from pipec.ir.build import constant, div, euclidean_div
from pipec.ir.expr import (
    Broadcast,
    Cast,
    Compare,
    Div,
    Expr,
    Intrinsic,
    Max,
    Min,
    Mod,
    Mul,
    ParameterRef,
    Ramp,
    ReductionVariable,
    Select,
    Variable,
)
from pipec.ir.intrinsic_ranges import Limits
from pipec.ir.intrinsics import as_arithmetic, limits_of, value_operand
from pipec.ir.types import Type
from pipec.ir.walk import Analysis

# How many cases of min, max and select one proof may try: their number grows exponentially with their nesting.
MAX_TRIALS = 100
# How many differences of operands one upper limit may be derived from.
MAX_FORMS = 10000
# How many operands within operands are tried for one: each of several clamped coordinates nests four minima and maxima.
MAX_NESTING = 256
# A trial takes time for each term of a sum: one of so many more terms counts as one more trial.
TERMS_OF_A_TRIAL = 16


class IntegerRange(NamedTuple):
    """All integers from `low` to `high`; None: unlimited."""

    low: int | None
    high: int | None

    def union(self, other: IntegerRange) -> IntegerRange:
        """The smallest range that holds both."""
        return IntegerRange(_of_both(min, self.low, other.low), _of_both(max, self.high, other.high))

    def intersection(self, other: IntegerRange) -> IntegerRange:
        """The integers in both."""
        return IntegerRange(_of_limits(max, self.low, other.low), _of_limits(min, self.high, other.high))

    def shifted(self, amount: int) -> IntegerRange:
        """The range of x + amount."""
        return IntegerRange(
            None if self.low is None else self.low + amount, None if self.high is None else self.high + amount
        )

    def times(self, factor: int) -> IntegerRange:
        """A range that holds x * factor."""
        low = None if self.low is None else self.low * factor
        high = None if self.high is None else self.high * factor
        return IntegerRange(low, high) if factor >= 0 else IntegerRange(high, low)

    def plus(self, other: IntegerRange) -> IntegerRange:
        """The range of x + y."""
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        return IntegerRange(low, high)


EVERYTHING = IntegerRange(None, None)


def _of_both(pick: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    """The min or max of two limits, None where one of them is missing."""
    return None if a is None or b is None else pick(a, b)


class _Case(NamedTuple):
    """A form with a min or max, once for each operand: both limit it if `both_count`, else each of them alone."""

    both_count: bool
    a: Linear
    b: Linear


def _cases(form: Linear) -> Iterator[_Case]:
    for atom, coefficient in form.terms.items():
        if isinstance(atom, (Min, Max)):
            rest = form.without(atom)
            a, b = [rest.plus(linear(x), coefficient) for x in (atom.a, atom.b)]
            yield _Case(isinstance(atom, Max) == (coefficient > 0), a, b)


def _cases_of_quotients(form: Linear) -> Iterator[_Case]:
    """The form with a min or max inside a quotient, once for each operand."""
    for atom, coefficient in form.terms.items():
        by = constant(atom.b) if isinstance(atom, Div) else None
        if not isinstance(atom, Div) or by is None or by <= 0:
            continue
        rest, inner = form.without(atom), linear(atom.a)
        for case in _cases(inner):
            values = [from_linear(operand, atom.type) for operand in (case.a, case.b)]
            a, b = [rest.plus(linear(canonical(div(value, int(by)))), coefficient) for value in values]
            yield _Case(case.both_count == (coefficient > 0), a, b)


def _of_limits(pick: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    """The min or max of those limits that exist."""
    return b if a is None else a if b is None else pick(a, b)


class Ranges(Analysis[IntegerRange]):
    """The ranges of integer expressions, from those of `variables` by name."""

    def __init__(self, variables: Mapping[str, IntegerRange] | None = None) -> None:
        super().__init__()
        self.variables: dict[str, IntegerRange] = dict(variables or {})
        self._trials = 0
        self._forms: dict[object, int | None] = {}

    def _operands(self, e: Expr) -> Iterable[Expr]:
        return e.below if not _is_wide(e) or is_atom(e) else linear(e).terms

    def _compute(self, e: Expr) -> IntegerRange:
        """The range of an integer expression (of every lane, for a vector)."""
        limits = _type_range(e)
        form = linear(e) if _is_wide(e) else Linear(0, {e: 1})
        if len(form.terms) == 1 and e in form.terms:
            return self._atom(e).intersection(limits)
        terms, total = _without_quotient_pairs(form)
        for atom, coefficient in terms.items():
            total = total.plus(self.of(atom).times(coefficient))
        return total.intersection(limits) if limits.low is not None else total

    def _atom(self, e: Expr) -> IntegerRange:
        value = constant(e)
        if value is not None and e.type.integral:
            return IntegerRange(int(value), int(value))
        if isinstance(e, (Variable, ParameterRef, ReductionVariable)):
            # Extents of buffers are never negative: calls check that.
            return self.variables.get(e.name) or (IntegerRange(0, None) if ".extent." in e.name else EVERYTHING)
        if isinstance(e, Min):
            a, b = self.of(e.a), self.of(e.b)
            return IntegerRange(_of_both(min, a.low, b.low), _of_limits(min, a.high, b.high))
        if isinstance(e, Max):
            a, b = self.of(e.a), self.of(e.b)
            return IntegerRange(_of_limits(max, a.low, b.low), _of_both(max, a.high, b.high))
        return self._other_atom(e)

    def _other_atom(self, e: Expr) -> IntegerRange:
        if isinstance(e, Select):
            return self.of(e.true_value).union(self.of(e.false_value))
        if isinstance(e, Compare):
            return IntegerRange(0, 1)
        if isinstance(e, Broadcast):
            return self.of(e.value)
        if isinstance(e, Ramp):
            steps = IntegerRange(0, e.lanes - 1)
            stride = self.of(e.stride)
            if stride.low is not None and stride.low == stride.high:
                return self.of(e.base).plus(steps.times(stride.low))
            return EVERYTHING
        if isinstance(e, Cast) and e.value.type.integral and e.type.integral:
            source = e.value.type
            inner = self.of(e.value).intersection(IntegerRange(int(source.min_value()), int(source.max_value())))
            return inner if _fits(inner, e.type) else EVERYTHING
        if isinstance(e, (Div, Mod)) and e.type.integral:
            return self._division(e)
        if isinstance(e, Intrinsic):
            return self._intrinsic(e)
        if isinstance(e, Mul) and e.type.integral:
            product = _product(self.of(e.a), self.of(e.b))
            return product if (e.type.signed and e.type.nbits >= 32) or _fits(product, e.type) else EVERYTHING
        return EVERYTHING

    def _intrinsic(self, e: Intrinsic) -> IntegerRange:
        same = value_operand(e) or as_arithmetic(e)
        value = EVERYTHING if same is None else self.of(same)
        limits = limits_of(e, [self._limits(arg) for arg in e.args])
        if limits is None:
            return value
        return value.intersection(IntegerRange(*[int(x) if isfinite(x) else None for x in limits]))

    def _limits(self, e: Expr) -> Limits:
        low, high = self.of(e) if e.type.integral else EVERYTHING
        return -inf if low is None else low, inf if high is None else high

    def _division(self, e: Div | Mod) -> IntegerRange:
        divisor = self.of(e.b)
        top = self.of(e.a)
        if divisor.low is None or divisor.low <= 0:
            if isinstance(e, Mod):
                return IntegerRange(0, None)
            return EVERYTHING
        if isinstance(e, Mod):
            if divisor.high is None:
                return IntegerRange(0, None if top.low is None or top.low < 0 else top.high)
            if top.low is not None and top.high is not None and divisor.low == divisor.high:
                by = divisor.high
                if top.low // by == top.high // by:
                    return IntegerRange(top.low % by, top.high % by)
            return IntegerRange(0, divisor.high - 1)
        if divisor.low != divisor.high:
            low = 0 if top.low is not None and top.low >= 0 else None
            return IntegerRange(low, None if top.high is None else max(0, top.high))
        return IntegerRange(
            None if top.low is None else euclidean_div(top.low, divisor.low),
            None if top.high is None else euclidean_div(top.high, divisor.low),
        )

    def largest(self, e: Expr) -> int | None:
        """An upper limit of an int32 or int64 expression; operands of min and max are tried individually."""
        self._forms = {}
        return self._largest(linear(e), MAX_NESTING)

    def _largest(self, form: Linear, depth: int) -> int | None:
        terms = frozenset(form.terms.items())
        if terms not in self._forms:
            limit = self._new_largest(form.shifted(-form.constant), depth if len(self._forms) < MAX_FORMS else 0)
            self._forms[terms] = limit
        limit = self._forms[terms]
        return None if limit is None else limit + form.constant

    def _new_largest(self, form: Linear, depth: int) -> int | None:
        terms, total = _without_quotient_pairs(form)
        for atom, coefficient in terms.items():
            total = total.plus(self.of(atom).times(coefficient))
        best = total.high
        if depth == 0:
            return best
        cases = [*_cases(form), *(_cases_of_quotients(form) if best is None else ())]
        # Where both operands count, the limit may follow from another operand of the rest in each case.
        both = [case for case in cases if case.both_count]
        for case in both[:1] or cases:
            a, b = self._largest(case.a, depth - 1), self._largest(case.b, depth - 1)
            best = _of_limits(min, best, _of_both(max, a, b) if both else _of_limits(min, a, b))
        if cases or best is not None:
            return best
        for atom, coefficient in form.terms.items():
            by = constant(atom.b) if isinstance(atom, Div) else None
            if isinstance(atom, Div) and by is not None and by > 0 and coefficient % int(by) == 0:
                # c * (x / c) lies between x - c + 1 and x.
                bound = linear(atom.a).shifted(0 if coefficient > 0 else 1 - int(by))
                return self._largest(form.without(atom).plus(bound, coefficient // int(by)), depth - 1)
        return None

    def proves_at_least(self, a: Expr, b: Expr, depth: int = 4) -> bool:
        """Whether a >= b is certain, on the assumption that int32 arithmetic does not overflow."""
        self._trials = MAX_TRIALS
        return self._nonnegative(linear(a).plus(linear(b), -1), depth)

    def _nonnegative(self, form: Linear, depth: int) -> bool:
        total = form.constant
        for atom, coefficient in form.terms.items():
            limit = self.of(atom)
            bound = limit.low if coefficient > 0 else limit.high
            if bound is None:
                break
            total += coefficient * bound
        else:
            if total >= 0:
                return True
        self._trials -= 1 + len(form.terms) // TERMS_OF_A_TRIAL
        if depth == 0 or self._trials <= 0:
            return False
        for atom, coefficient in form.terms.items():
            if self._trials <= 0:
                return False
            if isinstance(atom, (Min, Max)):
                # A positive min, or a negative max, is at least as large as the form with both operands tried.
                sides, enough = (atom.a, atom.b), all if isinstance(atom, Min) == (coefficient > 0) else any
            elif isinstance(atom, Select):
                sides, enough = (atom.true_value, atom.false_value), all
            else:
                continue
            rest = form.without(atom)
            if enough(self._nonnegative(rest.plus(linear(x), coefficient), depth - 1) for x in sides):
                return True
        return self._quotients_nonnegative(form, depth)

    def _quotients_nonnegative(self, form: Linear, depth: int) -> bool:
        """c * (x / c) lies between x - c + 1 and x: replaces quotients by that bound."""
        for atom, coefficient in form.terms.items():
            if not isinstance(atom, Div):
                continue
            by = constant(atom.b)
            if by is None or by <= 0 or coefficient % int(by):
                continue
            factor = coefficient // int(by)
            bound = linear(atom.a).shifted(1 - int(by) if factor > 0 else 0)
            return self._nonnegative(form.without(atom).plus(bound, factor), depth - 1)
        return False


def _without_quotient_pairs(form: Linear) -> tuple[Mapping[Expr, int], IntegerRange]:
    """The terms without pairs of quotients, (x + k) / c and -(x / c), and the range of the constant and such pairs.

    A pair is k // c or one more.
    """
    total = IntegerRange(form.constant, form.constant)
    quotients = [atom for atom in form.terms if isinstance(atom, Div)]
    if len(quotients) < 2:
        return form.terms, total
    terms = dict(form.terms)
    for i, first in enumerate(quotients):
        for second in quotients[i + 1 :]:
            p, q = terms.get(first, 0), terms.get(second, 0)
            if p * q >= 0:
                continue
            (a, by), (b, other) = _quotient(first), _quotient(second)
            gap = a.plus(b, -1)
            if by != other or by <= 0 or not gap.is_constant:
                continue
            count = min(abs(p), abs(q)) * (1 if p > 0 else -1)
            lowest, highest = gap.constant // by, -(-gap.constant // by)
            total = total.plus(IntegerRange(lowest, highest).times(count))
            terms[first], terms[second] = p - count, q + count
    return {atom: coefficient for atom, coefficient in terms.items() if coefficient}, total


def _quotient(e: Div) -> tuple[Linear, int]:
    """Numerator and divisor (0: not constant), where (x / k + c) / m is (x + c * k) / (k * m)."""
    by = int(constant(e.b) or 0)
    form = linear(e.a)
    while by > 0 and len(form.terms) == 1:
        ((atom, factor),) = form.terms.items()
        inner = constant(atom.b) if isinstance(atom, Div) else None
        if not isinstance(atom, Div) or factor != 1 or inner is None or inner <= 0:
            break
        form, by = linear(atom.a).shifted(form.constant * int(inner)), by * int(inner)
    return form, by


def _is_wide(e: Expr) -> bool:
    return e.type.signed and e.type.nbits >= 32


def _fits(range_: IntegerRange, kind: Type) -> bool:
    """Whether a type holds all values of a range."""
    low, high = range_
    return low is not None and high is not None and kind.min_value() <= low and high <= kind.max_value()


def _type_range(e: Expr) -> IntegerRange:
    if e.type.integral and e.type.nbits < 32:
        return IntegerRange(int(e.type.min_value()), int(e.type.max_value()))
    if e.type.integral and not e.type.signed:
        return IntegerRange(0, None)
    return EVERYTHING


def _product(a: IntegerRange, b: IntegerRange) -> IntegerRange:
    if a.low is not None and b.low is not None and a.low >= 0 and b.low >= 0:
        return IntegerRange(a.low * b.low, None if a.high is None or b.high is None else a.high * b.high)
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return EVERYTHING
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return IntegerRange(min(corners), max(corners))
