"""Floats that are stored lose the last bit of their mantissa, so that results that depend on it show.

f[x] = v  -->  f[x] = reinterpret<float32>(reinterpret<uint32>(v) & ~1)
"""

from __future__ import annotations

from pipec.ir.expr import Const, Expr, Intrinsic, Reinterpret
from pipec.ir.stmt import AtomicUpdate, Stmt, Store
from pipec.ir.types import UInt
from pipec.lower.statements import map_statements


def fuzz_float_stores(stmt: Stmt) -> Stmt:
    """The statement with these values stored; atomic updates, which are one instruction each, stay as they are."""
    if isinstance(stmt, AtomicUpdate):
        return stmt
    if isinstance(stmt, Store) and stmt.value.type.floating:
        return Store(stmt.buffer, _without_last_bit(stmt.value), stmt.index, stmt.predicate)
    return map_statements(stmt, fuzz_float_stores)


def _without_last_bit(value: Expr) -> Expr:
    bits = UInt(value.type.nbits)
    mask = Const(bits, 2**bits.nbits - 2)
    return Reinterpret(value.type, Intrinsic(bits, "bitwise_and", (Reinterpret(bits, value), mask)))
