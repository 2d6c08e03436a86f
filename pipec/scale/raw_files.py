"""Elements that lie in files as they lie in memory: .npy, tiled TIFF and chunks of zarr without compression.

They are read straight to where they are to be, and written from there: a copy less than the libraries make.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import mmap
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pipec.scale.storage import ArrayStorage, Slices, part_of

# The unit of files and memory of reads and writes past the page cache, in bytes.
DIRECT_UNIT = 4096
# Bytes between two runs that are read too, since a call of the system takes longer; and those read at a time then.
MAX_GAP, STRIP_BYTES = 16 << 10, 512 << 10
# The most pieces of memory of one call of the system (IOV_MAX of Linux).
MAX_PIECES = 1024


class RawFile(ArrayStorage):
    """Elements in C order in a file from byte `offset` on."""

    def __init__(self, path: str, shape: Sequence[int], dtype: Any, offset: int, writable: bool) -> None:
        super().__init__(shape, dtype, path)
        self._file = os.open(path, (os.O_RDWR if writable else os.O_RDONLY) | getattr(os, "O_BINARY", 0))
        self._offset = offset
        strides = [self.dtype.itemsize]
        for extent in self.shape[:0:-1]:
            strides.insert(0, strides[0] * extent)
        self._strides = strides

    def _run_axis(self, box: Slices) -> int:
        """The axis along which neighbours are one run: inner ones are whole."""
        axis = len(box)
        while axis > 0:
            axis -= 1
            if box[axis].stop - box[axis].start < self.shape[axis]:
                break
        return axis

    def byte_count(self) -> int:
        """The size of the file."""
        return os.fstat(self._file).st_size

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Reads runs of neighbours; OSError where the file ends too early."""
        axis = self._run_axis(box)
        span = box[axis].stop - box[axis].start if box else 0
        row = self._strides[axis - 1] if axis else 0
        if axis and out.size and row - span * self._strides[axis] <= MAX_GAP:
            self._read_rows(box, out, axis, max(1, STRIP_BYTES // row))
            return
        target = out if _has_dense_rows(out) else np.empty(out.shape, out.dtype)
        self._read_runs(box, target)
        if target is not out:
            out[...] = target

    def _read_runs(self, box: Slices, target: np.ndarray) -> None:
        for part, at in self._runs(box, target):
            _read_exactly(self._file, list(_rows(part)), at, self.name)

    def _read_rows(self, box: Slices, out: np.ndarray, axis: int, step: int) -> None:
        """Reads the whole of `axis`, some elements of the axis around it at a time, and copies what is in the box."""
        inner = (*[slice(None)] * axis, box[axis])
        outer = box[axis - 1]
        for low in range(outer.start, outer.stop, step):
            high = min(low + step, outer.stop)
            wide = (*box[: axis - 1], slice(low, high), slice(0, self.shape[axis]), *box[axis + 1 :])
            rows = np.empty([part.stop - part.start for part in wide], self.dtype)
            self._read_runs(wide, rows)
            place = (*[slice(None)] * (axis - 1), slice(low - outer.start, high - outer.start))
            out[place] = rows[inner]

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Writes runs of neighbours."""
        source = array if _has_dense_rows(array) else np.ascontiguousarray(array)
        for part, at in self._runs(box, source):
            _write_exactly(self._file, list(_rows(part)), at)

    def _runs(self, box: Slices, array: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
        """The parts of `array` that are neighbours in the file, each with its position there in bytes."""
        if array.size == 0:
            return
        axis, strides = self._run_axis(box), self._strides
        start = self._offset + sum([part.start * stride for part, stride in zip(box, strides, strict=False)])
        for index in itertools.product(*[range(extent) for extent in array.shape[:axis]]):
            at = start + sum([i * stride for i, stride in zip(index, strides, strict=False)])
            yield part_of(array, index), at

    def close(self) -> None:
        """Closes the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class TiledFile(ArrayStorage):
    """An uncompressed file of tiles one after another, as in a TIFF: each is whole, also at the border."""

    def __init__(
        self, path: str, shape: Sequence[int], dtype: Any, tile: tuple[int, int], offset: int, writable: bool
    ) -> None:
        super().__init__(shape, dtype, path)
        self._chunks = (1,) * (len(self.shape) - 2) + tile
        self.chunks = self._chunks
        grid = [-(-extent // size) for extent, size in zip(self.shape, self.chunks, strict=True)]
        self._tiles = RawFile(path, (*grid, *tile), dtype, offset, writable)

    def _parts(self, box: Slices, array: np.ndarray) -> Iterator[tuple[Slices, np.ndarray]]:
        """For each tile that a box touches: the box in the file of all tiles, and the part of `array`."""
        for index, inner, outer in chunk_parts(box, self._chunks):
            part = array[outer]
            tile = [slice(number, number + 1) for number in index]
            yield (*tile, *inner[-2:]), part.reshape((1,) * len(index) + part.shape[-2:])

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Reads the tiles of a box."""
        for place, part in self._parts(box, out):
            self._tiles.read(place, part)

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Writes the tiles of a box, or the rows of them that it has."""
        for place, part in self._parts(box, array):
            self._tiles.write(place, part)

    def close(self) -> None:
        """Closes the file."""
        self._tiles.close()


class ChunkFiles(ArrayStorage):
    """An array of zarr in a folder, each chunk a file without compression: `is_plain` says which arrays are.

    Chunks that are written whole replace the file when they are complete. They are written past the page cache, which
    would take new pages for each, count as memory of the process's cgroup, and not be read again.
    """

    def __init__(self, array: Any, name: str) -> None:
        super().__init__(array.shape, array.dtype, name)
        self._chunks = tuple(map(int, array.chunks))
        self.chunks = self._chunks
        self._folder = os.path.join(array.store.root, array.path)
        self._key_of = array.metadata.encode_chunk_key
        self._fill = array.fill_value or 0
        self._bytes = self.dtype.itemsize * int(np.prod(self._chunks, dtype=np.int64))
        self._direct = getattr(os, "O_DIRECT", 0) if self._bytes % DIRECT_UNIT == 0 else 0
        self._aligned: np.ndarray | None = None

    @staticmethod
    def is_plain(array: Any) -> bool:
        """Whether the chunks of an array of zarr are files of its elements in C order."""
        metadata = array.metadata
        native = array.dtype.isnative and array.dtype.kind in "biufc"
        if type(array.store).__name__ != "LocalStore" or not native:
            return False
        if metadata.zarr_format == 2:
            return metadata.order == "C" and not metadata.filters and metadata.compressor is None
        codecs = metadata.codecs
        plain = len(codecs) == 1 and type(codecs[0]).__name__ == "BytesCodec"
        regular = type(metadata.chunk_grid).__name__ == "RegularChunkGrid" and not metadata.storage_transformers
        # Single bytes have no order of bytes.
        return plain and regular and getattr(codecs[0].endian, "value", "little") == "little"

    def _path(self, index: tuple[int, ...]) -> str:
        key: str = self._key_of(index)
        return os.path.join(self._folder, *key.split("/"))

    def _open(self, path: str, writable: bool) -> RawFile:
        """A chunk. Raises FileNotFoundError where it was never written, OSError when it is truncated."""
        file = RawFile(path, self._chunks, self.dtype, 0, writable)
        if file.byte_count() != self._bytes:
            size = file.byte_count()
            file.close()
            raise OSError(f"{path} has {size} bytes instead of {self._bytes}: it is truncated")
        return file

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Reads the parts of chunks in a box; those that were never written have the fill value."""
        for index, inner, outer in chunk_parts(box, self._chunks):
            part = part_of(out, outer)
            try:
                file = self._open(self._path(index), False)
            except FileNotFoundError:
                part[...] = self._fill
                continue
            with file:
                file.read(inner, part)

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Writes whole chunks, or parts of them."""
        for index, inner, outer in chunk_parts(box, self._chunks):
            part, path = part_of(array, outer), self._path(index)
            if part.shape == self._chunks:
                self._replace(path, part)
                continue
            ends = [number * size + span.stop for number, size, span in zip(index, self._chunks, inner, strict=True)]
            starts_chunk = all(span.start == 0 for span in inner)
            reaches_end = all(
                end == extent or span.stop == size
                for end, extent, span, size in zip(ends, self.shape, inner, self._chunks, strict=True)
            )
            if os.path.exists(path) and not (starts_chunk and reaches_end):
                with self._open(path, True) as file:
                    file.write(inner, part)
                continue
            values = np.full(self._chunks, self._fill, self.dtype)
            values[inner] = part
            self._replace(path, values)

    def _replace(self, path: str, values: np.ndarray) -> None:
        partial = f"{path}.partial"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            if not (self._direct and self._write_direct(partial, values)):
                with open(partial, "wb"), RawFile(partial, self._chunks, self.dtype, 0, True) as file:
                    file.write(tuple([slice(0, size) for size in self._chunks]), values)
            os.replace(partial, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(partial)
            raise

    def _write_direct(self, path: str, values: np.ndarray) -> bool:
        """Writes a chunk past the page cache; False where the file system has no such writes."""
        if self._aligned is None:
            # Memory of its own mapping begins with a page.
            self._aligned = np.frombuffer(mmap.mmap(-1, self._bytes), self.dtype).reshape(self._chunks)
        self._aligned[...] = values
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | self._direct, 0o666)
            try:
                _write_exactly(file, [self._aligned], 0)
            finally:
                os.close(file)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            self._direct = 0
        return bool(self._direct)


def chunk_parts(box: Slices, chunks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Slices, Slices]]:
    """For each chunk that a box touches: its number along each axis, and the boxes in the chunk and in the box."""
    spans = [range(part.start // size, -(-part.stop // size)) for part, size in zip(box, chunks, strict=True)]
    for index in itertools.product(*spans):
        inner, outer = [], []
        for number, part, size in zip(index, box, chunks, strict=True):
            low, high = max(part.start, number * size), min(part.stop, (number + 1) * size)
            inner.append(slice(low - number * size, high - number * size))
            outer.append(slice(low - part.start, high - part.start))
        yield index, tuple(inner), tuple(outer)


def _has_dense_rows(array: np.ndarray) -> bool:
    """Whether neighbours along the last axis are neighbours in memory."""
    return array.ndim == 0 or array.shape[-1] < 2 or array.strides[-1] == array.itemsize


def _rows(array: np.ndarray) -> Iterator[np.ndarray]:
    """The largest parts of an array with dense rows that are contiguous, in C order."""
    if array.flags.c_contiguous:
        yield array
    else:
        for part in array:
            yield from _rows(part)


def _read_exactly(file: int, pieces: Sequence[Any], at: int, name: str) -> None:
    """Fills `pieces` from byte `at` of a file. Raises OSError where the file ends before."""
    for start in range(0, len(pieces), MAX_PIECES):
        batch = pieces[start : start + MAX_PIECES]
        size = sum([piece.nbytes for piece in batch])
        if os.preadv(file, batch, at) < size:
            _read_singly(file, batch, at, name)
        at += size


def _read_singly(file: int, pieces: Sequence[Any], at: int, name: str) -> None:
    for piece in pieces:
        view, done = piece.reshape(-1).view(np.uint8).data, 0
        while done < len(view):
            count = os.preadv(file, [view[done:]], at + done)
            if count == 0:
                raise OSError(f"{name} ends at byte {at + done}, {len(view) - done} bytes too early: it is truncated")
            done += count
        at += len(view)


def _write_exactly(file: int, pieces: Sequence[Any], at: int) -> None:
    """Writes `pieces` at byte `at` of a file. Raises OSError, for example when the disk is full."""
    for start in range(0, len(pieces), MAX_PIECES):
        batch = pieces[start : start + MAX_PIECES]
        size = sum([piece.nbytes for piece in batch])
        if os.pwritev(file, batch, at) < size:
            _write_singly(file, batch, at)
        at += size


def _write_singly(file: int, pieces: Sequence[Any], at: int) -> None:
    for piece in pieces:
        view, done = piece.reshape(-1).view(np.uint8).data, 0
        while done < len(view):
            done += os.pwrite(file, view[done:], at + done)
        at += len(view)
