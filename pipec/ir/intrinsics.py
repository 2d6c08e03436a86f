"""The intrinsics: for each name its operands, the type of its result, and its meaning as a numpy function."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from pipec.errors import InternalError
from pipec.ir.types import BOOL, INT32, Type, TypeCode, UInt
from pipec.records import dataclass

Value = Any
# The type of the result for legal operand types, None for illegal ones.
TypeRule = Callable[..., Type | None]


@dataclass(frozen=True)
class IntrinsicRule:
    """One intrinsic. `meaning` takes numpy scalars or arrays of the operands' types and is element-wise.

    `arity` None: it takes one operand or more.
    """

    name: str
    arity: int | None
    result: TypeRule
    meaning: Callable[..., Value]


def result_type(name: str, operands: tuple[Type, ...]) -> Type:
    """The type of intrinsic `name` of these operand types; InternalError when there is no such thing."""
    rule = INTRINSICS.get(name)
    if rule is None:
        raise InternalError(f"There is no intrinsic {name}; known are: {', '.join(sorted(INTRINSICS))}.")
    if rule.arity is not None and len(operands) != rule.arity:
        raise InternalError(f"Intrinsic {name} takes {rule.arity} operands, not {len(operands)}.")
    lanes = {operand.nlanes for operand in operands}
    found = rule.result(*operands) if len(lanes) == 1 else None
    if found is None:
        raise InternalError(f"Intrinsic {name} has no meaning for ({', '.join(map(str, operands))}).")
    return found


def _unsigned(kind: Type) -> Type:
    return kind.with_code(TypeCode.UInt) if kind.signed else kind


def _any(a: Type) -> Type | None:
    return a


def _float(a: Type) -> Type | None:
    return a if a.floating else None


def _floats(a: Type, b: Type) -> Type | None:
    return a if a.floating and a is b else None


def _integer(a: Type) -> Type | None:
    return a if a.integral else None


def _integers(a: Type, b: Type) -> Type | None:
    return a if a.integral and a is b else None


def _wide_integers(a: Type, b: Type) -> Type | None:
    return _integers(a, b) if not a.boolean else None


def _number_to_unsigned(a: Type) -> Type | None:
    return _unsigned(a) if a.integral or a.floating else None


def _numbers_to_unsigned(a: Type, b: Type) -> Type | None:
    return _number_to_unsigned(a) if a is b else None


def _shift(a: Type, b: Type) -> Type | None:
    return a if a.integral and b.integral and a.nbits == b.nbits and not a.boolean else None


def _float_test(a: Type) -> Type | None:
    return BOOL.with_lanes(a.nlanes) if a.floating else None


def _second(a: Type, b: Type) -> Type | None:
    return b


def _first(a: Type, *_: Type) -> Type | None:
    return a


def _alike(a: Type, *others: Type) -> Type | None:
    return a if all(other is a for other in others) else None


def _unsigned_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(f"u{dtype.itemsize}") if dtype.kind == "i" else dtype


def _abs(a: Value) -> Value:
    # The smallest int has no negative: its bits, read as unsigned, are the answer all the same.
    return np.abs(a).astype(_unsigned_dtype(a.dtype)) if a.dtype.kind == "i" else np.abs(a)


def _absd(a: Value, b: Value) -> Value:
    if a.dtype.kind == "b":
        return a ^ b
    if a.dtype.kind == "f":
        return np.abs(a - b)
    unsigned = _unsigned_dtype(a.dtype)
    return np.where(a > b, a.astype(unsigned) - b.astype(unsigned), b.astype(unsigned) - a.astype(unsigned))


def _shift_left(a: Value, b: Value) -> Value:
    return _shift_by(a, b, leftward=True)


def _shift_right(a: Value, b: Value) -> Value:
    return _shift_by(a, b, leftward=False)


def _shift_by(a: Value, b: Value, leftward: bool) -> Value:
    """Negative counts shift the other way; counts of at least the width shift every bit out."""
    bits = a.dtype.itemsize * 8
    count = np.minimum(_abs(b), bits).astype(np.int64)
    left = np.where(count >= bits, a.dtype.type(0), a << np.minimum(count, bits - 1).astype(a.dtype))
    out = np.where(a < 0, a.dtype.type(-1), a.dtype.type(0)) if a.dtype.kind == "i" else a.dtype.type(0)
    right = np.where(count >= bits, out, a >> np.minimum(count, bits - 1).astype(a.dtype))
    return np.where((b >= 0) == leftward, left, right)


def _div_round_to_zero(a: Value, b: Value) -> Value:
    zero = b == 0
    safe = np.where(zero, b.dtype.type(1), b)
    quotient = np.floor_divide(a, safe)
    if a.dtype.kind == "i":
        inexact = (a - quotient * safe) != 0
        quotient = quotient + (inexact & ((a < 0) != (safe < 0))).astype(a.dtype)
    return np.where(zero, b.dtype.type(0), quotient)


def _mod_round_to_zero(a: Value, b: Value) -> Value:
    return np.where(b == 0, a.dtype.type(0), a - _div_round_to_zero(a, b) * b)


def _saturating_add(a: Value, b: Value) -> Value:
    limits = np.iinfo(a.dtype)
    total = a + b
    if a.dtype.kind == "u":
        return np.where(total < a, a.dtype.type(limits.max), total)
    clipped = np.where(a < 0, a.dtype.type(limits.min), a.dtype.type(limits.max))
    return np.where(((a < 0) == (b < 0)) & ((total < 0) != (a < 0)), clipped, total)


def _saturating_sub(a: Value, b: Value) -> Value:
    limits = np.iinfo(a.dtype)
    total = a - b
    if a.dtype.kind == "u":
        return np.where(b > a, a.dtype.type(0), total)
    clipped = np.where(a < 0, a.dtype.type(limits.min), a.dtype.type(limits.max))
    return np.where(((a < 0) != (b < 0)) & ((total < 0) != (a < 0)), clipped, total)


def _popcount(a: Value) -> Value:
    if a.dtype.kind == "b":
        return a
    return np.bitwise_count(np.asarray(a).view(_unsigned_dtype(a.dtype))).astype(a.dtype)


def _smeared(a: Value) -> Value:
    """All bits below the highest one set, as uint64."""
    bits = np.asarray(a).view(_unsigned_dtype(a.dtype)).astype(np.uint64)
    for distance in (1, 2, 4, 8, 16, 32):
        bits = bits | (bits >> np.uint64(distance))
    return bits


def _count_leading_zeros(a: Value) -> Value:
    if a.dtype.kind == "b":
        return ~a
    return (a.dtype.itemsize * 8 - np.bitwise_count(_smeared(a)).astype(np.int64)).astype(a.dtype)


def _count_trailing_zeros(a: Value) -> Value:
    if a.dtype.kind == "b":
        return ~a
    bits = np.asarray(a).view(_unsigned_dtype(a.dtype))
    return np.bitwise_count(~bits & (bits - bits.dtype.type(1))).astype(a.dtype)


def _same(a: Value) -> Value:
    return a


def _high_product_type(a: Type, b: Type, count: Type) -> Type | None:
    return _shift(a, count) if a is b and a.nbits <= 32 else None


def _high_product(a: Value, b: Value, count: Value) -> Value:
    bits, wide = a.dtype.itemsize * 8, np.int64 if a.dtype.kind == "i" else np.uint64
    product = a.astype(wide) * b.astype(wide) >> wide(bits)
    return _shift_right(product, count.astype(wide)).astype(a.dtype)


def _last(a: Value, b: Value) -> Value:
    return b


def _leading(a: Value, *_: Value) -> Value:
    return a


def _several(*_: Value) -> Value:
    raise InternalError("An expression of several values was to be evaluated as one.")


def _rules() -> list[IntrinsicRule]:
    unary = "sqrt sin cos tan sinh cosh tanh exp log floor ceil trunc"
    functions = {name: getattr(np, name) for name in unary.split()}
    functions |= {
        "asin": np.arcsin,
        "acos": np.arccos,
        "atan": np.arctan,
        "asinh": np.arcsinh,
        "acosh": np.arccosh,
        "atanh": np.arctanh,
        "round": np.rint,
        "strict_float": _same,
    }
    return [
        *[IntrinsicRule(name, 1, _float, meaning) for name, meaning in functions.items()],
        IntrinsicRule("pow", 2, _floats, np.power),
        IntrinsicRule("atan2", 2, _floats, np.arctan2),
        IntrinsicRule("is_nan", 1, _float_test, np.isnan),
        IntrinsicRule("is_inf", 1, _float_test, np.isinf),
        IntrinsicRule("is_finite", 1, _float_test, np.isfinite),
        IntrinsicRule("abs", 1, _number_to_unsigned, _abs),
        IntrinsicRule("absd", 2, _numbers_to_unsigned, _absd),
        IntrinsicRule("bitwise_and", 2, _integers, operator.and_),
        IntrinsicRule("bitwise_or", 2, _integers, operator.or_),
        IntrinsicRule("bitwise_xor", 2, _integers, operator.xor),
        IntrinsicRule("bitwise_not", 1, _integer, operator.invert),
        IntrinsicRule("shift_left", 2, _shift, _shift_left),
        IntrinsicRule("shift_right", 2, _shift, _shift_right),
        IntrinsicRule("popcount", 1, _integer, _popcount),
        IntrinsicRule("count_leading_zeros", 1, _integer, _count_leading_zeros),
        IntrinsicRule("count_trailing_zeros", 1, _integer, _count_trailing_zeros),
        IntrinsicRule("div_round_to_zero", 2, _wide_integers, _div_round_to_zero),
        IntrinsicRule("mod_round_to_zero", 2, _wide_integers, _mod_round_to_zero),
        IntrinsicRule("saturating_add", 2, _wide_integers, _saturating_add),
        IntrinsicRule("saturating_sub", 2, _wide_integers, _saturating_sub),
        # The upper half of the product of two integers, shifted right.
        IntrinsicRule("mulhi_shr", 3, _high_product_type, _high_product),
        # Where the element is that a FuncCall or Load reads; a value of Reports.
        IntrinsicRule("address_of", 1, lambda a: UInt(64).with_lanes(a.nlanes), lambda a: np.zeros_like(a, np.uint64)),
        IntrinsicRule("likely", 1, _any, _same),
        IntrinsicRule("likely_if_innermost", 1, _any, _same),
        IntrinsicRule("return_second", 2, _second, _last),
        # The user's word that the first operand lies between the others.
        IntrinsicRule("unsafe_promise_clamped", 3, _alike, _leading),
        # What a memoised value depends on: the operands after the first instead of those of the first.
        IntrinsicRule("memoize_tag", None, _first, _leading),
        # What the query number (first operand) of an extern stage told; it depends on the operands in an unknown way.
        IntrinsicRule("extern_query", None, lambda *_: INT32, _several),
        # Several values, one for each store of an update (`ir/several.py`).
        IntrinsicRule("scatter_gather", None, _alike, _several),
        IntrinsicRule("fast_inverse", 1, _float, np.reciprocal),
        IntrinsicRule("fast_inverse_sqrt", 1, _float, lambda a: a.dtype.type(1) / np.sqrt(a)),
    ]


INTRINSICS: dict[str, IntrinsicRule] = {rule.name: rule for rule in _rules()}
