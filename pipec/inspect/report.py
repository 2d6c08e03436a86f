"""`Pipeline.profile`: where the time of a pipeline goes, Func by Func, nested as its loops are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pipec.autoschedule.dag.estimates import Like
from pipec.deep_stack import gc_paused
from pipec.errors import ArgumentError
from pipec.func.functions.function import Function
from pipec.inspect.execution import LoopTreeNode
from pipec.inspect.pages import in_notebook, page
from pipec.inspect.profiling import profiled_runs
from pipec.inspect.subject import Subject, subject_of
from pipec.inspect.timeline import chrome_trace, speedscope
from pipec.jit.runtime.call_table import OVERHEAD_NAME
from pipec.pipeline.observation.profile import Profile
from pipec.records import dataclass
from pipec.schedule.schedule import Schedule
from pipec.target import Target

PAGE_HEIGHT = 620


@dataclass(frozen=True)
class FuncReport:
    """One Func in a profile, each number of one run.

    seconds: of the run; share: of its time. threads: how many computed it at once. recomputation: how often each of its
    values is computed. read, written: bytes of its loads and stores; memory_bytes: those of both that pass between
    memory and caches; bandwidth: their share of what memory can do in that time. peak_bytes: of its storage.
    """

    name: str
    seconds: float
    share: float
    threads: float
    recomputation: float
    read: float
    written: float
    memory_bytes: float
    bandwidth: float
    peak_bytes: int


@dataclass(frozen=True, eq=False)
class ProfileReport:
    """A profile with what the schedule says about it.

    runs: how many there were; seconds: of the fastest one; mean_seconds: of all. threads: that may compute. idle: the
    share of all threads' time in which they had nothing to do. peak_bytes: of intermediate Funcs. memory_bytes: that a
    run moves between memory and caches; bandwidth: the share of what memory can do.
    """

    pipeline: str
    sizes: Mapping[str, tuple[int, ...]]
    profile: Profile
    runs: int
    seconds: float
    mean_seconds: float
    threads: int
    idle: float
    peak_bytes: int
    memory_bytes: float
    bandwidth: float
    funcs: tuple[FuncReport, ...]
    loops: LoopTreeNode

    @cached_property
    def by_name(self) -> dict[str, FuncReport]:
        """The Funcs by name."""
        return {func.name: func for func in self.funcs}

    def __str__(self) -> str:
        sizes = ", ".join([f"{name} of {' x '.join(map(str, extents))}" for name, extents in self.sizes.items()])
        lines = [
            f"{sizes}: {_milliseconds(self.seconds)} at best, {_milliseconds(self.mean_seconds)} on average of"
            f" {self.runs} runs",
            f"threads: {self.threads}, idle {self.idle:.0%} of the time; peak memory {_bytes(self.peak_bytes)};"
            f" through memory {_bytes(self.memory_bytes)}, {self.bandwidth:.0%} of the bandwidth",
            "",
            f"{'':44}{'time':>10}{'share':>7}{'threads':>9}{'computed':>10}{'memory':>11}{'bandwidth':>11}",
        ]
        shown: set[str] = set()
        _write_loops(self.loops, 0, self.by_name, shown, lines)
        overhead = self.by_name.get(OVERHEAD_NAME)
        if overhead is not None:
            lines.append(_row(OVERHEAD_NAME, overhead))
        if self.profile.device is not None:
            lines.append(str(self.profile.device))
        return "\n".join(lines) + "\n"

    def to_data(self) -> dict[str, Any]:
        """The report as values of JSON."""
        device = self.profile.device
        kernels = () if device is None else device.kernels
        return {
            "pipeline": self.pipeline,
            "sizes": {name: list(extents) for name, extents in self.sizes.items()},
            **{
                name: getattr(self, name)
                for name in (
                    "runs",
                    "seconds",
                    "mean_seconds",
                    "threads",
                    "idle",
                    "peak_bytes",
                    "memory_bytes",
                    "bandwidth",
                )
            },
            "samples": len(self.profile.samples or ()),
            "funcs": [{name: getattr(func, name) for name in FuncReport.__annotations__} for func in self.funcs],
            "loops": loops_data(self.loops),
            "kernels": [
                {"name": k.name, "func": k.func, "launches": k.launches, "seconds": k.seconds} for k in kernels
            ],
        }

    def to_json(self) -> str:
        """The report as JSON text."""
        return json.dumps(self.to_data(), indent=1)

    def to_html(self) -> str:
        """The report as a page of HTML that needs nothing else."""
        samples = speedscope(self.pipeline, self.profile, self.loops)
        return page("profile", f"Profile of {self.pipeline}", {**self.to_data(), "timeline": samples})

    def to_chrome_trace(self) -> str:
        """What each thread computed when, for chrome://tracing and ui.perfetto.dev."""
        return json.dumps(chrome_trace(self.pipeline, self.profile, self.loops))

    def to_speedscope(self) -> str:
        """What each thread computed when, for speedscope.app."""
        return json.dumps(speedscope(self.pipeline, self.profile, self.loops))

    def save(self, path: str | Path) -> Path:
        """Writes the report: `.txt`, `.json`, `.html`, `.trace.json` (Chrome, Perfetto) or `.speedscope.json`."""
        path = Path(path)
        write = next((method for ending, method in _FORMATS.items() if path.name.endswith(ending)), None)
        if write is None:
            raise ArgumentError(f"Error: There is no format for {path.name}; endings are {', '.join(_FORMATS)}.")
        path.write_text(write(self), encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return in_notebook(self.to_html(), PAGE_HEIGHT)


_FORMATS = {
    ".txt": ProfileReport.__str__,
    ".html": ProfileReport.to_html,
    ".trace.json": ProfileReport.to_chrome_trace,
    ".speedscope.json": ProfileReport.to_speedscope,
    ".json": ProfileReport.to_json,
}


def loops_data(node: LoopTreeNode) -> dict[str, Any]:
    """The loop nest as values of JSON."""
    data: dict[str, Any] = {"kind": node.kind, "name": node.name, "func": node.func, "stage": node.stage}
    if node.kind == "loop":
        working_set = sum(node.working_set.values())
        data |= {"loop": node.loop, "trips": round(node.trips, 2), "working_set": working_set}
        data |= {"at_most": True} if node.at_most else {}
    if node.bytes:
        data["bytes"] = node.bytes
    data["entered"] = round(node.entered)
    data["children"] = [loops_data(child) for child in node.children]
    return data


def _write_loops(
    node: LoopTreeNode, depth: int, funcs: Mapping[str, FuncReport], shown: set[str], lines: list[str]
) -> None:
    indent = "  " * depth
    if node.kind == "produce":
        func = funcs.get(node.func)
        repeated = node.func in shown
        lines.append(f"{indent}{node.func}" if func is None or repeated else _row(f"{indent}{node.func}", func))
        shown.add(node.func)
        depth += 1
    elif node.kind == "loop" and (node.trips > 1 or node.loop.startswith("gpu")):
        lines.append(f"{indent}{node.loop} {node.name} ({'at most ' * node.at_most}{node.trips:.4g})")
        depth += 1
    for child in node.children:
        _write_loops(child, depth, funcs, shown, lines)


def _row(title: str, func: FuncReport) -> str:
    memory = _bytes(func.memory_bytes) if func.memory_bytes else "-"
    computed = f"{func.recomputation:.2f}x" if func.recomputation else "-"
    return (
        f"{title:44}{_milliseconds(func.seconds):>10}{func.share:7.1%}{func.threads:9.2f}{computed:>10}{memory:>11}"
        f"{func.bandwidth:11.0%}"
    )


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.3f} ms"


def _bytes(count: float) -> str:
    for unit, size in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count:.0f} B"


def profile(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    *,
    seconds: float = 1.0,
    target: Target | None = None,
    schedule: Schedule | None = None,
) -> ProfileReport:
    """As `Pipeline.profile`, of these outputs; `schedule`: in the place of the one that the Funcs have."""
    with gc_paused():
        return report_of(subject_of(outputs, like, sizes, target=target, schedule=schedule), seconds)


def report_of(subject: Subject, seconds: float) -> ProfileReport:
    """Runs a subject and reports."""
    measured = profiled_runs(subject, seconds)
    total = measured.profile
    run = total.seconds / total.runs
    busy = sum([func.thread_seconds for func in total.funcs if func.name != OVERHEAD_NAME])
    traffic = memory_traffic(subject)
    rate = subject.machine.dram_bandwidth_all if subject.threads > 1 else subject.machine.dram_bandwidth
    rows = []
    for func in total.funcs:
        if not func.thread_seconds and func.name not in {name for name, _ in subject.execution.stages}:
            continue
        read, written, memory = traffic.get(func.name, (0.0, 0.0, 0.0))
        own = func.seconds / total.runs
        rows.append(
            FuncReport(
                func.name,
                own,
                func.seconds / total.seconds if total.seconds else 0.0,
                func.thread_seconds / func.seconds if func.seconds else 0.0,
                subject.recomputation(func.name) if func.name in subject.definition.funcs else 0.0,
                read,
                written,
                memory,
                memory / own / rate if own else 0.0,
                func.heap_peak,
            )
        )
    moved = sum([memory for _, _, memory in traffic.values()])
    return ProfileReport(
        subject.definition.name,
        {name: tuple([extent for _, extent in box]) for name, box in subject.sizes.outputs.items()},
        total,
        total.runs,
        measured.seconds,
        run,
        subject.threads,
        max(0.0, 1 - busy / (subject.threads * total.seconds)) if total.seconds else 0.0,
        total.heap_peak,
        moved,
        moved / run / rate if run else 0.0,
        tuple(rows),
        subject.execution.root,
    )


def memory_traffic(subject: Subject) -> dict[str, tuple[float, float, float]]:
    """For each Func the bytes that its loads and stores move, and those that pass between memory and caches.

    Values pass through memory when their storage is larger than the last cache, or belongs to the caller. Each is
    counted once for each time that its reader is computed.
    """
    execution = subject.execution
    result: dict[str, tuple[float, float, float]] = {}
    large = {name for name, storage in execution.storages.items() if storage.bytes > subject.machine.l3}
    external = {*subject.definition.outputs, *subject.definition.images}
    for stage in execution.stages.values():
        written = stage.evaluations * stage.bytes_per_point
        memory = written if stage.func in large | external else 0.0
        read = stage.evaluations * sum([access.bytes for access in stage.accesses])
        for name in {access.name for access in stage.accesses} & (large | external):
            size = max([node.working_set.get(name, 0) * node.iterations for node in stage.loops[:1]], default=0.0)
            memory += size
        before = result.get(stage.func, (0.0, 0.0, 0.0))
        result[stage.func] = (before[0] + read, before[1] + written, before[2] + memory)
    return result
