"""What compiling and running a pipeline cost and used."""

from __future__ import annotations

from typing import Any

from pipec.jit.runtime.library import runtime
from pipec.pipeline.observation.profile import Profile
from pipec.records import dataclass


@dataclass(frozen=True)
class HeapStatistics:
    """Memory of intermediate results, of all pipelines of the process since it began: blocks of 64 KiB and more.

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
    """Those of a CompiledPipeline."""
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
