"""Estimates of runs without a schedule, so that one that would take minutes is announced before it starts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pipec.diagnostics import warn
from pipec.func.functions.definition import PipelineDef, ReductionLoop
from pipec.lower.planning.evaluations import Evaluations
from pipec.pipeline.calls.arguments import number_of
from pipec.schedule.placement import ComputeAt, func_schedule
from pipec.schedule.schedule import Schedule

# Of one operation in code without a schedule, which LLVM vectorizes in part; measured on x86 at 3 GHz with box filters.
SECONDS_PER_OPERATION = 1e-10
MIN_ANNOUNCED_SECONDS = 60.0
# Operations for each point of an output from which on calls are estimated one by one.
MIN_OPERATIONS = 5_000


class RunEstimate:
    """The operations that a pipeline takes for each point of its outputs, and the inlined Func to blame for them."""

    def __init__(self, definition: PipelineDef, schedule: Schedule, values: Mapping[str, Any]) -> None:
        """`values`: numbers by the names of Params and properties of buffers, for the extents of reductions."""
        self._values = values
        stored = {name for name in definition.funcs if not _is_inlined(definition, schedule, name)}
        counts = Evaluations(definition, stored, self._extent)
        self.operations = counts.operations
        self.blamed = counts.most_repeated(definition.funcs)
        self.evaluations = counts.of(self.blamed)

    def _extent(self, loop: ReductionLoop) -> float:
        return max(number_of(loop.extent, self._values) or 1, 1)

    def announce(self, name: str, sizes: tuple[int, ...]) -> bool:
        """Prints a warning when a run over outputs of these sizes would take minutes; returns whether it did."""
        seconds = self.operations * math.prod(sizes) * SECONDS_PER_OPERATION
        if seconds < MIN_ANNOUNCED_SECONDS or not self.blamed:
            return False
        time = f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} hours"
        blamed = self.blamed.partition("$")[0]
        warn(
            f"{name} over {' x '.join(map(str, sizes))} will take about {time}: Func {blamed} has no schedule, so it is"
            f" computed at each of its uses, {self.evaluations:,.0f} times for each point. Call {name}.autoschedule()"
            f" before the run, or {blamed}.compute_root()."
        )
        return True


def _is_inlined(definition: PipelineDef, schedule: Schedule, name: str) -> bool:
    return name not in definition.outputs and ComputeAt not in func_schedule(schedule, name)
