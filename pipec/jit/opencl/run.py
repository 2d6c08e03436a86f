"""One run of a program on a device: what its Reports ask for and machine code cannot do is done here."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipec.errors import NotSupportedError
from pipec.ir.program import Notice
from pipec.jit.opencl.device import failure
from pipec.jit.opencl.indices import MOST_ELEMENTS
from pipec.jit.opencl.memory import Twin, pool_of
from pipec.jit.opencl.native import native, words
from pipec.jit.opencl.program import KINDS, DeviceProgram, check_limits
from pipec.jit.opencl.tables import ENTRY_WORDS, LAUNCH_SIZES, EntryWord, RunWord, TwinWord
from pipec.jit.opencl.timing import Timing
from pipec.records import dataclass

_FIRST_GROUP = 3
_RUN_WORDS = len(RunWord)


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
    """`tell` is called for Reports of these KINDS, `finish` when the host's program has ended.

    `timing` has the times of a timed run, once it has finished.
    """

    KINDS = KINDS.keys()

    def __init__(
        self,
        program: DeviceProgram,
        spans: Callable[[], Sequence[Span]],
        residents: Mapping[int, Twin],
        timed: bool = False,
    ) -> None:
        """`spans`: the buffers that are arguments; `residents`: twins that outlive the run, by address.

        Those of outputs are marked so.
        """
        self.program, self.device = program, program.device
        self.pool = pool_of(self.device)
        self.spans, self.residents = spans, residents
        # Twins of arguments. Those of intermediate results are in the entries.
        self.twins: dict[int, Twin] = {}
        self.entries = words(ENTRY_WORDS * program.buffers)
        self.words = words(_RUN_WORDS)
        self.words[RunWord.PROGRAM], self.words[RunWord.QUEUE] = program.address, self.device.queue_handle
        self.words[RunWord.ENTRIES], self.words[RunWord.ROOM] = ctypes.addressof(self.entries), program.buffers
        self.address = ctypes.addressof(self.words)
        for address, twin in residents.items():
            # Launches then need nothing of Python. Of others it is decided when a kernel uses them: the run may fail.
            if not (twin.host_is_newer or twin.watched):
                self._add(address, twin)
        self.timing = Timing(self.device) if timed else None
        if self.timing is not None:
            self.timing.attach(self.words)

    def reported_to(self, python: int) -> int:
        """The function that the host's program is to report to; `python`: the address of that of Python."""
        self.words[RunWord.PYTHON] = python
        return native().report

    def tell(self, notice: Notice, address: int) -> None:
        """What a Report says, whose values are at `address`."""
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
        self._check_size(size, f"Func {_known_as(name)}")
        entry = self._new_entry()
        memory = self.pool.take(size, f"Func {_known_as(name)}").int_ptr
        own = [0] * len(TwinWord)
        own[TwinWord.MEMORY], own[TwinWord.SIZE] = memory, size
        self.entries[entry : entry + ENTRY_WORDS] = [address, 0, *own]

    def free(self, address: int) -> None:
        """It is needed no longer."""
        entry = self._entry(address)
        assert entry is not None
        self._of_entry(entry, "").free()
        self.entries[entry] = 0

    def host(self, addresses: Sequence[int], written: str) -> None:
        """The host is going to touch these buffers."""
        for address in addresses:
            # Of an argument, nobody may have launched a kernel that uses it so far.
            twin = self._known(address) or self.residents.get(address)
            if twin is not None:
                twin.to_host(self.timing)
        for number in written.split():
            self._twin(addresses[int(number)]).host_is_newer = True

    def prepare(self, number: int, values: list[int]) -> None:
        """What a launch of a kernel needs: `values` are the grid, the group, scalars and addresses of buffers."""
        kernel = self.program.kernels[number]
        failed = self.words[RunWord.FAILED]
        if failed:
            raise failure(self.device, f"run the kernel of Func {kernel.func}", failed, _status_text(failed))
        if 0 in kernel.group:
            group = tuple(values[_FIRST_GROUP:LAUNCH_SIZES])
            check_limits(kernel, group, self.device, self.program.most_threads[number])
        for address in values[LAUNCH_SIZES + len(kernel.parameters) - kernel.buffers :]:
            twin = self._twin(address)
            if twin.host_is_newer:
                twin.to_device(self.timing)
        if self.timing is not None:
            self.timing.drain(self.words)

    def finish(self) -> None:
        """Bring the outputs back. What stays on the device may still be being computed."""
        for twin in self.twins.values():
            if twin.is_output and (twin.watched or twin.low not in self.residents):
                twin.to_host(self.timing)
        if self.timing is not None:
            self.timing.drain(self.words)

    def release(self) -> None:
        """Give back the device's memory; what is still being computed uses it until it is done."""
        for address, twin in self.twins.items():
            if address not in self.residents:
                twin.free()
        self.twins.clear()
        for entry in range(0, ENTRY_WORDS * self.words[RunWord.COUNT], ENTRY_WORDS):
            if self.entries[entry] and not self.entries[entry + EntryWord.TWIN]:
                self._of_entry(entry, "").free()
        self.words[RunWord.COUNT] = 0

    # Entries

    def _entry(self, address: int) -> int | None:
        for entry in range(0, ENTRY_WORDS * self.words[RunWord.COUNT], ENTRY_WORDS):
            if self.entries[entry] == address:
                return entry
        return None

    def _new_entry(self) -> int:
        found = self._entry(0)
        if found is None:
            found = ENTRY_WORDS * self.words[RunWord.COUNT]
            if found == len(self.entries):
                self._have_more_room()
            self.words[RunWord.COUNT] += 1
        return found

    def _have_more_room(self) -> None:
        entries = words(2 * len(self.entries) + ENTRY_WORDS)
        entries[: len(self.entries)] = self.entries[:]
        self.entries = entries
        self.words[RunWord.ENTRIES], self.words[RunWord.ROOM] = ctypes.addressof(entries), len(entries) // ENTRY_WORDS

    def _of_entry(self, entry: int, name: str) -> Twin:
        """The twin of an intermediate result."""
        place = ctypes.addressof(self.entries) + ctypes.sizeof(ctypes.c_int64) * (entry + EntryWord.OWN)
        own = (ctypes.c_int64 * len(TwinWord)).from_address(place)
        return Twin(own, self.entries[entry], name, self.pool)

    def _known(self, address: int) -> Twin | None:
        found = self.twins.get(address)
        if found is None:
            entry = self._entry(address)
            found = None if entry is None else self._of_entry(entry, "an intermediate result")
        return found

    def _twin(self, address: int) -> Twin:
        found = self._known(address)
        return self._argument(address) if found is None else found

    def _argument(self, address: int) -> Twin:
        """The twin of an argument, when a kernel first uses it."""
        twin = self._twin_of_argument(address)
        self._add(address, twin)
        return twin

    def _add(self, address: int, twin: Twin) -> None:
        self.twins[address] = twin
        entry = self._new_entry()
        self.entries[entry + EntryWord.TWIN] = ctypes.addressof(twin.words)
        self.entries[entry] = address

    def _twin_of_argument(self, address: int) -> Twin:
        spans = [span for span in self.spans() if span.address == address]
        low, high = min(span.low for span in spans), max(span.high for span in spans)
        name = _known_as(spans[0].name)
        resident = self.residents.get(address)
        is_output = any(span.is_output for span in spans)
        # What lies between the elements of an output is not the pipeline's, but is copied back with it.
        needed = not is_output or not all(span.is_dense for span in spans)
        if resident is not None:
            resident.host_is_newer = needed and (resident.host_is_newer or resident.watched)
            return resident
        if low < address:
            raise NotSupportedError(
                f"Error: Buffer {name} has a negative stride, which kernels cannot follow: pass"
                " numpy.ascontiguousarray(array)."
            )
        self._check_size(high - low, f"Buffer {name}")
        twin = Twin.new(low, high - low, f"buffer {name}", name, self.pool)
        twin.is_output, twin.host_is_newer = is_output, needed
        return twin

    def _check_size(self, size: int, name: str) -> None:
        if size > MOST_ELEMENTS:
            raise NotSupportedError(
                f"Error: {name} has {size} bytes; on a GPU a buffer may have {MOST_ELEMENTS}. Compute smaller pieces."
            )


def _known_as(name: str) -> str:
    """The name that a user knows a buffer of the program by."""
    return name.partition("$")[0]


def _status_text(code: int) -> str:
    import pyopencl as cl

    names: Any = cl.status_code
    return str(names.to_string(code, "error %d"))
