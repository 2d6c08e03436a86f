"""References `f[x, y]`: to a Func, to one element of a Tuple Func, and references not yet evaluated."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, TypeAlias

from pipec.errors import DefinitionError, DimensionError, UndefinedError
from pipec.func.buffers.elements import plain_number
from pipec.func.functions.definition import user_location
from pipec.func.functions.function import Function
from pipec.func.functions.rdom import RVar
from pipec.func.functions.var import Var, expand_placeholder, has_placeholder
from pipec.func.math import operators
from pipec.func.math.convert import cast, convert, node_or_none
from pipec.func.math.expr import Expr, ExprLike, Operand, wrap
from pipec.func.math.mistakes import no_truth_value
from pipec.ir.expr import Const, FuncCall, ImageCall
from pipec.ir.expr import Expr as Node
from pipec.ir.types import INT32

# What stands between the brackets of a Func or an image.
Index: TypeAlias = ExprLike | Sequence[ExprLike]

# The operators by which an undefined Func defines itself: f[x] += e starts from 0 or 1.
_NEUTRAL = {operators.add: 0, operators.sub: 0, operators.mul: 1, operators.div: 1}


def as_arguments(key: Any) -> tuple[Any, ...]:
    """Returns the arguments between the brackets as a tuple."""
    if isinstance(key, tuple | list):
        return tuple(key)
    return (key,)


def index_node(arg: Any, at: int, name: str) -> Node:
    """Coordinate number `at` as an int32 node; narrow ints widen, everything else is an error."""
    undefined = isinstance(arg, RVar) and not arg.defined()
    node = None if undefined else node_or_none(arg)
    if node is None:
        raise TypeError(
            f"__getitem__(): incompatible function arguments. {name} is indexed with Exprs and ints, "
            f"not with the {type(arg).__name__} {arg!r} (argument {at + 1})"
        )
    if node.type is not INT32 and (not node.type.integral or node.type.nbits >= 32):
        raise DefinitionError(
            f'Error: Implicit cast from {node.type} to int in argument {at + 1} in call to "{name}" '
            f"is not allowed. Use an explicit cast. ({user_location()})"
        )
    return cast(INT32, node)


def call_arguments(function: Function, args: Sequence[Any]) -> tuple[Node, ...]:
    """The coordinates of a reference to a defined Func, `_` expanded."""
    if has_placeholder(args):
        args = expand_placeholder(args, function.dimensions - len(args) + 1)
    if len(args) != function.dimensions:
        raise DimensionError(
            f'Error: Func "{function.name}" was called with {len(args)} arguments, but was defined with '
            f"{function.dimensions} ({user_location()}; it was made at {function.location})"
        )
    return tuple([index_node(arg, at, function.name) for at, arg in enumerate(args)])


class FuncRef(Operand):
    """`f[x, y]`: an Expr when f is defined; on the left of an assignment, the place that is defined.

    >>> x = hl.Var("x")
    >>> f = hl.Func("squares")
    >>> f[x] = x * x
    >>> f[x + 1] - f[x]
    <halide.Expr of type int32: squares(x + 1) - squares(x)>
    """

    __slots__ = ("function", "args", "_resolved")

    def __init__(self, function: Function, args: Sequence[Any]) -> None:
        self.function = function
        # As long as the Func has no definition, what the user wrote.
        self.args: tuple[Any, ...] = tuple(args)
        self._resolved = False
        if function.defined:
            self._resolve()
            return
        for at, arg in enumerate(args):
            if not (isinstance(arg, Var) and arg.is_placeholder()):
                index_node(arg, at, function.name)

    def _resolve(self) -> None:
        if not self._resolved:
            self.args = call_arguments(self.function, self.args)
            self._resolved = True

    def check_defined(self) -> None:
        """Raises UndefinedError when the Func has no definition."""
        if not self.function.defined:
            raise UndefinedError(
                f'Error: Can\'t call Func "{self.function.name}" because it has not yet been defined. '
                f"({user_location()}; it was made at {self.function.location}) Define it before it is used: "
                f"{self.function.name}[...] = ..."
            )

    @property
    def node(self) -> Node:
        """The IR node of the call. Raises DefinitionError for a Func that returns a Tuple."""
        self.check_defined()
        if len(self.function.types) != 1:
            name = self.function.name
            raise DefinitionError(
                f'Error: Can\'t convert a reference Func "{name}" to an Expr, because {name} returns a Tuple. '
                f"Pick an element, for example {name}[...][0]. ({user_location()})"
            )
        return self.element(0)

    __bool__ = no_truth_value

    def element(self, index: int) -> Node:
        """The call for value number `index`."""
        self._resolve()
        function = self.function
        return FuncCall(function.types[index], function.name, self.args, index, function)

    def elements(self) -> list[Node]:
        """The calls for all values of the Func."""
        self.check_defined()
        return [self.element(i) for i in range(len(self.function.types))]

    def _operate(self, operation: operators.Operation, symbol: str, other: Any, reflected: bool) -> Any:
        if not self.function.defined and operation in _NEUTRAL and not reflected:
            return UnevaluatedFuncRefExpr(self, operation, other)
        return super()._operate(operation, symbol, other, reflected)

    def __repr__(self) -> str:
        return f"<halide.FuncRef {self.function.name}({', '.join([_text(arg) for arg in self.args])})>"

    def size(self) -> int:
        """Returns the number of values of the Func."""
        self.check_defined()
        return len(self.function.types)

    def __len__(self) -> int:
        return self.size()

    def __getitem__(self, index: int) -> FuncTupleElementRef:
        self.check_defined()
        name = self.function.name
        if len(self.function.types) == 1:
            raise DefinitionError(
                f'Error: Can\'t index into a reference to Func "{name}", because it does not return a Tuple. '
                f"({user_location()})"
            )
        at = operator.index(index)
        if not 0 <= at < len(self.function.types):
            raise DefinitionError(
                f'Error: Tuple index out of range in reference to Func "{name}": {at}, '
                f"but it has {len(self.function.types)} elements. ({user_location()})"
            )
        return FuncTupleElementRef(self, at)

    def __iter__(self) -> Iterator[FuncTupleElementRef]:
        return iter([self[i] for i in range(self.size())])


def _text(arg: Any) -> str:
    node = None if isinstance(arg, Var) else node_or_none(arg)
    return str(arg if node is None else node)


class FuncTupleElementRef(Operand):
    """`f[x, y][i]`: one element of the value of a Tuple Func."""

    __slots__ = ("reference", "_index")
    __bool__ = no_truth_value

    def __init__(self, reference: FuncRef, index: int) -> None:
        self.reference = reference
        self._index = index

    @property
    def node(self) -> Node:
        """The IR node of the call of this element."""
        return self.reference.element(self._index)

    def index(self) -> int:
        """Returns the index of the value."""
        return self._index

    def __repr__(self) -> str:
        return f"<halide.FuncTupleElementRef {self._index} of {self.reference!r}>"


def _refuse(symbol: str) -> Any:
    def method(self: UnevaluatedFuncRefExpr, other: Any) -> NoReturn:
        name = self.reference.function.name
        raise TypeError(
            f"unsupported operand type(s) for {symbol}: an operation on Func {name}, which has no definition yet, and"
            f" '{type(other).__name__}'. ({user_location()}) Define it before it is used: {name}[...] = ..."
        )

    return method


class UnevaluatedFuncRefExpr:
    """f[x] + e where f has no definition yet: only good for the right side of f[x] = f[x] + e."""

    __slots__ = ("reference", "operation", "other")
    __array_ufunc__ = None

    def __init__(self, reference: FuncRef, operation: operators.Operation, other: Any) -> None:
        self.reference = reference
        self.operation = operation
        self.other = other if plain_number(other) is not None else wrap(convert(other))

    @property
    def node(self) -> Node:
        """Raises UndefinedError: an operation on an undefined Func has no value."""
        return self.reference.node

    def neutral(self) -> Node:
        """Returns the value of the Func before the first update."""
        required = self.reference.function.required_types
        return Const(required[0] if len(required) == 1 else convert(self.other).type, _NEUTRAL[self.operation])

    __add__, __iadd__ = _refuse("+"), _refuse("+=")
    __sub__, __isub__ = _refuse("-"), _refuse("-=")
    __mul__, __imul__ = _refuse("*"), _refuse("*=")
    __truediv__, __itruediv__ = _refuse("/"), _refuse("/=")


def image_call(image: Any, indices: Sequence[Any]) -> Expr:
    """The element of `image` (a Buffer or a Parameter) at these coordinates; `_` stands for those not written."""
    dimensions, name = image.dimensions(), image.name()
    if has_placeholder(indices):
        indices = expand_placeholder(indices, dimensions - len(indices) + 1)
    args = tuple([_index(index, number, name) for number, index in enumerate(indices, 1)])
    node: Node = ImageCall(image.type(), name, args, image)
    if len(args) != dimensions:
        raise DimensionError(
            f"Error: Dimensionality mismatch accessing Buffer {name}: it was called with {len(args)} arguments,"
            f" but was defined with {dimensions}. There were {len(args)} arguments, but the Buffer has {dimensions}"
            f" dimensions:\n  {node}"
        )
    return wrap(node)


def _index(value: Any, number: int, name: str) -> Node:
    node = convert(value, "an index")
    if not INT32.can_represent(node.type):
        raise DefinitionError(
            f'Error: Implicit cast from {node.type} to int in argument {number} in call to "{name}" is not allowed.'
            " Use an explicit cast. Args to a call to an Image must be representable as 32-bit integers, but this one"
            f" is {node}."
        )
    return cast(INT32, node)
