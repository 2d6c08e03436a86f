"""Nests of loops of so few iterations, with so little in them, that they are quicker and hardly longer without loops.

    for r in 0..3 { for c in 0..2 { f[c] = f[c] + in[r] } }  -->  six stores
"""

from __future__ import annotations

import math

from pipec.ir.expr import Broadcast, Const, Expr, Load, Ramp, Variable
from pipec.ir.stmt import Block, For, LoopKind, Store
from pipec.ir.walk import postorder

# As many stores and nodes as a nest may be written out to.
SHORT_LOOP_STORES = 32
SHORT_LOOP_NODES = 128


def nest(loop: For) -> list[For]:
    """`loop` and the loops of constant extent that are all there is in it, from the outside inwards.

    All of a nest are written out or none: with the outer ones left, machines have been seen to run slower.
    """
    loops = [loop]
    while isinstance(inner := loops[-1].body, For) and isinstance(inner.extent, Const) and _is_serial(inner):
        loops.append(inner)
    return loops


def is_short(loops: list[For]) -> bool:
    """Whether a nest is written out when code is made for it."""
    extents = [loop.extent.value for loop in loops if isinstance(loop.extent, Const) and _is_serial(loop)]
    if len(extents) < len(loops):
        return False
    copies, body = math.prod(extents), loops[-1].body
    stores = body.stmts if isinstance(body, Block) else (body,)
    if not all(isinstance(part, Store) for part in stores) or not 0 < copies * len(stores) <= SHORT_LOOP_STORES:
        return False
    work = sum(1 for part in postorder(body) if isinstance(part, Expr) and not _is_index(part))
    return bool(copies * work <= SHORT_LOOP_NODES)


def _is_serial(loop: For) -> bool:
    return loop.kind is LoopKind.SERIAL


def _is_index(part: Expr) -> bool:
    """Whether an expression most likely becomes part of an address, or nothing at all."""
    scalar_integer = part.type.nlanes == 1 and part.type.integral and not isinstance(part, Load)
    return scalar_integer or isinstance(part, (Const, Broadcast, Ramp, Variable))
