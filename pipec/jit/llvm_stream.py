"""Stores past the cache: whole lines of large outputs that the program does not read again.

An ordinary store first reads the line that it writes to; where an output is larger than the caches that is a third of
the memory traffic for nothing. Whether an output is large, and whether a vector covers whole lines, is asked at run
time: rows may begin anywhere.
"""

from __future__ import annotations

from pipec.ir.expr import Load, Variable
from pipec.ir.program import ArgumentKind, Program
from pipec.ir.types import INT64, Type
from pipec.ir.walk import postorder
from pipec.jit.llvm_address import Terms
from pipec.jit.llvm_expr import ExprFunction
from pipec.jit.llvm_function import NO_BUFFERS, Value
from pipec.jit.llvm_types import element_bytes, memory_scalar, vector_of

# Outputs from this size on do not stay in the cache until somebody reads them.
STREAM_FROM_BYTES = 32 << 20
LINE_BYTES = 64


def streamed_outputs(program: Program, extent_slots: dict[str, list[int]]) -> dict[str, tuple[int, list[int]]]:
    """The outputs that may be stored past the cache: bytes of an element, and the slots of the extents."""
    read = {node.buffer for node in postorder(program.body) if isinstance(node, Load)}
    return {
        argument.name: (element_bytes(argument.type), extent_slots[argument.name])
        for argument in program.arguments
        if argument.kind is ArgumentKind.OUTPUT and argument.name not in read and argument.dimensions
    }


def may_stream(f: ExprFunction, buffer: str, kind: Type, terms: Terms) -> bool:
    """Whether a dense store of this type writes whole lines, or its neighbour in the same loop the other half."""
    size = element_bytes(kind) * kind.nlanes
    if not f.module.can("stream") or buffer not in f.module.streams:
        return False
    if size % LINE_BYTES == 0:
        return True
    return 2 * size == LINE_BYTES and terms.get(Variable(INT64, f.innermost)) == kind.nlanes


def emit_streamed_store(f: ExprFunction, buffer: str, kind: Type, text: str, address: str) -> None:
    """A store that goes past the cache when the output is large and the address is that of a whole line."""
    type_ = vector_of(memory_scalar(kind), kind.nlanes)
    alias = f.module.alias_type(buffer)
    align = min(LINE_BYTES, element_bytes(kind) * kind.nlanes)
    number = f.here(f"ptrtoint ptr {address} to i64")
    low = f.here(f"and i64 {number}, {align - 1}")
    mixed = f.here(f"or i64 {low}, {_obstacle(f, buffer)}")
    well = f.here(f"icmp eq i64 {mixed}, 0")
    stream, plain, after = f.fresh_label("stream"), f.fresh_label("plain"), f.fresh_label("after")
    f.line(f"br i1 {well}, label %{stream}, label %{plain}")
    f.start_block(stream)
    hint = f.module.metadata_once("!{i32 1}")
    f.line(f"store {type_} {text}, ptr {address}, align {align}, !tbaa {alias}, !nontemporal {hint}")
    f.line(f"br label %{after}")
    f.start_block(plain)
    f.line(f"store {type_} {text}, ptr {address}, align {element_bytes(kind)}, !tbaa {alias}")
    f.line(f"br label %{after}")
    f.start_block(after)
    f.streams = True


def _obstacle(f: ExprFunction, buffer: str) -> str:
    """0 when the output is large, else 1; computed at the head of the function."""
    key = ("stream", buffer)
    found = f.values.get(key)
    if found is None:
        size, slots = f.module.streams[buffer]
        total = str(size)
        for slot in slots:
            place = f.entry(f"getelementptr i64, ptr %slots, i64 {slot}")
            total = f.entry(f"mul i64 {total}, {f.entry(f'load i64, ptr {place}, align 8')}")
        small = f.entry(f"icmp slt i64 {total}, {STREAM_FROM_BYTES}")
        found = f.values[key] = Value(f.entry(f"zext i1 {small} to i64"), 0, NO_BUFFERS)
    return found.text


def finish_streams(f: ExprFunction) -> None:
    """Before a function returns: what it stored past the cache is seen by whoever learns that it is done."""
    if f.streams:
        f.module.declare("@llvm.x86.sse.sfence", "void @llvm.x86.sse.sfence()")
        f.line("call void @llvm.x86.sse.sfence()")
