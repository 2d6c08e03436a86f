"""The directives that observe a Func while it runs: tracing, and files of its values."""

from __future__ import annotations

import enum
import os
from typing import TYPE_CHECKING

from pipec.schedule.directive import Concern, FuncDirective
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, refuse

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter

DEBUG_FORMATS = (".tiff", ".tif", ".mat", ".npy", ".tmp")
"""The formats of `debug_to_file`, by the end of the file name."""


class Traced(enum.Enum):
    """The events of a Func that are reported while it runs."""

    Loads = "loads"
    Stores = "stores"
    Realizations = "realizations"


class Trace(FuncDirective):
    """The loads, stores or realizations of the Func are reported."""

    CONCERN = Concern.REMARK
    NEEDS_STORAGE = True

    what: Traced

    def to_call(self, writer: CallWriter) -> str:
        """One method for each kind of event."""
        return f".trace_{self.what.value}()"


class TraceTag(FuncDirective):
    """A text about the Func for those who read its trace, reported at the start of a run if the Func is traced."""

    METHOD = "add_trace_tag"
    CONCERN = Concern.REMARK

    tag: str


class DebugToFile(FuncDirective):
    """All values of the Func are written to a file each time it has been computed."""

    METHOD = "debug_to_file"
    RETURNS_SUBJECT = False
    CONCERN = Concern.REMARK
    NEEDS_STORAGE = True

    path: str

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, path: str) -> Schedule:
        """Refuses unknown formats, and formats with too few dimensions for the Func."""
        if os.path.splitext(path)[1] not in DEBUG_FORMATS:
            raise refuse(
                f"Func {func.name} cannot be written to {path!r}: the name must end in {', '.join(DEBUG_FORMATS)}, "
                "which says in which format.",
                func.location,
            )
        if len(func.args) > 4 and not path.endswith(".npy"):
            raise refuse(
                f"Can't debug_to_file a Func with more than four dimensions to {path!r}: {func.name} has "
                f"{len(func.args)}. Only .npy files hold more.",
                func.location,
            )
        return schedule.add(cls(func.name, path))
