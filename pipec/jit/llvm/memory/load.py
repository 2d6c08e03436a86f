"""Loads: scalars, dense vectors, constant strides and gathers, with optional predicates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.bounds.ranges import Ranges
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Add, Broadcast, Cast, Const, Expr, Load, Mul, Ramp
from pipec.ir.lanes import MAX_SHUFFLED_STRIDE, first_lanes
from pipec.ir.types import INT32, INT64, Type
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import NO_BUFFERS, LlvmValue
from pipec.jit.llvm.math.vector import concatenate, gather_lanes, shuffle, splat
from pipec.jit.llvm.memory.address import Terms, VectorIndex, element_pointer, pointer, vector_index
from pipec.jit.llvm.memory.masked import masked_read
from pipec.jit.llvm.memory.near_lanes import Near, load_near, near_of
from pipec.jit.llvm.memory.neighbours import WideLoad, gather_of
from pipec.jit.llvm.memory.quotients import MAX_SCALARS, load_scalars, load_window, quotients_of
from pipec.jit.llvm.memory.strided import (
    phases_of,
    pick,
    piece_lanes,
    piece_starts,
    runs_of,
    square_of,
    sub_index,
    window_of,
)
from pipec.jit.llvm.memory.table_lookup import permutation_of, table_load
from pipec.jit.llvm.memory.transpose import moved, transposed
from pipec.jit.llvm.types import (
    constant_text,
    element_bytes,
    mask_constant,
    memory_scalar,
    memory_suffix,
    scalar_type,
    vector_constant,
    vector_of,
)

# Machines gather elements of so many bytes and more; smaller ones would be read one by one.
MIN_GATHERED_BYTES = 4
MAX_PIECES = 3


def emit_load(f: ExprFunction, node: Load) -> LlvmValue:
    """The elements that a Load reads, as a value of the node's type."""
    if node.type.nlanes == 1:
        return _load_scalar(f, node)
    if isinstance(node.index, Broadcast) and constant(node.predicate) == 1:
        return _load_broadcast(f, node)
    return _load_vector(f, node)


def _load_scalar(f: ExprFunction, node: Load) -> LlvmValue:
    address = element_pointer(f, node.buffer, node.type, node.index)
    operands = [address]
    if constant(node.predicate) != 1:
        # Where the predicate is false a harmless place is read instead.
        condition = f.value(node.predicate)
        spare = spare_place(f, node.type)
        operands.append(condition)
        address = f.shared(
            ("select", node.predicate, address.text, spare),
            operands,
            lambda: f.op(f"select i1 {condition.text}, ptr {address.text}, ptr {spare}"),
        )
    return _finish_load(f, node, node.buffer, node.type, operands, lambda: _one(f, node, address.text))


def _one(f: ExprFunction, node: Load, address: str) -> str:
    scalar = memory_scalar(node.type)
    size = element_bytes(node.type)
    return f.op(f"load {scalar}, ptr {address}, align {size}, !tbaa {f.module.alias_type(node.buffer)}")


def spare_place(f: ExprFunction, kind: Type) -> str:
    """A place on the stack that a predicated access may touch when its predicate is false."""
    key = ("spare", kind.element_of())
    place = f.values.get(key)
    if place is None:
        size = element_bytes(kind)
        name = f.entry(f"alloca [{size} x i8], align {size}")
        f.allocas.append(f"  store {memory_scalar(kind.element_of())} zeroinitializer, ptr {name}, align {size}")
        place = f.values[key] = LlvmValue(name, 0, NO_BUFFERS)
    return place.text


def _load_broadcast(f: ExprFunction, node: Load) -> LlvmValue:
    assert isinstance(node.index, Broadcast)
    one = f.value(Load(node.type.element_of(), node.buffer, node.index.value, TRUE))
    return f.shared(node, (one,), lambda: splat(f, scalar_type(node.type), one.text, node.type.nlanes))


def _finish_load(
    f: ExprFunction, key: object, buffer: str, kind: Type, operands: list[LlvmValue], write: Callable[[], str]
) -> LlvmValue:
    """Write a load as far out as it may stand; memory's bytes become the truth values of bools."""
    place, buffers = 0, frozenset({buffer})
    for operand in (*operands, f.buffer(buffer)):
        place = max(place, operand.place)
        buffers = buffers | operand.buffers
    place = f.load_hoist_depth(place, buffer)
    f.insert_in_scope(place)
    text = write()
    if kind.boolean:
        type_ = vector_of("i8", kind.nlanes)
        text = f.op(f"icmp ne {type_} {text}, {'zeroinitializer' if kind.nlanes > 1 else 0}")
    return f.record(key, text, place, buffers)


def _load_vector(f: ExprFunction, node: Load) -> LlvmValue:
    parts = vector_index(f, node.index)
    predicated = constant(node.predicate) != 1
    if is_regular(parts) and abs(parts.step) == 1:
        return _load_dense(f, node, parts, f.value(node.predicate) if predicated else None)
    if is_regular(parts) and 2 <= abs(parts.step) <= MAX_SHUFFLED_STRIDE:
        if not predicated:
            return _load_strided(f, node, parts)
        if f.module.can("byte masks") and element_bytes(node.type) < MIN_GATHERED_BYTES:
            return _load_some_strided(f, node, parts, f.value(node.predicate))
    quotients = None if predicated else quotients_of(node, parts)
    if quotients is not None and quotients.size <= MAX_SCALARS:
        return load_scalars(f, node, quotients)
    # Of neighbours, the phases are dense vectors, whose lanes a shuffle weaves.
    window = None if quotients is None or quotients.distance == 1 else load_window(f, node, quotients)
    if window is not None:
        return window
    in_parts = None if predicated or not parts.vectors else _load_in_parts(f, node)
    if in_parts is not None:
        return in_parts
    window = None if quotients is None else load_window(f, node, quotients) or _load_registers(f, node)
    if window is not None:
        return window
    looked_up = None if predicated else table_load(f, node, parts)
    if looked_up is not None:
        return looked_up
    near = None if predicated else near_of(f, node, parts)
    if near is not None:
        return _load_near(f, node, parts, near)
    if not predicated:
        return _load_column(f, node, parts) or _load_neighbour(f, node, parts) or _load_lanes(f, node, parts)
    where, mask = addresses(f, node.buffer, node.type, parts), f.value(node.predicate)
    has_instruction = f.module.can("byte masks") and element_bytes(node.type) >= MIN_GATHERED_BYTES
    gather = _gather if has_instruction else _masked_scalars
    return _finish_load(f, node, node.buffer, node.type, [where, mask], lambda: gather(f, node, where.text, mask.text))


def _load_column(f: ExprFunction, node: Load, parts: VectorIndex) -> LlvmValue | None:
    """A column of a square whose columns are all read; None if it is in none."""
    kind, lanes, scalar = node.type, node.type.nlanes, scalar_type(node.type)
    square = square_of(node, parts)
    first = next((at for at in f.squares.get(square, ()) if at <= parts.offset < at + lanes), None)
    if square is None or first is None:
        return None

    def take(a: LlvmValue, b: LlvmValue, indices: Sequence[int]) -> LlvmValue:
        return f.shared((a.text, b.text, indices), (a, b), lambda: shuffle(f, scalar, a.text, b.text, lanes, indices))

    if (square, parts.offset) not in f.values:
        rows = [
            _piece(f, node.buffer, kind, moved(parts.terms, parts.strides, row), first + row * parts.step)
            for row in range(lanes)
        ]
        for at, column in enumerate(transposed(rows, element_bytes(kind), take), first):
            f.record((square, at), column.text, column.place, column.buffers)
    column = f.values[square, parts.offset]
    return f.record(node, column.text, column.place, column.buffers)


def _load_lanes(
    f: ExprFunction, node: Load, parts: VectorIndex, key: object = None, read: str | None = None
) -> LlvmValue:
    """A load of scalars, one for each lane: on most machines as fast as their gather instructions, or faster.

    `read`: the LLVM type of the scalars, whose vector is recorded as `key`; by default they are the elements.
    """
    operands, places = _lane_addresses(f, node, parts)
    return _finish_load(f, key or node, node.buffer, node.type, operands, lambda: _scalars(f, node, places(), read))


def _lane_addresses(f: ExprFunction, node: Load, parts: VectorIndex) -> tuple[list[LlvmValue], Callable[[], list[str]]]:
    """What the addresses of a load's lanes are computed from, and what computes them."""
    scalar, lanes = memory_scalar(node.type), node.type.nlanes
    base = pointer(f, node.buffer, scalar, parts.terms, parts.offset)
    if is_regular(parts):
        return [base], lambda: [
            f.op(f"getelementptr {scalar}, ptr {base.text}, i64 {parts.step * i}") for i in range(lanes)
        ]
    if not parts.vectors:
        stride = f.value(stride_of(parts))

        def in_steps() -> list[str]:
            at = [base.text]
            for _ in range(lanes - 1):
                at.append(f.op(f"getelementptr {scalar}, ptr {at[-1]}, i64 {stride.text}"))
            return at

        return [base, stride], in_steps
    offsets, kind = _offsets(f, lanes, parts)
    # Lanes that are not negative come out of their vector widened already.
    unsigned = kind != "i64" and all(_is_not_negative(atom) for atom in parts.vectors)

    def anywhere() -> list[str]:
        at = []
        for i in range(lanes):
            offset = f.op(f"extractelement <{lanes} x {kind}> {offsets.text}, i64 {i}")
            wide = f.op(f"zext {kind} {offset} to i64") if unsigned else offset
            at.append(f.op(f"getelementptr {scalar}, ptr {base.text}, {'i64' if unsigned else kind} {wide}"))
        return at

    return [base, offsets], anywhere


def _wide_load(f: ExprFunction, node: Load, parts: VectorIndex) -> WideLoad | None:
    """The load of neighbours that a load is one of."""
    wide_loads = f.wide_loads.get(gather_of(node, parts), ())
    return next((load for load in wide_loads if load.start <= parts.offset < load.start + load.length), None)


def _load_near(f: ExprFunction, node: Load, parts: VectorIndex, near: Near) -> LlvmValue:
    load = _wide_load(f, node, parts) or WideLoad(parts.offset, 1)
    base = pointer(f, node.buffer, memory_scalar(node.type), parts.terms, load.start)
    operands, write = load_near(f, node, near, base, load.length)
    key = ("near", node.buffer, node.type, near, base.text, load.length)
    vectors = f.values.get(key) or _finish_load(f, key, node.buffer, node.type, operands, write)
    type_ = vector_of(memory_scalar(node.type), node.type.nlanes)
    number = parts.offset - load.start
    return f.shared(node, (vectors,), lambda: f.op(f"extractvalue [{load.length} x {type_}] {vectors.text}, {number}"))


def _load_neighbour(f: ExprFunction, node: Load, parts: VectorIndex) -> LlvmValue | None:
    """A load of scalars whose neighbours are read, too: its lanes of the loads of all of them; None if it has none."""
    load = _wide_load(f, node, parts)
    if load is None:
        return None
    key = (gather_of(node, parts), load)
    first = parts._replace(offset=load.start)
    size, scalar, lanes = element_bytes(node.type), scalar_type(node.type), node.type.nlanes
    read = f"i{8 * size * load.length}"
    wide = f.values.get(key) or _load_lanes(f, node, first, key, read)
    elements = load.length * lanes

    def write() -> str:
        texts = f.op(f"bitcast <{lanes} x {read}> {wide.text} to {vector_of(scalar, elements)}")
        return shuffle(f, scalar, texts, None, elements, range(parts.offset - load.start, elements, load.length))

    return f.shared(node, (wide,), write)


def _is_not_negative(node: Expr) -> bool:
    low = Ranges().of(node).low
    return low is not None and low >= 0


def _scalars(f: ExprFunction, node: Load, pointers: Sequence[str], read: str | None = None) -> str:
    """A vector of what lies at some addresses: elements, or integers of the LLVM type `read` that begin with one."""
    scalar, size = read or memory_scalar(node.type), element_bytes(node.type)
    alias = f.module.alias_type(node.buffer)
    # LLVM would load parts of small integers one by one, unless loads are volatile.
    volatile = "volatile " if read is not None else ""
    loads = [f.op(f"load {volatile}{scalar}, ptr {at}, align {size}, !tbaa {alias}") for at in pointers]
    return gather_lanes(f, scalar, loads)


def _load_in_parts(f: ExprFunction, node: Load) -> LlvmValue | None:
    """A load in runs of neighbouring lanes or in phases that are regular; None where it has neither."""
    runs = runs_of(f, node.index)
    if runs:
        return _load_runs(f, node, runs)
    count = phases_of(node.index)
    phases = [sub_index(node.index, range(which, node.type.nlanes, count)) for which in range(count)]
    regular = [part for part in phases if part is not None]
    return _load_phases(f, node, regular) if count > 1 and len(regular) == count else None


def _load_registers(f: ExprFunction, node: Load) -> LlvmValue | None:
    """A load at quotients in vectors of a register each, whose elements lie in fewer; None where it is no longer."""
    permutation = permutation_of(f, node.type)
    if permutation is None or node.type.nlanes <= permutation.lanes or node.type.nlanes % permutation.lanes:
        return None
    starts = range(0, node.type.nlanes, permutation.lanes)
    parts = [sub_index(node.index, range(first, first + permutation.lanes)) for first in starts]
    regular = [part for part in parts if part is not None]
    return _load_runs(f, node, regular) if len(regular) == len(parts) else None


def _load_runs(f: ExprFunction, node: Load, indices: list[Expr]) -> LlvmValue:
    """A load of the elements at several indices, one after the other."""
    lanes = node.type.nlanes // len(indices)
    kind, always = node.type.with_lanes(lanes), Broadcast(TRUE, lanes)
    loads = [f.value(Load(kind, node.buffer, index, always)) for index in indices]
    return f.shared(
        node, loads, lambda: concatenate(f, scalar_type(node.type), [(one.text, lanes) for one in loads])[0]
    )


def _load_phases(f: ExprFunction, node: Load, indices: list[Expr]) -> LlvmValue:
    """A load of the elements at several indices in turn: lane i of it is lane i // n of the load at index i % n."""
    count, lanes = len(indices), node.type.nlanes // len(indices)
    loads = []
    for index in indices:
        always = TRUE if lanes == 1 else Broadcast(TRUE, lanes)
        loads.append(f.value(Load(node.type.with_lanes(lanes), node.buffer, index, always)))
    scalar = scalar_type(node.type)

    def write() -> str:
        if len({part.text for part in loads}) == 1:
            return shuffle(f, scalar, loads[0].text, None, lanes, [i // count for i in range(count * lanes)])
        whole, _ = concatenate(f, scalar, [(part.text, lanes) for part in loads])
        order = [(i % count) * lanes + i // count for i in range(count * lanes)]
        return shuffle(f, scalar, whole, None, count * lanes, order)

    return f.shared(node, loads, write)


def is_regular(parts: VectorIndex) -> bool:
    """Whether the lanes are a constant step apart."""
    return not parts.vectors and not parts.strides


def _load_dense(f: ExprFunction, node: Load, parts: VectorIndex, mask: LlvmValue | None) -> LlvmValue:
    lanes = node.type.nlanes
    backwards = range(lanes - 1, -1, -1)
    upwards = parts.step > 0
    # Downwards the same elements are read and then turned round.
    first = parts.offset if upwards else parts.offset - (lanes - 1)
    address = pointer(f, node.buffer, memory_scalar(node.type), parts.terms, first)
    if mask is None:
        whole = _piece(f, node.buffer, node.type, parts.terms, first)
        scalar = scalar_type(node.type)
        return f.shared(
            node,
            (whole,),
            lambda: whole.text if upwards else shuffle(f, scalar, whole.text, None, lanes, backwards),
        )

    count = few_lanes(node.predicate)

    def write() -> str:
        if upwards and count is not None:
            return _first_lanes_read(f, node.buffer, node.type, address.text, count)
        if upwards:
            return masked_read(f, node.buffer, node.type, address.text, mask.text)
        turned = shuffle(f, "i1", mask.text, None, lanes, backwards)
        read = masked_read(f, node.buffer, node.type, address.text, turned)
        return shuffle(f, memory_scalar(node.type), read, None, lanes, backwards)

    return _finish_load(f, node, node.buffer, node.type, [address, mask], write)


def _piece(f: ExprFunction, buffer: str, kind: Type, terms: Terms, offset: int) -> LlvmValue:
    """The vector of type `kind` that begins at element sum(terms) + offset."""
    if f.copy is not None and buffer in f.module.inputs:
        f.copy.read(buffer, kind, terms, offset)
    key = ("piece", buffer, kind, frozenset(terms.items()), offset)
    piece = f.values.get(key)
    if piece is not None:
        return piece
    address = pointer(f, buffer, memory_scalar(kind), terms, offset)
    return _finish_load(f, key, buffer, kind, [address], lambda: _read(f, buffer, kind, address.text))


def _load_strided(f: ExprFunction, node: Load, parts: VectorIndex) -> LlvmValue:
    """Every step-th element, picked out of the dense vectors of a window that neighbouring loads share."""
    kind, lanes, step = node.type, node.type.nlanes, abs(parts.step)
    first = parts.offset if parts.step > 0 else parts.offset + parts.step * (lanes - 1)
    low, high = window_of(f, node.buffer, lanes, step, parts.terms, first)
    width = piece_lanes(high - low + 1, lanes, element_bytes(kind))
    starts = piece_starts(low, high, width, first, step, lanes)
    pieces = [_piece(f, node.buffer, kind.with_lanes(width), parts.terms, start) for start in starts]
    elements = [first + step * i for i in range(lanes)]
    if parts.step < 0:
        elements.reverse()
    lane_of = []
    for element in elements:
        piece = max(i for i, start in enumerate(starts) if start <= element)
        lane_of.append((piece, element - starts[piece]))
    texts = [piece.text for piece in pieces]
    return f.shared(node, pieces, lambda: pick(f, scalar_type(kind), texts, width, lane_of))


def _load_some_strided(f: ExprFunction, node: Load, parts: VectorIndex, mask: LlvmValue) -> LlvmValue:
    """As `_load_strided` where a mask says which elements may be touched: only these are read, in dense vectors."""
    lanes, step = node.type.nlanes, abs(parts.step)
    first = parts.offset if parts.step > 0 else parts.offset + parts.step * (lanes - 1)
    upwards = range(lanes) if parts.step > 0 else range(lanes - 1, -1, -1)
    lane_at = {step * i: lane for i, lane in enumerate(upwards)}
    starts = range(0, step * (lanes - 1) + 1, lanes)
    scalar = memory_scalar(node.type)
    where = [pointer(f, node.buffer, scalar, parts.terms, first + start) for start in starts]

    def write() -> str:
        pieces = []
        for start, address in zip(starts, where, strict=True):
            # Lanes past the mask's are those of zeros.
            mask_lanes = [lane_at.get(element, lanes) for element in range(start, start + lanes)]
            own = shuffle(f, "i1", mask.text, "zeroinitializer", lanes, mask_lanes)
            pieces.append(masked_read(f, node.buffer, node.type, address.text, own))
        order = [divmod(step * i, lanes) for i in upwards]
        return pick(f, scalar, pieces, lanes, order)

    return _finish_load(f, node, node.buffer, node.type, [*where, mask], write)


def _read(f: ExprFunction, buffer: str, kind: Type, address: str) -> str:
    type_ = vector_of(memory_scalar(kind), kind.nlanes)
    alias = f.module.alias_type(buffer)
    return f.op(f"load {type_}, ptr {address}, align {element_bytes(kind)}, !tbaa {alias}")


def few_lanes(mask: Expr) -> int | None:
    """Returns the number of leading lanes that are accessed, where that takes a few plain instructions.

    What was stored under a mask is slow to load again until it has reached the cache, and so are its neighbours.
    """
    count = first_lanes(mask)
    return count if count is not None and 1 < count < mask.type.nlanes and count.bit_count() <= MAX_PIECES else None


def _first_lanes_read(f: ExprFunction, buffer: str, kind: Type, address: str, count: int) -> str:
    scalar, some = memory_scalar(kind), _read(f, buffer, kind.with_lanes(count), address)
    zero, indices = f"<{count} x {scalar}> zeroinitializer", [min(lane, count) for lane in range(kind.nlanes)]
    return f.op(f"shufflevector <{count} x {scalar}> {some}, {zero}, {mask_constant(indices)}")


def addresses(f: ExprFunction, buffer: str, kind: Type, parts: VectorIndex) -> LlvmValue:
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


def _offsets(f: ExprFunction, lanes: int, parts: VectorIndex) -> tuple[LlvmValue, str]:
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
        ramp = Ramp(Const(INT64, 0), stride_of(parts), lanes)
        total = ramp if total is None else Add(total, ramp)
    if total is None:
        return LlvmValue(constant_text(INT32.with_lanes(lanes), 0), 0, NO_BUFFERS), "i32"
    if not parts.vectors and not parts.strides and abs(parts.step) * lanes < 1 << 31:
        steps = vector_constant("i32", [parts.step * i for i in range(lanes)])
        return LlvmValue(steps, 0, NO_BUFFERS), "i32"
    return f.value(total), "i64"


def stride_of(parts: VectorIndex) -> Expr:
    """The distance between lanes, for an index without vectors."""
    stride: Expr = Const(INT64, parts.step)
    for atom, factor in parts.strides.items():
        stride = Add(stride, atom if factor == 1 else Mul(atom, Const(INT64, factor)))
    return stride


def _masked_scalars(f: ExprFunction, node: Load, pointers: str, mask: str) -> str:
    """A load of a scalar for each lane, those that are masked off from the stack: a gather would test every lane."""
    lanes = node.type.nlanes
    spares = splat(f, "ptr", spare_place(f, node.type), lanes)
    some = f.op(f"select <{lanes} x i1> {mask}, <{lanes} x ptr> {pointers}, <{lanes} x ptr> {spares}")
    return _scalars(f, node, [f.op(f"extractelement <{lanes} x ptr> {some}, i64 {i}") for i in range(lanes)])


def _gather(f: ExprFunction, node: Load, pointers: str, mask: str) -> str:
    lanes, size = node.type.nlanes, element_bytes(node.type)
    type_ = vector_of(memory_scalar(node.type), lanes)
    name = f"@llvm.masked.gather.{memory_suffix(node.type)}.v{lanes}p0"
    f.module.declare(name, f"{type_} {name}(<{lanes} x ptr>, i32, <{lanes} x i1>, {type_})")
    return f.op(
        f"call {type_} {name}(<{lanes} x ptr> {pointers}, i32 {size}, <{lanes} x i1> {mask}, "
        f"{type_} zeroinitializer), !tbaa {f.module.alias_type(node.buffer)}"
    )
