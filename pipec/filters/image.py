"""FilterImage: what the function of a `@filter` computes with, an array whose elements are Exprs of coordinates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError, NotSupportedError

X, Y, C = hl.vars("x y c")
UFUNCS: dict[Any, Callable[..., Any]] = {
    np.add: lambda a, b: a + b,
    np.subtract: lambda a, b: a - b,
    np.multiply: lambda a, b: a * b,
    np.floor_divide: lambda a, b: a / b,
    np.remainder: lambda a, b: a % b,
    np.minimum: hl.min,
    np.maximum: hl.max,
    np.less: lambda a, b: a < b,
    np.less_equal: lambda a, b: a <= b,
    np.greater: lambda a, b: a > b,
    np.greater_equal: lambda a, b: a >= b,
    np.equal: lambda a, b: a == b,
    np.not_equal: lambda a, b: a != b,
    np.bitwise_and: lambda a, b: a & b,
    np.bitwise_or: lambda a, b: a | b,
    np.bitwise_xor: lambda a, b: a ^ b,
    np.left_shift: lambda a, b: a << b,
    np.right_shift: lambda a, b: a >> b,
    np.negative: lambda a: -a,
    np.invert: lambda a: ~a,
    np.absolute: hl.abs,
}
# These give floating-point numbers for integers too.
FLOATING: dict[Any, Callable[..., Any]] = {
    np.true_divide: lambda a, b: a / b,
    np.power: hl.pow,
    np.sqrt: hl.sqrt,
    np.exp: hl.exp,
    np.log: hl.log,
    np.sin: hl.sin,
    np.cos: hl.cos,
    np.tanh: hl.tanh,
    np.arctan2: hl.atan2,
    np.floor: hl.floor,
    np.ceil: hl.ceil,
}


@dataclass
class FilterContext:
    """What all images of one call share: the order of the coordinates in storage, and the Funcs that were defined."""

    interleaved: bool  # dimensions (c, x, y), as tensors have them; otherwise (x, y, c)
    stages: list[hl.Func] = field(default_factory=list)
    whole: set[str] = field(default_factory=set)  # names of Funcs that are read at computed coordinates

    def place(self, rank: int, x: Any = X, y: Any = Y, c: Any = C) -> tuple[Any, ...]:
        """The arguments of a Func of an FilterImage of this rank."""
        return (x, y) if rank == 2 else (c, x, y) if self.interleaved else (x, y, c)


class FilterImage:
    """An array (y, x) or (y, x, c) while a `@filter` is compiled. numpy's operators and functions apply to it.

    `image[dy, dx]` is the image whose pixels are those dy rows below and dx columns to the right. Types follow numpy,
    with float32 in place of float64: division and the functions of analysis give float32 for integers.
    """

    __array_priority__ = 1000

    def __init__(
        self, frame: FilterContext, rank: int, value: Any, channels: int = 0, func: hl.Func | None = None
    ) -> None:
        self._frame, self._rank, self._value, self._channels, self._func = frame, rank, value, channels, func

    # Neighbours and channels

    def __getitem__(self, offset: Any) -> FilterImage:
        if not isinstance(offset, tuple) or len(offset) != 2 or any(isinstance(o, slice) for o in offset):
            raise ArgumentError(
                f"Error: image[{offset!r}] in a @filter is none: image[dy, dx] is the pixel dy rows below and dx"
                " columns to the right, image.channel(k) a channel. There are no slices."
            )
        dy, dx = [_coordinate(o) for o in offset]
        return self._read(X + dx, Y + dy)

    def channel(self, number: int) -> FilterImage:
        """Returns one channel, an image (y, x)."""
        if self._rank == 2:
            raise ArgumentError("Error: channel() takes an image (y, x, c); this one is (y, x).")
        value = self._stage()[self._frame.place(3, c=number)]
        return FilterImage(self._frame, 2, hl.Expr(value))

    def at(self, rows: Any, columns: Any) -> FilterImage:
        """Returns the pixels at computed places: numbers or images of whole rows and columns, inside of the picture."""
        rows, columns = [_coordinate(p._value if isinstance(p, FilterImage) else p) for p in (rows, columns)]
        self._frame.whole.add(self._stage().name())
        return self._read(hl.i32(columns), hl.i32(rows))

    @property
    def rows(self) -> FilterImage:
        """The row of each pixel, int32."""
        return FilterImage(self._frame, 2, hl.Expr(Y))

    @property
    def columns(self) -> FilterImage:
        """The column of each pixel, int32."""
        return FilterImage(self._frame, 2, hl.Expr(X))

    def correlate(self, weights: Any) -> FilterImage:
        """Returns sums of neighbours by weights with their origin in the middle, as scipy.ndimage.correlate."""
        table = np.asarray(weights)
        if table.ndim != 2 or not table.any():
            raise ArgumentError(f"Error: correlate() takes an array of weights (y, x), not one of shape {table.shape}.")
        total: FilterImage | None = None
        for (row, column), weight in np.ndenumerate(table):
            if weight:
                term = self[row - table.shape[0] // 2, column - table.shape[1] // 2] * weight.item()
                total = term if total is None else total + term
        assert total is not None
        return total

    def astype(self, dtype: Any) -> FilterImage:
        """Returns the image with elements of another type, as numpy's astype: fractions are cut off, integers wrap."""
        return self._with(hl.cast(type_of(dtype), self._value))

    def saturate(self, dtype: Any) -> FilterImage:
        """Returns the image rounded and limited to the range of another type of integers."""
        return self._with(_saturated(self._value, type_of(dtype)))

    # numpy

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs or ufunc not in UFUNCS and ufunc not in FLOATING:
            raise NotSupportedError(
                f"Error: numpy.{ufunc.__name__} is not available in a @filter; these are:"
                f" {', '.join(sorted(u.__name__ for u in (*UFUNCS, *FLOATING)))}, numpy.where and numpy.clip."
            )
        return apply(ufunc, *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function is np.where and len(args) == 3:
            condition, a, b = args
            a, b = _promoted([a, b])
            frame = next(e for e in args if isinstance(e, FilterImage))._frame
            return _combined(frame, args, hl.select(condition._value, a, b))
        if function is np.clip and len(args) == 3 and not kwargs:
            return np.minimum(np.maximum(args[0], args[1]), args[2])
        raise NotSupportedError(f"Error: numpy.{function.__name__} is not available in a @filter.")

    def __bool__(self) -> bool:
        raise ArgumentError("Error: An image has no truth value: write numpy.where(condition, a, b) in place of if.")

    def _with(self, value: Any) -> FilterImage:
        return FilterImage(self._frame, self._rank, value, self._channels)

    def _stage(self) -> hl.Func:
        """The image as a Func, which can be read at other coordinates."""
        if self._func is None:
            self._func = hl.Func("stage")
            self._func[self._frame.place(self._rank)] = self._value
            self._frame.stages.append(self._func)
        return self._func

    def _read(self, x: Any, y: Any) -> FilterImage:
        return self._with(hl.Expr(self._stage()[self._frame.place(self._rank, x, y)]))


def _operator(ufunc: Any, reverse: bool = False) -> Any:
    def method(self: FilterImage, *others: Any) -> Any:
        return apply(ufunc, *others, self) if reverse else apply(ufunc, self, *others)

    return method


_BINARY: dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
}
for _name, _ufunc in _BINARY.items():
    setattr(FilterImage, f"__{_name}__", _operator(_ufunc))
    setattr(FilterImage, f"__r{_name}__", _operator(_ufunc, reverse=True))
_OTHERS: dict[str, Any] = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "neg": np.negative,
    "invert": np.invert,
    "abs": np.absolute,
}
for _name, _ufunc in _OTHERS.items():
    setattr(FilterImage, f"__{_name}__", _operator(_ufunc))
FilterImage.__hash__ = object.__hash__  # type: ignore[method-assign]


def stack(images: Sequence[FilterImage]) -> FilterImage:
    """Returns an image (y, x, c) whose channels are these images (y, x).

    >>> @hl.filter
    ... def swap(image):
    ...     return hl.filters.stack([image.channel(1), image.channel(0)])
    >>> swap(np.array([[[1, 2], [3, 4]]])).tolist()
    [[[2, 1], [4, 3]]]
    """
    if not images or not all([isinstance(image, FilterImage) for image in images]):
        raise ArgumentError(
            "Error: stack() takes a list of at least one image that a function of @hl.filter computes with, not"
            f" {images!r:.80}. Arrays are stacked by numpy.stack(arrays, axis=-1)."
        )
    values = _promoted(list(images))
    return FilterImage(images[0]._frame, 3, hl.mux(C, values), channels=len(values))


def apply(ufunc: Any, *inputs: Any) -> FilterImage:
    """Returns the image that a function of numpy gives for these images and numbers."""
    frame = next(e for e in inputs if isinstance(e, FilterImage))._frame
    values = _promoted(inputs, floating=ufunc in FLOATING)
    return _combined(frame, inputs, (FLOATING.get(ufunc) or UFUNCS[ufunc])(*values))


def _combined(frame: FilterContext, inputs: Sequence[Any], value: Any) -> FilterImage:
    images = [e for e in inputs if isinstance(e, FilterImage)]
    return FilterImage(frame, max(e._rank for e in images), value, max(e._channels for e in images))


def dtype_of(value: Any) -> np.dtype[Any]:
    """Returns numpy's type of an Expr's elements."""
    kind = value.type()
    return np.dtype("bool" if kind.is_bool() else str(kind))


def type_of(dtype: Any) -> hl.Type:
    """Returns the type of elements of an array; raises NotSupportedError for complex numbers and objects."""
    dtype = np.dtype(dtype)
    letters = {"u": hl.UInt, "i": hl.Int, "f": hl.Float, "b": lambda bits: hl.Bool()}
    if dtype.kind not in letters:
        raise NotSupportedError(f"Error: A @filter has no elements of {dtype}.")
    return letters[dtype.kind](8 * dtype.itemsize)


def _promoted(inputs: Sequence[Any], floating: bool = False) -> list[Any]:
    """The operands in the type that numpy gives them together, but float32 for float64 that no operand has."""
    exprs = [e._value if isinstance(e, FilterImage) else e for e in inputs]
    typed = [e for e in exprs if isinstance(e, hl.Expr)]
    dtype = np.result_type(*([dtype_of(e) for e in typed] or exprs))
    numbers = [e for e in exprs if not isinstance(e, hl.Expr)]
    has_fraction = any(isinstance(n, float | np.floating) for n in numbers)
    if dtype.kind != "f" and (floating or has_fraction) or dtype == np.float64:
        wide = any(dtype_of(e) == np.float64 for e in typed)
        dtype = np.dtype(np.float64 if wide else np.float32)
    return [hl.cast(type_of(dtype), e) for e in exprs]


def _coordinate(value: Any) -> Any:
    return value._value if isinstance(value, FilterImage) else value if isinstance(value, hl.Expr) else int(value)


def _saturated(value: Any, kind: hl.Type) -> Any:
    if kind.is_float():
        return hl.cast(kind, value)
    rounded = hl.round(value) if value.type().is_float() else value
    return hl.saturating_cast(kind, rounded)
