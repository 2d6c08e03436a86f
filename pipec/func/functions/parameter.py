"""Parameter: the object behind a Param or ImageParam, which all expressions that mention it share."""

from __future__ import annotations

from typing import Any, Self

from pipec.errors import ArgumentError, DefinitionError
from pipec.func.buffers.elements import plain_index, plain_number
from pipec.func.functions.function import Function, revision
from pipec.func.functions.names import numbered_name, reserve_name
from pipec.func.functions.rdom import Range
from pipec.func.math.convert import cast, convert
from pipec.func.math.expr import Expr, wrap
from pipec.ir.expr import Const, ParameterRef, ReductionVariable, Variable
from pipec.ir.expr import Expr as Node
from pipec.ir.types import INT32, Type
from pipec.ir.walk import postorder
from pipec.records import dataclass, field


class Parameter:
    """An argument of pipelines: a scalar with its value, or a buffer with the constraints on its shape."""

    def __new__(cls, *args: Any) -> Self:
        """A new parameter; the same one for a Parameter, which is one argument however often it is named."""
        if len(args) == 1 and isinstance(args[0], cls):
            return args[0]
        return super().__new__(cls)

    def __init__(self, *args: Any) -> None:
        if len(args) == 1 and args[0] is self:
            return
        self._name, self._is_buffer, self._dimensions = "", False, 0
        self._type: Type | None = None
        self._value: int | float | None = None
        self._buffer: Any = None
        self._minimum: Node | None = None
        self._maximum: Node | None = None
        self._estimate: Node | None = None
        self._default: Node | None = None
        self._host_alignment = 1
        self._memory: Any = None
        self._constraints: dict[tuple[str, int], Node | None] = {}
        self._estimates: dict[tuple[str, int], Node] = {}
        # Counts the changes of what machine code depends on.
        self.revision = 0
        # Whether the stride of dimension 0 is 1 by default only: calls then accept other strides too.
        self.any_stride = False
        # Whether loads from the image are reported.
        self.traced = False
        # The Function that Funcs read in the place of the image.
        self.wrapper: Any = None
        if args:
            self._define(*args)

    def _define(self, type: Type, is_buffer: bool, dimensions: int, name: str = "") -> None:
        if not isinstance(type, Type) or type.is_vector():
            raise TypeError(f"Parameter(): incompatible constructor arguments: {type!r} is no scalar Type")
        count = plain_index(dimensions)
        if count is None or count < 0 or (count and not is_buffer):
            raise TypeError(f"Parameter(): incompatible constructor arguments: {dimensions!r} dimensions")
        self._type, self._is_buffer, self._dimensions = type, bool(is_buffer), count
        self._name = name or numbered_name("p")
        reserve_name(self._name)
        if is_buffer and count:
            self._constraints["stride", 0] = Const(INT32, 1)
            self.any_stride = True

    def defined(self) -> bool:
        """Returns whether the parameter has a type."""
        return self._type is not None

    def type(self) -> Type:
        """Returns the type of the value or of the elements. Raises ArgumentError for an undefined parameter."""
        if self._type is None:
            raise ArgumentError("Error: Parameter is undefined")
        return self._type

    def name(self) -> str:
        """Returns the name of the parameter."""
        return self._name

    def is_buffer(self) -> bool:
        """Returns whether the parameter stands for a buffer."""
        return self._is_buffer

    def dimensions(self) -> int:
        """Returns the number of dimensions, 0 for a scalar."""
        return self._dimensions

    def same_as(self, other: Parameter) -> bool:
        """Whether both stand for the same argument."""
        if not isinstance(other, Parameter):
            raise TypeError(f"same_as(): incompatible function arguments: a Parameter is needed, not {other!r}")
        return self is other

    def __getstate__(self) -> dict[str, Any]:
        # A wrapper made by in_() is part of the Funcs that read it.
        return {**self.__dict__, "wrapper": None}

    # Scalars

    def ref(self) -> Node:
        """The IR node of the scalar's value."""
        return ParameterRef(self.type(), self._name, self)

    def scalar(self) -> int | float | None:
        """The value, or None when none was set."""
        return self._value

    def set_scalar(self, *args: Any) -> None:
        """Set the value; it must be exact in the type, but floats are rounded."""
        self._value = exact_value(args[-1], self.type(), f"Param {self._name}")

    def scalar_expr(self) -> Expr:
        """Returns the value that was set as a constant, an undefined Expr when none was set."""
        return wrap(Const(self.type(), self._value)) if self._value is not None else Expr()

    def set_min_value(self, expr: Any) -> None:
        """Sets the smallest legal value of a scalar, which calls check."""
        self._change("_minimum", self._of_own_type(expr))

    def set_max_value(self, expr: Any) -> None:
        """Sets the largest legal value of a scalar, which calls check."""
        self._change("_maximum", self._of_own_type(expr))

    def _change(self, attribute: str, value: Any) -> None:
        if value != getattr(self, attribute):
            setattr(self, attribute, value)
            self.revision += 1
            revision.advance()

    def set_estimate(self, expr: Any) -> None:
        """Sets the value of a scalar that the search expects."""
        self._estimate = self._of_own_type(expr)

    def set_default_value(self, expr: Any) -> None:
        """Sets the value of a scalar that calls use when none is given."""
        self._default = self._of_own_type(expr)

    def min_value(self) -> Expr:
        """Returns the smallest legal value, an undefined Expr when there is none."""
        return _expr(self._minimum)

    def max_value(self) -> Expr:
        """Returns the largest legal value, an undefined Expr when there is none."""
        return _expr(self._maximum)

    def estimate(self) -> Expr:
        """Returns the expected value, an undefined Expr when there is none."""
        return _expr(self._estimate)

    def default_value(self) -> Expr:
        """Returns the default value, an undefined Expr when there is none."""
        return _expr(self._default)

    def _of_own_type(self, expr: Any) -> Node | None:
        if isinstance(expr, Expr) and not expr.defined():
            return None
        number = plain_number(expr)
        if number is not None:
            return Const(self.type(), exact_value(number, self.type()))
        return cast(self.type(), convert(expr, "a value"))

    # Buffers

    def buffer(self) -> Any:
        """The Buffer that was set, or None."""
        return self._buffer

    def set_buffer(self, buffer: Any) -> None:
        """Binds a buffer, or none. Raises ArgumentError when its type differs from the parameter's."""
        if buffer is not None and buffer.defined() and buffer.type() != self.type():
            raise ArgumentError(
                f"Error: Can't bind ImageParam {self._name} of type {self._type} to Buffer {buffer.name()} of type"
                f" {buffer.type()}"
            )
        self._buffer = buffer if buffer is not None and buffer.defined() else None

    def property(self, kind: str, dimension: int) -> Node:
        """The IR node of the `min`, `extent` or `stride` of a dimension."""
        return ParameterRef(INT32, f"{self._name}.{kind}.{self.checked_dimension(dimension)}", self)

    def checked_dimension(self, dimension: Any) -> int:
        """Returns `dimension` as an int. Raises ArgumentError when the parameter has no such dimension."""
        d = plain_index(dimension)
        if d is None or not 0 <= d < self._dimensions:
            raise ArgumentError(
                f"Error: Can't access dimension {dimension} of a {self._dimensions}-dimensional Parameter {self._name}"
            )
        return d

    def constrain(self, kind: str, dimension: int, value: Any, by_default: bool = False) -> None:
        """Requires the `min`, `extent` or `stride` of a dimension to equal `value`; `Expr()` removes the constraint.

        `by_default`: a stride that calls need not have: code for other strides is compiled when first needed.
        """
        key = kind, self.checked_dimension(dimension)
        if key == ("stride", 0) and not by_default:
            self._change("any_stride", False)
        self._change("_constraints", {**self._constraints, key: _shape_node(value, self._name, kind)})

    def constraint(self, kind: str, dimension: int) -> Node | None:
        """Returns the constraint of a dimension, `kind` being "min", "extent" or "stride", or None."""
        return self._constraints.get((kind, dimension))

    def constraints(self) -> tuple[tuple[Node | None, Node | None, Node | None], ...]:
        """Returns the constraints of each dimension as (min, extent, stride)."""
        return tuple(
            (self.constraint("min", d), self.constraint("extent", d), self.constraint("stride", d))
            for d in range(self._dimensions)
        )

    def buffer_constraints(self) -> list[tuple[Expr, Expr, Expr]]:
        """Returns the constraints of each dimension as (min, extent, stride); Expr() where there is none."""
        dims = range(self._dimensions)
        return [(self.min_constraint(d), self.extent_constraint(d), self.stride_constraint(d)) for d in dims]

    def estimate_shape(self, kind: str, dimension: int, value: Any) -> None:
        """Note the `min` or `extent` that is typical, for the search."""
        node = _shape_node(value, self._name, kind)
        assert node is not None
        self._estimates[kind, self.checked_dimension(dimension)] = node

    def shape_estimate(self, kind: str, dimension: int) -> Node | None:
        """Returns the estimate of a dimension, `kind` being "min" or "extent", or None."""
        return self._estimates.get((kind, dimension))

    def min_constraint(self, dim: int) -> Expr:
        """Returns the required minimum of a dimension, an undefined Expr when there is none."""
        return _expr(self.constraint("min", dim))

    def extent_constraint(self, dim: int) -> Expr:
        """Returns the required extent of a dimension, an undefined Expr when there is none."""
        return _expr(self.constraint("extent", dim))

    def stride_constraint(self, dim: int) -> Expr:
        """Returns the required stride of a dimension in elements, an undefined Expr when there is none."""
        return _expr(self.constraint("stride", dim))

    def set_min_constraint(self, dim: int, expr: Any) -> None:
        """Requires a minimum of a dimension, which calls check."""
        self.constrain("min", dim, expr)

    def set_extent_constraint(self, dim: int, expr: Any) -> None:
        """Requires an extent of a dimension, which calls check."""
        self.constrain("extent", dim, expr)

    def set_stride_constraint(self, dim: int, expr: Any) -> None:
        """Requires a stride of a dimension in elements, which calls check."""
        self.constrain("stride", dim, expr)

    def min_constraint_estimate(self, dim: int) -> Expr:
        """Returns the expected minimum of a dimension, an undefined Expr when there is none."""
        return _expr(self.shape_estimate("min", dim))

    def extent_constraint_estimate(self, dim: int) -> Expr:
        """Returns the expected extent of a dimension, an undefined Expr when there is none."""
        return _expr(self.shape_estimate("extent", dim))

    def set_min_constraint_estimate(self, dim: int, expr: Any) -> None:
        """Sets the minimum of a dimension that the search expects."""
        self.estimate_shape("min", dim, expr)

    def set_extent_constraint_estimate(self, dim: int, expr: Any) -> None:
        """Sets the extent of a dimension that the search expects."""
        self.estimate_shape("extent", dim, expr)

    def get_argument_estimates(self) -> ArgumentEstimates:
        """The limits and estimates that were given."""
        if self._is_buffer:
            dims = range(self._dimensions)
            pairs = [(self.min_constraint_estimate(d), self.extent_constraint_estimate(d)) for d in dims]
            return ArgumentEstimates(buffer_estimates=[Range(*pair) for pair in pairs])
        return ArgumentEstimates(self.default_value(), self.min_value(), self.max_value(), self.estimate())

    def host_alignment(self) -> int:
        """Returns the promised alignment of the first element, in bytes."""
        return self._host_alignment

    def set_host_alignment(self, bytes: int) -> None:
        """Promises that the first element is aligned to `bytes`, a power of two.

        Raises ArgumentError for other numbers.
        """
        count = plain_index(bytes)
        if count is None or count < 1 or count & (count - 1):
            raise ArgumentError(f"Error: The host alignment of {self._name} must be a power of two, not {bytes!r}.")
        self._change("_host_alignment", count)

    def memory_type(self) -> Any:
        """Returns the kind of memory that holds the buffer."""
        return self._memory

    def store_in(self, memory_type: Any) -> None:
        """Sets the kind of memory that holds the buffer."""
        self._memory = memory_type

    def __repr__(self) -> str:
        return f"<halide.Parameter '{self._name}' type {self._type}>" if self._type else "<halide.Parameter undefined>"


class Dimension:
    """One dimension of the buffer of an ImageParam or of an output: its properties as Exprs, and their constraints."""

    __slots__ = ("_parameter", "_dimension")

    def __init__(self, parameter: Parameter, dimension: int) -> None:
        self._parameter, self._dimension = parameter, parameter.checked_dimension(dimension)

    def min(self) -> Expr:
        """Returns the smallest coordinate at run time."""
        return wrap(self._parameter.property("min", self._dimension))

    def extent(self) -> Expr:
        """Returns the number of coordinates at run time."""
        return wrap(self._parameter.property("extent", self._dimension))

    def max(self) -> Expr:
        """The last coordinate."""
        return self.min() + self.extent() - 1

    def stride(self) -> Expr:
        """Returns the stride at run time, in elements."""
        return wrap(self._parameter.property("stride", self._dimension))

    def set_min(self, min: Any) -> Dimension:
        """Requires a minimum, which calls check."""
        return self._constrained(min=min)

    def set_extent(self, extent: Any) -> Dimension:
        """Requires an extent, which calls check."""
        return self._constrained(extent=extent)

    def set_stride(self, stride: Any) -> Dimension:
        """Requires a stride in elements, which calls check; `set_stride(Expr())` allows any."""
        return self._constrained(stride=stride)

    def set_bounds(self, min: Any, extent: Any) -> Dimension:
        """Requires a minimum and an extent, which calls check."""
        return self._constrained(min=min, extent=extent)

    def set_estimate(self, min: Any, extent: Any) -> Dimension:
        """Typical bounds, for the search."""
        self._parameter.estimate_shape("min", self._dimension, min)
        self._parameter.estimate_shape("extent", self._dimension, extent)
        return self

    def dim(self, dimension: int) -> Dimension:
        """Another dimension of the same buffer, for chains of calls."""
        return Dimension(self._parameter, dimension)

    def __repr__(self) -> str:
        return f"<halide.Dimension {self._dimension} of '{self._parameter.name()}'>"

    def _constrained(self, **values: Any) -> Dimension:
        for kind, value in values.items():
            self._parameter.constrain(kind, self._dimension, value)
        return self


def exact_value(value: Any, kind: Type, what: str = "it") -> int | float:
    """A number as a value of type `kind`: it must be exact, except that floats are rounded."""
    number = plain_number(value)
    if number is None:
        raise TypeError(f"incompatible function arguments: {what} is {kind}, so it takes a number, not {value!r}")
    rounds = kind.floating and isinstance(number, float)
    if kind.is_handle() or not (rounds or kind.can_represent(number)):
        legal = f"whole numbers from {kind.min_value()} to {kind.max_value()}" if kind.integral else "floats"
        raise ArgumentError(
            f"Error: The value {value!r} cannot be losslessly converted to type {kind}: {what} takes {legal}"
        )
    return kind.wrap(number)


def _expr(node: Node | None) -> Expr:
    return Expr() if node is None else wrap(node)


def _shape_node(value: Any, name: str, kind: str) -> Node | None:
    if isinstance(value, Expr) and not value.defined():
        return None
    node = convert(value, f"the {kind} of {name}")
    if not INT32.can_represent(node.type):
        raise DefinitionError(f"Error: The {kind} of {name} must be an int32, but {node} has type {node.type}.")
    for part in postorder(node):
        if isinstance(part, Variable | ReductionVariable):
            raise DefinitionError(
                f"Error: The {kind} of {name} may depend on Params and constants only, but {node} mentions {part}."
            )
    return cast(INT32, node)


@dataclass
class ArgumentEstimates:
    """Of a scalar: its default, least, greatest and typical value; of a buffer: a Range for each dimension.

    >>> p = hl.Param(hl.Int(32), "p")
    >>> p.set_estimate(5)
    >>> p.parameter().get_argument_estimates().scalar_estimate
    <halide.Expr of type int32: 5>
    """

    scalar_def: Expr = field(default_factory=Expr)
    scalar_min: Expr = field(default_factory=Expr)
    scalar_max: Expr = field(default_factory=Expr)
    scalar_estimate: Expr = field(default_factory=Expr)
    buffer_estimates: list[Range] = field(default_factory=list)


def output_parameters(function: Function) -> list[Parameter]:
    """The Parameter of each value of an output, created at the first call; every run checks its constraints."""
    if not function.defined:
        raise DefinitionError(
            f"Error: Can't get the output buffer of the undefined Func {function.name} (made at {function.location})."
        )
    if not function.outputs:
        count = len(function.types)
        names = [function.name] if count == 1 else [f"{function.name}.{i}" for i in range(count)]
        function.outputs = [
            Parameter(kind, True, function.dimensions, name) for kind, name in zip(function.types, names, strict=True)
        ]
    return function.outputs
