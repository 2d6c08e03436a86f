"""A stage of a frozen definition as its schedule sees it."""

from __future__ import annotations

import weakref

from pipec.func.functions.definition import FuncDef, StageDef
from pipec.ir.expr import Expr, FuncCall, Variable
from pipec.ir.node import Node
from pipec.ir.walk import postorder
from pipec.schedule.directive import StageRef
from pipec.schedule.schedule import Dim
from pipec.schedule.shape import StageShape


def stage_dims(func: FuncDef, number: int) -> tuple[Dim, ...]:
    """The variables of a stage as defined, innermost first: reduction variables inside pure ones."""
    if number == 0:
        return tuple(Dim(name) for name in func.args)
    stage = func.stages[number]
    reductions = tuple(Dim(loop.name, True) for loop in stage.rvars)
    pure = tuple(Dim(name) for name, arg in zip(func.args, stage.args, strict=True) if is_pure_arg(arg, name))
    return reductions + pure


def is_pure_arg(arg: Expr, name: str) -> bool:
    """Whether a coordinate on the left of a definition is the pure variable `name` itself."""
    return isinstance(arg, Variable) and arg.name == name


def stage_shape(func: FuncDef, number: int, path: tuple[int, ...] = ()) -> StageShape:
    """The shape of a stage for the checks of directives; `path`: one of its specializations."""
    stage = func.stages[number]
    rvars = tuple((loop.name, loop.minimum, loop.extent) for loop in stage.rvars)
    return StageShape(
        StageRef(func.name, number, path),
        stage_dims(func, number),
        func.args,
        stage.args,
        stage.values,
        stage.predicate,
        rvars,
        str(stage.location),
    )


_callees_of: weakref.WeakKeyDictionary[StageDef, tuple[str, ...]] = weakref.WeakKeyDictionary()


def callees(stage: StageDef) -> tuple[str, ...]:
    """The Funcs that a stage calls, in order of first mention."""
    found = _callees_of.get(stage)
    if found is None:
        seen: set[Node] = set()
        roots = [*stage.args, *stage.values, stage.predicate]
        roots += [e for loop in stage.rvars for e in (loop.minimum, loop.extent)]
        calls = (node.name for root in roots for node in postorder(root, seen) if isinstance(node, FuncCall))
        found = _callees_of[stage] = tuple(dict.fromkeys(calls))
    return found
