"""Memory of a device: a pool of buffers, and the twins of buffers of the host with what is known to be newer."""

from __future__ import annotations

import ctypes
from typing import Any, Self

import numpy as np

from pipec.errors import OutOfMemoryError
from pipec.jit.opencl.device import Device, failure
from pipec.jit.opencl.native import mutex, native, words
from pipec.jit.opencl.tables import GRAIN, PoolWord, TwinWord
from pipec.jit.opencl.timing import DOWN, UP, Timing

# Free buffers are kept up to this many bytes, and so many of them.
MOST_KEPT = 1 << 30
MOST_BUFFERS = 1 << 12


class Pool:
    """Buffers of a device, and which of them nobody uses now.

    The one at the lowest address is given out first: each run of a pipeline finds the same buffers, and arguments of
    kernels stay set.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        # All buffers by their handles.
        self.buffers: dict[int, Any] = {}
        self._rows, self._lock, self._words = words(4 * MOST_BUFFERS), mutex(), words(len(PoolWord))
        self._words[PoolWord.LOCK], self._words[PoolWord.ROWS] = map(ctypes.addressof, (self._lock, self._rows))
        self._words[PoolWord.ROOM], self._words[PoolWord.MAX_BYTES] = MOST_BUFFERS, MOST_KEPT
        self.address = ctypes.addressof(self._words)

    @property
    def kept(self) -> int:
        """The bytes of buffers that nobody uses now."""
        return int(self._words[PoolWord.BYTES])

    def take(self, size: int, what: str) -> Any:
        """A buffer of at least `size` bytes; `what` names it in errors."""
        amount = rounded(size)
        found = native().take(self.address, amount)
        return self.buffers[found] if found else self._new(amount, what)

    def _new(self, amount: int, what: str) -> Any:
        import pyopencl as cl

        device = self.device
        if amount <= device.largest_buffer:
            for attempt in range(2):
                try:
                    made = cl.Buffer(device.context, cl.mem_flags.READ_WRITE, amount)
                    self.buffers[made.int_ptr] = made
                    return made
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
        if not native().give(self.address, buffer.size, buffer.int_ptr):
            self._let_go(buffer.int_ptr)

    def clear(self) -> None:
        """Let go of all free buffers."""
        for amount in {self._rows[2 * at] for at in range(self._words[PoolWord.COUNT])}:
            while found := native().take(self.address, amount):
                self._let_go(found)

    def _let_go(self, handle: int) -> None:
        self._words[PoolWord.GENERATION] += 1
        del self.buffers[handle]


def rounded(size: int) -> int:
    """The size of the buffer that holds so many bytes."""
    grain = GRAIN
    while grain * 8 < size:
        grain *= 2
    return -(-max(size, 1) // grain) * grain


_pools: dict[int, Pool] = {}


def pool_of(device: Device) -> Pool:
    """The pool of a device."""
    found = _pools.get(id(device))
    if found is None:
        found = _pools.setdefault(id(device), Pool(device))
    return found


class Twin:
    """A buffer of the device for memory of the host from `low` on, and which of the two is newer.

    `words`: the row of TwinWord that machine code sees.
    """

    __slots__ = ("words", "low", "is_output", "name", "pool")

    def __init__(self, words: Any, low: int, name: str, pool: Pool) -> None:
        self.words, self.low, self.name, self.pool = words, low, name, pool
        self.is_output = False

    @classmethod
    def new(cls, low: int, size: int, what: str, name: str, pool: Pool) -> Self:
        """With memory of its own; `what` names it where there is none."""
        made = cls(words(len(TwinWord)), low, name, pool)
        made.words[TwinWord.MEMORY], made.words[TwinWord.SIZE] = pool.take(size, what).int_ptr, size
        made.words[TwinWord.POOL] = pool.address
        return made

    @property
    def buffer(self) -> Any:
        """The memory of the device."""
        return self.pool.buffers[self.words[TwinWord.MEMORY]]

    @property
    def size(self) -> int:
        """In bytes."""
        return int(self.words[TwinWord.SIZE])

    @property
    def host_is_newer(self) -> bool:
        """Whether the host's memory has changed since the last copy."""
        return bool(self.words[TwinWord.HOST_IS_NEWER])

    @host_is_newer.setter
    def host_is_newer(self, value: bool) -> None:
        self.words[TwinWord.HOST_IS_NEWER] = value

    @property
    def device_is_newer(self) -> bool:
        """Whether the device's memory has changed since the last copy."""
        return bool(self.words[TwinWord.DEVICE_IS_NEWER])

    @device_is_newer.setter
    def device_is_newer(self, value: bool) -> None:
        self.words[TwinWord.DEVICE_IS_NEWER] = value

    @property
    def watched(self) -> bool:
        """Of memory that outlives a run: whether others may read and change that of the host at any time."""
        return bool(self.words[TwinWord.WATCHED])

    @watched.setter
    def watched(self, value: bool) -> None:
        self.words[TwinWord.WATCHED] = value

    @property
    def address(self) -> int:
        """Of its words."""
        return ctypes.addressof(self.words)

    def host(self) -> np.ndarray[Any, Any]:
        """The memory of the host."""
        return np.frombuffer(memoryview((ctypes.c_uint8 * self.size).from_address(self.low)), np.uint8)

    def to_device(self, timing: Timing | None = None) -> None:
        """The device's copy becomes that of the host."""
        if self.size:
            self._copy(self.buffer, self.host(), UP, timing)
        self.host_is_newer = False

    def to_host(self, timing: Timing | None = None) -> None:
        """The host's copy becomes that of the device, where that is newer."""
        if self.size and self.device_is_newer:
            self._copy(self.host(), self.buffer, DOWN, timing)
        self.device_is_newer = False

    def _copy(self, target: Any, source: Any, direction: str, timing: Timing | None) -> None:
        import pyopencl as cl

        queue = self.pool.device.queue if timing is None else timing.queue
        try:
            event = cl.enqueue_copy(queue, target, source, is_blocking=True)
            if timing is not None:
                timing.add(direction, self.size, event)
        except cl.Error as error:
            what = f"copy {self.name}, or to run the kernels before"
            raise failure(self.pool.device, what, error.code, str(error)) from error

    def sync(self) -> None:
        """Wait for the device."""
        self.pool.device.queue.finish()

    def free(self) -> None:
        """Give the device's memory back; what is still being computed uses it until it is done."""
        self.pool.give(self.buffer)
