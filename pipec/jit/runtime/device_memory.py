"""Memory of a device: a pool of free memory, and copies of buffers of the host with what is known to be newer."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any, Self

import numpy as np

from pipec.errors import OutOfMemoryError
from pipec.jit.device import Device, DeviceFailure
from pipec.jit.llvm.machine import host
from pipec.jit.runtime.device_tables import GRAIN, LOCK_WORDS, AllocationWord, PoolWord
from pipec.jit.runtime.library import runtime
from pipec.jit.runtime.units import load_units, new_lock_word

# Free memory is cached up to this many bytes, in so many pieces.
MAX_FREE_BYTES = 1 << 30
MAX_FREE_PIECES = 1 << 12
# Directions of copies.
UP, DOWN = "up", "down"
_EXPORTS = ("pipec_device", "pipec_device_run", "pipec_pool_take", "pipec_pool_give")


class Native:
    """The functions of runtime/device.c: `report` and `run` are addresses, the others can be called."""

    def __init__(self) -> None:
        self._library = load_units(("device",), _EXPORTS, {"pipec_run": runtime().call_addresses["pipec_run"]})
        self.report, self.run, take, give = [int(self._library[name]) for name in _EXPORTS]
        self.take = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_size_t, ctypes.c_int64)(take)
        self.give = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t, ctypes.c_int64, ctypes.c_int64)(give)


_lock = threading.Lock()
_native: Native | None = None


def native() -> Native:
    """The functions, loaded at their first use and held for the process's life."""
    global _native
    if _native is None:
        with _lock:
            # A thread may be in code that was loaded before: it is loaded only once.
            if _native is None:
                _native = Native()
    return _native


def _new_lock_after_fork() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_new_lock_after_fork)


def words(count: int) -> Any:
    """A row of so many 64-bit numbers, all 0."""
    return (ctypes.c_int64 * count)()


def mutex() -> Any:
    """An unlocked mutex."""
    row = words(LOCK_WORDS)
    row[0] = new_lock_word(host())
    return row


class Pool:
    """Memory of a device, and which of it is free.

    The free memory at the lowest address is used first: each run of a pipeline gets the same memory, and arguments of
    kernels stay set.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self._rows, self._lock, self._words = words(4 * MAX_FREE_PIECES), mutex(), words(len(PoolWord))
        self._words[PoolWord.LOCK], self._words[PoolWord.ROWS] = map(ctypes.addressof, (self._lock, self._rows))
        self._words[PoolWord.ROOM], self._words[PoolWord.MAX_BYTES] = MAX_FREE_PIECES, MAX_FREE_BYTES
        self.address = ctypes.addressof(self._words)

    @property
    def free_bytes(self) -> int:
        """The bytes of free memory."""
        return int(self._words[PoolWord.BYTES])

    def take(self, size: int, what: str) -> int:
        """Returns the handle of at least `size` bytes; `what` names the buffer in errors."""
        amount, device = rounded(size), self.device
        memory = native().take(self.address, amount)
        if not memory and amount <= device.limits.max_buffer_bytes:
            memory = device.allocate(amount)
            if not memory:
                self.clear()
                memory = device.allocate(amount)
        if memory:
            return int(memory)
        raise OutOfMemoryError(
            f"Error: Out of memory on the device: {what} needs {amount} bytes; {device.name} has"
            f" {device.limits.memory_bytes} and allows {device.limits.max_buffer_bytes} a buffer. Compute smaller"
            " pieces, or compute_at a loop of the consumer instead of compute_root."
        )

    def give(self, memory: int, size: int) -> None:
        """Takes back memory for `size` bytes."""
        if not native().give(self.address, rounded(size), memory):
            self._release(memory)

    def clear(self) -> None:
        """Releases all free memory."""
        for amount in {self._rows[2 * at] for at in range(self._words[PoolWord.COUNT])}:
            while memory := native().take(self.address, amount):
                self._release(memory)

    def _release(self, memory: int) -> None:
        self._words[PoolWord.GENERATION] += 1
        self.device.release(memory)


def rounded(size: int) -> int:
    """The size of the memory that holds so many bytes."""
    grain = GRAIN
    while grain * 8 < size:
        grain *= 2
    return -(-max(size, 1) // grain) * grain


_pools: dict[int, Pool] = {}


def pool_of(device: Device) -> Pool:
    """The pool of a device."""
    return _pools.get(id(device)) or _pools.setdefault(id(device), Pool(device))


class _Flag:
    """A number of an allocation's row as a bool."""

    def __init__(self, word: AllocationWord) -> None:
        self.word = word

    def __get__(self, allocation: MirroredMemory, owner: type | None = None) -> bool:
        return bool(allocation.words[self.word])

    def __set__(self, allocation: MirroredMemory, value: bool) -> None:
        allocation.words[self.word] = value


class MirroredMemory:
    """Memory of a device for memory of the host from `low` on, and which of the two is newer.

    `words`: the row of AllocationWord that machine code reads.
    """

    __slots__ = ("words", "low", "is_output", "name", "pool")
    # Whether the memory of the host, or of the device, has changed since the last copy.
    host_is_newer = _Flag(AllocationWord.HOST_IS_NEWER)
    device_is_newer = _Flag(AllocationWord.DEVICE_IS_NEWER)
    # Of memory that outlives a run: whether others may read and change that of the host at any time.
    watched = _Flag(AllocationWord.WATCHED)

    def __init__(self, words: Any, low: int, name: str, pool: Pool) -> None:
        self.words, self.low, self.name, self.pool = words, low, name, pool
        self.is_output = False

    @classmethod
    def new(cls, low: int, size: int, what: str, name: str, pool: Pool) -> Self:
        """With memory of its own; `what` names it in the error if there is no room."""
        row = words(len(AllocationWord))
        row[AllocationWord.MEMORY], row[AllocationWord.SIZE] = pool.take(size, what), size
        row[AllocationWord.POOL] = pool.address
        return cls(row, low, name, pool)

    @property
    def memory(self) -> int:
        """The handle of the device's memory."""
        return int(self.words[AllocationWord.MEMORY])

    @property
    def size(self) -> int:
        """In bytes."""
        return int(self.words[AllocationWord.SIZE])

    @property
    def address(self) -> int:
        """The address of `words`."""
        return ctypes.addressof(self.words)

    def host(self) -> np.ndarray[Any, Any]:
        """The memory of the host as bytes."""
        return np.frombuffer(memoryview((ctypes.c_uint8 * self.size).from_address(self.low)), np.uint8)

    def to_device(self, times: Times | None = None) -> None:
        """Copies the host's memory to the device."""
        if self.size:
            self._copy(UP, times)
        self.host_is_newer = False

    def to_host(self, times: Times | None = None) -> None:
        """Copies the device's memory to the host if it is newer."""
        if self.size and self.device_is_newer:
            self._copy(DOWN, times)
        self.device_is_newer = False

    def _copy(self, direction: str, times: Times | None) -> None:
        device = self.pool.device
        try:
            copy = device.write if direction == UP else device.read
            seconds = copy(self.memory, self.host(), times is not None)
        except DeviceFailure as error:
            raise device.failure(f"copy {self.name}, or to run the kernels before", error) from error
        if times is not None:
            times.add(direction, self.size, seconds)

    def sync(self) -> None:
        """Waits for the device."""
        self.pool.device.synchronize()

    def free(self) -> None:
        """Gives the device's memory back; commands that were enqueued before may still use it."""
        self.pool.give(self.memory, self.size)


class Times(dict[Any, tuple[int, int, float]]):
    """Counts, bytes and seconds of each kernel, by its number, and of each direction of copies."""

    def add(self, key: Any, size: int, seconds: float) -> None:
        """Adds one launch or copy."""
        count, bytes_, total = self.get(key, (0, 0, 0.0))
        self[key] = count + 1, bytes_ + size, total + seconds
