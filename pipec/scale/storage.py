"""Sources and destinations of arrays larger than memory: numpy, memmaps, objects like arrays. Axes are rows first.

An ArrayStorage reads and writes boxes of an array, given as slices. What fails raises the error of the file system or
of the library, with the name of the file; callers add the tile.
"""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np

Slices = tuple[slice, ...]


def part_of(array: np.ndarray, box: Sequence[slice | int]) -> np.ndarray:
    """The box of an array, as an array even where it has no dimensions."""
    index: Any = (*box, ...)
    selected: np.ndarray = array[index]
    return selected


class ArrayStorage:
    """An array that is read or written in boxes. `chunks`: the grid on which it is stored, rows first, or None.

    `decodes_chunks`: a part of a chunk takes as long to read as all of it.
    """

    chunks: tuple[int, ...] | None = None
    decodes_chunks = False

    def __init__(self, shape: Sequence[int], dtype: Any, name: str) -> None:
        self.shape, self.dtype, self.name = tuple(shape), np.dtype(dtype), name

    def view(self, box: Slices) -> np.ndarray | None:
        """The box without a copy, where that is possible."""
        return None

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Copies a box into `out`."""
        raise NotImplementedError

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Replaces a box."""
        raise NotImplementedError

    def close(self) -> None:
        """Writes what is buffered and closes what this opened."""

    def __enter__(self) -> ArrayStorage:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class InMemory(ArrayStorage):
    """A numpy array, or what shares memory with one."""

    def __init__(self, array: np.ndarray, name: str) -> None:
        super().__init__(array.shape, array.dtype, name)
        self._array = array

    def view(self, box: Slices) -> np.ndarray | None:
        """The box in the array's own memory."""
        return part_of(self._array, box)

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Copies a box."""
        out[...] = self._array[box]

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Replaces a box."""
        self._array[box] = array


class Mapped(InMemory):
    """A numpy.memmap: copied in boxes, so that no more of the file stays in memory than they hold."""

    def __init__(self, array: np.memmap[Any, Any], name: str) -> None:
        super().__init__(array, name)
        self._path = None if array.filename is None else os.fspath(array.filename)
        self._mode = array.mode
        pages: mmap.mmap | None = getattr(array, "_mmap", None)
        start = array.offset - array.offset % mmap.ALLOCATIONGRANULARITY
        self._bytes = 0 if pages is None else start + len(pages)

    @property
    def _file(self) -> str | None:
        """The path of the file; None where no path leads to it, or none does any more."""
        return self._path if self._path is not None and os.path.exists(self._path) else None

    def view(self, box: Slices) -> np.ndarray | None:
        """None: pages of a file are copied."""
        return None

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Copies a box; OSError when the file has become shorter, since touching its pages would end the process."""
        path = self._file
        size = self._bytes if path is None else os.stat(path).st_size
        if size < self._bytes:
            raise OSError(f"{path} has been truncated from {self._bytes} to {size} bytes")
        super().read(box, out)

    def reserve(self) -> None:
        """Takes the space on the disk for all pages. Raises OSError where it is full.

        A page of a sparse file for which there is no space ends the process when it is written.
        """
        path = self._file
        if path is not None and self._mode in ("r+", "w+"):
            with open(path, "r+b") as file:
                reserve(file.fileno(), self._bytes, path)

    def close(self) -> None:
        """Writes changed pages to the file."""
        if self._array.flags.writeable:
            self._array.flush()  # type: ignore[attr-defined]


class Chunked(ArrayStorage):
    """An array of zarr, or of another library with its interface: shape, dtype, chunks, indexing by slices."""

    decodes_chunks = True

    def __init__(self, array: Any, name: str) -> None:
        super().__init__(array.shape, array.dtype, name)
        self._array = array
        chunks = getattr(array, "chunks", None)
        if chunks is not None:
            # dask lists the sizes of all chunks along each axis.
            self.chunks = tuple([int(size) if isinstance(size, int) else max(size) for size in chunks])

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Decodes the chunks of a box, those of zarr where they are to be."""
        if is_zarr(self._array):
            from zarr.core.buffer.core import default_buffer_prototype

            place: Any = out
            buffer = default_buffer_prototype().nd_buffer.from_ndarray_like(place)
            self._array.get_basic_selection(box, out=buffer)
        else:
            out[...] = np.asarray(self._array[box])

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Encodes the chunks of a box."""
        self._array[box] = array


def reserve(file: int, size: int, path: str) -> None:
    """Gives a file this size at least, and the disk space for it where the system offers that.

    Raises OSError with the path where the disk is full.
    """
    try:
        if hasattr(os, "posix_fallocate") and stat.S_ISREG(os.fstat(file).st_mode):
            os.posix_fallocate(file, 0, size)
        elif os.fstat(file).st_size < size:
            os.truncate(file, size)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def is_zarr(array: Any) -> bool:
    """Whether an array is one of zarr's own."""
    return type(array).__module__.startswith("zarr.")
