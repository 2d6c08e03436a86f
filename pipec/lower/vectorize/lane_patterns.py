"""Constant patterns of the lanes of a ramp, as shuffles: quotients of ramps, and selects by constant conditions.

    ramp(2*x, 1, 8) / 2                       -->  shuffle(ramp(x, 1, 4), [0, 0, 1, 1, 2, 2, 3, 3])
    a[shuffle(r, [0, 0, 1, 1, ...])]          -->  shuffle(a[r], [0, 0, 1, 1, ...])
    select(ramp(2*x, 1, 8) % 2 == 0, shuffle(a, [0, 0, 1, 1, ...]), shuffle(b, [0, 0, 1, 1, ...]))
                                              -->  shuffle(a, b, [0, 4, 1, 5, ...])

Planes of half the width are read by dense loads and interleaved instead of gathered element by element.
"""

from __future__ import annotations

from collections.abc import Callable

from pipec.bounds.linear import linear
from pipec.bounds.simplify import simplify
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import And, Binary, Compare, Expr, Mod, Not, Or, Ramp, Shuffle
from pipec.ir.lanes import lanes_of
from pipec.ir.types import BOOL

Combine = Callable[[Expr, Expr], Expr | None]


def quotient(kind: type[Binary], ramp: Ramp, by: int) -> Expr | None:
    """`ramp` / by or `ramp` % by (as `kind` says) as lanes of a shorter ramp; None unless base % by is constant.

    Nor need it be where all lanes have one quotient: neighbours from a multiple of their number on.
    """
    stride = constant(ramp.stride)
    form = linear(ramp.base)
    factors = (form.constant, *form.terms.values())
    if stride == 1 and by % ramp.lanes == 0 and not any(factor % ramp.lanes for factor in factors):
        same = simplify(kind(ramp.base, build.as_expr(by, ramp.base.type)))
        return Ramp(same, ramp.stride, ramp.lanes) if kind is Mod else same
    if stride is None or stride <= 0 or any(coefficient % by for coefficient in form.terms.values()):
        return None
    type_ = ramp.base.type
    positions = [form.constant % by + int(stride) * i for i in range(ramp.lanes)]
    if kind is Mod:
        remainders = Ramp(build.as_expr(0, type_), build.as_expr(1, type_), by)
        return Shuffle((remainders,), tuple(p % by for p in positions))
    first = simplify(build.div(ramp.base, build.as_expr(by, type_)))
    pattern = tuple(p // by for p in positions)
    if pattern[-1] == 0:
        return first
    return Shuffle((Ramp(first, build.as_expr(1, type_), pattern[-1] + 1),), pattern)


def of_one_ramp(e: Expr) -> bool:
    """Whether all lanes are lanes of one ramp, in a constant pattern."""
    return isinstance(e, Shuffle) and len(e.vectors) == 1 and isinstance(e.vectors[0], Ramp)


def combined(a: Expr, b: Expr, combine: Combine) -> Expr | None:
    """`combine` of lanes of a ramp with a scalar, or with the same lanes of another ramp, as lanes of one ramp.

    `combine` gives None for what is not a ramp.
    """
    pattern = a if isinstance(a, Shuffle) else b
    if not isinstance(pattern, Shuffle) or not of_one_ramp(pattern):
        return None
    operands = []
    for operand in (a, b):
        if isinstance(operand, Shuffle) and of_one_ramp(operand) and operand.indices == pattern.indices:
            operands.append(operand.vectors[0])
        elif operand.type.nlanes == 1:
            operands.append(operand)
        else:
            return None
    ramp = combine(operands[0], operands[1])
    return Shuffle((ramp,), pattern.indices) if isinstance(ramp, Ramp) else None


def select(condition: Expr, first: Expr, second: Expr) -> Expr | None:
    """A select whose condition is constant in every lane, as one shuffle of both sides; None for others."""
    if condition.type.element_of() is not BOOL or not isinstance(condition, (Compare, And, Or, Not, Shuffle)):
        return None
    chosen = lanes_of(condition)
    if chosen is None:
        return None
    if all(chosen) or not any(chosen):
        return first if chosen[0] else second
    (a, from_a), (b, from_b) = _source(first), _source(second)
    if a.type is not b.type:
        (a, from_a), (b, from_b) = _whole(first), _whole(second)
    lanes = a.type.nlanes
    return Shuffle((a, b), tuple(p if c else lanes + q for c, p, q in zip(chosen, from_a, from_b, strict=True)))


def _source(e: Expr) -> tuple[Expr, tuple[int, ...]]:
    """The vector that the lanes of `e` come from, and their positions in it."""
    if isinstance(e, Shuffle) and len(e.vectors) == 1:
        return e.vectors[0], e.indices
    return _whole(e)


def _whole(e: Expr) -> tuple[Expr, tuple[int, ...]]:
    return e, tuple(range(e.type.nlanes))
