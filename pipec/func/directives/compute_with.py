"""The forms in which compute_with takes its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipec.errors import ScheduleError
from pipec.func.directives.loop_level import LoopLevel, dim_of, level_in
from pipec.func.directives.options import LoopAlignStrategy
from pipec.schedule.directive import LoopLevel as Level
from pipec.schedule.directive import StageRef

_FORMS = (
    "compute_with(stage, var, align), compute_with(loop_level, align); align: a LoopAlignStrategy, or a list of "
    "(var, LoopAlignStrategy)"
)


def shared_loops(
    args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[StageRef, str, list[str], list[str]]:
    """The stage and loop that compute_with names; the loops whose first, and last, iterations shall coincide."""
    given = dict(keywords)
    positional = list(args)
    first = positional.pop(0) if positional else given.pop("loop_level", given.pop("stage", None))
    if isinstance(first, LoopLevel):
        level = _decided(first)
    else:
        var = positional.pop(0) if positional else given.pop("var", None)
        if var is None:
            raise TypeError(f"compute_with(): incompatible function arguments: no loop. The forms are: {_FORMS}.")
        level = level_in(first, var)
    align = positional.pop(0) if positional else given.pop("align", LoopAlignStrategy.Auto)
    if positional or given:
        raise TypeError(f"compute_with(): incompatible function arguments. The forms are: {_FORMS}.")
    found = _strategies(level.var, align)
    starts = [name for name, strategy in found.items() if strategy is LoopAlignStrategy.AlignStart]
    ends = [name for name, strategy in found.items() if strategy is LoopAlignStrategy.AlignEnd]
    return StageRef(level.func, level.stage or 0), level.var, starts, ends


def _decided(given: LoopLevel) -> Level:
    level = given.level()
    if level is None:
        raise ScheduleError(
            "Error: There should be no undefined LoopLevels at the start of lowering. compute_with needs to know its "
            "loop when it is called: call set() on the LoopLevel() before. (Did you mean to use LoopLevel::inlined() "
            "instead of LoopLevel() ?)"
        )
    if level.is_root or level.is_inlined:
        where = "LoopLevel.root()" if level.is_root else "LoopLevel.inlined()"
        raise ScheduleError(
            f"Error: Undefined loop level to compute with: {where} is no loop of a stage.\n"
            "Name the innermost loop that the two stages are to share: compute_with(func, var)."
        )
    return level


def _strategies(var: str, align: Any) -> dict[str, LoopAlignStrategy]:
    """Of several strategies for a loop the first counts."""
    if isinstance(align, LoopAlignStrategy):
        return {var: align}
    found: dict[str, LoopAlignStrategy] = {}
    try:
        pairs = [(dim_of(variable).name, strategy) for variable, strategy in align]
    except (TypeError, ValueError):
        pairs = [("", None)]
    for name, strategy in pairs:
        if not isinstance(strategy, LoopAlignStrategy):
            raise TypeError(f"compute_with(): incompatible function arguments: {align!r}. The forms are: {_FORMS}.")
        found.setdefault(name, strategy)
    return found
