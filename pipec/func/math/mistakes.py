"""Errors for Python and numpy functions that take numbers, called with Exprs: each names what to call instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


def no_truth_value(self: Any) -> bool:
    """Raises ValueError: Python asked for the truth of an expression, which has a value only when a pipeline runs."""
    raise ValueError(
        f"The {type(self).__name__} {_text(self)} cannot be converted to a bool: it has no value before the pipeline"
        " runs. Use hl.select(condition, a, b) instead of `if`, `&`, `|` and `~` of comparisons in parentheses instead"
        " of `and`, `or` and `not`, (low <= x) & (x < high) instead of low <= x < high, and hl.max and hl.min instead"
        " of max and min."
    )


def _text(operand: Any) -> str:
    return repr(operand).partition(": ")[2].removesuffix(">") or repr(operand)


def no_number(method: str, instead: str) -> Callable[..., NoReturn]:
    """A special method that raises TypeError and names the function of pipec to call `instead`."""

    def refuse(self: Any, *_: Any) -> NoReturn:
        raise TypeError(
            f"The {type(self).__name__} {_text(self)} has no value before the pipeline runs, so Python's {method}"
            f" cannot take it. {instead}"
        )

    return refuse


# Functions of numpy and the functions of pipec that compute the same on Exprs, where the names differ.
_NUMPY_NAMES = {
    "absolute": "abs", "fabs": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh",
    "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "maximum": "max", "minimum": "min", "fmax": "max",
    "fmin": "min", "amax": "maximum", "amin": "minimum", "rint": "round", "around": "round", "where": "select",
    "clip": "clamp", "isnan": "is_nan", "isinf": "is_inf", "isfinite": "is_finite", "prod": "product",
    "bitwise_count": "popcount", "logical_and": "`&`", "logical_or": "`|`", "logical_xor": "`^`", "square": "`x * x`",
    "reciprocal": "`1 / x`", "float_power": "pow",
}  # fmt: skip
_SAME_NAMES = frozenset(
    "argmax argmin atan2 ceil cos cosh exp floor hypot log logical_not max min round sin sinh sqrt sum tan tanh"
    " trunc".split()
)


def has_counterpart(name: str) -> bool:
    """Whether pipec has a function that does what the function of numpy with this name does."""
    return name in _NUMPY_NAMES or name in _SAME_NAMES


def refuse_numpy(name: str) -> NoReturn:
    """Raises TypeError for a function of numpy that was called with an Expr, and names what to call instead."""
    other = _NUMPY_NAMES.get(name, name if name in _SAME_NAMES else "")
    instead = "the functions and operators of pipec"
    if other:
        instead = other if other.startswith("`") else f"hl.{other}"
    raise TypeError(
        f"numpy.{name}() computes numbers, and an Expr has none before the pipeline runs: use {instead} instead"
        " (with `import pipec as hl`)."
    )
