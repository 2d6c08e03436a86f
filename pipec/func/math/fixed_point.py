"""Integer arithmetic that widens, halves, rounds or saturates, written out in plain operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.errors import DefinitionError, NotSupportedError
from pipec.func.math import convert
from pipec.func.math.casts import operand, saturate
from pipec.func.math.convert import match
from pipec.func.math.expr import Expr, ExprLike, documented, wrap
from pipec.func.math.operators import combine, shift, shift_operands
from pipec.ir import build
from pipec.ir.expr import GT, LT, Add, Const, Intrinsic, Mul, Sub
from pipec.ir.expr import Expr as Node
from pipec.ir.types import Type, TypeCode


def _integers(name: str, *nodes: Node) -> None:
    for node in nodes:
        if not node.type.integral:
            raise DefinitionError(f"Error: {name} only works on integers, but {node} has type {node.type}.")


def _wider(type_: Type, name: str) -> Type:
    """The type with twice the bits; of a bool that with 8."""
    if type_.is_bfloat():
        raise DefinitionError(f"Error: {name} of bfloat16 is not supported: there is no wider bfloat. Cast to float32.")
    if type_.boolean:
        return type_.with_bits(8)
    if type_.nbits >= 64:
        raise NotSupportedError(
            f"Error: {name} of 64-bit values needs {2 * type_.nbits} bits, which is not supported yet."
        )
    return type_.with_bits(2 * type_.nbits)


def _pair(name: str, a: Any, b: Any) -> tuple[Node, Node]:
    x, y = match(operand(a, name), operand(b, name))
    _integers(name, x, y)
    return x, y


def _bits(name: str, x: Node, y: Node) -> Node:
    return Intrinsic(x.type, name, (x, y))


def _shifted_right(x: Node, count: int) -> Node:
    return shift("shift_right", x, Const(x.type.with_code(TypeCode.UInt), count))


def widening_add(a: ExprLike, b: ExprLike) -> Expr:
    """a + b in a type of twice the bits.

    >>> hl.evaluate(hl.widening_add(hl.u8(200), hl.u8(100)))
    300
    """
    x, y = match(operand(a, "widening_add"), operand(b, "widening_add"))
    wide = _wider(x.type, "widening_add")
    return wrap(combine(Add, convert.cast(wide, x), convert.cast(wide, y)))


def widening_sub(a: ExprLike, b: ExprLike) -> Expr:
    """a - b in a type of twice the bits, signed for ints.

    >>> hl.evaluate(hl.widening_sub(hl.u8(100), hl.u8(200)))
    -100
    """
    x, y = match(operand(a, "widening_sub"), operand(b, "widening_sub"))
    wide = _wider(x.type, "widening_sub")
    wide = wide if wide.floating else wide.with_code(TypeCode.Int)
    return wrap(combine(Sub, convert.cast(wide, x), convert.cast(wide, y)))


def widening_mul(a: ExprLike, b: ExprLike) -> Expr:
    """a * b in a type of twice the bits, signed when either factor is.

    >>> hl.evaluate(hl.widening_mul(hl.u8(200), hl.u8(100)))
    20000
    """
    return wrap(_wide_product(operand(a, "widening_mul"), operand(b, "widening_mul"), "widening_mul"))


def _wide_product(x: Node, y: Node, name: str) -> Node:
    if x.type.floating:
        wide = _wider(x.type.with_bits(max(x.type.nbits, y.type.nbits)), name)
    elif y.type.floating:
        wide = _wider(y.type, name)
    else:
        signed = x.type.signed or y.type.signed
        widest = x.type if x.type.nbits >= y.type.nbits else y.type
        wide = _wider(widest, name).with_code(TypeCode.Int if signed else TypeCode.UInt)
        # Each factor is widened with its own sign: an unsigned one keeps its value in the wider signed type.
        x, y = (convert.cast(node.type.with_bits(widest.nbits), node) for node in (x, y))
    return combine(Mul, convert.cast(wide, x), convert.cast(wide, y))


def _widen_right(name: str, kind: Any, summary: str, example: str, result: str) -> Callable[[ExprLike, ExprLike], Expr]:
    @documented(name, summary, example, result)
    def function(a: ExprLike, b: ExprLike) -> Expr:
        x, y = operand(a, name), operand(b, name)
        _integers(name, x, y)
        wide = _wider(y.type, name)
        if x.type is not wide:
            raise DefinitionError(
                f"Error: {name} type mismatch\n{x} has type {x.type}\n{y} has type {y.type}\n"
                "The first operand must have twice the bits of the second."
            )
        return wrap(combine(kind, x, convert.cast(wide, y)))

    return function


widen_right_add = _widen_right(
    "widen_right_add",
    Add,
    "a + b, where b has half the bits of a.",
    "hl.evaluate(hl.widen_right_add(hl.u16(1000), hl.u8(100)))",
    "1100",
)
widen_right_sub = _widen_right(
    "widen_right_sub",
    Sub,
    "a - b, where b has half the bits of a.",
    "hl.evaluate(hl.widen_right_sub(hl.u16(1000), hl.u8(100)))",
    "900",
)
widen_right_mul = _widen_right(
    "widen_right_mul",
    Mul,
    "a * b, where b has half the bits of a.",
    "hl.evaluate(hl.widen_right_mul(hl.u16(100), hl.u8(100)))",
    "10000",
)


def widening_shift_left(a: ExprLike, b: ExprLike) -> Expr:
    """a << b in a type of twice the bits.

    >>> hl.evaluate(hl.widening_shift_left(hl.u8(200), hl.u8(2)))
    800
    """
    return wrap(_widening_shift("shift_left", a, b, "widening_shift_left"))


def widening_shift_right(a: ExprLike, b: ExprLike) -> Expr:
    """a >> b in a type of twice the bits.

    >>> hl.evaluate(hl.widening_shift_right(hl.u8(200), hl.u8(2)))
    50
    """
    return wrap(_widening_shift("shift_right", a, b, "widening_shift_right"))


def _widening_shift(direction: str, a: Any, b: Any, name: str) -> Node:
    operand(a, name), operand(b, name)
    direction, x, y = shift_operands(direction, a, b)
    wide = _wider(x.type, name)
    return shift(direction, convert.cast(wide, x), convert.cast(y.type.with_bits(wide.nbits), y))


def halving_add(a: ExprLike, b: ExprLike) -> Expr:
    """(a + b) / 2 rounded down, without overflow.

    >>> hl.evaluate(hl.halving_add(hl.u8(200), hl.u8(101)))
    150
    """
    x, y = _pair("halving_add", a, b)
    return wrap(combine(Add, _bits("bitwise_and", x, y), _shifted_right(_bits("bitwise_xor", x, y), 1)))


def rounding_halving_add(a: ExprLike, b: ExprLike) -> Expr:
    """(a + b + 1) / 2 rounded down, without overflow.

    >>> hl.evaluate(hl.rounding_halving_add(hl.u8(200), hl.u8(101)))
    151
    """
    x, y = _pair("rounding_halving_add", a, b)
    return wrap(combine(Sub, _bits("bitwise_or", x, y), _shifted_right(_bits("bitwise_xor", x, y), 1)))


def halving_sub(a: ExprLike, b: ExprLike) -> Expr:
    """(a - b) / 2 rounded down, computed without overflow, then wrapped to the type.

    >>> hl.evaluate(hl.halving_sub(hl.u8(200), hl.u8(101)))
    49
    """
    x, y = _pair("halving_sub", a, b)
    # x/2 - y/2, and 1 less when only y is odd.
    one = Const(x.type, 1)
    inverted: Node = Intrinsic(x.type, "bitwise_not", (x,))
    borrow = _bits("bitwise_and", _bits("bitwise_and", inverted, y), one)
    return wrap(combine(Sub, combine(Sub, _shifted_right(x, 1), _shifted_right(y, 1)), borrow))


def rounding_shift_right(a: ExprLike, b: ExprLike) -> Expr:
    """a >> b rounded to nearest, halves up; a negative b shifts left.

    >>> hl.evaluate(hl.rounding_shift_right(hl.u8(7), hl.u8(1)))
    4
    """
    operand(a, "rounding_shift_right"), operand(b, "rounding_shift_right")
    return wrap(_rounding_shift(*shift_operands("shift_right", a, b)))


def rounding_shift_left(a: ExprLike, b: ExprLike) -> Expr:
    """a << b; a negative b shifts right and rounds to nearest, halves up.

    >>> hl.evaluate(hl.rounding_shift_left(hl.u8(7), hl.u8(1)))
    14
    """
    operand(a, "rounding_shift_left"), operand(b, "rounding_shift_left")
    return wrap(_rounding_shift(*shift_operands("shift_left", a, b)))


def _rounding_shift(direction: str, x: Node, count: Node) -> Node:
    """The shifted value plus the last bit that was shifted out."""
    shifted = shift(direction, x, count)
    zero, one = Const(count.type, 0), Const(count.type, 1)
    if direction == "shift_right":
        out, loses = shift(direction, x, combine(Sub, count, one)), combine(GT, count, zero)
    elif count.type.signed:
        out, loses = shift(direction, x, combine(Add, count, one)), combine(LT, count, zero)
    else:
        return shifted
    last = _bits("bitwise_and", out, Const(x.type, 1))
    return combine(Add, shifted, build.select(loses, last, Const(x.type, 0)))


def mul_shift_right(a: ExprLike, b: ExprLike, q: ExprLike) -> Expr:
    """(a * b) >> q computed in twice the bits, saturated to the type of the factors.

    >>> hl.evaluate(hl.mul_shift_right(hl.u8(200), hl.u8(100), 8))
    78
    """
    type_, product, count = _product_and_count("mul_shift_right", a, b, q)
    return wrap(saturate(type_, shift("shift_right", product, count)))


def rounding_mul_shift_right(a: ExprLike, b: ExprLike, q: ExprLike) -> Expr:
    """As mul_shift_right, rounded to nearest, halves up.

    >>> hl.evaluate(hl.rounding_mul_shift_right(hl.u8(200), hl.u8(100), 8))
    78
    """
    type_, product, count = _product_and_count("rounding_mul_shift_right", a, b, q)
    return wrap(saturate(type_, _rounding_shift("shift_right", product, count)))


def _product_and_count(name: str, a: Any, b: Any, q: Any) -> tuple[Type, Node, Node]:
    x, y = _pair(name, a, b)
    operand(q, name)
    _, _, count = shift_operands("shift_right", wrap(x), q)
    if count.type.signed:
        raise DefinitionError(f"Error: {name} shift must be unsigned, but {count} has type {count.type}.")
    product = _wide_product(x, y, name)
    return x.type, product, convert.cast(count.type.with_bits(product.type.nbits), count)
