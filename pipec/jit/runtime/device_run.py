"""One run of a program on a device: the part of its Reports that machine code leaves to Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence

from pipec.errors import NotSupportedError, StrideError
from pipec.ir.program import Notice
from pipec.jit.runtime.device_memory import MirroredMemory, Times, native, pool_of, words
from pipec.jit.runtime.device_program import KINDS, DeviceProgram, check_limits
from pipec.jit.runtime.device_tables import ENTRY_WORDS, LAUNCH_SIZES, AllocationWord, EntryWord, RunWord
from pipec.records import dataclass

_FIRST_GROUP = 3
# The bytes of the largest buffer: indices in kernels have 32 bits.
MAX_BUFFER_BYTES = (1 << 31) - 1
# Launches whose events are read together.
_EVENTS = 1 << 10


@dataclass(frozen=True)
class MemorySpan:
    """Memory of a buffer argument: its element 0 is at `address`, its bytes are `low` to `high`."""

    name: str
    address: int
    low: int
    high: int
    is_output: bool
    is_dense: bool


class DeviceRun:
    """`act` is called for Reports of these KINDS, `finish` when the host's program has ended.

    `times` has the times of a timed run, once it has finished.
    """

    KINDS = KINDS.keys()

    def __init__(
        self,
        program: DeviceProgram,
        spans: Callable[[], Sequence[MemorySpan]],
        residents: Mapping[int, MirroredMemory],
        timed: bool = False,
    ) -> None:
        """`spans`: the buffers that are arguments; `residents`: allocations that outlive the run, by address.

        Those of outputs are marked so.
        """
        self.program, self.device = program, program.device
        self.pool = pool_of(self.device)
        self.spans, self.residents = spans, residents
        # Allocations of arguments. Those of intermediate results are in the entries.
        self.allocations: dict[int, MirroredMemory] = {}
        room = len(program.buffer_names)
        self.entries = words(ENTRY_WORDS * room)
        self.words = words(len(RunWord))
        self.words[RunWord.PROGRAM], self.words[RunWord.QUEUE] = program.address, self.device.queue
        self.words[RunWord.ENTRIES], self.words[RunWord.ROOM] = ctypes.addressof(self.entries), room
        self.address = ctypes.addressof(self.words)
        for address, allocation in residents.items():
            # Launches then do not need Python. Others are added when a kernel uses them: the run may fail before.
            if not (allocation.host_is_newer or allocation.watched):
                self._add(address, allocation)
        self.times = Times() if timed else None
        if timed:
            # Drivers may take longer for launches that are timed: ordinary runs have a queue without.
            self.device.synchronize()
            self._events = words(2 * _EVENTS)
            self.words[RunWord.QUEUE] = self.device.timed_queue()
            self.words[RunWord.EVENTS], self.words[RunWord.EVENT_ROOM] = ctypes.addressof(self._events), _EVENTS

    def report_address(self, python: int) -> int:
        """The report function for the host's program; it calls the one at `python` for what it leaves to Python."""
        self.words[RunWord.PYTHON] = python
        return native().report

    def act(self, notice: Notice, address: int) -> None:
        """Does what a Report asks for, whose values are at `address`."""
        values = (ctypes.c_int64 * len(notice.parts)).from_address(address)[:]
        if notice.kind == "launch":
            self.prepare(int(notice.details[0][1]), values)
        elif notice.kind == "host":
            self.host(values, notice.details[0][1])
        elif notice.kind == "allocate":
            self.allocate(values[0], values[1], notice.details[0][1])
        else:
            self.free(values[0])

    def allocate(self, address: int, size: int, name: str) -> None:
        """An intermediate result of the pipeline."""
        self._check_size(size, f"Func {user_name(name)}")
        entry = self._new_entry()
        memory = self.pool.take(size, f"Func {user_name(name)}")
        own = [0] * len(AllocationWord)
        own[AllocationWord.MEMORY], own[AllocationWord.SIZE] = memory, size
        self.entries[entry : entry + ENTRY_WORDS] = [address, 0, *own]

    def free(self, address: int) -> None:
        """An intermediate result is no longer used."""
        entry = self._entry(address)
        assert entry is not None
        self._of_entry(entry, "").free()
        self.entries[entry] = 0

    def host(self, addresses: Sequence[int], written: str) -> None:
        """Prepares buffers that the host is going to read or write; `written`: the numbers of the latter."""
        for address in addresses:
            # No kernel that uses an argument may have been launched so far.
            allocation = self._find(address) or self.residents.get(address)
            if allocation is not None:
                allocation.to_host(self.times)
        for number in written.split():
            self._allocation(addresses[int(number)]).host_is_newer = True

    def prepare(self, number: int, values: list[int]) -> None:
        """Prepares a launch of a kernel: `values` are the grid, the group, scalars and addresses of buffers."""
        kernel = self.program.kernels[number]
        failed = self.words[RunWord.FAILED]
        if failed:
            raise self.device.failure(f"run the kernel of Func {kernel.func}", self.device.launch_failure(failed))
        if 0 in kernel.group:
            group = tuple(values[_FIRST_GROUP:LAUNCH_SIZES])
            check_limits(kernel, group, self.device, self.program.max_threads[number])
        for address in values[LAUNCH_SIZES + len(kernel.parameters) - kernel.buffers :]:
            allocation = self._allocation(address)
            if allocation.host_is_newer:
                allocation.to_device(self.times)
        self._read_times()

    def finish(self) -> None:
        """Copies the outputs to the host. Kernels that compute what stays on the device may still run."""
        for allocation in self.allocations.values():
            if allocation.is_output and (allocation.watched or allocation.low not in self.residents):
                allocation.to_host(self.times)
        self._read_times()

    def release(self) -> None:
        """Gives the device's memory back; kernels that still run may use it until they end."""
        for address, allocation in self.allocations.items():
            if address not in self.residents:
                allocation.free()
        self.allocations.clear()
        for entry in range(0, ENTRY_WORDS * self.words[RunWord.COUNT], ENTRY_WORDS):
            if self.entries[entry] and not self.entries[entry + EntryWord.ALLOCATION]:
                self._of_entry(entry, "").free()
        self.words[RunWord.COUNT] = 0

    def _read_times(self) -> None:
        """Waits for the launches of a timed run so far and adds their times."""
        if self.times is None:
            return
        self.device.synchronize(timed=True)
        for at in range(self.words[RunWord.EVENT_COUNT]):
            event, kernel = self._events[2 * at : 2 * at + 2]
            self.times.add(kernel, 0, self.device.event_seconds(event))
        self.words[RunWord.EVENT_COUNT] = 0

    # Entries

    def _entry(self, address: int) -> int | None:
        for entry in range(0, ENTRY_WORDS * self.words[RunWord.COUNT], ENTRY_WORDS):
            if self.entries[entry] == address:
                return entry
        return None

    def _new_entry(self) -> int:
        entry = self._entry(0)
        if entry is None:
            entry = ENTRY_WORDS * self.words[RunWord.COUNT]
            if entry == len(self.entries):
                self._grow()
            self.words[RunWord.COUNT] += 1
        return entry

    def _grow(self) -> None:
        entries = words(2 * len(self.entries) + ENTRY_WORDS)
        entries[: len(self.entries)] = self.entries[:]
        self.entries = entries
        self.words[RunWord.ENTRIES], self.words[RunWord.ROOM] = ctypes.addressof(entries), len(entries) // ENTRY_WORDS

    def _of_entry(self, entry: int, name: str) -> MirroredMemory:
        """The allocation of an intermediate result."""
        place = ctypes.addressof(self.entries) + ctypes.sizeof(ctypes.c_int64) * (entry + EntryWord.OWN)
        own = (ctypes.c_int64 * len(AllocationWord)).from_address(place)
        return MirroredMemory(own, self.entries[entry], name, self.pool)

    def _find(self, address: int) -> MirroredMemory | None:
        allocation = self.allocations.get(address)
        if allocation is not None:
            return allocation
        entry = self._entry(address)
        return None if entry is None else self._of_entry(entry, "an intermediate result")

    def _allocation(self, address: int) -> MirroredMemory:
        allocation = self._find(address)
        if allocation is None:
            # A kernel uses this argument for the first time.
            allocation = self._allocation_of_argument(address)
            self._add(address, allocation)
        return allocation

    def _add(self, address: int, allocation: MirroredMemory) -> None:
        self.allocations[address] = allocation
        entry = self._new_entry()
        self.entries[entry + EntryWord.ALLOCATION] = ctypes.addressof(allocation.words)
        self.entries[entry] = address

    def _allocation_of_argument(self, address: int) -> MirroredMemory:
        spans = [span for span in self.spans() if span.address == address]
        low, high = min(span.low for span in spans), max(span.high for span in spans)
        name = user_name(spans[0].name)
        resident = self.residents.get(address)
        is_output = any(span.is_output for span in spans)
        # The gaps between the elements of an output are copied to the host with it.
        is_read = not is_output or not all(span.is_dense for span in spans)
        if resident is not None:
            resident.host_is_newer = is_read and (resident.host_is_newer or resident.watched)
            return resident
        if low < address:
            raise StrideError(
                f"Error: Buffer {name} has a negative stride, which kernels cannot follow: pass"
                " numpy.ascontiguousarray(array)."
            )
        self._check_size(high - low, f"Buffer {name}")
        allocation = MirroredMemory.new(low, high - low, f"buffer {name}", name, self.pool)
        allocation.is_output, allocation.host_is_newer = is_output, is_read
        return allocation

    def _check_size(self, size: int, name: str) -> None:
        if size > MAX_BUFFER_BYTES:
            raise NotSupportedError(
                f"Error: {name} has {size} bytes; on a GPU a buffer may have {MAX_BUFFER_BYTES}. Compute smaller"
                " pieces."
            )


def user_name(name: str) -> str:
    """The name that a user knows a buffer of the program by."""
    return name.partition("$")[0]
