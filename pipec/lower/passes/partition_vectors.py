"""Vector loops that read folded coordinates in some lanes: these lanes run one after the other, the rest as a vector.

    vectorized (xi, 0, 8) { f[8*x + xi] = in[select(8*x + xi < 1, -8*x - xi, 8*x + xi - 1)] }
    -->
    for xi in 0..a { f[8*x + xi] = in[select(...)] }        where a = max(min(1 - 8*x, 8), 0)
    vectorized (xi, 0, 8) { if (xi >= a) f[8*x + xi] = in[8*x + xi - 1] }

A vector whose coordinates are mirrored or wrapped in one lane would gather all of them, element by element. Few lanes
are folded: as many as a stencil reaches beyond the edge.
"""

from __future__ import annotations

from collections.abc import Callable

from pipec.ir.build import and_, ge, lt
from pipec.ir.expr import Compare, Expr, Select, Variable
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import GPU_KINDS, AtomicUpdate, For, IfThenElse, LoopKind, Provide, Stmt
from pipec.ir.types import INT32
from pipec.ir.unroll import fresh_copy
from pipec.ir.walk import postorder
from pipec.lower.passes.loop_conditions import ConditionScope
from pipec.lower.passes.marked_conditions import indices, varying_with
from pipec.lower.passes.steady_state import SteadyState, iterations
from pipec.lower.statements import map_statements, with_body

# Nodes of a body that is copied twice.
_MAX_COPIED_NODES = 1_500


def partition_vectors(stmt: Stmt, scope: ConditionScope, fresh: Callable[[str], str]) -> Stmt:
    """`stmt` with vector loops cut where lanes are folded. `fresh`: gives a suffix for the names of a copy."""
    if not stmt.kinds & kinds_of(For) or (isinstance(stmt, For) and stmt.kind in GPU_KINDS):
        return stmt
    if not isinstance(stmt, For) or stmt.kind is not LoopKind.VECTORIZED:
        return map_statements(stmt, lambda child: partition_vectors(child, scope, fresh))
    nodes = list(postorder(stmt.body))
    if len(nodes) > _MAX_COPIED_NODES or not _folds(nodes) or not _is_pointwise(stmt.name, nodes):
        return stmt
    steady = SteadyState(stmt, nodes, scope)
    if not steady.bounds or not any(node in steady.decided for node in _folds(nodes)):
        return stmt
    return _cut(stmt, steady, fresh)


def _folds(nodes: list[Node]) -> set[Node]:
    """The comparisons that choose between two coordinates."""
    visited: set[Node] = set()
    selects = [node for e in indices(nodes) for node in postorder(e, visited=visited) if isinstance(node, Select)]
    return {node for select in selects for node in postorder(select.condition) if isinstance(node, Compare)}


def _is_pointwise(name: str, nodes: list[Node]) -> bool:
    """Whether each lane stores elements of its own."""
    varying = varying_with(nodes, {name})
    stores = [node for node in nodes if isinstance(node, Provide)]
    return not any(isinstance(node, AtomicUpdate) for node in nodes) and all(
        not varying.isdisjoint(store.args) for store in stores
    )


def _cut(loop: For, steady: SteadyState, fresh: Callable[[str], str]) -> Stmt:
    lane = Variable(INT32, loop.name)

    def one_by_one(what: str, start: Expr, end: Expr) -> Stmt:
        suffix = fresh(what)
        serial = with_body(loop, fresh_copy(loop.body, suffix), LoopKind.SERIAL)
        return iterations(serial, suffix, start, end, serial.body)

    def vector(start: Expr, end: Expr) -> Stmt:
        # The other lanes store elements of this iteration, before or after this.
        return with_body(loop, IfThenElse(and_(ge(lane, start), lt(lane, end)), steady.body(), None, speculatable=True))

    return steady.cut(one_by_one, vector)
