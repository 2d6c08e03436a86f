"""Vector indices with quotients and remainders of ramps, seen as several regular ones taken in turn.

    ramp(b, 1, 16) / 2  -->  lanes 0, 2, 4, ...: ramp(b / 2, 1, 8)    lanes 1, 3, 5, ...: ramp((b + 1) / 2, 1, 8)

So f[x / 2] and f[x % 2] need dense loads and one shuffle, whatever the alignment of x.
"""

from __future__ import annotations

import math

from pipec.ir.build import add, as_expr, cast, constant, div, mod, mul
from pipec.ir.expr import Add, Broadcast, Cast, Div, Expr, Max, Min, Mod, Mul, Ramp, Sub
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import postorder

# More phases than this make vectors so short that a gather is as good.
MAX_PHASES = 8
_INTEGERS = (INT32, INT64)


def phases_of(index: Expr) -> int:
    """In how many phases each lane pattern of the index is regular; 1 when that is no help."""
    count = 1
    for node in postorder(index):
        if isinstance(node, Div | Mod) and node.type.nlanes > 1:
            step, divisor = _step(node.a), constant(node.b)
            if step is None or divisor is None or divisor <= 0 or step == 0:
                return 1
            count = math.lcm(count, int(divisor) // math.gcd(abs(step), int(divisor)))
    return count if 1 < count <= MAX_PHASES and index.type.nlanes % count == 0 else 1


def _step(node: Expr) -> int | None:
    """The constant distance between lanes of a ramp, or of a sum of a ramp and a broadcast."""
    if isinstance(node, Ramp) and constant(node.stride) is not None:
        return int(constant(node.stride) or 0)
    if isinstance(node, Add | Sub):
        a, b = _step(node.a), _step(node.b)
        return None if a is None or b is None else a + b if isinstance(node, Add) else a - b
    return 0 if isinstance(node, Broadcast) else None


def phase(index: Expr, which: int, count: int) -> Expr | None:
    """The index in lanes which, which + count, ...; None when it holds something that has no such form."""
    lanes = index.type.nlanes // count
    if isinstance(index, Broadcast):
        return Broadcast(index.value, lanes) if lanes > 1 else index.value
    if isinstance(index, Ramp):
        base = add(index.base, mul(index.stride, which))
        return Ramp(base, mul(index.stride, count), lanes) if lanes > 1 else base
    if isinstance(index, Cast) and index.type.element_of() in _INTEGERS and index.value.type.element_of() in _INTEGERS:
        part = phase(index.value, which, count)
        if isinstance(part, Ramp):
            # Index arithmetic does not overflow, so a ramp may be widened lane by lane.
            kind = index.type.element_of()
            return Ramp(cast(kind, part.base), cast(kind, part.stride), lanes)
        return None if part is None else cast(index.type.element_of(), part)
    if isinstance(index, Add | Sub | Mul | Min | Max):
        a, b = phase(index.a, which, count), phase(index.b, which, count)
        return None if a is None or b is None else type(index)(a, b)
    if isinstance(index, Div | Mod):
        return _phase_of_division(index, which, count)
    return None


def _phase_of_division(index: Div | Mod, which: int, count: int) -> Expr | None:
    lanes = index.type.nlanes // count
    step, divisor, part = _step(index.a), constant(index.b), phase(index.a, which, count)
    if step is None or divisor is None or part is None or step * count % int(divisor):
        return None
    first = _first_lane(part)
    if isinstance(index, Mod):
        value = mod(first, int(divisor))
        return Broadcast(value, lanes) if lanes > 1 else value
    base = div(first, int(divisor))
    stride = as_expr(step * count // int(divisor), base.type)
    return Ramp(base, stride, lanes) if lanes > 1 else base


def _first_lane(node: Expr) -> Expr:
    if isinstance(node, Ramp):
        return node.base
    if isinstance(node, Broadcast):
        return node.value
    if isinstance(node, Add | Sub):
        return type(node)(_first_lane(node.a), _first_lane(node.b))
    return node
