"""The parts of the space of kernels that a search examines."""

from __future__ import annotations

from pipec.records import dataclass


@dataclass(frozen=True)
class GpuOptions:
    """`root`, `inline`, `block`, `thread`: the places that Funcs may have; what must be somewhere is at root anyway.

    `points`: threads may have several points; `sampled`: of equivalent tilings only some are examined; `freeze`:
    the cheap Funcs are decided first and stay so: True, False, or None for where there are many.
    """

    root: bool = True
    inline: bool = True
    block: bool = True
    thread: bool = True
    points: bool = True
    sampled: bool = True
    freeze: bool | None = None
