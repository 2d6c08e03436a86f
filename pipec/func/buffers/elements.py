"""Single elements of buffers and values of Params: plain Python numbers checked against a Type."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from pipec.errors import ArgumentError
from pipec.ir.types import Type


def is_operand(value: Any) -> bool:
    """Whether `value` (Expr, Var, Param, ...) stands for an expression."""
    return getattr(type(value), "node", None) is not None


def plain_index(value: Any) -> int | None:
    """The int that `value` (a Python or numpy integer) is; None for anything else."""
    if type(value) is int:
        return value
    if isinstance(value, bool | np.bool_) or is_operand(value):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def plain_number(value: Any) -> int | float | bool | None:
    """The Python number that `value` (numpy scalars and 0-d arrays included) is; None for anything else."""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        item = value.item()
        return item if isinstance(item, bool | int | float) else None
    return None


def checked_element(value: Any, kind: Type, name: str) -> Any:
    """`value` as numpy stores it in elements of type `kind`: ints must fit, floats are rounded."""
    number = plain_number(value)
    if number is None:
        raise ArgumentError(f"Error: Elements of Buffer {name} are {kind}; {value!r} is no number.")
    if kind.boolean:
        return bool(number)
    if kind.is_bfloat():
        return int(np.float32(kind.wrap(number)).view(np.uint32)) >> 16
    if kind.floating:
        return kind.wrap(number)
    if isinstance(number, float):
        raise ArgumentError(
            f"Error: {number!r} is a float, but the elements of Buffer {name} are {kind}; convert it with int(...)."
        )
    if not kind.min_value() <= number <= kind.max_value():
        raise ArgumentError(
            f"Error: {number} does not fit the elements of Buffer {name}: {kind} holds {kind.min_value()} to"
            f" {kind.max_value()}."
        )
    return number
