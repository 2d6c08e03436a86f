"""Updates that keep the largest or smallest of all values: which iteration won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.autodiff.stages import StageView, is_own
from pipec.bounds.conditions import MIRRORED, ORDERING
from pipec.func.functions.definition import ReductionLoop, StageDef
from pipec.func.functions.function import Function
from pipec.ir.expr import GT, LT, TRUE, Compare, Const, Expr, FuncCall, Max, Min, Select, Variable
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
        """The extremum that an update keeps in its only differentiated value; None when it does something else."""
        if len(active) != 1 or not view.loops:
            return None
        index = active[0]
        ((place, values),) = view.stores
        kind = view.function.types[index]
        mine = FuncCall(kind, view.function.name, place, index, None)
        value = values[index]
        found = _of_min_max(value, mine) or _of_select(value, mine)
        if found is None or any(isinstance(n, FuncCall) and is_own(view, n) for n in postorder(found[0])):
            return None
        return Extreme(index, *found)


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
    """For each element the iteration that gave it its value (INT_MIN when none did), and that value."""
    function = view.function
    made = Function(f"{function.name.partition('$')[0]}_won", view.location)
    kind = function.types[extreme.index]
    made.args, made.types = function.args, (*[INT32] * len(view.loops), kind)
    pure = tuple([Variable(INT32, name) for name in made.args])
    start: Expr = FuncCall(kind, before.name, pure, extreme.index, before)
    nobody = [Const(INT32, INT32.min_value())] * len(view.loops)
    made.add_stage(StageDef(pure, (*nobody, start), (), TRUE, view.location))
    names: dict[str, Expr] = {
        own: Variable(INT32, name) for own, name in zip(view.pure, made.args, strict=True) if own is not None
    }
    loops, variables = reduction(view, names)
    ((place, _),) = view.stores
    args = tuple([substitute(arg, names) for arg in place])
    new = substitute(extreme.new, names)
    old: list[Any] = [FuncCall(t, made.name, args, at, None) for at, t in enumerate(made.types)]
    wins = extreme.relation(new, old[-1])
    values = tuple([Select(wins, n, o) for n, o in zip([*variables, new], old, strict=True)])
    made.add_stage(StageDef(args, values, loops, substitute(view.condition, names), view.location))
    return made


def reduction(view: StageView, names: dict[str, Expr]) -> tuple[tuple[ReductionLoop, ...], list[Expr]]:
    """The loops of a stage under names of a new RDom, which are added to `names`."""
    from pipec.func.functions.names import numbered_name
    from pipec.ir.build import max_
    from pipec.ir.expr import ReductionVariable

    domain = numbered_name("r")
    loops, variables = [], []
    for at, dim in enumerate(view.loops):
        variable: Expr = ReductionVariable(INT32, f"{domain}${at}", None)
        loops.append(ReductionLoop(f"{domain}${at}", dim.low, max_(dim.extent, 0)))
        variables.append(variable)
        names[dim.name] = variable
    return tuple(loops), variables
