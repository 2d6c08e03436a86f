"""Sums over an image and a window, joined to an adjoint of the same pixels that sums over the same window.

    f[x, y] = a + s[x, y]            s[x, y] += exp(d(x, y, r)) * b(x, y, r)
    g[0] += exp(d(q, r)) * c(q, r)   for all pixels q and all of the window r
    -->
    f[x, y] = (a + s[x, y], t[x, y])     t[x, y] += exp(d(x, y, r)) * c(x, y, r)
    g[0] += f[q][1]                  for all pixels q

The expensive functions are then computed once for both: the gradient of an image and that of a parameter of all pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.autodiff.adjoint import clamped
from pipec.autodiff.algebra import plus
from pipec.autodiff.backward import callees_first
from pipec.autodiff.stages import variables
from pipec.autoschedule.li2018.folding import part_of
from pipec.autoschedule.li2018.merging import added
from pipec.bounds.conditions import is_likely, likely, unmarked
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import ReductionLoop, StageDef
from pipec.func.functions.function import Function
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import GE, LE, TRUE, Add, Const, Expr, FuncCall, Intrinsic, Max, Min, ReductionVariable, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, rewrite, substitute
from pipec.records import replace


def join(function: Function, number: int, hosts: Sequence[tuple[Function, Function]]) -> Function | None:
    """Joins an update to the first host that evaluates the same functions, and returns the new sum.

    `hosts`: pure Funcs, each with a sum that it reads. None when the update is no such sum, or there is no such host.
    """
    stage = function.stages[number]
    value = added(function, stage)
    if value is None or any(free_variables(arg) for arg in stage.args):
        return None
    for host, part in hosts:
        window = part.stages[1].rvars
        count = len(host.args)
        pixels = stage.rvars[:count]
        if len(host.types) > 1 or host.types != function.types or not _same(stage.rvars[count:], window):
            continue
        if free_variables(stage.predicate) & {loop.name for loop in window} or function in callees_first(host):
            continue
        names = dict(zip([loop.name for loop in stage.rvars], [*host.args, *_labels(window)], strict=True))
        if _functions(_named(value, names)).isdisjoint(_functions(_summand(part))):
            continue
        total = _sum(function, number, host, value)
        place = variables(host.args)
        values = (*host.stages[0].values, FuncCall(value.type, total.name, place, 0, total))
        host.types = (*host.types, value.type)
        host.replace_stage(0, replace(host.stages[0], args=place, values=values))
        read = tuple([ReductionVariable(INT32, loop.name, None) for loop in pixels])
        own = FuncCall(value.type, function.name, stage.args, 0, None)
        new = Add(own, FuncCall(value.type, host.name, read, 1, host))
        function.replace_stage(number, replace(stage, values=(new,), rvars=pixels))
        return total
    return None


def _same(loops: Sequence[ReductionLoop], window: Sequence[ReductionLoop]) -> bool:
    """Whether both are the same loops, of constant extent."""
    if len(loops) != len(window) or not window:
        return False
    return all(
        constant(a.extent) is not None and (a.minimum, a.extent) == (b.minimum, b.extent)
        for a, b in zip(loops, window, strict=True)
    )


def _labels(window: Sequence[ReductionLoop]) -> list[str]:
    return [f"window {at}" for at in range(len(window))]


def _named(e: Expr, names: dict[str, str]) -> Expr:
    """The expression with other names for its Vars and RVars, all as Vars."""

    def change(node: Any) -> Any:
        if isinstance(node, Variable | ReductionVariable) and node.name in names:
            return Variable(INT32, names[node.name])
        return node

    return simplify(rewrite(e, change))


def _summand(part: Function) -> Expr:
    """Returns the summand of a sum, without clamps of coordinates."""
    stage = part.stages[1]
    names = dict(zip([loop.name for loop in stage.rvars], _labels(stage.rvars), strict=True))

    def change(node: Any) -> Any:
        if is_likely(node):
            return unmarked(node)
        if isinstance(node, Min | Max) and isinstance(node.a, Variable) and isinstance(node.b, Const):
            return node.a
        return node

    return simplify(rewrite(_named(stage.values[0], names), change))


def _functions(e: Expr) -> set[Expr]:
    """The evaluated functions, such as exp, with their arguments."""
    return {n for n in postorder(e) if isinstance(n, Intrinsic) and n.type.floating and unmarked(n) is n}


def _sum(function: Function, number: int, host: Function, value: Expr) -> Function:
    """The sum over the window for each pixel, zero for all others."""
    stage = function.stages[number]
    part = part_of(function, f"joined{number}", host.args, function.types)
    place = variables(host.args)
    inside: list[Expr] = []
    coordinates: dict[str, Expr] = {}
    for x, loop in zip(place, stage.rvars, strict=False):
        low = loop.minimum
        high = simplify(build.sub(build.add(low, loop.extent), 1))
        inside += [GE(x, low), LE(x, high)]
        coordinates[loop.name] = clamped(x, low, high)
    zero = Const(value.type, 0.0)
    part.add_stage(StageDef(place, (zero,), (), TRUE, stage.location))
    own: Expr = FuncCall(value.type, part.name, place, 0, None)
    window = stage.rvars[len(place) :]
    total = plus(own, simplify(substitute(value, coordinates, ReductionVariable)))
    part.add_stage(StageDef(place, (total,), window, likely(build.all_of(inside)), stage.location))
    part.freeze()
    return part
