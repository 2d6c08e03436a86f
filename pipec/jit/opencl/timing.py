"""How long a device was busy with the kernels and the copies of a run, by its own clock."""

from __future__ import annotations

import ctypes
from typing import Any

from pipec.jit.opencl.device import Device
from pipec.jit.opencl.native import words
from pipec.jit.opencl.tables import RunWord

# Launches whose events are looked at together.
_EVENTS = 1 << 10
# A kernel's number, or a direction of copies: how often, bytes, seconds.
Times = dict[Any, tuple[int, int, float]]
UP, DOWN = "up", "down"
_NANOSECOND = 1e-9


class Timing:
    """The events of a run, which has a queue of its own for them.

    In an ordinary queue launches are not timed, as many drivers take longer for launches that are.
    """

    def __init__(self, device: Device) -> None:
        self.queue = device.timed_queue()
        # What other runs have begun comes first.
        device.queue.finish()
        self.times: Times = {}
        self._events = words(2 * _EVENTS)

    def attach(self, run: Any) -> None:
        """Let the row of a run (RunWord) have its events noted here."""
        run[RunWord.QUEUE], run[RunWord.EVENTS] = self.queue.int_ptr, ctypes.addressof(self._events)
        run[RunWord.EVENT_ROOM] = _EVENTS

    def drain(self, run: Any) -> None:
        """Count the launches noted so far, after waiting for them."""
        import pyopencl as cl

        self.queue.finish()
        for at in range(run[RunWord.EVENT_COUNT]):
            handle, number = self._events[2 * at : 2 * at + 2]
            self.add(number, 0, cl.Event.from_int_ptr(handle, retain=False))
        run[RunWord.EVENT_COUNT] = 0

    def add(self, what: Any, size: int, event: Any) -> None:
        """One more of a kind, that has ended."""
        count, bytes_, seconds = self.times.get(what, (0, 0, 0.0))
        spent = _NANOSECOND * (event.profile.end - event.profile.start)
        self.times[what] = count + 1, bytes_ + size, seconds + spent
