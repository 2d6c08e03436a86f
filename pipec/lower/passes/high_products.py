"""Products of 32-bit vectors of which only the upper half counts are one intrinsic.

    uint32(shift_right(uint64(a) * uint64(b), 35))  -->  mulhi_shr(a, b, 3)

Fixed-point arithmetic and divisions by invariant numbers are made of them. No vector of 64-bit lanes is needed then.
"""

from __future__ import annotations

from pipec.ir.build import cast, constant
from pipec.ir.expr import Broadcast, Cast, Const, Expr, Intrinsic, Max, Min, Mul
from pipec.ir.node import Node
from pipec.ir.stmt import Stmt
from pipec.ir.types import UInt
from pipec.ir.walk import rewrite

_BITS = 32


def high_products(stmt: Stmt) -> Stmt:
    """`stmt` with the intrinsic wherever a shifted product is cut to 32 bits or fewer."""
    return rewrite(stmt, _changed)


def _changed(node: Node) -> Node:
    if not isinstance(node, Cast) or node.type.nlanes == 1 or not node.type.integral or node.type.nbits > _BITS:
        return node
    value = node.value
    if not value.type.integral or value.type.nbits != 2 * _BITS:
        return node
    shifted = _unclamped(value)
    if not isinstance(shifted, Intrinsic) or shifted.name != "shift_right" or not isinstance(shifted.args[0], Mul):
        return node
    count, product = constant(shifted.args[1]), shifted.args[0]
    a, b = _narrow(product.a), _narrow(product.b)
    if count is None or not _BITS <= count < 2 * _BITS or a is None or b is None or a.type is not b.type:
        return node
    rest = Broadcast(Const(UInt(_BITS), int(count) - _BITS), node.type.nlanes)
    return cast(node.type.element_of(), Intrinsic(a.type, "mulhi_shr", (a, b, rest)))


def _unclamped(value: Expr) -> Expr:
    """The value without clamps to the range that 32 bits have: an upper half never leaves it."""
    narrow = value.type.with_bits(_BITS).element_of()
    while isinstance(value, (Min, Max)):
        limit = constant(value.b)
        if limit is None:
            return value
        inside = limit >= narrow.max_value() if isinstance(value, Min) else limit <= narrow.min_value()
        if not inside:
            return value
        value = value.a
    return value


def _narrow(factor: Expr) -> Expr | None:
    """A 64-bit factor as the 32-bit vector that it was widened from."""
    narrow = factor.type.with_bits(_BITS)
    if isinstance(factor, Cast) and factor.value.type is narrow:
        return factor.value
    if isinstance(factor, Broadcast):
        value = factor.value
        if isinstance(value, Cast) and value.value.type is narrow.element_of():
            return Broadcast(value.value, factor.lanes)
        number = constant(value)
        if number is not None and narrow.min_value() <= number <= narrow.max_value():
            return Broadcast(Const(narrow.element_of(), int(number)), factor.lanes)
    return None
