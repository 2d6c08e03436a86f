"""Non-temporal stores: whole cache lines of large outputs that the program does not read.

An ordinary store first reads the line that it writes to; where an output is larger than the caches that is a third of
the memory traffic for nothing. Whether an output is large, and whether its rows and a vector are whole lines, is
decided at run time. Where only some of the rows begin with a line, non-temporal stores of these take longer than
ordinary ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from operator import mul
from typing import NamedTuple

from pipec.ir.expr import Load, Variable
from pipec.ir.program import Program, ProgramArgumentKind
from pipec.ir.types import INT64, Type
from pipec.ir.walk import postorder
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import NO_BUFFERS, LlvmValue
from pipec.jit.llvm.memory.address import Terms, sum_text
from pipec.jit.llvm.types import element_bytes, memory_scalar, vector_of
from pipec.target import LINE_BYTES

# Larger outputs do not stay in the cache until they are read.
MIN_NONTEMPORAL_BYTES = 32 << 20
MAX_HALF_LINES = 2
"""Stores of half lines in the body of a loop."""


class Stream(NamedTuple):
    """An output that may have non-temporal stores: bytes of an element, slots of its extents, least bytes."""

    element: int
    extent_slots: list[int]
    least: int


def streamed_outputs(program: Program, extent_slots: dict[str, list[int]]) -> dict[str, Stream]:
    """The outputs that may have non-temporal stores."""
    requests = dict(program.streams)
    read = {node.buffer for node in postorder(program.body) if isinstance(node, Load)}
    return {
        argument.name: Stream(
            element_bytes(argument.type),
            extent_slots[argument.name],
            0 if requests.get(argument.name) else MIN_NONTEMPORAL_BYTES,
        )
        for argument in program.arguments
        if argument.kind is ProgramArgumentKind.OUTPUT
        and argument.name not in read
        and argument.dimensions
        and requests.get(argument.name, True)
    }


def has_whole_lines(extents: Sequence[int], element: int) -> bool:
    """Whether the rows of a dense array, the first dimension innermost, are whole cache lines."""
    strides = accumulate(extents[:-1], mul, initial=element)
    return all(stride < LINE_BYTES or stride % LINE_BYTES == 0 for stride in strides)


def may_stream(f: ExprFunction, buffer: str, kind: Type, terms: Terms) -> bool:
    """Whether a dense store of this type writes whole lines, or the next iteration of a short loop the other half.

    Many other stores in between would make the processor write half lines: a loop with 12 took five times as long.
    """
    size = element_bytes(kind) * kind.nlanes
    if not f.module.can("stream") or buffer not in f.module.streams:
        return False
    if size % LINE_BYTES == 0:
        return True
    if f.copy is None or f.copy.stores > MAX_HALF_LINES:
        return False
    return 2 * size == LINE_BYTES and terms.get(Variable(INT64, f.innermost)) == kind.nlanes


class LineStore(NamedTuple):
    """A dense store that may be non-temporal: value, address, and the parts of the index."""

    buffer: str
    kind: Type
    text: str
    address: str
    terms: Terms
    offset: int


def emit_streamed_stores(f: ExprFunction, stores: Sequence[LineStore]) -> None:
    """Emits stores that are non-temporal if their outputs are large and all addresses are those of whole lines."""
    condition = _whole_lines(f, stores)
    f.streams = True
    if f.copy is not None and f.copy.decided(condition):
        _store_all(f, stores, f.copy.streams)
        return
    stream, plain, after = f.fresh_label("stream"), f.fresh_label("plain"), f.fresh_label("after")
    f.line(f"br i1 {condition.text}, label %{stream}, label %{plain}")
    for label, streams in ((stream, True), (plain, False)):
        f.start_block(label)
        _store_all(f, stores, streams)
        f.line(f"br label %{after}")
    f.start_block(after)


def _store_all(f: ExprFunction, stores: Sequence[LineStore], streams: bool) -> None:
    suffix = f", !nontemporal {f.module.metadata_once('!{i32 1}')}" if streams else ""
    for store in stores:
        type_ = vector_of(memory_scalar(store.kind), store.kind.nlanes)
        align = _alignment(store.kind) if streams else element_bytes(store.kind)
        alias = f.module.alias_type(store.buffer)
        f.line(f"store {type_} {store.text}, ptr {store.address}, align {align}, !tbaa {alias}{suffix}")


def _alignment(kind: Type) -> int:
    return min(LINE_BYTES, element_bytes(kind) * kind.nlanes)


def _whole_lines(f: ExprFunction, stores: Sequence[LineStore]) -> LlvmValue:
    """Whether no store has an obstacle; usually invariant in the loops around, and computed before them."""
    total: LlvmValue | None = None
    for store in stores:
        size, align = element_bytes(store.kind), _alignment(store.kind)
        # Terms that are multiples of a line do not matter.
        terms = {atom: factor for atom, factor in store.terms.items() if factor * size % align}
        offset = store.offset * size % align
        base, shift, obstacle = f.buffer(store.buffer), sum_text(f, terms), _obstacle(f, store.buffer)
        key = ("whole lines", store.buffer, align, frozenset(terms.items()), offset)
        own = f.shared(key, (base, shift), partial(_low_bits, f, base.text, shift.text, size, offset, align, obstacle))
        if total is None or own is total:
            total = own
        else:
            both = (total.text, own.text)
            write = partial(f.op, f"or i64 {both[0]}, {both[1]}")
            total = f.shared(("whole lines", *both), (total, own), write)
    assert total is not None
    text = total.text
    return f.shared(("no obstacle", text), (total,), lambda: f.op(f"icmp eq i64 {text}, 0"))


def _low_bits(f: ExprFunction, base: str, shift: str, size: int, offset: int, align: int, obstacle: str) -> str:
    """0 when an address is a multiple of `align` and there is no other obstacle."""
    number = f.op(f"ptrtoint ptr {base} to i64")
    moved = f.op(f"add i64 {number}, {f.op(f'mul i64 {shift}, {size}')}")
    low = f.op(f"and i64 {f.op(f'add i64 {moved}, {offset}')}, {align - 1}")
    return f.op(f"or i64 {low}, {obstacle}")


def _obstacle(f: ExprFunction, buffer: str) -> str:
    """0 when the output is large, else 1; computed at the head of the function."""
    key = ("stream", buffer)
    obstacle = f.values.get(key)
    if obstacle is None:
        element, slots, least = f.module.streams[buffer]
        total = str(element)
        for slot in slots:
            place = f.entry(f"getelementptr i64, ptr %slots, i64 {slot}")
            total = f.entry(f"mul i64 {total}, {f.entry(f'load i64, ptr {place}, align 8')}")
        unfit = f.entry(f"icmp slt i64 {total}, {least}")
        for slot in slots if least else ():
            unfit = f.entry(f"or i1 {unfit}, {_is_part_of_lines(f, slot, element)}")
        obstacle = f.values[key] = LlvmValue(f.entry(f"zext i1 {unfit} to i64"), 0, NO_BUFFERS)
    return obstacle.text


def _is_part_of_lines(f: ExprFunction, extent_slot: int, element: int) -> str:
    """Whether the next element of a dimension lies beyond a line, but not by whole lines."""
    places = [f.entry(f"getelementptr i64, ptr %slots, i64 {slot}") for slot in (extent_slot, extent_slot + 1)]
    extent, stride = [f.entry(f"load i64, ptr {place}, align 8") for place in places]
    step = f.entry(f"mul i64 {stride}, {element}")
    is_far, rest = f.entry(f"icmp uge i64 {step}, {LINE_BYTES}"), f.entry(f"and i64 {step}, {LINE_BYTES - 1}")
    is_apart = f.entry(f"and i1 {is_far}, {f.entry(f'icmp ne i64 {rest}, 0')}")
    return f.entry(f"and i1 {is_apart}, {f.entry(f'icmp sgt i64 {extent}, 1')}")


def finish_streams(f: ExprFunction) -> None:
    """Orders non-temporal stores before the function returns."""
    if f.streams:
        f.module.declare("@llvm.x86.sse.sfence", "void @llvm.x86.sse.sfence()")
        f.line("call void @llvm.x86.sse.sfence()")
