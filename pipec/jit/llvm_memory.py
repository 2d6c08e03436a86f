"""Loads and stores: scalars, dense vectors, constant strides, gathers and scatters, all with optional predicates."""

from __future__ import annotations

from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Add, Broadcast, Cast, Const, Expr, Load, Mul, Ramp
from pipec.ir.stmt import Store
from pipec.ir.types import INT32, INT64, Type
from pipec.jit.llvm_address import VectorIndex, element_pointer, pointer, vector_index
from pipec.jit.llvm_expr import ExprFunction
from pipec.jit.llvm_function import NO_BUFFERS, Value
from pipec.jit.llvm_types import (
    constant_text,
    element_bytes,
    intrinsic_suffix,
    memory_scalar,
    vector_constant,
    vector_of,
)
from pipec.jit.llvm_vector import concatenate, shuffle, splat

# Vectors of larger constant strides are gathered: most of what is read would be thrown away.
LARGEST_SHUFFLED_STRIDE = 4


def emit_load(f: ExprFunction, node: Load) -> Value:
    """The elements that a Load reads, as a value of the node's type."""
    if node.type.nlanes == 1:
        return _load_scalar(f, node)
    if isinstance(node.index, Broadcast) and constant(node.predicate) == 1:
        return _load_broadcast(f, node)
    return _load_vector(f, node)


def _load_scalar(f: ExprFunction, node: Load) -> Value:
    address = element_pointer(f, node.buffer, node.type, node.index)
    operands = [address]
    if constant(node.predicate) != 1:
        # Where the predicate is false a harmless place is read instead.
        condition = f.value(node.predicate)
        spare = _spare(f, node.type)
        operands.append(condition)
        address = f.shared(
            ("select", node.predicate, address.text, spare),
            operands,
            lambda: f.op(f"select i1 {condition.text}, ptr {address.text}, ptr {spare}"),
        )
    return _finish_load(f, node, operands, lambda: _one(f, node, address.text))


def _one(f: ExprFunction, node: Load, address: str) -> str:
    scalar = memory_scalar(node.type)
    size = element_bytes(node.type)
    return f.op(f"load {scalar}, ptr {address}, align {size}, !tbaa {f.module.alias_type(node.buffer)}")


def _spare(f: ExprFunction, kind: Type) -> str:
    """A place on the stack that a predicated access may touch when its predicate is false."""
    key = ("spare", kind.element_of())
    found = f.values.get(key)
    if found is None:
        size = element_bytes(kind)
        name = f.entry(f"alloca [{size} x i8], align {size}")
        f.allocas.append(f"  store {memory_scalar(kind.element_of())} zeroinitializer, ptr {name}, align {size}")
        found = f.values[key] = Value(name, 0, NO_BUFFERS)
    return found.text


def _load_broadcast(f: ExprFunction, node: Load) -> Value:
    assert isinstance(node.index, Broadcast)
    one = f.value(Load(node.type.element_of(), node.buffer, node.index.value, TRUE))
    return f.shared(node, (one,), lambda: splat(f, _value_scalar(node.type), one.text, node.type.nlanes))


def _value_scalar(kind: Type) -> str:
    return "i1" if kind.boolean else memory_scalar(kind)


def _finish_load(f: ExprFunction, node: Load, operands: list[Value], write) -> Value:  # type: ignore[no-untyped-def]
    """Write a load as far out as it may stand; memory's bytes become the truth values of bools."""
    place, buffers = 0, frozenset({node.buffer})
    for operand in (*operands, f.buffer(node.buffer)):
        place = max(place, operand.place)
        buffers = buffers | operand.buffers
    place = f.load_home(place, node.buffer)
    f.aim(place)
    text = write()
    if node.type.boolean:
        type_ = vector_of("i8", node.type.nlanes)
        text = f.op(f"icmp ne {type_} {text}, zeroinitializer" if node.type.nlanes > 1 else f"icmp ne i8 {text}, 0")
    return f.keep(node, text, place, buffers)


def _load_vector(f: ExprFunction, node: Load) -> Value:
    lanes = node.type.nlanes
    parts = vector_index(f, node.index)
    predicated = constant(node.predicate) != 1
    operands = [f.value(node.predicate)] if predicated else []
    mask = operands[0].text if predicated else None
    largest = 1 if predicated else LARGEST_SHUFFLED_STRIDE
    if not parts.vectors and not parts.strides and 1 <= abs(parts.step) <= largest:
        step = abs(parts.step)
        # A negative stride reads the same elements upwards and turns them round.
        first = parts.offset if parts.step > 0 else parts.offset + parts.step * (lanes - 1)
        offsets = _piece_offsets(step, lanes)
        scalar = memory_scalar(node.type)
        pieces = [pointer(f, node.buffer, scalar, parts.terms, first + offset) for offset in offsets]
        return _finish_load(
            f, node, [*operands, *pieces], lambda: _dense(f, node, [p.text for p in pieces], offsets, parts.step, mask)
        )
    addresses = _addresses(f, node.buffer, node.type, parts)
    return _finish_load(f, node, [*operands, addresses], lambda: _gather(f, node, addresses.text, mask))


def _piece_offsets(step: int, lanes: int) -> list[int]:
    """Where to read vectors of `lanes` elements that hold every step-th one; none reaches past the last one needed."""
    last = step * (lanes - 1) + 1 - lanes
    offsets: list[int] = []
    for element in range(0, step * lanes, step):
        if not offsets or element >= offsets[-1] + lanes:
            offsets.append(min(element, last))
    return offsets


def _dense(f: ExprFunction, node: Load, addresses: list[str], offsets: list[int], step: int, mask: str | None) -> str:
    lanes, scalar = node.type.nlanes, memory_scalar(node.type)
    if mask is not None and step < 0:
        mask = shuffle(f, "i1", mask, None, lanes, range(lanes - 1, -1, -1))
    read = [(_vector_read(f, node, address, mask), lanes) for address in addresses]
    if len(read) == 1:
        if step > 0:
            return read[0][0]
        return shuffle(f, scalar, read[0][0], None, lanes, range(lanes - 1, -1, -1))
    wanted = [abs(step) * i for i in range(lanes)]
    if step < 0:
        wanted.reverse()
    if len(read) == 2:
        indices = [_lane_of(element, offsets, lanes) for element in wanted]
        return shuffle(f, scalar, read[0][0], read[1][0], lanes, indices)
    whole, count = concatenate(f, scalar, read)
    return shuffle(f, scalar, whole, None, count, [_lane_of(element, offsets, lanes) for element in wanted])


def _lane_of(element: int, offsets: list[int], lanes: int) -> int:
    """The lane of the concatenated pieces that holds an element."""
    piece = max(i for i, offset in enumerate(offsets) if offset <= element)
    return piece * lanes + element - offsets[piece]


def _vector_read(f: ExprFunction, node: Load, address: str, mask: str | None) -> str:
    lanes, size = node.type.nlanes, element_bytes(node.type)
    type_ = vector_of(memory_scalar(node.type), lanes)
    alias = f.module.alias_type(node.buffer)
    if mask is None:
        return f.op(f"load {type_}, ptr {address}, align {size}, !tbaa {alias}")
    name = f"@llvm.masked.load.{_memory_suffix(node.type)}.p0"
    f.module.declare(name, f"{type_} {name}(ptr, i32, <{lanes} x i1>, {type_})")
    return f.op(
        f"call {type_} {name}(ptr {address}, i32 {size}, <{lanes} x i1> {mask}, {type_} zeroinitializer), !tbaa {alias}"
    )


def _memory_suffix(kind: Type) -> str:
    return f"v{kind.nlanes}i8" if kind.boolean else intrinsic_suffix(kind)


def _addresses(f: ExprFunction, buffer: str, kind: Type, parts: VectorIndex) -> Value:
    """A vector of the addresses of all lanes: a scalar base and a vector of offsets from it."""
    scalar, lanes = memory_scalar(kind), kind.nlanes
    base = pointer(f, buffer, scalar, parts.terms, parts.offset)
    offsets, offset_scalar = _offsets(f, lanes, parts)
    key = ("pointers", base.text, offsets.text)
    return f.shared(
        key,
        (base, offsets),
        lambda: f.op(f"getelementptr {scalar}, ptr {base.text}, <{lanes} x {offset_scalar}> {offsets.text}"),
    )


def _offsets(f: ExprFunction, lanes: int, parts: VectorIndex) -> tuple[Value, str]:
    vectors = [(atom, factor) for atom, factor in parts.vectors.items()]
    if len(vectors) == 1 and vectors[0][1] == 1 and not parts.strides and parts.step == 0:
        atom = vectors[0][0]
        if (
            isinstance(atom, Cast)
            and atom.value.type.integral
            and atom.value.type.nbits <= 32
            and atom.value.type.signed
        ):
            atom = atom.value
        if atom.type.signed or atom.type.nbits == 64:
            return f.value(atom), f"i{atom.type.nbits}"
    wide = INT64.with_lanes(lanes)
    total: Expr | None = None
    for atom, factor in vectors:
        term = atom if atom.type is wide else Cast(wide, atom)
        term = term if factor == 1 else Mul(term, Broadcast(Const(INT64, factor), lanes))
        total = term if total is None else Add(total, term)
    if parts.step or parts.strides:
        ramp = _ramp_of(parts, lanes)
        total = ramp if total is None else Add(total, ramp)
    if total is None:
        return Value(constant_text(INT32.with_lanes(lanes), 0), 0, NO_BUFFERS), "i32"
    if not parts.vectors and not parts.strides and abs(parts.step) * lanes < 1 << 31:
        steps = vector_constant("i32", [parts.step * i for i in range(lanes)])
        return Value(steps, 0, NO_BUFFERS), "i32"
    return f.value(total), "i64"


def _ramp_of(parts: VectorIndex, lanes: int) -> Expr:
    stride: Expr = Const(INT64, parts.step)
    for atom, factor in parts.strides.items():
        stride = Add(stride, atom if factor == 1 else Mul(atom, Const(INT64, factor)))
    return Ramp(Const(INT64, 0), stride, lanes)


def _gather(f: ExprFunction, node: Load, addresses: str, mask: str | None) -> str:
    lanes, size = node.type.nlanes, element_bytes(node.type)
    type_ = vector_of(memory_scalar(node.type), lanes)
    name = f"@llvm.masked.gather.{_memory_suffix(node.type)}.v{lanes}p0"
    f.module.declare(name, f"{type_} {name}(<{lanes} x ptr>, i32, <{lanes} x i1>, {type_})")
    condition = mask if mask is not None else "splat (i1 true)"
    passthru = "zeroinitializer" if mask is not None else "poison"
    return f.op(
        f"call {type_} {name}(<{lanes} x ptr> {addresses}, i32 {size}, <{lanes} x i1> {condition}, "
        f"{type_} {passthru}), !tbaa {f.module.alias_type(node.buffer)}"
    )


# Stores


def emit_store(f: ExprFunction, node: Store) -> None:
    """Write a Store at the current point."""
    lanes = node.value.type.nlanes
    if lanes == 1:
        _store_scalar(f, node)
    else:
        _store_vector(f, node, lanes)
    f.forget(node.buffer)


def _stored_text(f: ExprFunction, node: Store) -> str:
    text = f.text(node.value)
    if node.value.type.boolean:
        lanes = node.value.type.nlanes
        return f.here(f"zext {vector_of('i1', lanes)} {text} to {vector_of('i8', lanes)}")
    return text


def _store_scalar(f: ExprFunction, node: Store) -> None:
    kind = node.value.type
    text = _stored_text(f, node)
    address = element_pointer(f, node.buffer, kind, node.index).text
    if constant(node.predicate) != 1:
        condition, spare = f.text(node.predicate), _spare(f, kind)
        address = f.here(f"select i1 {condition}, ptr {address}, ptr {spare}")
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
    if not parts.vectors and not parts.strides and abs(parts.step) == 1:
        first = parts.offset if parts.step > 0 else parts.offset - (lanes - 1)
        address = pointer(f, node.buffer, scalar, parts.terms, first).text
        f.aim(len(f.scopes) - 1)
        if parts.step < 0:
            backwards = range(lanes - 1, -1, -1)
            text = shuffle(f, scalar, text, None, lanes, backwards)
            mask = shuffle(f, "i1", mask, None, lanes, backwards) if mask is not None else None
        if mask is None:
            f.line(f"store {type_} {text}, ptr {address}, align {size}, !tbaa {alias}")
            return
        name = f"@llvm.masked.store.{_memory_suffix(kind)}.p0"
        f.module.declare(name, f"void {name}({type_}, ptr, i32, <{lanes} x i1>)")
        f.line(f"call void {name}({type_} {text}, ptr {address}, i32 {size}, <{lanes} x i1> {mask}), !tbaa {alias}")
        return
    addresses = _addresses(f, node.buffer, kind, parts).text
    name = f"@llvm.masked.scatter.{_memory_suffix(kind)}.v{lanes}p0"
    f.module.declare(name, f"void {name}({type_}, <{lanes} x ptr>, i32, <{lanes} x i1>)")
    condition = mask if mask is not None else "splat (i1 true)"
    f.line(
        f"call void {name}({type_} {text}, <{lanes} x ptr> {addresses}, i32 {size}, <{lanes} x i1> {condition}), "
        f"!tbaa {alias}"
    )
