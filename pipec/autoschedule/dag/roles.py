"""The roles of Funcs in the search: scheduled by the user, always inline, ever inline."""

from __future__ import annotations

from pipec.autoschedule.dag.dag import Operation, StageInfo
from pipec.autoschedule.dag.operations import total
from pipec.schedule.directive import (
    AlignBounds,
    AlignExtent,
    Async,
    Bound,
    BoundStorage,
    ComputeAt,
    ComputeWith,
    DebugToFile,
    Directive,
    Estimate,
    ExpectBounds,
    Memoize,
    Rfactor,
    StoreAt,
    Trace,
    TraceTag,
    Unscheduled,
)
from pipec.schedule.schedule import Schedule

# Directives that say nothing of where and how a Func is computed.
_REMARKS = (
    AlignBounds,
    AlignExtent,
    Bound,
    BoundStorage,
    DebugToFile,
    Estimate,
    ExpectBounds,
    ExpectBounds,
    Trace,
    TraceTag,
    Unscheduled,
)
# Directives that need a place in memory.
_STORED = (Async, DebugToFile, Memoize, Trace)


def _of_func(schedule: Schedule, name: str) -> list[Directive]:
    """The directives about a Func and its stages."""
    return [d for d in schedule.directives if name == getattr(d, "func", None) or name == _func_of_stage(d)]


def _func_of_stage(directive: Directive) -> str | None:
    stage = getattr(directive, "stage", None)
    return None if stage is None else stage.func


def is_fixed(schedule: Schedule, name: str) -> bool:
    """Whether the user decided where or how a Func is computed, or refers to its loops."""
    decided = any(not isinstance(d, (*_REMARKS, Rfactor)) for d in _of_func(schedule, name))
    return decided or any(name in _with_loops(directive) for directive in schedule.directives)


def _with_loops(directive: Directive) -> list[str]:
    """The Funcs of whose loops a directive about another Func speaks."""
    if isinstance(directive, ComputeAt | StoreAt):
        return [directive.level.func]
    return [directive.other.func] if isinstance(directive, ComputeWith) else []


def may_inline(schedule: Schedule, name: str) -> bool:
    """Whether the directives about a Func allow that it is not stored."""
    return not any(isinstance(directive, _STORED) for directive in _of_func(schedule, name))


def must_inline(stage: StageInfo, arguments: tuple[str, ...]) -> bool:
    """Whether a pure Func is a mere view of what it reads: the same elements elsewhere, or beyond the edges."""
    if len(stage.loads) != 1:
        return False
    (load,) = stage.loads
    arithmetic = total(stage.operations, *[kind for kind in Operation if kind is not Operation.COMPARE])
    if arithmetic or load.count > 1 and len(load.offsets) != 1:
        return False
    compared = total(stage.operations, Operation.COMPARE)
    return load.boundary if compared else load.boundary or _same_place(load.jacobian, len(arguments))


def _same_place(jacobian: tuple[tuple[float, ...] | None, ...], dimensions: int) -> bool:
    rows = [tuple([float(d == j) for j in range(dimensions)]) for d in range(dimensions)]
    return len(jacobian) == dimensions and all(row == own for row, own in zip(jacobian, rows, strict=True))
