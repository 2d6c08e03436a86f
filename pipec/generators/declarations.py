"""InputBuffer, InputScalar, OutputBuffer, OutputScalar: what the class of a generator declares.

In methods of the generator an ImageParam, Param or Func of the attribute's name stands in the declaration's place.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from pipec.errors import ArgumentError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import user_location
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.functions.param import ImageParam, Param, Parameter
from pipec.func.math.expr import Expr
from pipec.generators.param import type_list
from pipec.ir.types import Type
from pipec.records import dataclass


class ArgInfoDirection(enum.Enum):
    """The direction of an argument."""

    Input = 0
    Output = 1


class ArgInfoKind(enum.Enum):
    """The kind of an argument."""

    Scalar = 0
    Function = 1
    Buffer = 2


@dataclass
class ArgInfo:
    """One argument of the function that a generator makes."""

    name: str = ""
    dir: ArgInfoDirection = ArgInfoDirection.Input
    kind: ArgInfoKind = ArgInfoKind.Scalar
    types: Sequence[Type] = ()
    dimensions: int = 0


class _Declaration:
    """Types (empty when left open) and dimensions (None when left open) of an input or output."""

    declared_types: list[Type]
    declared_dimensions: int | None
    direction = ArgInfoDirection.Input
    kind = ArgInfoKind.Buffer

    def _declare(self, types: Any, dimensions: int | None) -> None:
        self.declared_types, self.declared_dimensions = type_list(types), dimensions


class InputBuffer(_Declaration, ImageParam):
    """An input image: `InputBuffer(type, dimensions)`; None leaves either to a GeneratorParam `name.type`, `.dim`."""

    def __init__(self, type: Type | None, dimensions: int | None) -> None:
        self._declare(type, dimensions)
        is_complete = bool(self.declared_types) and dimensions is not None
        super().__init__(*((self.declared_types[0], dimensions) if is_complete else ()))

    def bind(self, info: ArgInfo, value: Any) -> ImageParam:
        """The ImageParam that stands for `value`, which a caller gave."""
        if not isinstance(value, Buffer | ImageParam):
            raise ArgumentError(
                f"Input {info.name} requires an ImageParam or Buffer argument when using call(), but saw {value}"
            )
        _check_defined(info, value)
        check_match(info, [value.type()], value.dimensions())
        if isinstance(value, ImageParam):
            return value
        input = ImageParam(value.type(), value.dimensions(), info.name)
        # An image of any layout may be bound to the name.
        if value.dimensions() and value.dim(0).stride() != 1:
            input.dim(0).set_stride(Expr())
        input.set(value)
        return input

    def make(self, info: ArgInfo) -> ImageParam:
        """Returns the ImageParam for this input."""
        return ImageParam(info.types[0], info.dimensions, info.name)


class InputScalar(_Declaration, Param):
    """An input number: `InputScalar(type)`."""

    kind = ArgInfoKind.Scalar

    def __init__(self, type: Type | None) -> None:
        self._declare(type, 0)
        self._parameter = Parameter(self.declared_types[0], False, 0) if self.declared_types else Parameter()

    def bind(self, info: ArgInfo, value: Any) -> Param:
        """The Param that stands for `value`, which a caller gave."""
        if isinstance(value, bool | int | float):
            input = self.make(info)
            input.set(value)
            return input
        if not isinstance(value, Param):
            raise ArgumentError(
                f"Input {info.name} requires a Param (or scalar literal) argument when using call(), but saw {value}."
            )
        check_match(info, [value.type()], 0)
        return value

    def make(self, info: ArgInfo) -> Param:
        """Returns the Param for this input."""
        return Param(info.types[0], info.name)


class OutputBuffer(_Declaration, Func):
    """An output: `OutputBuffer(type or list of types, dimensions)`, a Func that generate() defines."""

    direction = ArgInfoDirection.Output

    def __init__(self, types: Any, dimensions: int | None) -> None:
        self._declare(types, dimensions)
        self._function = Function(None, user_location(), "output")
        self._function.required_types, self._function.required_dimensions = tuple(self.declared_types), dimensions

    def make(self, info: ArgInfo) -> Func:
        """Returns the Func for this output."""
        return Func(list(info.types), info.dimensions, info.name)


class OutputScalar(OutputBuffer):
    """An output of one number, or of a Tuple: a Func without dimensions."""

    kind = ArgInfoKind.Scalar

    def __init__(self, types: Any) -> None:
        super().__init__(types, 0)


def _check_defined(info: ArgInfo, value: Any) -> None:
    if not value.defined():
        raise ArgumentError(f"Cannot set the value for {info.name} to an undefined value.")


def check_match(info: ArgInfo, types: Sequence[Type], dimensions: int) -> None:
    """Raises an error unless a value has the declared types and dimensions."""
    name = info.name
    if len(types) != len(info.types):
        raise ArgumentError(f"Type mismatch for {name}: expected {len(info.types)} types but saw {len(types)}")
    for number, (expected, actual) in enumerate(zip(info.types, types, strict=True)):
        if expected is not actual:
            raise ArgumentError(f"Type mismatch for {name}:{number}: expected {expected} saw {actual}")
    if dimensions != info.dimensions:
        raise ArgumentError(f"Dimensions mismatch for {name}: expected {info.dimensions} saw {dimensions}")
