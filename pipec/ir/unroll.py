"""A loop of a constant number of iterations as copies of its body."""

from __future__ import annotations

from pipec.ir.build import NOTHING, add, block, constant
from pipec.ir.stmt import For, LoopKind, Stmt
from pipec.ir.uniquify import fresh_copy
from pipec.ir.walk import substitute


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
