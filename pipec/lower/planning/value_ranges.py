"""Intervals of the values of pure Funcs, so that what one Func holds may be an index into another.

    b(x) = clamp(g(x), 0, n - 3), t(b(x) + 2)  -->  t is needed over [2, n - 1]

Only values that were computed lie in the interval, so lanes beyond what is needed must not read others as indices:
Funcs that are indices (`indexing`) are computed wherever they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipec.bounds.interval import UNBOUNDED, Interval, IntervalAnalysis, of_type
from pipec.func.functions.definition import FuncDef
from pipec.ir.expr import TRUE, Expr, FuncCall
from pipec.ir.walk import postorder


class ValueRanges:
    """What is known of the values of Funcs over all their coordinates; `indices`: where elements are read."""

    def __init__(self, funcs: Mapping[str, FuncDef], indices: Iterable[Expr]) -> None:
        self._funcs = funcs
        self._known: dict[tuple[str, int], Interval] = {}
        self.indexing = self._closure(self._bounding_calls(indices))

    def of(self, call: FuncCall) -> Interval:
        """The interval of an element of a Func; its type's unless the Func is pure."""
        if call.type.boolean:
            return of_type(call.type)
        key = call.name, call.value_index
        found = self._known.get(key)
        if found is None:
            self._known[key] = of_type(call.type)  # while a Func that calls itself is looked at
            found = self._known[key] = self._compute(call)
        return found

    def _compute(self, call: FuncCall) -> Interval:
        func = self._funcs.get(call.name)
        if func is None or not func.pure or func.stages[0].predicate is not TRUE:
            return of_type(call.type)
        varying = set(func.args)
        analysis = IntervalAnalysis(lambda name: UNBOUNDED if name in varying else None, self.of)
        found = analysis.of(func.stages[0].values[call.value_index])
        return Interval(*(own or other for own, other in zip(found, of_type(call.type), strict=True)))

    def _closure(self, names: set[str]) -> set[str]:
        """The Funcs and all whose values bound theirs."""
        pending, found = list(names), set(names)
        while pending:
            func = self._funcs.get(pending.pop())
            values = func.stages[0].values if func is not None and func.pure else ()
            more = self._bounding_calls(values) - found
            found |= more
            pending += more
        return found

    def _bounding_calls(self, roots: Iterable[Expr]) -> set[str]:
        """The Funcs read in expressions whose intervals depend on what is known of the values of Funcs."""
        by_values, by_types = IntervalAnalysis(_symbolic, self.of), IntervalAnalysis(_symbolic)
        found: set[str] = set()
        for root in dict.fromkeys(roots):
            calls = [node for node in postorder(root) if isinstance(node, FuncCall)]
            if any(self.of(call) != of_type(call.type) for call in calls) and by_values.of(root) != by_types.of(root):
                found.update(call.name for call in calls)
        return found


def _symbolic(name: str) -> None:
    """No variable has an interval."""
