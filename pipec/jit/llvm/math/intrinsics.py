"""Intrinsics: bit operations, shifts, roundings, and the functions of the mathematics library."""

from __future__ import annotations

from collections.abc import Callable

from pipec.ir.expr import Binary, Intrinsic
from pipec.ir.intrinsics import Absent
from pipec.ir.strict_floats import STRICT_INTRINSICS
from pipec.ir.types import Type
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.math import exponential, trigonometry
from pipec.jit.llvm.math.arithmetic import (
    Operands,
    bool_type,
    call_abs,
    call_intrinsic,
    convert,
    float_flags,
    float_operation,
    integer_quotient,
    select_text,
)
from pipec.jit.llvm.math.float_functions import FloatFunction
from pipec.jit.llvm.types import constant_text, intrinsic_suffix, mask_constant, scalar_type, value_type

# Writes a node, given its operands' texts; the result's text.
Rule = Callable[..., str]


def emit_intrinsic(f: ExprFunction, node: Intrinsic, *operands: str) -> str:
    """The value of an intrinsic of these operands."""
    return INTRINSICS[node.name](f, node, *operands)


def _llvm(name: str) -> Rule:
    """A function that LLVM has instructions or expansions for."""

    def rule(f: ExprFunction, node: Intrinsic, *operands: str) -> str:
        return call_intrinsic(f, name, node.type, *operands)

    return rule


def _bitwise(opcode: str) -> Rule:
    def rule(f: ExprFunction, node: Intrinsic, a: str, b: str) -> str:
        return f.op(f"{opcode} {value_type(node.type)} {a}, {b}")

    return rule


def _bitwise_not(f: ExprFunction, node: Intrinsic, a: str) -> str:
    ones = constant_text(node.type, 1 if node.type.boolean else -1)
    return f.op(f"xor {value_type(node.type)} {a}, {ones}")


def _abs(f: ExprFunction, node: Intrinsic, a: str) -> str:
    kind = node.args[0].type
    if kind.floating:
        return call_intrinsic(f, "fabs", kind, a)
    return call_abs(f, kind, a) if kind.signed else a


def _absd(f: ExprFunction, node: Intrinsic, a: str, b: str) -> str:
    kind = node.args[0].type
    type_ = value_type(kind)
    if kind.boolean:
        return f.op(f"xor {type_} {a}, {b}")
    if kind.floating:
        return call_intrinsic(f, "fabs", kind, f.op(f"fsub {float_flags(f)}{type_} {a}, {b}"))
    sign = "s" if kind.signed else "u"
    high = call_intrinsic(f, f"{sign}max", kind, a, b)
    low = call_intrinsic(f, f"{sign}min", kind, a, b)
    return f.op(f"sub {type_} {high}, {low}")


def _shift(leftward: bool) -> Rule:
    def rule(f: ExprFunction, node: Intrinsic, a: str, b: str) -> str:
        return shift(f, node.type, node.args[1].type, a, b, leftward)

    return rule


def shift(f: ExprFunction, kind: Type, count_kind: Type, a: str, count: str, leftward: bool) -> str:
    """Negative counts shift the other way; counts of at least the width shift every bit out."""
    constant = _constant_count(count, count_kind)
    if constant is not None:
        leftward = leftward == (constant >= 0)
        return _shift_by(f, kind, a, constant_text(kind, min(abs(constant), kind.nbits)), leftward, abs(constant))
    if not count_kind.signed:
        return _shift_by(f, kind, a, count, leftward, None)
    type_ = value_type(kind)
    negative = f.op(f"icmp slt {type_} {count}, {constant_text(kind, 0)}")
    magnitude = call_abs(f, count_kind, count)
    forward = _shift_by(f, kind, a, magnitude, leftward, None)
    backward = _shift_by(f, kind, a, magnitude, not leftward, None)
    return select_text(f, kind, negative, backward, forward)


def _constant_count(count: str, kind: Type) -> int | None:
    digits = count
    prefix = f"splat ({scalar_type(kind)} "
    if count.startswith(prefix):
        digits = count[len(prefix) : -1]
    return int(digits) if digits.lstrip("-").isdigit() else None


def _shift_by(f: ExprFunction, kind: Type, a: str, count: str, leftward: bool, constant: int | None) -> str:
    type_ = value_type(kind)
    if not leftward and kind.signed:
        if constant is not None:
            return f.op(f"ashr {type_} {a}, {constant_text(kind, min(constant, kind.nbits - 1))}")
        most = constant_text(kind, kind.nbits - 1)
        limited = call_intrinsic(f, "umin", kind, count, most)
        return f.op(f"ashr {type_} {a}, {limited}")
    opcode = "shl" if leftward else "lshr"
    if constant is not None:
        return f.op(f"{opcode} {type_} {a}, {count}") if constant < kind.nbits else constant_text(kind, 0)
    fits = f.op(f"icmp ult {type_} {count}, {constant_text(kind, kind.nbits)}")
    shifted = f.op(f"{opcode} {type_} {a}, {count}")
    # A shift by too much is poison, which select does not let through.
    return select_text(f, kind, fits, shifted, constant_text(kind, 0))


def _float_test(f: ExprFunction, kind: Type, a: str, condition: str) -> str:
    type_ = value_type(kind)
    if condition == "uno":
        return f.op(f"fcmp uno {type_} {a}, {a}")
    magnitude = call_intrinsic(f, "fabs", kind, a)
    return f.op(f"fcmp {condition} {type_} {magnitude}, {constant_text(kind, float('inf'))}")


def _test(condition: str) -> Rule:
    def rule(f: ExprFunction, node: Intrinsic, a: str) -> str:
        return _float_test(f, node.args[0].type, a, condition)

    return rule


def _count(name: str) -> Rule:
    def rule(f: ExprFunction, node: Intrinsic, a: str) -> str:
        kind = node.type
        if kind.boolean:
            return a if name == "ctpop" else _bitwise_not(f, node, a)
        return call_intrinsic(f, name, kind, a, flag="" if name == "ctpop" else "false")

    return rule


def _saturating(name: str) -> Rule:
    def rule(f: ExprFunction, node: Intrinsic, a: str, b: str) -> str:
        return call_intrinsic(f, f"{'s' if node.type.signed else 'u'}{name}.sat", node.type, a, b)

    return rule


def _truncating(remainder: bool) -> Rule:
    def rule(f: ExprFunction, node: Intrinsic, a: str, b: str) -> str:
        kind = node.type
        type_ = value_type(kind)
        zero, one = constant_text(kind, 0), constant_text(kind, 1)
        by_zero = f.op(f"icmp eq {type_} {b}, {zero}")
        special = by_zero
        if kind.signed:
            by_minus_one = f.op(f"icmp eq {type_} {b}, {constant_text(kind, -1)}")
            special = f.op(f"or {bool_type(kind)} {by_zero}, {by_minus_one}")
        safe = select_text(f, kind, special, one, b)
        result = integer_quotient(f, kind, a, safe, Operands.of(f, *node.args))
        if remainder:
            result = f.op(f"sub {type_} {a}, {f.op(f'mul {type_} {result}, {safe}')}")
        if kind.signed:
            other = zero if remainder else f.op(f"sub {type_} {zero}, {a}")
            result = select_text(f, kind, by_minus_one, other, result)
        return select_text(f, kind, by_zero, zero, result)

    return rule


def _first(f: ExprFunction, node: Intrinsic, a: str, *_: str) -> str:
    return a


def _second(f: ExprFunction, node: Intrinsic, a: str, b: str) -> str:
    return b


def _mulhi_shr(f: ExprFunction, node: Intrinsic, a: str, b: str, count: str) -> str:
    """The high half of the double-width product, shifted right."""
    kind = node.type
    return shift(f, kind, node.args[2].type, _high_product(f, kind, a, b), count, leftward=False)


def _high_product(f: ExprFunction, kind: Type, a: str, b: str) -> str:
    """The high half of the double-width product: machines multiply every second 32-bit lane to 64 bits at once."""
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
    return f.op(f"shufflevector {type_} {a}, {type_} {b}, {mask_constant(lanes)}")


def _fast_inverse(f: ExprFunction, node: Intrinsic, a: str) -> str:
    """1 / x by the machine's estimate and a step of Newton's, where it has one for vectors."""
    type_, one = value_type(node.type), constant_text(node.type, 1.0)
    return f.op(f"fdiv arcp {type_} {one}, {a}")


def _fast_inverse_sqrt(f: ExprFunction, node: Intrinsic, a: str) -> str:
    kind = node.type
    type_ = value_type(kind)
    name = f"@llvm.sqrt.{intrinsic_suffix(kind)}"
    f.module.declare(name, f"{type_} {name}({type_})")
    root = f.op(f"call reassoc arcp contract afn {type_} {name}({type_} {a})")
    return f.op(f"fdiv reassoc arcp contract afn {type_} {constant_text(kind, 1.0)}, {root}")


def _strict(node_class: type[Binary]) -> Rule:
    """Arithmetic without flags, which LLVM does not change."""

    def rule(f: ExprFunction, node: Intrinsic, a: str, b: str) -> str:
        return float_operation(f, node_class, node.type, a, b, "")

    return rule


_LOWERED = Absent("lowering leaves none")
INTRINSICS: dict[str, Rule] = {
    "sqrt": _llvm("sqrt"),
    "floor": _llvm("floor"),
    "ceil": _llvm("ceil"),
    "trunc": _llvm("trunc"),
    "round": _llvm("roundeven"),
    "exp": FloatFunction(exponential.exp, inline=(32, 64)),
    "log": FloatFunction(exponential.log, inline=(32, 64)),
    "pow": FloatFunction(exponential.pow_),
    "tanh": FloatFunction(exponential.tanh, inline=(32,)),
    "sinh": FloatFunction(exponential.sinh),
    "cosh": FloatFunction(exponential.cosh),
    "asinh": FloatFunction(exponential.asinh),
    "acosh": FloatFunction(exponential.acosh),
    "atanh": FloatFunction(exponential.atanh),
    "sin": FloatFunction(trigonometry.sin),
    "cos": FloatFunction(trigonometry.cos),
    "tan": FloatFunction(trigonometry.tan),
    "asin": FloatFunction(trigonometry.asin),
    "acos": FloatFunction(trigonometry.acos),
    "atan": FloatFunction(trigonometry.atan),
    "atan2": FloatFunction(trigonometry.atan2),
    "fast_inverse": _fast_inverse,
    "fast_inverse_sqrt": _fast_inverse_sqrt,
    **{name: _strict(node) for node, name in STRICT_INTRINSICS.items()},
    "is_nan": _test("uno"),
    "is_inf": _test("oeq"),
    "is_finite": _test("olt"),
    "abs": _abs,
    "absd": _absd,
    "bitwise_and": _bitwise("and"),
    "bitwise_or": _bitwise("or"),
    "bitwise_xor": _bitwise("xor"),
    "bitwise_not": _bitwise_not,
    "shift_left": _shift(leftward=True),
    "shift_right": _shift(leftward=False),
    "popcount": _count("ctpop"),
    "count_leading_zeros": _count("ctlz"),
    "count_trailing_zeros": _count("cttz"),
    "div_round_to_zero": _truncating(remainder=False),
    "mod_round_to_zero": _truncating(remainder=True),
    "saturating_add": _saturating("add"),
    "saturating_sub": _saturating("sub"),
    "mulhi_shr": _mulhi_shr,
    # `llvm/expr.py` gives marks the value of their operand without a line of code.
    "likely": _first,
    "likely_if_innermost": _first,
    "tensor_operation": _LOWERED,
    "return_second": _second,
    "unsafe_promise_clamped": _LOWERED,
    "memoize_tag": _LOWERED,
    "extern_query": _LOWERED,
    "scatter_gather": _LOWERED,
    "random": Absent("definitions leave none"),
    "address_of": Absent("it is a value of Reports only, which `llvm/report.py` writes"),
}
