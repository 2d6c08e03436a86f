"""Funcs that a C function computes: `Func.define_extern` and its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError, NotSupportedError, require_instance
from pipec.func.buffers.buffer import Buffer
from pipec.func.directives.options import NameMangling
from pipec.func.functions.define import define_pure
from pipec.func.functions.definition import user_location
from pipec.func.functions.function import Function
from pipec.func.functions.param import OutputImageParam
from pipec.func.functions.var import Var
from pipec.func.math.convert import node_or_none
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import ExternValue, FuncCall, ImageCall, ReductionVariable, const
from pipec.ir.extern_functions import address_of_pointer, name_of_pointer
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.target import DeviceAPI


class ExternFuncArgument:
    """An argument of a C function: a Func, a Buffer or an ImageParam (as halide_buffer_t), or an Expr (as a number)."""

    __slots__ = ("_value",)

    def __init__(self, value: Any = None) -> None:
        kinds = (Buffer, OutputImageParam)
        is_buffer_or_func = value is None or isinstance(value, kinds) or _function_of(value) is not None
        if not is_buffer_or_func and node_or_none(value) is None:
            raise TypeError(
                "__init__(): incompatible constructor arguments. An ExternFuncArgument is made of a Func, Buffer, "
                f"ImageParam, Param, Expr or number, not of {value!r}"
            )
        self._value = value

    def defined(self) -> bool:
        """Whether it was made of something."""
        return self._value is not None

    def is_func(self) -> bool:
        """Returns whether the argument is a Func."""
        return _function_of(self._value) is not None

    def is_buffer(self) -> bool:
        """Returns whether the argument is a Buffer."""
        return isinstance(self._value, Buffer)

    def is_image_param(self) -> bool:
        """Returns whether the argument is an ImageParam."""
        return isinstance(self._value, OutputImageParam)

    def is_expr(self) -> bool:
        """Returns whether the argument is a scalar expression."""
        return self.defined() and not (self.is_func() or self.is_buffer() or self.is_image_param())

    def nodes(self, owner: str) -> list[Node]:
        """The operands of an ExternValue that it makes, for messages about Func `owner`."""
        function = _function_of(self._value)
        if function is not None:
            if not function.defined:
                raise DefinitionError(
                    f'Error: In extern definition for Func "{owner}":\nFunc {function.name} is given to the extern '
                    "function but has no definition yet. Define it first."
                )
            origin = tuple([const(0) for _ in function.args])
            kinds = enumerate(function.types)
            return [FuncCall(kind, function.name, origin, index, function) for index, kind in kinds]
        if self.is_buffer() or self.is_image_param():
            image = self._value if self.is_buffer() else self._value.parameter()
            return [ImageCall(image.type(), image.name(), (const(0),) * image.dimensions(), image)]
        node = None if self._value is None else node_or_none(self._value)
        if node is None:
            raise DefinitionError(f'Error: In extern definition for Func "{owner}":\nBad ExternFuncArgument type')
        if any(isinstance(part, FuncCall | ImageCall | ReductionVariable) for part in postorder(node)):
            raise NotSupportedError(
                f'Error: In extern definition for Func "{owner}": the argument {node} reads a Func or image. Numbers '
                "given to an extern function may be made of Params and constants only; give it the Func itself."
            )
        return [node]


def _function_of(value: Any) -> Function | None:
    function = getattr(value, "function", None)
    return function if isinstance(function, Function) else None


class ExternDefinition:
    """The methods of Func about C functions."""

    __slots__ = ()
    _function: Function

    def define_extern(self, function_name: Any, params: Sequence[Any], *rest: Any, **named: Any) -> None:
        """The Func is what the C function `function_name` computes.

        define_extern(name, params, type or types, dimensionality or Vars, mangling=..., device_api=...)

        `params`: ExternFuncArguments. The function is `int name(params..., outputs...)`: a halide_buffer_t* for each
        value of a Func, for each Buffer and ImageParam, then for each type; numbers are passed by value. It returns 0
        when all is well. It is also called with input buffers without memory (`host` is NULL): then it shall only set
        the min and extent of each of them to what it needs for the region of the outputs.

        Its loops run inside of the function. Those that a directive makes serial, parallel or unrolled, and the outer
        ones of splits, are loops around its call, in which other Funcs can be computed.

        It is looked for in the program and in libraries loaded with ctypes.CDLL(path, ctypes.RTLD_GLOBAL). Here a
        ctypes function pointer (or anything with an `address`) may be given instead of a name.
        """
        function, location = self._function, user_location()
        kinds, names = _form(rest, named)
        if function.defined:
            raise DefinitionError(
                f'Error: In extern definition for Func "{function.name}":\n'
                f"Func with a pure definition cannot have an extern definition. ({location})"
            )
        symbol = _symbol(function_name)
        if any(_function_of(getattr(item, "_value", item)) is function for item in params):
            raise DefinitionError(
                f'Error: In extern definition for Func "{function.name}":\nExtern Func has itself as an argument '
                f"({location})"
            )
        arguments = [item if isinstance(item, ExternFuncArgument) else ExternFuncArgument(item) for item in params]
        operands = tuple([node for argument in arguments for node in argument.nodes(function.name)])
        values = [ExternValue(kind, symbol, operands, index) for index, kind in enumerate(kinds)]
        define_pure(function, names, values, location)

    def is_extern(self) -> bool:
        """Whether a C function computes it."""
        return self.extern_function_name() != ""

    def extern_function_name(self) -> str:
        """The name of the C function that computes it; empty when there is none."""
        stages = self._function.stages
        value = stages[0].values[0] if stages else None
        return value.symbol if isinstance(value, ExternValue) else ""


def _symbol(name: Any) -> str:
    if isinstance(name, str):
        if not name.isidentifier() or not name.isascii():
            raise DefinitionError(f"Error: {name!r} is no name of a C function.")
        return name
    if address_of_pointer(name) is None:
        raise TypeError(
            "define_extern(): incompatible function arguments: the first is the name of a C function, or a ctypes "
            f"function pointer, not {name!r}"
        )
    return name_of_pointer(name)


_NAMES = (("types", "type"), ("arguments", "dimensionality"), ("mangling",), ("device_api",))
_DEFAULTS = (None, None, NameMangling.Default, DeviceAPI.Host)


def _form(rest: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Type, ...], list[str]]:
    """The types of the values and the names of the dimensions, from the forms that define_extern takes."""
    values = list(rest)
    for words, default in zip(_NAMES[len(values) :], _DEFAULTS[len(values) :], strict=True):
        values.append(next((named.pop(word) for word in words if word in named), default))
    kinds = (values[0],) if isinstance(values[0], Type) else values[0]
    names = values[1]
    if isinstance(names, int) and not isinstance(names, bool):
        names = [Var.implicit(d) for d in range(names)]
    wrong = named or len(values) > len(_NAMES) or not isinstance(kinds, list | tuple) or not kinds
    if wrong or not isinstance(names, list | tuple) or not all(isinstance(name, Var) for name in names):
        raise TypeError(
            "define_extern(): incompatible function arguments. It is called as define_extern(name, params, type or "
            "types, dimensionality or Vars), with mangling and device_api as keywords."
        )
    if not all(isinstance(kind, Type) for kind in kinds):
        raise TypeError(f"define_extern(): incompatible function arguments: {kinds!r} are no Types")
    require_instance("define_extern", NameMangling, values[2])
    require_instance("define_extern", DeviceAPI, values[3])
    if values[2] is NameMangling.CPlusPlus:
        raise NotSupportedError('Error: Extern functions are called by their C names: declare them extern "C".')
    if values[3] not in (DeviceAPI.Host, DeviceAPI["None"]):
        raise NotSupportedError(f"Error: Extern functions for {values[3]} are not supported, only those of the host.")
    return tuple(kinds), [name.name() for name in names]
