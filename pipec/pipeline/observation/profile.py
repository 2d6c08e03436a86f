"""What profiled runs report: time, threads and memory of each Func."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from pipec.jit.runtime.call_table import ENTRY_SIZE, FIRST_FUNC, HEAD, OVERHEAD, WAITING, Counter, Head
from pipec.jit.runtime.device_run import Run
from pipec.pipeline.observation.device_profile import DeviceProfile, device_profile
from pipec.records import dataclass

_OVERHEAD = "overhead"
# Where the time stands in a line.
_COLUMN = 24


@dataclass(frozen=True)
class FuncProfile:
    """One Func, or the overhead: what a run does beside computing Funcs.

    seconds: of the run; while its caller waited for other threads, those that they were busy with. thread_seconds: of
    all threads, so that the quotient is how many worked at once. entered: how often its loops were begun.
    allocations, heap_total, heap_peak: memory that its values were kept in, in bytes; small storage, which lies on the
    stack, does not count.
    """

    name: str
    seconds: float
    thread_seconds: float
    entered: int
    allocations: int
    heap_total: int
    heap_peak: int

    def __str__(self) -> str:
        threads = self.thread_seconds / self.seconds if self.seconds > 0 else 0.0
        text = f"threads: {threads:.3f}"
        if self.allocations:
            average = self.heap_total // self.allocations
            text += f"  peak: {self.heap_peak:<8} num: {self.allocations:<9} avg: {average}"
        return text


@dataclass(frozen=True)
class Profile:
    """Where the time of the runs of a pipeline went; `str` gives the text that a run prints.

    waiting: for how much of `seconds` the caller had nothing left to do but to wait for other threads. device: what a
    device did meanwhile, for pipelines with kernels; to the host, a kernel is over when it has been launched.
    """

    pipeline: str
    runs: int
    seconds: float
    waiting: float
    allocations: int
    heap_peak: int
    funcs: tuple[FuncProfile, ...]
    device: DeviceProfile | None = None

    @property
    def threads(self) -> float:
        """How many threads worked at once on average."""
        return sum([func.thread_seconds for func in self.funcs]) / self.seconds if self.seconds > 0 else 0.0

    def __str__(self) -> str:
        each = 1e3 * self.seconds / max(self.runs, 1)
        lines = [
            self.pipeline,
            f" total time: {1e3 * self.seconds:.6f} ms  runs: {self.runs}  time per run: {each:.6f} ms",
            f" average threads used: {self.threads:.6f}"
            f"  waiting for parallel tasks to finish: {1e3 * self.waiting:.3f} ms",
            f" heap allocations: {self.allocations}  peak heap usage: {self.heap_peak} bytes",
        ]
        for func in self.funcs:
            if not func.entered and func.name != _OVERHEAD:
                continue  # inlined: it has no loops of its own
            share = 100 * func.seconds / self.seconds if self.seconds > 0 else 0.0
            time = f"{1e3 * func.seconds:.3f}ms ({share:.1f}%)"
            lines.append(f"    {func.name + ':':<{_COLUMN}}{time:<20}{func}".rstrip())
        if self.device is not None:
            lines.append(str(self.device))
        return "\n".join(lines) + "\n"

    def plus(self, other: Profile) -> Profile:
        """Both together."""
        funcs = [
            FuncProfile(
                a.name,
                a.seconds + b.seconds,
                a.thread_seconds + b.thread_seconds,
                a.entered + b.entered,
                a.allocations + b.allocations,
                a.heap_total + b.heap_total,
                max(a.heap_peak, b.heap_peak),
            )
            for a, b in zip(self.funcs, other.funcs, strict=True)
        ]
        return Profile(
            self.pipeline,
            self.runs + other.runs,
            self.seconds + other.seconds,
            self.waiting + other.waiting,
            self.allocations + other.allocations,
            max(self.heap_peak, other.heap_peak),
            tuple(funcs),
            other.device if self.device is None or other.device is None else self.device.plus(other.device),
        )


class Counters:
    """The row of numbers that one run adds to."""

    def __init__(self, funcs: Sequence[str]) -> None:
        self.funcs = funcs
        self.row = (ctypes.c_int64 * (HEAD + ENTRY_SIZE * (FIRST_FUNC + len(funcs))))()
        self.address = ctypes.addressof(self.row)

    def profile(self, pipeline: str, run: Run | None = None) -> Profile:
        """What was counted, also by a device."""
        row: Any = self.row
        numbers = [OVERHEAD, *range(FIRST_FUNC, FIRST_FUNC + len(self.funcs))]
        entries = [row[at : at + ENTRY_SIZE] for at in [HEAD + ENTRY_SIZE * number for number in numbers]]
        waiting = row[HEAD + ENTRY_SIZE * WAITING + Counter.WALL]
        elsewhere = [entry[Counter.THREADS] - entry[Counter.WALL] for entry in entries]
        if not any(elsewhere):
            elsewhere[0] = 1  # nobody was waited for but the pool itself
        share = waiting / sum(elsewhere)
        funcs = [
            FuncProfile(
                name,
                1e-9 * (entry[Counter.WALL] + share * away),
                1e-9 * entry[Counter.THREADS],
                entry[Counter.ENTERED],
                entry[Counter.ALLOCATIONS],
                entry[Counter.TOTAL],
                entry[Counter.PEAK],
            )
            for name, entry, away in zip([_OVERHEAD, *self.funcs], entries, elsewhere, strict=True)
        ]
        totals = 1e-9 * row[Head.WALL], 1e-9 * waiting, row[Head.ALLOCATIONS], row[Head.PEAK]
        return Profile(pipeline, 1, *totals, tuple(funcs), None if run is None else _on_device(run))


def _on_device(run: Run) -> DeviceProfile | None:
    return None if run.times is None else device_profile(run.device.name, run.program.kernels, run.times)
