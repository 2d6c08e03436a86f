"""Copies of Funcs with all that they call, without schedules, so that each use has a schedule of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.autodiff.backward import callees_first
from pipec.autodiff.first_schedule import has_stored_schedule
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import ReductionLoop, StageDef
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.functions.names import local_names
from pipec.func.functions.wrappers import func_of
from pipec.ir.expr import Expr, FuncCall, ParameterRef, const
from pipec.ir.walk import rewrite
from pipec.schedule.directive import Concern, Directive
from pipec.schedule.schedule import Schedule


def unscheduled(
    outputs: Sequence[Func], properties: Mapping[str, int] | None = None, keep_sizes: bool = False
) -> list[Func]:
    """Copies of the outputs and of all that they call, with the same names, that are scheduled independently.

    `properties`: the values of properties of images, such as `image.min.0`. `keep_sizes`: with the user's bounds and
    estimates.
    """
    values = properties or {}
    copies: dict[Function, Function] = {}
    memo: dict[Any, Any] = {}

    def change(node: Any) -> Any:
        if isinstance(node, ParameterRef) and node.name in values:
            return const(values[node.name])
        copy = copies.get(node.function) if isinstance(node, FuncCall) and node.function is not None else None
        return node if copy is None else FuncCall(node.type, copy.name, node.args, node.value_index, copy)

    def changed(e: Expr) -> Expr:
        result = rewrite(e, change, memo)
        return result if result is e else simplify(result)

    for output in outputs:
        for function in callees_first(output.function):
            if function not in copies:
                copies[function] = _copy(function, changed)
                if keep_sizes:
                    copies[function].schedule = Schedule(tuple(filter(_about_sizes, function.schedule.directives)))
    return [func_of(copies[output.function]) for output in outputs]


def _copy(function: Function, changed: Any) -> Function:
    with local_names():  # the name of the original, and none of the process
        copy = Function(function.name, function.location)
    copy.args, copy.types = function.args, function.types
    copy.outputs = list(function.outputs)
    for stage in function.stages:
        loops = tuple([ReductionLoop(r.name, changed(r.minimum), changed(r.extent)) for r in stage.rvars])
        args, values = tuple(map(changed, stage.args)), tuple(map(changed, stage.values))
        copy.add_stage(StageDef(args, values, loops, changed(stage.predicate), stage.location))
    return copy


def is_scheduled(outputs: Sequence[Func]) -> bool:
    """Whether the user said how any of the Funcs that the outputs need is computed."""
    functions = [function for output in outputs for function in callees_first(output.function)]
    return any(
        f.deferred or f.substitutes or f.wrapper or not all(map(_about_sizes, f.schedule.directives))
        for f in functions
        if not has_stored_schedule(f)
    )


def _about_sizes(directive: Directive) -> bool:
    return directive.CONCERN is Concern.SIZE
