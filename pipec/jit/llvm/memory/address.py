"""Addresses of elements: 64-bit sums split by how deep in the nest their terms vary.

a[(y*stride - first) + x + 1]  -->  row = a + (y*stride - first)   before the loop over x
                                    row + x, displacement 1        in it
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from pipec.bounds.linear import sum_of_terms
from pipec.ir.expr import Broadcast, Const, Expr, Mul, Ramp, Variable
from pipec.ir.types import INT64, Type
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import LlvmValue
from pipec.jit.llvm.types import memory_scalar

Terms = dict[Expr, int]


class VectorIndex(NamedTuple):
    """scalar + lane * stride + the sum of factor * vector; `offset` and `step` are the constant parts."""

    terms: Terms
    offset: int
    strides: Terms
    step: int
    vectors: Terms


def scalar_terms(f: ExprFunction, index: Expr) -> tuple[Terms, int]:
    """A scalar index as 64-bit atoms with their factors, and a constant."""

    def let_value(node: Expr) -> Expr | None:
        return f.let_index(node.name) if isinstance(node, Variable) else None

    form = sum_of_terms(index, let_value)
    terms: Terms = {}
    for node, factor in form.terms.items():
        atom = f.widen(node)
        terms[atom] = terms.get(atom, 0) + factor
    return _without_zeros(terms), form.constant


def vector_index(f: ExprFunction, index: Expr) -> VectorIndex:
    """The parts of a vector index."""
    terms: Terms = {}
    strides: Terms = {}
    vectors: Terms = {}
    offset = step = 0
    for node, factor in sum_of_terms(index, _scaled_ramp).terms.items():
        if isinstance(node, Broadcast):
            offset += _accumulate(f, terms, node.value, factor)
        elif isinstance(node, Ramp):
            offset += _accumulate(f, terms, node.base, factor)
            step += _accumulate(f, strides, node.stride, factor)
        else:
            vectors[node] = factor
    return VectorIndex(_without_zeros(terms), offset, _without_zeros(strides), step, vectors)


def _scaled_ramp(node: Expr) -> Ramp | None:
    """The ramp that the product of a ramp and a broadcast is."""
    for a, b in ((node.a, node.b), (node.b, node.a)) if isinstance(node, Mul) else ():
        if isinstance(a, Ramp) and isinstance(b, Broadcast):
            return Ramp(Mul(a.base, b.value), Mul(a.stride, b.value), a.lanes)
    return None


def _accumulate(f: ExprFunction, into: Terms, index: Expr, factor: int) -> int:
    terms, total = scalar_terms(f, index)
    for atom, own in terms.items():
        into[atom] = into.get(atom, 0) + own * factor
    return total * factor


def _without_zeros(terms: Terms) -> Terms:
    return {atom: factor for atom, factor in terms.items() if factor}


def sum_text(f: ExprFunction, terms: Terms) -> LlvmValue:
    """The sum of factor * atom as one i64 value."""
    total: LlvmValue | None = None
    key: frozenset[tuple[Expr, int]] = frozenset()
    for atom, factor in sorted(terms.items(), key=lambda item: (item[1] < 0, item[0].order())):
        key = key | {(atom, factor)}
        own = f.value(atom)
        if factor not in (1, -1) or (factor == -1 and total is None):
            own = f.value(Mul(atom, Const(INT64, factor)))
        if total is None:
            total = own
        else:
            opcode = "sub" if factor == -1 else "add"
            write = partial(f.op, f"{opcode} i64 {total.text}, {own.text}")
            total = f.shared(("sum", key), (total, own), write)
    return total if total is not None else LlvmValue("0", 0, frozenset())


def pointer(f: ExprFunction, buffer: str, scalar: str, terms: Terms, offset: int) -> LlvmValue:
    """The address of element sum(terms) + offset of a buffer of LLVM elements `scalar`."""
    levels: dict[int, Terms] = {}
    for atom, factor in terms.items():
        levels.setdefault(f.value(atom).place, {})[atom] = factor
    base = f.buffer(buffer)
    key: frozenset[tuple[Expr, int]] = frozenset()
    for place in sorted(levels):
        key = key | frozenset(levels[place].items())
        total = sum_text(f, levels[place])
        base = _advance(f, ("pointer", buffer, scalar, key, 0), scalar, base, total)
    if offset:
        base = _advance(
            f, ("pointer", buffer, scalar, key, offset), scalar, base, LlvmValue(str(offset), 0, frozenset())
        )
    return base


def _advance(f: ExprFunction, key: object, scalar: str, base: LlvmValue, by: LlvmValue) -> LlvmValue:
    def write() -> str:
        return f.op(f"getelementptr {scalar}, ptr {base.text}, i64 {by.text}")

    return f.shared(key, (base, by), write)


def element_pointer(f: ExprFunction, buffer: str, kind: Type, index: Expr) -> LlvmValue:
    """The address of the element at a scalar index."""
    terms, offset = scalar_terms(f, index)
    return pointer(f, buffer, memory_scalar(kind), terms, offset)
