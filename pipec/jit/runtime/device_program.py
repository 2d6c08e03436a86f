"""Device code loaded on a device, with the tables by which machine code launches its kernels."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Collection, Sequence
from typing import Any

from pipec.diagnostics import write as write_log
from pipec.errors import ScheduleError
from pipec.ir.program import DeviceCode, Kernel, Notice
from pipec.jit.device import Device
from pipec.jit.runtime.device_memory import mutex, pool_of, words
from pipec.jit.runtime.device_tables import ArgumentWord, ProgramWord, ReportKind, RowWord

_HANDLE_BYTES = 8
# Threads of the host that may each hold all buffers of a program in a fast call.
_MAX_CALLERS = 4
# The Notices that the runner of kernels acts on.
KINDS = {"launch": ReportKind.LAUNCH, "host": ReportKind.HOST, "allocate": ReportKind.ALLOCATE, "free": ReportKind.FREE}


class DeviceProgram:
    """All kernels of a pipeline on a device."""

    def __init__(self, code: DeviceCode, device: Device, notices: Sequence[Notice] = ()) -> None:
        """`notices`: those of the host's program."""
        self.device, self.kernels = device, code.kernels
        for kernel in code.kernels:
            check_limits(kernel, kernel.group, device, device.limits.max_threads)
        started = time.perf_counter()
        self.loaded = device.load(code)
        write_log("time", f"kernels for {device.name}: {1e3 * (time.perf_counter() - started):.1f} ms")
        # Kernels that need many registers run with fewer threads.
        self.max_threads = [loaded.max_threads for loaded in self.loaded]
        for kernel, limit in zip(code.kernels, self.max_threads, strict=True):
            check_limits(kernel, kernel.group, device, limit)
        self.buffer_names = code.buffer_names()
        self._rows: list[Any] = [mutex()]
        self.address = self._tables(notices)

    def _row_address(self, numbers: Sequence[int]) -> int:
        """The address of a row of numbers that lives as long as this object."""
        row = words(max(len(numbers), 1))
        row[: len(numbers)] = numbers
        self._rows.append(row)
        return ctypes.addressof(row)

    def _tables(self, notices: Sequence[Notice]) -> int:
        rows = [self._describe(notice) if notice.kind in KINDS else 0 for notice in notices]
        device = self.device
        table = [0] * len(ProgramWord)
        table[ProgramWord.LOCK] = ctypes.addressof(self._rows[0])
        table[ProgramWord.POOL] = pool_of(device).address
        table[ProgramWord.SET_ARGUMENT] = device.set_argument
        table[ProgramWord.ENQUEUE] = device.enqueue
        table[ProgramWord.ROWS] = self._row_address(rows)
        table[ProgramWord.QUEUE] = device.queue
        table[ProgramWord.IS_OPEN] = ctypes.addressof(device.is_open)
        table[ProgramWord.ROOM] = _MAX_CALLERS * len(self.buffer_names)
        return self._row_address(table)

    def _describe(self, notice: Notice) -> int:
        row = [0] * len(RowWord)
        row[RowWord.KIND] = KINDS[notice.kind]
        details = dict(notice.details)
        if notice.kind == "launch":
            self._describe_launch(row, int(details["kernel"]))
        elif notice.kind == "host":
            written = [int(number) for number in details["written"].split()]
            row[RowWord.BUFFERS] = len(notice.parts)
            row[RowWord.WRITTEN] = self._flags(len(notice.parts), written)
        return self._row_address(row)

    def _describe_launch(self, row: list[int], number: int) -> None:
        kernel, axes = self.kernels[number], self.device.limits.max_threads_per_axis
        row[RowWord.BUFFERS], row[RowWord.SCALARS] = kernel.buffers, len(kernel.parameters) - kernel.buffers
        row[RowWord.WRITTEN] = self._flags(kernel.buffers, kernel.written)
        row[RowWord.KERNEL], row[RowWord.NUMBER] = self.loaded[number].handle, number
        row[RowWord.MAX_THREADS] = self.max_threads[number]
        row[RowWord.MAX_X], row[RowWord.MAX_Y], row[RowWord.MAX_Z] = axes[:3]
        arguments: list[int] = []
        for at, (_, kind) in enumerate(kernel.parameters):
            # IS_SET stays 0 until the first launch.
            argument = [0] * len(ArgumentWord)
            is_scalar = at < row[RowWord.SCALARS]
            narrow = is_scalar and kind.floating and kind.nbits < 64
            argument[ArgumentWord.IS_FLOAT] = narrow
            argument[ArgumentWord.BYTES] = 4 if narrow else kind.bytes() if is_scalar else _HANDLE_BYTES
            arguments += argument
        row[RowWord.ARGUMENTS] = self._row_address(arguments)

    def _flags(self, count: int, numbers: Collection[int]) -> int:
        return self._row_address([int(number in numbers) for number in range(count)])


def check_limits(kernel: Kernel, group: tuple[int, ...], device: Device, max_threads: int) -> None:
    """Raises ScheduleError when a kernel cannot run on a device. Sizes of 0 are checked when they are known."""
    limits = device.limits
    threads = 1
    for size in group:
        threads *= max(size, 1)
    if threads > max_threads or any(a > b for a, b in zip(group, limits.max_threads_per_axis, strict=False)):
        shape, most = [" x ".join(map(str, sizes)) for sizes in (group, limits.max_threads_per_axis)]
        few = max_threads < limits.max_threads
        why = f" as it needs many registers ({limits.max_threads} otherwise)" if few else ""
        raise ScheduleError(
            f"Error: The kernel of Func {kernel.func} has {threads} threads a block ({shape}), but {device.name} allows"
            f" {max_threads}{why}, in each dimension {most}. Make the tiles of gpu_threads smaller."
        )
    if kernel.local_bytes > limits.local_bytes:
        raise ScheduleError(
            f"Error: The kernel of Func {kernel.func} needs {kernel.local_bytes} bytes of local memory a block for what"
            f" is computed at its loops over blocks, but {device.name} has {limits.local_bytes}. Make the tiles of"
            " gpu_blocks smaller, or compute less there."
        )
