"""Simplification: index arithmetic in canonical form, constants folded, conditions decided from ranges."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from itertools import product
from typing import Any

import numpy as np

from pipec.bounds.conditions import NEGATED, is_contradiction, negation
from pipec.bounds.linear import Linear, canonical, from_linear, is_atom, linear
from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import (
    EQ,
    FALSE,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    Binary,
    Broadcast,
    Cast,
    Compare,
    Const,
    Div,
    Expr,
    Intrinsic,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    ParameterRef,
    Ramp,
    ReductionVariable,
    Select,
    Sub,
    Variable,
)
from pipec.ir.intrinsics import INTRINSICS
from pipec.ir.node import Node, kinds_of
from pipec.ir.numerics import binary_function
from pipec.ir.walk import postorder, rewrite

_BUILDERS: dict[type[Expr], Any] = {
    Add: build.add,
    Sub: build.sub,
    Mul: build.mul,
    Div: build.div,
    Mod: build.mod,
    Min: build.min_,
    Max: build.max_,
    And: build.and_,
    Or: build.or_,
}
_SUM_NODES = (Add, Sub, Mul)
_INDEX_NODES = (*_SUM_NODES, Div, Mod, Min, Max)
# Nests of mins or maxes with more operands are not searched for operands that ranges decide.
LONG_NEST = 16
# Each combination of outcomes of so many conditions is simplified on its own.
MAX_CONDITIONS = 4


class Simplifier:
    """Simplifies expressions, given ranges of their variables; results are memoised for the life of the object."""

    def __init__(self, ranges: Ranges | None = None) -> None:
        self.ranges = ranges or Ranges()
        self._memo: dict[Node, Any] = {}

    def __call__(self, e: Expr) -> Expr:
        if not e.kinds & _SIMPLIFIED_KINDS:
            return e
        memo = self._memo
        # What is known of the nodes whose parts are simplified first.
        entered: dict[Any, tuple[bool, list[Expr] | None, Any]] = {}
        stack: list[Any] = [e]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            if node in entered:
                is_sum, nest, parts = entered[node]
            else:
                # A sum of indices is made canonical at once, not partial sum by partial sum.
                is_sum = isinstance(node, _SUM_NODES) and self.is_index(node) and not is_atom(node)
                nest = self._long_nest(node) if isinstance(node, (Min, Max)) else None
                parts = linear(node).terms if is_sum else nest or node.below
                size = len(stack)
                for part in parts:
                    if part in memo:
                        continue
                    if part.kinds & _SIMPLIFIED_KINDS:
                        stack.append(part)
                    else:
                        memo[part] = part
                if len(stack) > size:
                    entered[node] = is_sum, nest, parts
                    continue
            if is_sum:
                memo[node] = self._sum(node)
            elif nest is not None:
                memo[node] = canonical(reduce(type(node), [memo[part] for part in parts]))
            else:
                new = tuple([memo[part] for part in parts])
                memo[node] = self._node(node if new == parts else node.with_children(iter(new)))
            stack.pop()
        result: Expr = memo[e]
        return result

    def _long_nest(self, e: Min | Max) -> list[Expr] | None:
        """The operands of a nest of mins (or maxes) of indices that is to be made canonical at once, as sums are.

        The time for making it canonical operand by operand is quadratic in their number.
        """
        if type(e.a) is not type(e) and type(e.b) is not type(e):
            return None
        operands: list[Expr] = []
        stack: list[Expr] = [e]
        entered: set[Expr] = {e}
        while stack:
            node = stack.pop()
            if isinstance(node, Min | Max) and type(node) is type(e):
                stack += [part for part in (node.a, node.b) if part not in entered]
                entered.update((node.a, node.b))
            else:
                operands.append(node)
        return operands if len(operands) > LONG_NEST and self.is_index(e) else None

    def _sum(self, e: Expr) -> Expr:
        form = linear(e)
        total = Linear(form.constant)
        for atom, factor in form.terms.items():
            total = total.plus(linear(self._memo[atom]), factor)
        return from_linear(_with_whole_numbers(total), e.type)

    def is_index(self, e: Expr) -> bool:
        """Whether `e` is scalar signed arithmetic on variables and constants only.

        Sums of data keep their shape: reordering them would undo the sharing of partial sums.
        """
        if e.is_index is None:
            _store_is_index(e)
        assert e.is_index is not None
        return e.is_index

    def _node(self, e: Any) -> Any:
        rule = _RULES.get(type(e))
        return e if rule is None else rule(self, e)

    def _not(self, e: Not) -> Expr:
        inner = e.value
        if isinstance(inner, Compare) and not inner.a.type.floating:
            return self._compare(NEGATED[type(inner)](inner.a, inner.b))
        return build.not_(inner)

    def _ramp(self, base: Expr, stride: Expr, lanes: int) -> Expr:
        return Broadcast(base, lanes) if constant(stride) == 0 else Ramp(base, stride, lanes)

    def _binary(self, e: Binary) -> Expr:
        result: Expr = _BUILDERS[type(e)](e.a, e.b)
        if isinstance(result, And) and is_contradiction(result):
            return FALSE
        if not isinstance(result, _INDEX_NODES):
            return result
        if result.type.nlanes > 1:
            return self._vector(result)
        if result.type.floating:
            return _folded(result, binary_function(type(result), result.type), (result.a, result.b))
        if not self.is_index(result):
            return self._data(result)
        result = canonical(result)
        if isinstance(result, (Min, Max)):
            return self._decided_min_max(result)
        return self._decided_division(result) if isinstance(result, (Div, Mod)) else result

    def _decided_min_max(self, e: Min | Max) -> Expr:
        for x, y in ((e.a, e.b), (e.b, e.a)):
            if self.ranges.proves_at_least(x, y, 2):
                return y if isinstance(e, Min) else x
        return e

    def _decided_division(self, e: Div | Mod) -> Expr:
        """A division whose quotient is the same for the whole range of the numerator becomes a constant or a sum."""
        divisor = constant(e.b)
        if divisor is None or divisor <= 0:
            return e
        top = self.ranges.of(e.a)
        if top.low is not None and top.high is not None and top.low // int(divisor) == top.high // int(divisor):
            quotient = top.low // int(divisor)
            if isinstance(e, Div):
                return build.as_expr(quotient, e.type)
            return build.sub(e.a, quotient * int(divisor))
        return e

    def _data(self, e: Expr) -> Expr:
        """(x + c) + d is x + (c + d) for integers that wrap or are assumed not to overflow."""
        if isinstance(e, Add) and e.type.integral and constant(e.b) is not None and isinstance(e.a, Add):
            inner = constant(e.a.b)
            if inner is not None:
                folded = build.fold(Add, e.a.b, e.b)
                return e if folded is None else build.add(e.a.a, folded)
        return e

    def _vector(self, e: Expr) -> Expr:
        """Arithmetic of ramps and broadcasts stays a ramp or a broadcast."""
        assert isinstance(e, Binary)
        a, b = e.a, e.b
        lanes = e.type.nlanes
        if isinstance(a, Broadcast) and isinstance(b, Broadcast):
            return Broadcast(self._node(type(e)(a.value, b.value)), lanes)
        if not (e.type.signed and e.type.nbits >= 32):
            return e
        if isinstance(e, (Add, Sub)):
            kind: type[Binary] = type(e)
            if isinstance(a, Ramp) and isinstance(b, Broadcast):
                return Ramp(self._node(kind(a.base, b.value)), a.stride, lanes)
            if isinstance(a, Broadcast) and isinstance(b, Ramp):
                zero = build.as_expr(0, b.stride.type)
                return Ramp(self._node(kind(a.value, b.base)), self._node(kind(zero, b.stride)), lanes)
            if isinstance(a, Ramp) and isinstance(b, Ramp):
                return self._ramp(self._node(kind(a.base, b.base)), self._node(kind(a.stride, b.stride)), lanes)
        if isinstance(e, Mul):
            for x, y in ((a, b), (b, a)):
                if isinstance(x, Ramp) and isinstance(y, Broadcast):
                    return Ramp(self._node(Mul(x.base, y.value)), self._node(Mul(x.stride, y.value)), lanes)
        if isinstance(e, (Div, Mod)) and isinstance(a, Ramp) and isinstance(b, Broadcast):
            return self._divided_ramp(e, a, b)
        if isinstance(e, (Min, Max)):
            return self._decided_min_max(e)
        return e

    def _divided_ramp(self, e: Div | Mod, a: Ramp, b: Broadcast) -> Expr:
        """ramp(c*k, c*s) / c is ramp(k, s), when every lane has the same quotient a broadcast."""
        by, stride = constant(b.value), constant(a.stride)
        if by is None or stride is None or by <= 0 or not self.is_index(a.base):
            return e
        divisor, step = int(by), int(stride)
        form = linear(a.base)
        rest = form.constant % divisor
        if any(c % divisor for c in form.terms.values()):
            return e
        if step % divisor == 0:
            if isinstance(e, Div):
                return self._ramp(
                    self._node(Div(a.base, b.value)), build.as_expr(step // divisor, a.base.type), a.lanes
                )
            return Broadcast(build.as_expr(rest, a.base.type), a.lanes)
        last = rest + step * (a.lanes - 1)
        if 0 <= last < divisor:
            if isinstance(e, Div):
                return Broadcast(self._node(Div(a.base, b.value)), a.lanes)
            return Ramp(build.as_expr(rest, a.base.type), a.stride, a.lanes)
        return e

    def _compare(self, e: Compare) -> Expr:
        result = build.compare(type(e), e.a, e.b)
        if not isinstance(result, Compare):
            return result
        a, b = result.a, result.b
        if isinstance(a, Broadcast) and isinstance(b, Broadcast):
            return Broadcast(self._node(type(result)(a.value, b.value)), a.lanes)
        if a.type.signed and a.type.nbits >= 32:
            decided = self._decide(type(result), a, b)
            if decided is not None:
                return build.as_expr(decided, result.type)
            if self.is_index(a) and self.is_index(b):
                return _balanced(result)
        elif a.type.integral and (isinstance(a, Cast) or isinstance(b, Cast)):
            decided = _decided_by_ranges(type(result), self.ranges.of(a), self.ranges.of(b))
            if decided is not None:
                return build.as_expr(decided, result.type)
        return result

    def _decide(self, kind: type[Binary], a: Expr, b: Expr) -> bool | None:
        at_least = self.ranges.proves_at_least
        one = build.as_expr(1, a.type)
        if kind is GT or kind is GE:
            a, b, kind = b, a, LT if kind is GT else LE
        if kind is LE:
            return True if at_least(b, a) else False if at_least(a, Add(b, one)) else None
        if kind is LT:
            return True if at_least(b, Add(a, one)) else False if at_least(a, b) else None
        apart = at_least(a, Add(b, one)) or at_least(b, Add(a, one))
        same = a is b or (not linear(a).plus(linear(b), -1).terms and not apart)
        if apart or same:
            return same if kind is EQ else apart
        return None

    def _select(self, e: Select) -> Expr:
        if isinstance(e.condition, Not):
            return build.select(e.condition.value, e.false_value, e.true_value)
        condition = e.condition.value if isinstance(e.condition, Broadcast) else e.condition
        return build.select(condition, e.true_value, e.false_value)

    def _intrinsic(self, e: Intrinsic) -> Expr:
        declared = INTRINSICS[e.name]
        return _folded(e, declared.meaning, e.args) if declared.exact and e.type.nlanes == 1 else e

    def _cast(self, e: Cast) -> Expr:
        result = build.cast(e.type, e.value)
        # int64(a + b) of int32 operands is int64(a) + int64(b): int32 index arithmetic does not overflow.
        if isinstance(result, Cast) and result.type.nbits == 64 and result.type.signed:
            ramp, scalar = result.value, result.type.element_of()
            if isinstance(ramp, Ramp) and ramp.type.signed and ramp.type.nbits == 32:
                return Ramp(build.cast(scalar, ramp.base), build.cast(scalar, ramp.stride), ramp.lanes)
        return result


_RULES: dict[type[Expr], Any] = {
    **dict.fromkeys(_BUILDERS, Simplifier._binary),
    **dict.fromkeys(NEGATED, Simplifier._compare),
    Not: Simplifier._not,
    Select: Simplifier._select,
    Cast: Simplifier._cast,
    Intrinsic: Simplifier._intrinsic,
    Ramp: lambda self, e: self._ramp(e.base, e.stride, e.lanes),
}
# An expression without these nodes is simple.
_SIMPLIFIED_KINDS = kinds_of(*_RULES)


def _folded(e: Expr, meaning: Callable[..., Any], operands: Sequence[Expr]) -> Expr:
    """The value of a float on constants, where there is one that is the same on every machine."""
    constants = [operand for operand in operands if isinstance(operand, Const)]
    if e.type.nbits < 32 or len(constants) < len(operands):
        return e
    with np.errstate(all="ignore"):
        value = float(meaning(*[operand.type.numpy().type(operand.value) for operand in constants]))
    return Const(e.type, value) if math.isfinite(value) else e


def _is_wide(e: Expr) -> bool:
    return e.type.signed and e.type.nbits >= 32 and e.type.nlanes == 1


def _index_operands(e: Expr) -> tuple[Expr, ...]:
    """The operands that must be indices for `e` to be one."""
    if isinstance(e, _INDEX_NODES):
        return (e.a, e.b)
    if isinstance(e, Select):
        return (e.true_value, e.false_value)
    return (e.value,) if isinstance(e, Cast) and e.type.nbits == 64 else ()


def _with_whole_numbers(form: Linear) -> Linear:
    """The form with x for x / 8 * 8 + x % 8."""
    for remainder in [atom for atom in form.terms if isinstance(atom, Mod)]:
        factor, divisor = form.terms[remainder], constant(remainder.b)
        quotient = Div(remainder.a, remainder.b)
        if divisor and form.terms.get(quotient) == factor * divisor:
            form = form.without(remainder).without(quotient).plus(linear(remainder.a), factor)
    return form


def _store_is_index(root: Expr) -> None:
    stack = [root]
    while stack:
        e = stack[-1]
        operands = _index_operands(e) if _is_wide(e) else ()
        pending = [operand for operand in operands if operand.is_index is None]
        if pending:
            stack += pending
            continue
        stack.pop()
        if operands:
            e.is_index = all([operand.is_index for operand in operands])
        else:
            e.is_index = _is_wide(e) and isinstance(e, (Const, Variable, ParameterRef, ReductionVariable))


def _decided_by_ranges(kind: type[Binary], a: IntegerRange, b: IntegerRange) -> bool | None:
    """Whether a comparison holds for all values of two ranges (True) or for none (False); None when it depends."""
    if kind in (GT, GE):
        a, b, kind = b, a, LT if kind is GT else LE
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None
    if kind is LT:
        return True if a.high < b.low else False if a.low >= b.high else None
    if kind is LE:
        return True if a.high <= b.low else False if a.low > b.high else None
    apart = a.high < b.low or a.low > b.high
    return kind is NE if apart else None


def _balanced(e: Compare) -> Expr:
    """Positive terms on the left, negative ones and the constant on the right."""
    form = linear(e.a).plus(linear(e.b), -1)
    left = Linear(0, {a: c for a, c in form.terms.items() if c > 0})
    right = Linear(-form.constant, {a: -c for a, c in form.terms.items() if c < 0})
    type_ = e.a.type
    if not -(1 << 31) <= right.constant < 1 << 31:
        return e
    return type(e)(from_linear(left, type_), from_linear(right, type_))


@lru_cache(maxsize=1)
def _plain() -> Simplifier:
    return Simplifier()


forget_simplified = _plain.cache_clear
"""Releases the expressions that `simplify` keeps with their simplified forms."""


def simplify(e: Expr, ranges: Ranges | None = None) -> Expr:
    """The simplified form of `e`; `ranges`: those of its variables."""
    if ranges is not None:
        return Simplifier(ranges)(e)
    simplifier = _plain()
    if len(simplifier._memo) > 200_000:
        forget_simplified()
    return simplifier(e)


def values_of_selects(e: Expr) -> list[Expr]:
    """The values of an expression for all outcomes of the selects in it; none when these are too many."""
    outcomes: dict[Expr, tuple[int, bool]] = {}  # each condition is, or is not, what one of a few is
    number = 0
    for node in postorder(e):
        if isinstance(node, Select) and node.condition not in outcomes:
            outcomes[node.condition] = number, True
            outcomes.setdefault(negation(node.condition), (number, False))
            number += 1
    if number > MAX_CONDITIONS:
        return []
    values = []
    for choices in product((True, False), repeat=number):

        def choose(node: Any, choices: tuple[bool, ...] = choices) -> Any:
            # Conditions with selects inside have no outcome here.
            if not isinstance(node, Select) or node.condition not in outcomes:
                return node
            condition, holds = outcomes[node.condition]
            return node.true_value if choices[condition] == holds else node.false_value

        values.append(simplify(rewrite(e, choose)))
    return values
