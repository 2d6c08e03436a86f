"""Runs of a pipeline for its profile: until enough samples have been taken."""

from __future__ import annotations

import time
from collections.abc import Mapping

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.handlers import Handlers
from pipec.inspect.subject import Subject
from pipec.ir.program import ProgramArgumentKind
from pipec.pipeline.calls.compiled import CompiledPipeline
from pipec.pipeline.observation.profile import Profile
from pipec.records import dataclass
from pipec.target import TargetFeature

MIN_RUNS, MAX_RUNS = 2, 20_000


@dataclass(frozen=True, eq=False)
class Runs:
    """What was measured. seconds: of the fastest run; outputs: their values after the last one, by name."""

    profile: Profile
    seconds: float
    outputs: Mapping[str, Buffer]


def profiled_runs(subject: Subject, seconds: float) -> Runs:
    """Runs the pipeline for about `seconds`, at least twice, and samples what its threads compute."""
    target = subject.target.without_feature(TargetFeature.Profile).with_feature(TargetFeature.ProfileByTimer)
    compiled = CompiledPipeline(
        subject.definition, subject.schedule, target, Handlers(print=lambda text: None), is_variant=True
    )
    inputs, outputs = subject.task.inputs(), subject.task.outputs()
    values = [outputs[a.name] if a.kind is ProgramArgumentKind.OUTPUT else inputs[a.name] for a in compiled.arguments]
    fastest, total, end = float("inf"), 0.0, time.perf_counter() + seconds
    while compiled.calls < MIN_RUNS or (time.perf_counter() < end and compiled.calls < MAX_RUNS):
        compiled(values)
        before, total = total, sum([profile.seconds for profile in compiled.profiles])
        fastest = min(fastest, total - before)
    assert compiled.profile is not None
    return Runs(compiled.profile, fastest, outputs)
