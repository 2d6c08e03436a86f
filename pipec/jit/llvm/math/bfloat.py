"""bfloat16: values are their bits, in int16, and computed with as float32.

Processors that have instructions for bfloat16 take its denormal numbers for zero, and LLVM ends the process where it
moves single lanes of it to registers on processors with AVX512_BF16.
"""

from __future__ import annotations

from typing import Any

from pipec.ir.expr import Binary, Cast, Expr, Intrinsic, Ramp
from pipec.ir.stmt import Stmt
from pipec.ir.types import Float
from pipec.ir.walk import postorder, rewrite

_COMPUTING = (Binary, Intrinsic, Ramp)


def with_bfloats_in_float32(stmt: Stmt) -> Stmt:
    """A statement in which every operation on bfloat16 is one on float32 whose result is rounded.

    Rounding twice gives the same as rounding once, for sums, products, quotients and roots: float32 has more than twice
    as many bits.
    """
    if not any(isinstance(node, Expr) and node.type.is_bfloat() for node in postorder(stmt)):
        return stmt
    return rewrite(stmt, _in_float32)


def _in_float32(node: Any) -> Any:
    if not isinstance(node, _COMPUTING) or (isinstance(node, Intrinsic) and node.name == "address_of"):
        return node
    operands = [child for child in node.children() if isinstance(child, Expr)]
    if not any(each.type.is_bfloat() for each in (node, *operands)):
        return node
    wide = tuple([_widened(operand) for operand in operands])
    if isinstance(node, Intrinsic):
        kind = Float(32, node.type.nlanes) if node.type.is_bfloat() else node.type
        result: Expr = Intrinsic(kind, node.name, wide)
    else:
        result = node.with_children(iter(wide))
    return Cast(node.type, result) if node.type.is_bfloat() else result


def _widened(node: Expr) -> Expr:
    return Cast(Float(32, node.type.nlanes), node) if node.type.is_bfloat() else node
