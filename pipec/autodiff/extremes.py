"""Updates that keep the largest or smallest of all values: which iteration won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.autodiff.stages import StageView, defined, is_own, reduction_over, stem_of, variables
from pipec.bounds.conditions import MIRRORED, ORDERING
from pipec.func.functions.definition import StageDef
from pipec.func.functions.function import Function
from pipec.ir.expr import GT, LT, Compare, Const, Expr, FuncCall, Max, Min, Select
from pipec.ir.types import INT32
from pipec.ir.walk import postorder, substitute
from pipec.records import dataclass


@dataclass(frozen=True, eq=False)
class Extreme:
    """f[L] becomes `new` where relation(new, f[L]) holds; value `index` of the Func."""

    index: int
    new: Expr
    relation: type[Compare]

    @staticmethod
    def of(view: StageView, active: Sequence[int]) -> Extreme | None:
        """The extremum that is the only differentiated value of an update; None for other updates."""
        if len(active) != 1 or not view.loops:
            return None
        index = active[0]
        ((place, values),) = view.stores
        kind = view.function.types[index]
        mine = FuncCall(kind, view.function.name, place, index, None)
        value = values[index]
        candidate = _of_min_max(value, mine) or _of_select(value, mine)
        if candidate is None or any(isinstance(n, FuncCall) and is_own(view, n) for n in postorder(candidate[0])):
            return None
        return Extreme(index, *candidate)


def _of_min_max(e: Expr, mine: Expr) -> tuple[Expr, type[Compare]] | None:
    if isinstance(e, Min | Max) and mine in (e.a, e.b) and e.a is not e.b:
        return (e.b if e.a is mine else e.a), (LT if isinstance(e, Min) else GT)
    return None


def _of_select(e: Expr, mine: Expr) -> tuple[Expr, type[Compare]] | None:
    """select(new > mine, new, mine) and its kin."""
    if not isinstance(e, Select) or e.false_value is not mine:
        return None
    condition, new = e.condition, e.true_value
    if not isinstance(condition, Compare) or type(condition) not in ORDERING:
        return None
    if condition.a is new and condition.b is mine:
        return new, type(condition)
    if condition.a is mine and condition.b is new:
        return new, MIRRORED[type(condition)]
    return None


def winners(view: StageView, extreme: Extreme, before: Function) -> Function:
    """For each element the iteration that gave it its value, INT_MIN where none did, and that value."""
    function = view.function
    kind, pure = function.types[extreme.index], variables(function.args)
    start: Expr = FuncCall(kind, before.name, pure, extreme.index, before)
    nobody = [Const(INT32, INT32.min_value())] * len(view.loops)
    types = (*[INT32] * len(view.loops), kind)
    won = defined(f"{stem_of(function)}_won", function.args, types, (*nobody, start), view.location)
    loops, iteration = reduction_over(view.loops)
    names = dict(zip([dim.name for dim in view.loops], iteration, strict=True))
    names |= {own: x for own, x in zip(view.pure, pure, strict=True) if own is not None}
    ((place, _),) = view.stores
    args = tuple([substitute(arg, names) for arg in place])
    new = substitute(extreme.new, names)
    old: list[Any] = [FuncCall(t, won.name, args, at, None) for at, t in enumerate(types)]
    wins = extreme.relation(new, old[-1])
    values = tuple([Select(wins, n, o) for n, o in zip([*iteration, new], old, strict=True)])
    won.add_stage(StageDef(args, values, loops, substitute(view.condition, names), view.location))
    return won
