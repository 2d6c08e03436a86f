"""Profiles of runs: time, threads and memory of each Func."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import reduce
from typing import Any

from pipec.ir.program import Kernel
from pipec.jit.runtime.call_table import (
    ENTRY_SIZE,
    FIRST_FUNC,
    HEAD,
    OVERHEAD,
    OVERHEAD_NAME,
    WAITING,
    CallTableHead,
    EntryCounter,
    Profiled,
    ProfileMode,
)
from pipec.jit.runtime.device_memory import DOWN, UP, Times
from pipec.jit.runtime.device_run import DeviceRun
from pipec.jit.runtime.library import runtime
from pipec.pipeline.observation.sampling import MAX_SAMPLES, Sampling, ThreadSample
from pipec.records import dataclass, replace

# Where the time stands in a line.
_COLUMN = 24


@dataclass(frozen=True)
class FuncProfile:
    """One Func, or the overhead: what a run does beside computing Funcs.

    seconds: of the run; while its caller waited for other threads, those that they were busy with. thread_seconds: of
    all threads, so that the quotient is how many worked at once. entered: how often its loops were begun; samples do
    not count that.
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
    samples: of target feature `profile_by_timer`, from which the times of Funcs are estimated; else None.
    """

    pipeline: str
    runs: int
    seconds: float
    waiting: float
    allocations: int
    heap_peak: int
    funcs: tuple[FuncProfile, ...]
    device: DeviceProfile | None = None
    samples: tuple[ThreadSample, ...] | None = None

    @property
    def threads(self) -> float:
        """The average number of threads that worked at once."""
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
        if self.samples is not None:
            lines.append(f" samples: {len(self.samples)}")
        for func in self.funcs:
            if not (func.entered or func.thread_seconds) and func.name != OVERHEAD_NAME:
                continue  # inlined: it has no loops of its own
            share = 100 * func.seconds / self.seconds if self.seconds > 0 else 0.0
            time = f"{1e3 * func.seconds:.3f}ms ({share:.1f}%)"
            lines.append(f"    {func.name + ':':<{_COLUMN}}{time:<20}{func}".rstrip())
        if self.device is not None:
            lines.append(str(self.device))
        return "\n".join(lines) + "\n"

    def sampled(self, samples: tuple[ThreadSample, ...]) -> Profile:
        """Returns the profile with the times that samples give: each stands for the time since the one before."""
        wall = {func.name: 0.0 for func in self.funcs}
        threads, waiting = dict(wall), 0.0
        for _, duration, names in samples:
            busy = [name for name in names if name]
            for name in busy:
                threads[name] += duration
            if names and not names[0]:
                waiting += duration
            current = names[:1] if busy and names[0] else busy or [OVERHEAD_NAME]
            for name in current:
                wall[name] += duration / len(current)
        total = sum(wall.values())
        scale = self.seconds / total if total else 0.0
        funcs = [
            replace(func, seconds=scale * wall[func.name], thread_seconds=scale * threads[func.name])
            for func in self.funcs
        ]
        return replace(self, waiting=scale * waiting, funcs=tuple(funcs), samples=samples)


def total_of(profiles: Sequence[Profile]) -> Profile:
    """The profile of several runs, or profiles, of one pipeline."""
    if len(profiles) == 1:
        return profiles[0]
    funcs = [
        FuncProfile(
            parts[0].name,
            sum([part.seconds for part in parts]),
            sum([part.thread_seconds for part in parts]),
            sum([part.entered for part in parts]),
            sum([part.allocations for part in parts]),
            sum([part.heap_total for part in parts]),
            max([part.heap_peak for part in parts]),
        )
        for parts in zip(*[profile.funcs for profile in profiles], strict=True)
    ]
    devices = [profile.device for profile in profiles if profile.device is not None]
    total = Profile(
        profiles[0].pipeline,
        sum([profile.runs for profile in profiles]),
        sum([profile.seconds for profile in profiles]),
        sum([profile.waiting for profile in profiles]),
        sum([profile.allocations for profile in profiles]),
        max([profile.heap_peak for profile in profiles]),
        tuple(funcs),
        reduce(DeviceProfile.plus, devices) if devices else None,
    )
    samples = [profile.samples for profile in profiles]
    if None in samples:
        return total
    return total.sampled(tuple([sample for part in samples for sample in part or ()])[-MAX_SAMPLES:])


class Counters:
    """The row of numbers that one run adds to."""

    def __init__(self, profiled: Profiled) -> None:
        self.funcs = profiled.funcs
        self.row = (ctypes.c_int64 * (HEAD + ENTRY_SIZE * (FIRST_FUNC + len(self.funcs))))()
        self.address = ctypes.addressof(self.row)
        self._sampling = Sampling() if profiled.mode is ProfileMode.SAMPLED else None
        if self._sampling is not None:
            self.row[CallTableHead.SAMPLES] = self._sampling.address

    def observing(self) -> AbstractContextManager[object]:
        """Samples the threads inside the context, where the program is compiled for that."""
        return nullcontext() if self._sampling is None else self._sampling

    def profile(self, pipeline: str, run: DeviceRun | None = None) -> Profile:
        """Returns the profile of a run, kernels included."""
        row: Any = self.row
        numbers = [OVERHEAD, *range(FIRST_FUNC, FIRST_FUNC + len(self.funcs))]
        entries = [row[at : at + ENTRY_SIZE] for at in [HEAD + ENTRY_SIZE * number for number in numbers]]
        waiting = row[HEAD + ENTRY_SIZE * WAITING + EntryCounter.WALL]
        elsewhere = [entry[EntryCounter.THREADS] - entry[EntryCounter.WALL] for entry in entries]
        if not any(elsewhere):
            elsewhere[0] = 1  # all waiting was for the pool itself
        share = waiting / sum(elsewhere)
        funcs = [
            FuncProfile(
                name,
                1e-9 * (entry[EntryCounter.WALL] + share * away),
                1e-9 * entry[EntryCounter.THREADS],
                entry[EntryCounter.ENTERED],
                entry[EntryCounter.ALLOCATIONS],
                entry[EntryCounter.TOTAL],
                entry[EntryCounter.PEAK],
            )
            for name, entry, away in zip([OVERHEAD_NAME, *self.funcs], entries, elsewhere, strict=True)
        ]
        totals = 1e-9 * row[CallTableHead.WALL], 1e-9 * waiting, row[CallTableHead.ALLOCATIONS], row[CallTableHead.PEAK]
        profile = Profile(pipeline, 1, *totals, tuple(funcs), None if run is None else _on_device(run))
        if self._sampling is None:
            return profile
        return replace(profile, seconds=self._sampling.seconds).sampled(self._sampling.samples(self.funcs))


def _on_device(run: DeviceRun) -> DeviceProfile | None:
    return None if run.times is None else device_profile(run.device.name, run.program.kernels, run.times)


@dataclass(frozen=True)
class KernelProfile:
    """A kernel: its name in the device code, the Func that it computes, how often it ran and for how many seconds."""

    name: str
    func: str
    launches: int
    seconds: float


@dataclass(frozen=True)
class CopyProfile:
    """Copies in one direction between host and device: how many, their bytes and seconds in all."""

    count: int
    bytes: int
    seconds: float

    def __str__(self) -> str:
        rate = f"  {1e-9 * self.bytes / self.seconds:.3f} GB/s" if self.seconds > 0 else ""
        return f"{1e3 * self.seconds:.3f} ms  num: {self.count}  {self.bytes} bytes{rate}"


@dataclass(frozen=True)
class DeviceProfile:
    """Times that the device measured itself (events of its queue): of kernels, and of copies to it and from it."""

    device: str
    kernels: tuple[KernelProfile, ...]
    to_device: CopyProfile
    to_host: CopyProfile

    @property
    def seconds(self) -> float:
        """The time of all kernels."""
        return sum([kernel.seconds for kernel in self.kernels])

    def __str__(self) -> str:
        lines = [
            f" kernels on {self.device}: {1e3 * self.seconds:.3f} ms",
            f" copies to the device: {self.to_device}",
            f" copies to the host: {self.to_host}",
        ]
        for kernel in self.kernels:
            share = 100 * kernel.seconds / self.seconds if self.seconds > 0 else 0.0
            time = f"{1e3 * kernel.seconds:.3f}ms ({share:.1f}%)"
            lines.append(f"    {kernel.name + ':':<{_COLUMN}}{time:<20}launches: {kernel.launches}")
        return "\n".join(lines)

    def plus(self, other: DeviceProfile) -> DeviceProfile:
        """Both together."""
        kernels = {kernel.name: kernel for kernel in self.kernels}
        for kernel in other.kernels:
            old = kernels.get(kernel.name, KernelProfile(kernel.name, kernel.func, 0, 0.0))
            launches, seconds = old.launches + kernel.launches, old.seconds + kernel.seconds
            kernels[kernel.name] = KernelProfile(kernel.name, kernel.func, launches, seconds)
        copies = [
            CopyProfile(a.count + b.count, a.bytes + b.bytes, a.seconds + b.seconds)
            for a, b in ((self.to_device, other.to_device), (self.to_host, other.to_host))
        ]
        return DeviceProfile(other.device, tuple(kernels.values()), *copies)


def device_profile(device: str, kernels: Sequence[Kernel], times: Times) -> DeviceProfile:
    """Returns the profile of a device from the counters of a run."""
    nothing = 0, 0, 0.0
    rows = [KernelProfile(k.name, k.func, times[n][0], times[n][2]) for n, k in enumerate(kernels) if n in times]
    return DeviceProfile(
        device, tuple(rows), CopyProfile(*times.get(UP, nothing)), CopyProfile(*times.get(DOWN, nothing))
    )


@dataclass(frozen=True)
class HeapStatistics:
    """Memory of intermediate results, of all pipelines of the process since it began: blocks of 16 KiB and more.

    live, peak, total: bytes in use now, the most that ever were, and all that was given out; allocations: in how many
    blocks. What the profile target feature reports is that of one pipeline, Func by Func, and of blocks of all sizes.
    """

    live: int
    peak: int
    total: int
    allocations: int


@dataclass(frozen=True)
class JitStatistics:
    """One compiled pipeline.

    variants: how many forms of the machine code there are; the second is made for outputs too small for whole strips.
    cached: how many of these were found on disk. lowering_seconds: from the definitions to loops. code_seconds: from
    loops to machine code, or reading it from disk. code_bytes: of object code. calls: runs so far, those that failed
    included; of runs that begin at one moment some may be missing. threads: how many run parallel loops. heap: the
    memory of all pipelines. profile: of all runs, if the target has the feature profile.
    """

    variants: int
    cached: int
    lowering_seconds: float
    code_seconds: float
    code_bytes: int
    calls: int
    threads: int
    heap: HeapStatistics
    profile: Profile | None


def statistics_of(compiled: Any) -> JitStatistics:
    """Returns the statistics of a CompiledPipeline."""
    codes = compiled.codes()
    return JitStatistics(
        len(codes),
        sum([code.cached for code in codes]),
        sum([code.lowering_seconds for code in codes]),
        sum([code.code_seconds for code in codes]),
        sum([code.compiled.size for code in codes]),
        compiled.calls,
        runtime().threads(),
        HeapStatistics(*runtime().memory()),
        compiled.profile,
    )
