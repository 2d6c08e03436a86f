"""Work of other processes on the CPUs of this one: timing waits for its end, and says so when it did not end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from pipec.errors import ArgumentError

STATISTICS = Path("/proc/stat")
SAMPLE_SECONDS = 0.05
BUSY_SHARE = 0.25
"""Of the CPUs, that others use on a machine which is too busy for timing."""
PATIENCE_SECONDS = 3.0
MAX_SLOWDOWN = 3.0


def usual_patience() -> float:
    """Seconds that timing waits in all, unless somebody says how long: those of PIPEC_PATIENCE, by default 3."""
    text = os.environ.get("PIPEC_PATIENCE", "")
    try:
        return max(0.0, float(text)) if text else PATIENCE_SECONDS
    except ValueError:
        raise ArgumentError(f"Error: PIPEC_PATIENCE={text!r} is no number of seconds, such as 3 or 0.5.") from None


def busy_share(seconds: float = SAMPLE_SECONDS) -> float | None:
    """Share of the CPUs of this process that is used while it sleeps for a moment; None where nobody says so.

    Children of the process must not calculate meanwhile.
    """
    before = _busy_and_total()
    time.sleep(seconds)
    after = _busy_and_total()
    if before is None or after is None or after[1] == before[1]:
        return None
    return (after[0] - before[0]) / (after[1] - before[1])


def _busy_and_total() -> tuple[int, int] | None:
    """Ticks that the CPUs of this process were busy, and all ticks, since the machine was started.

    What runs at a lower priority ("nice") gives way to timing and does not count.
    """
    if not hasattr(os, "sched_getaffinity"):
        return None
    names = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    try:
        lines = [line.split() for line in STATISTICS.read_text().splitlines()]
        # user, nice, system, idle, waiting for disks, interrupts, soft interrupts, stolen; guests are among the users.
        ticks = [[int(text) for text in words[1:9]] for words in lines if words and words[0] in names]
        total = sum(map(sum, ticks))
        return total - sum([nice + idle + waiting for _, nice, _, idle, waiting, *_ in ticks]), total
    except (OSError, ValueError, IndexError):
        return None


def slowdown() -> float:
    """How many times as long as usual calculating takes now: by the processes that want to run, beside the CPUs."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):
        return 1.0
    return min(MAX_SLOWDOWN, max(1.0, load / (os.cpu_count() or 1)))


class OtherWork:
    """Waits until others leave the CPUs alone, `patience` seconds in all.

    `share`: of the CPUs, used by others at the end of the last wait. `sample` returns it after a moment.
    """

    def __init__(
        self,
        patience: float | None = None,
        sample: Callable[[], float | None] = busy_share,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.patience = usual_patience() if patience is None else patience
        self.sample, self.clock = sample, clock
        self.share = 0.0

    def wait(self, until: float) -> None:
        """Returns when the CPUs are free, at `until` at the latest, or when patience has ended."""
        began = self.clock()
        end = min(until, began + self.patience)
        while True:
            self.share = self.sample() or 0.0
            if not self.is_busy or self.clock() >= end:
                break
        self.patience -= min(self.patience, max(0.0, self.clock() - began - SAMPLE_SECONDS))

    @property
    def is_busy(self) -> bool:
        """Whether others use so much of the CPUs that times are not to be trusted."""
        return self.share > BUSY_SHARE

    @property
    def note(self) -> str:
        """What a user should know about the times; nothing on a machine without other work."""
        if not self.is_busy:
            return ""
        return (
            f"other processes used {self.share:.0%} of the CPUs during timing: the times are too long, and which"
            " schedule is fastest is uncertain"
        )
