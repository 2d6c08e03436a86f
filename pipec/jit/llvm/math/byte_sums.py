"""Sums of neighbouring bytes, and of the absolute differences of bytes, by x86's instruction for them.

reduce_add(int32(absd(a, b))), groups of 8 bytes or a multiple  -->  vpsadbw a, b   for each register of a and b
"""

from __future__ import annotations

from pipec.ir.expr import Cast, Expr, Intrinsic, VectorReduce
from pipec.ir.types import Int, UInt
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.math.arithmetic import convert
from pipec.jit.llvm.math.vector import concatenate, reduce_lanes, register_piece, shuffle
from pipec.jit.llvm.types import vector_of

GROUP = 8
"""Bytes that one number sums."""
_INSTRUCTIONS = {
    64: ("multiply words", "llvm.x86.avx512.psad.bw.512"),
    32: ("avx2", "llvm.x86.avx2.psad.bw"),
    16: ("sum bytes", "llvm.x86.sse2.psad.bw"),
}
"""By the bytes of a register: what a machine must have, and its name."""
SMALLEST = min(_INSTRUCTIONS)


def byte_sums(f: ExprFunction, node: VectorReduce) -> str | None:
    """The sums of groups of neighbouring bytes, in the type of `node`; None where no instruction makes them."""
    value, lanes = node.value, node.value.type.nlanes
    operands = _operands(value)
    size = _register_bytes(f, lanes)
    group, rest = divmod(lanes, node.lanes)
    if node.operator != "add" or not operands or not size or rest or group % GROUP:
        return None
    if any(operand not in f.values for operand in operands):
        return None
    texts = [f.values[operand].text for operand in operands]
    if len(texts) == 1:
        texts.append("zeroinitializer")
    sums = []
    for start in range(0, lanes, size):
        parts = [_register(f, text, lanes, start, size) for text in texts]
        sums.append((_instruction(f, size, parts), size // GROUP))
    total, count = concatenate(f, "i64", sums) if len(sums) > 1 else sums[0]
    if count > lanes // GROUP:
        total = shuffle(f, "i64", total, None, count, range(lanes // GROUP))
    wide = Int(64, lanes // GROUP)
    return convert(f, Int(64, node.lanes), node.type, reduce_lanes(f, "add", wide, node.lanes, total))


def _operands(value: Expr) -> tuple[Expr, ...]:
    """The vectors of bytes whose absolute differences are widened, or the one that is; none for other values."""
    if not isinstance(value, Cast) or not value.type.integral or value.value.type.element_of() is not UInt(8):
        return ()
    narrow = value.value
    if isinstance(narrow, Intrinsic) and narrow.name == "absd" and narrow.args[0].type.element_of() is UInt(8):
        return narrow.args
    return (narrow,)


def _register_bytes(f: ExprFunction, lanes: int) -> int:
    """The size of the registers that so many bytes fill, or whose half they are; 0 for none."""
    for size, (ability, _) in _INSTRUCTIONS.items():
        if f.module.can(ability) and (lanes % size == 0 or (size == SMALLEST and lanes == GROUP)):
            return size
    return 0


def _register(f: ExprFunction, text: str, lanes: int, start: int, size: int) -> str:
    if lanes == size or text == "zeroinitializer":
        return text
    if lanes > size:
        return register_piece(f, "i8", text, lanes, start, size)
    return shuffle(f, "i8", text, "zeroinitializer", lanes, range(2 * lanes))


def _instruction(f: ExprFunction, size: int, parts: list[str]) -> str:
    name, source, result = f"@{_INSTRUCTIONS[size][1]}", vector_of("i8", size), vector_of("i64", size // GROUP)
    f.module.declare(name, f"{result} {name}({source}, {source})")
    return f.op(f"call {result} {name}({', '.join([f'{source} {part}' for part in parts])})")
