"""Updates of elements that lanes of a vector loop find by values, so that several lanes may meet at one.

    vectorized (x, 0, 8) { h[t[x]] = h[t[x]] + v[x] }
    -->
    places[ramp(0, 1, 8)] = t[ramp(0, 1, 8)];  parts[ramp(0, 1, 8)] = v[ramp(0, 1, 8)]
    h[places[0]] = h[places[0]] + parts[0];  h[places[1]] = h[places[1]] + parts[1];  ...

Places and values are computed as vectors; the elements are updated one after another, in the order of the lanes.
"""

from __future__ import annotations

from pipec.ir import build
from pipec.ir.build import block
from pipec.ir.expr import TRUE, Broadcast, Const, Expr, Load, Ramp, Variable, const
from pipec.ir.stmt import Allocate, For, IfThenElse, LetStmt, LoopKind, MemoryType, Stmt, Store
from pipec.ir.types import INT32, INT64
from pipec.lower.vectorize.vector_reductions import Reduction

# Lanes that are written side by side: a loop over fewer would cost as much as the updates.
TOGETHER = 16


def lane_by_lane(loop: str, stmt: Store, reduction: Reduction, places: Expr, parts: Expr, mask: Expr | None) -> Stmt:
    """The update that a store makes of an element, for vectors of places and parts. `mask`: the lanes that do it."""
    kept = {f"{stmt.buffer}.places.{loop}": places, f"{stmt.buffer}.parts.{loop}": parts}
    if mask is not None:
        kept[f"{stmt.buffer}.active.{loop}"] = mask
    lanes = places.type.nlanes
    together = TOGETHER if lanes % TOGETHER == 0 else 1
    group, within = Variable(INT32, f"{loop}.lanes"), Variable(INT32, f"{loop}.lane")
    lane = build.add(build.mul(group, together), within)
    own = [Load(vector.type.element_of(), name, lane, TRUE) for name, vector in kept.items()]
    place = Variable(own[0].type, f"{stmt.buffer}.place.{loop}")
    value = reduction.kind(Load(own[1].type, stmt.buffer, place, TRUE), own[1])
    update: Stmt = LetStmt(place.name, own[0], Store(stmt.buffer, value, place, TRUE))
    if mask is not None:
        update = IfThenElse(own[2], update, None)
    updates: Stmt = For(within.name, const(0), const(together), LoopKind.UNROLLED, update)
    updates = For(group.name, const(0), const(lanes // together), LoopKind.SERIAL, updates)
    ramp, always = Ramp(const(0), const(1), lanes), Broadcast(TRUE, lanes)
    result = block([*[Store(name, vector, ramp, always) for name, vector in kept.items()], updates])
    for name, vector in kept.items():
        result = Allocate(name, vector.type.element_of(), MemoryType.Stack, Const(INT64, lanes), result)
    return result
