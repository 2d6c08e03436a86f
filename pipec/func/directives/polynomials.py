"""Polynomials over expressions: sums, differences and products multiplied out, everything else left whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce

from pipec.ir.expr import Add, Const, Expr, Mul, Sub, Variable
from pipec.ir.types import Type
from pipec.ir.walk import mentions

# Factors in a fixed order, with repetition: Variables by name, expressions without the variables as they are.
Factor = str | Expr
Monomial = tuple[Factor, ...]
Polynomial = Mapping[Monomial, int]


def polynomial(e: Expr, variables: frozenset[str]) -> Polynomial | None:
    """`e` as a polynomial in the variables and in whole subexpressions without them; None when it is none.

    The coefficients are integers. Holds in every ring: integers modulo a power of two, and real numbers.
    """
    if isinstance(e, Const) and float(e.value).is_integer():
        return {(): int(e.value)} if e.value else {}
    if isinstance(e, Variable) and e.name in variables:
        return {(e.name,): 1}
    if isinstance(e, Add | Sub | Mul) and (mentions(e, variables) or _signs(e)):
        a, b = polynomial(e.a, variables), polynomial(e.b, variables)
        if a is None or b is None:
            return None
        if isinstance(e, Mul):
            return product(a, b)
        return total((a, scaled(b, -1) if isinstance(e, Sub) else b))
    return None if mentions(e, variables) else {(e,): 1}


def _signs(e: Add | Sub | Mul) -> bool:
    """Whether an expression is another one with the sign changed: 0 - a, or a * -1."""
    if isinstance(e, Sub):
        return isinstance(e.a, Const) and e.a.value == 0
    return isinstance(e, Mul) and any(isinstance(part, Const) and part.value == -1 for part in (e.a, e.b))


def total(parts: Iterable[Polynomial]) -> Polynomial:
    """The sum."""
    result: Counter[Monomial] = Counter()
    for part in parts:
        for monomial, coefficient in part.items():
            result[monomial] += coefficient
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def scaled(a: Polynomial, factor: int) -> Polynomial:
    """The product with an integer."""
    return {monomial: coefficient * factor for monomial, coefficient in a.items() if factor}


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """The product."""
    return total([{_ordered((*m, *n)): c * d} for m, c in a.items() for n, d in b.items()])


def _ordered(factors: Iterable[Factor]) -> Monomial:
    return tuple(sorted(factors, key=lambda f: (0, f) if isinstance(f, str) else (1, f.digest())))


def replaced(a: Polynomial, values: Mapping[Factor, Polynomial]) -> Polynomial:
    """The polynomial with factors replaced."""
    parts = []
    for monomial, coefficient in a.items():
        factors = [values.get(factor, {(factor,): 1}) for factor in monomial]
        parts.append(scaled(reduce(product, factors, {(): 1}), coefficient))
    return total(parts)


def coefficient(p: Polynomial, name: str) -> Polynomial | None:
    """What a name is multiplied with; None when a term has it, or it and another element of the own, more than once."""
    factors: dict[Monomial, int] = {}
    for monomial, number in p.items():
        owned = [factor for factor in monomial if isinstance(factor, str)]
        if len(owned) > 1:
            return None
        if name in owned:
            factors[tuple([factor for factor in monomial if factor != name])] = number
    return factors


def without(p: Polynomial, names: frozenset[str]) -> Polynomial:
    """The terms without any of the names."""
    return {monomial: number for monomial, number in p.items() if names.isdisjoint(map(str, monomial))}


def expression(a: Polynomial, type_: Type) -> Expr:
    """The polynomial as an expression; factors that are names become Variables of the type."""
    result: Expr | None = None
    for monomial, coefficient in sorted(a.items(), key=lambda item: -item[1]):
        factors = [Variable(type_, factor) if isinstance(factor, str) else factor for factor in monomial]
        if abs(coefficient) != 1 or not factors:
            factors.append(Const(type_, abs(coefficient)))
        term = reduce(Mul, factors)
        if coefficient > 0:
            result = term if result is None else Add(result, term)
        else:
            result = Sub(Const(type_, 0) if result is None else result, term)
    return Const(type_, 0) if result is None else result
