"""Race check of the interpreter: what iterations of a parallel loop do to memory that they share."""

from __future__ import annotations

from typing import Any

from pipec.errors import InternalError
from pipec.ir.storage import Storage


class SharedMemory:
    """What the iterations of one parallel loop have written and read so far in the storages around it.

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
        """The loop starts: nothing has been accessed."""
        self._written.clear()
        self._read.clear()
        self._raced.clear()

    def write(self, storage: Storage, element: int, value: bytes) -> None:
        """The current iteration writes an element."""
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
        """The current iteration reads an element."""
        key, own = (storage, element), self.iteration
        written = self._written.get(key)
        if written is None:
            self._read.setdefault(key, {}).setdefault(value, set()).add(own)
        elif own not in written[0]:
            raise self._mixed(storage, element, own, min(written[0]))

    def end(self) -> None:
        """The loop is over: elements whose value depends on the order of iterations have none."""
        for storage, element in self._raced:
            storage.undefine(element)

    def _mixed(self, storage: Storage, element: int, reader: int, writer: int) -> InternalError:
        return InternalError(
            f"Race in loop {self.name}: iteration {reader} reads element {element} of {storage.name}, which iteration "
            f"{writer} writes."
        )


class RaceCheck:
    """The parallel loops around what is executed, each of which watches accesses to the storages around it."""

    def __init__(self) -> None:
        self.loops: tuple[SharedMemory, ...] = ()

    def written(self, storage: Storage, elements: Any) -> None:
        """The elements have been written."""
        for loop in self._around(storage):
            for element, value in storage.contents(elements):
                loop.write(storage, element, value)

    def read(self, storage: Storage, elements: Any) -> None:
        """The elements are read."""
        for loop in self._around(storage):
            for element, value in storage.contents(elements):
                loop.read(storage, element, value)

    def _around(self, storage: Storage) -> list[SharedMemory]:
        """The loops whose iterations share the storage."""
        return [loop for loop in self.loops if loop not in storage.private_to]
