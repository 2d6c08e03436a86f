"""Fast calls: a builtin that reads numpy arrays, Buffers and numbers itself and runs machine code on them.

It returns False, without any effect, for unusual or wrong arguments, which CompiledPipeline then handles.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache as once
from typing import Any

import numpy as np

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef
from pipec.ir.program import ProgramArgument, ProgramArgumentKind
from pipec.jit.engine import CompiledProgram
from pipec.jit.runtime import python_call_layout as layout
from pipec.jit.runtime.device_memory import native
from pipec.jit.runtime.device_program import DeviceProgram
from pipec.jit.runtime.python_call import CallTable, supported
from pipec.jit.runtime.python_call_layout import LayoutHead, LayoutKind, Row
from pipec.pipeline.observation.group_clock import GroupClock

# Slots lie on the stack while a fast call lasts.
MAX_SLOTS = 4096
# Up to this magnitude a double holds all integers.
_EXACT_IN_DOUBLE = 1 << 53
_INT64_MAX = (1 << 63) - 1


def call_table(
    compiled: CompiledProgram,
    arguments: Sequence[ProgramArgument],
    definition: PipelineDef,
    count: int,
    places: Sequence[int],
    constants: Sequence[Any],
    program: DeviceProgram | None,
    clock: GroupClock | None,
    interleaved: Mapping[str, int],
) -> CallTable | None:
    """The table of a builtin of `given` arguments; number `places[i]` of these, then `constants`, is `arguments[i]`.

    `program`: the kernels that `compiled` launches, for Buffers that are on their device. `clock`: of the groups, where
    `compiled` is clocked. `interleaved`: for buffers that other code is for where their channels are interleaved, up to
    which extent of dimension 0 that may be.

    None where this interpreter, this numpy or these arguments need the slow path.
    """
    offsets = _buffer_offsets() if supported() and _numpy_layout_matches() else None
    if offsets is None or compiled.slots > MAX_SLOTS:
        return None
    slots = _first_slots(arguments)
    rows, keep = [], [compiled, program, clock, *constants]
    resident = frozenset() if program is None else program.buffer_names
    for argument, place in zip(arguments, places, strict=True):
        row = dict.fromkeys(Row, 0)
        channels = interleaved.get(argument.name, 0)
        is_number = argument.kind is ProgramArgumentKind.SCALAR
        described = _number(argument) if is_number else _buffer(argument, channels, keep)
        if described is None:
            return None
        row.update(described)
        row[Row.RESIDENT] = int(argument.name in resident)
        own = slots[argument.name]
        row[Row.SLOT], row[Row.SAME] = own, slots.get(_first_of_func(argument, definition), own)
        if place < count:
            row[Row.PLACE] = place
        else:
            row[Row.OBJECT] = id(constants[place - count])
        rows.append(list(row.values()))
    head = dict.fromkeys(LayoutHead, 0)
    head.update(_TYPES)
    head.update(offsets)
    head[LayoutHead.ENTRY], head[LayoutHead.COUNT], head[LayoutHead.ROWS] = compiled.address, count, len(rows)
    head[LayoutHead.SLOTS], head[LayoutHead.CODE] = compiled.slots, sum(1 + 3 * a.dimensions for a in arguments) + 1
    if program is not None:
        head[LayoutHead.RUNNER], head[LayoutHead.PROGRAM] = native().run, program.address
    if clock is not None:
        head[LayoutHead.TABLE] = clock.address
    return CallTable(list(head.values()), rows, keep)


def add_exact(
    table: CallTable, exact: CompiledProgram, borders: Sequence[bool], program: DeviceProgram | None = None
) -> None:
    """Let a builtin run `exact`, with its kernels, where one of the checks failed that `borders` names."""
    if exact.slots > table.numbers[LayoutHead.SLOTS]:
        return
    flags = (ctypes.c_uint8 * max(1, len(borders)))(*borders)
    table.keep += [exact, program, flags]
    table.numbers[LayoutHead.EXACT_PROGRAM] = 0 if program is None else program.address
    table.numbers[LayoutHead.BORDERS], table.numbers[LayoutHead.CHECKS] = ctypes.addressof(flags), len(borders)
    table.numbers[LayoutHead.EXACT] = exact.address


_TYPES = {
    LayoutHead.INT_TYPE: id(int),
    LayoutHead.BOOL_TYPE: id(bool),
    LayoutHead.FLOAT_TYPE: id(float),
    LayoutHead.TUPLE_TYPE: id(tuple),
    LayoutHead.BYTES_TYPE: id(bytes),
    LayoutHead.ARRAY_TYPE: id(np.ndarray),
    LayoutHead.BUFFER_TYPE: id(Buffer),
}


def _first_slots(arguments: Sequence[ProgramArgument]) -> dict[str, int]:
    slots, slot = {}, 0
    for argument in arguments:
        slots[argument.name] = slot
        slot += 1 + 3 * argument.dimensions
    return slots


def _first_of_func(argument: ProgramArgument, definition: PipelineDef) -> str:
    """The buffer of the first of the values of which `argument` is one."""
    func, dot, index = argument.name.rpartition(".")
    several = argument.kind is ProgramArgumentKind.OUTPUT and dot and index.isdigit() and func in definition.outputs
    return f"{func}.0" if several else argument.name


def _number(argument: ProgramArgument) -> Mapping[Row, int] | None:
    kind = argument.type
    if kind.floating:
        form = {32: LayoutKind.FLOAT32, 64: LayoutKind.FLOAT64}.get(kind.nbits)
        return None if form is None else {Row.KIND: form, Row.LOW: -_EXACT_IN_DOUBLE, Row.HIGH: _EXACT_IN_DOUBLE}
    low, high = (0, _INT64_MAX) if kind.is_handle() else (int(kind.min_value()), int(kind.max_value()))
    return {Row.KIND: LayoutKind.INTEGER, Row.LOW: low, Row.HIGH: min(high, _INT64_MAX)}


def _buffer(argument: ProgramArgument, channels: int, keep: list[Any]) -> Mapping[Row, int]:
    dtype, output = argument.type.numpy(), argument.kind is ProgramArgumentKind.OUTPUT
    keep += [dtype, argument.type]
    return {
        Row.KIND: LayoutKind.BUFFER,
        Row.LOW: channels,
        Row.DTYPE: id(dtype),
        Row.TYPE: id(argument.type),
        Row.DIMENSIONS: argument.dimensions,
        Row.SHIFT: dtype.itemsize.bit_length() - 1,
        Row.FLAGS: layout.ALIGNED | (layout.WRITEABLE if output else 0),
        Row.OUTPUT: int(output),
    }


@once
def _numpy_layout_matches() -> bool:
    """Whether numpy's arrays have the expected memory layout, tested on arrays that differ in all fields read."""
    base = np.arange(120, dtype=np.int16).reshape(4, 5, 6)
    fixed = np.ones((3, 1), np.float64)
    fixed.flags.writeable = False
    probes: tuple[np.ndarray, ...] = (base, base[::2, :, ::-1], base.T, fixed, np.zeros((), np.uint8), base[:0])
    return np.ndarray.__basicsize__ > layout.ARRAY_FLAGS and all(_layout_agrees(probe) for probe in probes)


def _layout_agrees(array: np.ndarray) -> bool:
    def number(offset: int, kind: Any = ctypes.c_int64) -> int:
        return int(kind.from_address(id(array) + offset).value)

    if number(layout.TYPE_OF_OBJECT) != id(np.ndarray) or number(layout.ARRAY_DTYPE) != id(array.dtype):
        return False
    if number(layout.ARRAY_DIMENSIONS, ctypes.c_int32) != array.ndim:
        return False
    if number(layout.ARRAY_DATA) != array.__array_interface__["data"][0]:
        return False
    row = ctypes.c_int64 * array.ndim
    # Without dimensions there may be nothing to point to.
    if array.ndim and tuple(row.from_address(number(layout.ARRAY_SHAPE))) != array.shape:
        return False
    if array.ndim and tuple(row.from_address(number(layout.ARRAY_STRIDES))) != array.strides:
        return False
    flags = number(layout.ARRAY_FLAGS, ctypes.c_int32)
    expected = (
        (layout.C_CONTIGUOUS, array.flags.c_contiguous),
        (layout.ALIGNED, array.flags.aligned),
        (layout.WRITEABLE, array.flags.writeable),
    )
    return all(bool(flags & bit) == value for bit, value in expected)


@once
def _buffer_offsets() -> Mapping[LayoutHead, int] | None:
    """The offsets of a Buffer's array, type and slots in the object; None when they are ambiguous."""
    probe = Buffer()
    contents = {
        LayoutHead.ARRAY_OFFSET: np.zeros(1),
        LayoutHead.TYPE_OFFSET: object(),
        LayoutHead.SLOTS_OFFSET: object(),
    }
    buffer: Any = probe
    buffer._array, buffer._type, buffer._slots = contents.values()
    words = (ctypes.c_int64 * (Buffer.__basicsize__ // 8)).from_address(id(probe))
    places = {entry: [8 * i for i, word in enumerate(words) if word == id(value)] for entry, value in contents.items()}
    return {entry: offsets[0] for entry, offsets in places.items()} if all(map(_is_one, places.values())) else None


def _is_one(places: Sequence[int]) -> bool:
    return len(places) == 1
