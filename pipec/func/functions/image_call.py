"""Reading a Buffer or ImageParam at Expr coordinates: the Expr of one element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError, DimensionError
from pipec.func.functions.var import expand_placeholder, has_placeholder
from pipec.func.math.convert import cast, convert
from pipec.func.math.expr import Expr, wrap
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import ImageCall
from pipec.ir.types import INT32


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
