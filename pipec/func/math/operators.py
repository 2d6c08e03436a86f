"""The operators of expressions: typed IR nodes from operands and Python numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.errors import DefinitionError
from pipec.func.buffers.elements import plain_number
from pipec.func.math.convert import (
    FLOAT32,
    adapt,
    beside,
    cast,
    literal,
    match,
    node_of_operand,
    node_or_none,
    operands,
)
from pipec.ir.build import fold
from pipec.ir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    Const,
    Div,
    Expr,
    Intrinsic,
    Mod,
    Mul,
    Not,
    Or,
    Sub,
)
from pipec.ir.types import TypeCode, UInt

# Each function takes what stands on the two sides of an operator and returns a node, or None when a side is no operand.
Operation = Callable[[Any, Any], Expr | None]

_MAY_OVERFLOW = {Add: int.__add__, Sub: int.__sub__, Mul: int.__mul__}


def combine(kind: Any, a: Expr, b: Expr) -> Expr:
    """The node kind(a, b) of two operands of one type; constant integers are computed now."""
    if isinstance(a, Const) and isinstance(b, Const) and a.type.integral:
        if kind in _MAY_OVERFLOW and a.type.signed and a.type.nbits >= 32:
            exact = _MAY_OVERFLOW[kind](a.value, b.value)
            if not a.type.can_represent(exact):
                raise DefinitionError(
                    f"Error: Signed integer overflow occurred during constant-folding: {a.value} {kind.SYMBOL} "
                    f"{b.value} is {exact}, which does not fit {a.type}. Signed integer overflow for int32 and int64 "
                    "is undefined behavior. Use a wider or an unsigned type."
                )
        folded = fold(kind, a, b)
        if folded is not None:
            return folded
    result: Expr = kind(a, b)
    return result


def _simple(kind: Any) -> Operation:
    def operation(a: Any, b: Any) -> Expr | None:
        pair = operands(a, b)
        return None if pair is None else combine(kind, *pair)

    return operation


add = _simple(Add)
sub = _simple(Sub)
mul = _simple(Mul)
div = _simple(Div)
eq = _simple(EQ)
ne = _simple(NE)
lt = _simple(LT)
le = _simple(LE)
gt = _simple(GT)
ge = _simple(GE)


def mod(a: Any, b: Any) -> Expr | None:
    """`%`: the remainder of `/` for integers, with the sign of the divisor for floats; 16-bit floats round it once."""
    pair = operands(a, b)
    if pair is None:
        return None
    type_ = pair[0].type
    if type_.floating and type_.nbits == 16:
        return cast(type_, combine(Mod, *[cast(FLOAT32, node) for node in pair]))
    return combine(Mod, *pair)


def floor_div(a: Any, b: Any) -> Expr | None:
    """`//`: the same as `/` for integers, the floor of the quotient for floats."""
    quotient = div(a, b)
    if quotient is None or not quotient.type.floating:
        return quotient
    if quotient.type.is_bfloat():
        quotient = cast(FLOAT32, quotient)
    return Intrinsic(quotient.type, "floor", (quotient,))


def _bitwise(name: str, words: str, logical: Any) -> Operation:
    def operation(a: Any, b: Any) -> Expr | None:
        pair = _bit_operands(a, b, words)
        if pair is None:
            return None
        x, y = pair
        folded = _fold_bits(name, x, y)
        if folded is not None:
            return folded
        return logical(x, y) if x.type.boolean else Intrinsic(x.type, name, (x, y))

    return operation


def _bit_operands(a: Any, b: Any, words: str) -> tuple[Expr, Expr] | None:
    left, right = node_of_operand(a), node_of_operand(b)
    x, y = plain_number(a), plain_number(b)
    if left is None and x is not None:
        left = beside(x, right)
    if right is None and y is not None:
        right = beside(y, left)
    if left is None or right is None:
        return None
    for position, side in (("first", left), ("second", right)):
        if not side.type.integral:
            raise DefinitionError(
                f"Error: The {position} argument to {words} must be an integer or unsigned integer, "
                f"but {side} has type {side.type}. Cast it."
            )
    if left.type.signed != right.type.signed:
        raise DefinitionError(
            f"Error: Arguments to {words} must be both be signed or both be unsigned.\n"
            f"LHS type: {left.type} RHS type: {right.type}\nLHS value: {left} RHS value: {right}\n"
            "Cast one of them."
        )
    return match(left, right)


def _fold_bits(name: str, x: Expr, y: Expr) -> Expr | None:
    if not (isinstance(x, Const) and isinstance(y, Const)):
        return None
    value = {"bitwise_and": x.value & y.value, "bitwise_or": x.value | y.value, "bitwise_xor": x.value ^ y.value}[name]
    return Const(x.type, value)


bit_and = _bitwise("bitwise_and", "bitwise and", And)
bit_or = _bitwise("bitwise_or", "bitwise or", Or)
bit_xor = _bitwise("bitwise_xor", "bitwise xor", NE)


def shift_operands(direction: str, a: Any, b: Any) -> tuple[str, Expr, Expr]:
    """A shift in `direction` (shift_left or shift_right) of `a` by `b`: the direction, and both with as many bits.

    The count keeps its own signedness: a signed one may be negative. A negative number turns the direction.
    """
    x, y = plain_number(a), plain_number(b)
    left = literal(x) if x is not None else node_or_none(a)
    assert left is not None
    if isinstance(y, int):
        if y < 0:
            direction, y = ("shift_right" if direction == "shift_left" else "shift_left"), -y
        unsigned = left.type.with_code(TypeCode.UInt) if left.type.integral else UInt(32)
        right = adapt(y, unsigned) or literal(y)
    else:
        count = literal(y) if y is not None else node_or_none(b)
        assert count is not None
        right = count
    for side in (left, right):
        if not side.type.integral:
            raise DefinitionError(
                f"Error: Both sides of a {direction.replace('_', ' ')} must be integers, but {side} has type "
                f"{side.type}. Cast it, or multiply by a power of two."
            )
    bits = max(left.type.nbits, right.type.nbits)
    return direction, cast(left.type.with_bits(bits), left), cast(right.type.with_bits(bits), right)


def shift(direction: str, a: Expr, count: Expr) -> Expr:
    """The shift intrinsic of operands with as many bits; a constant shifted by a constant is computed now."""
    if isinstance(a, Const) and isinstance(count, Const) and abs(count.value) < a.type.nbits:
        leftward = (direction == "shift_left") == (count.value >= 0)
        return Const(a.type, a.value << abs(count.value) if leftward else a.value >> abs(count.value))
    return Intrinsic(a.type, direction, (a, count))


def _shift(direction: str) -> Operation:
    def operation(a: Any, b: Any) -> Expr | None:
        if any(plain_number(side) is None and node_or_none(side) is None for side in (a, b)):
            return None
        return shift(*shift_operands(direction, a, b))

    return operation


shift_left = _shift("shift_left")
shift_right = _shift("shift_right")


def negate(a: Expr) -> Expr:
    """0 - a; -a for floats, so that the sign of zero turns too."""
    if isinstance(a, Const) and a.type.floating:
        return Const(a.type, -a.value)
    return combine(Sub, Const(a.type, -0.0 if a.type.floating else 0), a)


def invert(a: Expr) -> Expr:
    """`~`: all bits turned; logical not of a bool."""
    if not a.type.integral:
        raise DefinitionError(
            f"Error: Argument to bitwise not must be an integer or unsigned integer, but {a} has type {a.type}."
        )
    if isinstance(a, Const):
        return Const(a.type, ~a.value)
    return Not(a) if a.type.boolean else Intrinsic(a.type, "bitwise_not", (a,))


def logical_not(a: Expr) -> Expr:
    """Logical not; only of a bool."""
    if not a.type.boolean:
        raise DefinitionError(f"Error: argument of Not is not a bool: {a} has type {a.type}. Compare it with 0 first.")
    return invert(a)


def power(base: Any, exponent: Any) -> Expr | None:
    """`**`: repeated multiplication in the type of the base for a constant int exponent, else pow in its float type."""
    plain = plain_number(exponent)
    if plain is None and isinstance(node := node_or_none(exponent), Const) and node.type.is_int():
        plain = int(node.value)
    b = node_or_none(base)
    if b is None:
        return None
    if isinstance(plain, int) and not isinstance(plain, bool):
        return integer_power(b, plain)
    e = node_or_none(exponent)
    if e is None:
        return None
    # Unlike the other operators the base alone decides.
    type_ = b.type if b.type.floating and not b.type.is_bfloat() else FLOAT32
    return Intrinsic(type_, "pow", (cast(type_, b), cast(type_, e)))


def integer_power(base: Expr, exponent: int) -> Expr:
    """`base` multiplied with itself, by repeated squaring; negative exponents give the reciprocal."""
    if exponent < 0:
        return combine(Div, Const(base.type, 1), integer_power(base, -exponent))
    if exponent == 0:
        return Const(base.type, 1)
    if exponent == 1:
        return base
    half = integer_power(base, exponent // 2)
    square = combine(Mul, half, half)
    return combine(Mul, square, base) if exponent % 2 else square
