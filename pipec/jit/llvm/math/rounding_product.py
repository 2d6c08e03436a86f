"""Rounded products of 16-bit vectors that are fractions of 2^15, by the instruction that is made for them.

int16((int32(a) * int32(b) + 2^14) >> 15)  -->  vpmulhrsw
"""

from __future__ import annotations

from pipec.ir import expr as e
from pipec.ir.build import constant
from pipec.ir.types import Int, Type
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.math.arithmetic import convert
from pipec.jit.llvm.math.vector import concatenate, register_piece
from pipec.jit.llvm.types import constant_text, scalar_type, vector_of

_FRACTION_BITS = 15
# The instruction for registers of so many lanes.
_NAMES = {8: "llvm.x86.ssse3.pmul.hr.sw.128", 16: "llvm.x86.avx2.pmul.hr.sw", 32: "llvm.x86.avx512.pmul.hr.sw.512"}


def emit_cast(f: ExprFunction, node: e.Cast, text: str) -> str:
    """A conversion; `text`: the value that is converted."""
    product = _rounded(f, node) if f.module.can("multiply words") else None
    return product if product is not None else convert(f, node.value.type, node.type, text)


def _rounded(f: ExprFunction, node: e.Cast) -> str | None:
    """The product's text when a conversion is the end of one, with or without saturation."""
    kind, value = node.type, node.value
    if not kind.integral or kind.nbits != 16 or kind.nlanes < 8 or kind.nlanes & (kind.nlanes - 1):
        return None
    if value.type.element_of() is not Int(32):
        return None
    saturates = isinstance(value, e.Min) and constant(value.b) == Int(16).max_value()
    factors = _factors(value.a if isinstance(value, e.Min) and saturates else value)
    texts = [_text(f, factor, Int(16).with_lanes(kind.nlanes)) for factor in factors]
    if len(texts) != 2 or texts[0] is None or texts[1] is None:
        return None
    product = _product(f, kind.nlanes, texts[0], texts[1])
    return _saturated(f, kind.nlanes, product) if saturates else product


def _factors(value: e.Expr) -> tuple[e.Expr, ...]:
    """a and b of shift_right(a * b + 2^14, 15), each of 32 bits."""
    if not isinstance(value, e.Intrinsic) or value.name != "shift_right" or constant(value.args[1]) != _FRACTION_BITS:
        return ()
    total = value.args[0]
    if not isinstance(total, e.Add) or constant(total.b) != 1 << (_FRACTION_BITS - 1):
        return ()
    return (total.a.a, total.a.b) if isinstance(total.a, e.Mul) else ()


def _text(f: ExprFunction, factor: e.Expr, narrow: Type) -> str | None:
    """A factor in 16 bits; None: it has more, or is not at hand."""
    number = constant(factor)
    if number is not None:
        return constant_text(narrow, number) if narrow.min_value() <= number <= narrow.max_value() else None
    value = f.values.get(factor.value) if isinstance(factor, e.Cast) and factor.value.type is narrow else None
    return None if value is None else value.text


def _product(f: ExprFunction, lanes: int, a: str, b: str) -> str:
    width = min(lanes, max(_NAMES))
    type_, name, scalar = vector_of("i16", width), f"@{_NAMES[width]}", scalar_type(Int(16))
    f.module.declare(name, f"{type_} {name}({type_}, {type_})")
    parts = []
    for start in range(0, lanes, width):
        x, y = [register_piece(f, scalar, text, lanes, start, width) for text in (a, b)]
        parts.append((f.op(f"call {type_} {name}({type_} {x}, {type_} {y})"), width))
    return concatenate(f, scalar, parts)[0] if len(parts) > 1 else parts[0][0]


def _saturated(f: ExprFunction, lanes: int, product: str) -> str:
    """-1 * -1, the only product that does not fit, comes out as -1."""
    kind, type_ = Int(16).with_lanes(lanes), vector_of("i16", lanes)
    wrapped = f.op(f"icmp eq {type_} {product}, {constant_text(kind, Int(16).min_value())}")
    most = constant_text(kind, Int(16).max_value())
    return f.op(f"select {vector_of('i1', lanes)} {wrapped}, {type_} {most}, {type_} {product}")
