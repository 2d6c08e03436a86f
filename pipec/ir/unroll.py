"""Loops of a constant number of iterations as copies of their bodies, and the nests that are short enough for that.

for r in 0..3 { for c in 0..2 { f[c] = f[c] + in[r] } }  -->  six stores
"""

from __future__ import annotations

import math

from pipec.ir.build import NOTHING, add, block, constant
from pipec.ir.expr import Broadcast, Const, Expr, Load, Ramp, Variable
from pipec.ir.stmt import Block, For, LoopKind, Stmt, Store
from pipec.ir.uniquify import fresh_copy
from pipec.ir.walk import postorder, substitute

# A nest is written out to at most this many stores and this many nodes.
SHORT_LOOP_STORES = 32
SHORT_LOOP_NODES = 128


def unrolled(loop: For) -> Stmt:
    """The iterations of `loop` one after the other; the first keeps the names that the body binds.

    A loop whose extent is not constant (at a border) stays a loop.
    """
    count = constant_extent(loop)
    if count is None:
        return For(loop.name, loop.minimum, loop.extent, LoopKind.SERIAL, loop.body)
    if count <= 0:
        return NOTHING
    copies = [substitute(loop.body, {loop.name: loop.minimum})]
    for i in range(1, count):
        copies.append(fresh_copy(loop.body, f".{loop.name}{i}", {loop.name: add(loop.minimum, i)}))
    return block(copies)


def constant_extent(loop: For) -> int | None:
    """The number of iterations of `loop` when it is known."""
    extent = constant(loop.extent)
    return None if extent is None else int(extent)


def nest(loop: For) -> list[For]:
    """`loop` and the loops of constant extent that are all there is in it, from the outside inwards.

    All of a nest are written out or none: with the outer ones left, machines have been seen to run slower.
    """
    loops = [loop]
    while isinstance(inner := loops[-1].body, For) and isinstance(inner.extent, Const) and _is_serial(inner):
        loops.append(inner)
    return loops


def is_short(loops: list[For]) -> bool:
    """Whether the code generator writes a nest out."""
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
    """Whether an expression probably becomes part of an address or costs nothing."""
    scalar_integer = part.type.nlanes == 1 and part.type.integral and not isinstance(part, Load)
    return scalar_integer or isinstance(part, (Const, Broadcast, Ramp, Variable))
