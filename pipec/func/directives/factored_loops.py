"""The directives of a factored update, for the two updates that rfactor makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.ir.stmt import LoopKind
from pipec.schedule.directive import StageDirective
from pipec.schedule.execution import PartitionLoop, Prefetch
from pipec.schedule.fields import StageRef
from pipec.schedule.loops import Fuse, Mark, Rename, Reorder, Unscheduled
from pipec.schedule.races import AllowRaces, Atomic
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Dim, Loop, Schedule, StageLoops, stage_loops
from pipec.schedule.shape import StageShape
from pipec.schedule.split import Split

# The directives that can be rewritten; an update with others can't be factored.
REWRITTEN = (
    AllowRaces,
    Atomic,
    Fuse,
    Mark,
    PartitionLoop,
    Prefetch,
    Rename,
    Reorder,
    Rfactor,
    Split,
    Unscheduled,
)


def merging_directives(
    before: Sequence[StageDirective], old: StageShape, new: StageShape, loops: StageLoops, preserved: frozenset[str]
) -> list[StageDirective]:
    """For the update that merges: loops over RVars that are not preserved are gone."""
    pure = {dim.name for dim in old.dims if not dim.reduction}
    remaining = [loop for loop in loops.loops if not loop.reduction or loop.name in preserved]
    # Where the update wrote to places that depend on RVars, the merging one visits all places.
    remaining += [Loop(dim.name) for dim in new.dims if not dim.reduction and dim.name not in pure]
    return _directives(before, old, new.dims, remaining)


def inner_directives(
    before: Sequence[StageDirective], old: StageShape, new: StageShape, loops: StageLoops, variables: Mapping[str, str]
) -> list[StageDirective]:
    """For the update of the intermediate Func: Vars in the places of the RVars that are preserved."""
    inner = [Loop(variables[loop.name]) if loop.name in variables else loop for loop in loops.loops]
    return _directives(before, old, new.dims, inner)


def _directives(
    before: Sequence[StageDirective], old: StageShape, dims: tuple[Dim, ...], loops: Sequence[Loop]
) -> list[StageDirective]:
    """Directives that make `loops`, innermost first, of the variables `dims`."""
    directives: list[StageDirective] = [
        directive for directive in before if isinstance(directive, AllowRaces | Atomic | Unscheduled)
    ]
    directives += _of_pure_variables(before, old)
    names = tuple([loop.name for loop in loops])
    if stage_loops(Schedule(tuple(directives)), old.ref, dims).names() != names:
        directives.append(Reorder(old.ref, names))
    directives += [Mark(old.ref, loop.name, loop.kind) for loop in loops if loop.kind is not LoopKind.SERIAL]
    for directive in before:
        match directive:
            case PartitionLoop(var=var) if var in names:
                directives.append(directive)
            case Prefetch(at=at, from_=from_) if at in names and from_ in names:
                directives.append(directive)
    return directives


def _of_pure_variables(before: Sequence[StageDirective], old: StageShape) -> list[StageDirective]:
    """The splits, fusions and renamings of loops that come from Vars."""
    pure = {dim.name for dim in old.dims if not dim.reduction}
    directives: list[StageDirective] = []
    for directive in before:
        if directive.SOURCES and directive.sources()[0] in pure:
            pure.update(directive.results())
            directives.append(directive)
    return directives


def on_stage(directives: Sequence[StageDirective], stage: StageRef) -> list[StageDirective]:
    """The same directives about another stage."""
    return [directive.replace(stage=stage) for directive in directives]
