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

    PROGRAM = 0
    PYTHON = 1
    QUEUE = 2
    ENTRIES = 3
    COUNT = 4
    ROOM = 5
    EVENTS = 6
    EVENT_COUNT = 7
    EVENT_ROOM = 8
    FAILED = 9
    LAUNCHES = 10


class ProgramWord(enum.IntEnum):
    """The kernels of a program on a device. ROWS: for each Report of the host's program its row, or 0.

    QUEUE: where fast calls launch; IS_OPEN: the address of a number that is 0 after the device failed or the process
    was forked; ROOM: the number of buffers that a run has room for.
    """

    LOCK = 0
    POOL = 1
    SET_ARGUMENT = 2
    ENQUEUE = 3
    ROWS = 4
    QUEUE = 5
    IS_OPEN = 6
    ROOM = 7


class Kind(enum.IntEnum):
    """What a Report asks for."""

    LAUNCH = 1
    HOST = 2
    ALLOCATE = 3
    FREE = 4


class RowWord(enum.IntEnum):
    """A Report. WRITTEN: for each of its BUFFERS whether it is written.

    Of launches: the kernel and its number, how many scalars it takes, the most threads of its groups in all and in each
    dimension, the last arguments, and the pool's generation then.
    """

    KIND = 0
    BUFFERS = 1
    WRITTEN = 2
    KERNEL = 3
    NUMBER = 4
    SCALARS = 5
    MAX_THREADS = 6
    MAX_X = 7
    MAX_Y = 8
    MAX_Z = 9
    ARGUMENTS = 10
    GENERATION = 11


class ArgumentWord(enum.IntEnum):
    """A parameter of a kernel: its size, whether it is a float of 32 bits, and its value if it has been set."""

    BYTES = 0
    IS_FLOAT = 1
    IS_SET = 2
    VALUE = 3


class AllocationWord(enum.IntEnum):
    """Memory of the device for `SIZE` bytes of memory of the host, and which of the two is newer.

    Of memory that outlives a run also its POOL, and whether others may read and change that of the host at any time.
    """

    MEMORY = 0
    HOST_IS_NEWER = 1
    DEVICE_IS_NEWER = 2
    SIZE = 3
    POOL = 4
    WATCHED = 5


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

    LOCK = 0
    COUNT = 1
    ROOM = 2
    BYTES = 3
    MAX_BYTES = 4
    GENERATION = 5
    ROWS = 6


# What a launch reports before the values of the kernel's parameters: the grid and the group, three sizes each.
LAUNCH_SIZES = 6
# Memory of the device is given out in multiples of so many bytes, or of more where that adds at most an eighth.
GRAIN = 1 << 12
# A mutex of the system's has room in so many words.
LOCK_WORDS = 8
