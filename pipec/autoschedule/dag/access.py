"""Accesses: the loads of a stage in groups of one Jacobian, and the boxes that they touch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from pipec.autoschedule.dag.affine_forms import Form, Forms, Limits
from pipec.autoschedule.dag.dag import Access, LoopInfo
from pipec.ir.expr import Expr, FuncCall, ImageCall
from pipec.ir.walk import free_variables, postorder
from pipec.records import replace

Jacobian = tuple[tuple[float, ...] | None, ...]
Limit = tuple[float, float]
"""The first and the last coordinate in one dimension; infinite when nothing is known."""


class _Group:
    """Loads with one Jacobian while they are collected."""

    def __init__(self, jacobian: Jacobian, dimensions: int) -> None:
        self.jacobian = jacobian
        self.low, self.high = [math.inf] * dimensions, [-math.inf] * dimensions
        self.offsets: dict[tuple[float, ...], None] = {}
        self.exact, self.boundary, self.scattered, self.count = True, False, False, 0

        self.values = [frozenset[int]()] * dimensions

    def add(self, forms: Sequence[Form], values: Sequence[frozenset[int]]) -> None:
        self.count += 1
        for d, (row, form) in enumerate(zip(self.jacobian, forms, strict=True)):
            self.low[d] = min(self.low[d], form.low if row is not None else form.least)
            self.high[d] = max(self.high[d], form.high if row is not None else form.most)
        self.exact = self.exact and all(form.exact for form in forms)
        self.boundary = self.boundary or any(form.boundary for form in forms)
        self.scattered = self.scattered or any(form.scattered for form in forms)
        self.values = [old | more for old, more in zip(self.values, values, strict=True)]
        self.offsets[tuple([form.low for form in forms])] = None

    def access(self, name: str) -> Access:
        offsets = tuple(self.offsets) if self.exact else ()
        low, high = tuple(self.low), tuple(self.high)
        values = () if self.exact else tuple(self.values)
        return Access(name, self.jacobian, low, high, offsets, self.count, self.boundary, self.scattered, values)


def accesses(calls: Iterable[FuncCall | ImageCall], forms: Forms, loops: Sequence[str]) -> tuple[Access, ...]:
    """The distinct calls of a stage with the loops of these names, in groups of the same Func or image and Jacobian."""
    groups: dict[tuple[str, Jacobian, bool], _Group] = {}
    for call in calls:
        own = [forms.of(arg) for arg in call.args]
        jacobian = tuple([_row(form, loops) for form in own])
        key = call.name, jacobian, all(form.exact for form in own)
        group = groups.get(key)
        if group is None:
            group = groups[key] = _Group(jacobian, len(own))
        group.add(own, [_changing(arg, form, loops) for arg, form in zip(call.args, own, strict=True)])
    return tuple([group.access(name) for (name, _, _), group in groups.items()])


def _row(form: Form, loops: Sequence[str]) -> tuple[float, ...] | None:
    return tuple([form.terms.get(name, 0.0) for name in loops]) if form.is_affine else None


def _changing(arg: Expr, form: Form, loops: Sequence[str]) -> frozenset[int]:
    """The loops that change what is not known of a coordinate: those at which values in it are read, or all of it."""
    if form.exact:
        return frozenset()
    calls = [free_variables(node) for node in postorder(arg) if isinstance(node, FuncCall | ImageCall)]
    names = frozenset[str]().union(*(calls or [free_variables(arg)]))
    return frozenset([j for j, name in enumerate(loops) if name in names])


def store_access(name: str, args: Sequence[Expr], forms: Forms, loops: Sequence[str]) -> Access:
    """Where a point of a stage is stored."""
    own = [forms.of(arg) for arg in args]
    group = _Group(tuple([_row(form, loops) for form in own]), len(own))
    group.add(own, [_changing(arg, form, loops) for arg, form in zip(args, own, strict=True)])
    return group.access(name)


def touched(coordinates: Iterable[Sequence[Expr]], forms: Forms) -> list[Limit]:
    """The smallest box around all that some coordinates can be, over the whole loops."""
    box: list[Limit] = []
    for args in coordinates:
        own = [(forms.of(arg).least, forms.of(arg).most) for arg in args]
        box = own if not box else [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(box, own, strict=True)]
    return box


def clipped(access: Access, box: Mapping[str, Sequence[Limits]], loops: Sequence[LoopInfo]) -> Access:
    """The access within the box of what is read: coordinates that are not affine, and those without limits."""
    if all(row is not None for row in access.jacobian) and all(map(math.isfinite, (*access.low, *access.high))):
        return access
    low, high = list(access.low), list(access.high)
    for d, row in enumerate(access.jacobian):
        least, most = box[access.name][d]
        if row is None:
            low[d], high[d] = (float(math.floor(min(max(x, least), most))) for x in (low[d], high[d]))
        elif not math.isfinite(low[d]) or not math.isfinite(high[d]):
            ends = [(c * v.minimum, c * (v.minimum + v.extent - 1)) for c, v in zip(row, loops, strict=True)]
            low[d] = max(low[d], least - sum(map(max, ends)))
            high[d] = min(high[d], most - sum(map(min, ends)))
    return replace(access, low=tuple(low), high=tuple(high))
