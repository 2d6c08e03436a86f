"""Constant bounds: the dimensions of Funcs that have them once those of some output dimensions are constant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipec.func.functions.definition import FuncDef, PipelineDef, StageDef
from pipec.ir.expr import Const, Expr, FuncCall, ImageCall, ParameterRef, ReductionVariable, Variable
from pipec.ir.walk import postorder
from pipec.schedule.bounds import Bound
from pipec.schedule.placement import func_schedule
from pipec.schedule.schedule import Schedule

Origins = frozenset[tuple[str, int]] | None
"""The dimensions of outputs that bounds follow from; None: they also follow from sizes of images, Params or values."""
CONSTANT: Origins = frozenset()


def origins_of_bounds(definition: PipelineDef, schedule: Schedule) -> dict[str, tuple[Origins, ...]]:
    """For each dimension of each Func what its bounds follow from."""
    origins_of: dict[str, list[Origins]] = {}
    for name, func in definition.funcs.items():
        output = name in definition.outputs
        origins_of[name] = [frozenset({(name, d)}) if output else CONSTANT for d in range(len(func.args))]
    for name in reversed(definition.funcs):
        func = definition.funcs[name]
        for d, var in enumerate(func.args):
            bound = func_schedule(schedule, name).by_dim(Bound).get(var)
            if bound is not None:
                constant = isinstance(bound.minimum, Const) and isinstance(bound.extent, Const)
                origins_of[name][d] = CONSTANT if constant else None
        for stage in reversed(func.stages):
            _follow(func, stage, origins_of)
        if func.extern is not None:
            # What a C function needs it says when it is asked.
            for read in func.stages[0].callees:
                origins_of[read] = [None] * len(origins_of[read])
    return {name: tuple(origins) for name, origins in origins_of.items()}


def _follow(func: FuncDef, stage: StageDef, origins_of: dict[str, list[Origins]]) -> None:
    """Adds the origins of a stage's loops to those of the dimensions that it reads and writes."""
    loops: dict[str, Origins] = dict(zip(func.args, origins_of[func.name], strict=True))
    for loop in stage.rvars:
        loops[loop.name] = CONSTANT if isinstance(loop.minimum, Const) and isinstance(loop.extent, Const) else None
    written = [(func.name, stage.args)]
    for name, args in [*written, *_reads(stage)]:
        for d, arg in enumerate(args):
            if name in origins_of:
                origins_of[name][d] = joined([origins_of[name][d], _origins(arg, loops)])


def _reads(stage: StageDef) -> list[tuple[str, tuple[Expr, ...]]]:
    return [(node.name, node.args) for node in postorder(*stage.roots) if isinstance(node, FuncCall)]


def _origins(coordinate: Expr, loops: Mapping[str, Origins]) -> Origins:
    parts: list[Origins] = []
    for node in postorder(coordinate):
        if isinstance(node, Variable | ReductionVariable):
            parts.append(loops.get(node.name))
        elif isinstance(node, ParameterRef | FuncCall | ImageCall):
            return None
    return joined(parts)


def joined(parts: Iterable[Origins]) -> Origins:
    """Returns the union of these origins, None if one of them is None."""
    union: set[tuple[str, int]] = set()
    for part in parts:
        if part is None:
            return None
        union |= part
    return frozenset(union)
