"""The interpreter's memory: buffers that record which elements have been written, and the race check."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipec.errors import InternalError
from pipec.ir import numerics
from pipec.ir.types import Type
from pipec.records import dataclass

Value = Any
Array = np.ndarray[Any, np.dtype[Any]]
_NEVER = np.iinfo(np.int64).min
# How many coordinates of a folded dimension are distinguished.
_FOLDED_REACH = 1 << 20


@dataclass(frozen=True)
class Image:
    """A buffer argument: `array` has dimension 0 first, and the coordinates of its first element are `mins`."""

    array: Array
    mins: tuple[int, ...] = ()

    def minimum(self, dimension: int) -> int:
        """The minimum coordinate of a dimension."""
        return self.mins[dimension] if self.mins else 0


class Storage:
    """Elements of one buffer over a box; dimension 0 is the innermost.

    A folded dimension stores its coordinates modulo the fold factor. `owner` records for each element which point of
    the unfolded box was stored there last: reading a point that was never stored, or that another point has
    overwritten, is an error.
    """

    def __init__(
        self,
        name: str,
        kind: Type,
        mins: tuple[int, ...],
        extents: tuple[int, ...],
        folds: tuple[int | None, ...] = (),
        strict: bool = True,
    ) -> None:
        self.name = name
        self.kind = kind
        self.mins = mins
        self.extents = extents
        self.folds = folds or (None,) * len(mins)
        self.strict = strict
        stored = [extent if fold is None else fold for extent, fold in zip(extents, self.folds, strict=True)]
        self.folded = any(fold is not None for fold in self.folds)
        size = int(np.prod([max(extent, 0) for extent in stored], dtype=np.int64))
        self.data: Array = np.full(size, _pattern(kind), kind.numpy())
        # The race check, and the loops whose iterations each have a storage of their own.
        self.race_check: RaceCheck | None = None
        self.private_to: tuple[Any, ...] = ()
        self.owner: Array = np.full(size, _NEVER, np.int64)
        self.steps = [int(np.prod(stored[:d], dtype=np.int64)) for d in range(len(stored))]
        # A folded dimension has elements for coordinates outside of its extent too.
        reach = [extent if fold is None else _FOLDED_REACH for extent, fold in zip(extents, self.folds, strict=True)]
        self.full_steps = [int(np.prod(reach[:d], dtype=np.int64)) for d in range(len(reach))]

    @staticmethod
    def of_image(name: str, kind: Type, image: Image, written: bool, strict: bool) -> Storage:
        """Storage with a copy of the image's elements, or undefined elements unless `written`."""
        shape = image.array.shape
        mins = tuple([image.minimum(d) for d in range(len(shape))])
        storage = Storage(name, kind, mins, shape, strict=strict)
        if image.array.dtype != kind.numpy():
            raise InternalError(f"Buffer {name} holds {kind}, not {image.array.dtype}.")
        if written:
            storage.data[:] = image.array.ravel(order="F")
            storage.owner[:] = np.arange(storage.owner.size)
        return storage

    def array(self) -> Array:
        """The elements as an array with dimension 0 first; not for folded storage."""
        return self.data.reshape(self.extents, order="F")

    def unwritten(self) -> list[tuple[int, ...]]:
        """The points that were never stored; not for folded storage."""
        rows = np.argwhere((self.owner == _NEVER).reshape(self.extents, order="F"))[:8]
        return [tuple([int(c) + m for c, m in zip(row, self.mins, strict=True)]) for row in rows]

    def contents(self, elements: Value) -> list[tuple[int, bytes]]:
        """The numbers of elements with their bits."""
        return [(int(element), self.data[element].tobytes()) for element in np.atleast_1d(elements)]

    def undefine(self, element: int) -> None:
        """Makes the value of an element undefined."""
        self.data[element] = _pattern(self.kind)

    # Flat access

    def load(self, index: Value) -> Value:
        """Elements by number."""
        self._check_flat(index, "reads")
        if self.strict and np.any(self.owner[index] == _NEVER):
            raise InternalError(f"The program reads element {_shown(index)} of {self.name}, which was never written.")
        if self.race_check is not None:
            self.race_check.read(self, index)
        return numerics.from_storage(self.data[index], self.kind)

    def store(self, index: Value, value: Value) -> None:
        """Writes elements by number."""
        self._check_flat(index, "writes")
        self.data[index] = numerics.to_storage(value, self.kind)
        self.owner[index] = index
        if self.race_check is not None:
            self.race_check.written(self, index)

    def _check_flat(self, index: Value, verb: str) -> None:
        if np.any(index < 0) or np.any(index >= self.data.size):
            raise InternalError(
                f"The program {verb} element {_shown(index)} of {self.name}, which has {self.data.size} elements."
            )

    # Access at coordinates

    def read(self, coordinates: tuple[Value, ...]) -> Value:
        """Elements at coordinates, which are scalars or vectors."""
        place, point = self._place(coordinates, "reads")
        if self.strict and np.any(self.owner[place] != point):
            lost = " or whose storage holds another point by now" if self.folded else ""
            raise InternalError(f"The program reads {self.name}{_point(coordinates)}, which was never written{lost}.")
        if self.race_check is not None:
            self.race_check.read(self, place)
        return numerics.from_storage(self.data[place], self.kind)

    def write(self, coordinates: tuple[Value, ...], value: Value) -> None:
        """Writes elements at coordinates."""
        place, point = self._place(coordinates, "writes")
        self.data[place] = numerics.to_storage(value, self.kind)
        self.owner[place] = point
        if self.race_check is not None:
            self.race_check.written(self, place)

    def _place(self, coordinates: tuple[Value, ...], verb: str) -> tuple[Value, Value]:
        place: Value = np.int64(0)
        point: Value = np.int64(0)
        for dimension, coordinate in enumerate(coordinates):
            offset = coordinate - np.int64(self.mins[dimension])
            fold = self.folds[dimension]
            if fold is None and (np.any(offset < 0) or np.any(offset >= self.extents[dimension])):
                box = ", ".join([f"[{m}, {m + n - 1}]" for m, n in zip(self.mins, self.extents, strict=True)])
                raise InternalError(
                    f"The program {verb} {self.name}{_point(coordinates)} outside of its box {box} "
                    f"in dimension {dimension}."
                )
            folded = offset if fold is None else coordinate % np.int64(fold)
            place = place + folded * np.int64(self.steps[dimension])
            point = point + offset * np.int64(self.full_steps[dimension])
        return place, point


def _pattern(kind: Type) -> Value:
    # Elements that were never written hold a conspicuous pattern; of bfloat16 its bits.
    return np.uint16(0xAAAA) if kind.is_bfloat() else numerics.undefined(kind)


def _shown(index: Value) -> str:
    return str(np.asarray(index).tolist())


def _point(coordinates: tuple[Value, ...]) -> str:
    return f"({', '.join([_shown(coordinate) for coordinate in coordinates])})"


class SharedMemory:
    """The accesses of the iterations of one parallel loop to storages that they share.

    Iterations may write the same value to one element, as tiles that overlap do. An element to which they write
    different values is undefined after the loop: its value depends on which iteration comes last. An iteration that
    reads what another one writes is an error.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.iteration = 0
        self._written: dict[tuple[Storage, int], tuple[set[int], set[bytes]]] = {}
        self._read: dict[tuple[Storage, int], dict[bytes, set[int]]] = {}
        self._raced: set[tuple[Storage, int]] = set()

    def begin(self) -> None:
        """Starts the loop: nothing has been accessed."""
        self._written.clear()
        self._read.clear()
        self._raced.clear()

    def write(self, storage: Storage, element: int, value: bytes) -> None:
        """Records that the current iteration writes an element."""
        key, own = (storage, element), self.iteration
        for read, readers in self._read.get(key, {}).items():
            if read != value and readers - {own}:
                raise self._mixed(storage, element, (readers - {own}).pop(), own)
        writers, values = self._written.setdefault(key, (set(), set()))
        writers.add(own)
        values.add(value)
        if len(writers) > 1 and len(values) > 1:
            self._raced.add(key)

    def read(self, storage: Storage, element: int, value: bytes) -> None:
        """Records that the current iteration reads an element."""
        key, own = (storage, element), self.iteration
        written = self._written.get(key)
        if written is None:
            self._read.setdefault(key, {}).setdefault(value, set()).add(own)
        elif own not in written[0]:
            raise self._mixed(storage, element, own, min(written[0]))

    def end(self) -> None:
        """Ends the loop: elements whose values depend on the order of iterations become undefined."""
        for storage, element in self._raced:
            storage.undefine(element)

    def _mixed(self, storage: Storage, element: int, reader: int, writer: int) -> InternalError:
        return InternalError(
            f"Race in loop {self.name}: iteration {reader} reads element {element} of {storage.name}, which iteration "
            f"{writer} writes."
        )


class RaceCheck:
    """The parallel loops that enclose the current step, each of which records accesses to shared storages."""

    def __init__(self) -> None:
        self.loops: tuple[SharedMemory, ...] = ()

    def written(self, storage: Storage, elements: Any) -> None:
        """Records that elements have been written."""
        for loop in self._around(storage):
            for element, value in storage.contents(elements):
                loop.write(storage, element, value)

    def read(self, storage: Storage, elements: Any) -> None:
        """Records that elements are read."""
        for loop in self._around(storage):
            for element, value in storage.contents(elements):
                loop.read(storage, element, value)

    def _around(self, storage: Storage) -> list[SharedMemory]:
        """The loops whose iterations share the storage."""
        return [loop for loop in self.loops if loop not in storage.private_to]
