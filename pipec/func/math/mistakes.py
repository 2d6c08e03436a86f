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
    text = repr(operand)
    return text.partition(": ")[2].removesuffix(">") or (text.split("'")[1] if "'" in text else text)


def no_number(method: str, instead: str) -> Callable[..., NoReturn]:
    """A special method that raises TypeError and names the function of pipec to call `instead`."""

    def refuse(self: Any, *_: Any) -> NoReturn:
        raise TypeError(
            f"The {type(self).__name__} {_text(self)} has no value before the pipeline runs, so Python's {method}"
            f" cannot take it. {instead}"
        )

    return refuse


def no_index(index: str) -> Callable[..., NoReturn]:
    """The special method by which Python takes an operand as an `index`. Raises TypeError that names what to do."""
    return no_number(index, "Read a hl.Buffer of the values at the Expr, unroll a loop, or use hl.select or hl.mux.")


class Uncomputed:
    """What has values at coordinates only: operators, calls and functions of numpy without coordinates are errors."""

    __slots__ = ()

    def __call__(self, *args: Any, **_: Any) -> NoReturn:
        """Raises TypeError: coordinates stand in brackets."""
        raise TypeError(f"{_kind(self)} is not called: its coordinates stand in brackets, {_value(self, len(args))}.")

    def __array_ufunc__(self, ufunc: Any, method: str, *_: Any, **__: Any) -> NoReturn:
        """Raises TypeError for an operator or a function of numpy."""
        self._refuse(f"numpy.{ufunc.__name__}()")

    def __array_function__(self, function: Any, *_: Any) -> NoReturn:
        """Raises TypeError for a function of numpy."""
        self._refuse(f"numpy.{function.__name__}()")

    def _refuse(self, what: str) -> NoReturn:
        raise TypeError(
            f"{_kind(self)} has values at coordinates only, so {what} cannot take it. Use its value at some, such as"
            f" {_value(self)}, in the definition of a Func, or compute an array first: numpy.asarray(f.realize(sizes))."
        )


def _operator(symbol: str) -> Callable[..., NoReturn]:
    def refuse(self: Uncomputed, *_: Any) -> NoReturn:
        self._refuse(f"the operator {symbol}")

    return refuse


for _symbol, _names in {
    "+": "add radd pos", "-": "sub rsub neg", "*": "mul rmul", "/": "truediv rtruediv", "//": "floordiv rfloordiv",
    "%": "mod rmod", "**": "pow rpow", "&": "and rand", "|": "or ror", "^": "xor rxor", "~": "invert", "@":
    "matmul rmatmul", "<<": "lshift rlshift", ">>": "rshift rrshift", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
    "abs": "abs",
}.items():  # fmt: skip
    for _name in _names.split():
        setattr(Uncomputed, f"__{_name}__", _operator(_symbol))


def _kind(self: Any) -> str:
    return f"{type(self).__name__} {self.name()}"


def _value(self: Any, count: int = 0) -> str:
    count = count or (self.dimensions() if self.defined() else 2)
    return f"{self.name()}[{', '.join('xyzw'[:count]) if count <= 4 else '...'}]"


# Functions of numpy and the functions of pipec that compute the same on Exprs, where the names differ.
_NUMPY_NAMES = {
    "absolute": "abs", "fabs": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh",
    "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "maximum": "max", "minimum": "min", "fmax": "max",
    "fmin": "min", "amax": "maximum", "amin": "minimum", "rint": "round", "around": "round", "where": "select",
    "clip": "clamp", "isnan": "is_nan", "isinf": "is_inf", "isfinite": "is_finite", "prod": "product",
    "bitwise_count": "popcount", "logical_and": "`&`", "logical_or": "`|`", "logical_xor": "`^`", "square": "`x * x`",
    "reciprocal": "`1 / x`", "float_power": "pow", "mean": "sum", "average": "sum",
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
