"""Conditions: negation, conjuncts, the inequalities that they state, `likely`, and whether they can hold in intervals.

0 <= x && !(x > w || y)  -->  0 <= x, x <= w, !y        (its conjuncts)
x < w                    -->  w - x - 1 >= 0            (its inequality)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, NamedTuple, Protocol

from pipec.bounds.linear import Linear, linear
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import EQ, GE, GT, LE, LT, NE, TRUE, And, Compare, Expr, Intrinsic, Max, Min, Mod, Not, Or
from pipec.ir.intrinsics import as_arithmetic
from pipec.ir.node import Node, kinds_of
from pipec.ir.types import INT32
from pipec.ir.walk import compute_bottom_up, rewrite

Relation = type[Compare]
# !(a R b) is a NEGATED[R] b, but for floats that may be NaN; a R b is b MIRRORED[R] a.
NEGATED: dict[Relation, Relation] = {EQ: NE, NE: EQ, LT: GE, GE: LT, LE: GT, GT: LE}
MIRRORED: dict[Relation, Relation] = {EQ: EQ, NE: NE, LT: GT, GT: LT, LE: GE, GE: LE}
# The relations that order their operands.
ORDERING = (LT, LE, GT, GE)

MAX_COMPARED = 16
"""Conjuncts that are compared with each other."""

_LIKELY = "likely"
# The intrinsics that mark a value as likely, everywhere or in innermost loops only.
_MARKERS = (_LIKELY, "likely_if_innermost")


def negation(condition: Expr) -> Expr:
    """The negated condition; of a comparison of integers the opposite comparison, of a Not its operand."""
    if isinstance(condition, Compare) and condition.a.type.integral:
        return NEGATED[type(condition)](condition.a, condition.b)
    return build.not_(condition)


def parts(condition: Expr, value: bool = True) -> Iterator[tuple[Expr, bool]]:
    """The smallest parts of a condition whose values follow from its own `value`, each with that value, left to right.

    Ignores `likely`.
    """
    stack = [(condition, value)]
    while stack:
        e, holds = stack.pop()
        if isinstance(e, Not):
            stack.append((e.value, not holds))
        elif isinstance(e, And if holds else Or):
            stack += [(e.b, holds), (e.a, holds)]
        elif is_likely(e, innermost=True):
            stack.append((e.args[0], holds))  # type: ignore[attr-defined]
        else:
            yield e, holds


def conjuncts(condition: Expr) -> list[Expr]:
    """The operands of nested Ands, left to right; none for true."""
    result: list[Expr] = []
    stack = [condition]
    while stack:
        e = stack.pop()
        if isinstance(e, And):
            stack += (e.b, e.a)
        elif e is not TRUE:
            result.append(e)
    return result


def is_contradiction(condition: And) -> bool:
    """Whether conjuncts demand two remainders of one integer that exclude each other: x % 4 == 0 && x % 2 == 1."""
    residues: dict[Expr, list[tuple[int, int]]] = {}
    for part in _outermost_conjuncts(condition):
        residue = _residue(part)
        if residue is None:
            continue
        value, modulus, remainder = residue
        for other_modulus, other in residues.setdefault(value, []):
            common = math.gcd(modulus, other_modulus)
            if (remainder - other) % common if common else remainder != other:
                return True
        residues[value].append((modulus, remainder))
    return False


def _outermost_conjuncts(condition: And) -> list[Expr]:
    """The conjuncts that were joined last, up to MAX_COMPARED of them: looking at all would take long in long chains,
    at each And of which the others have been looked at before."""
    result: list[Expr] = []
    level: list[Expr] = [condition]
    for _ in range(MAX_COMPARED):
        result += [e for e in level if not isinstance(e, And)]
        level = [operand for e in level[:MAX_COMPARED] if isinstance(e, And) for operand in (e.a, e.b)]
    return result[:MAX_COMPARED]


def _residue(condition: Expr) -> tuple[Expr, int, int] | None:
    """An integer, a modulus (0: none) and the remainder that an equality demands of it."""
    if not isinstance(condition, EQ) or not condition.a.type.integral:
        return None
    value, remainder = condition.a, constant(condition.b)
    if remainder is None:
        return None
    if isinstance(value, Intrinsic):
        value = as_arithmetic(value) or value
    modulus = constant(value.b) if isinstance(value, Mod) else None
    if isinstance(value, Mod) and modulus is not None and modulus > 0:
        return value.a, int(modulus), int(remainder)
    return value, 0, int(remainder)


def plain_conjuncts(condition: Expr) -> list[Expr]:
    """The conditions without `likely` that all hold exactly when `condition` holds."""
    operands = [e if holds else negation(e) for e, holds in parts(condition)]
    return [e for e in operands if e is not TRUE]


def inequalities(condition: Expr) -> list[Linear] | None:
    """Forms that are all >= 0 exactly when an int32 comparison holds; None for != and for other conditions."""
    if not isinstance(condition, Compare) or isinstance(condition, NE) or condition.a.type is not INT32:
        return None
    gap = linear(condition.b).plus(linear(condition.a), -1)
    if isinstance(condition, EQ):
        return [gap, gap.times(-1)]
    if isinstance(condition, (GT, GE)):
        gap = gap.times(-1)
    return [gap.shifted(-1) if isinstance(condition, (LT, GT)) else gap]


def likely(e: Expr) -> Expr:
    """Marks `e` as likely; a constant is returned as it is."""
    return e if constant(e) is not None else Intrinsic(e.type, _LIKELY, (e,))


def is_likely(e: Node, innermost: bool = False) -> bool:
    """Whether `e` is marked as likely. `innermost`: a mark for innermost loops only is enough."""
    return isinstance(e, Intrinsic) and e.name in (_MARKERS if innermost else _MARKERS[:1])


def unmarked(e: Expr) -> Expr:
    """The operand of a mark; any other expression as it is."""
    return e.args[0] if is_likely(e, innermost=True) else e  # type: ignore[attr-defined]


def without_marks(root: Any, memo: dict[Node, Any] | None = None) -> Any:
    """`root` without marks; `memo`: see `rewrite`."""
    return rewrite(root, unmarked, memo, kinds_of(Intrinsic))


class Ends(Protocol):
    """An interval; None: not bounded on that side."""

    @property
    def low(self) -> Expr | None:
        """The minimum."""

    @property
    def high(self) -> Expr | None:
        """The maximum."""


class Clamp(NamedTuple):
    """The parts of max(min(place, high), low), or of min(max(place, low), high)."""

    place: Expr
    low: Expr
    high: Expr


def clamp_parts(e: Expr) -> Clamp | None:
    """The parts of an expression that is clamped; None for others."""
    if not isinstance(e, Min | Max) or not isinstance(e.a, Min | Max) or type(e.a) is type(e):
        return None
    low, high = (e.b, e.a.b) if isinstance(e, Max) else (e.a.b, e.b)
    return Clamp(e.a.a, low, high)


def possible(condition: Expr, value: bool, interval: Callable[[Expr], Ends]) -> Expr | None:
    """A run-time condition that holds if `condition` can have `value` while its operands vary over `interval`.

    Each comparison is tested individually: the result may hold although no point satisfies all of them. None where
    the ends of the intervals do not decide.
    """
    results: dict[tuple[Expr, bool], Expr | None] = {}

    def compute(item: tuple[Expr, bool]) -> None:
        e, holds = item
        operands = [results[operand] for operand in _operands(item)]
        if operands:
            join = build.or_ if isinstance(e, Or) == holds else build.and_
            results[item] = None if None in operands else reduce(join, operands)  # type: ignore[arg-type]
        elif isinstance(e, Compare) and e.a.type.integral:
            kind = type(e) if holds else NEGATED[type(e)]
            results[item] = _comparison_possible(kind, interval(e.a), interval(e.b))
        else:
            results[item] = None

    compute_bottom_up((condition, value), results.__contains__, compute, _operands)
    return results[condition, value]


def _operands(item: tuple[Expr, bool]) -> list[tuple[Expr, bool]]:
    """The conditions that a condition with a value is made of, with their values."""
    e, value = item
    if isinstance(e, Not):
        return [(e.value, not value)]
    return [(e.a, value), (e.b, value)] if isinstance(e, And | Or) else []


def _comparison_possible(kind: type[Compare], a: Ends, b: Ends) -> Expr | None:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None
    if kind in (LT, LE):
        return build.compare(kind, a.low, b.high)
    if kind in (GT, GE):
        return build.compare(kind, a.high, b.low)
    if kind is EQ:
        return build.and_(build.le(a.low, b.high), build.le(b.low, a.high))
    apart = build.or_(build.compare(NE, a.low, a.high), build.compare(NE, b.low, b.high))
    return build.or_(apart, build.compare(NE, a.low, b.low))
