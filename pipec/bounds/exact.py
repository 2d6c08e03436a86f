"""Int32 expressions without overflow: sums and products are computed in 64 bits, which hold them.

    x * p <= 99  -->  int64(x) * int64(p) <= 99

Index arithmetic has 64 bits where it needs them. So a condition that wrapped around at 32 bits would hold of indices
that lie far outside of a buffer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pipec.ir import build
from pipec.ir.expr import TRUE, Add, And, Compare, Const, Div, Expr, Max, Min, Mul, Not, Or, Select, Sub
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import instances, postorder

MAX_ADDED = 1 << 24
"""What tiles and vectors add to a coordinate at most, as a rule."""
MAX_COORDINATES = (1 << 31) - MAX_ADDED
"""Of a dimension: loops over them, in tiles and vectors, go beyond the last one, still within an int32."""
# Extents are smaller; no system allocates as many elements.
_MAX_EXTENT, _MAX_ELEMENTS = 1 << 31, 1 << 47
_FAR = 1 << 40
"""Beyond all coordinates; sums of such numbers fit 64 bits."""
_COMPUTED = (Add, Sub, Mul, Min, Max, Select, Div)
"""What may overflow, or has a part that may."""


def exact_condition(condition: Expr) -> Expr:
    """A condition that is true when `condition` is, of integers that do not overflow.

    Index arithmetic computes numerators of quotients and factors of products in 32 bits. Where one of these overflows,
    the condition must hold whatever the quotient or product is, as that of a clamped coordinate does.
    """
    exact = _Exact(condition)
    return exact.held.get(condition, condition)


def exact_number(number: Expr) -> Expr:
    """An integer expression in 64 bits; other values are converted."""
    is_plain = number.type is not INT32 or not isinstance(number, _COMPUTED)
    return build.cast(INT64, number) if is_plain else _Exact(number).numbers[number]


def is_held(number: Expr) -> Expr:
    """Whether an int32 expression does not overflow, nor an operand of its quotients, extrema and selections."""
    exact = _Exact(number)
    return build.all_of([fits_int32(exact.numbers[number]), *exact.operands(number, (Div, Min, Max, Select))])


def fits_int32(number: Expr) -> Expr:
    """Whether an int32 holds an int64."""
    return between(number, int(INT32.min_value()), int(INT32.max_value()))


def between(number: Expr, least: int, most: int) -> Expr:
    """Whether an int64 lies between two numbers."""
    return build.and_(build.ge(number, Const(INT64, least)), build.le(number, Const(INT64, most)))


def allocatable(size: Expr, counts: Sequence[Expr]) -> Expr:
    """The elements of an allocation, at least none: `size`, the product of int32 counts, in int64.

    Where it overflows they are more than any memory has.
    """
    extents = [build.constant(count) for count in counts]
    most = math.prod([_MAX_EXTENT if extent is None else int(extent) for extent in extents])
    limit = Const(INT64, _MAX_ELEMENTS)
    if build.constant(size) is not None:
        return size if most <= _MAX_ELEMENTS else limit
    size = build.max_(size, 0)
    if most < 1 << 63:
        return size
    number, *others = [build.cast(INT64, count) for count in counts]
    fits: Expr = TRUE
    for count in others:
        fits = build.and_(fits, build.le(count, build.div(limit, build.max_(number, 1))))
        number = build.mul(number, count)
    return build.select(fits, size, limit)


class _Exact:
    """The parts of an expression: int32 `numbers` in 64 bits, and `conditions`; those that are `held`, too, are false
    where index arithmetic does overflow."""

    def __init__(self, root: Expr) -> None:
        self.numbers: dict[Any, Expr] = {}
        self.conditions: dict[Any, Expr] = {}
        self.held: dict[Any, Expr] = {}
        for node in postorder(root):
            if isinstance(node, Expr) and node.type is INT32:
                self.numbers[node] = self._number(node)
            elif isinstance(node, Expr) and node.type.boolean:
                self.conditions[node] = self._condition(node)
                self.held[node] = self._held(node)

    def _number(self, node: Any) -> Any:
        numbers = self.numbers
        if isinstance(node, (Add, Sub, Mul, Min, Max, Div)):
            return type(node)(numbers[node.a], numbers[node.b])
        if isinstance(node, Select):
            condition = self.conditions[node.condition]
            return Select(condition, numbers[node.true_value], numbers[node.false_value])
        return build.cast(INT64, node)

    def _condition(self, node: Any) -> Any:
        if isinstance(node, (And, Or)):
            return type(node)(self.conditions[node.a], self.conditions[node.b])
        if isinstance(node, Not):
            return Not(self.conditions[node.value])
        is_computed = isinstance(node, Compare) and any(isinstance(part, _COMPUTED) for part in (node.a, node.b))
        if is_computed and node.a.type is INT32:
            return type(node)(self.numbers[node.a], self.numbers[node.b])
        return node

    def _held(self, node: Any) -> Any:
        if isinstance(node, (And, Or)):
            return type(node)(self.held[node.a], self.held[node.b])
        condition = self.conditions[node]
        operands = self.operands(node, (Div,)) if condition is not node else ()
        if not operands:
            return condition
        held = build.all_of([condition, *operands])
        if not isinstance(node, Compare):
            return held
        return build.or_(held, build.all_of([self._with(node, far) for far in (-_FAR, _FAR)]))

    def _with(self, comparison: Compare, far: int) -> Expr:
        """A comparison with a number in the place of quotients and products whose operands may overflow."""
        numbers: dict[Any, Expr] = {}
        for node in postorder(comparison):
            if isinstance(node, Expr) and node.type is INT32:
                if isinstance(node, (Div, Mul)) and any(_may_be_large(part) for part in (node.a, node.b)):
                    numbers[node] = Const(INT64, far)
                elif isinstance(node, (Add, Sub, Mul, Min, Max, Div)):
                    numbers[node] = type(node)(numbers[node.a], numbers[node.b])
                elif isinstance(node, Select):
                    numbers[node] = Select(node.condition, numbers[node.true_value], numbers[node.false_value])
                else:
                    numbers[node] = build.cast(INT64, node)
        return type(comparison)(numbers[comparison.a], numbers[comparison.b])

    def operands(self, root: Expr, kinds: tuple[type, ...]) -> list[Expr]:
        """That the operands of some kinds of nodes in an expression, and factors of products, fit an int32."""
        operands: dict[Expr, None] = {}
        for node in instances((*kinds, Mul), root):
            if node.type is INT32:
                operands |= dict.fromkeys(
                    [part for part in node.children() if part.type is INT32 and _may_be_large(part)]
                )
        return [fits_int32(self.numbers[operand]) for operand in operands]


def _may_be_large(number: Expr) -> bool:
    """Whether something else than constants is added or multiplied: these are smaller than MAX_ADDED as a rule."""
    return any(
        isinstance(node, Mul) or (build.constant(node.a) is None and build.constant(node.b) is None)
        for node in instances((Add, Sub, Mul), number)
    )
