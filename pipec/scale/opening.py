"""Opens sources and destinations: paths to .npy, .zarr and TIFF files, arrays, and objects like arrays."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipec.errors import ArgumentError, MissingPackageError, TypeMismatchError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.scale.raw_files import ChunkFiles, RawFile, TiledFile
from pipec.scale.storage import ArrayStorage, Chunked, InMemory, Mapped, is_zarr, reserve

# Elements of a chunk or tile of a new file along its two last axes.
ZARR_CHUNK, TIFF_TILE = 1024, 256
FORMATS = "a path that ends in .npy, .zarr, .tif or .tiff, or an object with shape, dtype and indexing by slices"


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
            try:
                _create(path, tuple(shape), np.dtype(dtype), like)
            except FileExistsError:
                raise
            except OSError:
                # A later call would take what is there for the whole array.
                if os.path.isfile(path):
                    os.remove(path)
                raise
        storage = _open_file(path, True)
    else:
        storage = _of_object(destination, name)
        if isinstance(storage, Mapped):
            storage.reserve()
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
        return _of_zarr(value, name)
    raise ArgumentError(f"Error: {name} is to be {FORMATS}, not {value!r}.")


def _of_zarr(value: Any, name: str) -> ArrayStorage:
    """An array of zarr, or of another library with its interface."""
    return ChunkFiles(value, name) if is_zarr(value) and ChunkFiles.is_plain(value) else Chunked(value, name)


def _open_file(path: str, writable: bool) -> ArrayStorage:
    kind = _format(path)
    if kind == ".npy":
        return _open_npy(path, writable)
    if kind == ".zarr":
        return _of_zarr(zarr_package().open_array(path, mode="r+" if writable else "r"), path)
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
            reserve(file.fileno(), size, path)
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
