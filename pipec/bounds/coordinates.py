"""Coordinates with bit operations as the sums, products and quotients that analyses know.

x >> 1  -->  x / 2      x & 3  -->  x % 4      x << 1 | 1  -->  x * 2 / 2 * 2 + 1      ~x  -->  -1 - x
"""

from __future__ import annotations

from typing import Any

from pipec.ir.expr import Add, Div, Expr, Intrinsic, Max, Min, Mod, Mul, Select, Sub
from pipec.ir.intrinsics import as_arithmetic
from pipec.ir.node import kinds_of
from pipec.ir.types import INT32


def arithmetic(coordinate: Expr) -> Expr:
    """Returns an int32 expression with the same value, without shifts by constants and without constant masks.

    Sums and products of coordinates do not overflow; what a remainder or a mask is taken of may, as in hash functions,
    so that nothing is shifted left there.
    """
    return _arithmetic(coordinate, False, {})


def _arithmetic(e: Expr, wraps: bool, memo: dict[tuple[Expr, bool], Expr]) -> Expr:
    if e.type is not INT32 or not e.kinds & kinds_of(Intrinsic):
        return e
    result = memo.get((e, wraps))
    if result is None:
        result = memo[e, wraps] = _changed(e, wraps, memo)
    return result


def _changed(e: Any, wraps: bool, memo: dict[tuple[Expr, bool], Expr]) -> Expr:
    if isinstance(e, Intrinsic) and not (wraps and e.name == "shift_left"):
        same = as_arithmetic(e) if e.name in _OF_BITS else None
        # What is left has none of these operations but in its operands.
        return e if same is None else _arithmetic(same, wraps or e.name == "bitwise_and", memo)
    if isinstance(e, Add | Sub | Mul | Min | Max | Div | Mod):
        a = _arithmetic(e.a, wraps or isinstance(e, Mod), memo)
        return type(e)(a, _arithmetic(e.b, wraps, memo))
    if isinstance(e, Select):
        return Select(e.condition, _arithmetic(e.true_value, wraps, memo), _arithmetic(e.false_value, wraps, memo))
    return e  # type: ignore[no-any-return]


_OF_BITS = ("shift_left", "shift_right", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not")
