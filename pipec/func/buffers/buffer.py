"""Buffer: an array with a minimum coordinate in each dimension, sharing memory with numpy."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from pipec.errors import ArgumentError
from pipec.func.buffers.arrays import (
    ELEMENT_TYPES,
    Dims,
    allocate,
    allocate_dense,
    as_array,
    axes_order,
    constant_strides,
    dense_strides,
    element_strides,
    element_type,
    roomy_strides,
)
from pipec.func.buffers.elements import checked_element, is_operand, plain_index
from pipec.func.buffers.exchange import BufferExchange
from pipec.func.buffers.shape import constructor_error, needs_definition, sizes_of
from pipec.func.functions.ref import image_call
from pipec.ir.expr import Const
from pipec.ir.types import INT32, Type

if TYPE_CHECKING:
    from pipec.func.buffers.arrays import ArraySource

_KEYWORDS = {"name", "reverse_axes", "axes", "sizes", "storage_order"}


class Buffer(BufferExchange):
    """An image: elements of one type at integer coordinates, dimension 0 innermost.

    `Buffer(array)` shares the memory of a numpy array (or torch CPU tensor, or anything with the buffer protocol or
    DLPack), with the axes reversed: `array[r, c] is buffer[c, r]`; `numpy.asarray(buffer)` goes back without a copy.
    `Buffer(type, [width, height, ...])` is new memory. Coordinates are absolute: the first is `dim(d).min()`.
    Plain ints as indices give or set an element; Exprs give an Expr that reads the Buffer in a pipeline.

    >>> photo = np.zeros((480, 640, 3), np.uint8)
    >>> image = hl.Buffer(photo, axes="yxc")
    >>> image.width(), image.height(), image.channels()
    (640, 480, 3)
    >>> image[639, 479, 0] = 7
    >>> int(photo[479, 639, 0])
    7
    >>> hl.Buffer(hl.Float(32), [4, 3]).numpy().shape
    (3, 4)
    """

    __slots__ = ()

    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(
        self, type: Type, sizes: Sequence[int], storage_order: Sequence[int] | str = ..., name: str = ""
    ) -> None: ...
    @overload
    def __init__(
        self, buffer: ArraySource, name: str = "", reverse_axes: bool | None = None, *, axes: str | None = None
    ) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._memory, self._device, self._dims, self._name = None, None, (), ""
        self._type, self._slots = None, None
        if not args and not kwargs:
            return
        source = kwargs.pop("buffer", None) if not args else None
        if source is None:
            source = args[0] if args else kwargs.pop("type", None)
        rest = args[1:]
        if len(rest) > 3 or not kwargs.keys() <= _KEYWORDS:
            raise constructor_error((source, *rest, *kwargs))
        if isinstance(source, Type):
            self._init_new(source, *rest, **kwargs)
        elif isinstance(source, Buffer):
            self._init_shared(source, *rest, **kwargs)
        else:
            self._init_array(source, *rest, **kwargs)

    def _view(self) -> Buffer:
        return Buffer(self)

    def _init_shared(self, other: Buffer) -> None:
        self._array, self._dims, self._type = other._array, other._dims, other._type

    def _init_array(
        self, source: Any, name: str = "", reverse_axes: bool | None = None, *, axes: str | None = None
    ) -> None:
        array = as_array(source)
        if array is None or not isinstance(name, str):
            raise constructor_error((source, name, reverse_axes))
        self._type = element_type(array, source)
        if axes is not None:
            if reverse_axes is not None:
                raise ArgumentError("Error: A Buffer takes either axes= or reverse_axes=, not both.")
            array = array.transpose(axes_order(axes, array.ndim, f"the array of shape {array.shape}"))
        elif reverse_axes is None or reverse_axes:
            array = array.transpose()
        self._set_array(array)
        self.set_name(name)

    def _init_new(self, type: Type, sizes: Any = None, storage_order: Any = None, name: str = "") -> None:
        if isinstance(storage_order, str):
            storage_order, name = None, storage_order
        extents = sizes_of(sizes)
        if storage_order is None:
            order = list(range(len(extents)))
        else:
            order = sizes_of(storage_order)
            if sorted(order) != list(range(len(extents))):
                raise ArgumentError(
                    f"Error: The storage order {order} of a Buffer of {len(extents)} dimensions must name each of"
                    f" {list(range(len(extents)))} once, innermost first."
                )
        if type not in ELEMENT_TYPES:
            legal = ", ".join(map(str, ELEMENT_TYPES))
            raise ArgumentError(f"Error: A Buffer holds scalars of a numeric type, not {type}: one of {legal}.")
        self._type = type
        self.set_name(name)
        self._set_memory(extents, order)

    def _set_array(self, array: np.ndarray, mins: Sequence[int] | None = None) -> None:
        mins = mins if mins is not None else (0,) * array.ndim
        self._array = array
        self._dims = tuple(zip(mins, array.shape, element_strides(array, False), strict=True))
        self._slots = None

    @classmethod
    def dense(cls, type: Type, extents: Sequence[int]) -> Buffer:
        """Allocates memory, dimension 0 innermost, without checks of the type and the sizes."""
        buffer = cls.__new__(cls)
        buffer._memory, buffer._dims = allocate_dense(type, tuple(extents))
        buffer._type, buffer._name, buffer._device, buffer._slots = type, "", None, None
        return buffer

    @classmethod
    def strided(cls, type: Type, extents: Sequence[int], strides: Sequence[int], name: str = "") -> Buffer:
        """As `dense`, with strides in elements, as roomy_strides gives them."""
        buffer = cls.__new__(cls)
        buffer._type, buffer._name, buffer._device = type, name, None
        buffer._set_memory(extents, (), strides)
        return buffer

    def _set_memory(self, extents: Sequence[int], order: Sequence[int], strides: Sequence[int] | None = None) -> None:
        if strides is None:
            strides = dense_strides(extents, order)
            self._array = allocate(self.type(), extents, strides)
        else:
            size = max([stride * extent for extent, stride in zip(extents, strides, strict=True)], default=1)
            self._array = allocate(self.type(), extents, strides, size)
        # numpy gives axes of extent 0 or 1 strides of its own; a Buffer's are those of its neighbours.
        self._dims = tuple([(0, extent, stride) for extent, stride in zip(extents, strides, strict=True)])
        self._slots = None

    def _set_dims_dense(self, extents: Sequence[int]) -> None:
        strides = dense_strides(extents, range(len(extents)))
        self._dims = tuple([(0, extent, stride) for extent, stride in zip(extents, strides, strict=True)])
        self._slots = None

    def _storage_order(self) -> list[int]:
        """The dimensions, innermost in memory first."""
        return sorted(range(len(self._dims)), key=lambda d: (abs(self._dims[d][2]), d))

    @staticmethod
    def make_scalar(type: Type, name: str = "") -> Buffer:
        """A Buffer of no dimensions: one element."""
        return Buffer(type, [], name)

    @staticmethod
    def make_interleaved(type: Type, width: int, height: int, channels: int, name: str = "") -> Buffer:
        """A Buffer of dimensions (x, y, c) in which the channels of a pixel are neighbours in memory."""
        return Buffer(type, [width, height, channels], [2, 0, 1], name)

    @staticmethod
    def make_bounds_query(type: Type, sizes: Sequence[int], name: str = "") -> Buffer:
        """A Buffer without memory: a pipeline called with it does not run, but writes the needed size into it."""
        buffer = Buffer()
        buffer._type, buffer._name = type, name
        buffer._set_dims_dense(sizes_of(sizes))
        return buffer

    @staticmethod
    def make_with_shape_of(src: Buffer, name: str = "") -> Buffer:
        """New memory with the type, minimums, extents and storage order of `src`."""
        if not isinstance(src, Buffer):
            raise TypeError(f"make_with_shape_of(): incompatible function arguments: a Buffer is needed, not {src!r}")
        src._require_data("make_with_shape_of")
        buffer = Buffer(src.type(), [extent for _, extent, _ in src._dims], src._storage_order(), name)
        buffer._dims = tuple(
            (old[0], extent, stride) for old, (_, extent, stride) in zip(src._dims, buffer._dims, strict=True)
        )
        return buffer

    def constraints(self) -> tuple[tuple[Any, Any, Any], ...]:
        """Returns what machine code may assume of a Buffer in a definition: small strides, but no sizes or gaps.

        So code fits Buffers of other sizes, and dense copies.
        """
        strides = constant_strides(self._dims)
        strides = strides if 1 in strides.values() else {}
        return tuple((None, None, Const(INT32, strides[d]) if d in strides else None) for d in range(len(self._dims)))

    def become_query_of(self, box: Sequence[tuple[int, int]], strides: Sequence[int]) -> None:
        """Sets the shape that a bounds query requires."""
        self._dims = tuple([(*interval, stride) for interval, stride in zip(box, strides, strict=True)])
        self._slots = None

    # Elements

    def __getitem__(self, index: Any) -> Any:
        if type(index) is tuple and self._array is not None:
            inside = self._inside(index)
            if len(inside) == len(index) == len(self._dims):
                return self._array.item(inside)
        indices = tuple(index) if isinstance(index, tuple | list) else (index,)
        position = [plain_index(i) for i in indices]
        if None in position:
            if not all(is_operand(i) or isinstance(i, int | float | np.generic) for i in indices):
                raise TypeError(
                    "__getitem__(): incompatible function arguments. A Buffer is indexed by ints or by Exprs, one for"
                    f" each dimension, not {index!r}; use numpy.asarray(buffer) for slices."
                )
            return image_call(self, indices)
        return self._require_data("__getitem__")[self._offsets(position)].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) is tuple and self._array is not None:
            inside = self._inside(index)
            if len(inside) == len(index) == len(self._dims):
                array = self._writable("__setitem__")
                array[inside] = checked_element(value, self.type(), self.name())
                return
        indices = tuple(index) if isinstance(index, tuple | list) else (index,)
        position = [plain_index(i) for i in indices]
        if None in position:
            raise TypeError(
                f"__setitem__(): incompatible function arguments. Elements are set at int coordinates, not {index!r};"
                " pipelines write whole Funcs; use numpy.asarray(buffer) for slices."
            )
        array = self._writable("__setitem__")
        array[self._offsets(position)] = checked_element(value, self.type(), self.name())

    def _inside(self, index: tuple[Any, ...]) -> tuple[int, ...]:
        """The offsets from the first element of the indices that are ints within bounds; shorter when some are not."""
        return tuple(
            [
                i - low
                for i, (low, extent, _) in zip(index, self._dims, strict=False)
                if type(i) is int and low <= i < low + extent
            ]
        )

    def _offsets(self, position: Sequence[Any]) -> tuple[int, ...]:
        if len(position) != len(self._dims):
            raise ValueError(
                f"Incorrect number of dimensions. Buffer {self.name()} has {len(self._dims)}, not {len(position)}."
            )
        for d, (i, (minimum, extent, _)) in enumerate(zip(position, self._dims, strict=True)):
            if not minimum <= i < minimum + extent:
                raise IndexError(f"index {i} is out of bounds for axis {d} with min={minimum}, extent={extent}")
        return tuple([i - dim[0] for i, dim in zip(position, self._dims, strict=True)])

    def _writable(self, method: str) -> np.ndarray:
        array = self._require_data(method)
        if not array.flags.writeable:
            raise ValueError(f"buffer source array is read-only (Buffer {self.name()})")
        return array

    @needs_definition
    def fill(self, value: Any) -> None:
        """Set every element to `value`."""
        self._writable("fill")[...] = checked_element(value, self.type(), self.name())

    @needs_definition
    def all_equal(self, value: Any) -> bool:
        """Whether every element is `value`."""
        element = checked_element(value, self.type(), self.name())
        return bool((self._require_data("all_equal") == element).all())

    @needs_definition
    def for_each_element(self, f: Callable[[list[int]], Any]) -> None:
        """Call `f([x, y, ...])` for all coordinates, x fastest."""
        ranges = [range(minimum, minimum + extent) for minimum, extent, _ in reversed(self._dims)]
        for coordinates in itertools.product(*ranges):
            f(list(reversed(coordinates)))

    @needs_definition
    def copy(self) -> Buffer:
        """New dense memory with the same contents and coordinates."""
        buffer = Buffer.make_with_shape_of(self)
        assert buffer._array is not None
        buffer._array[...] = self._require_data("copy")
        return buffer

    @needs_definition
    def copy_from(self, src: Buffer) -> None:
        """Copy the elements of `src` at the coordinates that both Buffers have."""
        if not isinstance(src, Buffer):
            raise TypeError(f"copy_from(): incompatible function arguments: a Buffer is needed, not {src!r}")
        source, target = src._require_data("copy_from"), self._writable("copy_from")
        if src._type is not self._type or len(src._dims) != len(self._dims):
            raise ArgumentError(
                f"Error: copy_from needs a Buffer of type {self._type} and {len(self._dims)} dimensions, but"
                f" {src.name()} has type {src._type} and {len(src._dims)} dimensions."
            )
        target_slices, source_slices = [], []
        for (min_a, extent_a, _), (min_b, extent_b, _) in zip(self._dims, src._dims, strict=True):
            low, high = max(min_a, min_b), min(min_a + extent_a, min_b + extent_b)
            if low >= high:
                return
            target_slices.append(slice(low - min_a, high - min_a))
            source_slices.append(slice(low - min_b, high - min_b))
        target[tuple(target_slices)] = source[tuple(source_slices)]

    # Memory

    def allocate(self) -> None:
        """Give this Buffer new uninitialised memory of its shape."""
        mins, extents, strides = ([dim[part] for dim in self._dims] for part in range(3))
        strides = roomy_strides(extents, self._storage_order(), dict(enumerate(strides)))
        self._set_memory(extents, (), strides)
        self._move(dict(enumerate(mins)))

    def deallocate(self) -> None:
        """Releases the memory; the shape stays."""
        self._array, self._slots = None, None

    # Exchange with others

    def __reduce__(self) -> tuple[Any, ...]:
        if self._type is None:
            return Buffer, ()
        contents = None if self._array is None else np.asfortranarray(self._array)
        return _restore, (self._type, self._dims, self._storage_order(), self._name, contents)

    def __copy__(self) -> Buffer:
        return Buffer(self)

    def __deepcopy__(self, memo: Any) -> Buffer:
        return self.copy() if self._array is not None else Buffer(self)


def _restore(type: Type, dims: Dims, order: list[int], name: str, contents: np.ndarray | None) -> Buffer:
    extents = [extent for _, extent, _ in dims]
    if contents is None:
        buffer = Buffer.make_bounds_query(type, extents, name)
        buffer._dims = dims
        return buffer
    buffer = Buffer(type, extents, order, name)
    assert buffer._array is not None
    buffer._array[...] = contents
    buffer.set_min([minimum for minimum, _, _ in dims])
    return buffer
