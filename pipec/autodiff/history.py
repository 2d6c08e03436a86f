"""Updates that overwrite what the gradient needs, as scans over time in which nothing is overwritten; extremes.

f[x] = v(f[x], r)    -->    h[x, t] = f[x];  h[x, t + 1] = v(h[x, t], t)    and in the end    f[x] = h[x, last]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.autodiff.solve import independent_rows
from pipec.autodiff.stages import StageView, defined, is_own, reduction_over, stem_of, variables
from pipec.autodiff.terms import DomainDim, affine
from pipec.bounds.conditions import MIRRORED, ORDERING
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import ReductionLoop, StageDef
from pipec.func.functions.function import Function
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.expr import GT, LT, TRUE, Compare, Const, Expr, FuncCall, Max, Min, ReductionVariable, Select, const
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, rewrite, substitute
from pipec.records import dataclass


def with_history(view: StageView, before: Function) -> tuple[Function, Expr] | None:
    """The Function of all values over time, and the time after the last iteration.

    None when a place may belong to several values of the loops that it mentions. Own reads must be in place, or of
    elements that the update does not write.
    """
    times = _time_loops(view)
    if not times:
        return None
    function, t_name = view.function, numbered_name("t")
    pure = variables(function.args)
    start = [FuncCall(kind, before.name, pure, at, before) for at, kind in enumerate(function.types)]
    name = f"{stem_of(function)}_history"
    history = defined(name, (*function.args, t_name), function.types, start, view.location)
    others = [dim for dim in view.loops if dim not in times]
    loops, iteration = reduction_over(others)
    names = dict(zip([dim.name for dim in others], iteration, strict=True))
    names |= {own: x for own, x in zip(view.pure, pure, strict=True) if own is not None}
    t = ReductionVariable(INT32, numbered_name("r$t"), None)
    last = _spread(times, t, names)
    ((place, values),) = view.stores
    args = tuple([simplify(substitute(arg, names)) for arg in place])

    def change(node: Any) -> Any:
        if not isinstance(node, FuncCall) or not is_own(view, node):
            return node
        if node.args == place:
            return FuncCall(node.type, history.name, (*node.args, t), node.value_index, None)
        return FuncCall(node.type, before.name, node.args, node.value_index, before)

    condition = substitute(view.condition, names)
    new = []
    for at, value in enumerate(values):
        old: Expr = FuncCall(value.type, history.name, (*args, t), at, None)
        new.append(build.select(condition, substitute(rewrite(value, change), names), old))
    time = ReductionLoop(t.name, const(0), last)
    history.add_stage(StageDef((*args, build.add(t, 1)), tuple(new), (*loops, time), TRUE, view.location))
    return history, last


def _time_loops(view: StageView) -> list[DomainDim]:
    """The loops that the place does not mention; none when it does not determine those that it mentions."""
    ((place, _),) = view.stores
    names = view.names
    mentioned = [dim for dim in view.loops if any(dim.name in free_variables(arg) for arg in place)]
    rows = [form for arg in place if (form := affine(arg, names)) is not None]
    system = [[form.terms.get(dim.variable, 0) for dim in mentioned] for form in rows]
    if len(independent_rows(system, range(len(mentioned)))) < len(mentioned):
        return []
    return [dim for dim in view.loops if dim not in mentioned]


def _spread(times: list[DomainDim], t: Expr, names: dict[str, Expr]) -> Expr:
    """Adds the loops in terms of the iteration number `t` to `names`; returns the number of iterations."""
    count: Expr = const(1)
    for at, dim in enumerate(times):
        extent = build.max_(dim.extent, 0)
        digit = build.div(t, count)
        if at < len(times) - 1:
            digit = build.mod(digit, extent)
        names[dim.name] = simplify(build.add(dim.low, digit))
        count = simplify(build.mul(count, extent))
    return count


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
    """Returns a Func of the last iteration that wrote each element (INT_MIN where none did) and of its value."""
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
