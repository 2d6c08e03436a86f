"""Which Funcs the stages of frozen definitions call."""

from __future__ import annotations

import weakref

from pipec.func.functions.definition import StageDef
from pipec.ir.expr import FuncCall
from pipec.ir.node import Node
from pipec.ir.walk import postorder

_callees_of: weakref.WeakKeyDictionary[StageDef, tuple[str, ...]] = weakref.WeakKeyDictionary()


def callees(stage: StageDef) -> tuple[str, ...]:
    """The Funcs that a stage calls, in order of first mention."""
    found = _callees_of.get(stage)
    if found is None:
        seen: set[Node] = set()
        roots = [*stage.args, *stage.values, stage.predicate]
        roots += [e for loop in stage.rvars for e in (loop.minimum, loop.extent)]
        calls = (node.name for root in roots for node in postorder(root, seen) if isinstance(node, FuncCall))
        found = _callees_of[stage] = tuple(dict.fromkeys(calls))
    return found
