"""A clock of groups: how long the loops of each Func at root take, with all that is computed inside them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable

from pipec.jit.runtime.call_table import ENTRY_SIZE, FIRST_FUNC, HEAD, CallEntry, EntryCounter, Profiled, ProfileMode
from pipec.pipeline.observation.profile import Counters


class GroupClock:
    """What the runs of one program add up, which must follow each other. `address`: of the call table they get."""

    def __init__(self, funcs: Iterable[str]) -> None:
        self.profiled = Profiled(tuple(funcs), ProfileMode.CLOCKED)
        self.counters = Counters(self.profiled)
        self._table = (ctypes.c_void_p * len(CallEntry))()
        self._table[CallEntry.COUNTERS] = self.counters.address
        self.address = ctypes.addressof(self._table)

    def taken(self) -> dict[str, float]:
        """The seconds of each Func at root since the last call."""
        row, seconds = self.counters.row, {}
        for number, name in enumerate(self.profiled.funcs, FIRST_FUNC):
            at = HEAD + ENTRY_SIZE * number + EntryCounter.WALL
            if row[at]:
                seconds[name] = 1e-9 * row[at]
                row[at] = 0
        return seconds
