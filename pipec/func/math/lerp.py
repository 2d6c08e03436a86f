"""Linear interpolation with Halide's rounding."""

from __future__ import annotations

from pipec.errors import DefinitionError
from pipec.func.math import convert
from pipec.func.math.casts import operand
from pipec.func.math.expr import Expr, ExprLike, wrap
from pipec.func.math.operators import combine
from pipec.ir.expr import GT, Add, Const, Div, Mul, Select, Sub
from pipec.ir.expr import Expr as Node
from pipec.ir.types import Float, Type, TypeCode, UInt


def lerp(zero_val: ExprLike, one_val: ExprLike, weight: ExprLike) -> Expr:
    """zero_val where weight is 0, one_val where it is 1 (floats) or its greatest value (unsigned ints).

    >>> hl.evaluate(hl.lerp(hl.u8(0), hl.u8(100), hl.u8(128)))
    50
    """
    zero, one, w = (operand(value, "lerp") for value in (zero_val, one_val, weight))
    # A signed constant has the type of the other end; ends of one type need nothing.
    if isinstance(zero, Const) and zero.type.signed:
        zero = convert.cast(one.type, zero)
    if isinstance(one, Const) and one.type.signed:
        one = convert.cast(zero.type, one)
    if zero.type is not one.type:
        raise DefinitionError(
            f"Error: Can't lerp between {zero} of type {zero.type} and {one} of different type {one.type}"
        )
    if not (w.type.floating or w.type.integral and not w.type.signed):
        raise DefinitionError(
            f"Error: A lerp weight must be an unsigned integer or a float, but lerp weight {w} has type {w.type}."
        )
    if zero.type.integral and isinstance(w, Const) and w.type.floating and not 0 <= w.value <= 1:
        raise DefinitionError(
            f"Error: Floating-point weight for lerp with integer arguments is {w.value}, which is not in the range "
            "[0.0, 1.0]."
        )
    if zero.type.integral and zero.type.nbits == 64:
        raise DefinitionError(
            f"Error: Can't lerp between 64-bit integers ({zero} and {one}): that needs 128 bits. Cast to a narrower "
            "type or to float64."
        )
    if not zero.type.floating:
        return wrap(_lerp_integers(zero, one, w))
    return wrap(convert.cast(zero.type, _lerp_floats(zero, one, w)))


def _lerp_floats(zero: Node, one: Node, weight: Node) -> Node:
    """The ends and the weight are at least float32; a wider weight is subtracted from 1 as it is."""
    type_ = _at_least_float32(zero.type)
    zero, one = convert.cast(type_, zero), convert.cast(type_, one)
    if weight.type.floating:
        w = weight if weight.type.nbits > type_.nbits else convert.cast(type_, weight)
        inverse = convert.cast(type_, combine(Sub, Const(w.type, 1.0), w))
        w = convert.cast(type_, w)
    else:
        exact = type_ if weight.type.nbits < 32 else Float(64)
        w = convert.cast(type_, combine(Div, convert.cast(exact, weight), Const(exact, weight.type.max_value())))
        inverse = combine(Sub, Const(type_, 1.0), w)
    return combine(Add, combine(Mul, zero, inverse), combine(Mul, one, w))


def _at_least_float32(type_: Type) -> Type:
    return type_ if type_.nbits > 16 else convert.FLOAT32


def _lerp_integers(zero: Node, one: Node, weight: Node) -> Node:
    bits = zero.type.nbits
    unsigned = zero.type.with_code(TypeCode.UInt)
    if weight.type.floating:
        weight = convert.cast(_at_least_float32(weight.type), weight)
    if bits == 1:
        return Select(_is_near_one(weight), one, zero)
    w = _integer_weight(weight, unsigned)
    wide = UInt(2 * bits)
    # Signed ends are shifted to start at 0, so that all arithmetic is unsigned.
    offset = Const(unsigned, zero.type.min_value())
    ends = [convert.cast(unsigned, end) for end in (zero, one)]
    if zero.type.signed:
        ends = [combine(Sub, end, offset) for end in ends]
    inverse = combine(Sub, Const(unsigned, unsigned.max_value()), w)
    products = [
        combine(Mul, convert.cast(wide, end), convert.cast(wide, share))
        for end, share in zip(ends, (inverse, w), strict=True)
    ]
    # Division by 2^bits - 1, rounded to nearest: (s / 2^bits + s) / 2^bits with s = sum + half.
    half, divisor = Const(wide, 1 << (bits - 1)), Const(wide, 1 << bits)
    total = combine(Add, combine(Add, *products), half)
    result = convert.cast(unsigned, combine(Div, combine(Add, combine(Div, total, divisor), total), divisor))
    if zero.type.signed:
        result = combine(Add, result, offset)
    return convert.cast(zero.type, result)


def _is_near_one(weight: Node) -> Node:
    """Whether a weight is more than half of the way."""
    if weight.type.boolean:
        return weight
    middle = Const(weight.type, 0.5 if weight.type.floating else weight.type.max_value() // 2)
    return GT(weight, middle)


def _integer_weight(weight: Node, unsigned: Type) -> Node:
    """The weight scaled to the full range of `unsigned`."""
    bits, weight_bits = unsigned.nbits, weight.type.nbits
    if weight.type.floating:
        if bits == 32:
            scaled = combine(Mul, Const(Float(64), unsigned.max_value()), convert.cast(Float(64), weight))
        else:
            scaled = combine(Mul, Const(weight.type, unsigned.max_value()), weight)
        return convert.cast(unsigned, scaled)
    if weight_bits == bits:
        return weight
    # 2^2n - 1 = (2^n - 1)(2^n + 1): the ratio of two full ranges is a whole number.
    ratio = ((1 << max(bits, weight_bits)) - 1) // ((1 << min(bits, weight_bits)) - 1)
    if weight_bits < bits:
        return combine(Mul, convert.cast(unsigned, weight), Const(unsigned, ratio))
    return convert.cast(unsigned, combine(Div, weight, Const(weight.type, ratio)))
