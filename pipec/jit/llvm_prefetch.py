"""Prefetches: the address of an element, handed to the cache. It may lie anywhere."""

from __future__ import annotations

from pipec.errors import InternalError
from pipec.ir.expr import Load
from pipec.ir.stmt import Prefetch
from pipec.jit.llvm_address import element_pointer
from pipec.jit.llvm_expr import ExprFunction

# To be read, by all levels of caches, into that of data.
_READ_SOON = "i32 0, i32 3, i32 1"


def emit_prefetch(f: ExprFunction, node: Prefetch) -> None:
    """Write a Prefetch at the current point."""
    if not isinstance(node.read, Load):
        raise InternalError(f"What is prefetched must be flat before code is made: {node}")
    address = element_pointer(f, node.read.buffer, node.read.type, node.read.index).text
    f.module.declare("@llvm.prefetch.p0", "void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    f.line(f"call void @llvm.prefetch.p0(ptr {address}, {_READ_SOON})")
