"""Vectorized and unrolled loops have constant extents: the error for those that the schedule gives others.

vectorized (x, 0, n)  -->  ScheduleError: Can only vectorize for loops over a constant extent. ...
"""

from __future__ import annotations

import re

from pipec.errors import ScheduleError
from pipec.ir.build import constant
from pipec.ir.stmt import For, LoopKind, Stmt
from pipec.ir.walk import postorder

_VERBS = {LoopKind.VECTORIZED: "vectorize", LoopKind.UNROLLED: "unroll"}
# What partition_loops appends to the names in its copies.
_COPY = re.compile(r"(\.(before|after|border)\d+)+$")


def check_extents(stmt: Stmt) -> Stmt:
    """`stmt` itself. Where an extent is constant in the steady state, the loop may stay one at the borders."""
    unknown: dict[str, For] = {}
    known: set[str] = set()
    for node in postorder(stmt):
        if isinstance(node, For) and node.kind in _VERBS:
            name = _COPY.sub("", node.name)
            if constant(node.extent) is None:
                unknown.setdefault(name, node)
            else:
                known.add(name)
    for name, loop in unknown.items():
        if name not in known:
            verb = _VERBS[loop.kind]
            raise ScheduleError(
                f"Can only {verb} for loops over a constant extent. Loop over {name} has extent {loop.extent}. "
                f"Split the loop by a constant and {verb} the inner part, or give the variable a constant extent "
                f"with bound()."
            )
    return stmt
