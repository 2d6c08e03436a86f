"""Updates that overwrite what the gradient needs, as scans over time in which nothing is overwritten.

f[x] = v(f[x], r)    -->    h[x, t] = f[x];  h[x, t + 1] = v(h[x, t], t)    and in the end    f[x] = h[x, last]
"""

from __future__ import annotations

from typing import Any

from pipec.autodiff.solve import independent_rows
from pipec.autodiff.stages import StageView, defined, is_own, reduction_over, stem_of, variables
from pipec.autodiff.terms import DomainDim, affine
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import ReductionLoop, StageDef
from pipec.func.functions.function import Function
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr, FuncCall, ReductionVariable, const
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, rewrite, substitute


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
