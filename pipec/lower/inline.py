"""Inlining: calls of pure Funcs without a place of their own are replaced by their definitions.

    g(x) = f(x + 1) * 2, f(x) = x  -->  g(x) = (x + 1) * 2

A Func with updates that has no place is computed where it is used: every stage that uses it gets a copy of its own.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from pipec.func.definition import FuncDef, PipelineDef, ReductionLoop, StageDef
from pipec.ir.expr import Expr, FuncCall, ImageCall, ParameterRef, ReductionVariable, Variable
from pipec.ir.node import Node
from pipec.ir.walk import postorder, rewrite
from pipec.schedule.directive import INLINED
from pipec.schedule.schedule import Schedule, func_schedule


def inline(definition: PipelineDef, schedule: Schedule) -> tuple[dict[str, FuncDef], dict[str, tuple[str, int]]]:
    """The Funcs that remain, producers first, and for each copy of a Func with updates the stage that uses it."""
    bodies: dict[str, FuncDef] = {}
    inlined: dict[str, FuncDef] = {}
    memo: dict[Node, Any] = {}

    def change(node: Any) -> Any:
        if isinstance(node, ReductionVariable | ParameterRef):
            return Variable(node.type, node.name)
        if isinstance(node, FuncCall):
            producer = inlined.get(node.name)
            if producer is not None:
                return _call(producer, node)
            return FuncCall(node.type, node.name, node.args, node.value_index, None)
        if isinstance(node, ImageCall):
            return ImageCall(node.type, node.name, node.args, None)
        return node

    for name, func in definition.funcs.items():
        changed = _map_func(func, lambda e: rewrite(e, change, memo))
        place = func_schedule(schedule, name).compute
        if func.pure and place == INLINED and name not in definition.outputs:
            inlined[name] = changed
        else:
            bodies[name] = changed
    return _private_copies(definition, schedule, bodies)


def _call(producer: FuncDef, node: FuncCall) -> Expr:
    values: dict[str, Expr] = dict(zip(producer.args, node.args, strict=True))

    def change(n: Any) -> Any:
        return values.get(n.name, n) if isinstance(n, Variable) else n

    return rewrite(producer.stages[0].values[node.value_index], change)


def _map_func(func: FuncDef, change: Any) -> FuncDef:
    return dataclasses.replace(func, stages=tuple([_map_stage(stage, change) for stage in func.stages]))


def _map_stage(stage: StageDef, change: Any) -> StageDef:
    return dataclasses.replace(
        stage,
        args=tuple([change(e) for e in stage.args]),
        values=tuple([change(e) for e in stage.values]),
        predicate=change(stage.predicate),
        rvars=tuple([ReductionLoop(r.name, change(r.minimum), change(r.extent)) for r in stage.rvars]),
    )


def _uses(stage: StageDef) -> list[str]:
    seen: set[Node] = set()
    roots = [*stage.args, *stage.values, stage.predicate]
    for loop in stage.rvars:
        roots.extend((loop.minimum, loop.extent))
    found: dict[str, None] = {}
    for root in roots:
        found.update((node.name, None) for node in postorder(root, seen) if isinstance(node, FuncCall))
    return list(found)


def _renamed(func: FuncDef, old: str, new: str) -> FuncDef:
    def change(node: Any) -> Any:
        if isinstance(node, FuncCall) and node.name == old:
            return FuncCall(node.type, new, node.args, node.value_index, None)
        return node

    memo: dict[Node, Any] = {}
    return _map_func(func, lambda e: rewrite(e, change, memo))


def _private_copies(
    definition: PipelineDef, schedule: Schedule, bodies: dict[str, FuncDef]
) -> tuple[dict[str, FuncDef], dict[str, tuple[str, int]]]:
    """Goes through the Funcs consumers first; a Func that nothing uses any more is dropped."""
    final: dict[str, FuncDef] = {}
    owners: dict[str, tuple[str, int]] = {}
    users: dict[str, list[tuple[str, int]]] = {}

    def finish(func: FuncDef) -> None:
        final[func.name] = func
        for number, stage in enumerate(func.stages):
            for used in _uses(stage):
                if used != func.name:
                    users.setdefault(used, []).append((func.name, number))

    for name in reversed(list(bodies)):
        func = bodies[name]
        if name in definition.outputs:
            finish(func)
        elif name in users:
            if func_schedule(schedule, name).compute == INLINED:
                _copy_for_users(func, users[name], final, owners, finish)
            else:
                finish(func)
    return dict(reversed(final.items())), owners


def _copy_for_users(
    func: FuncDef,
    users: list[tuple[str, int]],
    final: dict[str, FuncDef],
    owners: dict[str, tuple[str, int]],
    finish: Any,
) -> None:
    for number, (user, stage) in enumerate(users):
        copy = func
        if number:
            name = f"{func.name}.{number}"
            copy = _renamed(dataclasses.replace(func, name=name), func.name, name)
            consumer = final[user]
            renamed = _renamed(dataclasses.replace(consumer, stages=(consumer.stages[stage],)), func.name, copy.name)
            stages = (*consumer.stages[:stage], renamed.stages[0], *consumer.stages[stage + 1 :])
            final[user] = dataclasses.replace(consumer, stages=stages)
        owners[copy.name] = (user, stage)
        finish(copy)
