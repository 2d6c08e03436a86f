"""Vectorized and unrolled loops have constant extents of a sane size: the errors for those that have not.

vectorized (x, 0, n)  -->  ScheduleError: Can only vectorize for loops over a constant extent. ...
"""

from __future__ import annotations

import os

from pipec.diagnostics import warn
from pipec.errors import ScheduleError
from pipec.ir.build import constant
from pipec.ir.stmt import For, LoopKind, Stmt
from pipec.ir.walk import statements
from pipec.lower.passes.partition_loops import original_name

# LLVM ends the process on vectors that are some times longer than this, and takes hours over longer unrolled bodies.
_MOST = {LoopKind.VECTORIZED: 4096, LoopKind.UNROLLED: 16384}
_VERBS = {LoopKind.VECTORIZED: "vectorize", LoopKind.UNROLLED: "unroll"}


def check_extents(stmt: Stmt) -> None:
    """Raises a ScheduleError for a vectorized or unrolled loop whose extent is not constant, or too large.

    Where the extent is constant in the steady state, the loop may stay one in the prologue and the epilogue. Loops that
    can't be unrolled stay loops where the environment says HL_PERMIT_FAILED_UNROLL=1.
    """
    unknown: dict[str, For] = {}
    known: set[str] = set()
    for node in statements(stmt):
        if isinstance(node, For) and node.kind in _VERBS:
            name = original_name(node.name)
            extent = constant(node.extent)
            if extent is None:
                # In the steady state loops have their original names; one that is not there took a single iteration.
                if node.name == name:
                    unknown[name] = node
            else:
                known.add(name)
                _check_size(name, node.kind, int(extent))
    for name, loop in unknown.items():
        if name in known:
            continue
        if loop.kind is LoopKind.UNROLLED and os.environ.get("HL_PERMIT_FAILED_UNROLL") == "1":
            warn(
                "HL_PERMIT_FAILED_UNROLL is allowing us to unroll a non-constant loop into a serial loop. Did you mean "
                f"to do this? It is the loop over {name} of extent {loop.extent}."
            )
        else:
            verb = _VERBS[loop.kind]
            raise ScheduleError(
                f"Can only {verb} for loops over a constant extent. Loop over {name} has extent {loop.extent}. "
                f"Split the loop by a constant and {verb} the inner part, or give the variable a constant extent "
                f"with bound()."
            )


def _check_size(name: str, kind: LoopKind, extent: int) -> None:
    if extent > _MOST[kind]:
        verb = _VERBS[kind]
        raise ScheduleError(
            f"Can't {verb} the loop over {name} of extent {extent}: the most is {_MOST[kind]}. "
            f"Split the loop by a smaller factor and {verb} the inner part."
        )
