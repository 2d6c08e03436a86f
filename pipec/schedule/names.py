"""Names of the loops of a scheduled stage: those in use, fresh ones, and long ones that show where a loop came from."""

from __future__ import annotations

from pipec.schedule.fields import OUTERMOST
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape, refuse


def used_names(schedule: Schedule, stage: StageShape) -> set[str]:
    """The names of the loops of the stage, and all names that its schedule has introduced before."""
    introduced = [name for directive in schedule.of_stage(stage.ref) for name in directive.results()]
    return {*stage.loops(schedule).names(), *introduced}


def require_unused(schedule: Schedule, stage: StageShape, name: str, replaced: set[str]) -> None:
    """Refuses a name for a new loop that another loop has, other than those in `replaced`."""
    if name not in replaced and (name == OUTERMOST or name in stage.loops(schedule).names()):
        text = (
            f"In schedule for {stage.ref}, can't create var {name} using a split or tile, because {name} is already "
            "used in this Func's schedule elsewhere."
        )
        raise refuse(text, stage.location, stage.loops(schedule))


def unused_name(schedule: Schedule, stage: StageShape, stem: str) -> str:
    """`stem`, or `stem` with the first number that makes it new to the stage."""
    used = used_names(schedule, stage)
    name, number = stem, 0
    while name in used:
        number += 1
        name = f"{stem}{number}"
    return name


def qualified_names(schedule: Schedule, stage: StageShape) -> dict[str, str]:
    """Returns the dotted path of each loop's origins: after split(x, xo, xi, 8), xi is `x.xi`."""
    paths = {dim.name: dim.name for dim in stage.dims}
    for directive in schedule.of_stage(stage.ref):
        origins = [paths.pop(name) for name in directive.sources()]
        for name in directive.results():
            # A name that vectorize(x, 8) made begins with the name of its origin, which the path contains already.
            paths[name] = f"{origins[0]}.{name.rsplit('.', 1)[-1]}" if origins else name
    return paths
