"""Names of the loops of a scheduled stage: those in use, fresh ones, and long ones that show where a loop came from."""

from __future__ import annotations

from pipec.schedule.directive import Fuse, Rename, SingleThread, Split
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape


def used_names(schedule: Schedule, stage: StageShape) -> set[str]:
    """The names of the loops of the stage, and all that its schedule has made up before."""
    names = set(stage.loops(schedule).names())
    for directive in schedule.of_stage(stage.ref):
        match directive:
            case Split():
                names |= {directive.outer, directive.inner}
            case Fuse():
                names.add(directive.fused)
            case Rename():
                names.add(directive.new)
    return names


def unused_name(schedule: Schedule, stage: StageShape, wanted: str) -> str:
    """`wanted`, or with the first number after it that makes it new to the stage."""
    used = used_names(schedule, stage)
    name, number = wanted, 0
    while name in used:
        number += 1
        name = f"{wanted}{number}"
    return name


def qualified_names(schedule: Schedule, stage: StageShape) -> dict[str, str]:
    """For each loop the dotted path of names that led to it: after split(x, xo, xi, 8), xi is `x.xi`."""
    paths = {dim.name: dim.name for dim in stage.dims}
    for directive in schedule.of_stage(stage.ref):
        match directive:
            case Split(old=old, outer=outer, inner=inner):
                path = paths.pop(old)
                paths[outer], paths[inner] = _join(path, outer), _join(path, inner)
            case Fuse(inner=inner, outer=outer, fused=fused):
                path = paths.pop(inner)
                del paths[outer]
                paths[fused] = _join(path, fused)
            case Rename(old=old, new=new):
                paths[new] = _join(paths.pop(old), new)
            case SingleThread(block=block, thread=thread):
                paths[block], paths[thread] = block, thread
    return paths


def _join(path: str, name: str) -> str:
    """Names made for vectorize(x, 8) and its kin begin with the name of their origin, which the path has already."""
    return f"{path}.{name.rsplit('.', 1)[-1]}"
