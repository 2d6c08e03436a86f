"""Reading a Buffer or ImageParam at Expr coordinates: the Expr of one element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.func.convert import cast, convert
from pipec.func.expr import Expr, wrap
from pipec.func.var import expand_placeholder, has_placeholder
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import ImageCall
from pipec.ir.types import INT32


def image_call(image: Any, indices: Sequence[Any]) -> Expr:
    """The element of `image` (a Buffer or a Parameter) at these coordinates; `_` stands for those not written."""
    dimensions = image.dimensions()
    if has_placeholder(indices):
        indices = expand_placeholder(indices, dimensions - len(indices) + 1)
    args = tuple([_index(index, image.name()) for index in indices])
    node: Node = ImageCall(image.type(), image.name(), args, image)
    if len(args) != dimensions:
        raise DefinitionError(
            f"Error: Dimensionality mismatch accessing Buffer {image.name()}. There were {len(args)} arguments, but the"
            f" Buffer has {dimensions} dimensions:\n  {node}"
        )
    return wrap(node)


def _index(value: Any, name: str) -> Node:
    node = convert(value, "an index")
    if not INT32.can_represent(node.type):
        raise DefinitionError(
            "Error: Args to a call to an Image must be representable as 32-bit integers,"
            f" but an index of {name} is {node} of type {node.type}. Cast it: i32(...)."
        )
    return cast(INT32, node)
