"""The high halves of products of 32-bit vectors: machines multiply every second lane to 64 bits at once."""

from __future__ import annotations

from pipec.ir.types import Type
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.math.arithmetic import convert
from pipec.jit.llvm.types import constant_text, value_type


def high_product(f: ExprFunction, kind: Type, a: str, b: str) -> str:
    """The high half of the double-width product of two integers, in each lane."""
    wide = kind.with_bits(kind.nbits * 2)
    if kind.nbits == 32 and kind.nlanes % 4 == 0:
        return _of_every_second_lane(f, kind, wide.with_lanes(kind.nlanes // 2), a, b)
    type_ = value_type(wide)
    product = f.op(f"mul {type_} {convert(f, kind, wide, a)}, {convert(f, kind, wide, b)}")
    high = f.op(f"{'ashr' if kind.signed else 'lshr'} {type_} {product}, {constant_text(wide, kind.nbits)}")
    return convert(f, wide, kind, high)


def _of_every_second_lane(f: ExprFunction, kind: Type, wide: Type, a: str, b: str) -> str:
    """The even lanes' products and the odd lanes', whose high halves then lie in odd lanes; two become one vector."""
    lanes = range(kind.nlanes)
    odd = (_shuffled(f, kind, a, a, [i | 1 for i in lanes]), _shuffled(f, kind, b, b, [i | 1 for i in lanes]))
    products = [_low_product(f, kind, wide, x, y) for x, y in ((a, b), odd)]
    return _shuffled(f, kind, products[0], products[1], [i + 1 if i % 2 == 0 else kind.nlanes + i for i in lanes])


def _low_product(f: ExprFunction, kind: Type, wide: Type, a: str, b: str) -> str:
    """The 64-bit products of the low halves of 64-bit lanes, as lanes of 32 bits."""
    narrow_type, type_, half = value_type(kind), value_type(wide), constant_text(wide, 32)
    factors = []
    for x in (a, b):
        lanes = f.op(f"bitcast {narrow_type} {x} to {type_}")
        if kind.signed:
            factors.append(f.op(f"ashr {type_} {f.op(f'shl {type_} {lanes}, {half}')}, {half}"))
        else:
            factors.append(f.op(f"and {type_} {lanes}, {constant_text(wide, 0xFFFFFFFF)}"))
    return f.op(f"bitcast {type_} {f.op(f'mul {type_} {factors[0]}, {factors[1]}')} to {narrow_type}")


def _shuffled(f: ExprFunction, kind: Type, a: str, b: str, lanes: list[int]) -> str:
    type_ = value_type(kind)
    mask = ", ".join(f"i32 {lane}" for lane in lanes)
    return f.op(f"shufflevector {type_} {a}, {type_} {b}, <{len(lanes)} x i32> <{mask}>")
