"""Checked directives that change at most the time or memory a pipeline takes."""

from __future__ import annotations

from pipec.errors import NotSupportedError
from pipec.ir.build import constant
from pipec.ir.expr import Expr, FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.stmt import Partition
from pipec.ir.walk import postorder
from pipec.schedule.directive import (
    Async,
    Atomic,
    HoistStorage,
    LoopLevel,
    Memoize,
    PartitionLoop,
    Prefetch,
    RingBuffer,
)
from pipec.schedule.races import may_be_atomic, needs_lock
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import OUTERMOST, FuncShape, Name, StageShape, as_factor, check_scalar, name_of, refuse


def atomic(schedule: Schedule, stage: StageShape, override: bool = False) -> Schedule:
    """Iterations that update the same element may run in any order, one at a time."""
    if stage.is_update and needs_lock(stage) and (override or len(stage.values) > 1):
        raise NotSupportedError(
            f"Error: atomic is not supported yet for {stage.ref}, whose update of a number depends on other elements "
            f"of {stage.ref.func} than that one: it would need a lock.\nRun the loops over its RVars serially, or "
            f"split one and compute partial results side by side: rfactor(). ({stage.location})"
        )
    if stage.is_update and not override and not may_be_atomic(stage):
        raise refuse(
            f"Failed to call atomic() on {stage.ref} since it can't prove associativity or commutativity of the "
            "operator.\nUse atomic(True) when the order of the updates of an element does not matter.",
            stage.location,
        )
    return schedule.add(Atomic(stage.ref, override))


def partition(schedule: Schedule, stage: StageShape, variable: Name, policy: Partition) -> Schedule:
    """Whether loop `variable` shall be divided into borders and a steady state."""
    loops = stage.loops(schedule)
    if name_of(variable) == OUTERMOST:
        return schedule
    if loops.find(name_of(variable)) is None:
        text = f"In schedule for {stage.ref}, could not find var {name_of(variable)} to set loop partition policy."
        raise refuse(text, stage.location, loops)
    return schedule.add(PartitionLoop(stage.ref, name_of(variable), policy))


def prefetch(
    schedule: Schedule, stage: StageShape, source: str, at: Name, from_: Name, offset: Expr | int = 1
) -> Schedule:
    """While loop `at` runs, what the iteration `offset` ahead in `from_` needs of `source` may be fetched."""
    names = stage.loops(schedule).names()
    for word, variable in (("at", at), ("from", from_)):
        if name_of(variable) not in names:
            text = f"Prefetch '{word}' variable '{name_of(variable)}' could not be found in an active loop."
            raise refuse(f"{text} (In schedule for {stage.ref}.)", stage.location, names)
    if names.index(name_of(from_)) < names.index(name_of(at)):
        raise refuse(
            f"Prefetch 'from' variable '{name_of(from_)}' could not be found in an active loop. (Are the 'at' and "
            "'from' variables swapped?)",
            stage.location,
            names,
        )
    size = as_factor(offset)
    check_scalar(size, f"the offset {size} of the prefetch of {source}", str(stage.ref), stage.location)
    return schedule.add(Prefetch(stage.ref, source, name_of(at), name_of(from_), size))


def hoist_storage(schedule: Schedule, func: FuncShape, level: LoopLevel) -> Schedule:
    """The memory of `func` may be claimed once for all iterations inside `level`."""
    return schedule.add(HoistStorage(func.name, level))


def async_(schedule: Schedule, func: FuncShape) -> Schedule:
    """A thread of its own computes `func` while its consumers run."""
    return schedule.add(Async(func.name))


def memoize(schedule: Schedule, func: FuncShape, eviction: Expr | None) -> Schedule:
    """What is computed of `func` is kept between runs."""
    if eviction is not None:
        for node in postorder(eviction):
            if isinstance(node, Variable | ReductionVariable | FuncCall | ImageCall):
                text = f"In schedule for {func.name}, the eviction key {eviction} depends on {node}."
                raise refuse(f"{text} It may use constants and Params only.", func.location)
    for directive in schedule.directives:
        if isinstance(directive, Memoize) and directive.func == func.name:
            if directive.eviction is not None and directive.eviction is not eviction:
                text = f"Can't redefine memoize eviction key. First definition is: {directive.eviction}"
                raise refuse(f"{text} new definition is: {eviction} (Func {func.name})", func.location)
    return schedule.add(Memoize(func.name, eviction))


def ring_buffer(schedule: Schedule, func: FuncShape, extent: Expr | int) -> Schedule:
    """The hoisted memory of `func` holds `extent` storages, which the iterations around take in turn."""
    size = as_factor(extent)
    check_scalar(size, f"the extent {size} of its ring buffer", func.name, func.location)
    known = constant(size)
    if known is not None and known < 1:
        text = f"In schedule for {func.name}, the extent of ring_buffer() is {known}, but must be 1 or more."
        raise refuse(text, func.location)
    return schedule.add(RingBuffer(func.name, size))
