"""Intrinsics in C99."""

from __future__ import annotations

from collections.abc import Callable

from pipec.errors import NotSupportedError
from pipec.ir import expr as e
from pipec.ir.intrinsics import Absent
from pipec.ir.strict_floats import STRICT_INTRINSICS, without_strictness
from pipec.jit.c.expr import ATOM, EQUAL, PRODUCT, SUM, UNARY, Expressions, Frame, Text, convert, float_function
from pipec.jit.c.types import value_type

# Writes a node in a frame; `index`: integers do not overflow.
Rule = Callable[[Expressions, e.Intrinsic, Frame, bool], Text]


def _operand(number: int) -> Rule:
    """The value of one of the operands."""

    def rule(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
        return x.text(node.args[number], frame, index, ATOM), ATOM

    return rule


def _function(name: str) -> Rule:
    """A function of math.h."""

    def rule(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
        return float_function(x, node.type, name, x.operands(node.args, frame, index))

    return rule


def _test(name: str) -> Rule:
    """A test of a float by a macro of math.h, which gives any integer."""

    def rule(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
        return f"{name}({x.operands(node.args, frame, index)}) != 0", EQUAL

    return rule


def _helper(name: str) -> Rule:
    """A function of `helpers.py`."""

    def rule(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
        return f"{x.helpers.use(name, node.type)}({x.operands(node.args, frame, index)})", ATOM

    return rule


def _bit_count(name: str, of_bool: str) -> Rule:
    """A function of `helpers.py`; of a bool it is the operand, or its opposite."""
    helper = _helper(name)

    def rule(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
        if node.type.boolean:
            return f"{of_bool}{x.text(node.args[0], frame, index, UNARY)}", UNARY
        return helper(x, node, frame, index)

    return rule


def _bitwise(symbol: str) -> Rule:
    def rule(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
        a, b = [x.text(arg, frame, index, UNARY) for arg in node.args]
        return f"({value_type(node.type)})({a} {symbol} {b})", UNARY

    return rule


def _fast_inverse(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    kind, a = node.type, x.text(node.args[0], frame, index)
    if node.name == "fast_inverse_sqrt":
        a = float_function(x, kind, "sqrt", a)[0]
    return f"1 / ({a})", PRODUCT


def _bitwise_not(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    a = x.text(node.args[0], frame, index, UNARY)
    return (f"!{a}" if node.type.boolean else f"({value_type(node.type)})~{a}"), UNARY


def _abs(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    kind, a = node.args[0].type, x.text(node.args[0], frame, index)
    if kind.floating:
        return float_function(x, kind, "fabs", a)
    return (f"{x.helpers.use('abs', kind)}({a})", ATOM) if kind.signed else (f"({a})", ATOM)


def _absd(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    kind = node.args[0].type
    if kind.integral and not kind.boolean:
        return f"{x.helpers.use('absd', kind)}({x.operands(node.args, frame, index)})", ATOM
    if kind.boolean:
        a, b = [x.text(arg, frame, index, SUM) for arg in node.args]
        return f"{a} != {b}", EQUAL
    a, b = [x.text(arg, frame, index, UNARY) for arg in node.args]
    return float_function(x, kind, "fabs", f"{a} - {b}")


def _shift(left: bool) -> Rule:
    def rule(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
        kind, (value, count) = node.type, node.args
        constant = count.value if isinstance(count, e.Broadcast) else count
        if isinstance(constant, e.Const):
            amount = int(constant.value) if left else -int(constant.value)
            a = x.text(value, frame, index, UNARY)
            if 0 <= amount < kind.nbits:
                wide = "uint64_t" if kind.nbits == 64 else "uint32_t"
                return f"({value_type(kind)})(({wide}){a} << {amount})", UNARY
            if -kind.nbits < amount < 0:
                return f"({value_type(kind)})({a} >> {-amount})", UNARY
        # All counts above the largest width have the same result.
        limit = min(64, int(count.type.max_value()))
        bounded = x.text(count, frame, index, ATOM)
        if limit == 64:
            bounded = f"{x.helpers.use('min', count.type)}({bounded}, {limit})"
            if count.type.signed:
                bounded = f"{x.helpers.use('max', count.type)}({bounded}, -{limit})"
        amount_text = f"(int){bounded}" if left else f"-(int){bounded}"
        return f"{x.helpers.use('shift', kind)}({x.text(value, frame, index)}, {amount_text})", ATOM

    return rule


def _mulhi_shr(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    kind, shift = node.type, node.args[2]
    amount = shift.value if isinstance(shift, e.Broadcast) else shift
    if kind.nbits > 32 or not isinstance(amount, e.Const):
        raise NotSupportedError(f"Error: compile_to_c cannot write {node}: the product has more bits than any type.")
    wide = kind.with_bits(2 * kind.nbits)
    a, b = [convert(x, kind, wide, x.text(arg, frame, index, UNARY))[0] for arg in node.args[:2]]
    return f"({value_type(kind)})({a} * {b} >> {kind.nbits + int(amount.value)})", UNARY


def _strict(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    """Arithmetic that compilers may not fuse: the file says so at its head."""
    x.helpers.has_strict_floats = True
    plain = without_strictness(node)
    assert plain is not None
    return x.written(plain, frame, index)


_LOWERED = Absent("lowering leaves none")
# Math functions have the same names in C.
_MATH = "sqrt floor ceil trunc sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log pow"
INTRINSICS: dict[str, Rule] = {
    **{name: _function(name) for name in _MATH.split()},
    "round": _function("rint"),
    "fast_inverse": _fast_inverse,
    "fast_inverse_sqrt": _fast_inverse,
    **dict.fromkeys(STRICT_INTRINSICS.values(), _strict),
    "is_nan": _test("isnan"),
    "is_inf": _test("isinf"),
    "is_finite": _test("isfinite"),
    "abs": _abs,
    "absd": _absd,
    "bitwise_and": _bitwise("&"),
    "bitwise_or": _bitwise("|"),
    "bitwise_xor": _bitwise("^"),
    "bitwise_not": _bitwise_not,
    "shift_left": _shift(left=True),
    "shift_right": _shift(left=False),
    "popcount": _bit_count("popcount", ""),
    "count_leading_zeros": _bit_count("count_leading_zeros", "!"),
    "count_trailing_zeros": _bit_count("count_trailing_zeros", "!"),
    "div_round_to_zero": _helper("div_round_to_zero"),
    "mod_round_to_zero": _helper("mod_round_to_zero"),
    "saturating_add": _helper("saturating_add"),
    "saturating_sub": _helper("saturating_sub"),
    "mulhi_shr": _mulhi_shr,
    "likely": _operand(0),
    "likely_if_innermost": _operand(0),
    "tensor_operation": _operand(0),
    "return_second": _operand(1),
    "unsafe_promise_clamped": _LOWERED,
    "memoize_tag": _LOWERED,
    "extern_query": _LOWERED,
    "scatter_gather": _LOWERED,
    "random": Absent("definitions leave none"),
    "address_of": Absent("generated C neither traces nor writes debug files"),
}
