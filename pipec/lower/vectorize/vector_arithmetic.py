"""Rewrites of the arithmetic of vectors: cheaper expressions of the same value.

factor_sums       a * 6 + b * 4 + c * 6  -->  (a + c) * 6 + b * 4
high_products     uint32(shift_right(uint64(a) * uint64(b), 35))  -->  mulhi_shr(a, b, 3)
unify_squares     (a - b) * (a - b), (b - a) * (b - a)  -->  (a - b) * (a - b), computed once
narrow_masks      ramp(x, 1, 32) <= x32(w)  -->  ramp(int8(0), int8(1), 32) <= x32(int8(clamp(w - x, -1, 32)))
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from pipec.bounds.conditions import MIRRORED, ORDERING
from pipec.ir.build import as_expr, cast, constant, max_, min_, sub
from pipec.ir.expr import Add, Broadcast, Cast, Compare, Const, Expr, Intrinsic, Load, Max, Min, Mul, Ramp, Sub
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import Stmt, Store
from pipec.ir.types import INT32, INT64, Int, UInt
from pipec.ir.walk import instances, postorder, rewrite
from pipec.lower.statements import map_statements

_MAX_BITS = 16


def factor_sums(stmt: Stmt) -> Stmt:
    """`stmt` with common factors of the terms of narrow integer sums taken out, so that it multiplies less.

    Integers of 8 and 16 bits wrap, so that sums are the same to the bit in any order. Wider ones are left alone: their
    products are often added pairwise by one instruction.
    """
    if not any(map(_wraps, instances(Add, stmt))):
        return stmt
    uses: Counter[Expr] = Counter(
        child for node in postorder(stmt, kinds=kinds_of(Add)) for child in node.below if isinstance(child, Add)
    )
    factored = _Factored(uses)

    def visit(node: Stmt) -> Stmt:
        if isinstance(node, Store):
            value = factored(node.value)
            return node if value is node.value else Store(node.buffer, value, node.index, node.predicate)
        return map_statements(node, visit)

    return visit(stmt)


def _wraps(e: Expr) -> bool:
    return e.type.nlanes > 1 and e.type.integral and e.type.nbits <= _MAX_BITS


class _Factored:
    """Rewrites expressions; `uses`: how many others each sum is part of. Sums with several uses stay as they are."""

    def __init__(self, uses: Counter[Expr]) -> None:
        self.uses = uses
        self._memo: dict[Expr, Expr] = {}

    def __call__(self, e: Expr) -> Expr:
        result = self._memo.get(e)
        if result is None:
            result = self._memo[e] = self._rewritten(e)
        return result

    def _rewritten(self, e: Expr) -> Expr:
        if isinstance(e, Load) or e.type.nlanes == 1 or not e.children():
            return e
        if not isinstance(e, Add) or not _wraps(e):
            return e.rebuild(self)  # type: ignore[no-any-return]
        terms = self._terms(e)
        groups: dict[int, list[Expr]] = {}
        for term in terms:
            factor, rest = _product(term)
            groups.setdefault(factor, []).append(rest)
        if all(factor == 1 or len(rests) == 1 for factor, rests in groups.items()):
            return _sum([self(term) for term in terms]) if self._changes(terms) else e
        lanes, element = e.type.nlanes, e.type.element_of()
        parts = []
        for factor, rests in groups.items():
            total = _sum([self(rest) for rest in rests])
            parts.append(total if factor == 1 else Mul(total, Broadcast(Const(element, factor), lanes)))
        return _sum(parts)

    def _changes(self, terms: list[Expr]) -> bool:
        return any(self(term) is not term for term in terms)

    def _terms(self, e: Add) -> list[Expr]:
        """The terms of the sum, from left to right."""
        terms: list[Expr] = []
        stack: list[Expr] = [e]
        while stack:
            node = stack.pop()
            if isinstance(node, Add) and (node is e or self.uses[node] == 1):
                stack += [node.b, node.a]
            else:
                terms.append(node)
        return terms


def _product(term: Expr) -> tuple[int, Expr]:
    if isinstance(term, Mul):
        for factor, rest in ((term.b, term.a), (term.a, term.b)):
            value = constant(factor)
            if value is not None:
                return int(value), rest
    return 1, term


def _sum(terms: list[Expr]) -> Expr:
    total = terms[0]
    for term in terms[1:]:
        total = Add(total, term)
    return total


_BITS = 32


def high_products(stmt: Stmt) -> Stmt:
    """`stmt` with `mulhi_shr` for shifted 64-bit products of which 32 bits or fewer are used.

    Fixed-point arithmetic and divisions by invariant numbers have such products. No vector of 64-bit lanes remains.
    """
    return rewrite(stmt, _high_product, kinds=kinds_of(Intrinsic))


def _high_product(node: Node) -> Node:
    if not isinstance(node, Cast) or node.type.nlanes == 1 or not node.type.integral or node.type.nbits > _BITS:
        return node
    value = node.value
    if not value.type.integral or value.type.nbits != 2 * _BITS:
        return node
    shifted = _without_clamps(value)
    if not isinstance(shifted, Intrinsic) or shifted.name != "shift_right" or not isinstance(shifted.args[0], Mul):
        return node
    count, product = constant(shifted.args[1]), shifted.args[0]
    a, b = _narrow_factor(product.a), _narrow_factor(product.b)
    if count is None or not _BITS <= count < 2 * _BITS or a is None or b is None or a.type is not b.type:
        return node
    rest = Broadcast(Const(UInt(_BITS), int(count) - _BITS), node.type.nlanes)
    return cast(node.type.element_of(), Intrinsic(a.type, "mulhi_shr", (a, b, rest)))


def _without_clamps(value: Expr) -> Expr:
    """The value without clamps to the range of 32 bits, which have no effect on an upper half."""
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


def _narrow_factor(factor: Expr) -> Expr | None:
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


def unify_squares(stmt: Stmt) -> Stmt:
    """`stmt` with all squares of one float difference, or products with its negative, with the same operand order.

    Both orders give the same bits. Gradients of sums over windows meet each pair of pixels from both sides.
    """
    differences: set[tuple[Expr, Expr]] = set()

    def change(node: Node) -> Node:
        if not isinstance(node, Mul) or not node.type.floating:
            return node
        difference = _without_sign(node.a)
        if not isinstance(difference, Sub) or _without_sign(node.b) is not difference:
            return node
        a, b = difference.a, difference.b
        if (b, a) not in differences:
            differences.add((a, b))
            return node
        other = Sub(b, a)
        return Mul(_signed(node.a, difference, other), _signed(node.b, difference, other))

    return rewrite(stmt, change, kinds=kinds_of(Sub))


def _without_sign(e: Expr) -> Expr:
    """The operand of a negation, or the expression itself."""
    return e.b if isinstance(e, Sub) and _is_zero(e.a) else e


def _is_zero(e: Expr) -> bool:
    value = constant(e)
    return value is not None and value == 0


def _signed(factor: Expr, old: Expr, new: Expr) -> Expr:
    return new if factor is old else Sub(factor.a, new)  # type: ignore[attr-defined]


# A register holds this many int32 coordinates: comparisons of no more lanes take one instruction.
_LANES_OF_COORDINATES = 16


def narrow_masks(stmt: Stmt) -> Stmt:
    """`stmt` with comparisons of a long ramp with a scalar in 8 or 16 bits a lane.

    A mask of 32 lanes is then one comparison of one register instead of two and a union.
    """
    return rewrite(stmt, _narrowed_comparison, kinds=kinds_of(*ORDERING))


def _narrowed_comparison(node: Any) -> Any:
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
    # The distance of two coordinates may need more than 32 bits.
    distance = sub(cast(INT64, limit.value), cast(INT64, ramp.base))
    near = cast(narrow, max_(min_(distance, as_expr(lanes, INT64)), as_expr(-1, INT64)))
    first = Ramp(as_expr(0, narrow), as_expr(1, narrow), lanes)
    return kind(first, Broadcast(near, lanes))
