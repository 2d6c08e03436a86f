"""How near to zero floats may be that come from integers or from float16."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite

from pipec.ir.expr import Add, Broadcast, Cast, Const, Expr, Max, Min, Mul, Select, Sub
from pipec.ir.types import Float

HALF, HALF_STEP = Float(16), -24
MAX_DEPTH = 6
"""Operations that are followed from a value to the integers."""


def step_of(e: Expr, depth: int = MAX_DEPTH) -> int | None:
    """The exponent of a power of two of which all values of a float expression are multiples, but for those that are
    infinite or NaN; None where none is known.

    Multiples of it that are rounded to a float type are multiples still.
    """
    if depth == 0:
        return None
    if isinstance(e, Const):
        return 1 - Fraction(e.value).denominator.bit_length() if isfinite(e.value) else 0
    if isinstance(e, Cast) and e.value.type.integral:
        return 0
    if isinstance(e, Cast) and e.value.type.element_of() is HALF:
        return HALF_STEP
    if isinstance(e, (Cast, Broadcast)):
        return step_of(e.value, depth - 1)
    if isinstance(e, (Add, Sub, Min, Max)):
        return _combined(min, e.a, e.b, depth)
    if isinstance(e, Mul):
        return _combined(int.__add__, e.a, e.b, depth)
    if isinstance(e, Select):
        return _combined(min, e.true_value, e.false_value, depth)
    return None


def _combined(combine: Callable[[int, int], int], a: Expr, b: Expr, depth: int) -> int | None:
    steps = step_of(a, depth - 1), step_of(b, depth - 1)
    return None if steps[0] is None or steps[1] is None else combine(steps[0], steps[1])
