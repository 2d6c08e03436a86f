"""Waiting until two cores are as near each other as they usually are.

The host of a virtual machine moves its cores about: now two of them are threads of one core, now they have no cache in
common, for some hundredths of a second or for many seconds. Code for several threads then takes up to five times as
long, and schedules that are timed in such moments cannot be compared with those that are not.
"""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable

FIRST = 24
"""Exchanges by which it is found out what is usual."""
REMEMBERED = 400
BETWEEN = 0.015
"""Seconds between two of them."""
LEAST, MOST = 0.6, 2.0
"""Of the usual time of an exchange."""
PATIENCE = 3.0
"""Seconds of waiting at the beginning; later half of all the time that has gone by may be spent so."""


class Nearness:
    """What is usual on this machine. `clock` and `sleep`: those of the time module, unless a test has others."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.clock, self.sleep = clock, sleep
        self.seen: deque[float] = deque(maxlen=REMEMBERED)
        self.began: float | None = None
        self.waited = 0.0

    def wait(self, exchange: Callable[[], float | None], until: float) -> None:
        """Return when the time of an exchange is a usual one, at `until` at the latest, or when patience has ended.

        `exchange`: the seconds of one, or None where they don't matter or can't be told.
        """
        now = self.clock()
        self.began = now if self.began is None else self.began
        until = min(until, now + PATIENCE + (now - self.began) / 2 - self.waited)
        while (seconds := exchange()) is not None:
            self.seen.append(seconds)
            if (len(self.seen) >= FIRST and self._usual(seconds)) or self.clock() >= until:
                break
            self.sleep(BETWEEN)
        self.waited += self.clock() - now

    def _usual(self, seconds: float) -> bool:
        usual = statistics.median(self.seen)
        return LEAST * usual <= seconds <= MOST * usual
