"""Element numbers in kernels are 32 bits wide: on GPUs, integers of 64 bits are computed in several steps.

a[int64(y) * int64(a.stride.1) + int64(x)]  -->  a[y * a.stride.1 + x]

Whoever launches a kernel sees to it that no buffer has more elements.
"""

from __future__ import annotations

from typing import Any

from pipec.ir.expr import Add, Broadcast, Cast, Const, Expr, Load, Mul, Ramp, Select, Sub
from pipec.ir.stmt import Stmt, Store
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import rewrite

MAX_ELEMENTS = (1 << 31) - 1


def short_indices(stmt: Stmt) -> Stmt:
    """`stmt` with all indices that can be computed in 32 bits."""

    def change(node: Any) -> Any:
        if isinstance(node, Load):
            return Load(node.type, node.buffer, _short(node.index) or node.index, node.predicate)
        if isinstance(node, Store):
            return Store(node.buffer, node.value, _short(node.index) or node.index, node.predicate)
        return node

    changed: Stmt = rewrite(stmt, change)
    return changed


def _short(e: Expr) -> Expr | None:
    """The low 32 bits of an int64, where they are computed from int32 values alone."""
    if e.type.element_of() is INT32:
        return e
    if e.type.element_of() is not INT64:
        return None
    if isinstance(e, Cast):
        return e.value if e.value.type.element_of() is INT32 else None
    if isinstance(e, Const):
        return Const(INT32, int(e.value)) if abs(e.value) <= MAX_ELEMENTS else None
    if isinstance(e, Add | Sub | Mul):
        return _of_parts(type(e), e.a, e.b)
    if isinstance(e, Ramp):
        base, stride = _short(e.base), _short(e.stride)
        return None if base is None or stride is None else Ramp(base, stride, e.lanes)
    if isinstance(e, Broadcast):
        value = _short(e.value)
        return None if value is None else Broadcast(value, e.lanes)
    if isinstance(e, Select):
        a, b = _short(e.true_value), _short(e.false_value)
        return None if a is None or b is None else Select(e.condition, a, b)
    return None


def _of_parts(kind: Any, a: Expr, b: Expr) -> Expr | None:
    x, y = _short(a), _short(b)
    return None if x is None or y is None else kind(x, y)
