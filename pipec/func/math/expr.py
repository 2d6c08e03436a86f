"""`Expr`, and `Operand`: what every object that can stand in an expression has in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias, TypeVar

import numpy as np

from pipec.errors import DefinitionError
from pipec.func.math import operators
from pipec.func.math.convert import node_or_none
from pipec.func.math.mistakes import has_counterpart, no_index, no_number, no_truth_value, refuse_numpy
from pipec.ir.expr import Expr as Node
from pipec.ir.types import Type

F = TypeVar("F", bound=Callable[..., Any])


def _binary(operation: operators.Operation, symbol: str) -> Callable[[Operand, ExprLike], Expr]:
    def method(self: Operand, other: ExprLike) -> Any:
        return self._operate(operation, symbol, other, False)

    return method


def _reflected(operation: operators.Operation, symbol: str) -> Callable[[Operand, ExprLike], Expr]:
    def method(self: Operand, other: ExprLike) -> Any:
        return self._operate(operation, symbol, other, True)

    return method


# The operators of numpy's numbers and arrays by the names of their functions.
_OPERATIONS: dict[str, tuple[operators.Operation, str]] = {
    "add": (operators.add, "+"),
    "subtract": (operators.sub, "-"),
    "multiply": (operators.mul, "*"),
    "divide": (operators.div, "/"),
    "true_divide": (operators.div, "/"),
    "floor_divide": (operators.floor_div, "//"),
    "remainder": (operators.mod, "%"),
    "power": (operators.power, "**"),
    "bitwise_and": (operators.bit_and, "&"),
    "bitwise_or": (operators.bit_or, "|"),
    "bitwise_xor": (operators.bit_xor, "^"),
    "left_shift": (operators.shift_left, "<<"),
    "right_shift": (operators.shift_right, ">>"),
    "equal": (operators.eq, "=="),
    "not_equal": (operators.ne, "!="),
    "less": (operators.lt, "<"),
    "less_equal": (operators.le, "<="),
    "greater": (operators.gt, ">"),
    "greater_equal": (operators.ge, ">="),
}


class Operand:
    """Base of Expr, Var, RVar, RDom, Param and references to Funcs: all operators, both ways."""

    __slots__ = ()

    @property
    def node(self) -> Node:
        """The IR expression that this object stands for."""
        raise NotImplementedError(type(self).__name__)

    def _operate(self, operation: operators.Operation, symbol: str, other: Any, reflected: bool) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return _elementwise(self, operation, symbol, other, reflected)
        node = operation(other, self) if reflected else operation(self, other)
        return NotImplemented if node is None else wrap(node)

    __add__, __radd__ = _binary(operators.add, "+"), _reflected(operators.add, "+")
    __sub__, __rsub__ = _binary(operators.sub, "-"), _reflected(operators.sub, "-")
    __mul__, __rmul__ = _binary(operators.mul, "*"), _reflected(operators.mul, "*")
    __truediv__, __rtruediv__ = _binary(operators.div, "/"), _reflected(operators.div, "/")
    __floordiv__, __rfloordiv__ = _binary(operators.floor_div, "//"), _reflected(operators.floor_div, "//")
    __mod__, __rmod__ = _binary(operators.mod, "%"), _reflected(operators.mod, "%")
    __pow__, __rpow__ = _binary(operators.power, "**"), _reflected(operators.power, "**")
    __and__, __rand__ = _binary(operators.bit_and, "&"), _reflected(operators.bit_and, "&")
    __or__, __ror__ = _binary(operators.bit_or, "|"), _reflected(operators.bit_or, "|")
    __xor__, __rxor__ = _binary(operators.bit_xor, "^"), _reflected(operators.bit_xor, "^")
    __lshift__, __rlshift__ = _binary(operators.shift_left, "<<"), _reflected(operators.shift_left, "<<")
    __rshift__, __rrshift__ = _binary(operators.shift_right, ">>"), _reflected(operators.shift_right, ">>")
    __eq__ = _binary(operators.eq, "==")  # type: ignore[assignment]
    __ne__ = _binary(operators.ne, "!=")  # type: ignore[assignment]
    __lt__ = _binary(operators.lt, "<")
    __le__ = _binary(operators.le, "<=")
    __gt__ = _binary(operators.gt, ">")
    __ge__ = _binary(operators.ge, ">=")
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Expr:
        return wrap(operators.negate(self.node))

    def __invert__(self) -> Expr:
        return wrap(operators.invert(self.node))

    def logical_not(self) -> Expr:
        """The logical not of a bool."""
        return wrap(operators.logical_not(self.node))

    def __bool__(self) -> bool:
        return True

    __float__ = no_number("float() or math function", "Use the function of pipec, such as hl.sqrt, or hl.f32(...).")
    __int__ = no_number("int()", "Use hl.i32(...).")
    __round__ = no_number("round()", "Use hl.round(...).")
    __abs__ = no_number("abs()", "Use hl.abs(...).")
    __index__ = no_index("range() or index")

    def __len__(self) -> int:
        """Raises TypeError: an expression has no length."""
        no_number("len()", "A Buffer has width() and height(), a Func dimensions().")(self)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **_: Any) -> Any:
        """Operators between numpy's numbers or arrays and expressions; TypeError for other functions of numpy."""
        if ufunc.__name__ not in _OPERATIONS or method != "__call__" or len(inputs) != 2:
            refuse_numpy(ufunc.__name__)
        operation, symbol = _OPERATIONS[ufunc.__name__]
        a, b = inputs
        return (
            a._operate(operation, symbol, b, False)
            if isinstance(a, Operand)
            else b._operate(operation, symbol, a, True)
        )

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Applies numpy's function for objects, where that has a meaning; TypeError for functions of pipec."""
        if has_counterpart(function.__name__):
            refuse_numpy(function.__name__)
        return function._implementation(*args, **kwargs)


def _elementwise(
    operand: Operand, operation: operators.Operation, symbol: str, array: np.ndarray[Any, Any], reflected: bool
) -> np.ndarray[Any, Any]:
    result = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        result[index] = operand._operate(operation, symbol, array[index], reflected)
    return result


class Expr(Operand):
    """A value of the pipeline: made by operators, calls of Funcs, and from Python numbers.

    >>> x = hl.Var("x")
    >>> (x + 1) * 2
    <halide.Expr of type int32: (x + 1) * 2>
    >>> hl.Expr(3).type()
    <halide.Type int32>
    """

    __slots__ = ("_node",)
    _node: Node | None

    def __init__(self, value: Any = ...) -> None:
        if value is ...:
            self._node = None
            return
        node = node_or_none(value)
        if node is None:
            raise TypeError(
                f"Expr(): incompatible constructor arguments: {value!r} is a {type(value).__name__}; "
                "an Expr can be made from a number, a Var, an RVar, an RDom, a Param or a reference to a Func"
            )
        self._node = node

    @property
    def node(self) -> Node:
        """The IR node of the expression. Raises DefinitionError for an undefined Expr."""
        if self._node is None:
            raise DefinitionError("Error: An undefined Expr (made by `Expr()`) was used: it is undefined.")
        return self._node

    def defined(self) -> bool:
        """Whether it holds a value."""
        return self._node is not None

    def type(self) -> Type:
        """The type of its value."""
        return self.node.type

    __bool__ = no_truth_value

    def _repr_latex_(self) -> str:
        from pipec.ir.latex import to_latex

        return r"$\text{(undefined)}$" if self._node is None else f"$\\displaystyle {to_latex(self._node)}$"

    def __repr__(self) -> str:
        if self._node is None:
            return "<halide.Expr of type void: (undefined)>"
        kind = self._node.type
        type_ = "bool" if kind.boolean else "handle64" if kind.is_handle() else kind
        return f"<halide.Expr of type {type_}: {self._node}>"


# What may stand in an expression: an Expr, Var, RVar, RDom, Param or reference to a Func, or a number.
ExprLike: TypeAlias = Operand | int | float | np.generic


def wrap(node: Node) -> Expr:
    """The Expr of an IR node."""
    expr = Expr.__new__(Expr)
    expr._node = node
    return expr


def refuse(message: str) -> Callable[..., NoReturn]:
    """A method that raises TypeError with `message`."""

    def method(*_: Any) -> NoReturn:
        raise TypeError(message)

    return method


def documented(name: str, summary: str, call: str, result: str) -> Callable[[F], F]:
    """Decorates an inner function: sets its name, and a docstring of a summary and an example that the tests run."""

    def name_function(function: F) -> F:
        function.__name__ = function.__qualname__ = name
        function.__doc__ = f"{summary}\n\n>>> {call}\n{result}\n"
        return function

    return name_function
