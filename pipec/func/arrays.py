"""From foreign arrays (numpy, torch, DLPack, buffer protocol) to numpy views of the same memory, and new memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipec.errors import ArgumentError, OutOfMemoryError
from pipec.func.address import address_of
from pipec.ir.types import Type, type_of_numpy

LARGEST_EXTENT = (1 << 31) - 1
# Vector loads and stores that begin at an allocation's start never straddle a cache line.
ALIGNMENT = 64
_DLPACK_CPU = 1


def as_array(source: Any) -> np.ndarray | None:
    """A numpy view of the memory of `source`, or None when it holds no array."""
    if isinstance(source, np.ndarray):
        return source
    if isinstance(source, list | tuple | str | int | float | dict | set | np.generic):
        return None
    if type(source).__module__.partition(".")[0] == "torch":
        return _torch_array(source)
    try:
        return np.asarray(memoryview(source))
    except TypeError:
        pass
    if hasattr(source, "__array_interface__") or hasattr(source, "__array__"):
        return np.asarray(source)
    if hasattr(source, "__dlpack__"):
        return _dlpack_array(source)
    return None


def _torch_array(tensor: Any) -> np.ndarray:
    device = str(getattr(tensor, "device", "cpu"))
    if device != "cpu":
        raise ArgumentError(
            f"Error: A Buffer needs memory of the host, but the tensor is on {device}: call .cpu() first."
        )
    try:
        return tensor.detach().numpy()
    except TypeError as error:
        raise ValueError(f"Unsupported Buffer<> type: torch tensor of {tensor.dtype}.") from error


def _dlpack_array(source: Any) -> np.ndarray:
    kind = source.__dlpack_device__()[0]
    if kind != _DLPACK_CPU:
        raise ArgumentError(f"Error: A Buffer needs memory of the host, but the array is on DLPack device kind {kind}.")
    return np.from_dlpack(source)


def element_type(array: np.ndarray) -> Type:
    """The element type, after the checks that every array must pass to be a Buffer."""
    kind = type_of_numpy(array.dtype) if array.dtype.isnative else None
    if kind is None:
        raise ValueError(
            f"Unsupported Buffer<> type: numpy dtype {array.dtype}. Buffers hold bool, int8 to int64, uint8 to uint64,"
            " float16, float32 and float64 in the byte order of the machine; use array.astype(...)."
        )
    size = array.itemsize
    flags = array.flags
    if flags.c_contiguous and flags.aligned and array.size <= LARGEST_EXTENT:
        return kind
    if any(stride % size for stride, extent in zip(array.strides, array.shape, strict=True) if extent > 1):
        raise ValueError(
            f"Unsupported Buffer<> type: the strides {array.strides} bytes are not multiples of the {size} bytes of an"
            " element; use numpy.ascontiguousarray(array)."
        )
    if address_of(array) % size:
        raise ValueError(f"The array's data does not begin at a multiple of {size} bytes; use array.copy().")
    if any(extent > LARGEST_EXTENT for extent in array.shape):
        raise ValueError(f"Out of range dimensions in buffer conversion: {array.shape}; at most 2^31 - 1 each.")
    if any(abs(stride) // size > LARGEST_EXTENT for stride in array.strides):
        raise ValueError(
            f"Out of range strides in buffer conversion: {array.strides} bytes; at most 2^31 - 1 elements."
        )
    return kind


def allocate(kind: Type, extents: Sequence[int], order: Sequence[int]) -> np.ndarray:
    """New uninitialised memory, axes in the order of dimensions; `order`: dimensions innermost first."""
    for extent in extents:
        if not 0 <= extent <= LARGEST_EXTENT:
            raise ArgumentError(f"Error: A Buffer of sizes {list(extents)}: each must be in 0 ... 2^31 - 1.")
    dtype = kind.numpy()
    count = math.prod(extents)
    size = count * dtype.itemsize
    try:
        memory = np.empty(size + ALIGNMENT, np.uint8)
    except (MemoryError, ValueError, OverflowError) as error:
        raise OutOfMemoryError(f"Error: A Buffer of sizes {list(extents)} of {kind} needs {size} bytes.") from error
    start = -address_of(memory) % ALIGNMENT
    flat = memory[start : start + size].view(dtype)
    array = flat.reshape([extents[d] for d in reversed(order)])
    axes = [0] * len(order)
    for position, d in enumerate(reversed(order)):
        axes[d] = position
    return array.transpose(axes) if extents else array
