"""What is known of a schedule after it was measured, or failed to be."""

from __future__ import annotations

import enum
import statistics
from collections.abc import Mapping

from pipec.records import dataclass, field


class Status(enum.Enum):
    """How measuring a schedule ended."""

    OK = "ok"
    WRONG = "wrong"  # the pixels are not those of the reference
    FAILED = "failed"  # it is refused, or an error was raised
    TIMEOUT = "timeout"
    CRASHED = "crashed"  # the child died
    SKIPPED = "skipped"  # there was no time for it


@dataclass(frozen=True)
class Trial:
    """One schedule. `milliseconds`: of single runs, in the order they were made; empty unless `status` is OK.

    `groups`: milliseconds of each Func at root with all that is computed inside its loops; empty where the task is not
    clocked, and in trials that a database has stored.
    """

    status: Status
    milliseconds: tuple[float, ...] = ()
    compile_seconds: float = 0.0
    message: str = ""
    groups: Mapping[str, float] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether the schedule was measured."""
        return self.status is Status.OK

    @property
    def minimum(self) -> float:
        """The shortest run in milliseconds; infinite when there is none."""
        return min(self.milliseconds, default=float("inf"))

    @property
    def median(self) -> float:
        """The median run in milliseconds; infinite when there is none."""
        return statistics.median(self.milliseconds) if self.milliseconds else float("inf")
