"""Inlining: the definitions of Funcs without a place of their own, put where the Funcs are called.

Funcs that call each other at several places multiply: what would become too large to compile is stored instead.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pipec.bounds.coordinates import arithmetic
from pipec.bounds.linear import from_linear, linear
from pipec.diagnostics import warn_once
from pipec.func.functions.definition import FuncDef, PipelineDef, without_undef
from pipec.ir.expr import (
    Add,
    Const,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Mul,
    ParameterRef,
    ReductionVariable,
    Sub,
    Undef,
    Variable,
)
from pipec.ir.node import Node, kinds_of
from pipec.ir.types import INT32
from pipec.ir.walk import postorder, rewrite, substitute
from pipec.lower.planning.evaluations import Evaluations
from pipec.lower.planning.names import ambiguous_scalars, scalar_alias
from pipec.records import replace
from pipec.schedule.fields import INLINED, ROOT
from pipec.schedule.placement import ComputeAt, func_schedule
from pipec.schedule.schedule import Schedule

# More nodes than this are not inlined where Funcs without a schedule can be stored instead: they would compile for half
# a minute. Applications without a schedule inline a few thousand.
MAX_INLINED_NODES = 40_000


class _TooLargeError(Exception):
    """More nodes than the limit would be inlined."""


def inlined(
    definition: PipelineDef, schedule: Schedule, constants: Mapping[str, Const]
) -> tuple[Schedule, dict[str, FuncDef]]:
    """Returns the Funcs that are not inlined, producers first, with all calls of the others replaced.

    And the schedule, in which some Funcs that have none are computed at root; the user is warned about them.
    """
    funcs = {
        name: func
        for name, func in definition.funcs.items()
        if func.pure and name not in definition.outputs and func_schedule(schedule, name).compute == INLINED
    }
    optional = _storable(definition, schedule, funcs)
    stored: list[str] = []
    while True:
        limit = MAX_INLINED_NODES if optional else math.inf
        try:
            bodies = _inline_calls(definition, funcs, constants, limit)
        except _TooLargeError:
            chosen = _to_store(definition, funcs, optional)
            stored += chosen
            optional = optional.difference(chosen) if chosen else set()
            funcs = {name: func for name, func in funcs.items() if name not in chosen}
            continue
        if stored:
            _announce(definition, stored)
        return Schedule((*schedule.directives, *[ComputeAt(name, ROOT) for name in stored])), bodies


def _to_store(definition: PipelineDef, funcs: Mapping[str, FuncDef], optional: Collection[str]) -> list[str]:
    """The Funcs, of those that may be stored, without which few nodes seem to be left: at least one if there is any."""
    chosen: list[str] = []
    while True:
        counts = Evaluations(definition, {*definition.funcs.keys() - funcs.keys(), *chosen}, lambda loop: 1.0)
        name = counts.most_repeated([name for name in optional if name not in chosen])
        if not name or (chosen and counts.operations <= MAX_INLINED_NODES):
            return chosen
        chosen.append(name)


def _storable(definition: PipelineDef, schedule: Schedule, funcs: Mapping[str, FuncDef]) -> set[str]:
    """The Funcs that the user has not placed and that are read at coordinates which do not depend on data."""
    gathered = {
        call.name
        for func in definition.funcs.values()
        for stage in func.stages
        for call in postorder(*stage.expressions)
        if isinstance(call, FuncCall) and any(isinstance(node, FuncCall | ImageCall) for node in postorder(*call.args))
    }
    return {name for name in funcs if name not in gathered and ComputeAt not in func_schedule(schedule, name)}


def _announce(definition: PipelineDef, stored: Sequence[str]) -> None:
    names = [name.partition("$")[0] for name in definition.funcs if name in stored]
    output = definition.outputs[0].partition("$")[0]
    warn_once(
        f"The code of {output} would take long to compile, because Funcs without a schedule are written out at each of"
        f" their uses. These are computed at root instead: {', '.join(names)}. Call {output}.autoschedule(), or"
        " compute_root() of each; one with compute_inline() is written out."
    )


def _canonical(coordinate: Expr) -> Expr:
    """x - 1 + 1 is x: so the calls that stencils of stencils have in common are one."""
    coordinate = arithmetic(coordinate)
    if isinstance(coordinate, Add | Sub | Mul) and coordinate.type is INT32:
        return from_linear(linear(coordinate), INT32)
    return coordinate


def _with_arithmetic_places(func: FuncDef) -> FuncDef:
    """The Func whose updates write where their calls of it read: both coordinates are arithmetic."""
    stages = [replace(stage, args=tuple(map(arithmetic, stage.args))) for stage in func.stages]
    return replace(func, stages=tuple(stages))


def _inline_calls(
    definition: PipelineDef, inlined: Mapping[str, FuncDef], constants: Mapping[str, Const], limit: float
) -> dict[str, FuncDef]:
    """Returns the Funcs that are not inlined, producers first, with all calls of the others replaced.

        g(x) = f(x + 1) * 2, f(x) = x  -->  g(x) = (x + 1) * 2

    Params and reduction variables become plain variables, or the constants that constraints fix, by name. Raises
    _TooLargeError when more than `limit` nodes are inlined.
    """
    sizes = {name: len(list(postorder(*func.stages[0].values))) for name, func in inlined.items()}
    total = 0
    memo: dict[Node, Any] = {}
    undefined: list[Undef] = []
    kinds = kinds_of(ReductionVariable, ParameterRef, FuncCall, ImageCall, Intrinsic, Undef)
    ambiguous = ambiguous_scalars(definition)

    def change(node: Any) -> Any:
        nonlocal total
        if isinstance(node, ParameterRef) and node.name in ambiguous:
            return Variable(node.type, scalar_alias(node.name))
        if isinstance(node, (ReductionVariable, ParameterRef)):
            return constants.get(node.name) or Variable(node.type, node.name)
        if isinstance(node, FuncCall):
            producer = inlined.get(node.name)
            if producer is not None:
                # The arguments go into the short body that the user wrote, so that long chains take linear time.
                total += sizes[node.name]
                if total > limit:
                    raise _TooLargeError
                values = dict(zip(producer.args, map(_canonical, node.args), strict=True))
                body = substitute(producer.stages[0].values[node.value_index], values)
                return rewrite(body, change, memo, kinds)
            return FuncCall(node.type, node.name, tuple(map(arithmetic, node.args)), node.value_index, None)
        if isinstance(node, ImageCall):
            return ImageCall(node.type, node.name, tuple(map(arithmetic, node.args)), None)
        if isinstance(node, Intrinsic) and node.name == "memoize_tag":
            return node.args[0]
        if isinstance(node, Undef):
            undefined.append(node)
        return node

    bodies = {
        name: _with_arithmetic_places(func.mapped(lambda e: rewrite(e, change, memo, kinds)))
        for name, func in definition.funcs.items()
        if name not in inlined
    }
    return {name: without_undef(func) for name, func in bodies.items()} if undefined else bodies
