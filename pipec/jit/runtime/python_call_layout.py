"""The table that a fast call reads (runtime/tables.h), and where Python's and numpy's objects have their fields."""

from __future__ import annotations

import enum


class LayoutHead(enum.IntEnum):
    """The head of the table. EXACT may be 0: the address of the variant to run when a check of BORDERS failed.

    SLOTS: how many numbers the machine code reads and writes; CODE: which of them tells what check failed. BORDERS: the
    address of a byte for each of CHECKS checks. CALLS counts what was done. INT_TYPE and so on: the addresses of the
    types. ..._OFFSET: where in a Buffer object its array, its type and its slots are, in bytes. RUNNER: what runs
    variants with kernels, or 0: those of a PROGRAM and an EXACT_PROGRAM; UNFINISHED counts the calls that it could not
    finish. TABLE: the call table of programs that are clocked, or 0.
    """

    (
        ENTRY,
        EXACT,
        COUNT,
        ROWS,
        SLOTS,
        CODE,
        BORDERS,
        CHECKS,
        CALLS,
        INT_TYPE,
        BOOL_TYPE,
        FLOAT_TYPE,
        TUPLE_TYPE,
        BYTES_TYPE,
        ARRAY_TYPE,
        BUFFER_TYPE,
        ARRAY_OFFSET,
        TYPE_OFFSET,
        SLOTS_OFFSET,
        RUNNER,
        PROGRAM,
        EXACT_PROGRAM,
        UNFINISHED,
        TABLE,
    ) = range(24)


class Row(enum.IntEnum):
    """A row of the table. The argument is number PLACE of those given, or OBJECT when that is not 0.

    Integers must be from LOW to HIGH. Buffers: LOW is 0, or the extent of dimension 0 must be more; the numpy DTYPE and
    our TYPE as addresses of objects, the number of DIMENSIONS, SHIFT as the binary logarithm of an element's bytes,
    FLAGS of numpy that must be set, whether it is an OUTPUT, the slot of the buffer that must have the SAME bounds (its
    own, mostly), and whether it must be RESIDENT, a Buffer with memory on a device.
    """

    KIND, PLACE, OBJECT, SLOT, LOW, HIGH, DTYPE, TYPE, DIMENSIONS, SHIFT, FLAGS, OUTPUT, SAME, RESIDENT = range(14)


class LayoutKind(enum.IntEnum):
    """The kinds of arguments."""

    BUFFER, INTEGER, FLOAT32, FLOAT64 = range(4)


# Byte offsets in objects of a build with a GIL and 64 bits; those of arrays are numpy's ABI, 1.x and 2.x.
TYPE_OF_OBJECT = 8
ARRAY_DATA, ARRAY_DIMENSIONS, ARRAY_SHAPE, ARRAY_STRIDES, ARRAY_DTYPE, ARRAY_FLAGS = 16, 24, 32, 40, 56, 64
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
