"""Stores: scalars, dense vectors, scatters, with optional predicates; and strided stores that together are dense."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.ir.build import constant
from pipec.ir.expr import Expr, Load, Variable
from pipec.ir.lanes import MAX_SHUFFLED_STRIDE
from pipec.ir.stmt import Store
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.math.vector import shuffle
from pipec.jit.llvm.memory.address import Terms, VectorIndex, element_pointer, pointer, vector_index
from pipec.jit.llvm.memory.load import addresses, few_lanes, is_regular, spare_place
from pipec.jit.llvm.memory.masked import masked_write
from pipec.jit.llvm.memory.nontemporal import LineStore, emit_streamed_stores, may_stream
from pipec.jit.llvm.memory.strided import pick
from pipec.jit.llvm.memory.transpose import moved, transposable, transposed
from pipec.jit.llvm.types import element_bytes, memory_scalar, memory_suffix, vector_of


def emit_store(f: ExprFunction, node: Store) -> None:
    """Write a Store at the current point."""
    lanes = node.value.type.nlanes
    if lanes == 1:
        _store_scalar(f, node)
    else:
        _store_vector(f, node, lanes)
    f.invalidate(node.buffer)


def _stored_text(f: ExprFunction, node: Store) -> str:
    text = f.text(node.value)
    if node.value.type.boolean:
        lanes = node.value.type.nlanes
        return f.emit(f"zext {vector_of('i1', lanes)} {text} to {vector_of('i8', lanes)}")
    return text


def _store_scalar(f: ExprFunction, node: Store) -> None:
    kind = node.value.type
    text = _stored_text(f, node)
    address = element_pointer(f, node.buffer, kind, node.index).text
    if constant(node.predicate) != 1:
        condition, spare = f.text(node.predicate), spare_place(f, kind)
        address = f.emit(f"select i1 {condition}, ptr {address}, ptr {spare}")
        # The spare place is not part of the buffer, so nothing may be assumed of what this store touches.
        f.line(f"store {memory_scalar(kind)} {text}, ptr {address}, align {element_bytes(kind)}")
        return
    alias = f.module.alias_type(node.buffer)
    f.line(f"store {memory_scalar(kind)} {text}, ptr {address}, align {element_bytes(kind)}, !tbaa {alias}")


def _store_vector(f: ExprFunction, node: Store, lanes: int) -> None:
    kind = node.value.type
    size, scalar, alias = element_bytes(kind), memory_scalar(kind), f.module.alias_type(node.buffer)
    type_ = vector_of(scalar, lanes)
    text = _stored_text(f, node)
    parts = vector_index(f, node.index)
    mask = f.text(node.predicate) if constant(node.predicate) != 1 else None
    if is_regular(parts) and abs(parts.step) == 1:
        first = parts.offset if parts.step > 0 else parts.offset - (lanes - 1)
        address = pointer(f, node.buffer, scalar, parts.terms, first).text
        f.insert_in_scope(len(f.scopes) - 1)
        if parts.step < 0:
            backwards = range(lanes - 1, -1, -1)
            text = shuffle(f, scalar, text, None, lanes, backwards)
            mask = shuffle(f, "i1", mask, None, lanes, backwards) if mask is not None else None
        count = few_lanes(node.predicate) if parts.step > 0 else None
        if count is not None:
            text = shuffle(f, scalar, text, None, lanes, range(count))
            type_, mask = vector_of(scalar, count), None
        if mask is None:
            f.line(f"store {type_} {text}, ptr {address}, align {size}, !tbaa {alias}")
            return
        masked_write(f, node.buffer, kind, _in_register(f, kind, text), address, mask)
        return
    pointers = addresses(f, node.buffer, kind, parts).text
    name = f"@llvm.masked.scatter.{memory_suffix(kind)}.v{lanes}p0"
    f.module.declare(name, f"void {name}({type_}, <{lanes} x ptr>, i32, <{lanes} x i1>)")
    condition = mask if mask is not None else "splat (i1 true)"
    f.line(
        f"call void {name}({type_} {text}, <{lanes} x ptr> {pointers}, i32 {size}, <{lanes} x i1> {condition}), "
        f"!tbaa {alias}"
    )


def _in_register(f: ExprFunction, kind: Type, text: str) -> str:
    """A vector that no narrowing of wider lanes can be joined with: stores that narrow under a mask are microcode."""
    narrowed = kind.integral and element_bytes(kind) < 8 and element_bytes(kind) * kind.nlanes in (16, 32, 64)
    if not narrowed or not f.module.can("inline assembly") or not f.module.can("byte masks"):
        return text
    type_ = vector_of(memory_scalar(kind), kind.nlanes)
    return f.emit(f'call {type_} asm "", "=x,0"({type_} {text})')


def line_store(f: ExprFunction, node: Store) -> LineStore | None:
    """The store with its value and address at hand when it may go past the cache."""
    kind = node.value.type
    if kind.nlanes == 1 or constant(node.predicate) != 1 or node.buffer not in f.module.streams:
        return None
    parts = vector_index(f, node.index)
    if not is_regular(parts) or parts.step != 1 or not may_stream(f, node.buffer, kind, parts.terms):
        return None
    text = _stored_text(f, node)
    address = pointer(f, node.buffer, memory_scalar(kind), parts.terms, parts.offset).text
    return LineStore(node.buffer, kind, text, address, parts.terms, parts.offset)


def interleaved(f: ExprFunction, stores: Sequence[Store]) -> int:
    """Returns the number of leading stores that together write dense vectors, as out[2*x] and out[2*x + 1]."""
    first = stores[0]
    lanes = first.value.type.nlanes
    if lanes == 1:
        return 0
    parts = vector_index(f, first.index)
    count = _needed(first.buffer, parts, lanes)
    if not 2 <= count <= len(stores) or not _may_be_masked(f, stores[:count], parts):
        return 0
    offsets = []
    for store in stores[:count]:
        own = vector_index(f, store.index)
        same = store.buffer == first.buffer and store.value.type is first.value.type
        if not same or own._replace(offset=parts.offset) != parts:
            return 0
        if _reads(store.value, first.buffer) or _reads(store.index, first.buffer):
            return 0
        offsets.append(own.offset)
    return count if sorted(offsets) == list(range(min(offsets), min(offsets) + count)) else 0


def _may_be_masked(f: ExprFunction, stores: Sequence[Store], parts: VectorIndex) -> bool:
    """Whether the stores have no predicates, or ones that can be woven as the values are."""
    if all(constant(store.predicate) == 1 for store in stores):
        return True
    readable = not any(_reads(store.predicate, store.buffer) for store in stores)
    return readable and parts.step == len(stores) and f.module.can("byte masks")


def _needed(buffer: str, parts: VectorIndex, lanes: int) -> int:
    """Returns the number of neighbouring stores that leave no gap; 0: too many, or lanes that are anywhere.

    Rows of a buffer have no elements in common, whatever its strides are; those of other distances may overlap.
    """
    if parts.vectors:
        return 0
    if not parts.strides and 2 <= parts.step <= MAX_SHUFFLED_STRIDE:
        return parts.step
    rows = all(isinstance(atom, Variable) and atom.name.startswith(f"{buffer}.stride.") for atom in parts.strides)
    far = abs(parts.step) >= lanes if not parts.strides else rows and not parts.step and len(parts.strides) == 1
    return lanes if far and transposable(lanes) else 0


def _reads(node: Expr, buffer: str) -> bool:
    return any(isinstance(part, Load) and part.buffer == buffer for part in postorder(node))


def emit_interleaved(f: ExprFunction, stores: Sequence[Store]) -> None:
    """Write stores found by `interleaved` as dense ones."""
    buffer, kind = stores[0].buffer, stores[0].value.type
    in_order = sorted(stores, key=lambda store: vector_index(f, store.index).offset)
    texts, parts = [_stored_text(f, store) for store in in_order], vector_index(f, in_order[0].index)
    if any(constant(store.predicate) != 1 for store in in_order):
        masks = [f.text(store.predicate) for store in in_order]
        dense = _woven(f, buffer, kind, parts, texts)
        f.insert_in_scope(len(f.scopes) - 1)
        for line, mask in zip(dense, _woven_lanes(f, "i1", masks, kind), strict=True):
            masked_write(f, buffer, kind, _in_register(f, kind, line.text), line.address, mask)
        f.invalidate(buffer)
        return
    if parts.step == len(stores):
        dense = _woven(f, buffer, kind, parts, texts)
    else:
        dense = _transposed(f, buffer, kind, parts, texts)
    if parts.step == len(stores) and may_stream(f, buffer, kind, {}):
        emit_streamed_stores(f, dense)
    else:
        type_ = vector_of(memory_scalar(kind), kind.nlanes)
        rest = f"align {element_bytes(kind)}, !tbaa {f.module.alias_type(buffer)}"
        for line in dense:
            f.line(f"store {type_} {line.text}, ptr {line.address}, {rest}")
    f.invalidate(buffer)


def _woven(f: ExprFunction, buffer: str, kind: Type, parts: VectorIndex, texts: Sequence[str]) -> list[LineStore]:
    """Vectors of which one has the first elements, the next the second ones, ... as those that follow each other."""
    places = [(parts.terms, parts.offset + kind.nlanes * part) for part in range(len(texts))]
    return _dense(f, buffer, kind, places, lambda: _woven_lanes(f, memory_scalar(kind), texts, kind))


def _dense(
    f: ExprFunction,
    buffer: str,
    kind: Type,
    places: Sequence[tuple[Terms, int]],
    vectors: Callable[[], list[str]],
) -> list[LineStore]:
    """Dense stores of `vectors` at these places; their addresses are emitted first."""
    addresses = [pointer(f, buffer, memory_scalar(kind), terms, offset).text for terms, offset in places]
    f.insert_in_scope(len(f.scopes) - 1)
    stores = zip(vectors(), addresses, places, strict=True)
    return [LineStore(buffer, kind, text, address, terms, offset) for text, address, (terms, offset) in stores]


def _woven_lanes(f: ExprFunction, scalar: str, texts: Sequence[str], kind: Type) -> list[str]:
    """The first lanes of all vectors, the second ones, ... in vectors of the same length."""
    step, lanes = len(texts), kind.nlanes
    return [
        pick(f, scalar, texts, lanes, [(at % step, at // step) for at in range(start, start + lanes)])
        for start in range(0, step * lanes, lanes)
    ]


def _transposed(f: ExprFunction, buffer: str, kind: Type, parts: VectorIndex, texts: Sequence[str]) -> list[LineStore]:
    """The columns of a square as its rows."""
    scalar = memory_scalar(kind)
    rows = [(moved(parts.terms, parts.strides, row), parts.offset + row * parts.step) for row in range(kind.nlanes)]

    def take(a: str, b: str, indices: Sequence[int]) -> str:
        return shuffle(f, scalar, a, b, kind.nlanes, indices)

    return _dense(f, buffer, kind, rows, lambda: transposed(list(texts), element_bytes(kind), take))
