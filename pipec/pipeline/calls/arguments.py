"""The arguments of a pipeline as users list them, and the values bound to its Params, ImageParams and Buffers."""

from __future__ import annotations

import enum
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipec.errors import ArgumentError
from pipec.func.buffers.arrays import roomy_strides
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.param import OutputImageParam, Param, Parameter
from pipec.func.functions.parameter import ArgumentEstimates
from pipec.func.math.expr import Expr
from pipec.ir.expr import Const, ImageCall, ParameterRef, Variable
from pipec.ir.expr import Expr as Node
from pipec.ir.types import Type
from pipec.ir.walk import postorder, rewrite


class ArgumentKind(enum.Enum):
    """The kinds of arguments."""

    InputScalar = 0
    InputBuffer = 1
    OutputBuffer = 2


class Argument:
    """An argument of a pipeline: made from a Param, an ImageParam or a Buffer."""

    __slots__ = ("name", "kind", "dimensions", "type", "source")
    name: str
    kind: ArgumentKind
    dimensions: int
    type: Type | None
    source: Any

    def __init__(self, source: Any = None) -> None:
        if isinstance(source, Argument):
            source = source.source
        elif isinstance(source, Param | OutputImageParam):
            source = source.parameter()
        if source is None:
            self.name, self.kind, self.dimensions, self.type = "", ArgumentKind.InputScalar, 0, None
        elif isinstance(source, Parameter):
            self.kind = ArgumentKind.InputBuffer if source.is_buffer() else ArgumentKind.InputScalar
            self.name, self.dimensions, self.type = source.name(), source.dimensions(), source.type()
        elif isinstance(source, Buffer):
            self.name, self.kind = source.name(), ArgumentKind.InputBuffer
            self.dimensions, self.type = source.dimensions(), source.type()
        else:
            raise TypeError(
                f"incompatible function arguments: an argument is a Param, an ImageParam or a Buffer, not {source!r}"
            )
        self.source = source

    @property
    def argument_estimates(self) -> ArgumentEstimates:
        """The limits and estimates that were given for it."""
        if isinstance(self.source, Parameter):
            return self.source.get_argument_estimates()
        return ArgumentEstimates()

    def __repr__(self) -> str:
        return f"<halide.Argument '{self.name}' {self.kind.name} {self.type} dims: {self.dimensions}>"


def arguments_of(sources: Any) -> list[Argument]:
    """A list that a user wrote as Arguments."""
    if not isinstance(sources, list | tuple):
        raise TypeError(f"incompatible function arguments: a list of Params and ImageParams is needed, not {sources!r}")
    return [Argument(item) for item in sources]


def require_arguments(names: Sequence[str], bindings: Mapping[str, Any]) -> None:
    """The arguments that a user listed must be different, and give all that the pipeline reads."""
    for name, bound in bindings.items():
        if name not in names and not isinstance(bound, Buffer):
            what = "image parameter" if bound.is_buffer() else "parameter"
            raise ArgumentError(
                f"Error: Generated code refers to {what} {name}, which was not found in the argument list.\n\n"
                f"Argument list specified: {' '.join(names)}\n\n"
                f"Parameters referenced in generated code: {' '.join(sorted(bindings))}"
            )
    if len(set(names)) != len(names):
        raise ArgumentError(f"Error: An argument is listed more than once: {', '.join(names)}")


def inferred(bindings: Mapping[str, Any]) -> list[Argument]:
    """The inputs that a caller may pass: images, then scalars, each by name; not embedded Buffers."""
    arguments = [Argument(bound) for bound in bindings.values() if not isinstance(bound, Buffer)]
    return sorted(arguments, key=lambda argument: (argument.kind is ArgumentKind.InputScalar, argument.name))


def bound_value(name: str, bound: Any) -> Any:
    """The value that was set for an argument, a number or a Buffer; an error when there is none."""
    if isinstance(bound, Buffer):
        return bound
    if bound.is_buffer():
        buffer = bound.buffer()
        if buffer is None:
            raise ArgumentError(
                f"Error: Buffer argument {name} is nullptr: no Buffer was set for ImageParam {name}; call"
                f" {name}.set(buffer) before realize."
            )
        return buffer
    value = bound.scalar()
    if value is None:
        raise ArgumentError(
            f"Error: Parameter {name} does not have a valid scalar value. Call {name}.set(value) before realize."
        )
    return value


def properties(name: str, box: Iterable[tuple[int, int]]) -> dict[str, int]:
    """The values of the properties of a buffer that Exprs may mention."""
    values = {}
    for d, (minimum, extent) in enumerate(box):
        values[f"{name}.min.{d}"] = minimum
        values[f"{name}.extent.{d}"] = extent
    return values


def number_of(node: Node, values: Mapping[str, Any]) -> int | float | None:
    """The value of an expression over Params, or None when it mentions what `values` lacks or elements of images."""
    if isinstance(node, Const):
        constant: int | float = node.value
        return constant
    for part in postorder(node):
        if isinstance(part, ImageCall) or isinstance(part, ParameterRef) and part.name not in values:
            return None
    from pipec.ir.tape import evaluate

    plain = rewrite(node, lambda n: Variable(n.type, n.name) if isinstance(n, ParameterRef) else n)
    result: int | float = evaluate(plain, values).item()
    return result


def constraint_number(bound: Any, kind: str, dimension: int, values: Mapping[str, Any]) -> int | None:
    """The constraint of an ImageParam or output on the `min`, `extent` or `stride` of a dimension, as a number."""
    node = bound.constraint(kind, dimension) if isinstance(bound, Parameter) else None
    number = None if node is None else number_of(node, values)
    return None if number is None else int(number)


def storage_order(bound: Any, dimensions: int, values: Mapping[str, Any]) -> list[int]:
    """The order of dimensions, innermost first, that fits the stride constraints."""
    strides = [constraint_number(bound, "stride", d, values) for d in range(dimensions)]
    # A demanded stride of 1 lies innermost; larger ones follow, and those not demanded come last.
    return sorted(range(dimensions), key=lambda d: (strides[d] is None, strides[d] or 0, d))


def new_buffer(
    type: Type, box: Sequence[tuple[int, int]], bound: Any, values: Mapping[str, Any], name: str = ""
) -> Buffer:
    """Allocates memory for `box` with the strides that `bound`, the Parameter of an image or output, requires."""
    buffer = Buffer.strided(type, [extent for _, extent in box], demanded_strides(bound, box, values), name)
    buffer.set_min([minimum for minimum, _ in box])
    return buffer


def demanded_strides(bound: Any, box: Sequence[tuple[int, int]], values: Mapping[str, Any]) -> list[int]:
    """The strides that `bound` demands of memory for `box`; dimensions without a demand lie outside of the others."""
    demands = {d: constraint_number(bound, "stride", d, values) or 0 for d in range(len(box))}
    return roomy_strides([extent for _, extent in box], storage_order(bound, len(box), values), demands)


def check_ranges(bindings: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Values of Params must lie in their ranges."""
    for name, bound in bindings.items():
        if isinstance(bound, Buffer) or bound.is_buffer():
            continue
        for limit, word, wrong in (
            (bound.min_value(), "at least", operator.lt),
            (bound.max_value(), "at most", operator.gt),
        ):
            end = number_of(limit.node, values) if limit.defined() else None
            if end is not None and wrong(values[name], end):
                raise ArgumentError(f"Error: Parameter {name} is {values[name]} but must be {word} {end}")


def has_ranges(bindings: Mapping[str, Any]) -> bool:
    """Whether any Param has a range for check_ranges."""
    return any(
        isinstance(bound, Parameter)
        and not bound.is_buffer()
        and (bound.min_value().defined() or bound.max_value().defined())
        for bound in bindings.values()
    )


def text_of_requirement(parts: Iterable[Any], values: Mapping[str, Any]) -> str:
    """The words and values of a requirement that failed."""
    words = []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
            continue
        number = number_of(part, values)
        words.append(f"{number:f}" if isinstance(number, float) else str(number))
    return " ".join(words)


def undefined(value: Any) -> bool:
    """Whether this is `Expr()`."""
    return isinstance(value, Expr) and not value.defined()
