"""Innermost loops that store past the cache, written twice: with streaming stores and prefetches, and without.

Which of the two runs is asked once, before the loop. Where a loop streams, its inputs mostly come from memory, too; the
machine's own prefetching keeps up with a loop that copies, but not with one that also has a window in the cache.
"""

from __future__ import annotations

from pipec.ir import stmt as s
from pipec.ir.expr import Expr
from pipec.ir.types import Type
from pipec.ir.walk import postorder, statements
from pipec.jit.llvm.function import Buffers, Module, Value
from pipec.records import dataclass, field

# Loops with longer bodies would gain nothing, and take long to compile.
MOST_NODES = 500


@dataclass
class StreamingLoop:
    """One of the two copies; the streaming one learns on what conditions it may run and which vectors it reads.

    `scope`: the loop's depth; `reads`: by buffer and index the type, the index, and its least constant part.
    """

    streams: bool
    scope: int
    conditions: list[str] = field(default_factory=list)
    reads: dict[tuple[str, frozenset[tuple[Expr, int]]], tuple[Type, dict[Expr, int], int]] = field(
        default_factory=dict
    )

    def decided(self, condition: Value) -> bool:
        """Whether this is known before the loop; then it is part of what chooses the copy."""
        if condition.place >= self.scope:
            return False
        if condition.text not in self.conditions:
            self.conditions.append(condition.text)
        return True

    def read(self, buffer: str, kind: Type, terms: dict[Expr, int], offset: int) -> None:
        """A dense vector of an input is loaded."""
        key = (buffer, frozenset(terms.items()))
        known = self.reads.get(key)
        if known is None or offset < known[2]:
            self.reads[key] = (kind, terms, offset)


def may_be_twofold(module: Module, node: s.For, stored: Buffers) -> bool:
    """Whether a loop is innermost, short, and stores to what may go past the cache.

    What a body computes for itself stays out of it: the second copy would take it from the memory of the first one.
    """
    if not module.can("stream") or not any(buffer in module.streams for buffer in stored):
        return False
    if any(isinstance(part, (s.For, s.Allocate)) for part in statements(node.body)):
        return False
    return sum(1 for _ in postorder(node.body)) <= MOST_NODES
