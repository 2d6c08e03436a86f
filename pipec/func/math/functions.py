"""Mathematical functions of Exprs."""

from __future__ import annotations

from collections.abc import Callable

from pipec.errors import DefinitionError
from pipec.func.math import convert, operators
from pipec.func.math.casts import operand
from pipec.func.math.convert import FLOAT32, match
from pipec.func.math.expr import Expr, ExprLike, documented, wrap
from pipec.func.math.operators import combine
from pipec.ir.expr import Add, And, Const, Intrinsic, Mul, Or, Sub
from pipec.ir.expr import Expr as Node
from pipec.ir.strict_floats import with_strict_floats
from pipec.ir.types import BOOL, Type, TypeCode


def as_float(node: Node) -> Node:
    """The node itself when it is an IEEE float, else cast to float32: so are ints and bfloat16."""
    return node if node.type.floating and not node.type.is_bfloat() else convert.cast(FLOAT32, node)


def call(type_: Type, name: str, *args: Node) -> Expr:
    """The Expr of an intrinsic."""
    return wrap(Intrinsic(type_, name, args))


def _float_function(name: str, summary: str, example: str, result: str) -> Callable[[ExprLike], Expr]:
    @documented(name, f"{summary}; ints and bfloat16 are cast to float32.", example, result)
    def function(x: ExprLike) -> Expr:
        node = as_float(operand(x, name))
        return call(node.type, name, node)

    return function


sqrt = _float_function("sqrt", "The square root", "hl.evaluate(hl.sqrt(2.25))", "1.5")
sin = _float_function("sin", "The sine of an angle in radians", "round(hl.evaluate(hl.sin(1.0)), 4)", "0.8415")
cos = _float_function("cos", "The cosine of an angle in radians", "round(hl.evaluate(hl.cos(1.0)), 4)", "0.5403")
tan = _float_function("tan", "The tangent of an angle in radians", "round(hl.evaluate(hl.tan(1.0)), 4)", "1.5574")
asin = _float_function("asin", "The angle in radians whose sine is x", "round(hl.evaluate(hl.asin(0.5)), 4)", "0.5236")
acos = _float_function(
    "acos",
    "The angle in radians whose cosine is x",
    "round(hl.evaluate(hl.acos(0.5)), 4)",
    "1.0472",
)
atan = _float_function(
    "atan",
    "The angle in radians whose tangent is x",
    "round(hl.evaluate(hl.atan(1.0)), 4)",
    "0.7854",
)
sinh = _float_function("sinh", "The hyperbolic sine", "round(hl.evaluate(hl.sinh(1.0)), 4)", "1.1752")
cosh = _float_function("cosh", "The hyperbolic cosine", "round(hl.evaluate(hl.cosh(1.0)), 4)", "1.5431")
tanh = _float_function("tanh", "The hyperbolic tangent", "round(hl.evaluate(hl.tanh(1.0)), 4)", "0.7616")
asinh = _float_function("asinh", "The inverse hyperbolic sine", "round(hl.evaluate(hl.asinh(1.0)), 4)", "0.8814")
acosh = _float_function("acosh", "The inverse hyperbolic cosine", "round(hl.evaluate(hl.acosh(2.0)), 4)", "1.317")
atanh = _float_function("atanh", "The inverse hyperbolic tangent", "round(hl.evaluate(hl.atanh(0.5)), 4)", "0.5493")
exp = _float_function("exp", "e to the power x", "round(hl.evaluate(hl.exp(1)), 4)", "2.7183")
log = _float_function("log", "The natural logarithm", "round(hl.evaluate(hl.log(10.0)), 4)", "2.3026")
floor = _float_function("floor", "The greatest whole number not above x", "hl.evaluate(hl.floor(-1.5))", "-2.0")
ceil = _float_function("ceil", "The least whole number not below x", "hl.evaluate(hl.ceil(-1.5))", "-1.0")
trunc = _float_function("trunc", "The whole number next to x toward zero", "hl.evaluate(hl.trunc(-1.5))", "-1.0")


def round(x: ExprLike) -> Expr:
    """The nearest whole number, halves to even; ints are cast to float32.

    >>> hl.evaluate(hl.round(2.5))
    2.0
    """
    node = operand(x, "round")
    if not node.type.is_bfloat():
        node = as_float(node)
    return call(node.type, "round", node)


def atan2(y: ExprLike, x: ExprLike) -> Expr:
    """The angle of the point (x, y).

    >>> round(hl.evaluate(hl.atan2(1.0, -1.0)), 4)
    2.3562
    """
    a, b = operand(y, "atan2"), operand(x, "atan2")
    a = as_float(a)
    return call(a.type, "atan2", a, convert.cast(a.type, b))


def pow(x: ExprLike, y: ExprLike) -> Expr:
    """x to the power y: repeated multiplication when y is a constant int.

    >>> hl.evaluate(hl.pow(hl.i32(3), 4))
    81
    """
    operand(x, "pow"), operand(y, "pow")
    result = operators.power(x, y)
    assert result is not None
    return wrap(result)


def hypot(x: ExprLike, y: ExprLike) -> Expr:
    """The length of the vector (x, y).

    >>> hl.evaluate(hl.hypot(3.0, 4.0))
    5.0
    """
    a, b = match(operand(x, "hypot"), operand(y, "hypot"))
    return sqrt(wrap(combine(Add, combine(Mul, a, a), combine(Mul, b, b))))


def fract(x: ExprLike) -> Expr:
    """The fractional part x - trunc(x), which has the sign of x.

    >>> hl.evaluate(hl.fract(-1.25))
    -0.25
    """
    node = as_float(operand(x, "fract"))
    return wrap(combine(Sub, node, trunc(wrap(node)).node))


def abs(a: ExprLike) -> Expr:
    """The absolute value; that of a signed int is unsigned.

    >>> hl.evaluate(hl.abs(hl.i8(-128)))
    128
    """
    node = operand(a, "abs")
    if node.type.integral and not node.type.signed:
        return wrap(node)
    if isinstance(node, Const) and node.type.signed:
        return wrap(Const(node.type.with_code(TypeCode.UInt), node.value if node.value >= 0 else -node.value))
    return call(_unsigned(node.type), "abs", node)


def absd(a: ExprLike, b: ExprLike) -> Expr:
    """|a - b| without overflow; that of ints is unsigned.

    >>> hl.evaluate(hl.absd(hl.u8(10), hl.u8(250)))
    240
    """
    x, y = match(operand(a, "absd"), operand(b, "absd"))
    if x.type.floating:
        return abs(wrap(combine(Sub, x, y)))
    return call(_unsigned(x.type), "absd", x, y)


def _unsigned(type_: Type) -> Type:
    return type_.with_code(TypeCode.UInt) if type_.signed else type_


def _float_test(name: str, summary: str, example: str, result: str) -> Callable[[ExprLike], Expr]:
    @documented(name, summary, example, result)
    def function(x: ExprLike) -> Expr:
        node = operand(x, name)
        if not node.type.floating:
            raise DefinitionError(f"Error: {name} only works for float, but {node} has type {node.type}.")
        return call(BOOL, name, node)

    return function


is_nan = _float_test("is_nan", "Whether x is not a number.", "hl.evaluate(hl.is_nan(hl.f32(0) / hl.f32(0)))", "True")
is_inf = _float_test("is_inf", "Whether x is infinite.", "hl.evaluate(hl.is_inf(hl.f32(1) / hl.f32(0)))", "True")
is_finite = _float_test("is_finite", "Whether x is neither infinite nor NaN.", "hl.evaluate(hl.is_finite(1.5))", "True")


def _bit_count(name: str, summary: str, example: str, result: str) -> Callable[[ExprLike], Expr]:
    @documented(name, summary, example, result)
    def function(x: ExprLike) -> Expr:
        node = operand(x, name)
        if not node.type.integral:
            raise DefinitionError(f"Error: Argument to {name} must be an integer, but {node} has type {node.type}.")
        return call(node.type, name, node)

    return function


popcount = _bit_count("popcount", "The number of set bits of x.", "hl.evaluate(hl.popcount(hl.u8(0b1011)))", "3")
count_leading_zeros = _bit_count(
    "count_leading_zeros",
    "The number of zero bits above the highest set one.",
    "hl.evaluate(hl.count_leading_zeros(hl.u8(1)))",
    "7",
)
count_trailing_zeros = _bit_count(
    "count_trailing_zeros",
    "The number of zero bits below the lowest set one.",
    "hl.evaluate(hl.count_trailing_zeros(hl.u8(8)))",
    "3",
)


def _truncating(name: str, summary: str, example: str, result: str) -> Callable[[ExprLike, ExprLike], Expr]:
    @documented(name, summary, example, result)
    def function(x: ExprLike, y: ExprLike) -> Expr:
        a, b = operand(x, name), operand(y, name)
        for which, node in (("First", a), ("Second", b)):
            if not node.type.integral:
                raise DefinitionError(f"Error: {which} argument to {name} is not an integer: {node}")
        a, b = match(a, b)
        return call(a.type, name, a, b)

    return function


div_round_to_zero = _truncating(
    "div_round_to_zero",
    "The quotient of ints rounded toward zero, as in C; x/0 is 0.",
    "hl.evaluate(hl.div_round_to_zero(hl.i32(-7), 2))",
    "-3",
)
mod_round_to_zero = _truncating(
    "mod_round_to_zero",
    "The remainder with the sign of x, as in C; x%0 is 0.",
    "hl.evaluate(hl.mod_round_to_zero(hl.i32(-7), 2))",
    "-1",
)


def _saturating(name: str, summary: str, example: str, result: str) -> Callable[[ExprLike, ExprLike], Expr]:
    @documented(name, summary, example, result)
    def function(x: ExprLike, y: ExprLike) -> Expr:
        a, b = match(operand(x, name), operand(y, name))
        if not a.type.integral:
            raise DefinitionError(f"Error: {name} only works on integers, but the operands have type {a.type}.")
        if a.type.boolean:
            return wrap(Or(a, b) if name == "saturating_add" else And(a, operators.logical_not(b)))
        return call(a.type, name, a, b)

    return function


saturating_add = _saturating(
    "saturating_add",
    "x + y, or the nearest value of their type.",
    "hl.evaluate(hl.saturating_add(hl.u8(200), hl.u8(100)))",
    "255",
)
saturating_sub = _saturating(
    "saturating_sub",
    "x - y, or the nearest value of their type.",
    "hl.evaluate(hl.saturating_sub(hl.u8(100), hl.u8(200)))",
    "0",
)


def logical_not(a: ExprLike) -> Expr:
    """The logical not of a bool.

    >>> hl.evaluate(hl.logical_not(hl.i32(1) > 2))
    True
    """
    return wrap(operators.logical_not(operand(a, "logical_not")))


def strict_float(e: ExprLike) -> Expr:
    """`e` with each operation on floats rounded by itself: none is fused with another one, or reordered.

    That a product and the sum after it are one instruction, `fma`, changes the last bit. A pipeline with strict floats
    also keeps results too small for a normal number, which are zero in others. Funcs that `e` calls are computed as
    their own definitions say; `TargetFeature.StrictFloat` makes all of a pipeline strict.

    >>> hl.evaluate(hl.strict_float(hl.f32(1.5) + 2.0))
    3.5
    """
    node = operand(e, "strict_float")
    return wrap(with_strict_floats(node))
