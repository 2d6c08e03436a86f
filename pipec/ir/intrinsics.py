"""The intrinsics, each declared once: operands and type, meaning, limits of its values, cost.

Each back end has one table of its rules for intrinsics: `jit/llvm/math/intrinsics.py`,
`jit/c/intrinsics.py`, `jit/opencl/helpers.py`, `autodiff/rules.py`. An intrinsic without a rule has
the entry `Absent`, with the reason.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from math import inf
from typing import Any, NoReturn

import numpy as np

from pipec.errors import InternalError, NotSupportedError
from pipec.ir import intrinsic_ranges as ranges
from pipec.ir import numerics
from pipec.ir.build import constant
from pipec.ir.expr import Add, Binary, Div, Expr, Intrinsic, Mod, Mul, Sub
from pipec.ir.intrinsic_ranges import Limits, LimitsRule, Number
from pipec.ir.strict_floats import STRICT_INTRINSICS, without_strictness
from pipec.ir.types import BOOL, INT32, Float, Type, TypeCode, UInt
from pipec.records import dataclass

# The type of the result for legal operand types, None for illegal ones.
TypeRule = Callable[..., Type | None]


class Cost(enum.Enum):
    """The kind of machine instruction that an intrinsic costs as much as."""

    FREE = 0
    ADD = 1
    MULTIPLY = 2
    DIVIDE = 3
    COMPARE = 4
    SHIFT = 5
    TRANSCENDENTAL = 6


@dataclass(frozen=True)
class Declaration:
    """One intrinsic."""

    name: str
    # The number of operands; None: one or more.
    arity: int | None
    result: TypeRule
    # A function of numpy scalars or arrays of the operands' types, element by element.
    meaning: Callable[..., Any]
    # The cost is that of `count` instructions of this kind.
    cost: Cost
    count: float = 1
    # The number of the operand that it returns unchanged.
    value_of: int | None = None
    limits: LimitsRule | None = None
    # Whether it is a non-decreasing function of its operand.
    increasing: bool = False
    # Whether it has the same value for a constant on every machine.
    exact: bool = False
    arithmetic: Callable[[Intrinsic, Number], Expr | None] | None = None
    # For wide signed types: functions of the operand that is not constant, one nowhere greater, one nowhere less.
    between: Callable[[Intrinsic, Number], tuple[Expr, Expr] | None] | None = None
    # For an associative and commutative operation on a type: the operand that changes nothing.
    identity: Callable[[Type], int | None] = lambda kind: None


class Absent:
    """The rule of a back end for an intrinsic that it does not support: raises NotSupportedError with a reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __call__(self, _: Any, node: Intrinsic, *rest: Any) -> NoReturn:
        raise NotSupportedError(f"Error: {node.name} is not supported here: {self.reason}. It stands in {node}.")


def result_type(name: str, operands: tuple[Type, ...]) -> Type:
    """The type of intrinsic `name` for operands of these types; InternalError where there is none."""
    declaration = INTRINSICS.get(name)
    if declaration is None:
        raise InternalError(f"There is no intrinsic {name}; the intrinsics are {', '.join(sorted(INTRINSICS))}.")
    if declaration.arity is not None and len(operands) != declaration.arity:
        raise InternalError(f"Intrinsic {name} takes {declaration.arity} operands, not {len(operands)}.")
    lanes = {operand.nlanes for operand in operands}
    result = declaration.result(*operands) if len(lanes) == 1 else None
    if result is None:
        raise InternalError(f"Intrinsic {name} has no meaning for ({', '.join(map(str, operands))}).")
    return result


def value_operand(e: Intrinsic) -> Expr | None:
    """The operand whose value an intrinsic returns; None for those that compute something."""
    number = INTRINSICS[e.name].value_of
    return None if number is None else e.args[number]


def as_arithmetic(e: Intrinsic, value: Number = constant) -> Expr | None:
    """The value of an intrinsic by arithmetic nodes, None where there is no such form.

    x >> 3 is x / 8, x << 3 is x * 8, x & 7 is x % 8, x | 7 is x / 8 * 8 + 7. `value` returns the number of a constant
    operand, None for others.
    """
    rule = INTRINSICS[e.name].arithmetic
    return None if rule is None else rule(e, value)


def enclosing(e: Intrinsic) -> tuple[Expr, Expr] | None:
    """Two functions of an intrinsic's operand that enclose its value: x & ~4 lies between x / 8 * 8 and x.

    They serve symbolic operands of int32 and int64, which do not overflow; None for others.
    """
    rule = INTRINSICS[e.name].between
    return rule(e, constant) if rule is not None and e.type.signed and e.type.nbits >= 32 else None


def limits_of(e: Intrinsic, operands: list[Limits]) -> Limits | None:
    """The limits of an intrinsic's values, from those of its operands; None: those of its type.

    int32 and int64 are assumed not to overflow where an operand has no limit, as in all index arithmetic.
    """
    rule, kind = INTRINSICS[e.name].limits, e.type
    limits = None if rule is None else rule(kind, *operands)
    if limits is None or kind.floating:
        return limits
    unlimited = (-inf, inf) if kind.signed and kind.nbits >= 32 else ()
    low_fits = limits[0] in unlimited or limits[0] >= kind.min_value()
    return limits if low_fits and (limits[1] in unlimited or limits[1] <= kind.max_value()) else None


# Types of results


def _unsigned(kind: Type) -> Type:
    return kind.with_code(TypeCode.UInt) if kind.signed else kind


def _same(test: Callable[[Type], bool] = lambda kind: True) -> TypeRule:
    """The type of the operands, which is the same for all and passes a test."""
    return lambda a, *others: a if test(a) and all(other is a for other in others) else None


_ANY, _FLOAT, _INTEGER = _same(), _same(lambda kind: kind.floating), _same(lambda kind: kind.integral)
_WIDE_INTEGER = _same(lambda kind: kind.integral and not kind.boolean)


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


def _high_product_type(a: Type, b: Type, count: Type) -> Type | None:
    return _shift(a, count) if a is b and a.nbits <= 32 else None


def _address(a: Type) -> Type:
    return UInt(64).with_lanes(a.nlanes)


def _no_value(*_: Any) -> NoReturn:
    raise InternalError("This intrinsic is a placeholder, which lowering replaces before it is evaluated.")


def _itself(a: Any, *_: Any) -> Any:
    return a


def _zero(kind: Type) -> int:
    return 0


_ADD, _SHIFT, _DIVIDE, _MULTIPLY, _FUNCTION = Cost.ADD, Cost.SHIFT, Cost.DIVIDE, Cost.MULTIPLY, Cost.TRANSCENDENTAL


def _rounding(name: str, meaning: Callable[..., Any]) -> Declaration:
    return Declaration(name, 1, _FLOAT, meaning, _ADD, limits=ranges.at_ends(meaning), increasing=True, exact=True)


def _increasing(name: str, meaning: Callable[..., Any], count: float = 1) -> Declaration:
    limits = ranges.at_ends(meaning)
    return Declaration(name, 1, _FLOAT, meaning, _FUNCTION, count, limits=limits, increasing=True)


def _strict(node: type[Binary], cost: Cost) -> Declaration:
    """The arithmetic of a node on floats, neither reordered nor fused with other operations."""
    meaning = numerics.binary_function(node, Float(32))
    return Declaration(
        STRICT_INTRINSICS[node], 2, _FLOAT, meaning, cost, arithmetic=lambda e, value: without_strictness(e)
    )


_FLOAT_FUNCTIONS = (
    _rounding("floor", np.floor),
    _rounding("ceil", np.ceil),
    _rounding("trunc", np.trunc),
    _rounding("round", np.rint),
    _increasing("exp", np.exp),
    # Counts of functions: times of vectors of float32 by that of exp, on a core with AVX-512.
    _increasing("log", np.log, 1.2),
    _increasing("sinh", np.sinh, 2.2),
    _increasing("tanh", np.tanh, 2.0),
    _increasing("asinh", np.arcsinh, 3.5),
    _increasing("atan", np.arctan, 1.7),
    Declaration("sin", 1, _FLOAT, np.sin, _FUNCTION, 1.5, limits=ranges.between(-1, 1)),
    Declaration("cos", 1, _FLOAT, np.cos, _FUNCTION, 1.4, limits=ranges.between(-1, 1)),
    Declaration("tan", 1, _FLOAT, np.tan, _FUNCTION, 2.2),
    Declaration("cosh", 1, _FLOAT, np.cosh, _FUNCTION, 1.7),
    Declaration("asin", 1, _FLOAT, np.arcsin, _FUNCTION, 1.7),
    Declaration("acos", 1, _FLOAT, np.arccos, _FUNCTION, 1.9),
    Declaration("acosh", 1, _FLOAT, np.arccosh, _FUNCTION, 2.9),
    Declaration("atanh", 1, _FLOAT, np.arctanh, _FUNCTION, 2.7),
    Declaration("atan2", 2, _FLOAT, np.arctan2, _FUNCTION, 2.2),
    Declaration("pow", 2, _FLOAT, np.power, _FUNCTION, 3.3),
    Declaration("sqrt", 1, _FLOAT, np.sqrt, _DIVIDE, count=1.6, limits=ranges.root, increasing=True),
    Declaration("fast_inverse", 1, _FLOAT, np.reciprocal, _MULTIPLY),
    Declaration("fast_inverse_sqrt", 1, _FLOAT, lambda a: a.dtype.type(1) / np.sqrt(a), _MULTIPLY),
    # What `strict_float` makes of the operations in its operand.
    _strict(Add, _ADD),
    _strict(Sub, _ADD),
    _strict(Mul, _MULTIPLY),
    _strict(Div, _DIVIDE),
    _strict(Mod, _DIVIDE),
    Declaration("is_nan", 1, _float_test, np.isnan, Cost.COMPARE),
    Declaration("is_inf", 1, _float_test, np.isinf, Cost.COMPARE),
    Declaration("is_finite", 1, _float_test, np.isfinite, Cost.COMPARE),
)
# fmt: off
_INTEGER_FUNCTIONS = (
    Declaration("abs", 1, _number_to_unsigned, numerics.magnitude, _ADD, limits=ranges.magnitude),
    Declaration("absd", 2, _numbers_to_unsigned, numerics.distance, _ADD, limits=ranges.distance),
    Declaration("bitwise_and", 2, _INTEGER, operator.and_, _SHIFT, limits=ranges.common_bits,
                arithmetic=ranges.mask_as_arithmetic, between=ranges.mask_between, identity=lambda kind: -1),
    Declaration("bitwise_or", 2, _INTEGER, operator.or_, _SHIFT, limits=ranges.all_bits,
                arithmetic=ranges.ones_as_sum, between=ranges.all_bits_between, identity=_zero),
    Declaration("bitwise_xor", 2, _INTEGER, operator.xor, _SHIFT, limits=ranges.different_bits,
                arithmetic=ranges.flips_as_sum, between=ranges.different_bits_between, identity=_zero),
    Declaration("bitwise_not", 1, _INTEGER, operator.invert, _SHIFT, limits=ranges.complement,
                arithmetic=ranges.complement_as_difference, between=ranges.complement_between),
    # Negative counts shift the other way; counts of the width or more shift every bit out.
    Declaration("shift_left", 2, _shift, numerics.shift_left, _SHIFT, limits=ranges.shifted_left,
                arithmetic=ranges.shift_as_arithmetic),
    Declaration("shift_right", 2, _shift, numerics.shift_right, _SHIFT, limits=ranges.shifted_right,
                arithmetic=ranges.shift_as_arithmetic),
    Declaration("popcount", 1, _INTEGER, numerics.popcount, _SHIFT, limits=ranges.bit_count),
    Declaration("count_leading_zeros", 1, _INTEGER, numerics.count_leading_zeros, _SHIFT, limits=ranges.bit_count),
    Declaration("count_trailing_zeros", 1, _INTEGER, numerics.count_trailing_zeros, _SHIFT, limits=ranges.bit_count),
    # As in C, but x / 0 and x % 0 are 0.
    Declaration("div_round_to_zero", 2, _WIDE_INTEGER, numerics.div_round_to_zero, _DIVIDE,
                limits=ranges.quotient_to_zero),
    Declaration("mod_round_to_zero", 2, _WIDE_INTEGER, numerics.mod_round_to_zero, _DIVIDE,
                limits=ranges.remainder_to_zero),
    # Of signed integers it is not associative: (100 + 100) - 100 against 100 + (100 - 100) in int8.
    Declaration("saturating_add", 2, _WIDE_INTEGER, numerics.saturating_add, _ADD, limits=ranges.saturated_sum,
                identity=lambda kind: None if kind.signed else 0),
    Declaration("saturating_sub", 2, _WIDE_INTEGER, numerics.saturating_sub, _ADD,
                limits=ranges.saturated_difference),
    # The upper half of the product of two integers, shifted right.
    Declaration("mulhi_shr", 3, _high_product_type, numerics.high_product, _MULTIPLY, count=3,
                limits=ranges.high_product),
)
# fmt: on
# Annotations of values, and placeholders until they are lowered.
_MARKS = (
    # The likely value, everywhere or in innermost loops only (`bounds/conditions.py`).
    Declaration("likely", 1, _ANY, _itself, Cost.FREE, value_of=0),
    Declaration("likely_if_innermost", 1, _ANY, _itself, Cost.FREE, value_of=0),
    # What an iteration of a tensor intrinsic computes, and its operands (`pipec.ir.tensor`).
    Declaration("tensor_operation", None, _first, _itself, Cost.FREE, value_of=0),
    Declaration("return_second", 2, _second, lambda a, b: b, Cost.FREE, value_of=1),
    # The user asserts that the first operand lies between the others.
    Declaration("unsafe_promise_clamped", 3, _ANY, _itself, Cost.FREE, value_of=0, limits=ranges.promised),
    # A memoised value depends on the operands after the first one instead of those of the first.
    Declaration("memoize_tag", None, _first, _itself, Cost.FREE, value_of=0),
    # The address of the element that a FuncCall or Load reads; a value of Reports.
    Declaration("address_of", 1, _address, lambda a: np.zeros_like(a, np.uint64), Cost.FREE),
    # The result of bounds query number (first operand) of an extern stage; it is a function of the other operands.
    Declaration("extern_query", None, lambda *_: INT32, _no_value, Cost.FREE),
    # A random number, which a definition replaces by a hash of its coordinates (`func/math/random.py`).
    Declaration("random", 2, _INTEGER, _no_value, Cost.FREE),
    # Several values, one for each store of an update (`ir/placeholders.py`).
    Declaration("scatter_gather", None, _ANY, _no_value, Cost.FREE, limits=ranges.any_of),
)
INTRINSICS: dict[str, Declaration] = {d.name: d for d in (*_FLOAT_FUNCTIONS, *_INTEGER_FUNCTIONS, *_MARKS)}
