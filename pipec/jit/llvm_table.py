"""Look-ups in small tables of bytes by instructions that permute the bytes of two registers, instead of gathers.

The low 7 bits of an index pick a byte in each stretch of 128, its other bits pick the stretch.
"""

from __future__ import annotations

from pipec.ir.expr import TRUE, Broadcast, Cast, Const, Expr, Load, Ramp
from pipec.ir.types import INT64
from pipec.jit.llvm_address import VectorIndex
from pipec.jit.llvm_expr import ExprFunction
from pipec.jit.llvm_function import Value
from pipec.jit.llvm_types import scalar_type
from pipec.jit.llvm_vector import concatenate, shuffle

# The permutation and the bytes that it looks at, half of them in one register.
PERMUTE, STRETCH, LANES = "@llvm.x86.avx512.vpermi2var.qi.512", 128, 64
# From here on gathers are quicker.
LARGEST_TABLE = 8 * STRETCH


def table_load(f: ExprFunction, node: Load, parts: VectorIndex) -> Value | None:
    """The elements of a small table at any indices; None when it is not one."""
    size = f.module.sizes.get(node.buffer, 0)
    index = _plain_index(parts)
    suits = node.type.integral and node.type.nbits == 8 and node.type.nlanes % LANES == 0
    if not suits or not f.module.can("permute bytes") or index is None:
        return None
    if not size or size % STRETCH or size > LARGEST_TABLE:
        return None
    kind, always = node.type.with_lanes(LANES), Broadcast(TRUE, LANES)
    ramps = [Ramp(Const(INT64, start), Const(INT64, 1), LANES) for start in range(0, size, LANES)]
    pieces = [f.value(Load(kind, node.buffer, ramp, always)) for ramp in ramps]
    chosen = f.value(index)
    table = [piece.text for piece in pieces]
    return f.shared(node, [chosen, *pieces], lambda: _look_up(f, index, chosen.text, table))


def _plain_index(parts: VectorIndex) -> Expr | None:
    """The index without conversions that only widen it, when it is one vector counted from the table's start."""
    if parts.terms or parts.offset or parts.strides or parts.step or list(parts.vectors.values()) != [1]:
        return None
    (index,) = parts.vectors
    while isinstance(index, Cast) and index.value.type.integral and index.value.type.nbits < index.type.nbits:
        index = index.value
    return index if index.type.nbits in (8, 16, 32, 64) else None


def _look_up(f: ExprFunction, index: Expr, text: str, table: list[str]) -> str:
    scalar, lanes = scalar_type(index.type), index.type.nlanes
    found = []
    for start in range(0, lanes, LANES):
        part = text if lanes == LANES else shuffle(f, scalar, text, None, lanes, range(start, start + LANES))
        found.append((_look_up_register(f, scalar, part, table), LANES))
    return concatenate(f, "i8", found)[0] if len(found) > 1 else found[0][0]


def _look_up_register(f: ExprFunction, scalar: str, index: str, table: list[str]) -> str:
    """Looks up 64 bytes in all stretches, and keeps by each higher bit of the index one of two."""
    f.module.declare(PERMUTE, f"<64 x i8> {PERMUTE}(<64 x i8>, <64 x i8>, <64 x i8>)")
    low = _low_bytes(f, scalar, index)
    found = [
        f.op(f"call <64 x i8> {PERMUTE}(<64 x i8> {table[i]}, <64 x i8> {low}, <64 x i8> {table[i + 1]})")
        for i in range(0, len(table), 2)
    ]
    if len(found) == 1:
        return found[0]
    high = _low_bytes(f, scalar, f.op(f"lshr <64 x {scalar}> {index}, splat ({scalar} 7)"))
    bit = 1
    while len(found) > 1:
        masked = f.op(f"and <64 x i8> {high}, splat (i8 {bit})")
        odd = f.op(f"icmp ne <64 x i8> {masked}, zeroinitializer")
        pairs = [found[i : i + 2] for i in range(0, len(found), 2)]
        found = [
            pair[0] if len(pair) == 1 else f.op(f"select <64 x i1> {odd}, <64 x i8> {pair[1]}, <64 x i8> {pair[0]}")
            for pair in pairs
        ]
        bit *= 2
    return found[0]


def _low_bytes(f: ExprFunction, scalar: str, vector: str) -> str:
    return vector if scalar == "i8" else f.op(f"trunc <64 x {scalar}> {vector} to <64 x i8>")
