"""Versions of innermost loops: one with non-temporal stores and prefetches, one without.

A condition before the loop chooses. With non-temporal stores the inputs usually come from memory, too; the machine's
own prefetching keeps up with a loop that copies, but not with one that also has a window in the cache.
"""

from __future__ import annotations

from pipec.ir import stmt as s
from pipec.ir.expr import Expr
from pipec.ir.types import Type
from pipec.ir.walk import postorder, statements
from pipec.jit.llvm.function import Buffers, LlvmValue, ModuleWriter
from pipec.records import dataclass, field

# Loops with longer bodies gain nothing and take long to compile.
MAX_NODES = 500


@dataclass
class StreamingLoop:
    """One of the two versions; the one with non-temporal stores collects its conditions and the vectors that it reads.

    `scope`: the loop's depth; `stores`: the number of stores in its body; `reads`: by buffer and index the type, the
    index, and its smallest constant part.
    """

    streams: bool
    scope: int
    stores: int
    conditions: list[str] = field(default_factory=list)
    reads: dict[tuple[str, frozenset[tuple[Expr, int]]], tuple[Type, dict[Expr, int], int]] = field(
        default_factory=dict
    )

    def decided(self, condition: LlvmValue) -> bool:
        """Whether a condition is invariant in the loop; if so, it becomes one of the version's conditions."""
        if condition.place >= self.scope:
            return False
        if condition.text not in self.conditions:
            self.conditions.append(condition.text)
        return True

    def read(self, buffer: str, kind: Type, terms: dict[Expr, int], offset: int) -> None:
        """Records that a dense vector of an input is loaded."""
        key = (buffer, frozenset(terms.items()))
        earlier = self.reads.get(key)
        if earlier is None or offset < earlier[2]:
            self.reads[key] = (kind, terms, offset)


def can_version_loop(module: ModuleWriter, node: s.For, stored: Buffers) -> bool:
    """Whether a loop is innermost, short, and stores to buffers that may have non-temporal stores.

    A body with allocations has one version: the second would share the memory of the first.
    """
    if not module.can("stream") or not any(buffer in module.streams for buffer in stored):
        return False
    if any(isinstance(part, (s.For, s.Allocate)) for part in statements(node.body)):
        return False
    return sum(1 for _ in postorder(node.body)) <= MAX_NODES
