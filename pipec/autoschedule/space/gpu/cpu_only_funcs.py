"""Which Funcs a GPU can compute at all: not those that print, check, call C functions or have strange types."""

from __future__ import annotations

from typing import Any

from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.func.functions.definition import FuncDef, PipelineDef
from pipec.ir.expr import Effect, Expr, ExternValue
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.schedule.observation import DebugToFile, Trace
from pipec.schedule.schedule import Schedule


def unable(definition: PipelineDef, schedule: Schedule, device: GpuDevice) -> frozenset[str]:
    """The Funcs that stay on the CPU whatever their place."""
    watched = {d.func for d in schedule.directives if isinstance(d, DebugToFile | Trace)}
    return frozenset([name for name, func in definition.funcs.items() if name in watched or not _is_able(func, device)])


def _is_able(func: FuncDef, device: GpuDevice) -> bool:
    if func.extern is not None:
        return False
    if not all(_has_type(kind, device) for kind in func.types):
        return False
    seen: set[Any] = set()
    for stage in func.stages:
        for root in (*stage.args, *stage.values, stage.predicate):
            for node in postorder(root, seen):
                if isinstance(node, Effect | ExternValue):
                    return False
                if isinstance(node, Expr) and not _has_type(node.type, device):
                    return False
    return True


def _has_type(kind: Type, device: GpuDevice) -> bool:
    if not kind.floating:
        return True
    return {64: device.double, 16: device.half, 32: True}.get(kind.nbits, False)
