"""`Pipeline.diagnose`: why a pipeline is slow, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pipec.autoschedule.dag.estimates import Like
from pipec.deep_stack import gc_paused
from pipec.func.functions.function import Function
from pipec.inspect.finding import Diagnosis, Finding
from pipec.inspect.profiling import Runs, profiled_runs
from pipec.inspect.rules import RULES, Evidence
from pipec.inspect.subject import Subject, subject_of
from pipec.ir.strict_floats import has_strict_floats
from pipec.schedule.schedule import Schedule
from pipec.target import Target, TargetFeature

MEASURED_SECONDS = 0.3
"""How long a diagnosis runs the pipeline to learn which Funcs take its time."""
MIN_DENORMALS = 0.01
"""Of the values of a buffer."""


def diagnose(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    *,
    measure: bool = True,
    target: Target | None = None,
    schedule: Schedule | None = None,
) -> Diagnosis:
    """As `Pipeline.diagnose`, of these outputs; `schedule`: in the place of the one that the Funcs have."""
    with gc_paused():
        subject = subject_of(outputs, like, sizes, target=target, schedule=schedule)
        return diagnosis_of(subject, profiled_runs(subject, MEASURED_SECONDS) if measure else None)


def diagnosis_of(subject: Subject, runs: Runs | None) -> Diagnosis:
    """What the rules find about a subject, of which there may have been runs."""
    evidence = evidence_of(subject, runs)
    findings = [finding for rule in RULES for finding in rule(evidence)]
    findings += [] if runs is None else _denormals(evidence, runs)
    findings.sort(key=lambda finding: -finding.share)
    extents = {name: tuple([extent for _, extent in box]) for name, box in subject.sizes.outputs.items()}
    seconds = None if runs is None else runs.seconds
    return Diagnosis(subject.definition.name, extents, tuple(findings), seconds, runs is None)


def evidence_of(subject: Subject, runs: Runs | None) -> Evidence:
    """The share of each Func: of the profile, else of estimated cycles."""
    if runs is not None and runs.profile.samples:
        seconds = {func.name: func.thread_seconds for func in runs.profile.funcs}
        total = sum(seconds.values()) or 1.0
        return Evidence(subject, {name: part / total for name, part in seconds.items()}, runs.seconds)
    estimates = estimated_seconds(subject)
    seconds = {}
    for (func, _), part in estimates.items():
        seconds[func] = seconds.get(func, 0.0) + part
    total = sum(seconds.values()) or 1.0
    return Evidence(subject, {name: part / total for name, part in seconds.items()}, total)


def estimated_seconds(subject: Subject) -> dict[tuple[str, int], float]:
    """The seconds of each stage by the rates of the machine: of arithmetic, loads and stores, or of memory."""
    machine, result = subject.machine, {}
    for key, stage in subject.execution.stages.items():
        threads = subject.threads if stage.is_parallel else 1
        cycles = stage.evaluations * stage.cycles(machine) / machine.pipes
        bandwidth = machine.dram_bandwidth_all if threads > 1 else machine.dram_bandwidth
        storage = subject.execution.storages.get(stage.func)
        whole = storage is None or storage.bytes > machine.l3
        moved = stage.evaluations * stage.bytes_per_point if whole else 0.0
        result[key] = max(cycles / machine.clock / threads, moved / bandwidth)
    return result


def _keeps_denormals(subject: Subject) -> bool:
    """Whether the code is strict: in other code results below the smallest normal number are zero."""
    stages = [stage for func in subject.definition.funcs.values() for stage in func.stages]
    strict = has_strict_floats(*[root for stage in stages for root in stage.expressions])
    return strict or subject.target.has_feature(TargetFeature.StrictFloat)


def _denormals(evidence: Evidence, runs: Runs) -> list[Finding]:
    """Numbers below the smallest normal one, with which arithmetic takes a hundred cycles."""
    if not _keeps_denormals(evidence.subject):
        return []
    findings = []
    stages = evidence.subject.execution.stages
    for name, buffer in runs.outputs.items():
        values = buffer.numpy()
        # Arithmetic on 16-bit floats has numbers of 32 bits, which are normal.
        if values.dtype.kind != "f" or values.dtype.itemsize < 4 or not values.size:
            continue
        share = float(np.mean((np.abs(values) < np.finfo(values.dtype).tiny) & (values != 0)))
        func = name.partition(".")[0]
        if share < MIN_DENORMALS or (func, 0) not in stages:
            continue
        text = f"{share:.0%} of the values of {name} are denormal numbers, with which arithmetic is many times slower."
        mend = (
            "do without strict_float, and such values are zero; or set them to zero where they are too small to matter:"
            f" hl.select(hl.abs(value) < 1e-30, 0.0, value) in {func}"
        )
        findings.append(evidence.finding("denormals", stages[func, 0], text, mend, share_of_values=share))
    return findings
