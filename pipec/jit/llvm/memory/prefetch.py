"""Prefetches: the address of an element, handed to the cache. It may lie anywhere."""

from __future__ import annotations

from pipec.errors import InternalError
from pipec.ir.expr import Load, Variable
from pipec.ir.stmt import PrefetchLoad
from pipec.ir.types import INT64
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.memory.address import element_pointer, pointer
from pipec.jit.llvm.memory.nontemporal_loop import StreamingLoop
from pipec.jit.llvm.types import element_bytes, memory_scalar
from pipec.target import LINE_BYTES

# To be read, by all levels of caches, into that of data.
_READ_SOON = "i32 0, i32 3, i32 1"
# How far ahead of its loads a streaming loop prefetches: what memory delivers while one line is on its way.
AHEAD_BYTES = 4096
# Iterations that advance by less than half a line would prefetch each line too often, those by more than 8 too late.
MIN_ADVANCE, MAX_ADVANCE = 32, 512
MAX_PREFETCHES = 16


def emit_prefetch(f: ExprFunction, node: PrefetchLoad) -> None:
    """Write a PrefetchLoad at the current point."""
    if not isinstance(node.read, Load):
        raise InternalError(f"What is prefetched must be flat before code is made: {node}")
    address = element_pointer(f, node.read.buffer, node.read.type, node.read.index).text
    _prefetch(f, address)


def prefetch_ahead(f: ExprFunction, loop: StreamingLoop) -> None:
    """At the end of a streaming loop's body: what some later iteration will read."""
    addresses: list[str] = []
    for (buffer, _), (kind, terms, offset) in loop.reads.items():
        size = element_bytes(kind)
        advance = terms.get(Variable(INT64, f.innermost), 0) * size
        if MIN_ADVANCE <= advance <= MAX_ADVANCE:
            for start in range(AHEAD_BYTES, AHEAD_BYTES + advance, LINE_BYTES):
                addresses.append(pointer(f, buffer, memory_scalar(kind), terms, offset + start // size).text)
    if len(addresses) <= MAX_PREFETCHES:
        for address in addresses:
            _prefetch(f, address)


def _prefetch(f: ExprFunction, address: str) -> None:
    f.module.declare("@llvm.prefetch.p0", "void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    f.line(f"call void @llvm.prefetch.p0(ptr {address}, {_READ_SOON})")
