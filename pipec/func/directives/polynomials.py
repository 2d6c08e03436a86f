"""Polynomials over expressions, sums and products multiplied out, and the bilinear operators among them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from pipec.ir.expr import Add, Const, Expr, Mul, Sub, Variable
from pipec.ir.types import Type
from pipec.ir.walk import mentions
from pipec.records import dataclass

# Factors in a fixed order, with repetition: Variables by name, expressions without the variables as they are.
Factor = str | Expr
Monomial = tuple[Factor, ...]
Polynomial = Mapping[Monomial, int]


@dataclass(frozen=True)
class ReductionOperator:
    """The merge of two partial results, element by element, as expressions of `own(k)` and `other(k)`.

    `neutral`: merging with the identities changes nothing. Where it does not hold, a partial result may start from the
    identities (they give way to whatever comes), but one that nothing was added to must not be merged.
    """

    identities: tuple[Expr, ...]
    merge: tuple[Expr, ...]
    commutative: bool
    neutral: bool = True


def own(k: int, type_: Type) -> Variable:
    """Element `k` of the earlier partial result."""
    return Variable(type_, f"own {k}")


def other(k: int, type_: Type) -> Variable:
    """Element `k` of the later partial result."""
    return Variable(type_, f"other {k}")


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
    return tuple(sorted(factors, key=lambda f: (0, f) if isinstance(f, str) else (1, f.order())))


def replaced(a: Polynomial, values: Mapping[Factor, Polynomial]) -> Polynomial:
    """The polynomial with factors replaced."""
    parts = []
    for monomial, coefficient in a.items():
        factors = [values.get(factor, {(factor,): 1}) for factor in monomial]
        parts.append(scaled(reduce(product, factors, {(): 1}), coefficient))
    return total(parts)


def coefficient(p: Polynomial, name: str) -> Polynomial | None:
    """Returns the factor of a name; None when a term has it, or it and another own element, more than once."""
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


MAX_ELEMENTS = 4


def bilinear(group: list[int], bodies: Sequence[Expr]) -> ReductionOperator | None:
    """The operator of sums of products of own elements and new values; None when none is proved.

    The new values are put in the places of the elements of a partial result in all ways until op is associative and has
    an identity of zeros and ones.
    """
    types = {bodies[k].type for k in group}
    if len(types) != 1 or len(group) > MAX_ELEMENTS:
        return None
    (type_,) = types
    names = [own(k, type_).name for k in group]
    rows: list[dict[str, Polynomial]] = []
    for k in group:
        body = polynomial(bodies[k], frozenset(names))
        factors = {name: coefficient(body or {}, name) for name in names}
        if body is None or None in factors.values():
            return None
        row = {name: factor for name, factor in factors.items() if factor}
        row[""] = without(body, frozenset(names))
        rows.append(row)
    atoms = list(dict.fromkeys([_atom(p)[0] for row in rows for p in row.values() if set(p) - {()}]))
    if len(atoms) > len(group):
        return None
    for places in itertools.permutations(group, len(atoms)):
        operation = _with_atoms(rows, {atom: other(k, type_).name for atom, k in zip(atoms, places, strict=True)})
        identity = _identity(operation, group, type_)
        if identity is not None and _associative(operation, group, type_):
            merge = tuple([expression(row, type_) for row in operation])
            return ReductionOperator(
                tuple([Const(type_, n) for n in identity]), merge, _commutative(operation, group, type_)
            )
    return None


_Atom = tuple[tuple[Monomial, int], ...]


def _atom(p: Polynomial) -> tuple[_Atom, int]:
    """A polynomial as one thing, and its sign."""
    items = tuple(p.items())
    sign = 1 if items[0][1] > 0 else -1
    return tuple([(monomial, number * sign) for monomial, number in items]), sign


def _with_atoms(rows: list[dict[str, Polynomial]], names: dict[_Atom, str]) -> list[Polynomial]:
    """The operation on own and other elements: what is new is another element now."""
    operation = []
    for row in rows:
        parts: list[Polynomial] = []
        for mine, p in row.items():
            if not p:
                continue
            atom, sign = _atom(p)
            factor: Polynomial = {(names[atom],): sign} if atom in names else p
            parts.append(product(factor, {(mine,) if mine else (): 1}))
        operation.append(total(parts))
    return operation


def _associative(operation: list[Polynomial], group: list[int], type_: Type) -> bool:
    """(a b) c = a (b c), multiplied out."""
    third: list[Polynomial] = [{(f"third {k}",): 1} for k in group]
    mine: list[Polynomial] = [{(own(k, type_).name,): 1} for k in group]
    theirs: list[Polynomial] = [{(other(k, type_).name,): 1} for k in group]
    left = _applied(operation, group, type_, _applied(operation, group, type_, mine, theirs), third)
    right = _applied(operation, group, type_, mine, _applied(operation, group, type_, theirs, third))
    return left == right


def _commutative(operation: list[Polynomial], group: list[int], type_: Type) -> bool:
    mine: list[Polynomial] = [{(own(k, type_).name,): 1} for k in group]
    theirs: list[Polynomial] = [{(other(k, type_).name,): 1} for k in group]
    return _applied(operation, group, type_, theirs, mine) == operation


def _identity(operation: list[Polynomial], group: list[int], type_: Type) -> tuple[int, ...] | None:
    """Numbers that change nothing when they come second."""
    mine: list[Polynomial] = [{(own(k, type_).name,): 1} for k in group]
    for numbers in itertools.product((0, 1), repeat=len(group)):
        constants = [scaled({(): 1}, number) for number in numbers]
        if _applied(operation, group, type_, mine, constants) == mine:
            return numbers
    return None


def _applied(
    operation: list[Polynomial], group: list[int], type_: Type, a: Sequence[Polynomial], b: Sequence[Polynomial]
) -> list[Polynomial]:
    values: dict[Factor, Polynomial] = {own(k, type_).name: p for k, p in zip(group, a, strict=True)}
    values |= {other(k, type_).name: p for k, p in zip(group, b, strict=True)}
    return [replaced(row, values) for row in operation]
