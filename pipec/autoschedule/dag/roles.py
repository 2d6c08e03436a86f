"""The roles of Funcs in the search: scheduled by the user, always inline, ever inline."""

from __future__ import annotations

from pipec.autoschedule.dag.dag import Operation, StageInfo
from pipec.autoschedule.dag.operations import total
from pipec.schedule.compute_with import ComputeWith
from pipec.schedule.directive import Concern, Directive
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule


def is_fixed(schedule: Schedule, name: str) -> bool:
    """Whether the user decided where or how a Func is computed, or refers to its loops."""
    own = [directive for directive in schedule.directives if directive.owner == name]
    decided = any(d.CONCERN is Concern.COMPUTATION and not isinstance(d, Rfactor) for d in own)
    return decided or any(name in _with_loops(directive) for directive in schedule.directives)


def _with_loops(directive: Directive) -> list[str]:
    """Returns the Funcs whose loops a directive about another Func names."""
    if isinstance(directive, ComputeAt | StoreAt):
        return [directive.level.func]
    return [directive.other.func] if isinstance(directive, ComputeWith) else []


def may_inline(schedule: Schedule, name: str) -> bool:
    """Whether the directives about a Func allow that it is not stored."""
    return not any(directive.NEEDS_STORAGE and directive.owner == name for directive in schedule.directives)


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
