"""Moduli and phases: the loops by whose remainders (`x % 2`) a stage selects values, and the operations of a point
where the selection is constant, in blocks that hold a whole period."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from pipec.autoschedule.dag.affine_forms import Forms
from pipec.autoschedule.dag.dag import LoopInfo, Parts, Phases
from pipec.autoschedule.dag.operations import parts
from pipec.bounds.simplify import simplify
from pipec.ir.build import constant
from pipec.ir.expr import Const, Expr, Intrinsic, Mod, Select
from pipec.ir.node import Node
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, substitute

MAX_MODULUS = 16
"""Larger periods are not worth unrolling."""


def moduli(roots: Iterable[Expr], forms: Forms, loops: Sequence[str]) -> tuple[int, ...]:
    """For each loop the least common multiple of the m in all `x % m`, and `x & (m - 1)`, of affine x."""
    periods = dict.fromkeys(loops, 1)
    for node in postorder(*roots):
        modulus = _modulus(node)
        if modulus is None:
            continue
        value = forms.of(node.a if isinstance(node, Mod) else node.children()[0])  # type: ignore[arg-type]
        for name, coefficient in value.terms.items():
            if value.parts == 1 and coefficient == int(coefficient):
                period = modulus // math.gcd(int(coefficient), modulus)
                joined = math.lcm(periods[name], period)
                periods[name] = joined if joined <= MAX_MODULUS else periods[name]
    return tuple(periods.values())


def _modulus(node: Node) -> int | None:
    if isinstance(node, Mod) and node.type.integral:
        value = constant(node.b)
        return int(value) if value is not None and 1 < value <= MAX_MODULUS else None
    if isinstance(node, Intrinsic) and node.name == "bitwise_and":
        value = constant(node.args[1])
        ones = value is not None and 1 <= value < MAX_MODULUS and (int(value) & (int(value) + 1)) == 0
        return int(value) + 1 if value is not None and ones else None
    return None


MAX_PHASES = 16


def phases(
    roots: Sequence[Expr],
    forms: Forms,
    loops: Sequence[LoopInfo],
    moduli: Sequence[int],
    varying: Set[Expr] = frozenset(),
    whole: Set[str] = frozenset(),
    emulated: bool = False,
) -> Phases | None:
    """None where nothing is chosen by the place of a point. `varying`: as in `parts`; `whole`: loops of which blocks
    have all, short or not."""
    conditions = {node.condition for node in postorder(*roots) if isinstance(node, Select)}
    used = {name for condition in conditions for name in free_variables(condition)}
    periods = list(moduli)
    for d, loop in sorted(enumerate(loops), key=lambda item: item[1].extent):
        is_chosen = loop.name in used and (loop.extent > 1 or loop.name in whole)
        if is_chosen and periods[d] == 1 and math.prod(periods) * loop.extent <= MAX_PHASES:
            periods[d] = loop.extent
    if math.prod(periods) == 1 or math.prod(periods) > MAX_PHASES or not conditions:
        return None
    names = [loop.name for loop in loops]

    def parts_of(periods: Sequence[int]) -> Parts:
        if math.prod(periods) == 1:
            return ()
        places = [dict(zip(names, place, strict=True)) for place in itertools.product(*map(range, periods))]
        choosers = [_chooser(place, loops, periods) for place in places]
        phased = {name for name, period in zip(names, periods, strict=True) if period > 1}
        return parts(roots, forms, names, choosers, phased, emulated, varying)

    without = [parts_of([*periods[:d], 1, *periods[d + 1 :]]) if periods[d] > 1 else () for d in range(len(periods))]
    return Phases(tuple(periods), parts_of(periods), tuple(without))


def _chooser(
    place: Mapping[str, int], loops: Iterable[LoopInfo], periods: Sequence[int]
) -> Callable[[Expr], bool | None]:
    """Returns a function from a condition to its value in one phase, or to None where that depends on more."""
    first = {
        loop.name: Const(INT32, loop.minimum - loop.minimum % period + place[loop.name])
        for loop, period in zip(loops, periods, strict=True)
        if period > 1
    }
    later = {
        loop.name: Const(INT32, first[loop.name].value + 6 * period)
        for loop, period in zip(loops, periods, strict=True)
        if period > 1 and period != loop.extent
    }

    def choose(condition: Expr) -> bool | None:
        if not free_variables(condition) <= first.keys():
            return None
        value, later_value = (constant(simplify(substitute(condition, {**first, **values}))) for values in ({}, later))
        return None if value is None or value != later_value else bool(value)

    return choose
