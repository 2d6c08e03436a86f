"""One run of a program on a device: what its Reports ask for is done here."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipec.errors import NotSupportedError
from pipec.ir.program import Notice
from pipec.ir.types import Type
from pipec.jit.kernel_indices import MOST_ELEMENTS
from pipec.jit.opencl_device import failure
from pipec.jit.opencl_memory import Twin, pool_of
from pipec.jit.opencl_program import BuiltKernel, DeviceProgram, check_limits

_AXES = 3


@dataclass(frozen=True)
class Span:
    """Memory of a buffer argument: its element 0 is at `address`, its bytes are `low` to `high`."""

    name: str
    address: int
    low: int
    high: int
    is_output: bool
    is_dense: bool


class Run:
    """`tell` is called for each Report of these KINDS, `finish` when the host's program has ended."""

    KINDS = frozenset(("launch", "allocate", "free", "host"))

    def __init__(self, program: DeviceProgram, spans: Sequence[Span], residents: Mapping[int, Twin]) -> None:
        """`residents`: twins that outlive the run, by address."""
        self.program, self.device = program, program.device
        self.pool = pool_of(self.device)
        self.spans, self.residents = spans, residents
        self.twins: dict[int, Twin] = {}
        self.launched = False

    def tell(self, notice: Notice, address: int) -> None:
        """What a Report says, whose values are at `address`."""
        if notice.kind == "launch":
            built = self.program.kernels[int(notice.details[0][1])]
            self.launch(built, built.values.from_address(address)[:])
            return
        values = (ctypes.c_int64 * len(notice.parts)).from_address(address)[:]
        if notice.kind == "host":
            self.host(values, notice.details[0][1])
        elif notice.kind == "allocate":
            self.allocate(values[0], values[1], notice.details[0][1])
        else:
            self.twins.pop(values[0]).free()

    def allocate(self, address: int, size: int, name: str) -> None:
        """An intermediate result of the pipeline."""
        self._check_size(size, name)
        self.twins[address] = Twin(self.pool.take(size, f"Func {name}"), address, size, name, self.pool)

    def host(self, addresses: Sequence[int], written: str) -> None:
        """The host is going to touch these buffers."""
        for address in addresses:
            twin = self.twins.get(address)
            # Nobody has launched a kernel that uses it so far.
            if twin is None:
                twin = self.residents.get(address)
            if twin is not None:
                twin.to_host()
        for number in written.split():
            self._twin(addresses[int(number)]).host_is_newer = True

    def launch(self, built: BuiltKernel, values: list[int]) -> None:
        """Run a kernel: `values` are the grid, the group, scalars and addresses of buffers."""
        import pyopencl as cl

        kernel = built.kernel
        grid, group = values[:_AXES], tuple(values[_AXES : 2 * _AXES])
        if min(grid) <= 0:
            return
        if 0 in kernel.group:
            check_limits(kernel, group, self.device)
        first = len(kernel.parameters) - kernel.buffers
        arguments: list[Any] = values[2 * _AXES : 2 * _AXES + first]
        twins = []
        for address in values[2 * _AXES + first :]:
            twin = self.twins.get(address) or self._argument(address)
            twins.append(twin)
            arguments.append(twin.buffer)
            if twin.host_is_newer:
                twin.to_device()
        for number in kernel.written:
            twins[number].device_is_newer = True
        size = (grid[0] * group[0], grid[1] * group[1], grid[2] * group[2])
        with built.lock:
            _set_arguments(built, arguments)
            try:
                cl.enqueue_nd_range_kernel(self.device.queue, built.handle, size, group)
            except cl.Error as error:
                raise failure(self.device, f"run the kernel of Func {kernel.func}", error) from error
        self.launched = True

    def finish(self) -> None:
        """Bring the outputs back."""
        import pyopencl as cl

        try:
            for twin in self.twins.values():
                if twin.is_output and (twin.watched or twin.low not in self.residents):
                    twin.to_host()
            if self.launched:
                self.device.queue.finish()
        except cl.Error as error:
            raise failure(self.device, "run the kernels", error) from error

    def release(self) -> None:
        """Give back the device's memory; what is still being computed uses it until it is done."""
        for address, twin in self.twins.items():
            if address not in self.residents:
                twin.free()
        self.twins.clear()

    def _twin(self, address: int) -> Twin:
        found = self.twins.get(address)
        return self._argument(address) if found is None else found

    def _argument(self, address: int) -> Twin:
        """The twin of an argument, when a kernel first uses it."""
        spans = [span for span in self.spans if span.address == address]
        low, high = min(span.low for span in spans), max(span.high for span in spans)
        name = spans[0].name
        resident = self.residents.get(address)
        is_output = any(span.is_output for span in spans)
        # What lies between the elements of an output is not the pipeline's, but is copied back with it.
        needed = not is_output or not all(span.is_dense for span in spans)
        if resident is not None:
            resident.host_is_newer = needed and (resident.host_is_newer or resident.watched)
            resident.is_output = is_output
            self.twins[address] = resident
            return resident
        if low < address:
            raise NotSupportedError(
                f"Error: Buffer {name} has a negative stride, which kernels cannot follow: pass"
                " numpy.ascontiguousarray(array)."
            )
        self._check_size(high - low, name)
        twin = Twin(self.pool.take(high - low, f"buffer {name}"), low, high - low, name, self.pool)
        twin.is_output, twin.host_is_newer = is_output, needed
        self.twins[address] = twin
        return twin

    def _check_size(self, size: int, name: str) -> None:
        if size > MOST_ELEMENTS:
            raise NotSupportedError(
                f"Error: {name} has {size} bytes; on a GPU a buffer may have {MOST_ELEMENTS}. Compute smaller pieces."
            )


def _set_arguments(built: BuiltKernel, arguments: Sequence[Any]) -> None:
    known = built.arguments
    for number, value in enumerate(arguments):
        if value is known[number] or (type(value) is int and value == known[number]):
            continue
        kind = built.kernel.parameters[number][1]
        built.handle.set_arg(number, scalar(kind, value) if type(value) is int else value)
        known[number] = value


def scalar(kind: Type, bits: int) -> Any:
    """A scalar as a kernel takes it, from the 64 bits of a Report: floats are doubles there."""
    if kind.floating:
        number = np.int64(bits).view(np.float64)
        return number if kind.nbits == 64 else np.float32(number)
    dtype = np.dtype(np.uint8) if kind.boolean else np.dtype(kind.numpy())
    return np.array(bits, np.int64).astype(dtype)[()]
