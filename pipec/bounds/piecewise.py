"""Choices between integer expressions as affine pieces, each with the conditions under which it is the value.

x with  select(x < 0 || x >= w, (x % w + w) % w, min(x, w - 1))  -->  x + w  where x < 0, if x + w >= 0
                                                                      x - w  where x >= w, if x < 2*w
                                                                      x      elsewhere

The pieces next to the places where the conditions change are found by evaluation at sample points; what has been
compared on the way is what each piece needs, for any values of the other symbols.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import NamedTuple

from pipec.bounds.conditions import inequalities, negation
from pipec.bounds.linear import Linear, linear
from pipec.ir.build import all_of
from pipec.ir.expr import And, Compare, Expr, Max, Min, Mod, Not, Or, Select, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, instances

_ATTEMPTS = 16
_MAX_COMPARISONS = 2
_SYMBOLS = range(100, 4000)
"""Values of symbols at sample points."""
_STEP = 3
"""How far sample points are from where a condition changes."""
_MIN_DISTANCE = 64
"""Between the places where conditions change, at sample points."""


class AffinePiece(NamedTuple):
    """`value` where `condition` holds, if all of `needs` are >= 0.

    `limits`: >= 0 where the condition holds; of slope 1 or -1 in the variable, the narrowest ones first.
    """

    condition: Expr
    limits: tuple[Linear, ...]
    value: Linear
    needs: tuple[Linear, ...]


class AffinePieces(NamedTuple):
    """The pieces of an expression, one for each value of the variable if all of `needs` are >= 0."""

    pieces: tuple[AffinePiece, ...]
    needs: tuple[Linear, ...]


def pieces_of(choice: Select, variable: Variable) -> AffinePieces | None:
    """The affine pieces of an int32 choice by conditions on `variable`, in its ascending order; None if it has none."""
    comparisons = list(dict.fromkeys(instances(Compare, choice.condition)))
    if choice.type is not INT32 or not 1 <= len(comparisons) <= _MAX_COMPARISONS:
        return None
    limits = [limit for comparison in comparisons if (limit := _limit(comparison, variable)) is not None]
    if len(limits) < len(comparisons):
        return None
    for attempt in range(_ATTEMPTS):
        pieces: dict[tuple[bool, ...], AffinePiece] = {}
        for sample in _samples(attempt, limits, variable):
            truths = tuple([sample.value(limit) >= 0 for limit in limits])
            if truths not in pieces:
                piece = _piece(choice, dict(zip(comparisons, truths, strict=True)), sample)
                if piece is None:
                    return None
                own = [limit if truth else limit.opposite() for limit, truth in zip(limits, truths, strict=True)]
                pieces[truths] = piece._replace(limits=tuple(sorted(own, key=sample.value)))
        if len(pieces) == len(comparisons) + 1:
            return AffinePieces(tuple(pieces.values()), tuple(_excluding(limits, set(pieces))))
    return None


def _limit(condition: Expr, variable: Variable) -> Linear | None:
    """The form that is >= 0 where a comparison holds; None unless its slope in the variable is 1 or -1."""
    forms = inequalities(condition)
    if forms is None or len(forms) != 1:
        return None
    slope, others = forms[0].terms.get(variable, 0), forms[0].without(variable)
    return forms[0] if abs(slope) == 1 and not any(_varies(atom, variable) for atom in others.terms) else None


def _varies(e: Expr, variable: Variable) -> bool:
    return variable.name in free_variables(e)


class _Sample:
    """A value of the variable, and values of other symbols, chosen when they are asked for."""

    def __init__(self, seed: int, variable: Variable, symbols: dict[Expr, int] | None = None) -> None:
        self.seed = seed
        self.variable = variable
        self.symbols = {} if symbols is None else symbols
        # What has been found to be >= 0 here.
        self.needs: list[Linear] = []

    def value(self, form: Linear) -> int:
        """The value of a form."""
        total = form.constant
        for atom, coefficient in form.terms.items():
            if atom not in self.symbols:
                self.symbols[atom] = random.Random(f"{self.seed} {len(self.symbols)}").choice(_SYMBOLS)
            total += coefficient * self.symbols[atom]
        return total

    def demand(self, form: Linear) -> None:
        """Adds a form to what must be >= 0."""
        if not form.is_constant:
            self.needs.append(form)


def _samples(seed: int, limits: list[Linear], variable: Variable) -> Iterator[_Sample]:
    """Points on both sides of each place where a condition changes; none where these are near each other."""
    common = _Sample(seed, variable)
    places = sorted([-common.value(limit.without(variable)) * limit.terms[variable] for limit in limits])
    if any(b - a < _MIN_DISTANCE for a, b in zip(places, places[1:], strict=False)):
        return
    for place in places:
        for distance in (-_STEP, _STEP):
            yield _Sample(seed, variable, {**common.symbols, variable: place + distance})


class _NoPiece(Exception):
    """The expression has no affine piece at the sample."""


def _piece(choice: Select, truths: dict[Compare, bool], sample: _Sample) -> AffinePiece | None:
    """The piece at a sample, without its limits; None if it is not affine."""
    try:
        side = choice.true_value if _holds(choice.condition, truths) else choice.false_value
        value = _affine(linear(side), sample)
    except _NoPiece:
        return None
    condition = all_of([c if truth else negation(c) for c, truth in truths.items()])
    return AffinePiece(condition, (), value, tuple(sample.needs))


def _holds(condition: Expr, truths: dict[Compare, bool]) -> bool:
    if isinstance(condition, Not):
        return not _holds(condition.value, truths)
    if isinstance(condition, And):
        return _holds(condition.a, truths) and _holds(condition.b, truths)
    if isinstance(condition, Or):
        return _holds(condition.a, truths) or _holds(condition.b, truths)
    if not isinstance(condition, Compare):
        raise _NoPiece
    return truths[condition]


def _affine(form: Linear, sample: _Sample) -> Linear:
    """A form at a sample without atoms that vary."""
    result = Linear(form.constant)
    for atom, coefficient in form.terms.items():
        plain = atom is sample.variable or not _varies(atom, sample.variable)
        result = result.plus(Linear(0, {atom: 1}) if plain else _atom(atom, sample), coefficient)
    return result


def _atom(e: Expr, sample: _Sample) -> Linear:
    if e.type is not INT32 or not isinstance(e, (Min, Max, Mod, Select)):
        raise _NoPiece
    if isinstance(e, Select):
        return _affine(linear(_side(e, sample)), sample)
    a, b = _affine(linear(e.a), sample), _affine(linear(e.b), sample)
    if isinstance(e, Mod):
        return _remainder(a, b, sample)
    gap = b.plus(a, -1)
    ascends = sample.value(gap) >= 0
    sample.demand(gap if ascends else gap.times(-1))
    return a if ascends == isinstance(e, Min) else b


def _side(e: Select, sample: _Sample) -> Expr:
    truths = {}
    for comparison in instances(Compare, e.condition):
        forms = inequalities(comparison)
        if forms is None or len(forms) != 1:
            raise _NoPiece
        form = _affine(forms[0], sample)
        truths[comparison] = sample.value(form) >= 0
        sample.demand(form if truths[comparison] else form.opposite())
    return e.true_value if _holds(e.condition, truths) else e.false_value


def _remainder(a: Linear, period: Linear, sample: _Sample) -> Linear:
    length = sample.value(period)
    if length <= 0:
        raise _NoPiece
    result = a.plus(period, -(sample.value(a) // length))
    sample.demand(result)
    sample.demand(period.plus(result, -1).shifted(-1))
    return result


def _excluding(limits: list[Linear], possible: set[tuple[bool, ...]]) -> Iterator[Linear]:
    """What is >= 0 where two conditions have no other combination of values."""
    for truths in itertools.product((False, True), repeat=len(limits)):
        if truths not in possible:
            a, b = [limit if truth else limit.opposite() for limit, truth in zip(limits, truths, strict=True)]
            form = a.plus(b).opposite()
            if not form.is_constant or form.constant < 0:
                yield form
