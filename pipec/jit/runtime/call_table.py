"""The call table: what machine code gets from its caller.

A program that calls out has, in the slot after those of its arguments, the address of a table of this call: one
address for each entry below. All functions that it calls get the address of the table, which identifies the call.
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class CallEntry(enum.IntEnum):
    """The entries of the table.

    REPORT: `i32 report(ptr table, i32 code, i32 lanes, ptr values)`, which gives an answer, or a negative number to
    end the pipeline. `values` has for each value of the Report `lanes` numbers of 64 bits (integers extended, floats
    as doubles); when there are several lanes, as many more follow that tell which of them are active.
    USER_CONTEXT: a pointer for the caller's own use.
    COUNTERS: the row of numbers that programs compiled for profiling add to (Head and Counter say what they are).
    DEVICE: of programs with kernels the row of this run (`pipec.jit.runtime.device_tables.RunWord`).
    """

    REPORT, USER_CONTEXT, COUNTERS, DEVICE = range(4)


# The function of a program.
ENTRY = "pipec_entry"
# What machine code returns when a function of the table ended it.
ENDED_BY_CALLER = 3

# The counters are a head and then an entry for each Func, all of so many 64-bit numbers.
HEAD = ENTRY_SIZE = 8
# Entries before those of Funcs: loops of no Func, and waiting for other threads at the end of a parallel loop.
OVERHEAD, WAITING, FIRST_FUNC = 0, 1, 2
OVERHEAD_NAME, WAITING_NAME = "overhead", "waiting for parallel tasks to finish"

# The states of threads that are sampled, of so many 64-bit numbers each.
MAX_SAMPLED_THREADS, THREAD_SIZE = 64, 8


class CallTableHead(enum.IntEnum):
    """The counters of the whole run; SAMPLES: the address of what is sampled of it."""

    CALLER, WALL, LIVE, PEAK, ALLOCATIONS, SAMPLES = range(6)


class SamplesHead(enum.IntEnum):
    """What is sampled of a run: rows of `WIDTH` numbers at the address ROWS; the states of threads follow."""

    ROWS, CAPACITY, WIDTH, COUNT, THREADS = range(5)


class ThreadWord(enum.IntEnum):
    """The words of a thread's state: which thread, and the number of the entry that it computes plus one."""

    THREAD, ENTRY = range(2)


class EntryCounter(enum.IntEnum):
    """The counters of one entry; times in nanoseconds."""

    WALL, THREADS, ENTERED, LIVE, PEAK, TOTAL, ALLOCATIONS = range(7)


class ProfileMode(enum.Enum):
    """How a program is observed.

    COUNTED: it reads a clock wherever the Func changes, and counts memory; SAMPLED: it reads no clock, and notes where
    the Func changes; MARKED: comments in its assembly say where; CLOCKED: it reads a clock where the loops of Funcs
    that are computed at root begin and end.
    """

    COUNTED, SAMPLED, MARKED, CLOCKED = range(4)


class Profiled(NamedTuple):
    """What a program is compiled for: the Funcs whose time and memory it counts, and how."""

    funcs: tuple[str, ...]
    mode: ProfileMode

    @property
    def counts_memory(self) -> bool:
        """Whether it counts memory, too."""
        return self.mode in (ProfileMode.COUNTED, ProfileMode.SAMPLED)
