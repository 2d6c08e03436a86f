"""From what a user writes to IR nodes: literals, promotion of operands, conversions between types."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from pipec.errors import DefinitionError
from pipec.func.buffers.elements import plain_number
from pipec.func.functions.definition import frames_to_user
from pipec.ir.expr import Cast, Const, Expr
from pipec.ir.types import BOOL, INT32, INT64, Float, Type, promote

FLOAT32 = Float(32)


def literal(value: int | float | bool) -> Const:
    """A number that stands alone: bool, int32 (int64 when it needs more), float32."""
    if isinstance(value, bool):
        return _const(BOOL, value)
    if isinstance(value, int):
        if INT32.can_represent(value):
            return _const(INT32, value)
        if INT64.can_represent(value):
            return _const(INT64, value)
        raise DefinitionError(f"Error: Integer constant {value} does not fit int64, the widest integer type.")
    _warn_if_inexact(value)
    return _const(FLOAT32, value)


def _const(type_: Type, value: int | float) -> Const:
    return Const(type_, value)


def _warn_if_inexact(value: float) -> None:
    # Rounding to 24 bits is what users of float32 expect, also of 2 * numpy.pi. A whole number that changes, a number
    # that becomes infinite, and one below the normal range are not.
    rounded = FLOAT32.wrap(value)
    expected = abs(rounded - value) <= abs(value) * 2.0**-24 and not float(value).is_integer()
    if np.isfinite(value) and rounded != value and not expected:
        warnings.warn(
            f"The floating-point value {value!r} will be interpreted as a float32 and lose precision: it becomes "
            f"{rounded!r}. Add an explicit `f32()` or `f64()` cast to avoid this warning.",
            RuntimeWarning,
            stacklevel=frames_to_user(),
        )


def convert(value: Any, what: str = "an Expr") -> Expr:
    """The node of an operand or of a number by itself; TypeError for anything else."""
    node = node_or_none(value)
    if node is None:
        raise TypeError(f"{what} was expected here, but {value!r} is a {type(value).__name__}")
    return node


def node_of_operand(value: Any) -> Expr | None:
    """The node of an operand; None for numbers and anything else."""
    if getattr(type(value), "node", None) is not None:
        node: Expr = value.node
        return node
    return value if isinstance(value, Expr) else None


def node_or_none(value: Any) -> Expr | None:
    """The node of an operand or a number, None for anything else."""
    node = node_of_operand(value)
    if node is not None:
        return node
    plain = plain_number(value)
    return None if plain is None else literal(plain)


def adapt(value: int | bool, type_: Type) -> Expr | None:
    """A Python int as a constant of the other operand's type, in which it must be exact; None: promote instead."""
    value = int(value)
    if not -(1 << 31) <= value < 1 << 31:
        return None
    if type_.is_handle():
        raise DefinitionError(
            f"Error: Integer constant {value} will be implicitly coerced to type (void *), "
            "but pipec does not support pointer arithmetic."
        )
    if not type_.can_represent(value):
        raise DefinitionError(
            f"Error: Integer constant {value} will be implicitly coerced to type {type_}, "
            f"which changes its value to {constant_text(_const(type_, value))}. "
            f"Cast the other operand to a type that holds {value}, for example i32(...)."
        )
    return _const(type_, value)


def constant_text(c: Const) -> str:
    """A constant as Halide prints it: 3, (uint8)3, 0.500000f."""
    if c.type.floating:
        return f"{c.value:f}" + {16: "h", 32: "f", 64: ""}[c.type.nbits]
    return str(c.value) if c.type is INT32 else f"({c.type}){c.value}"


def operands(a: Any, b: Any) -> tuple[Expr, Expr] | None:
    """Both operands of an operator as nodes of one type; None when one of them is no operand at all."""
    left, right = node_of_operand(a), node_of_operand(b)
    if left is None:
        plain = plain_number(a)
        if plain is None:
            return None
        left = beside(plain, right)
    if right is None:
        plain = plain_number(b)
        if plain is None:
            return None
        right = beside(plain, left)
    return match(left, right)


def beside(plain: int | float, other: Expr | None) -> Expr:
    """A number beside another operand: ints adapt to its type."""
    adapted = adapt(plain, other.type) if other is not None and isinstance(plain, int) else None
    return literal(plain) if adapted is None else adapted


def match(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """Two nodes promoted to their common type."""
    if a.type is b.type:
        return a, b
    if a.type.is_handle() or b.type.is_handle():
        raise DefinitionError(f"Error: Can't match types: {a.type}, {b.type}")
    common = promote(a.type, b.type)
    return cast(common, a), cast(common, b)


def cast(type_: Type, value: Expr) -> Expr:
    """`value` converted to `type_`; constants are converted now."""
    if value.type is type_:
        return value
    if value.type.is_handle() or type_.is_handle():
        raise DefinitionError(
            f"Error: Can't cast {value} of type {value.type} to {type_}; use reinterpret for handles."
        )
    if isinstance(value, Const):
        folded = cast_constant(value, type_)
        if folded is not None:
            return folded
    return Cast(type_, value)


def cast_constant(value: Const, type_: Type) -> Const | None:
    """The constant converted, or None where the result is left to run time (a float that does not fit an int)."""
    if value.type.floating and not type_.floating:
        if not np.isfinite(value.value):
            return None
        whole = int(value.value)
        if not type_.boolean and not type_.can_represent(whole):
            return None
        return _const(type_, whole)
    return _const(type_, value.value)
