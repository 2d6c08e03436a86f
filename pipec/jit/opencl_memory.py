"""Memory of a device: a pool of buffers, and the twins of buffers of the host with what is known to be newer."""

from __future__ import annotations

import ctypes
import heapq
import threading
from typing import Any

import numpy as np

from pipec.errors import OutOfMemoryError
from pipec.jit.opencl_device import Device, failure

# Buffers are of so many bytes or a multiple, so that sizes that differ little share them.
GRAIN = 1 << 12
# Free buffers are kept up to this many bytes.
MOST_KEPT = 1 << 30


class Pool:
    """Buffers of a device that nobody uses now, by size.

    The one at the lowest address is given out first: each run of a pipeline finds the same buffers, and arguments of
    kernels stay set.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.free: dict[int, list[tuple[int, Any]]] = {}
        self.kept = 0
        self.lock = threading.Lock()

    def take(self, size: int, what: str) -> Any:
        """A buffer of at least `size` bytes; `what` names it in errors."""
        amount = rounded(size)
        with self.lock:
            found = self.free.get(amount)
            if found:
                self.kept -= amount
                return heapq.heappop(found)[1]
        return self._new(amount, what)

    def _new(self, amount: int, what: str) -> Any:
        import pyopencl as cl

        device = self.device
        if amount <= device.largest_buffer:
            for attempt in range(2):
                try:
                    return cl.Buffer(device.context, cl.mem_flags.READ_WRITE, amount)
                except cl.Error:
                    if attempt == 0:
                        self.clear()
        raise OutOfMemoryError(
            f"Error: Out of memory on the device: {what} needs {amount} bytes; {device.name} has"
            f" {device.handle.global_mem_size} and allows {device.largest_buffer} a buffer. Compute smaller pieces, or"
            " compute_at a loop of the consumer instead of compute_root."
        )

    def give(self, buffer: Any) -> None:
        """Take a buffer back."""
        with self.lock:
            if self.kept + buffer.size <= MOST_KEPT:
                self.kept += buffer.size
                heapq.heappush(self.free.setdefault(buffer.size, []), (buffer.int_ptr, buffer))

    def clear(self) -> None:
        """Let go of all free buffers."""
        with self.lock:
            self.free.clear()
            self.kept = 0


def rounded(size: int) -> int:
    """The size of the buffer that holds so many bytes."""
    grain = GRAIN
    while grain * 8 < size:
        grain *= 2
    return -(-max(size, 1) // grain) * grain


_pools: dict[int, Pool] = {}


def pool_of(device: Device) -> Pool:
    """The pool of a device."""
    return _pools.setdefault(id(device), Pool(device))


class Twin:
    """A buffer of the device for memory of the host, `low` to `low + size`, and which of the two is newer."""

    __slots__ = ("buffer", "low", "size", "host_is_newer", "device_is_newer", "is_output", "watched", "name", "pool")

    def __init__(self, buffer: Any, low: int, size: int, name: str, pool: Pool) -> None:
        self.buffer, self.low, self.size, self.name, self.pool = buffer, low, size, name, pool
        self.host_is_newer = self.device_is_newer = self.is_output = False
        # Of memory that outlives a run: whether others may read and change that of the host at any time.
        self.watched = False

    def host(self) -> np.ndarray[Any, Any]:
        """The memory of the host."""
        return np.frombuffer(memoryview((ctypes.c_uint8 * self.size).from_address(self.low)), np.uint8)

    def to_device(self) -> None:
        """The device's copy becomes that of the host."""
        if self.size:
            self._copy(self.buffer, self.host())
        self.host_is_newer = False

    def to_host(self) -> None:
        """The host's copy becomes that of the device, where that is newer."""
        if self.size and self.device_is_newer:
            self._copy(self.host(), self.buffer)
        self.device_is_newer = False

    def _copy(self, target: Any, source: Any) -> None:
        import pyopencl as cl

        try:
            cl.enqueue_copy(self.pool.device.queue, target, source, is_blocking=True)
        except cl.Error as error:
            raise failure(self.pool.device, f"copy {self.name}", error) from error

    def sync(self) -> None:
        """Wait for the device."""
        self.pool.device.queue.finish()

    def free(self) -> None:
        """Give the device's memory back; what is still being computed uses it until it is done."""
        self.pool.give(self.buffer)
