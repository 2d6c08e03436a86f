"""Conversions between types: cast, u8 ... f64, saturating casts, reinterpret."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipec.errors import DefinitionError
from pipec.func.buffers.elements import plain_number
from pipec.func.math import convert
from pipec.func.math.convert import node_or_none
from pipec.func.math.expr import Expr, ExprLike, documented, wrap
from pipec.func.math.operators import shift
from pipec.ir import build
from pipec.ir.expr import GE, Const, Intrinsic, Max, Min, Reinterpret, Select
from pipec.ir.expr import Expr as Node
from pipec.ir.types import Float, Int, Type, UInt


def operand(value: Any, function: str) -> Node:
    """The node of an argument of `function`; TypeError when it is none."""
    node = node_or_none(value)
    if node is None:
        raise TypeError(
            f"{function}(): incompatible function arguments: {value!r} is a {type(value).__name__}; "
            "Exprs and numbers are expected"
        )
    return node


def cast(type: Type, value: ExprLike) -> Expr:
    """`value` as `type`: ints wrap, floats truncate toward zero, bool keeps the low bit.

    >>> hl.evaluate(hl.cast(hl.UInt(8), 300))
    44
    """
    if not isinstance(type, Type):
        raise TypeError(
            f"cast(): incompatible function arguments: the first is a Type, such as hl.UInt(8), not {type!r}"
        )
    return wrap(convert_to(type, value, "cast"))


def convert_to(type_: Type, value: Any, function: str) -> Node:
    """The node of `value` converted; Python numbers are converted without a detour over int32 or float32."""
    plain = plain_number(value)
    if plain is not None and not type_.is_handle():
        if not isinstance(plain, float) or type_.floating:
            return Const(type_, plain)
        if not math.isfinite(plain):
            raise DefinitionError(f"Error: {plain} cannot be converted to {type_}.")
        return convert.cast(type_, Const(Float(64), plain))
    return convert.cast(type_, operand(value, function))


def _caster(type_: Type, name: str) -> Callable[[ExprLike], Expr]:
    @documented(name, f"`value` cast to {type_}.", f"hl.{name}(3).type()", repr(type_))
    def function(value: ExprLike) -> Expr:
        return wrap(convert_to(type_, value, name))

    return function


i8, i16, i32, i64 = (_caster(Int(bits), f"i{bits}") for bits in (8, 16, 32, 64))
u8, u16, u32, u64 = (_caster(UInt(bits), f"u{bits}") for bits in (8, 16, 32, 64))
f16, f32, f64 = (_caster(Float(bits), f"f{bits}") for bits in (16, 32, 64))


def saturating_cast(type: Type, value: ExprLike) -> Expr:
    """`value` as `type`, with the nearest value of `type` for what lies outside it.

    >>> hl.evaluate(hl.saturating_cast(hl.UInt(8), hl.i32(300)))
    255
    """
    if not isinstance(type, Type):
        raise TypeError(
            f"saturating_cast(): incompatible function arguments: the first is a Type, such as hl.UInt(8), not {type!r}"
        )
    return wrap(saturate(type, operand(value, "saturating_cast")))


def saturate(type_: Type, value: Node) -> Node:
    """`value` clamped to what `type_` can hold, then converted."""
    if type_.floating or type_.can_represent(value.type):
        return convert.cast(type_, value)
    if value.type.floating:
        return _saturate_float(type_, value)
    low = max(type_.min_value(), value.type.min_value())
    high = min(type_.max_value(), value.type.max_value())
    if high < value.type.max_value():
        value = build.min_(value, Const(value.type, high))
    if low > value.type.min_value():
        value = build.max_(value, Const(value.type, low))
    return convert.cast(type_, value)


# Limits up to this one are floats of 16 bits, or are rounded to one.
_LARGEST_OF_16_BITS = (1 << 15) - 1


def _saturate_float(type_: Type, value: Node) -> Node:
    if type_.max_value() > _LARGEST_OF_16_BITS and value.type.nbits == 16:
        value = convert.cast(Float(32), value)
    source = value.type
    low, high = Const(source, type_.min_value()), Const(source, type_.max_value())
    if int(high.value) <= type_.max_value():
        clamped: Node = Max(Min(value, high), low)
        return convert.cast(type_, clamped)
    # The largest int is no float: clamp to the float below it, and pick the int itself from the next float on.
    below = Const(source, float(np.nextafter(source.numpy().type(high.value), source.numpy().type(0))))
    clamped = convert.cast(type_, Max(Min(value, below), low))
    return Select(GE(value, high), Const(type_, type_.max_value()), clamped)


def _saturating_caster(type_: Type, name: str) -> Callable[[ExprLike], Expr]:
    text = f"`value` clamped to what {type_} can hold, and cast to it."

    @documented(name, text, f"hl.{name}(hl.f32(3)).type()", repr(type_))
    def function(value: ExprLike) -> Expr:
        return wrap(saturate(type_, operand(value, name)))

    return function


i8_sat, i16_sat, i32_sat, i64_sat = (_saturating_caster(Int(bits), f"i{bits}_sat") for bits in (8, 16, 32, 64))
u8_sat, u16_sat, u32_sat, u64_sat = (_saturating_caster(UInt(bits), f"u{bits}_sat") for bits in (8, 16, 32, 64))


def reinterpret(type: Type, value: ExprLike) -> Expr:
    """The bits of `value` read as another type of the same size.

    >>> hl.evaluate(hl.reinterpret(hl.Int(8), hl.u8(255)))
    -1
    """
    if not isinstance(type, Type):
        raise TypeError(
            f"reinterpret(): incompatible function arguments: the first is a Type, such as hl.UInt(8), not {type!r}"
        )
    node = operand(value, "reinterpret")
    if node.type is type:
        return wrap(node)
    if node.type.nbits != type.nbits:
        raise DefinitionError(
            f"Error: Reinterpret cast from type {node.type} which has {node.type.nbits} bits, to type {type} "
            f"which has {type.nbits} bits. Cast to a type of {type.nbits} bits first."
        )
    if node.type.integral and type.integral:
        return wrap(convert.cast(type, node))
    return wrap(Reinterpret(type, node))


def extract_bits(type: Type, value: ExprLike, lsb: ExprLike) -> Expr:
    """The bits of `value` from bit `lsb` up, as `type`; bits below and above those of `value` are 0.

    >>> hl.evaluate(hl.extract_bits(hl.UInt(8), hl.u32(0x12345678), 8))
    86
    """
    if not isinstance(type, Type):
        raise TypeError(
            f"extract_bits(): incompatible function arguments: the first is a Type, such as hl.UInt(8), not {type!r}"
        )
    position = operand(lsb, "extract_bits")
    if not position.type.integral:
        raise DefinitionError(f"Error: The position in extract_bits must be an integer, but has type {position.type}.")
    node = operand(value, "extract_bits")
    unsigned = convert.cast(UInt(type.nbits), _from_bit(reinterpret(UInt(node.type.nbits), value).node, position, type))
    return wrap(unsigned) if type.integral and not type.signed else reinterpret(type, wrap(unsigned))


def _from_bit(bits: Node, position: Node, type_: Type) -> Node:
    """The unsigned `bits` shifted so that bit `position` is the lowest, in enough bits for all that `type_` has."""
    start = position.value if isinstance(position, Const) else None
    if start is not None and not -type_.nbits < start < bits.type.nbits:
        return Const(bits.type, 0)
    if start is not None and start >= 0:
        return shift("shift_right", bits, Const(bits.type, start))
    # Bits that a negative position moves up must not leave at the top.
    widest = max(bits.type.nbits, type_.nbits, position.type.nbits) if position.type.signed else bits.type.nbits
    wide = UInt(max(widest, position.type.nbits if start is None else 0))
    if start is not None:
        return shift("shift_left", convert.cast(wide, bits), Const(wide, -start))
    return shift("shift_right", convert.cast(wide, bits), convert.cast(position.type.with_bits(wide.nbits), position))


def concat_bits(values: Sequence[Any]) -> Expr:
    """One value from the bits of several values of one type, the first lowest: of that kind of type, with more bits.

    >>> hl.evaluate(hl.concat_bits([hl.u8(0x34), hl.u8(0x12)]))
    4660
    >>> hl.concat_bits([hl.i8(1), hl.i8(-1)]).type()
    <halide.Type int16>
    """
    if not isinstance(values, list | tuple):
        raise TypeError(f"concat_bits(): incompatible function arguments: a list of Exprs is needed, not {values!r}")
    nodes = [operand(value, "concat_bits") for value in values]
    if not nodes or len(nodes) & (len(nodes) - 1) or any(node.type is not nodes[0].type for node in nodes):
        raise DefinitionError(
            "Error: concat_bits takes 1, 2, 4 or 8 values of one type, not "
            f"{', '.join(str(node.type) for node in nodes) or 'none'}."
        )
    narrow = nodes[0].type
    bits = narrow.nbits
    if bits * len(nodes) > 64:
        raise DefinitionError(f"Error: concat_bits would make {bits * len(nodes)} bits, and values have at most 64.")
    if narrow.is_bfloat() and len(nodes) > 1:
        raise DefinitionError("Error: concat_bits of bfloat16: bfloats have 16 bits. Reinterpret them as UInt(16).")
    wide = UInt(bits * len(nodes))
    result: Node = Const(wide, 0)
    for at, node in enumerate(nodes):
        unsigned = reinterpret(UInt(bits), wrap(node)).node
        moved = shift("shift_left", convert.cast(wide, unsigned), Const(wide, at * bits))
        result = Intrinsic(wide, "bitwise_or", (result, moved)) if at else moved
    return reinterpret(narrow.with_bits(wide.nbits), wrap(result))
