"""Which lanes of a long vector lie within a bound: asked in as few bits as lanes need, not in those of coordinates.

    ramp(x, 1, 32) <= x32(w)  -->  ramp(int8(0), int8(1), 32) <= x32(int8(clamp(w - x, -1, 32)))

A mask of 32 lanes is then one comparison of one register instead of two and a union.
"""

from __future__ import annotations

from typing import Any

from pipec.ir.build import as_expr, cast, constant, max_, min_, sub
from pipec.ir.conditions import MIRRORED, ORDERING
from pipec.ir.expr import Broadcast, Compare, Ramp
from pipec.ir.node import Node
from pipec.ir.stmt import Stmt
from pipec.ir.types import INT32, INT64, Int
from pipec.ir.walk import rewrite

# A register holds this many coordinates; comparisons of no more lanes are as short as they can be.
_LANES_OF_COORDINATES = 16


def narrow_masks(stmt: Stmt) -> Stmt:
    """`stmt` with comparisons of many neighbouring coordinates with one number made in narrow types."""
    memo: dict[Node, Any] = {}
    narrowed: Stmt = rewrite(stmt, _narrowed, memo)
    return narrowed


def _narrowed(node: Any) -> Any:
    if not isinstance(node, ORDERING) or node.type.nlanes <= _LANES_OF_COORDINATES:
        return node
    kind: type[Compare] = type(node)
    ramp, limit = node.a, node.b
    if isinstance(limit, Ramp):
        ramp, limit, kind = limit, ramp, MIRRORED[kind]
    if not isinstance(ramp, Ramp) or not isinstance(limit, Broadcast) or ramp.type.element_of() is not INT32:
        return node
    if constant(ramp.stride) != 1:
        return node
    lanes = ramp.lanes
    narrow = Int(8) if lanes < 128 else Int(16)
    # Any two coordinates: their distance may need more than 32 bits.
    distance = sub(cast(INT64, limit.value), cast(INT64, ramp.base))
    near = cast(narrow, max_(min_(distance, as_expr(lanes, INT64)), as_expr(-1, INT64)))
    first = Ramp(as_expr(0, narrow), as_expr(1, narrow), lanes)
    return kind(first, Broadcast(near, lanes))
