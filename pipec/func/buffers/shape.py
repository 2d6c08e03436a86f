"""The shape of a Buffer: minimum, extent and stride of each dimension, and the changes of it that keep the memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from pipec.errors import ArgumentError
from pipec.func.buffers.arrays import LARGEST_EXTENT, Dims
from pipec.func.buffers.device_memory import DeviceMemory
from pipec.func.buffers.elements import plain_index
from pipec.func.functions.names import numbered_name, reserve_name
from pipec.ir.types import Type

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def needs_definition(method: F) -> F:
    """Decorates a method of a buffer: it raises ArgumentError when the buffer is undefined."""

    @wraps(method)
    def checked(self: BufferShape, *args: Any, **kwargs: Any) -> Any:
        if self._type is None:
            raise ArgumentError(f"Error: Undefined buffer calling const method {method.__name__}")
        return method(self, *args, **kwargs)

    return checked  # type: ignore[return-value]


class BufferDimension:
    """One dimension of a Buffer: its minimum coordinate, extent, and stride in elements."""

    __slots__ = ("_dim",)

    def __init__(self, dim: tuple[int, int, int]) -> None:
        self._dim = dim

    def min(self) -> int:
        """Returns the smallest coordinate of the dimension."""
        return self._dim[0]

    def max(self) -> int:
        """The last coordinate."""
        return self._dim[0] + self._dim[1] - 1

    def extent(self) -> int:
        """Returns the number of coordinates of the dimension."""
        return self._dim[1]

    def stride(self) -> int:
        """Elements between neighbours; may be zero or negative."""
        return self._dim[2]

    def __repr__(self) -> str:
        return f"<halide.BufferDimension min:{self._dim[0]} extent:{self._dim[1]} stride:{self._dim[2]}>"


class BufferShape(DeviceMemory):
    """The shape and type of a Buffer; methods whose names end in -ed return a new Buffer over the same memory."""

    __slots__ = ("_dims", "_name", "_type", "_slots", "__weakref__")
    _dims: Dims
    _name: str
    _type: Type | None
    _slots: Any  # address and shape as a call packs them, cached until the shape changes

    def _view(self) -> Any:
        """A new object over the same memory."""
        raise NotImplementedError

    # Facts

    def defined(self) -> bool:
        """Whether this is more than `Buffer()`."""
        return self._type is not None

    @needs_definition
    def type(self) -> Type:
        """Returns the type of the elements."""
        assert self._type is not None
        return self._type

    def name(self) -> str:
        """Returns the name; an unnamed Buffer gets a unique one at the first call."""
        if not self._name and self._type is not None:
            self._name = numbered_name("b")
        return self._name

    def set_name(self, name: str) -> None:
        """Another name, for error texts and generated code."""
        if not isinstance(name, str):
            raise TypeError(f"set_name(): incompatible function arguments. A name is a text, not {name!r}.")
        if name:
            reserve_name(name)
        self._name = name

    @needs_definition
    def dimensions(self) -> int:
        """Returns the number of dimensions."""
        return len(self._dims)

    def number_of_dimensions(self) -> int:
        """Returns the number of dimensions."""
        return self.dimensions()

    @needs_definition
    def dim(self, dimension: int) -> BufferDimension:
        """Minimum, extent and stride of a dimension; ArgumentError when there is none of that number."""
        return BufferDimension(self._dims[self._checked_dimension(dimension)])

    @needs_definition
    def width(self) -> int:
        """Returns the extent of dimension 0."""
        return self._extent(0)

    @needs_definition
    def height(self) -> int:
        """Returns the extent of dimension 1."""
        return self._extent(1)

    @needs_definition
    def channels(self) -> int:
        """Returns the extent of dimension 2."""
        return self._extent(2)

    def _extent(self, dimension: int) -> int:
        return self._dims[dimension][1] if dimension < len(self._dims) else 1

    @needs_definition
    def left(self) -> int:
        """Returns the smallest coordinate of dimension 0."""
        return self.dim(0).min()

    @needs_definition
    def right(self) -> int:
        """Returns the largest coordinate of dimension 0."""
        return self.dim(0).max()

    @needs_definition
    def top(self) -> int:
        """Returns the smallest coordinate of dimension 1."""
        return self.dim(1).min()

    @needs_definition
    def bottom(self) -> int:
        """Returns the largest coordinate of dimension 1."""
        return self.dim(1).max()

    @needs_definition
    def number_of_elements(self) -> int:
        """Returns the product of all extents."""
        count = 1
        for _, extent, _ in self._dims:
            count *= extent
        return count

    @needs_definition
    def size_in_bytes(self) -> int:
        """Bytes from the first to the last element in memory."""
        if any(extent == 0 for _, extent, _ in self._dims):
            return 0
        span = sum(abs(stride) * (extent - 1) for _, extent, stride in self._dims)
        return (span + 1) * self.type().bytes()

    @needs_definition
    def contains(self, coords: Sequence[int]) -> bool:
        """Whether these coordinates (of the first dimensions) lie inside."""
        return len(coords) <= len(self._dims) and all(
            minimum <= c < minimum + extent
            for c, (minimum, extent, _) in zip(sizes_of(coords), self._dims, strict=False)
        )

    def same_as(self, other: BufferShape) -> bool:
        """Whether both stand for the same object."""
        return self is other

    def is_bounds_query(self) -> bool:
        """Whether this has a shape but no memory."""
        return self._type is not None and self._memory is None

    def _checked_dimension(self, dimension: Any, count: int | None = None) -> int:
        limit = len(self._dims) if count is None else count
        d = plain_index(dimension)
        if d is None or not 0 <= d < limit:
            raise ArgumentError(
                f"Error: Buffer {self.name()} has {len(self._dims)} dimensions; {dimension!r} is not one of"
                f" {list(range(limit))}."
            )
        return d

    def _require_data(self, method: str) -> np.ndarray:
        if self._array is None:
            if self._type is None:
                raise ArgumentError(f"Error: Undefined buffer calling const method {method}")
            raise ArgumentError(
                f"Error: Buffer {self.name()} is a bounds query: it has no memory, so {method} has no meaning."
            )
        return self._array

    # Changes of shape: in place, and as a new Buffer over the same memory

    def _changed(self, method: str, *args: Any) -> Any:
        view = self._view()
        getattr(view, method)(*args)
        return view

    @needs_definition
    def crop(self, *args: Any, **kwargs: Any) -> None:
        """`crop(dimension, min, extent)` or `crop([(min, extent), ...])`: keep only these coordinates."""
        rect = _rect(self, _arguments("crop", (("dimension", "min", "extent"), ("rect",)), args, kwargs))
        dims, slices = list(self._dims), [slice(None)] * len(self._dims)
        for d, (minimum, extent) in rect.items():
            old_min, old_extent, stride = dims[d]
            if extent < 0 or minimum < old_min or minimum + extent > old_min + old_extent:
                raise ArgumentError(
                    f"Error: Cannot crop dimension {d} of Buffer {self.name()} to [{minimum}, {minimum + extent - 1}]:"
                    f" it covers [{old_min}, {old_min + old_extent - 1}] only."
                )
            dims[d] = (minimum, extent, stride)
            slices[d] = slice(minimum - old_min, minimum - old_min + extent)
        if self._array is not None:
            self._array = self._array[tuple(slices)] if slices else self._array
        self._dims, self._slots = tuple(dims), None

    def cropped(self, *args: Any, **kwargs: Any) -> Any:
        """As `crop`, but a new Buffer over the same memory."""
        view = self._view()
        view.crop(*args, **kwargs)
        return view

    @needs_definition
    def translate(self, *args: Any, **kwargs: Any) -> None:
        """`translate(dimension, dx)` or `translate([dx, dy, ...])`: move the coordinates."""
        arguments = _arguments("translate", (("dimension", "dx"), ("delta",)), args, kwargs)
        if len(arguments) == 2:
            delta = {self._checked_dimension(arguments[0]): sizes_of(arguments[1:])[0]}
        else:
            delta = dict(enumerate(_at_most(self, sizes_of(arguments[0]))))
        self._move({d: self._dims[d][0] + shift for d, shift in delta.items()})

    def translated(self, *args: Any, **kwargs: Any) -> Any:
        """As `translate`, but a new Buffer over the same memory."""
        view = self._view()
        view.translate(*args, **kwargs)
        return view

    @needs_definition
    def set_min(self, *mins: Any) -> None:
        """`set_min([x, y, ...])`: the coordinates of the first element (of the first dimensions)."""
        values = sizes_of(mins[0] if len(mins) == 1 and isinstance(mins[0], list | tuple) else mins)
        self._move(dict(enumerate(_at_most(self, values))))

    def _move(self, mins: dict[int, int]) -> None:
        for d, minimum in mins.items():
            if not -LARGEST_EXTENT <= minimum <= LARGEST_EXTENT - self._dims[d][1]:
                raise ArgumentError(f"Error: Coordinates from {minimum} on do not fit int32 (Buffer {self.name()}).")
        self._dims = tuple(
            (mins.get(d, minimum), extent, stride) for d, (minimum, extent, stride) in enumerate(self._dims)
        )
        self._slots = None

    @needs_definition
    def transpose(self, *args: Any, **kwargs: Any) -> None:
        """`transpose(d1, d2)`: exchange two dimensions; `transpose(order)`: dimension i becomes dimension order[i]."""
        arguments = _arguments("transpose", (("d1", "d2"), ("order",)), args, kwargs)
        count = len(self._dims)
        if len(arguments) == 2:
            a, b = self._checked_dimension(arguments[0]), self._checked_dimension(arguments[1])
            order = list(range(count))
            order[a], order[b] = b, a
        else:
            order = sizes_of(arguments[0])
            if sorted(order) != list(range(count)):
                raise ArgumentError(
                    f"Error: transpose of Buffer {self.name()} needs each of {list(range(count))} once, not {order}."
                )
            order = sorted(range(count), key=order.__getitem__)
        if self._array is not None:
            self._array = self._array.transpose(order)
        self._dims, self._slots = tuple(self._dims[d] for d in order), None

    def transposed(self, *args: Any, **kwargs: Any) -> Any:
        """As `transpose`, but a new Buffer over the same memory."""
        view = self._view()
        view.transpose(*args, **kwargs)
        return view

    def reverse_axes(self) -> Any:
        """A Buffer over the same memory with the dimensions in the opposite order."""
        return self.transposed(list(reversed(range(self.dimensions()))))

    @needs_definition
    def slice(self, dimension: int, pos: int | None = None) -> None:
        """Keep only coordinate `pos` (default: the first) of `dimension`, which goes away."""
        d = self._checked_dimension(dimension)
        minimum, extent, _ = self._dims[d]
        at = minimum if pos is None else plain_index(pos)
        if at is None or not minimum <= at < minimum + extent:
            raise ArgumentError(
                f"Error: Cannot slice dimension {d} of Buffer {self.name()} at {pos!r}: it covers"
                f" [{minimum}, {minimum + extent - 1}] only."
            )
        if self._array is not None:
            self._array = self._array[(slice(None),) * d + (slice(at - minimum, at - minimum + 1),)].squeeze(d)
        self._dims, self._slots = self._dims[:d] + self._dims[d + 1 :], None

    def sliced(self, dimension: int, pos: int | None = None) -> Any:
        """As `slice`, but a new Buffer over the same memory."""
        return self._changed("slice", dimension, pos)

    @needs_definition
    def embed(self, dimension: int, pos: int = 0) -> None:
        """Insert a dimension of extent 1 whose only coordinate is `pos`."""
        d = self._checked_dimension(dimension, len(self._dims) + 1)
        at = plain_index(pos)
        if at is None or not -LARGEST_EXTENT <= at < LARGEST_EXTENT:
            raise ArgumentError(f"Error: embed of Buffer {self.name()} needs an int32 position, not {pos!r}.")
        last = self._dims[-1] if self._dims else (0, 1, 1)
        if self._array is not None:
            self._array = np.expand_dims(self._array, d)
        self._dims = (*self._dims[:d], (at, 1, last[1] * last[2]), *self._dims[d:])
        self._slots = None

    def embedded(self, dimension: int, pos: int = 0) -> Any:
        """As `embed`, but a new Buffer over the same memory."""
        return self._changed("embed", dimension, pos)

    def add_dimension(self) -> None:
        """Append a dimension of extent 1."""
        self.embed(self.dimensions())


def constructor_error(arguments: tuple[Any, ...]) -> TypeError:
    """Returns the TypeError for constructor arguments that no constructor of Buffer accepts."""
    return TypeError(
        "__init__(): incompatible constructor arguments. A Buffer is made by Buffer(array[, name[, reverse_axes]]),"
        " Buffer(type, sizes[, name]), Buffer(type, sizes, storage_order[, name]), Buffer(other) or Buffer(), where"
        " sizes is a list, type a Type, such as hl.UInt(8), and numpy.array(numbers, dtype) an array of a list;"
        f" not from {arguments!r}."
    )


def sizes_of(values: Any) -> list[int]:
    """Returns `values` as a list of ints. Raises TypeError when it is not a sequence of integers."""
    if not isinstance(values, list | tuple | range | np.ndarray):
        raise constructor_error((values,))
    plain = [plain_index(value) for value in values]
    if None in plain:
        raise constructor_error((values,))
    return [value for value in plain if value is not None]


def _at_most(buffer: BufferShape, values: list[T]) -> list[T]:
    if len(values) > buffer.dimensions():
        raise ValueError(
            f"Too many arguments: {len(values)} for the {buffer.dimensions()} dimensions of {buffer.name()}"
        )
    return values


def _arguments(
    method: str, forms: tuple[tuple[str, ...], ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[Any]:
    """The values of the form whose names fit, in the order of its names."""
    for names in forms:
        left = names[len(args) :]
        if len(args) <= len(names) and set(kwargs) == set(left):
            return [*args, *[kwargs[name] for name in left]]
    usage = " or ".join(f"{method}({', '.join(names)})" for names in forms)
    raise TypeError(f"{method}(): incompatible function arguments. It is called as {usage}.")


def _rect(buffer: BufferShape, arguments: list[Any]) -> dict[int, tuple[int, int]]:
    if len(arguments) == 3:
        minimum, extent = sizes_of(arguments[1:])
        return {buffer._checked_dimension(arguments[0]): (minimum, extent)}
    pairs = _at_most(buffer, [sizes_of(pair) for pair in arguments[0]])
    if any(len(pair) != 2 for pair in pairs):
        raise constructor_error(tuple(arguments))
    return {d: (pair[0], pair[1]) for d, pair in enumerate(pairs)}
