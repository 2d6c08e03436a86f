"""Sums over loops that an adjoint adds, and those at opposite edges of a dimension joined into one.

    d[0, y] += e(r, y) for r in -2..-1;  d[w, y] += e(r, y) for r in w + 1..w + 2
    -->  d[i < 2 ? 0 : w, y] += e(i < 2 ? i - 2 : w - 1 + i, y) for i in 0..3

A clamp in each of n dimensions gives 3^n pieces: the inside, which is a gather, and 3^n - 1 sums. Joined, they are
2^n - 1 sums.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autodiff.algebra import plus
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import ReductionLoop, SourceLocation, StageDef
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.expr import Expr, FuncCall, ReductionVariable, Select, Variable
from pipec.ir.types import BOOL, INT32
from pipec.ir.walk import substitute
from pipec.records import dataclass, replace

_LETTERS = "xyzw"
# The first and the last value of a loop.
Range = tuple[Expr, Expr]
# A sum over a domain: the place that it is added to, its loops, its condition.
Group = tuple[tuple[Expr, ...], tuple[Range, ...], Expr]


def loop_variable(at: int) -> Variable:
    """The variable of loop number `at` in the expressions of a sum."""
    return Variable(INT32, f"loop {at}")


@dataclass(frozen=True, eq=False)
class Sum:
    """place += value for all values of the loops for which the condition holds.

    `ranges`: one or two for each loop, which runs over one after the other. In `place`, `_in_first(k)` stands for the
    condition that loop k is in the first of two.
    """

    place: tuple[Expr, ...]
    ranges: tuple[tuple[Range, ...], ...]
    condition: Expr
    value: Expr


def _in_first(at: int) -> Variable:
    return Variable(BOOL, f"loop {at} in first range")


def sums_of(groups: Mapping[Group, Expr]) -> list[Sum]:
    """The sums, each of the first of those that are joined with it in its place."""
    sums: list[Sum] = []
    for (place, loops, condition), value in groups.items():
        _add(sums, Sum(place, tuple([(limits,) for limits in loops]), condition, value))
    return sums


def _add(sums: list[Sum], new: Sum) -> None:
    for at, other in enumerate(sums):
        both = _joined(other, new)
        if both is not None:
            del sums[at]
            _add(sums, both)
            return
    sums.append(new)


def _joined(a: Sum, b: Sum) -> Sum | None:
    """One sum that adds what both add, where only the ranges of one loop and the places differ."""
    if a.value is not b.value or a.condition is not b.condition or len(a.ranges) != len(b.ranges):
        return None
    different = [at for at, (x, y) in enumerate(zip(a.ranges, b.ranges, strict=True)) if x != y]
    if len(different) != 1:
        return None
    (at,) = different
    if len(a.ranges[at]) != 1 or len(b.ranges[at]) != 1:
        return None
    place = tuple([x if x is y else Select(_in_first(at), x, y) for x, y in zip(a.place, b.place, strict=True)])
    ranges = (*a.ranges[:at], (*a.ranges[at], *b.ranges[at]), *a.ranges[at + 1 :])
    return replace(a, place=place, ranges=ranges)


def update_of(name: str, total: Sum, location: SourceLocation) -> StageDef:
    """The update of the adjoint `name` that adds a sum, with an RDom of its own."""
    domain = numbered_name("r")
    values: dict[str, Expr] = {}
    loops = []
    for at, ranges in enumerate(total.ranges):
        letter = _LETTERS[at] if at < len(_LETTERS) else str(at)
        variable = ReductionVariable(INT32, f"{domain}${letter}", None)
        extents = [build.max_(simplify(build.add(build.sub(high, low), 1)), 0) for low, high in ranges]
        if len(ranges) == 1:
            loops.append(ReductionLoop(variable.name, ranges[0][0], extents[0]))
            values[loop_variable(at).name] = variable
        else:
            loops.append(ReductionLoop(variable.name, build.as_expr(0), simplify(build.add(*extents))))
            is_first = build.lt(variable, extents[0])
            values[_in_first(at).name] = is_first
            values[loop_variable(at).name] = _value(variable, is_first, ranges, extents[0])
    args = tuple([substitute(arg, values) for arg in total.place])
    own: Expr = FuncCall(total.value.type, name, args, 0, None)
    result = plus(own, substitute(total.value, values))
    return StageDef(args, (result,), tuple(loops), substitute(total.condition, values), location)


def _value(variable: Expr, is_first: Expr, ranges: tuple[Range, ...], count: Expr) -> Expr:
    """The value of a loop over two ranges of which the first has `count` values.

    It is clamped to both ranges together: interval analysis does not know that the first value of the second range is
    not reached where that range is empty.
    """
    (low, high), (start, end) = ranges
    first, second = build.add(variable, low), build.add(variable, build.sub(start, count))
    value = Select(is_first, simplify(first), simplify(second))
    return build.max_(build.min_(value, simplify(build.max_(high, end))), simplify(build.min_(low, start)))
