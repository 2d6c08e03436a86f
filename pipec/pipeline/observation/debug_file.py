"""The files of `debug_to_file`: all elements of a Func as it has just been computed."""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipec.errors import PipecError
from pipec.ir.types import Type, TypeCode

_TIFF_LONG, _TIFF_SHORT = 4, 3
_TIFF_FORMATS = {"u": 1, "i": 2, "f": 3}
# For each kind of element its class and its type in a MATLAB file, and its number in a .tmp file.
_MATLAB = {
    "f4": (7, 7),
    "f8": (6, 9),
    "i1": (8, 1),
    "u1": (9, 2),
    "i2": (10, 3),
    "u2": (11, 4),
    "i4": (12, 5),
    "u4": (13, 6),
    "i8": (14, 12),
    "u8": (15, 13),
}
_TMP = ("f4", "f8", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8")


def write_debug_file(facts: Mapping[str, str], values: Sequence[int]) -> None:
    """Writes the Func of a Report: minimum and extent of each dimension, then addresses of elements.

    The first address is that of the element at the minima, the others those of its neighbours in each dimension.
    """
    func, path = facts["func"], facts["path"]
    count = int(facts["dimensions"])
    code, bits = facts["type"].split()
    kind = Type(TypeCode(int(code)), int(bits), 1)
    extents = values[1 : 2 * count : 2]
    first, *neighbours = values[2 * count :]
    array = _array_at(kind, first, extents, [address - first for address in neighbours])
    try:
        _WRITERS[Path(path).suffix](Path(path), array)
    except OSError as error:
        raise PipecError(f"Error: Failed to dump function {func} to file {path}: {error.strerror}") from error


def _array_at(kind: Type, first: int, extents: Sequence[int], strides: Sequence[int]) -> np.ndarray:
    """A dense copy of elements in memory, dimension 0 last; `strides` are in bytes."""
    dtype = np.dtype(np.uint8) if kind.boolean else np.dtype(kind.numpy())
    shape = [max(extent, 0) for extent in reversed(extents)]
    if 0 in shape:
        return np.zeros(shape, dtype)
    steps = [stride if extent > 1 else dtype.itemsize for stride, extent in zip(strides, extents, strict=True)]
    reaches = [(extent - 1) * step for extent, step in zip(extents, steps, strict=True)]
    below = sum([reach for reach in reaches if reach < 0])
    size = sum(map(abs, reaches)) + dtype.itemsize
    memory: Any = (ctypes.c_char * size).from_address(first + below)
    array: np.ndarray = np.ndarray(shape, dtype, memory, -below, steps[::-1])
    return array.copy("C")


def _write_npy(path: Path, array: np.ndarray) -> None:
    with path.open("wb") as file:
        np.save(file, array)


def _four_extents(array: np.ndarray) -> list[int]:
    return [*reversed(array.shape), 1, 1, 1, 1][:4]


def _write_tmp(path: Path, array: np.ndarray) -> None:
    """Four extents and the number of the element type, 32 bits each; then the elements, dimension 0 innermost."""
    kind = _TMP.index(array.dtype.str[1:])
    path.write_bytes(struct.pack("=5i", *_four_extents(array), kind) + array.tobytes())


def _write_mat(path: Path, array: np.ndarray) -> None:
    """A MATLAB file of level 5 with one array, whose name is that of the file."""
    number, data_type = _MATLAB[array.dtype.str[1:]]
    shape = [*reversed(array.shape), 1, 1][: max(array.ndim, 2)]
    name = re.sub(r"\W", "_", path.stem)
    parts = [
        _mat_element(6, struct.pack("=2I", number, 0)),
        _mat_element(5, struct.pack(f"={len(shape)}i", *shape)),
        _mat_element(1, name.encode()),
        _mat_element(data_type, array.tobytes()),
    ]
    text = b"MATLAB 5.0 MAT-file, written by pipec".ljust(124)
    path.write_bytes(text + struct.pack("=H2s", 0x0100, b"IM") + _mat_element(14, b"".join(parts)))


def _mat_element(kind: int, data: bytes) -> bytes:
    return struct.pack("=2I", kind, len(data)) + data + bytes(-len(data) % 8)


def _write_tiff(path: Path, array: np.ndarray) -> None:
    """One page of separate planes. The last of three or four dimensions counts channels, the third of four depth."""
    width, height, depth, channels = _four_extents(array)
    if array.ndim < 4:
        depth, channels = 1, depth
    strip = width * height * depth * array.itemsize
    entries: list[tuple[int, int, list[int]]] = [
        (256, _TIFF_LONG, [width]),
        (257, _TIFF_LONG, [height]),
        (258, _TIFF_SHORT, [array.itemsize * 8] * channels),
        (259, _TIFF_SHORT, [1]),
        (262, _TIFF_SHORT, [2 if channels >= 3 else 1]),
        (273, _TIFF_LONG, [0] * channels),
        (277, _TIFF_SHORT, [channels]),
        (278, _TIFF_LONG, [height]),
        (279, _TIFF_LONG, [strip] * channels),
        (284, _TIFF_SHORT, [2]),
        (339, _TIFF_SHORT, [_TIFF_FORMATS[array.dtype.kind]] * channels),
        (32997, _TIFF_LONG, [depth]),
    ]
    start = len(_tiff_head(entries))
    entries[5] = (273, _TIFF_LONG, [start + strip * channel for channel in range(channels)])
    path.write_bytes(_tiff_head(entries) + array.tobytes())


def _tiff_head(entries: Sequence[tuple[int, int, list[int]]]) -> bytes:
    """The header and the directory, with the values that do not fit into it behind it."""
    at = 8 + 2 + 12 * len(entries) + 4
    directory, rest = b"", b""
    for tag, kind, values in entries:
        data = struct.pack(f"={len(values)}{'I' if kind == _TIFF_LONG else 'H'}", *values)
        directory += struct.pack("=2HI", tag, kind, len(values))
        if len(data) > 4:
            directory += struct.pack("=I", at + len(rest))
            rest += data + bytes(-len(data) % 4)
        else:
            directory += data.ljust(4, b"\0")
    order = b"II" if np.little_endian else b"MM"
    return order + struct.pack("=HIH", 42, 8, len(entries)) + directory + bytes(4) + rest


_WRITERS: Mapping[str, Any] = {
    ".npy": _write_npy,
    ".tmp": _write_tmp,
    ".mat": _write_mat,
    ".tif": _write_tiff,
    ".tiff": _write_tiff,
}
