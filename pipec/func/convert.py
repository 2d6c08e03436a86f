"""From what a user writes to IR nodes: literals, promotion of operands, conversions between types."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from pipec.errors import DefinitionError
from pipec.ir.expr import Cast, Const, Expr
from pipec.ir.types import BOOL, INT32, INT64, Float, Type, promote

FLOAT32 = Float(32)


def number(value: Any) -> int | float | bool | None:
    """The Python number that `value` is, numpy scalars and 0-d arrays included; None for anything else."""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        item = value.item()
        if isinstance(item, bool | int | float):
            return item
    return None


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
    made: Const = Const(type_, value)
    return made


def _warn_if_inexact(value: float) -> None:
    # Only digits beyond those that a float32 prints back are a loss the user did not expect: 0.1 is fine.
    rounded = np.float32(value)
    if np.isfinite(value) and float(rounded) != value and float(str(rounded)) != value:
        warnings.warn(
            f"The floating-point constant {value!r} is not exactly representable as a float32 and becomes "
            f"{float(rounded)!r}; use f64({value!r}) to keep its value.",
            RuntimeWarning,
            stacklevel=_depth_of_user(),
        )


def _depth_of_user() -> int:
    from pipec.func.location import frames_to_user

    return frames_to_user()


def convert(value: Any, what: str = "an Expr") -> Expr:
    """The node of an operand or a number standing alone; TypeError for anything else."""
    node = node_or_none(value)
    if node is None:
        raise TypeError(f"{what} was expected here, but {value!r} is a {type(value).__name__}")
    return node


def node_or_none(value: Any) -> Expr | None:
    """The node of an operand or a number, None for anything else."""
    if isinstance(value, Expr):
        return value
    node = getattr(type(value), "node", None)
    if node is not None:
        found: Expr = value.node
        return found
    plain = number(value)
    return None if plain is None else literal(plain)


def adapt(value: int | bool, type_: Type) -> Expr | None:
    """A Python int as a constant of the other operand's type, in which it must be exact; None: promote instead."""
    if not INT32.can_represent(int(value)):
        return None
    value = int(value)
    if type_.is_handle():
        raise DefinitionError(
            f"Error: Integer constant {value} will be implicitly coerced to type (void *), "
            "but Halide does not support pointer arithmetic."
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
    x, y = number(a), number(b)
    if isinstance(x, int) and y is None:
        right = node_or_none(b)
        if right is None:
            return None
        left = adapt(x, right.type)
        return (left, right) if left is not None else match(literal(x), right)
    if isinstance(y, int) and x is None:
        left = node_or_none(a)
        if left is None:
            return None
        adapted = adapt(y, left.type)
        return (left, adapted) if adapted is not None else match(left, literal(y))
    left, right = node_or_none(a), node_or_none(b)
    if left is None or right is None:
        return None
    return match(left, right)


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
    made: Expr = Cast(type_, value)
    return made


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
