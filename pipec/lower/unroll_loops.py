"""Unrolled loops become copies of their bodies.

unrolled (c, 0, 3) { f[x, c] = g[c] }  -->  f[x, 0] = g[0]; f[x, 1] = g[1]; f[x, 2] = g[2]
"""

from __future__ import annotations

from typing import Any

from pipec.ir.build import NOTHING, add, block, constant
from pipec.ir.stmt import Block, For, LoopKind, Stmt
from pipec.ir.walk import rewrite, substitute
from pipec.lower.uniquify import fresh_copy


def unroll_loops(stmt: Stmt) -> Stmt:
    """`stmt` without unrolled loops."""

    def change(node: Any) -> Any:
        if isinstance(node, For) and node.kind is LoopKind.UNROLLED:
            return unrolled(node)
        if isinstance(node, Block):
            return block(node.stmts)
        return node

    return rewrite(stmt, change)


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
