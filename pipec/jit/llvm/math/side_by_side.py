"""Long sums that read the same vectors are computed side by side, term by term.

One after the other, each would load the vectors again, or LLVM would spill them in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from pipec.ir.expr import Add, Expr, Load, Sub
from pipec.ir.node import Node
from pipec.ir.stmt import Store
from pipec.ir.walk import instances, outside_indices, postorder
from pipec.jit.llvm.expr import ExprFunction

MIN_TERMS = 8
MIN_SHARED = 0.5
"""Of the loads of a sum, so many have to be those of sums beside it."""
MAX_VECTORS = 8
"""Of sums that are computed side by side: they stay in registers."""


class _Sum:
    """A sum by its partial sums, the first term first."""

    def __init__(self, total: Expr) -> None:
        partial = [total]
        while isinstance(partial[-1], (Add, Sub)):
            partial.append(partial[-1].a)
        self.partial = partial[::-1]
        self.bytes = total.type.nlanes * total.type.bytes()

    @cached_property
    def loads(self) -> set[Load]:
        """The vectors that are loaded, but for those in indices."""
        nodes = outside_indices(self.partial[-1])
        return {node for node in nodes if isinstance(node, Load) and node.type.nlanes > 1}


def emit_sums_side_by_side(f: ExprFunction, stores: Sequence[Store]) -> None:
    """Evaluates the sums in the values of statements that run one after the other, if they share what they load."""
    vector_bytes = 64 if f.module.can("byte masks") else 32
    for group in _groups(_sums(stores), MAX_VECTORS * vector_bytes):
        for k in range(max(len(one.partial) for one in group)):
            for one in group:
                if k < len(one.partial):
                    f.value(one.partial[k])


def _sums(stores: Sequence[Store]) -> list[_Sum]:
    """The long sums of vectors, but for those of which a statement before changes what they read."""
    sums: list[_Sum] = []
    stored: set[str] = set()
    visited: set[Node] = set()
    for store in stores:
        nodes = postorder(store.value, visited=visited)
        added = [node for node in nodes if isinstance(node, (Add, Sub)) and node.type.nlanes > 1]
        inner = {node.a for node in added}
        totals = [_Sum(node) for node in added if node not in inner]
        long = [one for one in totals if len(one.partial) >= MIN_TERMS]
        sums += [one for one in long if stored.isdisjoint([load.buffer for load in instances(Load, one.partial[-1])])]
        stored.add(store.buffer)
    return sums


def _groups(sums: Iterable[_Sum], max_bytes: int) -> list[list[_Sum]]:
    """Those of the sums that are computed side by side."""
    groups: list[list[_Sum]] = []
    for one in sums:
        for group in groups:
            shared = len(one.loads & group[0].loads)
            if shared >= MIN_SHARED * len(one.loads) and sum(other.bytes for other in group) + one.bytes <= max_bytes:
                group.append(one)
                break
        else:
            groups.append([one])
    return [group for group in groups if len(group) > 1]
