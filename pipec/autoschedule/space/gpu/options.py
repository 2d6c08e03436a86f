"""Which parts of the space of kernels a search looks through."""

from __future__ import annotations

from pipec.records import dataclass


@dataclass(frozen=True)
class GpuOptions:
    """`root`, `inline`, `block`, `thread`: the places that Funcs may have; what must be somewhere is at root anyway.

    `points`: threads may have several points; `sampled`: of tilings that are alike only some are looked at; `freeze`:
    the cheap Funcs are decided first and stay so: True, False, or None for where there are many.
    """

    root: bool = True
    inline: bool = True
    block: bool = True
    thread: bool = True
    points: bool = True
    sampled: bool = True
    freeze: bool | None = None
