"""Associative sums of products of the elements of a Tuple: complex numbers, matrices, linear recurrences, ..."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from pipec.func.directives.polynomials import (
    Factor,
    Monomial,
    Polynomial,
    coefficient,
    expression,
    polynomial,
    product,
    replaced,
    scaled,
    total,
    without,
)
from pipec.func.directives.reduction_operator import ReductionOperator, other, own
from pipec.ir.expr import Const, Expr
from pipec.ir.types import Type

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
