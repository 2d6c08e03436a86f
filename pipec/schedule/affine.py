"""Variables that two iterations must share to touch the same element: linear forms of indices, compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from pipec.bounds.linear import sum_of_terms
from pipec.ir.expr import Expr
from pipec.ir.walk import free_variables
from pipec.records import dataclass

Range = tuple[int, int]
"""Least and greatest value of a variable."""


@dataclass(frozen=True)
class Affine:
    """constant + sum of coefficient * term; `varying` holds the terms that are reduction variables, by name."""

    varying: tuple[tuple[str, int], ...]
    fixed: tuple[tuple[Expr, int], ...]
    constant: int


def affine_form(e: Expr, variables: frozenset[str]) -> Affine | None:
    """The linear form of an index in `variables`, or None when it has none."""
    form = sum_of_terms(e)
    varying: dict[str, int] = {}
    fixed: dict[Expr, int] = {}
    for node, factor in form.terms.items():
        name = getattr(node, "name", None)
        if free_variables(node).isdisjoint(variables):
            fixed[node] = factor
        elif name in variables and not node.children():
            varying[str(name)] = varying.get(str(name), 0) + factor
        else:
            return None
    return Affine(
        tuple(sorted((name, c) for name, c in varying.items() if c)),
        tuple(sorted(fixed.items(), key=lambda item: item[0].order())),
        form.constant,
    )


def shared_on_conflict(
    write: Iterable[Expr], access: Iterable[Expr], variables: frozenset[str], ranges: Mapping[str, Range]
) -> frozenset[str]:
    """Returns the variables that must be equal in two iterations if the `write` of one is the `access` of the other.

    All of `variables` when that cannot happen at all.
    """
    pairs = [(affine_form(a, variables), affine_form(b, variables)) for a, b in zip(write, access, strict=True)]
    forms = [(a, b) for a, b in pairs if a is not None and b is not None]
    shared: frozenset[str] = frozenset()
    while True:
        determined = shared
        for a, b in forms:
            if _disjoint(a, b, shared, ranges):
                return variables
            if a == b:
                determined |= _determined(a, shared, ranges)
        if determined == shared:
            return shared
        shared = determined


def _determined(form: Affine, shared: frozenset[str], ranges: Mapping[str, Range]) -> frozenset[str]:
    """The variables whose values follow from the value of the form, given those in `shared`."""
    unknown = [(abs(c), name) for name, c in form.varying if name not in shared]
    if len(unknown) > 1:
        reach = 0
        for coefficient, name in sorted(unknown):
            if name not in ranges or coefficient <= reach:
                return frozenset()
            low, high = ranges[name]
            reach += coefficient * max(high - low, 0)
    return frozenset(name for _, name in unknown)


def _disjoint(a: Affine, b: Affine, shared: frozenset[str], ranges: Mapping[str, Range]) -> bool:
    """Whether the two forms differ for all values of their variables."""
    if a.fixed != b.fixed:
        return False
    same = {name for name, c in a.varying if name in shared and (name, c) in b.varying}
    left = [(name, c) for name, c in a.varying if name not in same]
    right = [(name, -c) for name, c in b.varying if name not in same]
    constant = a.constant - b.constant
    divisor = math.gcd(*(c for _, c in left + right))
    if constant % divisor if divisor else constant:
        return True
    if not all(name in ranges for name, _ in left + right):
        return False
    low = high = constant
    for name, c in left + right:
        ends = [c * end for end in ranges[name]]
        low, high = low + min(ends), high + max(ends)
    return low > 0 or high < 0
