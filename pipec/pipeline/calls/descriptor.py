"""Buffer arguments as compiled code reads them: an address, then min, extent and stride of each dimension."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pipec.errors import ArgumentError, DimensionError, OverlapError, TypeMismatchError, UndefinedError
from pipec.func.buffers.arrays import LARGEST_EXTENT, address_of, as_array, element_strides, element_type
from pipec.func.buffers.arrays import plain_array as _plain
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef
from pipec.ir.program import ProgramArgument, ProgramArgumentKind

if TYPE_CHECKING:
    from pipec.jit.runtime.device_run import MemorySpan


from collections.abc import Callable

from pipec.func.buffers.elements import plain_number
from pipec.ir.types import Type
from pipec.ir.walk import free_variables

# The cached shapes of each argument; a program with more sizes starts again with an empty cache.
MAX_SHAPES = 1024
# `max_work` of numpy.shares_memory; where it does not suffice, arrays count as overlapping.
OVERLAP_WORK = 10_000


class ArrayShape(NamedTuple):
    """The slots after the address, and where the elements lie: byte offsets of the first and after the last.

    `distinct`: the strides show that no two elements share memory. They may not show it of unusual strides.
    """

    slots: tuple[int, ...]
    low: int
    high: int
    distinct: bool


def share_memory(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays have an element in common; they count as such where that takes long to find out."""
    try:
        return bool(np.shares_memory(a, b, max_work=OVERLAP_WORK))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


class QueryWanted(Exception):
    """An argument is a bounds query: the pipeline shall not run."""


def _dimensions_of_read_strides(definition: PipelineDef, buffer: str, dimensions: int) -> list[int]:
    """The dimensions of a buffer whose strides a pipeline reads as numbers of 32 bits, not only in addresses."""
    image = definition.images.get(buffer) or definition.output_constraints.get(buffer)
    if any(func.extern is not None for func in definition.funcs.values()):
        return list(range(dimensions))
    constraints = enumerate(image.constraints if image else ())
    fixed = {d for d, (_, _, stride) in constraints if stride is not None and d > 0}
    roots = [e for func in definition.funcs.values() for stage in func.stages for e in stage.expressions]
    roots += [end for other in definition.images.values() for bounds in other.constraints for end in bounds if end]
    names = {name for root in roots for name in free_variables(root) if name.startswith(f"{buffer}.stride.")}
    return sorted(fixed | {int(name.rpartition(".")[2]) for name in names})


def shape_of(dims: tuple[tuple[int, int, int], ...], size: int) -> ArrayShape:
    """The slots and byte offsets for (minimum, extent, stride) of each dimension and the `size` of an element."""
    low, high = 0, size
    for _, extent, stride in dims:
        if extent == 0:
            return ArrayShape(tuple([slot for dim in dims for slot in dim]), 0, 0, True)
        reach = stride * (extent - 1) * size
        if reach < 0:
            low += reach
        else:
            high += reach
    return ArrayShape(tuple([slot for dim in dims for slot in dim]), low, high, _are_distinct(dims))


def _are_distinct(dims: tuple[tuple[int, int, int], ...]) -> bool:
    """Whether each stride is larger than what the smaller ones reach together."""
    reach = 0
    for stride, extent in sorted([(abs(stride), extent) for _, extent, stride in dims if extent > 1]):
        if stride <= reach:
            return False
        reach += stride * (extent - 1)
    return True


def spans_of(arguments: Sequence[ProgramArgument], slots: Sequence[int]) -> list[MemorySpan]:
    """The memory of the buffers among `arguments`, whose slots are filled."""
    from pipec.jit.runtime.device_run import MemorySpan

    spans = []
    at = 0
    for argument in arguments:
        count = 1 + 3 * argument.dimensions
        if argument.kind is not ProgramArgumentKind.SCALAR:
            own = slots[at : at + count]
            dims = [(own[d], own[d + 1], own[d + 2]) for d in range(1, count, 3)]
            size = argument.type.numpy().itemsize
            shape = shape_of(tuple(dims), size)
            elements = math.prod([extent for _, extent, _ in dims])
            dense = elements * size == shape.high - shape.low
            output = argument.kind is ProgramArgumentKind.OUTPUT
            spans.append(MemorySpan(argument.name, own[0], own[0] + shape.low, own[0] + shape.high, output, dense))
        at += count
    return spans


class BufferArgument:
    """A buffer argument of a compiled pipeline: checks what is passed, and describes it."""

    __slots__ = ("argument", "name", "type", "dtype", "dimensions", "output", "mask", "word", "_shapes", "_definition")

    def __init__(self, argument: ProgramArgument, definition: PipelineDef) -> None:
        self._definition = definition
        self.argument = argument
        self.name, self.type, self.dimensions = argument.name, argument.type, argument.dimensions
        self.dtype = argument.type.numpy()
        self.output = argument.kind is ProgramArgumentKind.OUTPUT
        self.mask = self.dtype.itemsize - 1
        self.word = "Output" if self.output else "Input"
        self._shapes: dict[Any, ArrayShape] = {}

    def of_array(self, array: np.ndarray) -> ArrayShape:
        """The shape of an array, dimension 0 last as numpy has it."""
        key = (array.dtype, array.shape, array.strides)
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._describe(array)
            if len(self._shapes) >= MAX_SHAPES:
                self._shapes.clear()
            self._shapes[key] = shape
        return shape

    def _describe(self, array: np.ndarray) -> ArrayShape:
        try:
            kind = element_type(_plain(array), array)
        except ValueError as error:
            raise self._unusable(error) from error
        if kind is not self.type and array.dtype != self.dtype:
            raise self._wrong_type(kind)
        self._check_dimensions(array.ndim)
        dims = [(0, extent, step) for extent, step in zip(array.shape, element_strides(array, True), strict=True)]
        shape = shape_of(tuple(reversed(dims)), array.itemsize)
        self._check_strides(shape)
        return shape

    def _check_strides(self, shape: ArrayShape) -> bool:
        """Whether all strides fit 32 bits, as is usual. Raises ArgumentError where the others would be read as numbers.

        Addresses are computed from all 64 bits of a slot.
        """
        strides = shape.slots[2::3]
        if not strides or -LARGEST_EXTENT <= min(strides) <= max(strides) <= LARGEST_EXTENT:
            return True
        for d in _dimensions_of_read_strides(self._definition, self.name, self.dimensions):
            if abs(strides[d]) > LARGEST_EXTENT:
                raise ArgumentError(
                    f"Error: {self.word} buffer {self.name} has stride {strides[d]} in dimension {d}, and the pipeline"
                    " reads it as a number, sets it, or passes Buffers to C functions: strides are at most 2^31 - 1"
                    " there."
                )
        return False

    def of_buffer(self, buffer: Buffer) -> tuple[int, ArrayShape]:
        """The address and shape of a Buffer, cached in it for fast calls until it changes."""
        if buffer._type is not self.type:
            if buffer._type is None:
                raise UndefinedError(f"Error: Undefined buffer passed as {self.word.lower()} buffer {self.name}.")
            raise self._wrong_type(buffer._type)
        if len(buffer._dims) != self.dimensions:
            self._check_dimensions(len(buffer._dims))
        slots = buffer._slots
        if slots is None:
            if buffer._memory is None:
                raise QueryWanted
            address, shape = address_of(buffer._memory), shape_of(buffer._dims, self.dtype.itemsize)
            numbers = address, address + shape.low, address + shape.high, *shape.slots
            slots = address, shape, struct.pack(f"={len(numbers)}q", *numbers)
            if buffer._device is not None:
                slots += struct.pack("=q", buffer._device.address), buffer._device, buffer._memory
            if not self._check_strides(shape):
                # Another pipeline may have to refuse it.
                return address, shape
            buffer._slots = slots
        return slots[0], slots[1]

    def converted(self, value: Any) -> Buffer:
        """A Buffer over any other object that holds an array."""
        try:
            if as_array(value) is not None:
                return Buffer(value)
        except (ValueError, TypeError, ArgumentError) as error:
            raise self._unusable(error) from error
        raise ArgumentError(
            f"Error: Object of type '{type(value).__name__}' is not an instance of 'buffer': {self._expected()}, so it"
            " takes a numpy array, a torch tensor of the host or a Buffer."
        )

    def _expected(self) -> str:
        return f"argument {self.name} is {self.type} of {self.dimensions} dimensions"

    def _unusable(self, error: Exception) -> ArgumentError:
        text = str(error).removeprefix("Error: ")
        return ArgumentError(
            f"Error: {self.word} buffer {self.name} cannot use what was passed: {text} ({self._expected()})"
        )

    def check_writable(self, array: np.ndarray) -> None:
        """Outputs must not be read-only."""
        if not array.flags.writeable:
            raise ArgumentError(
                f"Error: buffer source array is read-only, but it is passed as output buffer {self.name} (shape"
                f" {array.shape}, {array.dtype}): outputs are written in place; pass array.copy() or a new array."
            )

    def check_distinct(self, array: np.ndarray) -> None:
        """No two elements of an output may share memory; `array` has dimension 0 last."""
        for axis in range(array.ndim):
            # Elements that share memory differ first along some axis.
            rest = array[(0,) * axis]
            if len(rest) > 1 and share_memory(rest[:1], rest[1:]):
                dimension = array.ndim - 1 - axis
                stride = array.strides[axis] // array.itemsize
                raise OverlapError(
                    f"Error: The elements of the output buffer {self.name} share memory with each other: dimension"
                    f" {dimension} has extent {array.shape[axis]} and stride {stride}, which leads to memory of other"
                    " elements. Which of their values stays would depend on the schedule: pass an array in which each"
                    " element has memory of its own, for example array.copy()."
                )

    def check_aligned(self, address: int) -> None:
        """Elements must lie at multiples of their size."""
        if address & self.mask:
            raise ArgumentError(
                f"Error: {self.word} buffer {self.name} begins at an address that is no multiple of {self.mask + 1}"
                " bytes, the size of an element; pass array.copy()."
            )

    def _wrong_type(self, kind: Any) -> ArgumentError:
        return TypeMismatchError(
            f"Error: {self.word} buffer {self.name} has type {self.type} but type of the buffer passed in is {kind}."
            f" Pass array.astype(numpy.{self.dtype}), or declare the type that you have."
        )

    def _check_dimensions(self, count: int) -> None:
        if count != self.dimensions:
            raise DimensionError(
                f"Error: {self.word} buffer {self.name} requires a buffer of exactly {self.dimensions} dimensions, but"
                f" the buffer passed in has {count} dimensions"
            )


def bits_of(kind: Type, name: str) -> Callable[[Any], int]:
    """A function from a Python number to the signed 64-bit integer that holds its bits."""
    if kind.floating:
        return _float_bits(kind, name)
    low, high = (0, (1 << 64) - 1) if kind.is_handle() else (int(kind.min_value()), int(kind.max_value()))

    def integer_bits(value: Any) -> int:
        number = value if type(value) is int else _integer(value, kind, name)
        if not low <= number <= high:
            raise _wrong_value(value, kind, name)
        return number if number < 1 << 63 else number - (1 << 64)

    return integer_bits


def _integer(value: Any, kind: Type, name: str) -> int:
    number = plain_number(value)
    if not isinstance(number, int):
        raise _wrong_value(value, kind, name)
    return int(number)


def _float_bits(kind: Type, name: str) -> Callable[[Any], int]:
    code = {16: "<e6x", 32: "<f4x", 64: "<d"}[kind.nbits]
    pack, unpack = struct.Struct(code).pack, struct.Struct("<q").unpack

    def float_bits(value: Any) -> int:
        number = value if type(value) is float else plain_number(value)
        if number is None:
            raise _wrong_value(value, kind, name)
        rounded = float(kind.wrap(number))
        if kind.is_bfloat():
            return int(np.float32(rounded).view(np.uint32)) >> 16
        return int(unpack(pack(rounded))[0])

    return float_bits


def _wrong_value(value: Any, kind: Type, name: str) -> ArgumentError:
    legal = "a number" if kind.floating else f"an int from {kind.min_value()} to {kind.max_value()}"
    return ArgumentError(
        f"Unable to cast Python instance of type {type(value)} to C++ type '?': argument {name} is {kind}, so it takes"
        f" {legal}, not {value!r}."
    )
