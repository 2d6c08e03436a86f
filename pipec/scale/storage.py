"""Sources and destinations of arrays larger than memory: numpy, .npy files, zarr, tiled TIFF. Axes are rows first.

An ArrayStorage reads and writes boxes of an array, given as slices. What fails raises the error of the file system or
of the library, with the name of the file; callers add the tile.
"""

from __future__ import annotations

import itertools
import mmap
import os
import stat
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np

from pipec.errors import ArgumentError, MissingPackageError, TypeMismatchError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer

Slices = tuple[slice, ...]
# Elements of a chunk or tile of a new file along its two last axes.
ZARR_CHUNK, TIFF_TILE = 1024, 256
FORMATS = "a path that ends in .npy, .zarr, .tif or .tiff, or an object with shape, dtype and indexing by slices"


def part_of(array: np.ndarray, box: Slices) -> np.ndarray:
    """The box of an array, as an array even where it has no dimensions."""
    index: Any = (*box, ...)
    selected: np.ndarray = array[index]
    return selected


class ArrayStorage:
    """An array that is read or written in boxes. `chunks`: the grid on which it is stored, rows first, or None."""

    chunks: tuple[int, ...] | None = None

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
        self._file = None if array.filename is None else os.fspath(array.filename)
        pages: mmap.mmap | None = getattr(array, "_mmap", None)
        start = array.offset - array.offset % mmap.ALLOCATIONGRANULARITY
        self._bytes = 0 if pages is None else start + len(pages)

    def view(self, box: Slices) -> np.ndarray | None:
        """None: pages of a file are copied."""
        return None

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Copies a box; OSError when the file has become shorter, since touching its pages would end the process."""
        size = self._bytes if self._file is None else os.stat(self._file).st_size
        if size < self._bytes:
            raise OSError(f"{self._file} has been truncated from {self._bytes} to {size} bytes")
        super().read(box, out)

    def close(self) -> None:
        """Writes changed pages to the file."""
        if self._array.flags.writeable:
            self._array.flush()  # type: ignore[attr-defined]


class Chunked(ArrayStorage):
    """An array of zarr, or of another library with its interface: shape, dtype, chunks, indexing by slices."""

    def __init__(self, array: Any, name: str) -> None:
        super().__init__(array.shape, array.dtype, name)
        self._array = array
        chunks = getattr(array, "chunks", None)
        if chunks is not None:
            # dask lists the sizes of all chunks along each axis.
            self.chunks = tuple([int(size) if isinstance(size, int) else max(size) for size in chunks])

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Decodes the chunks of a box, those of zarr where they are to be."""
        if type(self._array).__module__.startswith("zarr."):
            from zarr.core.buffer.core import default_buffer_prototype

            place: Any = out
            buffer = default_buffer_prototype().nd_buffer.from_ndarray_like(place)
            self._array.get_basic_selection(box, out=buffer)
        else:
            out[...] = np.asarray(self._array[box])

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Encodes the chunks of a box."""
        self._array[box] = array


class RawFile(ArrayStorage):
    """Elements in C order in a file from byte `offset` on."""

    def __init__(self, path: str, shape: Sequence[int], dtype: Any, offset: int, writable: bool) -> None:
        super().__init__(shape, dtype, path)
        self._file = os.open(path, (os.O_RDWR if writable else os.O_RDONLY) | getattr(os, "O_BINARY", 0))
        self._offset = offset

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Reads runs of neighbours; OSError where the file ends too early."""
        target = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
        for part, at in self._runs(box, target):
            read_exactly(self._file, part, at, self.name)
        if target is not out:
            out[...] = target

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Writes runs of neighbours."""
        for part, at in self._runs(box, np.ascontiguousarray(array)):
            write_exactly(self._file, part, at)

    def _runs(self, box: Slices, array: np.ndarray) -> Any:
        """The parts of `array` that are neighbours in the file, as bytes, each with its position there."""
        if array.size == 0:
            return
        # The innermost axes that are read whole, and one more, are one run.
        axis = len(box)
        while axis > 0:
            axis -= 1
            if box[axis].stop - box[axis].start < self.shape[axis]:
                break
        strides = [self.dtype.itemsize]
        for extent in self.shape[:0:-1]:
            strides.insert(0, strides[0] * extent)
        start = self._offset + sum([part.start * stride for part, stride in zip(box, strides, strict=False)])
        rows = array.reshape(*array.shape[:axis], -1) if box else array.reshape(1)
        for index in itertools.product(*[range(extent) for extent in array.shape[:axis]]):
            at = start + sum([i * stride for i, stride in zip(index, strides, strict=False)])
            yield memoryview(rows[index].view(np.uint8)), at

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
        self.chunks = (1,) * (len(self.shape) - 2) + tile
        grid = [-(-extent // size) for extent, size in zip(self.shape, self.chunks, strict=True)]
        self._grid = grid
        self._tiles = RawFile(path, (*grid, *tile), dtype, offset, writable)

    def _parts(self, box: Slices) -> Any:
        """For each tile that a box touches: the box of the tiles' file, and the part of the box."""
        assert self.chunks is not None
        spans = [range(part.start // size, -(-part.stop // size)) for part, size in zip(box, self.chunks, strict=True)]
        for index in itertools.product(*spans):
            inner, outer = [], []
            for number, part, size in zip(index, box, self.chunks, strict=True):
                low, high = max(part.start, number * size), min(part.stop, (number + 1) * size)
                inner.append(slice(low - number * size, high - number * size))
                outer.append(slice(low - part.start, high - part.start))
            tile = tuple([slice(number, number + 1) for number in index])
            yield (*tile, *inner[-2:]), tuple(outer)

    def read(self, box: Slices, out: np.ndarray) -> None:
        """Reads the tiles of a box."""
        for place, part in self._parts(box):
            target = out[part]
            values = np.empty((1,) * len(self._grid) + target.shape[-2:], self.dtype)
            self._tiles.read(place, values)
            target[...] = values.reshape(target.shape)

    def write(self, box: Slices, array: np.ndarray) -> None:
        """Writes the tiles of a box, or the rows of them that it has."""
        for place, part in self._parts(box):
            values = array[part]
            self._tiles.write(place, values.reshape((1,) * len(self._grid) + values.shape[-2:]))

    def close(self) -> None:
        """Closes the file."""
        self._tiles.close()


def read_exactly(file: int, into: memoryview, at: int, name: str) -> None:
    """Fills `into` from byte `at` of a file. Raises OSError where the file ends before."""
    done = 0
    while done < len(into):
        count = os.preadv(file, [into[done:]], at + done)
        if count == 0:
            raise OSError(f"{name} ends at byte {at + done}, {len(into) - done} bytes too early: it is truncated")
        done += count


def write_exactly(file: int, data: memoryview, at: int) -> None:
    """Writes all bytes at byte `at` of a file. Raises OSError, for example when the disk is full."""
    done = 0
    while done < len(data):
        done += os.pwrite(file, data[done:], at + done)


# Opening


def open_source(source: Any, name: str) -> ArrayStorage:
    """The ArrayStorage of an input. Raises ArgumentError for objects that are no arrays, OSError for files."""
    if isinstance(source, str | os.PathLike):
        return _open_file(os.fspath(source), False)
    return _of_object(source, name)


def open_destination(
    destination: Any, name: str, shape: Sequence[int], dtype: Any, like: ArrayStorage | None
) -> ArrayStorage:
    """The ArrayStorage of an output; a file that does not exist is created with this shape and type.

    `like`: an input whose chunks a new zarr takes over. Raises ArgumentError when the shape or the type differ.
    """
    if isinstance(destination, str | os.PathLike):
        path = os.fspath(destination)
        if not os.path.exists(path):
            _create(path, tuple(shape), np.dtype(dtype), like)
        storage = _open_file(path, True)
    else:
        storage = _of_object(destination, name)
    if storage.shape != tuple(shape):
        storage.close()
        raise ArgumentError(
            f"Error: The destination of {name} has shape {storage.shape}, but the output has {tuple(shape)} (rows"
            " first). Pass sizes=[width, height, ...] for another output."
        )
    if storage.dtype != np.dtype(dtype):
        storage.close()
        raise TypeMismatchError(f"Error: The destination of {name} holds {storage.dtype}, but {name} is {dtype}.")
    return storage


def _of_object(value: Any, name: str) -> ArrayStorage:
    if isinstance(value, ArrayStorage):
        return value
    if isinstance(value, np.memmap):
        return Mapped(value, name)
    if not hasattr(value, "chunks") or isinstance(value, Buffer):
        array = value.numpy() if isinstance(value, Buffer) else as_array(value)
        if array is not None:
            return InMemory(array, name)
    if all(hasattr(value, attribute) for attribute in ("shape", "dtype", "__getitem__")):
        return Chunked(value, name)
    raise ArgumentError(f"Error: {name} is to be {FORMATS}, not {value!r}.")


def _open_file(path: str, writable: bool) -> ArrayStorage:
    kind = _format(path)
    if kind == ".npy":
        return _open_npy(path, writable)
    if kind == ".zarr":
        return Chunked(zarr_package().open_array(path, mode="r+" if writable else "r"), path)
    return _open_tiff(path, writable)


def _format(path: str) -> str:
    kind = os.path.splitext(path.rstrip("/"))[1].lower()
    kind = ".tif" if kind == ".tiff" else kind
    if kind not in (".npy", ".zarr", ".tif"):
        raise ArgumentError(f"Error: The format of {path!r} is unknown: pass {FORMATS}.")
    return kind


def _open_npy(path: str, writable: bool) -> ArrayStorage:
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read(file)
        offset = file.tell()
    if fortran or dtype.hasobject:
        raise ArgumentError(f"Error: {path} holds an array in Fortran order or of objects; save it in C order.")
    return RawFile(path, shape, dtype, offset, writable)


def _open_tiff(path: str, writable: bool) -> ArrayStorage:
    tifffile = tifffile_package()
    with tifffile.TiffFile(path) as file:
        series, page = file.series[0], file.pages[0]
        native = (file.byteorder == "<") == np.little_endian
        planar = page.samplesperpixel in (1, series.shape[0])
        steps = {b - a for a, b in itertools.pairwise(page.dataoffsets)} or {page.databytecounts[0]}
        plain = page.is_tiled and page.compression == 1 and len(file.pages) == 1 and native and planar
        if plain and steps == {page.databytecounts[0]} and series.shape[-2:] == page.shape[-2:]:
            return TiledFile(path, series.shape, page.dtype, page.tile, page.dataoffsets[0], writable)
    if writable:
        raise ArgumentError(
            f"Error: Only a tiled TIFF without compression can be written in place; {path} is none. Remove it, so that"
            " it is created anew."
        )
    store = tifffile.imread(path, aszarr=True, level=0)
    return Chunked(zarr_package().open_array(store, mode="r"), path)


def _create(path: str, shape: tuple[int, ...], dtype: np.dtype[Any], like: ArrayStorage | None) -> None:
    kind = _format(path)
    if kind == ".npy":
        header = np.lib.format.header_data_from_array_1_0(np.empty(0, dtype))
        with open(path, "xb") as file:
            np.lib.format.write_array_header_2_0(file, {**header, "shape": shape})
            size = file.tell() + int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            _reserve(file.fileno(), size)
    elif kind == ".zarr":
        chunks = [min(ZARR_CHUNK, extent) if len(shape) - d <= 2 else 1 for d, extent in enumerate(shape)]
        if like is not None and like.chunks is not None and len(like.chunks) == len(shape):
            chunks = [min(size, extent) for size, extent in zip(like.chunks, shape, strict=True)]
        zarr_package().create_array(path, shape=shape, chunks=[max(1, size) for size in chunks], dtype=dtype)
    else:
        tifffile_package().imwrite(
            path,
            None,
            shape=shape,
            dtype=dtype,
            tile=(TIFF_TILE, TIFF_TILE),
            bigtiff=True,
            photometric="minisblack",
            planarconfig="separate" if len(shape) > 2 else None,
            metadata=None,
        )


def _reserve(file: int, size: int) -> None:
    """Gives a file its size, and the disk space for it where the system offers that: a full disk shows at once."""
    if hasattr(os, "posix_fallocate") and stat.S_ISREG(os.fstat(file).st_mode):
        os.posix_fallocate(file, 0, size)
    else:
        os.truncate(file, size)


def zarr_package() -> Any:
    """The module zarr. Raises MissingPackageError."""
    try:
        import zarr
    except ImportError as error:
        raise MissingPackageError("An array in a zarr folder", "zarr", "scale", error) from error
    return zarr


def tifffile_package() -> Any:
    """The module tifffile. Raises MissingPackageError."""
    try:
        import tifffile
    except ImportError as error:
        raise MissingPackageError("A TIFF larger than memory", "tifffile", "scale", error) from error
    return tifffile
