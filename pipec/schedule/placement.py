"""Checked directives about the place where a Func is computed and stored."""

from __future__ import annotations

from pipec.schedule.directive import INLINED, ROOT, ComputeAt, LoopLevel, StoreAt
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, refuse


def compute_at(schedule: Schedule, func: FuncShape, level: LoopLevel) -> Schedule:
    """`func` is computed inside the loop `level`, as much of it as one iteration of that loop needs."""
    return schedule.add(ComputeAt(func.name, _level(func, level, "compute_at")))


def compute_root(schedule: Schedule, func: FuncShape) -> Schedule:
    """`func` is computed once, before everything that uses it."""
    return schedule.add(ComputeAt(func.name, ROOT))


def compute_inline(schedule: Schedule, func: FuncShape) -> Schedule:
    """`func` is computed anew wherever it is used; its values are not stored."""
    return schedule.add(ComputeAt(func.name, INLINED))


def store_at(schedule: Schedule, func: FuncShape, level: LoopLevel) -> Schedule:
    """The storage of `func` lives for one iteration of the loop `level`, which encloses the place of computation."""
    return schedule.add(StoreAt(func.name, _level(func, level, "store_at")))


def store_root(schedule: Schedule, func: FuncShape) -> Schedule:
    """The storage of `func` lives as long as the pipeline runs."""
    return schedule.add(StoreAt(func.name, ROOT))


def _level(func: FuncShape, level: LoopLevel, directive: str) -> LoopLevel:
    if level.func == func.name:
        raise refuse(
            f"In schedule for {func.name}, {directive}({level.func}, {level.var}) names {func.name} itself; "
            f"give a loop of a Func that uses {func.name}, or use {directive.replace('_at', '_root')}().",
            func.location,
        )
    return level
