"""Tables that the runner of kernels and its machine code share: rows of 64-bit numbers, one for each name below.

Python fills them in; runtime/device.c reads them when a host program reports, and leaves to Python what it cannot do.
Handles are those of the device API (jit/device.py).
"""

from __future__ import annotations

import enum


class RunWord(enum.IntEnum):
    """One run of a host program.

    PYTHON: the report function of Python. ENTRIES: the buffers of the run, COUNT of them in use, ROOM for more.
    EVENTS: pairs of an event and the number of its kernel, where launches are timed. FAILED: what the driver said.
    """

    PROGRAM, PYTHON, QUEUE, ENTRIES, COUNT, ROOM, EVENTS, EVENT_COUNT, EVENT_ROOM, FAILED, LAUNCHES = range(11)


class ProgramWord(enum.IntEnum):
    """The kernels of a program on a device. ROWS: for each Report of the host's program its row, or 0.

    QUEUE: where fast calls launch; IS_OPEN: the address of a number that is 0 after the device failed or the process
    was forked; ROOM: the number of buffers that a run has room for.
    """

    LOCK, POOL, SET_ARGUMENT, ENQUEUE, ROWS, QUEUE, IS_OPEN, ROOM = range(8)


class ReportKind(enum.IntEnum):
    """The requests of Reports."""

    LAUNCH, HOST, ALLOCATE, FREE = range(1, 5)


class RowWord(enum.IntEnum):
    """A Report. WRITTEN: for each of its BUFFERS whether it is written.

    Of launches: the kernel and its number, how many scalars it takes, the most threads of its groups in all and in each
    dimension, the last arguments, and the pool's generation then.
    """

    KIND, BUFFERS, WRITTEN, KERNEL, NUMBER, SCALARS, MAX_THREADS, MAX_X, MAX_Y, MAX_Z, ARGUMENTS, GENERATION = range(12)


class ArgumentWord(enum.IntEnum):
    """A parameter of a kernel: its size, whether it is a float of 32 bits, and its value if it has been set."""

    BYTES, IS_FLOAT, IS_SET, VALUE = range(4)


class AllocationWord(enum.IntEnum):
    """Memory of the device for `SIZE` bytes of memory of the host, and which of the two is newer.

    Of memory that outlives a run also its POOL, and whether others may read and change that of the host at any time.
    """

    MEMORY, HOST_IS_NEWER, DEVICE_IS_NEWER, SIZE, POOL, WATCHED = range(6)


class EntryWord(enum.IntEnum):
    """A buffer of a run: its address in memory of the host, or 0, and its allocation: OWN where ALLOCATION is 0."""

    ADDRESS = 0
    ALLOCATION = 1
    OWN = 2


ENTRY_WORDS = EntryWord.OWN + len(AllocationWord)


class PoolWord(enum.IntEnum):
    """Free memory of a device: pairs of a size and a buffer in ROWS.

    ROOM: so many rows are used, of twice as many that there are. BYTES: in all. GENERATION changes when a buffer
    is released: its handle may be reused.
    """

    LOCK, COUNT, ROOM, BYTES, MAX_BYTES, GENERATION, ROWS = range(7)


# What a launch reports before the values of the kernel's parameters: the grid and the group, three sizes each.
LAUNCH_SIZES = 6
# Memory of the device is given out in multiples of so many bytes, or of more where that adds at most an eighth.
GRAIN = 1 << 12
# A mutex of the system's has room in so many words.
LOCK_WORDS = 8
