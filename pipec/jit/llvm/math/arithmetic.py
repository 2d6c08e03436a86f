"""Arithmetic, comparisons and conversions as LLVM instructions.

Everything here is total: values may be computed where the program would not have asked for them, so division by zero,
overflow and conversions out of range never trap and never give poison.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pipec.bounds.lane_ranges import LaneRanges
from pipec.bounds.reciprocals import Reciprocal, reciprocal
from pipec.ir import expr as e
from pipec.ir.build import constant
from pipec.ir.types import Float, Int, Type
from pipec.jit.llvm.function import FunctionWriter
from pipec.jit.llvm.types import constant_text, intrinsic_suffix, value_type

FLOAT_INTEGERS = 1 << 24
"""Integers of smaller magnitude are exact as float32, and their quotients are right when rounded to zero."""
# Writes a node, given its operands' texts; the result's text.
Rule = Callable[..., str]


def call_intrinsic(f: FunctionWriter, name: str, kind: Type, *operands: str, flag: str = "") -> str:
    """A call of `llvm.NAME` whose operands all have the type of its result; `flag`: a last operand of type i1."""
    type_ = value_type(kind)
    full = f"@llvm.{name}.{intrinsic_suffix(kind)}"
    types, values = [type_] * len(operands) + ["i1"] * bool(flag), [*operands, *[flag] * bool(flag)]
    f.module.declare(full, f"{type_} {full}({', '.join(types)})")
    arguments = ", ".join([f"{own} {value}" for own, value in zip(types, values, strict=True)])
    return f.op(f"call {type_} {full}({arguments})")


def float_flags(f: FunctionWriter) -> str:
    """Returns the fast-math flags of float instructions, as machine.py has them."""
    return f.module.float_flags


_FLOAT_OPCODES: dict[type[e.Binary], str] = {e.Add: "fadd", e.Sub: "fsub", e.Mul: "fmul", e.Div: "fdiv"}


def float_operation(f: FunctionWriter, node: type[e.Binary], kind: Type, a: str, b: str, flags: str) -> str:
    """The arithmetic of a node on floats, with these fast-math flags."""
    type_ = value_type(kind)
    if node is not e.Mod:
        return f.op(f"{_FLOAT_OPCODES[node]} {flags}{type_} {a}, {b}")
    whole = call_intrinsic(f, "floor", kind, f.op(f"fdiv {flags}{type_} {a}, {b}"))
    product = f.op(f"fmul {flags}{type_} {b}, {whole}")
    return f.op(f"fsub {flags}{type_} {a}, {product}")


def _simple(integer: str, boolean: str) -> Rule:
    def rule(f: FunctionWriter, node: e.Binary, a: str, b: str) -> str:
        kind = node.type
        if kind.floating:
            return float_operation(f, type(node), kind, a, b, float_flags(f))
        return f.op(f"{boolean if kind.boolean else integer} {value_type(kind)} {a}, {b}")

    return rule


def _extreme(integer: str, condition: str, boolean: str) -> Rule:
    def rule(f: FunctionWriter, node: e.Binary, a: str, b: str) -> str:
        kind = node.type
        if kind.boolean:
            return f.op(f"{boolean} {value_type(kind)} {a}, {b}")
        if kind.integral:
            return call_intrinsic(f, ("s" if kind.signed else "u") + integer, kind, a, b)
        if constant(node.a) is not None:
            # The second is what NaN gives: a clamp to numbers is one of them, as its bounds say.
            a, b = b, a
        smaller = f.op(f"fcmp {condition} {value_type(kind)} {a}, {b}")
        return select_text(f, kind, smaller, a, b)

    return rule


def select_text(f: FunctionWriter, kind: Type, condition: str, a: str, b: str) -> str:
    """A lane-wise choice between values of type `kind`; the condition has as many lanes."""
    type_ = value_type(kind)
    return f.op(f"select {bool_type(kind)} {condition}, {type_} {a}, {type_} {b}")


def bool_type(kind: Type) -> str:
    """Returns the LLVM type of a mask with as many lanes as `kind`."""
    return "i1" if kind.nlanes == 1 else f"<{kind.nlanes} x i1>"


def _compare(signed: str, unsigned: str, floating: str) -> Rule:
    def rule(f: FunctionWriter, node: e.Compare, a: str, b: str) -> str:
        kind = node.a.type
        if kind.floating:
            return f.op(f"fcmp {floating} {value_type(kind)} {a}, {b}")
        return f.op(f"icmp {signed if kind.signed else unsigned} {value_type(kind)} {a}, {b}")

    return rule


def _not(f: FunctionWriter, node: e.Not, a: str) -> str:
    return f.op(f"xor {value_type(node.type)} {a}, {constant_text(node.type, 1)}")


def _select(f: FunctionWriter, node: e.Select, condition: str, a: str, b: str) -> str:
    type_ = value_type(node.type)
    return f.op(f"select {value_type(node.condition.type)} {condition}, {type_} {a}, {type_} {b}")


def _div(f: FunctionWriter, node: e.Div, a: str, b: str) -> str:
    kind = node.type
    if kind.floating:
        factors = reciprocal(node) if f.module.can("fma") and "arcp" not in float_flags(f) else None
        if factors is not None:
            return _product_with_reciprocal(f, kind, a, factors)
        return float_operation(f, e.Div, kind, a, b, float_flags(f))
    if kind.boolean:
        return f.op(f"and {value_type(kind)} {a}, {b}")
    divisor = constant(node.b)
    if divisor is not None:
        return div_by_constant(f, kind, a, int(divisor))
    return _general_division(f, node, a, b)[0]


def _product_with_reciprocal(f: FunctionWriter, kind: Type, a: str, factors: Reciprocal) -> str:
    high, low = [constant_text(kind, factor) for factor in factors]
    return call_intrinsic(f, "fma", kind, a, high, f.op(f"fmul {value_type(kind)} {a}, {low}"))


def _mod(f: FunctionWriter, node: e.Mod, a: str, b: str) -> str:
    kind = node.type
    if kind.floating:
        return float_operation(f, e.Mod, kind, a, b, float_flags(f))
    if kind.boolean:
        return constant_text(kind, 0)
    divisor = constant(node.b)
    if divisor is not None:
        return _mod_by_constant(f, kind, a, int(divisor))
    return _general_division(f, node, a, b)[1]


def div_by_constant(f: FunctionWriter, kind: Type, a: str, divisor: int) -> str:
    """Euclidean division: LLVM turns an unsigned division by a constant into a multiplication."""
    type_ = value_type(kind)
    if divisor == 0:
        return constant_text(kind, 0)
    if divisor == 1:
        return a
    if kind.signed and divisor < 0:
        positive = a if divisor == -1 else div_by_constant(f, kind, a, -divisor)
        if divisor == kind.min_value():
            # The only magnitude that the type cannot hold: the quotient is 1 for negative values, else 0.
            return f.op(f"lshr {type_} {a}, {constant_text(kind, kind.nbits - 1)}")
        return f.op(f"sub {type_} {constant_text(kind, 0)}, {positive}")
    if divisor & (divisor - 1) == 0:
        shift = constant_text(kind, divisor.bit_length() - 1)
        return f.op(f"{'ashr' if kind.signed else 'lshr'} {type_} {a}, {shift}")
    if not kind.signed:
        return f.op(f"udiv {type_} {a}, {constant_text(kind, divisor)}")
    # Rounding down: the complement of a negative number is divided without sign, then complemented back.
    sign = f.op(f"ashr {type_} {a}, {constant_text(kind, kind.nbits - 1)}")
    folded = f.op(f"xor {type_} {a}, {sign}")
    quotient = f.op(f"udiv {type_} {folded}, {constant_text(kind, divisor)}")
    return f.op(f"xor {type_} {quotient}, {sign}")


def _mod_by_constant(f: FunctionWriter, kind: Type, a: str, divisor: int) -> str:
    type_ = value_type(kind)
    if divisor in (0, 1, -1):
        return constant_text(kind, 0)
    if kind.signed and divisor == kind.min_value():
        return f.op(f"and {type_} {a}, {constant_text(kind, kind.max_value())}")
    divisor = abs(divisor)
    if divisor & (divisor - 1) == 0:
        return f.op(f"and {type_} {a}, {constant_text(kind, divisor - 1)}")
    if not kind.signed:
        return f.op(f"urem {type_} {a}, {constant_text(kind, divisor)}")
    quotient = div_by_constant(f, kind, a, divisor)
    product = f.op(f"mul {type_} {quotient}, {constant_text(kind, divisor)}")
    return f.op(f"sub {type_} {a}, {product}")


def _general_division(f: FunctionWriter, node: e.Div | e.Mod, a: str, b: str) -> tuple[str, str]:
    """Quotient and remainder by a divisor known only at run time; 0 and 0 for a divisor of 0."""
    kind, dividends, divisors = node.type, f.ranges(node.a), f.ranges(node.b)
    type_, zero, one = value_type(kind), constant_text(kind, 0), constant_text(kind, 1)
    operands = Operands.of(f, node.a, node.b)
    if dividends.low >= 0 and divisors.low >= 0:
        by_zero = "" if divisors.low else f.op(f"icmp eq {type_} {b}, {zero}")
        safe = select_text(f, kind, by_zero, one, b) if by_zero else b
        quotient = integer_quotient(f, kind, a, safe, operands)
        rest = f.op(f"sub {type_} {a}, {f.op(f'mul {type_} {quotient}, {safe}')}")
        if not by_zero:
            return quotient, rest
        return select_text(f, kind, by_zero, zero, quotient), select_text(f, kind, by_zero, zero, rest)
    # By -1 the machine traps on the smallest int, so that quotient is made by negation.
    by_zero = f.op(f"icmp eq {type_} {b}, {zero}")
    by_minus_one = f.op(f"icmp eq {type_} {b}, {constant_text(kind, -1)}")
    special = f.op(f"or {bool_type(kind)} {by_zero}, {by_minus_one}")
    safe = select_text(f, kind, special, one, b)
    quotient = integer_quotient(f, kind, a, safe, operands)
    product = f.op(f"mul {type_} {quotient}, {safe}")
    rest = f.op(f"sub {type_} {a}, {product}")
    negative = f.op(f"ashr {type_} {rest}, {constant_text(kind, kind.nbits - 1)}")
    # A negative remainder: one step away from zero, in the direction of the divisor's sign.
    sign = f.op(f"ashr {type_} {safe}, {constant_text(kind, kind.nbits - 1)}")
    direction = f.op(f"or {type_} {sign}, {one}")
    step = f.op(f"and {type_} {negative}, {direction}")
    floored = f.op(f"sub {type_} {quotient}, {step}")
    magnitude = call_abs(f, kind, safe)
    add_back = f.op(f"and {type_} {negative}, {magnitude}")
    remainder = f.op(f"add {type_} {rest}, {add_back}")
    negated = f.op(f"sub {type_} {zero}, {a}")
    result = select_text(f, kind, by_minus_one, negated, floored)
    return select_text(f, kind, by_zero, zero, result), select_text(f, kind, special, zero, remainder)


class Operands(NamedTuple):
    """What is known of the operands of a division of vectors.

    `is_uniform`: the divisor is the same in all lanes; `are_short`: float32 holds both exactly.
    """

    is_uniform: bool
    are_short: bool

    @staticmethod
    def of(f: FunctionWriter, a: e.Expr, b: e.Expr) -> Operands:
        """What is known of a / b."""
        return Operands(isinstance(b, e.Broadcast), are_short(f.ranges, a, b))


def are_short(ranges: LaneRanges, a: e.Expr, b: e.Expr) -> bool:
    """Whether vectors of float32 hold the integers a and b exactly, so that they divide them."""
    return max(ranges(a).magnitude, ranges(b).magnitude) < FLOAT_INTEGERS


def integer_quotient(f: FunctionWriter, kind: Type, a: str, safe: str, operands: Operands) -> str:
    """The quotient rounded to zero, of a divisor that is not 0, nor -1 when signed."""
    if kind.nlanes > 1 and kind.nbits <= 32:
        return _quotient_by_floats(f, kind, a, safe, operands)
    return f.op(f"{'sdiv' if kind.signed else 'udiv'} {value_type(kind)} {a}, {safe}")


def _quotient_by_floats(f: FunctionWriter, kind: Type, a: str, b: str, operands: Operands) -> str:
    """No machine divides vectors of integers. The quotient of numbers below 2^p, which a float type with p bits holds
    exactly, is right when it is rounded down to a whole number: unless it is one, it is at least 1 / |b| away from the
    next, and the division rounds it by |a| / |b| / 2^p at most, which is less."""
    has_single = kind.nbits <= 16 or operands.are_short
    floating = Float(32 if has_single else 64, kind.nlanes)
    back = Int(32, kind.nlanes) if has_single else kind
    # Short numbers of 32 bits are the same with a sign, with which all machines convert them.
    opcode, type_ = "sitofp" if kind.signed or (has_single and kind.nbits == 32) else "uitofp", value_type(floating)
    x, y = [f.op(f"{opcode} {value_type(kind)} {operand} to {type_}") for operand in (a, b)]
    # Quotients of float32 take no longer than what a product needs besides.
    has_reciprocal = operands.is_uniform and not has_single
    quotient = _times_reciprocal(f, kind, floating, x, y) if has_reciprocal else f.op(f"fdiv {type_} {x}, {y}")
    whole = f.op(f"{'fptosi' if back.signed else 'fptoui'} {type_} {quotient} to {value_type(back)}")
    return whole if back.nbits == kind.nbits else f.op(f"trunc {value_type(back)} {whole} to {value_type(kind)}")


def _times_reciprocal(f: FunctionWriter, kind: Type, floating: Type, x: str, y: str) -> str:
    """A number whose whole part is that of x / y, for integers as floats of which all lanes of y are the same.

    (|x| + 1/2) / |y| is at least 1 / 2|y| away from whole numbers. Rounding the reciprocal and the product of float64
    changes less for |x| < 2^50.
    """
    type_, scalar = value_type(floating), floating.element_of()
    half = constant_text(floating, 0.5)
    if kind.signed:
        half = call_intrinsic(f, "copysign", floating, half, x)
    more = f.op(f"fadd {type_} {x}, {half}")
    first = f.op(f"extractelement {type_} {y}, i64 0")
    reciprocal = f.op(f"fdiv {value_type(scalar)} {constant_text(scalar, 1.0)}, {first}")
    lane = f.op(f"insertelement {type_} poison, {value_type(scalar)} {reciprocal}, i64 0")
    zeros = f"<{floating.nlanes} x i32> zeroinitializer"
    return f.op(f"fmul {type_} {more}, {f.op(f'shufflevector {type_} {lane}, {type_} poison, {zeros}')}")


def call_abs(f: FunctionWriter, kind: Type, a: str) -> str:
    """The absolute value of signed integers; the smallest one stays as it is."""
    return call_intrinsic(f, "abs", kind, a, flag="false")


def convert(f: FunctionWriter, source: Type, target: Type, a: str) -> str:
    """A cast between types of the same number of lanes."""
    if source is target:
        return a
    if source.is_bfloat():
        return convert(f, Float(32, source.nlanes), target, _from_bfloat(f, source, a))
    if target.is_bfloat():
        return _rounded_to_bfloat(f, target, _as_single(f, source, a))
    if source.integral or source.is_handle():
        return _convert_integer(f, source, target, a)
    if target.floating:
        return _convert_float(f, source, target, a)
    if target.nbits < 32:
        wide = Int(32, target.nlanes)
        return convert(f, wide, target, convert(f, source, wide, a))
    opcode = "fptosi" if target.signed else "fptoui"
    raw = f.op(f"{opcode} {value_type(source)} {a} to {value_type(target)}")
    # Out of range LLVM promises nothing; freeze makes it some definite number.
    return f.op(f"freeze {value_type(target)} {raw}")


def _convert_integer(f: FunctionWriter, source: Type, target: Type, a: str) -> str:
    from_, to = value_type(source), value_type(target)
    if target.floating:
        return f.op(f"{'sitofp' if source.signed else 'uitofp'} {from_} {a} to {to}")
    if source.nbits == target.nbits:
        return a
    if source.nbits > target.nbits:
        return f.op(f"trunc {from_} {a} to {to}")
    return f.op(f"{'sext' if source.signed else 'zext'} {from_} {a} to {to}")


def _float_like(kind: Type) -> str:
    return "float" if kind.nlanes == 1 else f"<{kind.nlanes} x float>"


def _convert_float(f: FunctionWriter, source: Type, target: Type, a: str) -> str:
    if source.nbits == 64 and target.nbits == 16:
        source, a = Float(32, source.nlanes), _rounded_to_odd(f, source, a)
    from_, to = value_type(source), value_type(target)
    opcode = "fpext" if source.nbits < target.nbits else "fptrunc"
    return f.op(f"{opcode} {from_} {a} to {to}")


def _from_bfloat(f: FunctionWriter, kind: Type, a: str) -> str:
    """A bfloat16 as a float."""
    type_ = value_type(Int(32, kind.nlanes))
    bits = f.op(f"zext {value_type(kind)} {a} to {type_}")
    high = f.op(f"shl {type_} {bits}, {constant_text(Int(32, kind.nlanes), 16)}")
    return f.op(f"bitcast {type_} {high} to {_float_like(kind)}")


def _as_single(f: FunctionWriter, source: Type, a: str) -> str:
    """A number as a float that can be rounded once more."""
    return (
        _rounded_to_odd(f, source, a)
        if source.nbits == 64 and source.floating
        else convert(f, source, Float(32, source.nlanes), a)
    )


def _rounded_to_bfloat(f: FunctionWriter, kind: Type, a: str) -> str:
    """A float as the nearest bfloat16, ties to even; the instructions that machines have for it drop small numbers."""
    whole = Int(32, kind.nlanes)
    type_, float_type = value_type(whole), _float_like(kind)
    bits = f.op(f"bitcast {float_type} {a} to {type_}")
    high = f.op(f"lshr {type_} {bits}, {constant_text(whole, 16)}")
    odd = f.op(f"and {type_} {high}, {constant_text(whole, 1)}")
    rounding = f.op(f"add {type_} {odd}, {constant_text(whole, 0x7FFF)}")
    number = f.op(f"lshr {type_} {f.op(f'add {type_} {bits}, {rounding}')}, {constant_text(whole, 16)}")
    quiet = f.op(f"or {type_} {high}, {constant_text(whole, 64)}")
    invalid = f.op(f"fcmp uno {float_type} {a}, {a}")
    chosen = f.op(f"select {bool_type(kind)} {invalid}, {type_} {quiet}, {type_} {number}")
    return f.op(f"trunc {type_} {chosen} to {value_type(kind)}")


def _rounded_to_odd(f: FunctionWriter, source: Type, a: str) -> str:
    """A double as a float that can be rounded once more: what is not exact ends in an odd bit."""
    bits = Int(32, source.nlanes)
    double, single, integer, truth = value_type(source), _float_like(source), value_type(bits), bool_type(source)
    nearest = f.op(f"fptrunc {double} {a} to {single}")
    back = f.op(f"fpext {single} {nearest} to {double}")
    beyond = f.op(
        f"fcmp ogt {double} {call_intrinsic(f, 'fabs', source, back)}, {call_intrinsic(f, 'fabs', source, a)}"
    )
    inexact = f.op(f"fcmp one {double} {back}, {a}")
    pattern = f.op(f"bitcast {single} {nearest} to {integer}")
    less = f.op(f"sub {integer} {pattern}, {f.op(f'zext {truth} {beyond} to {integer}')}")
    odd = f.op(f"or {integer} {less}, {f.op(f'zext {truth} {inexact} to {integer}')}")
    return f.op(f"bitcast {integer} {odd} to {single}")


def _reinterpret(f: FunctionWriter, node: e.Reinterpret, a: str) -> str:
    from_, to = value_type(node.value.type), value_type(node.type)
    return a if from_ == to else f.op(f"bitcast {from_} {a} to {to}")


RULES: dict[type, Callable[..., str]] = {
    e.Add: _simple("add", "xor"),
    e.Sub: _simple("sub", "xor"),
    e.Mul: _simple("mul", "and"),
    e.Div: _div,
    e.Mod: _mod,
    e.Min: _extreme("min", "olt", "and"),
    e.Max: _extreme("max", "ogt", "or"),
    e.EQ: _compare("eq", "eq", "oeq"),
    e.NE: _compare("ne", "ne", "une"),
    e.LT: _compare("slt", "ult", "olt"),
    e.LE: _compare("sle", "ule", "ole"),
    e.GT: _compare("sgt", "ugt", "ogt"),
    e.GE: _compare("sge", "uge", "oge"),
    e.And: _simple("and", "and"),
    e.Or: _simple("or", "or"),
    e.Not: _not,
    e.Select: _select,
    e.Reinterpret: _reinterpret,
}
