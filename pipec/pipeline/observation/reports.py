"""Runs that report: from the values in the call table to lines of text and the user's handlers."""

from __future__ import annotations

import ctypes
import itertools
import sys
import threading
from collections.abc import Sequence
from typing import Any, Self

from pipec.func.functions.handlers import Handlers
from pipec.ir.program import Notice
from pipec.ir.types import Type
from pipec.jit.runtime.call_table import CallEntry
from pipec.jit.runtime.device_run import DeviceRun
from pipec.pipeline.observation.debug_file import write_debug_file
from pipec.pipeline.observation.trace_event import line_of, number_of_bits, trace_event
from pipec.pipeline.observation.trace_file import append_event, trace_file

# The numbers of trace events; they stay positive for machine code, whose integers are 32 bits.
_events = itertools.cycle(range(1, 1 << 31))
_TABLE = ctypes.c_void_p * len(CallEntry)
# The runs that report now, by the address of their call tables.
_running: dict[int, ReportedCall] = {}


class ReportedCall:
    """One run of a program: its call table, and whom it reports to.

    What a handler raises is stored in `error`: exceptions cannot pass through machine code.
    """

    def __init__(self, notices: Sequence[Notice], handlers: Handlers, counters: int = 0) -> None:
        """`counters`: the address of those that a profiled program adds to."""
        self.notices, self.handlers = notices, handlers
        self.error: BaseException | None = None
        self._run: DeviceRun | None = None
        # The run's own: a handler may start another run, whose workers must not wait for this one.
        self._lock = threading.RLock()
        self._table = _TABLE()
        self._table[CallEntry.REPORT] = _ADDRESS
        self._table[CallEntry.COUNTERS] = counters
        self.address = ctypes.addressof(self._table)

    @property
    def run(self) -> DeviceRun | None:
        """The run of the program's kernels, None where it has none."""
        return self._run

    @run.setter
    def run(self, run: DeviceRun | None) -> None:
        self._run = run
        if run is not None:
            self._table[CallEntry.REPORT] = run.report_address(_ADDRESS)
            self._table[CallEntry.DEVICE] = run.address

    def __enter__(self) -> Self:
        _running[self.address] = self
        return self

    def __exit__(self, *_: object) -> None:
        del _running[self.address]
        if self._run is not None:
            self._run.release()

    def finish(self) -> None:
        """Copies the results of a device back after a successful run."""
        if self._run is not None:
            self._run.finish()

    def report(self, code: int, lanes: int, address: int) -> int:
        """The function that machine code calls; a result of -1 ends the run."""
        try:
            notice = self.notices[code]
            if self._run is not None and notice.kind in self._run.KINDS:
                if self.error is not None:
                    return -1
                # The program holds its own lock: waiting for another thread could deadlock.
                self._run.act(notice, address)
                return 0
            with self._lock:
                if self.error is not None:
                    return -1
                return self._report_values(notice, lanes, address)
        except BaseException as error:
            self.error = self.error or error
            return -1

    def _report_values(self, notice: Notice, lanes: int, address: int) -> int:
        rows = active_lanes(notice.types, lanes, address)
        if notice.kind == "trace":
            return self._traced(notice, rows)
        if notice.kind == "file":
            write_debug_file(dict(notice.details), rows[0])
            return 0
        for row in rows:
            self.write(line_of(notice.parts, row))
        return 0

    def _traced(self, notice: Notice, rows: list[tuple[Any, ...]]) -> int:
        number = next(_events)
        event = trace_event(notice, rows, number)
        if self.handlers.trace is not None:
            self.handlers.trace(event)
        elif path := trace_file():
            append_event(path, event)
        else:
            self.write(f"{event}\n")
        return number

    def write(self, text: str) -> None:
        """Give a text to the print handler."""
        if self.handlers.print is not None:
            self.handlers.print(text)
        else:
            sys.stdout.write(text)


def _report(table: int, code: int, lanes: int, address: int) -> int:
    return _running[table].report(code, lanes, address)


_REPORT = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t, ctypes.c_int32, ctypes.c_int32, ctypes.c_size_t)(_report)
_ADDRESS = ctypes.cast(_REPORT, ctypes.c_void_p).value or 0


def active_lanes(types: Sequence[Type], lanes: int, address: int) -> list[tuple[Any, ...]]:
    """The values of a Report in each active lane: Python ints, floats and bools."""
    count = len(types) * lanes
    bits = (ctypes.c_int64 * (count + (lanes if lanes > 1 else 0))).from_address(address)
    columns = [
        [number_of_bits(kind, value) for value in bits[at * lanes : (at + 1) * lanes]] for at, kind in enumerate(types)
    ]
    active = range(lanes) if lanes == 1 else [lane for lane in range(lanes) if bits[count + lane]]
    return [tuple([column[lane] for column in columns]) for lane in active]
