"""Look-ups in small tables by instructions that permute the elements of two registers, instead of gathers.

The low bits of an index pick an element in each stretch of two registers, its other bits pick the stretch. A table is
small when its storage has a constant size, or when the index is limited, as bytes are, and bounds inference asked for
all elements within its limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipec.bounds.ranges import Ranges
from pipec.ir.expr import LT, TRUE, Add, Broadcast, Cast, Const, Expr, Load, Mul, Ramp
from pipec.ir.types import INT32, INT64, Type, UInt
from pipec.ir.walk import free_variables
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import LlvmValue
from pipec.jit.llvm.math.vector import concatenate, shuffle, widened
from pipec.jit.llvm.memory.address import VectorIndex
from pipec.jit.llvm.types import scalar_type, value_type, vector_of

# From here on gathers are quicker.
MAX_TABLE_BYTES = 1024
MIN_TABLE_LANES = 16


class Permutation(NamedTuple):
    """An instruction by the bits of its elements: what a machine must be able to do, its name, lanes in a register."""

    ability: str
    name: str
    lanes: int

    @property
    def stretch(self) -> int:
        """The number of table elements that one permutation of two registers reaches."""
        return 2 * self.lanes


_PERMUTATIONS = {
    8: Permutation("permute bytes", "@llvm.x86.avx512.vpermi2var.qi.512", 64),
    16: Permutation("multiply words", "@llvm.x86.avx512.vpermi2var.hi.512", 32),
    32: Permutation("multiply words", "@llvm.x86.avx512.vpermi2var.d.512", 16),
}


def permutation_of(f: ExprFunction, kind: Type) -> Permutation | None:
    """The instruction that permutes elements of a vector type; None where there is none, or a gather is quicker."""
    permutation = _PERMUTATIONS.get(kind.nbits)
    if permutation is None or kind.boolean or kind.nlanes < MIN_TABLE_LANES or not f.module.can(permutation.ability):
        return None
    return permutation


def table_load(f: ExprFunction, node: Load, parts: VectorIndex) -> LlvmValue | None:
    """The elements of a small table at any indices; None when it is not one."""
    kind, permutation = node.type, permutation_of(f, node.type)
    if permutation is None:
        return None
    index = _plain_index(parts)
    if index is None:
        return None
    base = base_of(parts)
    entries = _entries(f, node, index, parts)
    if not entries and not parts.terms:
        # Reads of a whole storage at a constant distance from the index: the table begins where the storage does.
        entries, base = f.module.sizes.get(node.buffer, 0) * 8 // kind.nbits, Const(INT64, 0)
        index = _moved(index, parts.offset)
    if not 0 < entries * kind.nbits <= 8 * MAX_TABLE_BYTES:
        return None
    pieces = [_register_of_table(f, node, base, start, entries) for start in range(0, entries, permutation.lanes)]
    chosen = f.value(index)
    table = [piece.text for piece in (pieces if len(pieces) % 2 == 0 else [*pieces, pieces[-1]])]
    return f.shared(node, [chosen, *pieces], lambda: look_up(f, kind, index.type, chosen.text, table))


def _register_of_table(f: ExprFunction, node: Load, base: Expr, start: int, entries: int) -> LlvmValue:
    """A register of the elements from number `start` on of a table that has so many `entries`."""
    lanes = _PERMUTATIONS[node.type.nbits].lanes
    places = Ramp(Add(base, Const(INT64, start)), Const(INT64, 1), lanes)
    exists: Expr = Broadcast(TRUE, lanes)
    if start + lanes > entries:
        exists = LT(Ramp(Const(INT32, start), Const(INT32, 1), lanes), Broadcast(Const(INT32, entries), lanes))
    return f.value(Load(node.type.with_lanes(lanes), node.buffer, places, exists))


def _plain_index(parts: VectorIndex) -> Expr | None:
    """The part of the index that varies, without conversions that only widen it, when it is one vector."""
    if parts.strides or parts.step or list(parts.vectors.values()) != [1]:
        return None
    (index,) = parts.vectors
    while isinstance(index, Cast) and index.value.type.integral and index.value.type.nbits < index.type.nbits:
        index = index.value
    return index if index.type.nbits in (8, 16, 32, 64) else None


def _entries(f: ExprFunction, node: Load, index: Expr, parts: VectorIndex) -> int:
    """Returns the number of elements that certainly exist from the base on; 0: unknown."""
    if isinstance(index, Load) and index.type.element_of() is UInt(8) and index.buffer in f.module.any_byte:
        return 256
    limits = Ranges().of(index)
    if limits.low is None or limits.high is None or limits.low < 0 or not _begins_at_zero(node.buffer, parts):
        return 0
    read = int(limits.high) + 1
    return read if read <= f.module.tables.get(node.buffer, 0) else 0


def _begins_at_zero(buffer: str, parts: VectorIndex) -> bool:
    """Whether the index of an element of a buffer of one dimension has nothing but its coordinate added."""
    terms = [(free_variables(atom), factor) for atom, factor in parts.terms.items()]
    return parts.offset == 0 and all(names == {f"{buffer}.min.0"} and factor == -1 for names, factor in terms)


def _moved(index: Expr, offset: int) -> Expr:
    """Returns an index plus a number, in a type that holds the sum."""
    if not offset:
        return index
    lanes = index.type.nlanes
    kind = INT64 if index.type.nbits == 64 else INT32
    wide = index if index.type.nbits == kind.nbits else Cast(kind.with_lanes(lanes), index)
    return Add(wide, Broadcast(Const(wide.type.element_of(), offset), lanes))


def base_of(parts: VectorIndex) -> Expr:
    """Returns the part of an index that is the same for all lanes."""
    total: Expr = Const(INT64, parts.offset)
    for atom, factor in parts.terms.items():
        total = Add(total, Mul(atom, Const(INT64, factor)))
    return total


def look_up(f: ExprFunction, kind: Type, index_type: Type, text: str, table: Sequence[str]) -> str:
    """The elements at the numbers `text` of a table in registers; fewer lanes than a register's take part of one."""
    lanes = kind.nlanes
    permutation = _PERMUTATIONS[kind.nbits]
    whole = UInt(kind.nbits, permutation.lanes)
    if kind.floating:
        register_type = value_type(kind.with_lanes(permutation.lanes))
        table = [f.op(f"bitcast {register_type} {piece} to {value_type(whole)}") for piece in table]
    scalar = scalar_type(index_type)
    results = []
    for start in range(0, lanes, permutation.lanes):
        count = min(permutation.lanes, lanes - start)
        part = text if count == lanes else shuffle(f, scalar, text, None, lanes, range(start, start + count))
        part = widened(f, scalar, (part, count), permutation.lanes)
        results.append(
            (_look_up_register(f, permutation, kind.nbits, index_type.nbits, part, table), permutation.lanes)
        )
    joined, total = concatenate(f, scalar_type(whole), results) if len(results) > 1 else results[0]
    if total > lanes:
        joined = shuffle(f, scalar_type(whole), joined, None, total, range(lanes))
    bits = value_type(UInt(kind.nbits, lanes))
    return f.op(f"bitcast {bits} {joined} to {value_type(kind)}") if kind.floating else joined


def _look_up_register(
    f: ExprFunction, permutation: Permutation, bits: int, index_bits: int, index: str, table: Sequence[str]
) -> str:
    """Looks up a register of elements in all stretches, and keeps by each higher bit of the index one of two."""
    lanes, type_ = permutation.lanes, vector_of(f"i{bits}", permutation.lanes)
    f.module.declare(permutation.name, f"{type_} {permutation.name}({type_}, {type_}, {type_})")
    low = _resized(f, index, index_bits, bits, lanes)
    values = [
        f.op(f"call {type_} {permutation.name}({type_} {table[i]}, {type_} {low}, {type_} {table[i + 1]})")
        for i in range(0, len(table), 2)
    ]
    if len(values) == 1:
        return values[0]
    shift = permutation.stretch.bit_length() - 1
    shifted = f.op(f"lshr <{lanes} x i{index_bits}> {index}, splat (i{index_bits} {shift})")
    high = _resized(f, shifted, index_bits, bits, lanes)
    bit = 1
    while len(values) > 1:
        masked = f.op(f"and {type_} {high}, splat (i{bits} {bit})")
        odd = f.op(f"icmp ne {type_} {masked}, zeroinitializer")
        pairs = [values[i : i + 2] for i in range(0, len(values), 2)]
        values = [
            pair[0] if len(pair) == 1 else f.op(f"select <{lanes} x i1> {odd}, {type_} {pair[1]}, {type_} {pair[0]}")
            for pair in pairs
        ]
        bit *= 2
    return values[0]


def _resized(f: ExprFunction, vector: str, own: int, bits: int, lanes: int) -> str:
    """Numbers that are not negative in elements of other bits."""
    if own == bits:
        return vector
    return f.op(f"{'zext' if own < bits else 'trunc'} <{lanes} x i{own}> {vector} to <{lanes} x i{bits}>")
