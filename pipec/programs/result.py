"""What a search of a schedule program returns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipec.autoschedule.emit.schedule_file import save
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.progress import duration, milliseconds
from pipec.errors import NotSupportedError
from pipec.programs.runs import Run, apply
from pipec.programs.sampler import Program
from pipec.programs.trace import ProgramTrace
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule


@dataclass(frozen=True, eq=False)
class ProgramResult:
    """The fastest run of a schedule program that was measured.

    `measured_ms`: its time; `trials`: of all runs the trace and milliseconds, infinite where it failed, in the order in
    which they were measured; `history`: (number of trials, milliseconds of the best) at every improvement; `seconds`:
    of the whole search.
    """

    problem: Problem
    program: Program
    run: Run
    measured_ms: float
    trials: Sequence[tuple[ProgramTrace, float]] = field(default_factory=tuple)
    history: Sequence[tuple[int, float]] = field(default_factory=tuple)
    seconds: float = 0.0

    @property
    def schedule(self) -> Schedule:
        """The directives: `to_python()`, `to_json()`."""
        return self.run.schedule

    @property
    def trace(self) -> ProgramTrace:
        """The choices that the program made: `values`, `to_json()`."""
        return self.run.trace

    def apply(self) -> None:
        """Gives the Funcs this schedule, in the place of one that an earlier search gave them."""
        apply(self.problem, self.program, self.trace)

    def save(self, path: str | Path) -> None:
        """Writes the schedule to a file that `hl.load_schedule` reads. NotSupportedError where the program changes
        definitions, as rfactor() does: keep the trace of such a program."""
        if self.run.definition is not None:
            raise NotSupportedError(
                "Error: This program changes definitions, and a saved schedule holds directives only. Save"
                " result.trace.to_json(), and give it to hl.programs.replay."
            )
        save(path, self.problem, self.schedule, self.measured_ms, self.measured_ms)

    def __repr__(self) -> str:
        return (
            f"<ProgramResult of {self.problem.definition.name}: {milliseconds(self.measured_ms)} measured;"
            f" {len(self.trials)} runs in {duration(self.seconds)}>"
        )
