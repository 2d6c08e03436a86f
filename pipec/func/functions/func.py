"""`Func`: the handle by which users define a function over an integer grid, schedule it and realize it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from pipec.errors import DefinitionError, PipecError, UndefinedError
from pipec.func.buffers.buffer import Buffer
from pipec.func.directives.placement import Placement
from pipec.func.directives.stage import Stage
from pipec.func.functions.define import define_pure, define_update
from pipec.func.functions.definition import StageDef, short_traceback, user_location
from pipec.func.functions.extern import ExternDefinition
from pipec.func.functions.function import Function
from pipec.func.functions.param import OutputImageParam
from pipec.func.functions.parameter import output_parameters
from pipec.func.functions.rdom import RVar
from pipec.func.functions.realizable import Realizable
from pipec.func.functions.ref import FuncRef, Index, UnevaluatedFuncRefExpr, as_arguments, call_arguments, index_node
from pipec.func.functions.tuple import TupleLike, tuple_nodes
from pipec.func.functions.var import (
    Var,
    expand_placeholder,
    has_placeholder,
    implicit_count,
    implicit_index,
    split_names,
)
from pipec.func.functions.wrappers import Wrapping
from pipec.func.math.convert import convert, node_or_none
from pipec.func.math.expr import Expr, ExprLike, wrap
from pipec.func.math.mistakes import Uncomputed
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import FuncCall, ImageCall, Variable
from pipec.ir.types import Type
from pipec.ir.walk import free_variables, rewrite
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.pipeline.pipeline import Pipeline


class Func(Placement, Realizable, Wrapping, ExternDefinition, Uncomputed):
    """A pure function of its coordinates, defined by `f[x, y] = expression` and refined by updates.

    Func(), Func(name), Func(type or types, dimensions, name), Func(expression of implicit variables), Func(buffer).

    >>> x, y = hl.vars("x y")
    >>> f = hl.Func("f")
    >>> f[x, y] = x + 10 * y
    >>> f[x, 0] += 100
    >>> f.realize([3, 2]).numpy().tolist()
    [[100, 101, 102], [10, 11, 12]]
    """

    __slots__ = ("_function",)
    __hash__ = object.__hash__
    # Every index is legal, so that Python's iteration by index would never end.
    __iter__ = None
    __contains__ = None

    def __init__(self, *args: Any, **keywords: Any) -> None:
        location = user_location()
        if not args and not keywords:
            self._function = Function(None, location)
        elif len(args) == 1 and not keywords and isinstance(args[0], str):
            self._function = Function(args[0], location)
        elif len(args) + len(keywords) == 3:
            self._function = _typed_function(*_typed_arguments(args, keywords))
        elif len(args) == 1 and not keywords:
            self._function = _function_of(args[0])
        else:
            raise TypeError(f"Func(): incompatible constructor arguments: {args!r}, {keywords!r}")

    @property
    def function(self) -> Function:
        """The Func as the compiler knows it."""
        return self._function

    # Definition.

    def __getitem__(self, key: Index) -> FuncRef:
        return FuncRef(self._function, as_arguments(key))

    def __setitem__(self, key: Index, value: ExprLike | TupleLike) -> None:
        args = as_arguments(key)
        try:
            if isinstance(value, UnevaluatedFuncRefExpr):
                self._define_from_unevaluated(args, value)
            else:
                self._define(args, _value_nodes(value, self._function))
        except PipecError as error:
            raise short_traceback(error) from error.__cause__

    def _define(self, args: Sequence[Any], values: list[Node]) -> None:
        function, location = self._function, user_location()
        if function.defined:
            define_update(function, _update_arguments(function, args, values), values, location)
            return
        names = []
        for at, arg in enumerate(_expand(function, args, values)):
            if not isinstance(arg, Var):
                index_node(arg, at, function.name)
                raise DefinitionError(
                    f'Error: Argument {at + 1} in initial definition of "{function.name}" is not a Var. ({location}) '
                    "The first definition gives the value at every point; use an update for single places or an RDom."
                )
            names.append(arg.name())
        define_pure(function, names, values, location)

    def _define_from_unevaluated(self, args: Sequence[Any], value: UnevaluatedFuncRefExpr) -> None:
        function = self._function
        other = value.reference.function
        if other is not function:
            value.reference.check_defined()
        if function.defined:
            raise DefinitionError(
                f"Cannot use an unevaluated reference to '{value.reference.function.name}' to define an update when a "
                f"pure definition already exists. ({user_location()})"
            )
        if other is not function or not _same_place(args, value.reference.args):
            raise DefinitionError(
                f"Cannot use an unevaluated reference to '{other.name}' to define an update at a different location."
                f" ({user_location()}) Func {function.name} has no pure definition yet: give it one first."
            )
        args = _expand(function, args, [convert(value.other)])
        pure = [arg.name() if isinstance(arg, Var) else Var().name() for arg in args]
        define_pure(function, pure, [value.neutral()], user_location())
        result = value.operation(FuncRef(function, args), value.other)
        assert result is not None
        self._define(args, [result])

    # Queries.

    def name(self) -> str:
        """Returns the name of the Func."""
        return self._function.name

    def defined(self) -> bool:
        """Whether it has a definition."""
        return self._function.defined

    def args(self) -> list[Var]:
        """The pure variables, dimension 0 first."""
        return [Var(name) for name in self._function.args]

    def dimensions(self) -> int:
        """Returns the number of dimensions.

        Raises DefinitionError when neither a definition nor a constructor gave it.
        """
        function = self._function
        if not function.defined and function.required_dimensions is None:
            raise DefinitionError(_no_requirement("dimensions", function, "dimension"))
        if function.defined or function.required_dimensions is None:
            return function.dimensions
        return function.required_dimensions

    def types(self) -> list[Type]:
        """Returns the types of the values, one for each element of a Tuple.

        Raises DefinitionError when they are not known yet.
        """
        function = self._function
        if not function.defined and not function.required_types:
            raise DefinitionError(_no_requirement("types", function, "type"))
        return list(function.types if function.defined else function.required_types)

    def type(self) -> Type:
        """Returns the type of the value. Raises DefinitionError for a Func that returns a Tuple or has no type yet."""
        function = self._function
        if not function.defined and not function.required_types:
            raise DefinitionError(_no_requirement("type", function, "type"))
        types = self.types()
        if len(types) != 1:
            raise DefinitionError(
                f'Error: Can\'t call Func::type on Func "{function.name}" because it returns a Tuple. Use types().'
            )
        return types[0]

    def outputs(self) -> int:
        """Returns the number of values at each point."""
        function = self._function
        if not function.defined and not function.required_types:
            raise DefinitionError(_no_requirement("outputs", function, "type"))
        return len(self.types())

    def value(self) -> Expr:
        """The right-hand side of the pure definition."""
        values = self._values("value()")
        if len(values) != 1:
            raise DefinitionError(
                f'Error: Can\'t call Func::value() on Func "{self.name()}", because it has multiple values. '
                "Use values()."
            )
        return values[0]

    def values(self) -> tuple[Expr, ...]:
        """The right-hand sides of the pure definition, one for each element of a Tuple."""
        return self._values("values()")

    def _values(self, method: str) -> tuple[Expr, ...]:
        if not self._function.defined:
            raise UndefinedError(
                f"Error: Can't call Func::{method} on an undefined Func. To check if a Func is defined, "
                f"call Func::defined(). ({self._function.name}, made at {self._function.location})"
            )
        return tuple(wrap(value) for value in self._function.stages[0].values)

    def has_update_definition(self) -> bool:
        """Returns whether the Func has an update definition."""
        return self.num_update_definitions() > 0

    def num_update_definitions(self) -> int:
        """Returns the number of update definitions."""
        return max(len(self._function.stages) - 1, 0)

    def update_args(self, idx: int = 0) -> list[Expr]:
        """The coordinates on the left of update number `idx`."""
        return [wrap(self._live(arg)) for arg in self._update(idx, "update_args()").args]

    def update_values(self, idx: int = 0) -> tuple[Expr, ...]:
        """The values of update number `idx`, one for each element of a Tuple."""
        return tuple(wrap(self._live(value)) for value in self._update(idx, "update_values()").values)

    def update_value(self, idx: int = 0) -> Expr:
        """The value of update number `idx`."""
        values = self.update_values(idx)
        if len(values) != 1:
            raise DefinitionError(
                f'Error: Can\'t call Func::update_value() on Func "{self.name()}", because it has multiple values.'
            )
        return values[0]

    def rvars(self, idx: int = 0) -> list[RVar]:
        """The variables of the RDom of an update."""
        return [RVar(loop.name) for loop in self._update(idx, "rvars()").rvars]

    def _live(self, node: Node) -> Node:
        """The expression with calls of this Func, which updates know by name only, as calls of it again."""
        function = self._function

        def change(n: Any) -> Any:
            own = isinstance(n, FuncCall) and n.function is None and n.name == function.name
            return FuncCall(n.type, n.name, n.args, n.value_index, function) if own else n

        return rewrite(node, change)

    def _update(self, idx: int, method: str) -> StageDef:
        if not 0 <= operator.index(idx) < self.num_update_definitions():
            raise DefinitionError(
                f'Error: Can\'t call Func::{method} on Func "{self.name()}" as it has no update definition '
                f"number {idx}. Use Func::has_update_definition() to check for the existence of an update definition."
            )
        return self._function.stages[idx + 1]

    def update(self, idx: int = 0) -> Stage:
        """The schedule of update number `idx`."""
        if not 0 <= operator.index(idx) < self.num_update_definitions():
            raise DefinitionError(
                "Error: Call to update with index larger than last defined update stage for "
                f'Func "{self.name()}". ({idx}; it has {self.num_update_definitions()} updates)'
            )
        return Stage(self._function, idx + 1)

    # As a pipeline.

    def _pipeline(self) -> Pipeline:
        from pipec.pipeline.pipeline import Pipeline

        return Pipeline._of(self._function)

    def output_buffer(self) -> OutputImageParam:
        """The buffer that the Func (its first value) is computed into, for demands on its bounds and strides."""
        return self.output_buffers()[0]

    def output_buffers(self) -> list[OutputImageParam]:
        """As output_buffer, one for each value of a Tuple."""
        return [OutputImageParam(parameter) for parameter in output_parameters(self._function)]

    @overload
    def realize(
        self, sizes: Sequence[int] = (), target: Target | None = None, *, threads: int | None = None
    ) -> Any: ...
    @overload
    def realize(
        self,
        dst: Buffer | np.ndarray | Sequence[Buffer | np.ndarray],
        target: Target | None = None,
        *,
        threads: int | None = None,
    ) -> None: ...

    def realize(self, *args: Any, **keywords: Any) -> Any:
        """As `Pipeline.realize`: `realize([w, h])` gives a Buffer, `realize(buffer)` fills one."""
        function = self._function
        call = function.realize_call
        if call is not None and len(args) == 1 and not keywords:
            result = call(args[0])
            if result is not False:
                return result
        pipeline = self._pipeline()
        result = pipeline.realize(*args, **keywords)
        if pipeline._realize_call is not None:
            function.realize_call = pipeline._realize_call
        return result

    def __repr__(self) -> str:
        return f"<halide.Func '{self.name()}'>"


def _no_requirement(method: str, function: Function, what: str) -> str:
    return (
        f'Error: Can\'t call Func::{method} on Func "{function.name}" because it is undefined or has no {what} '
        f"requirements. (made at {function.location})"
    )


def _typed_arguments(args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, Any, Any]:
    names = ("required_types" if "required_types" in keywords else "required_type", "required_dimensions", "name")
    values = [*args, *[keywords[name] for name in names[len(args) :] if name in keywords]]
    if len(values) != 3:
        raise TypeError(f"Func(): incompatible constructor arguments: {args!r}, {keywords!r}")
    return values[0], values[1], values[2]


def _typed_function(types: Any, dimensions: Any, name: Any) -> Function:
    required = (types,) if isinstance(types, Type) else tuple(types)
    if not all(isinstance(t, Type) for t in required) or not isinstance(dimensions, int) or not isinstance(name, str):
        raise TypeError(f"Func(): incompatible constructor arguments: {types!r}, {dimensions!r}, {name!r}")
    function = Function(name, user_location())
    function.required_types = required
    function.required_dimensions = dimensions if dimensions >= 0 else None
    return function


def _function_of(source: Any) -> Function:
    """The Function of Func(expression) or Func(buffer): defined over implicit variables."""
    if hasattr(source, "dimensions") and not isinstance(source, Func) and node_or_none(source) is None:
        variables = tuple(Var.implicit(i) for i in range(source.dimensions()))
        node = node_or_none(source[variables])
    else:
        node = node_or_none(source)
    if node is None:
        raise TypeError(f"Func(): incompatible constructor arguments: {source!r}")
    prefix = node.name if isinstance(node, ImageCall) else None
    function = Function(f"{prefix}_im" if prefix else None, user_location())
    define_pure(function, [f"_{i}" for i in range(implicit_count([node]))], [node], user_location())
    return function


def _value_nodes(value: Any, function: Function) -> list[Node]:
    if isinstance(value, FuncRef):
        return value.elements()
    if isinstance(value, Expr) and not value.defined():
        raise DefinitionError(f'Error: Value 1 in definition of "{function.name}" is undefined. ({user_location()})')
    node = node_or_none(value)
    if node is not None:
        return [node]
    nodes = tuple_nodes(value)
    if nodes is None:
        raise TypeError(
            "__setitem__(): incompatible function arguments. The value of a Func is an Expr, a number, or a tuple of "
            f"these, but {function.name} was given the {type(value).__name__} {value!r}"
        )
    return nodes


def _expand(function: Function, args: Sequence[Any], values: Sequence[Node]) -> list[Any]:
    """Left-hand arguments with `_` replaced by the implicit variables that the values use."""
    count = implicit_count(values)
    if has_placeholder(args):
        return expand_placeholder(args, count)
    if count and not any(isinstance(arg, Var) and arg.is_implicit() for arg in args):
        raise DefinitionError(_implicit_without_placeholder(function))
    return list(args)


def _implicit_without_placeholder(function: Function) -> str:
    return (
        f"Error: Right-hand-side of update definition of {function.name} uses implicit variables, but the "
        f"left-hand-side does not contain the placeholder symbol '_'. ({user_location()})"
    )


def _update_arguments(function: Function, args: Sequence[Any], values: Sequence[Node]) -> tuple[Node, ...]:
    nodes = call_arguments(function, args)
    used = {name for value in values for name in free_variables(value) if implicit_index(name) is not None}
    own = {node.name for node in nodes if isinstance(node, Variable)}
    if used and not has_placeholder(args) and not any(implicit_index(name) is not None for name in own):
        raise DefinitionError(_implicit_without_placeholder(function))
    return nodes


def _same_place(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return len(left) == len(right) and all(_same_argument(a, b) for a, b in zip(left, right, strict=True))


def _same_argument(a: Any, b: Any) -> bool:
    if isinstance(a, Var) and isinstance(b, Var):
        return a.name() == b.name()
    if isinstance(a, Var) and a.is_placeholder() or isinstance(b, Var) and b.is_placeholder():
        return False
    return node_or_none(a) is node_or_none(b)


def funcs(names: str) -> tuple[Func, ...]:
    """Several Funcs from their names, separated by spaces or commas.

    >>> blur_x, blur_y = hl.funcs("blur_x blur_y")
    """
    return tuple(Func(name) for name in split_names(names, "funcs"))


def lambda_func(*args: Any) -> Func:
    """The Func of some Vars, then its value: lambda_func(x, y, x + y).

    >>> x = hl.Var("x")
    >>> hl.lambda_func(x, x * x).realize([4]).numpy().tolist()
    [0, 1, 4, 9]
    """
    *variables, value = args
    func = Func.__new__(Func)
    func._function = Function(None, user_location(), prefix="lambda_")
    func[tuple(variables)] = value
    return func
