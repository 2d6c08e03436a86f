"""Param and ImageParam: the arguments of a pipeline; OutputImageParam: the buffer that a Func is computed into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pipec.errors import ArgumentError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.buffers.elements import plain_number
from pipec.func.functions.function import revision
from pipec.func.functions.names import require_plain_name
from pipec.func.functions.parameter import Dimension, Parameter
from pipec.func.functions.ref import image_call
from pipec.func.functions.wrappers import wrapped
from pipec.func.math.expr import Expr, ExprLike, Operand
from pipec.func.math.mistakes import Uncomputed
from pipec.ir.expr import Expr as Node
from pipec.ir.types import Type

if TYPE_CHECKING:
    from pipec.func.functions.func import Func

__all__ = ["Dimension", "ImageParam", "OutputImageParam", "Param", "Parameter"]


class Param(Operand):
    """A scalar argument of a pipeline: `Param(type[, name][, value])`; `set` gives its value for the next runs.

    >>> factor, x = hl.Param(hl.Int(32), "factor", 2), hl.Var("x")
    >>> f = hl.Func()
    >>> f[x] = x * factor
    >>> f.realize([3]).numpy().tolist()
    [0, 2, 4]
    >>> factor.set(10)
    >>> f.realize([3]).numpy().tolist()
    [0, 10, 20]
    """

    __slots__ = ("_parameter",)

    def __init__(self, type: Type, *rest: Any, name: str | None = None, value: Any = None) -> None:
        values = list(rest)
        if values and isinstance(values[0], str):
            name = values.pop(0)
        if values:
            value = values.pop(0)
        if values or not isinstance(type, Type) or (value is not None and plain_number(value) is None):
            raise TypeError(
                "__init__(): incompatible constructor arguments. A Param is made by Param(type[, name][, value]), not"
                f" from {(type, *rest)!r}"
            )
        self._parameter = Parameter(type, False, 0, name or "")
        if value is not None:
            self.set(value)

    @property
    def node(self) -> Node:
        """The IR node that stands for the value of the Param."""
        return self._parameter.ref()

    def name(self) -> str:
        """Returns the name of the Param."""
        return self._parameter.name()

    def type(self) -> Type:
        """Returns the type of the value."""
        return self._parameter.type()

    def set(self, value: Any) -> None:
        """Give the value for the next runs; nothing is compiled again. It must be exact, but floats are rounded."""
        self._parameter.set_scalar(value)

    def get(self) -> int | float | None:
        """The value that was set, or None."""
        return self._parameter.scalar()

    def set_estimate(self, value: Any) -> None:
        """A typical value, for the search."""
        self._parameter.set_estimate(value)

    def set_range(self, minimum: ExprLike, maximum: ExprLike) -> None:
        """The values that are legal: checked at each run, and known when compiling."""
        self.set_min_value(minimum)
        self.set_max_value(maximum)

    def set_min_value(self, minimum: ExprLike) -> None:
        """The least legal value, checked at each run."""
        self._parameter.set_min_value(minimum)

    def set_max_value(self, maximum: ExprLike) -> None:
        """The greatest legal value, checked at each run."""
        self._parameter.set_max_value(maximum)

    def min_value(self) -> Expr:
        """Returns the smallest legal value, an undefined Expr when there is none."""
        return self._parameter.min_value()

    def max_value(self) -> Expr:
        """Returns the largest legal value, an undefined Expr when there is none."""
        return self._parameter.max_value()

    def parameter(self) -> Parameter:
        """Returns the Parameter that this Param shares with every Expr that mentions it."""
        return self._parameter

    def __repr__(self) -> str:
        kind = self.type()
        text = "bool" if kind.boolean else "handle64" if kind.is_handle() else str(kind)
        return f"<halide.Param '{self.name()}' type {text}>"


class OutputImageParam:
    """A buffer argument of a pipeline: the properties of its dimensions, and constraints on them."""

    __slots__ = ("_parameter",)
    __hash__ = object.__hash__

    def __init__(self, parameter: Parameter | None = None) -> None:
        self._parameter = parameter if parameter is not None else Parameter()

    def defined(self) -> bool:
        """Returns whether the parameter has a type."""
        return self._parameter.defined()

    def name(self) -> str:
        """Returns the name of the buffer."""
        return self._parameter.name()

    def type(self) -> Type:
        """Returns the type of the elements."""
        return self._parameter.type()

    def dimensions(self) -> int:
        """Returns the number of dimensions."""
        return self._parameter.dimensions()

    def parameter(self) -> Parameter:
        """Returns the Parameter behind this object."""
        return self._parameter

    def dim(self, dimension: int) -> Dimension:
        """The properties of a dimension, and demands on them."""
        return Dimension(self._parameter, dimension)

    def width(self) -> Expr:
        """Returns the extent of dimension 0 at run time."""
        return self._extent(0, "width", "one dimension")

    def height(self) -> Expr:
        """Returns the extent of dimension 1 at run time."""
        return self._extent(1, "height", "two dimensions")

    def channels(self) -> Expr:
        """Returns the extent of dimension 2 at run time."""
        return self._extent(2, "channels", "three dimensions")

    def _extent(self, dimension: int, what: str, count: str) -> Expr:
        if self.dimensions() <= dimension:
            raise ArgumentError(f"Error: Can't ask for the {what} of an image with fewer than {count} ({self.name()})")
        return self.dim(dimension).extent()

    def left(self) -> Expr:
        """Returns the smallest coordinate of dimension 0 at run time."""
        return self.dim(0).min()

    def right(self) -> Expr:
        """Returns the largest coordinate of dimension 0 at run time."""
        return self.dim(0).max()

    def top(self) -> Expr:
        """Returns the smallest coordinate of dimension 1 at run time."""
        return self.dim(1).min()

    def bottom(self) -> Expr:
        """Returns the largest coordinate of dimension 1 at run time."""
        return self.dim(1).max()

    def host_alignment(self) -> int:
        """Returns the promised alignment of the first element, in bytes."""
        return self._parameter.host_alignment()

    def set_host_alignment(self, bytes: int) -> OutputImageParam:
        """Promise that the data begin at a multiple of so many bytes; checked at each run."""
        self._parameter.set_host_alignment(bytes)
        return self

    def set_estimates(self, estimates: Sequence[Any]) -> OutputImageParam:
        """Typical (min, extent) of every dimension, for the search."""
        if len(estimates) != self.dimensions():
            raise ArgumentError(
                f"Error: ImageParam {self.name()} has {self.dimensions()} dimensions, but the estimates passed to"
                f" set_estimates contains {len(estimates)} pairs."
            )
        for d, (minimum, extent) in enumerate(estimates):
            self.dim(d).set_estimate(minimum, extent)
        return self

    def store_in(self, memory_type: Any) -> OutputImageParam:
        """The kind of memory that holds the image."""
        self._parameter.store_in(memory_type)
        return self

    def __repr__(self) -> str:
        kind = type(self).__name__
        if not self.defined():
            return f"<halide.{kind} {kind}()>"
        return f"<halide.{kind} '{self.name()}', dims: {self.dimensions()}, type: {self.type()}>"


class ImageParam(OutputImageParam, Uncomputed):
    """An input image of a pipeline: `ImageParam(type, dimensions[, name])`; `set` gives it for the next runs.

    >>> image, x = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Var("x")
    >>> f = hl.Func()
    >>> f[x] = image[x] + 1
    >>> image.set(np.array([1, 2, 3], np.uint8))
    >>> f.realize([3]).numpy().tolist()
    [2, 3, 4]
    """

    __slots__ = ()
    # Every index is legal, so that Python's iteration by index would never end.
    __iter__ = None
    __contains__ = None

    def __init__(self, type: Type | None = None, dimensions: int | None = None, name: str = "") -> None:
        if type is None and dimensions is None:
            super().__init__()
            return
        if not isinstance(type, Type) or dimensions is None or not isinstance(name, str):
            raise TypeError(
                "__init__(): incompatible constructor arguments. An ImageParam is made by ImageParam(type, dimensions"
                f"[, name]) with a Type such as hl.UInt(8), not from {(type, dimensions, name)!r}"
            )
        require_plain_name(name)
        super().__init__(Parameter(type, True, dimensions, name))

    def __getitem__(self, index: ExprLike | Sequence[ExprLike]) -> Expr:
        return image_call(self._parameter, tuple(index) if isinstance(index, tuple | list) else (index,))

    def set(self, buffer: Any) -> None:
        """The image for the next runs: a Buffer, or an array that a Buffer can be made of."""
        if not isinstance(buffer, Buffer):
            buffer = self._buffer_of(buffer)
        self._parameter.set_buffer(buffer)

    def _buffer_of(self, value: Any) -> Buffer:
        try:
            if as_array(value) is not None:
                return Buffer(value)
        except (ValueError, ArgumentError) as error:
            text = str(error).removeprefix("Error: ")
            raise ArgumentError(
                f"Error: ImageParam {self.name()} ({self.type()}, {self.dimensions()} dimensions) cannot be set: {text}"
            ) from error
        raise TypeError(
            "set(): incompatible function arguments. ImageParam.set takes a Buffer or an array, not"
            f" {type(value).__name__} {value!r}; {self.name()} is {self.type()} of {self.dimensions()} dimensions."
        )

    def get(self) -> Buffer:
        """The Buffer that was set, or an undefined one."""
        buffer = self._parameter.buffer()
        return buffer if buffer is not None else Buffer()

    def reset(self) -> None:
        """Removes the Buffer that was set."""
        self._parameter.set_buffer(None)

    def in_(self, *consumers: Any) -> Func:
        """A Func that copies the image, and that a Func, each of a list, or all that read the image read instead."""
        return wrapped(self._parameter, consumers)

    def trace_loads(self) -> None:
        """Report what is loaded of the image, as Func.trace_loads does."""
        self._parameter.traced = True
        revision.advance()
