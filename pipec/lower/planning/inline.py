"""Inlining: calls of pure Funcs without a compute level are replaced by their definitions.

g(x) = f(x + 1) * 2, f(x) = x  -->  g(x) = (x + 1) * 2
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipec.func.functions.definition import FuncDef, PipelineDef, without_undef
from pipec.ir.expr import Const, Expr, FuncCall, ImageCall, Intrinsic, ParameterRef, ReductionVariable, Undef, Variable
from pipec.ir.node import Node
from pipec.ir.walk import rewrite
from pipec.lower.planning.versions import map_func
from pipec.schedule.fields import INLINED
from pipec.schedule.placement import func_schedule
from pipec.schedule.schedule import Schedule


def inline_calls(definition: PipelineDef, schedule: Schedule, constants: Mapping[str, Const]) -> dict[str, FuncDef]:
    """Returns the Funcs that are not inlined, producers first, with all calls of the others replaced.

    Params and reduction variables become plain variables, or the constants that constraints fix, by name.
    """
    bodies: dict[str, FuncDef] = {}
    inlined: dict[str, FuncDef] = {}
    memo: dict[Node, Any] = {}
    undefined: list[Undef] = []

    def change(node: Any) -> Any:
        if isinstance(node, (ReductionVariable, ParameterRef)):
            return constants.get(node.name) or Variable(node.type, node.name)
        if isinstance(node, FuncCall):
            producer = inlined.get(node.name)
            if producer is not None:
                return _call(producer, node)
            return FuncCall(node.type, node.name, node.args, node.value_index, None)
        if isinstance(node, ImageCall):
            return ImageCall(node.type, node.name, node.args, None)
        if isinstance(node, Intrinsic) and node.name == "memoize_tag":
            return node.args[0]
        if isinstance(node, Undef):
            undefined.append(node)
        return node

    for name, func in definition.funcs.items():
        changed = map_func(func, lambda e: rewrite(e, change, memo))
        if func.pure and func_schedule(schedule, name).compute == INLINED and name not in definition.outputs:
            inlined[name] = changed
        else:
            bodies[name] = changed
    return {name: without_undef(func) for name, func in bodies.items()} if undefined else bodies


def _call(producer: FuncDef, node: FuncCall) -> Expr:
    values: dict[str, Expr] = dict(zip(producer.args, node.args, strict=True))

    def change(n: Any) -> Any:
        return values.get(n.name, n) if isinstance(n, Variable) else n

    return rewrite(producer.stages[0].values[node.value_index], change)
