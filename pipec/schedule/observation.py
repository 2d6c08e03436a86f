"""Checked directives that only tell about a Func while it runs: tracing, and files of what was computed."""

from __future__ import annotations

import os

from pipec.schedule.directive import DebugToFile, Trace, Traced, TraceTag
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, refuse

# The formats that `debug_to_file` writes, by the end of the name.
DEBUG_FORMATS = (".tiff", ".tif", ".mat", ".npy", ".tmp")


def trace(schedule: Schedule, func: FuncShape, what: Traced) -> Schedule:
    """Report the loads, stores or realizations of `func`."""
    return schedule.add(Trace(func.name, what))


def trace_tag(schedule: Schedule, func: FuncShape, tag: str) -> Schedule:
    """Report these words about `func` when the pipeline begins, if anything of it is traced."""
    return schedule.add(TraceTag(func.name, tag))


def debug_to_file(schedule: Schedule, func: FuncShape, path: str) -> Schedule:
    """Write all of `func` to a file each time it has been computed."""
    if os.path.splitext(path)[1] not in DEBUG_FORMATS:
        raise refuse(
            f"Func {func.name} cannot be written to {path!r}: the name must end in {', '.join(DEBUG_FORMATS)}, which"
            " says in which format.",
            func.location,
        )
    if len(func.args) > 4 and not path.endswith(".npy"):
        raise refuse(
            f"Can't debug_to_file a Func with more than four dimensions to {path!r}: {func.name} has {len(func.args)}."
            " Only .npy files hold more.",
            func.location,
        )
    return schedule.add(DebugToFile(func.name, path))
