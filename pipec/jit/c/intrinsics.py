"""Intrinsics in C99."""

from __future__ import annotations

from collections.abc import Callable

from pipec.errors import NotSupportedError
from pipec.ir import expr as e
from pipec.jit.c.expr import ATOM, EQUAL, PRODUCT, SUM, UNARY, Expressions, Frame, Text, convert, float_function
from pipec.jit.c.types import value_type

_LIBRARY = frozenset(
    "sqrt sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log pow floor ceil trunc".split()
)
_SAME = frozenset(("likely", "likely_if_innermost", "strict_float"))
_HELPERS = frozenset(
    "popcount count_leading_zeros count_trailing_zeros div_round_to_zero mod_round_to_zero saturating_add"
    " saturating_sub".split()
)
_TESTS = {"is_nan": "isnan", "is_inf": "isinf", "is_finite": "isfinite"}
_BITWISE = {"bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^"}


def intrinsic(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    """The value of an intrinsic."""
    name, kind = node.name, node.args[0].type
    if name in _SAME:
        return x.text(node.args[0], frame, index, ATOM), ATOM
    if name == "return_second":
        return x.text(node.args[1], frame, index, ATOM), ATOM
    if name in _LIBRARY:
        return float_function(x, kind, name, x.operands(node.args, frame, index))
    if name == "round":
        return float_function(x, kind, "rint", x.operands(node.args, frame, index))
    if name in _TESTS:
        return f"{_TESTS[name]}({x.operands(node.args, frame, index)}) != 0", EQUAL
    if name in _HELPERS and not kind.boolean:
        return f"{x.helpers.use(name, kind)}({x.operands(node.args, frame, index)})", ATOM
    if name in _BITWISE:
        a, b = [x.text(arg, frame, index, UNARY) for arg in node.args]
        return f"({value_type(kind)})({a} {_BITWISE[name]} {b})", UNARY
    rule = _RULES.get(name)
    if rule is None:
        raise NotSupportedError(f"Error: compile_to_c cannot write {name} of {kind}: {node}")
    return rule(x, node, frame, index)


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


def _shift(left: bool) -> Callable[..., Text]:
    def rule(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
        kind, (value, count) = node.type, node.args
        known = count.value if isinstance(count, e.Broadcast) else count
        if isinstance(known, e.Const):
            amount = int(known.value) if left else -int(known.value)
            a = x.text(value, frame, index, UNARY)
            if 0 <= amount < kind.nbits:
                wide = "uint64_t" if kind.nbits == 64 else "uint32_t"
                return f"({value_type(kind)})(({wide}){a} << {amount})", UNARY
            if -kind.nbits < amount < 0:
                return f"({value_type(kind)})({a} >> {-amount})", UNARY
        # No count need be told from one a little larger than every width.
        limit = min(64, int(count.type.max_value()))
        bounded = x.text(count, frame, index, ATOM)
        if limit == 64:
            bounded = f"{x.helpers.use('min', count.type)}({bounded}, {limit})"
            if count.type.signed:
                bounded = f"{x.helpers.use('max', count.type)}({bounded}, -{limit})"
        amount_text = f"(int){bounded}" if left else f"-(int){bounded}"
        return f"{x.helpers.use('shift', kind)}({x.text(value, frame, index)}, {amount_text})", ATOM

    return rule


def _count_of_bool(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    a = x.text(node.args[0], frame, index, UNARY)
    return (a if node.name == "popcount" else f"!{a}"), UNARY


def _mulhi_shr(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    kind, shift = node.type, node.args[2]
    amount = shift.value if isinstance(shift, e.Broadcast) else shift
    if kind.nbits > 32 or not isinstance(amount, e.Const):
        raise NotSupportedError(f"Error: compile_to_c cannot write {node}: the product has more bits than any type.")
    wide = kind.with_bits(2 * kind.nbits)
    a, b = [convert(x, kind, wide, x.text(arg, frame, index, UNARY))[0] for arg in node.args[:2]]
    return f"({value_type(kind)})({a} * {b} >> {kind.nbits + int(amount.value)})", UNARY


_RULES: dict[str, Callable[..., Text]] = {
    "fast_inverse": _fast_inverse,
    "fast_inverse_sqrt": _fast_inverse,
    "bitwise_not": _bitwise_not,
    "abs": _abs,
    "absd": _absd,
    "shift_left": _shift(left=True),
    "shift_right": _shift(left=False),
    "popcount": _count_of_bool,
    "count_leading_zeros": _count_of_bool,
    "count_trailing_zeros": _count_of_bool,
    "mulhi_shr": _mulhi_shr,
}
