"""Intervals of the values of pure Funcs, so that values of one Func may be coordinates of another.

    b(x) = clamp(g(x), 0, n - 3), t(b(x) + 2)  -->  t is needed over [2, n - 1]

The interval holds for computed values only. Lanes beyond the required box must not use other values as coordinates:
Funcs whose values are coordinates (`indexing`) are computed wherever they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipec.bounds.interval import UNBOUNDED, Interval, IntervalAnalysis, of_type
from pipec.func.functions.definition import FuncDef
from pipec.ir.expr import TRUE, Expr, FuncCall
from pipec.ir.walk import postorder


class ValueRanges:
    """The intervals of the values of Funcs over all their coordinates; `indices`: the coordinates of all accesses."""

    def __init__(self, funcs: Mapping[str, FuncDef], indices: Iterable[Expr]) -> None:
        self._funcs = funcs
        self._intervals: dict[tuple[str, int], Interval] = {}
        self.indexing = self._closure(self._bounding_calls(indices))

    def of(self, call: FuncCall) -> Interval:
        """Returns the interval of an element of a Func: that of its type unless the Func is pure."""
        if call.type.boolean:
            return of_type(call.type)
        key = call.name, call.value_index
        if key not in self._intervals:
            self._intervals[key] = of_type(call.type)  # for a Func that calls itself
            self._intervals[key] = self._compute(call)
        return self._intervals[key]

    def is_anything(self, func: FuncDef) -> bool:
        """Whether nothing is known of the values of a Func with one value but their type."""
        return self.of(FuncCall(func.types[0], func.name, (), 0, None)) == of_type(func.types[0])

    def _compute(self, call: FuncCall) -> Interval:
        func = self._funcs.get(call.name)
        if func is None or not func.pure or func.stages[0].predicate is not TRUE:
            return of_type(call.type)
        varying = set(func.args)
        analysis = IntervalAnalysis(lambda name: UNBOUNDED if name in varying else None, self.of)
        interval = analysis.of(func.stages[0].values[call.value_index])
        return Interval(*(own or other for own, other in zip(interval, of_type(call.type), strict=True)))

    def _closure(self, names: set[str]) -> set[str]:
        """Returns the Funcs and all Funcs whose values bound theirs."""
        pending, closure = list(names), set(names)
        while pending:
            func = self._funcs.get(pending.pop())
            values = func.stages[0].values if func is not None and func.pure else ()
            more = self._bounding_calls(values) - closure
            closure |= more
            pending += more
        return closure

    def _bounding_calls(self, roots: Iterable[Expr]) -> set[str]:
        """Returns the Funcs in expressions whose intervals depend on the intervals of Funcs."""
        by_values, by_types = IntervalAnalysis(lambda name: None, self.of), IntervalAnalysis(lambda name: None)
        names: set[str] = set()
        for root in dict.fromkeys(roots):
            calls = [node for node in postorder(root) if isinstance(node, FuncCall)]
            if any(self.of(call) != of_type(call.type) for call in calls) and by_values.of(root) != by_types.of(root):
                names.update(call.name for call in calls)
        return names
