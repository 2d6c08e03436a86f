"""Updates that overwrite what the gradient needs, as scans over time in which nothing is overwritten.

f[x] = v(f[x], r)    -->    h[x, t] = f[x];  h[x, t + 1] = v(h[x, t], t)    and in the end    f[x] = h[x, last]
"""

from __future__ import annotations

from typing import Any

from pipec.autodiff.solve import independent_rows
from pipec.autodiff.stages import StageView, is_own
from pipec.autodiff.terms import Dim, affine
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import ReductionLoop, StageDef
from pipec.func.functions.function import Function
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr, FuncCall, ReductionVariable, Variable, const
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, rewrite, substitute


def with_history(view: StageView, before: Function) -> tuple[Function, Expr] | None:
    """The Function of all values over time, and the time at which the update is done.

    None when an element's iterations can't be told from the loops that its place mentions. Own reads must be in place,
    or of elements that the update does not write.
    """
    times = _time_loops(view)
    if not times:
        return None
    function = view.function
    made = Function(f"{function.name.partition('$')[0]}_history", view.location)
    name = numbered_name("t")
    made.args, made.types = (*function.args, name), function.types
    pure = tuple([Variable(INT32, arg) for arg in made.args])
    start = [FuncCall(kind, before.name, pure[:-1], at, before) for at, kind in enumerate(function.types)]
    made.add_stage(StageDef(pure, tuple(start), (), TRUE, view.location))
    domain = numbered_name("r")
    names: dict[str, Expr] = {
        own: Variable(INT32, arg) for own, arg in zip(view.pure, function.args, strict=True) if own is not None
    }
    loops = []
    for at, dim in enumerate(view.loops):
        if dim not in times:
            loops.append(ReductionLoop(f"{domain}${at}", dim.low, build.max_(dim.extent, 0)))
            names[dim.name] = ReductionVariable(INT32, f"{domain}${at}", None)
    t: Expr = ReductionVariable(INT32, f"{domain}$t", None)
    last = _spread(times, t, names)
    loops.append(ReductionLoop(f"{domain}$t", const(0), last))
    ((place, values),) = view.stores

    def here(e: Expr) -> Expr:
        return substitute(e, names)

    args = tuple([simplify(here(arg)) for arg in place])

    def change(node: Any) -> Any:
        if not isinstance(node, FuncCall) or not is_own(view, node):
            return node
        if node.args == place:
            return FuncCall(node.type, made.name, (*node.args, t), node.value_index, None)
        return FuncCall(node.type, before.name, node.args, node.value_index, before)

    condition = here(view.condition)
    news = []
    for at, value in enumerate(values):
        old: Expr = FuncCall(value.type, made.name, (*args, t), at, None)
        new = here(rewrite(value, change))
        news.append(build.select(condition, new, old))
    made.add_stage(StageDef((*args, build.add(t, 1)), tuple(news), tuple(loops), TRUE, view.location))
    return made, last


def _time_loops(view: StageView) -> list[Dim]:
    """The loops that the place does not mention; none when those that it mentions are not told by it."""
    ((place, _),) = view.stores
    names = view.names
    mentioned = [dim for dim in view.loops if any(dim.name in free_variables(arg) for arg in place)]
    rows = [form for arg in place if (form := affine(arg, names)) is not None]
    system = [[form.terms.get(dim.variable, 0) for dim in mentioned] for form in rows]
    if len(independent_rows(system, range(len(mentioned)))) < len(mentioned):
        return []
    return [dim for dim in view.loops if dim not in mentioned]


def _spread(times: list[Dim], t: Expr, names: dict[str, Expr]) -> Expr:
    """Note the loops in terms of the number of the iteration; returns how many iterations there are."""
    count: Expr = const(1)
    for at, dim in enumerate(times):
        extent = build.max_(dim.extent, 0)
        digit = build.div(t, count)
        if at < len(times) - 1:
            digit = build.mod(digit, extent)
        names[dim.name] = simplify(build.add(dim.low, digit))
        count = simplify(build.mul(count, extent))
    return count
