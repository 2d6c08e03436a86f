"""The table that a quick call reads, and the lines of LLVM text that read it and Python's objects."""

from __future__ import annotations

import enum


class Head(enum.IntEnum):
    """The head of the table. EXACT may be 0: the address of the variant to run when a check of BORDERS failed.

    SLOTS: how many numbers the machine code reads and writes; CODE: which of them tells what check failed. BORDERS: the
    address of a byte for each of CHECKS checks. CALLS counts what was done. INT and so on: the addresses of the types.
    BUFFER_...: byte offsets of the slots of a Buffer object. RUNNER: what runs variants with kernels, or 0: those of a
    PROGRAM and an EXACT_PROGRAM; TURNED_BACK counts the calls that it could not finish.
    """

    ENTRY = 0
    EXACT = 1
    GIVEN = 2
    ROWS = 3
    SLOTS = 4
    CODE = 5
    BORDERS = 6
    CHECKS = 7
    CALLS = 8
    INT = 9
    BOOL = 10
    FLOAT = 11
    TUPLE = 12
    BYTES = 13
    ARRAY = 14
    BUFFER = 15
    BUFFER_ARRAY = 16
    BUFFER_TYPE = 17
    BUFFER_SLOTS = 18
    RUNNER = 19
    PROGRAM = 20
    EXACT_PROGRAM = 21
    TURNED_BACK = 22


class Row(enum.IntEnum):
    """A row of the table. The argument is number PLACE of those given, or OBJECT when that is not 0.

    Integers must be from LOW to HIGH. Buffers: the numpy DTYPE and our TYPE as addresses of objects, the number of
    DIMENSIONS, SHIFT as the binary logarithm of the bytes of an element, FLAGS of numpy that must be set, whether it is
    an OUTPUT, the slot of the buffer that must have the SAME bounds (its own, mostly), and whether it must be RESIDENT,
    a Buffer with memory on a device.
    """

    KIND = 0
    PLACE = 1
    OBJECT = 2
    SLOT = 3
    LOW = 4
    HIGH = 5
    DTYPE = 6
    TYPE = 7
    DIMENSIONS = 8
    SHIFT = 9
    FLAGS = 10
    OUTPUT = 11
    SAME = 12
    RESIDENT = 13


class Kind(enum.IntEnum):
    """What an argument is."""

    BUFFER = 0
    INTEGER = 1
    FLOAT32 = 2
    FLOAT64 = 3


# Byte offsets in objects of a build with a GIL and 64 bits; those of arrays are numpy's ABI, 1.x and 2.x.
TYPE_OF_OBJECT = 8
ARRAY_DATA, ARRAY_DIMENSIONS, ARRAY_SHAPE, ARRAY_STRIDES, ARRAY_DTYPE, ARRAY_FLAGS = 16, 24, 32, 40, 56, 64
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
# The tuple that describes a Buffer: its address, its shape, both and its end packed; with memory on a device also the
# packed address of the words of its twin, the twin, and its memory of the host.
ON_HOST_ITEMS, ON_DEVICE_ITEMS = 3, 6


def head(value: str, entry: Head, kind: str = "i64") -> str:
    """Lines that read an entry of the head."""
    return f"%at.{value} = getelementptr i64, ptr %head, i64 {entry}\n  %{value} = load {kind}, ptr %at.{value}"


def row(value: str, entry: Row, kind: str = "i64") -> str:
    return f"%at.{value} = getelementptr i64, ptr %row, i64 {entry}\n  %{value} = load {kind}, ptr %at.{value}"


def field(value: str, base: str, offset: int | str, kind: str) -> str:
    return f"%at.{value} = getelementptr i8, ptr {base}, i64 {offset}\n  %{value} = load {kind}, ptr %at.{value}"
