"""Unrolled loops become copies of their bodies.

unrolled (c, 0, 3) { f[x, c] = g[c] }  -->  f[x, 0] = g[0]; f[x, 1] = g[1]; f[x, 2] = g[2]
"""

from __future__ import annotations

from typing import Any

from pipec.ir.build import block
from pipec.ir.stmt import Block, For, LoopKind, Stmt
from pipec.ir.unroll import unrolled
from pipec.ir.walk import rewrite


def unroll_loops(stmt: Stmt) -> Stmt:
    """`stmt` without unrolled loops."""

    def change(node: Any) -> Any:
        if isinstance(node, For) and node.kind is LoopKind.UNROLLED:
            return unrolled(node)
        if isinstance(node, Block):
            return block(node.stmts)
        return node

    return rewrite(stmt, change)
