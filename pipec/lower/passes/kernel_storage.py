"""What is stored inside GPU blocks gets constant extents: the largest, where they vary. A device has no other arrays.

gpu_block b: realize f[b * 16 for min(n - b * 16, 16)]: ...
-->
gpu_block b: realize f[b * 16 for 16]: ...
"""

from __future__ import annotations

from pipec.ir.build import constant
from pipec.ir.expr import Expr, const
from pipec.ir.ranges import Range
from pipec.ir.stmt import For, LetStmt, LoopKind, Realize, Stmt
from pipec.ir.walk import statements
from pipec.lower.passes.constant_extents import Largest

# Extents are looked for up to this one.
_MOST = 1 << 14


def kernel_storage(stmt: Stmt) -> Stmt:
    """Every name must be bound once. Extents without a known limit stay."""
    if not any(isinstance(node, For) and node.kind is LoopKind.GPU_BLOCK for node in statements(stmt)):
        return stmt
    lets = {node.name: node.value for node in statements(stmt) if isinstance(node, LetStmt)}
    known = {node.name: _range(node) for node in statements(stmt) if isinstance(node, For)}
    return _walk(stmt, Largest(lets, _MOST, known), inside=False)


def _range(loop: For) -> Range:
    """The values of a loop's variable, as far as they are constant."""
    first, extent = constant(loop.minimum), constant(loop.extent)
    if first is None:
        return Range(None, None)
    return Range(int(first), None if extent is None else int(first + extent) - 1)


def _walk(stmt: Stmt, largest: Largest, inside: bool) -> Stmt:
    inside = inside or (isinstance(stmt, For) and stmt.kind is LoopKind.GPU_BLOCK)
    new: Stmt = stmt.rebuild(lambda child: _walk(child, largest, inside) if isinstance(child, Stmt) else child)
    if not inside or not isinstance(new, Realize):
        return new
    bounds = tuple([(minimum, _constant(extent, largest)) for minimum, extent in new.bounds])
    if bounds == new.bounds:
        return new
    return Realize(new.name, new.types, new.memory, bounds, new.layout, new.folds, new.start, new.body)


def _constant(extent: Expr, largest: Largest) -> Expr:
    most = None if constant(extent) is not None else largest.of(extent)
    return extent if most is None else const(most)
