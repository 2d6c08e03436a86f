"""What the default schedule of gradients computes where it is read: what is cheap, or read at one place only."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from pipec.autodiff.default_estimates import Estimates, calls, is_scheduled
from pipec.autodiff.stages import StageView
from pipec.autodiff.terms import affine
from pipec.bounds.linear import Linear
from pipec.func.functions.function import Function
from pipec.ir.expr import Binary, Cast, Div, Expr, FuncCall, Intrinsic, Select, Variable
from pipec.ir.intrinsics import INTRINSICS, Cost
from pipec.ir.walk import postorder

# A Func with at most so many operations is computed again wherever it is read.
CHEAP = 8
# What a division of floats counts for: a vector takes so much longer for it than for a product.
DIVISION = 8
FUNCTION = 4


class Inlining:
    """Decides about Funcs one after another, producers first. `sums`: Funcs computed where their only reader is."""

    def __init__(self, estimates: Estimates, sums: set[Function]) -> None:
        self.estimates, self.sums = estimates, sums
        self.chosen: set[Function] = set()
        self._costs: dict[Function, int] = {}

    def decide(self, function: Function) -> bool:
        """Whether a Func is computed where it is read: it is cheap, or read at one place for each of its points."""
        found = len(function.stages) == 1 and function not in self.estimates.outputs and self._inlined(function)
        if found:
            self.chosen.add(function)
        return found

    def _inlined(self, function: Function) -> bool:
        if self._cost(function) <= CHEAP and not self.sums_of(function):
            return True
        reads = self._reads(function)
        once = len(reads) == 1 and reads[0] <= prod(self.estimates.extents(function)) * 1.25
        return once and (not self.sums_of(function) or self._moved(function))

    def _moved(self, function: Function) -> bool:
        """Whether pure definitions alone read a Func, at places that only shift its coordinates."""
        for views in self.estimates.views.values():
            for view in views:
                names = {name for name in view.pure if name is not None}
                for node in calls(view):
                    if node.function is function and not (view.number == 0 and _shifted(node.args, names)):
                        return False
        return True

    def sums_of(self, function: Function) -> dict[Function, dict[str, str]]:
        """The sums that the pure definition of a Func reads, by what is inlined too.

        With each the names that its dimensions have for the coordinates of the Func.
        """
        found: dict[Function, dict[str, str]] = {}
        view = self.estimates.views[function][0]
        names = {name: own for name, own in zip(view.pure, function.args, strict=True) if name is not None}
        for node in calls(view):
            called = node.function
            if called not in self.sums and called not in self.chosen:
                continue
            inner = {called: dict(zip(called.args, called.args, strict=True))}
            for part, theirs in (inner if called in self.sums else self.sums_of(called)).items():
                forms = zip(called.args, [affine(arg, set(names)) for arg in node.args], strict=True)
                mine = {own: _only(form) for own, form in forms if form is not None}
                found[part] = {
                    names[variable]: theirs[own]
                    for own, variable in mine.items()
                    if variable in names and own in theirs
                }
        return found

    def operations(self, view: StageView) -> int:
        """The operations for one iteration, what is computed where it is read included."""
        total = 0
        seen: set[Any] = set()
        for node in [node for value in view.values for node in postorder(value, seen)]:
            if isinstance(node, FuncCall) and node.function in self.estimates.views:
                called = node.function
                pure = len(called.stages) == 1 and not is_scheduled(called)
                total += self._cost(called) if pure and called not in self.estimates.outputs else 0
            if isinstance(node, Intrinsic) and INTRINSICS[node.name].cost is not Cost.FREE:
                total += FUNCTION
            elif isinstance(node, Div) and node.type.floating:
                total += DIVISION
            elif isinstance(node, Binary | Select | Cast) and node.type.floating:
                total += 1
        return total

    def _reads(self, function: Function) -> list[int]:
        """How often a Func is read at each of the places that definitions mention."""
        found = []
        for consumer, views in self.estimates.views.items():
            extents = self.estimates.extents(consumer)
            for view in views:
                places = {node.args for node in calls(view) if node.function is function}
                pure = [e for e, name in zip(extents, view.pure, strict=True) if name is not None]
                found += [prod([*pure, *self.estimates.loops(view)])] * len(places)
        return found

    def _cost(self, function: Function) -> int:
        """The operations for one point."""
        if function not in self._costs:
            self._costs[function] = self.operations(self.estimates.views[function][0])
        return self._costs[function]


def _only(form: Linear | None) -> str:
    """The variable of which a coordinate is a shift; nothing when it is none."""
    if form is None or list(form.terms.values()) != [1]:
        return ""
    ((atom, _),) = form.terms.items()
    return atom.name if isinstance(atom, Variable) else ""


def _shifted(args: Sequence[Expr], names: set[str]) -> bool:
    """Whether each coordinate is a variable and a constant, no variable twice."""
    used = {_only(affine(arg, names)) for arg in args}
    return "" not in used and len(used) == len(args)
