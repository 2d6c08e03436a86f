"""Device code made into kernels of a device; its binary is cached on disk."""

from __future__ import annotations

import ctypes
import re
import time
from collections.abc import Collection, Sequence
from typing import Any

from pipec.diagnostics import write as write_log
from pipec.errors import DeviceError, NotSupportedError, ScheduleError
from pipec.ir.program import DeviceCode, Kernel, Notice
from pipec.jit.objects import cache
from pipec.jit.opencl.device import Device
from pipec.jit.opencl.kernel import KernelHandle
from pipec.jit.opencl.memory import pool_of
from pipec.jit.opencl.native import driver_function, mutex, words
from pipec.jit.opencl.tables import ArgumentWord, Kind, ProgramWord, RowWord

# Lines of the kernel shown around one that the device's compiler refused, and how many of these.
_CONTEXT, _MOST_PLACES = 2, 5
_HANDLE_BYTES = 8
# Threads of the host that may each have all buffers of a program in a quick call.
_ROOM = 4
# The Notices that the runner of kernels acts on.
KINDS = {"launch": Kind.LAUNCH, "host": Kind.HOST, "allocate": Kind.ALLOCATE, "free": Kind.FREE}


class DeviceProgram:
    """All kernels of a pipeline on a device, and the tables by which its machine code launches them."""

    def __init__(self, code: DeviceCode, device: Device, notices: Sequence[Notice] = ()) -> None:
        """`notices`: those of the host's program."""
        for kernel in code.kernels:
            check_limits(kernel, kernel.group, device, device.most_threads)
        _check_types(code, device)
        started = time.perf_counter()
        program = _build(code.text, device)
        self.device, self.kernels = device, code.kernels
        self.handles = [KernelHandle(program, kernel.name) for kernel in code.kernels]
        # Kernels that need many registers run with fewer threads.
        self.most_threads = [most_threads(handle, device) for handle in self.handles]
        for kernel, most in zip(code.kernels, self.most_threads, strict=True):
            check_limits(kernel, kernel.group, device, most)
        self._kept: list[Any] = [mutex()]
        # So many a run knows at once, if no two threads of the host do the same.
        self.buffer_names = code.buffer_names()
        self.buffers = len(self.buffer_names)
        self.address = self._tables(notices)
        write_log("time", f"kernels for {device.name}: {1e3 * (time.perf_counter() - started):.1f} ms")

    def _keep(self, numbers: Sequence[int]) -> int:
        """The address of a row that lives as long as this."""
        row = words(max(len(numbers), 1))
        row[: len(numbers)] = numbers
        self._kept.append(row)
        return ctypes.addressof(row)

    def _tables(self, notices: Sequence[Notice]) -> int:
        rows = [self._row(notice) if notice.kind in KINDS else 0 for notice in notices]
        table = [0] * len(ProgramWord)
        table[ProgramWord.LOCK] = ctypes.addressof(self._kept[0])
        table[ProgramWord.POOL] = pool_of(self.device).address
        table[ProgramWord.SET_ARGUMENT] = driver_function("clSetKernelArg")
        table[ProgramWord.ENQUEUE] = driver_function("clEnqueueNDRangeKernel")
        table[ProgramWord.ROWS] = self._keep(rows)
        table[ProgramWord.QUEUE] = self.device.queue_handle
        table[ProgramWord.IS_OPEN] = ctypes.addressof(self.device.is_open)
        table[ProgramWord.ROOM] = _ROOM * self.buffers
        return self._keep(table)

    def _row(self, notice: Notice) -> int:
        row = [0] * len(RowWord)
        row[RowWord.KIND] = KINDS[notice.kind]
        details = dict(notice.details)
        if notice.kind == "launch":
            self._describe_launch(row, int(details["kernel"]))
        elif notice.kind == "host":
            written = [int(number) for number in details["written"].split()]
            row[RowWord.BUFFERS] = len(notice.parts)
            row[RowWord.WRITTEN] = self._flags(len(notice.parts), written)
        return self._keep(row)

    def _describe_launch(self, row: list[int], number: int) -> None:
        kernel, axes = self.kernels[number], self.device.most_threads_of_axes
        row[RowWord.BUFFERS], row[RowWord.SCALARS] = kernel.buffers, len(kernel.parameters) - kernel.buffers
        row[RowWord.WRITTEN] = self._flags(kernel.buffers, kernel.written)
        row[RowWord.KERNEL], row[RowWord.NUMBER] = self.handles[number].int_ptr, number
        row[RowWord.MAX_THREADS] = self.most_threads[number]
        row[RowWord.MAX_X], row[RowWord.MAX_Y], row[RowWord.MAX_Z] = axes[:3]
        arguments: list[int] = []
        for at, (_, kind) in enumerate(kernel.parameters):
            # What is 0 has not been set.
            argument = [0] * len(ArgumentWord)
            is_scalar = at < row[RowWord.SCALARS]
            narrow = is_scalar and kind.floating and kind.nbits < 64
            argument[ArgumentWord.IS_FLOAT] = narrow
            argument[ArgumentWord.BYTES] = 4 if narrow else kind.bytes() if is_scalar else _HANDLE_BYTES
            arguments += argument
        row[RowWord.ARGUMENTS] = self._keep(arguments)

    def _flags(self, count: int, numbers: Collection[int]) -> int:
        return self._keep([int(number in numbers) for number in range(count)])


def most_threads(handle: KernelHandle, device: Device) -> int:
    """The most threads of a group of a kernel."""
    return min(handle.work_group_size(device.handle), device.most_threads)


def check_limits(kernel: Kernel, group: tuple[int, ...], device: Device, most_threads: int) -> None:
    """Raises when a kernel cannot run on a device: sizes that are 0 are known later."""
    threads = 1
    for size in group:
        threads *= max(size, 1)
    shape = " x ".join(str(size) for size in group)
    most = " x ".join(str(size) for size in device.most_threads_of_axes)
    over = any(size > limit for size, limit in zip(group, device.most_threads_of_axes, strict=False))
    if threads > most_threads or over:
        few = most_threads < device.most_threads
        why = f" as it needs many registers ({device.most_threads} otherwise)" if few else ""
        raise ScheduleError(
            f"Error: The kernel of Func {kernel.func} has {threads} threads a block ({shape}), but {device.name} allows"
            f" {most_threads}{why}, in each dimension {most}. Make the tiles of gpu_threads smaller."
        )
    if kernel.local_bytes > device.local_bytes:
        raise ScheduleError(
            f"Error: The kernel of Func {kernel.func} needs {kernel.local_bytes} bytes of local memory a block for what"
            f" is computed at its loops over blocks, but {device.name} has {device.local_bytes}. Make the tiles of"
            " gpu_blocks smaller, or compute less there."
        )


_NEEDS = {
    "cl_khr_fp64": "cannot compute with float64, which the kernels need. Use float32",
    "cl_khr_int64_base_atomics": "has no atomic updates of 64-bit values, which the kernels need. Use types of 32 bits",
    "cl_khr_int64_extended_atomics": "has no atomic extrema of 64-bit values, which the kernels need. Use 32 bits",
}


def _check_types(code: DeviceCode, device: Device) -> None:
    for extension, text in _NEEDS.items():
        if f"EXTENSION {extension} :" in code.text and extension not in device.extensions:
            raise NotSupportedError(f"Error: {device.name} {text} in the stages that run on the GPU.")


def _build(text: str, device: Device) -> Any:
    import pyopencl as cl

    options = device.build_options(text)
    key = cache.key_of("opencl", text, device.identity, *options)
    binary = cache.load(key)
    if binary is not None:
        try:
            return cl.Program(device.context, [device.handle], [binary]).build(options)
        except cl.Error as error:
            write_log("cache", f"the binary under {key} is refused ({error}): compiling again")
    try:
        # False: no cache. That of pyopencl would unpickle its entries.
        program = cl.Program(device.context, text).build(options, cache_dir=False)  # type: ignore[arg-type]
    except cl.Error as error:
        raise DeviceError(_build_failure(text, device, str(error))) from error
    if not device.keeps_binaries:
        cache.store(key, program.get_info(cl.program_info.BINARIES)[0])
    return program


def _build_failure(text: str, device: Device, log: str) -> str:
    lines = text.splitlines()
    shown: list[str] = []
    found = re.findall(r":(\d+):\d+: (?:fatal )?error|error: \S+?:(\d+):\d+:", log)
    places = dict.fromkeys(int(after or before) for after, before in found)
    for place in list(places)[:_MOST_PLACES]:
        for number in range(max(place - _CONTEXT, 1), min(place + _CONTEXT, len(lines)) + 1):
            shown.append(f"{'>' if number == place else ' '} {number:4} {lines[number - 1]}")
        shown.append("")
    if "unknown target CPU" in log:
        return (
            f"Error: {device.name} cannot compile for this processor, which is younger than its compiler.\n"
            "Install a newer PoCL, or choose another device with PIPEC_DEVICE.\n"
            f"{log.strip()}"
        )
    where = "\n".join(shown) if shown else text
    return f"Error: {device.name} cannot compile the kernels. This is a mistake of pipec.\n{where}\n{log.strip()}"
