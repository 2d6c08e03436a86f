"""Terms of narrow integer sums that have a factor in common are added first, then multiplied.

    a * 6 + b * 4 + c * 6  -->  (a + c) * 6 + b * 4

Integers of 8 and 16 bits wrap, so that sums are the same to the bit in any order. Wider ones are left alone: their
products are often added pairwise by one instruction.
"""

from __future__ import annotations

from collections import Counter

from pipec.ir.build import constant
from pipec.ir.expr import Add, Broadcast, Const, Expr, Load, Mul
from pipec.ir.stmt import Stmt, Store
from pipec.ir.walk import postorder

_MOST_BITS = 16


def factor_sums(stmt: Stmt) -> Stmt:
    """`stmt` with fewer multiplications in the vectors that it stores."""
    sums = [node for node in postorder(stmt) if isinstance(node, Add) and _wraps(node)]
    if not sums:
        return stmt
    uses: Counter[Expr] = Counter(
        child for node in postorder(stmt) for child in node.children() if isinstance(child, Add)
    )
    factored = _Factored(uses)

    def visit(node: Stmt) -> Stmt:
        if isinstance(node, Store):
            value = factored(node.value)
            return node if value is node.value else Store(node.buffer, value, node.index, node.predicate)
        new: Stmt = node.rebuild(lambda child: visit(child) if isinstance(child, Stmt) else child)
        return new

    return visit(stmt)


def _wraps(e: Expr) -> bool:
    return e.type.nlanes > 1 and e.type.integral and e.type.nbits <= _MOST_BITS


class _Factored:
    """Rewrites expressions; `uses`: how many others each sum is part of. Sums with several uses stay as they are."""

    def __init__(self, uses: Counter[Expr]) -> None:
        self.uses = uses
        self._done: dict[Expr, Expr] = {}

    def __call__(self, e: Expr) -> Expr:
        found = self._done.get(e)
        if found is None:
            found = self._done[e] = self._rewritten(e)
        return found

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
        """What the sum is of, from left to right."""
        found: list[Expr] = []
        stack: list[Expr] = [e]
        while stack:
            node = stack.pop()
            if isinstance(node, Add) and (node is e or self.uses[node] == 1):
                stack += [node.b, node.a]
            else:
                found.append(node)
        return found


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
