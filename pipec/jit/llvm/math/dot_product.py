"""Sums of neighbouring products by instructions that widen, multiply and add at once.

reduce_add(int32(a) * int32(b)), groups of 4 bytes  -->  one vpdpbusd for each register of a and b
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pipec.ir import expr as e
from pipec.ir.build import constant
from pipec.ir.types import Int, Type, UInt
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.math.arithmetic import convert
from pipec.jit.llvm.math.byte_sums import byte_sums
from pipec.jit.llvm.math.vector import concatenate, reduce_lanes, register_piece
from pipec.jit.llvm.types import constant_text, scalar_type, vector_of

REGISTER_BYTES = 64


class Dot(NamedTuple):
    """An instruction: how many neighbours it sums, the element types of its operands and its result, and whether it
    adds to an operand too. `names`: by the bytes of its registers."""

    ability: str
    group: int
    names: Mapping[int, str]
    operand: str
    result: str
    adds: bool

    def vectors(self, size: int) -> tuple[str, str]:
        """The vectors that it takes and gives, for registers of so many bytes."""
        narrow = {"i32": 4}.get(self.operand, 2)
        return f"<{size // narrow} x {self.operand}>", f"<{size // 4} x {self.result}>"


def _by_size(name: str, half: str) -> Mapping[int, str]:
    return {REGISTER_BYTES: name, REGISTER_BYTES // 2: half}


_BYTES = Dot(
    "dot bytes", 4, _by_size("llvm.x86.avx512.vpdpbusd.512", "llvm.x86.avx512.vpdpbusd.256"), "i32", "i32", True
)
_WORDS = Dot(
    "multiply words", 2, _by_size("llvm.x86.avx512.pmaddw.d.512", "llvm.x86.avx2.pmadd.wd"), "i16", "i32", False
)
_BFLOATS = Dot(
    "dot bfloats",
    2,
    _by_size("llvm.x86.avx512bf16.dpbf16ps.512", "llvm.x86.avx512bf16.dpbf16ps.256"),
    "bfloat",
    "float",
    True,
)


class _Factors(NamedTuple):
    """Two narrow vectors in the types that an instruction takes; None: ones."""

    dot: Dot
    types: tuple[Type, Type]
    values: tuple[e.Expr, e.Expr | None]


def emit_vector_reduce(f: ExprFunction, node: e.VectorReduce, text: str) -> str:
    """Neighbouring lanes combined; `text`: the vector that they come from."""
    sums = byte_sums(f, node)
    if sums is not None:
        return sums
    factors = _factors(f, node)
    if factors is None:
        return reduce_lanes(f, node.operator, node.value.type, node.lanes, text)
    partial = _summed(f, node.value.type, factors)
    fewer = node.value.type.with_lanes(node.value.type.nlanes // factors.dot.group)
    return reduce_lanes(f, node.operator, fewer, node.lanes, partial)


def _factors(f: ExprFunction, node: e.VectorReduce) -> _Factors | None:
    """Returns the factors that an instruction of this machine multiplies and sums; None if there is none."""
    value, lanes = node.value, node.value.type.nlanes
    if node.operator != "add" or value.type.nbits != 32 or lanes % node.lanes:
        return None
    operands = (value.a, value.b) if isinstance(value, e.Mul) else (value,)
    narrow = [_narrow(operand) for operand in operands]
    if any(operand is None for operand in narrow):
        return None
    first, second = narrow[0], narrow[1] if len(narrow) > 1 else None
    assert first is not None
    factors = _floats(first, second) if value.type.floating else _bytes(f, first, second) or _words(first, second)
    if value.type.floating and not f.module.float_flags:
        # The instruction rounds products and sums together.
        return None
    if factors is None or not f.module.can(factors.dot.ability) or (lanes // node.lanes) % factors.dot.group:
        return None
    at_hand = all(value is None or isinstance(value, e.Broadcast) or value in f.values for value in factors.values)
    return factors if at_hand and _register_bytes(f, lanes * factors.types[0].nbits) else None


def _register_bytes(f: ExprFunction, bits: int) -> int:
    """The size of the registers that so many bits fill; 0 for none."""
    sizes = (REGISTER_BYTES, REGISTER_BYTES // 2) if f.module.can("short dot products") else (REGISTER_BYTES,)
    return next((size for size in sizes if bits % (8 * size) == 0), 0)


def _narrow(operand: e.Expr) -> e.Expr | None:
    """Returns the operand of a widening cast, or a constant."""
    if isinstance(operand, e.Cast):
        return operand.value
    return operand if isinstance(operand, e.Broadcast) and constant(operand.value) is not None else None


def _holds(type_: Type, operand: e.Expr | None) -> bool:
    """Whether a type has all values of an operand."""
    if operand is None:
        return True
    value = constant(operand.value) if isinstance(operand, e.Broadcast) else None
    if value is not None:
        return type_.min_value() <= value <= type_.max_value()
    own = operand.type.element_of()
    return own.integral and not own.boolean and type_.can_represent(own)


def _bytes(f: ExprFunction, first: e.Expr, second: e.Expr | None) -> _Factors | None:
    if not f.module.can(_BYTES.ability):
        return None
    for a, b in ((first, second), (second, first)):
        if _holds(UInt(8), a) and _holds(Int(8), b):
            if a is None:
                # Ones may be either factor, but the vector comes first.
                return _Factors(_BYTES, (Int(8), UInt(8)), (first, None))
            return _Factors(_BYTES, (UInt(8), Int(8)), (a, b))
    return None


def _words(first: e.Expr, second: e.Expr | None) -> _Factors | None:
    if _holds(Int(16), first) and _holds(Int(16), second):
        return _Factors(_WORDS, (Int(16), Int(16)), (first, second))
    return None


def _floats(first: e.Expr, second: e.Expr | None) -> _Factors | None:
    if second is None or not (first.type.is_bfloat() and second.type.is_bfloat()):
        return None
    kind = first.type.element_of()
    return _Factors(_BFLOATS, (kind, kind), (first, second))


def _summed(f: ExprFunction, kind: Type, factors: _Factors) -> str:
    """Groups of neighbouring products of type `kind`, register by register."""
    dot, lanes = factors.dot, kind.nlanes
    texts = []
    for value, type_ in zip(factors.values, factors.types, strict=True):
        own = type_.with_lanes(lanes)
        if value is None:
            texts.append(constant_text(own, 1))
        elif isinstance(value, e.Broadcast) and constant(value.value) is not None:
            texts.append(constant_text(own, constant(value.value) or 0))
        else:
            texts.append(convert(f, value.type, own, f.values[value].text))
    if factors.types[0].signed and not factors.types[1].signed:
        texts.reverse()
    size = _register_bytes(f, lanes * factors.types[0].nbits)
    width = 8 * size // factors.types[0].nbits
    scalar = scalar_type(factors.types[0])
    sums = []
    for start in range(0, lanes, width):
        parts = [register_piece(f, scalar, text, lanes, start, width) for text in texts]
        sums.append((_instruction(f, dot, size, vector_of(scalar, width), parts), width // dot.group))
    return concatenate(f, scalar_type(kind), sums)[0] if len(sums) > 1 else sums[0][0]


def _instruction(f: ExprFunction, dot: Dot, size: int, source: str, parts: list[str]) -> str:
    taken, result = dot.vectors(size)
    texts = [part if taken == source else f.op(f"bitcast {source} {part} to {taken}") for part in parts]
    operands = [(taken, text) for text in texts]
    if dot.adds:
        operands.insert(0, (result, "zeroinitializer"))
    name = f"@{dot.names[size]}"
    f.module.declare(name, f"{result} {name}({', '.join([type_ for type_, _ in operands])})")
    return f.op(f"call {result} {name}({', '.join([f'{type_} {text}' for type_, text in operands])})")
