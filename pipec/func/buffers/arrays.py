"""From foreign arrays (numpy, torch, DLPack, buffer protocol) to numpy views of the same memory, and new memory."""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

import numpy as np

from pipec.errors import ArgumentError, OutOfMemoryError
from pipec.ir.types import BFloat, Bool, Float, Int, Type, UInt, type_of_numpy

# (minimum, extent, stride in elements) of each dimension.
Dims = tuple[tuple[int, int, int], ...]
UINT16, BFLOAT16 = UInt(16), BFloat(16)
ELEMENT_TYPES = (
    Bool(),
    *[kind(bits) for kind in (Int, UInt) for bits in (8, 16, 32, 64)],
    *[Float(bits) for bits in (16, 32, 64)],
    BFLOAT16,
)

LARGEST_EXTENT = (1 << 31) - 1
# So many neighbours in memory may be the channels of a pixel.
MAX_CHANNELS = 4
# Vector loads and stores that begin at an allocation's start never straddle a cache line.
ALIGNMENT = 64
_BYTE = np.dtype(np.uint8)
_DLPACK_CPU = 1
_LEGAL = "Buffers hold bool, int8 to int64, uint8 to uint64, float16, float32, float64 (and bfloat16 of torch)"


class _HasArray(Protocol):
    def __array__(self) -> Any: ...


class _HasInterface(Protocol):
    @property
    def __array_interface__(self) -> Any: ...


class _HasDlpack(Protocol):
    def __dlpack__(self) -> Any: ...


if TYPE_CHECKING:
    import array
    import ctypes

    # What a Buffer can be made of, as far as types can tell.
    _Flat: TypeAlias = bytes | bytearray | memoryview | array.array[Any] | ctypes.Array[Any]
    ArraySource: TypeAlias = np.ndarray | _HasArray | _HasInterface | _HasDlpack | _Flat


def as_array(source: Any) -> np.ndarray | None:
    """A numpy view of the memory of `source`, or None when it holds no array; bfloat16 is seen as uint16."""
    if isinstance(source, np.ndarray):
        return plain_array(source)
    if isinstance(source, list | tuple | str | int | float | dict | set | np.generic):
        return None
    if type(source).__module__.partition(".")[0] == "torch" or _is_tensor(source):
        return _torch_array(source)
    try:
        return np.asarray(memoryview(source))
    except TypeError:
        pass
    except ValueError as error:
        raise ValueError(f"Unsupported Buffer<> type: {type(source).__name__}: {error}. {_LEGAL}.") from error
    if hasattr(source, "__cuda_array_interface__"):
        raise ArgumentError(
            f"Error: A Buffer needs memory of the host, but the {type(source).__name__} lies on a CUDA device: copy it"
            " with .get() (CuPy), .copy_to_host() (Numba), or the like, and pass the numpy array."
        )
    if hasattr(source, "__array_interface__") or hasattr(source, "__array__"):
        array = np.asarray(source)
        return None if array.dtype == object else array
    if hasattr(source, "__dlpack__"):
        return _dlpack_array(source)
    return None


def plain_array(array: np.ndarray) -> np.ndarray:
    """The array without what a subclass makes of it; bfloat16 as uint16."""
    if type(array) is np.ndarray:
        # Types of other packages are void to numpy; names of types are slow to make.
        return array.view(np.uint16) if array.dtype.kind == "V" and array.dtype.name == "bfloat16" else array
    if isinstance(array, np.ma.MaskedArray):
        raise ValueError("Unsupported Buffer<> type: a masked array; use array.filled(value) or array.data.")
    return array.view(np.ndarray)


def _is_tensor(source: Any) -> bool:
    """Whether `source` is of a class derived from torch's tensors; torch is never imported for it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(source, getattr(torch, "Tensor", ()))


def _torch_array(tensor: Any) -> np.ndarray | None:
    if not hasattr(tensor, "detach"):
        return None
    what = f"torch tensor of {tensor.dtype} and shape {tuple(tensor.shape)}"
    if str(tensor.device) != "cpu":
        raise ArgumentError(
            f"Error: A Buffer needs memory of the host, but the {what} is on {tensor.device}: call .cpu() first."
        )
    if tensor.requires_grad:
        raise ArgumentError(
            f"Error: The {what} requires grad, but pipelines run outside of torch's graph, so the gradient would be"
            " lost: pass tensor.detach()."
        )
    try:
        if is_bfloat(tensor):
            tensor = tensor.view(sys.modules["torch"].int16)
            return cast(np.ndarray, tensor.numpy().view(np.uint16))
        return cast(np.ndarray, tensor.numpy())
    except (TypeError, RuntimeError) as error:
        raise ValueError(
            f"Unsupported Buffer<> type: {what}: {str(error).splitlines()[0]} {_LEGAL}, in dense memory."
        ) from error


def _dlpack_array(source: Any) -> np.ndarray:
    kind = source.__dlpack_device__()[0]
    if kind != _DLPACK_CPU:
        raise ArgumentError(f"Error: A Buffer needs memory of the host, but the array is on DLPack device kind {kind}.")
    try:
        return np.from_dlpack(source)
    except (BufferError, RuntimeError, TypeError) as error:
        raise ValueError(f"Unsupported Buffer<> type: {type(source).__name__} over DLPack: {error}") from error


def is_bfloat(source: Any) -> bool:
    """Whether this is an array of bfloat16, of torch or of ml_dtypes."""
    return str(getattr(source, "dtype", "")).removeprefix("torch.") == "bfloat16"


def element_type(array: np.ndarray, source: Any = None) -> Type:
    """The element type of the array of `source`, after the checks that every array must pass to be a Buffer."""
    kind = type_of_numpy(array.dtype) if array.dtype.isnative else None
    if kind is None:
        raise ValueError(
            f"Unsupported Buffer<> type: numpy dtype {array.dtype} (shape {array.shape}). {_LEGAL} in the byte order of"
            f" the machine; {_mended(array.dtype)}."
        )
    if source is not None and kind is UINT16 and is_bfloat(source):
        kind = BFLOAT16
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
    return kind


def _mended(dtype: np.dtype[Any]) -> str:
    """Returns advice for an array of a type that Buffers do not hold."""
    if dtype.kind == "c":
        return "pass array.real and array.imag as two Buffers"
    if dtype.names:
        return f"pass one field, for example array[{dtype.names[0]!r}].copy()"
    if not dtype.isnative and type_of_numpy(dtype) is not None:
        return "use array.astype(array.dtype.newbyteorder('='))"
    return "use array.astype(...)"


def dense_strides(extents: Sequence[int], order: Sequence[int]) -> list[int]:
    """Strides in elements; `order`: dimensions innermost first."""
    strides, step = [0] * len(extents), 1
    for d in order:
        strides[d] = step
        step *= extents[d] or 1
    return strides


def roomy_strides(extents: Sequence[int], order: Sequence[int], demanded: Mapping[int, int]) -> list[int]:
    """As dense_strides, with the `demanded` strides by dimension unless elements would share memory."""
    strides, step = [0] * len(extents), 1
    for d in order:
        strides[d] = max(step, demanded.get(d, 0))
        step = strides[d] * (extents[d] or 1)
    return strides


def constant_strides(dims: Dims) -> dict[int, int]:
    """The strides by dimension that code for memory of this shape is compiled for.

    These are a stride of 1, wherever it is, and with it that of the pixels where the channels are interleaved; or a
    small one of dimension 0. Known strides up to MAX_CHANNELS make shuffles of whole vectors of what would be gathers.
    """
    first = dims[0][2] if dims else 0
    units = [d for d, (_, extent, stride) in enumerate(dims) if stride == 1 and extent > 1]
    for d in units if len(dims) > 2 or first != 1 else ():
        channels = dims[d][1]
        pixels = [p for p, (_, extent, stride) in enumerate(dims) if stride == channels and extent > MAX_CHANNELS]
        if pixels and channels <= MAX_CHANNELS:
            return {d: 1, pixels[0]: channels}
    if 1 <= first <= MAX_CHANNELS:
        return {0: first}
    return dict.fromkeys(units[:1], 1)


def element_strides(array: np.ndarray, outermost_first: bool) -> list[int]:
    """Strides in elements, those of extent 1 and of empty arrays too: in dense arrays numpy leaves these to chance."""
    if (
        not array.size
        or 1 in array.shape
        and (array.flags.c_contiguous if outermost_first else array.flags.f_contiguous)
    ):
        axes = range(array.ndim)
        return dense_strides(array.shape, axes[::-1] if outermost_first else axes)
    size = array.itemsize
    return [stride // size for stride in array.strides]


def allocate(kind: Type, extents: Sequence[int], strides: Sequence[int], size: int = 1) -> np.ndarray:
    """New uninitialised memory, axes in the order of dimensions; `strides` in elements, as dense_strides gives them.

    `size`: the elements that strides with gaps span.
    """
    count = _checked_count(extents)
    if count < size:
        count = count and size
    return _array(*_layout(kind, tuple(extents), strides, count))


def allocate_dense(kind: Type, extents: tuple[int, ...]) -> tuple[np.ndarray, Dims]:
    """As allocate, dimension 0 innermost; also (minimum, extent, stride) of each dimension."""
    layout, dims = _dense_layout(kind, extents)
    return _array(*layout), dims


# Type and sizes, the type of numpy, bytes with room to align, and strides in bytes.
_Layout = tuple[Type, tuple[int, ...], np.dtype[Any], int, tuple[int, ...] | None]


@lru_cache(maxsize=1024)
def _dense_layout(kind: Type, extents: tuple[int, ...]) -> tuple[_Layout, Dims]:
    strides = dense_strides(extents, range(len(extents)))
    dims = tuple([(0, extent, stride) for extent, stride in zip(extents, strides, strict=True)])
    return _layout(kind, extents, strides, _checked_count(extents)), dims


def _layout(kind: Type, extents: tuple[int, ...], strides: Sequence[int], count: int) -> _Layout:
    item = kind.numpy().itemsize
    # An empty array has no elements to step to, and its strides may be more than numpy accepts.
    steps = tuple([stride * item for stride in strides]) if count else None
    return kind, extents, kind.numpy(), count * item + ALIGNMENT, steps


def _checked_count(extents: Sequence[int]) -> int:
    """The number of elements."""
    for extent in extents:
        if not 0 <= extent <= LARGEST_EXTENT:
            raise ArgumentError(f"Error: A Buffer of sizes {list(extents)}: each must be in 0 ... 2^31 - 1.")
    return math.prod(extents)


def _array(
    kind: Type, extents: tuple[int, ...], dtype: np.dtype[Any], size: int, steps: tuple[int, ...] | None
) -> np.ndarray:
    try:
        memory = np.empty(size, _BYTE)
    except (MemoryError, ValueError, OverflowError) as error:
        raise OutOfMemoryError(
            f"Error: A Buffer of sizes {list(extents)} of {kind} needs {size - ALIGNMENT} bytes."
        ) from error
    return np.ndarray(extents, dtype, memory, -address_of(memory) % ALIGNMENT, steps)


def _address_by_attribute(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


_DATA_OFFSET = 2 * ctypes.sizeof(ctypes.c_void_p)  # after the reference count and the type
_read_pointer = ctypes.c_size_t.from_address


def _address_by_layout(array: np.ndarray) -> int:
    return _read_pointer(id(array) + _DATA_OFFSET).value


def _layout_matches() -> bool:
    # True for all CPython builds with a GIL; any other interpreter takes the slower way.
    if sys.implementation.name != "cpython" or getattr(sys, "_is_gil_enabled", lambda: True)() is False:
        return False
    probes: list[np.ndarray] = [np.zeros(3, np.uint8), np.zeros((2, 3))[:, ::-1], np.zeros(())]
    return all(_address_by_layout(probe) == _address_by_attribute(probe) for probe in probes)


address_of = _address_by_layout if _layout_matches() else _address_by_attribute


# The order of a Buffer's dimensions where the text does not give one.
ORDER = "xyzcn"
_USAGE = (
    'Name every axis of the array once, first axis first, with the letters x, y, z, c, n: "yx" for rows of pixels,'
    ' "yxc" for interleaved colours, "cyx" for planes. The dimensions of the Buffer are these letters in the order'
    ' x, y, z, c, n; "yxc->cxy" gives another order, and then any letters.'
)


def axes_order(axes: str, ndim: int, what: str = "the array") -> tuple[int, ...]:
    """For each dimension of the Buffer, innermost first, the axis of the array that it is.

    >>> from pipec.func.buffers.arrays import axes_order
    >>> axes_order("yxc", 3)
    (1, 0, 2)
    """
    if not isinstance(axes, str):
        raise TypeError(f"axes must be a text such as 'yxc', not {axes!r}. {_USAGE}")
    axis_letters, arrow, dimension_letters = axes.replace(" ", "").partition("->")
    if not arrow:
        dimension_letters = "".join(letter for letter in ORDER if letter in axis_letters)
    problem = None
    if len(axis_letters) != ndim:
        problem = f"names {len(axis_letters)} axes, but {what} has {ndim}"
    elif len(set(axis_letters)) != ndim:
        problem = "names an axis twice"
    elif sorted(axis_letters) != sorted(dimension_letters):
        problem = (
            "must have the same letters on both sides of '->'"
            if arrow
            else f"has the unknown letter {next(letter for letter in axis_letters if letter not in ORDER)!r}"
        )
    if problem:
        raise ArgumentError(f"Error: axes={axes!r} {problem}. {_USAGE}")
    return tuple([axis_letters.index(letter) for letter in dimension_letters])
