"""The `fast_` functions, which need not be exact, and erf."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.func import convert
from pipec.func.casts import operand
from pipec.func.convert import FLOAT32
from pipec.func.expr import Expr, wrap
from pipec.func.math import abs, call, cos, exp, log, sin, sqrt
from pipec.ir import build
from pipec.ir.expr import Const, Select
from pipec.ir.expr import Expr as Node
from pipec.ir.types import Type

# The exact functions serve: they are vectorized as well, and what is fast is for the back end to know.


def _float32(x: Any, name: str) -> Expr:
    node = operand(x, name)
    if node.type is not FLOAT32:
        raise DefinitionError(f"Error: {name} only works for Float(32), but {node} has type {node.type}.")
    return wrap(node)


def fast_exp(x: Any) -> Expr:
    """e to the power x, for float32."""
    return exp(_float32(x, "fast_exp"))  # type: ignore[no-any-return]


def fast_log(x: Any) -> Expr:
    """The natural logarithm, for float32."""
    return log(_float32(x, "fast_log"))  # type: ignore[no-any-return]


def fast_pow(x: Any, y: Any) -> Expr:
    """x to the power y, for float32."""
    base, exponent = (convert.cast(FLOAT32, operand(value, "fast_pow")) for value in (x, y))
    return call(FLOAT32, "pow", base, exponent)


def fast_sin(x: Any) -> Expr:
    """The sine of an angle in radians."""
    return sin(x)  # type: ignore[no-any-return]


def fast_cos(x: Any) -> Expr:
    """The cosine of an angle in radians."""
    return cos(x)  # type: ignore[no-any-return]


def fast_inverse(x: Any) -> Expr:
    """1 / x."""
    node = _narrow_float(x, "fast_inverse")
    return wrap(Const(node.type, 1.0)) / wrap(node)  # type: ignore[no-any-return]


def fast_inverse_sqrt(x: Any) -> Expr:
    """1 / sqrt(x)."""
    node = _narrow_float(x, "fast_inverse_sqrt")
    return wrap(Const(node.type, 1.0)) / sqrt(wrap(node))  # type: ignore[no-any-return]


def _narrow_float(x: Any, name: str) -> Node:
    node = operand(x, name)
    if not node.type.floating or node.type.nbits > 32:
        raise DefinitionError(
            f"Error: {name} only takes float16 or float32 arguments, but {node} has type {node.type}."
        )
    return node


# Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26; near 0 the power series is better.
_TAIL = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_SERIES = [2 / math.sqrt(math.pi) * (-1) ** n / (math.factorial(n) * (2 * n + 1)) for n in range(8)]


def erf(x: Any) -> Expr:
    """The error function, for float32."""
    node = operand(x, "erf")
    if node.type is not FLOAT32:
        raise DefinitionError(f"Error: erf only takes float arguments (float32), but {node} has type {node.type}.")
    value = wrap(node)
    size = abs(value)
    t = 1 / (1 + constant(FLOAT32, 0.3275911) * size)
    far = 1 - polynomial(t, [0.0, *_TAIL]) * exp(-(size * size))
    near = size * polynomial(size * size, _SERIES)
    result = wrap(Select((size < constant(FLOAT32, 0.8)).node, near.node, far.node))
    return wrap(build.select((value < 0).node, (-result).node, result.node))


def constant(type_: Type, value: float) -> Expr:
    """A constant rounded to the type."""
    return wrap(Const(type_, value))


def polynomial(x: Expr, coefficients: Sequence[float]) -> Expr:
    """The polynomial with these coefficients, that of x^0 first."""
    result = constant(x.type(), coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result = result * x + constant(x.type(), coefficient)
    return result
