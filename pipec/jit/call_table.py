"""The call table: what machine code finds out about the one who called it.

A program that calls out has, in the slot after those of its arguments, the address of a table of this call: one
address for each entry below. Everything it calls out to is given the table's address, by which Python knows the call.
"""

from __future__ import annotations

import enum


class Entry(enum.IntEnum):
    """What each place of the table holds.

    REPORT: `i32 report(ptr table, i32 code, i32 lanes, ptr values)`, which gives an answer, or a negative number to
    end the pipeline. `values` has for each value of the Report `lanes` numbers of 64 bits (integers extended, floats
    as doubles); when there are several lanes, as many more follow that tell which of them are active.
    USER_CONTEXT: the pointer that the caller wants to see again.
    """

    REPORT = 0
    USER_CONTEXT = 1


# What machine code returns when a function of the table ended it.
ENDED_BY_CALLER = 3
