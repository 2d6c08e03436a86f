"""The `fast_` functions, which need not be exact, and erf."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.func.math import convert
from pipec.func.math.casts import cast, operand, reinterpret
from pipec.func.math.convert import FLOAT32
from pipec.func.math.expr import Expr, ExprLike, wrap
from pipec.func.math.functions import abs, call, cos, pow, round, sin
from pipec.func.math.selection import clamp, min
from pipec.ir import build
from pipec.ir.expr import Const, Select
from pipec.ir.expr import Expr as Node
from pipec.ir.types import INT32, Type

# Minimax fits: (e^r - 1) / r for |r| <= log(2)/2; log(1 + f) / f for sqrt(1/2) <= 1 + f <= sqrt(2); (sin(r) - r) / r^3
# as a function of r^2 for |r| <= pi/2.
_EXP = (0.9999668361404647, 0.5000301366299517, 0.16787474080991682, 0.041513849049280016)
_LOG = (
    1.0000009748357617,
    -0.5000111290283974,
    0.33314508744286203,
    -0.24909743210608956,
    0.20496331419576497,
    -0.18667865883827237,
    0.11896112660920632,
)
_SIN = (-0.1666568106591071, 0.00831236611088273, -0.0001849217839670781)
# log(2) and pi in two parts, the first with few bits, so that its multiples are exact.
_LN_2 = (0.693359375, -2.12194440e-4)
_PI = (3.140625, 9.67653589793e-4)
_SQRT_HALF_BITS = 0x3F3504F3


def _float32(x: Any, name: str) -> Expr:
    node = operand(x, name)
    if node.type is not FLOAT32:
        raise DefinitionError(f"Error: {name} only works for Float(32), but {node} has type {node.type}.")
    return wrap(node)


def fast_exp(x: ExprLike) -> Expr:
    """e to the power x, for float32 x in [-87, 88] (nearest such where outside); the relative error is below 5e-6.

    >>> round(hl.evaluate(hl.fast_exp(hl.f32(1))), 4)
    2.7183
    """
    limited = clamp(_float32(x, "fast_exp"), constant(FLOAT32, -87.3), constant(FLOAT32, 88.3))
    whole = round(limited * constant(FLOAT32, 1 / math.log(2)))
    part = limited - whole * constant(FLOAT32, _LN_2[0]) - whole * constant(FLOAT32, _LN_2[1])
    value = polynomial(part, [1.0, *_EXP])
    return _as_float(_as_bits(value) + (cast(INT32, whole) << 23))


def fast_log(x: ExprLike) -> Expr:
    """The natural logarithm of positive normal float32 numbers; the relative error is below 5e-6.

    >>> round(hl.evaluate(hl.fast_log(hl.f32(10))), 4)
    2.3026
    """
    bits = _as_bits(_float32(x, "fast_log"))
    exponent = (bits - _SQRT_HALF_BITS) >> 23
    part = _as_float(bits - (exponent << 23)) - constant(FLOAT32, 1.0)
    return cast(FLOAT32, exponent) * constant(FLOAT32, math.log(2)) + part * polynomial(part, _LOG)


def fast_pow(x: ExprLike, y: ExprLike) -> Expr:
    """x to the power y, for float32 x >= 0; repeated multiplication when y is a constant int.

    The relative error is below (|y log x| + 1) * 5e-6.

    >>> hl.evaluate(hl.fast_pow(hl.f32(2), hl.f32(3)))
    8.0
    """
    if isinstance(exponent := operand(y, "fast_pow"), Const) and exponent.type.integral:
        return pow(wrap(convert.cast(FLOAT32, operand(x, "fast_pow"))), y)
    base, power = (wrap(convert.cast(FLOAT32, node)) for node in (operand(x, "fast_pow"), exponent))
    zero = constant(FLOAT32, 0.0)
    return wrap(Select((base == zero).node, zero.node, fast_exp(fast_log(base) * power).node))


def fast_sin(x: ExprLike) -> Expr:
    """The sine of an angle in radians; the error is below 3e-6 for |x| < 100, growing with |x|; float64 is exact.

    All other types are cast to float32.

    >>> round(hl.evaluate(hl.fast_sin(hl.f32(1))), 4)
    0.8415
    """
    return _half_turns(x, 0.0, "fast_sin", sin)


def fast_cos(x: ExprLike) -> Expr:
    """The cosine of an angle in radians; the error is below 3e-6 for |x| < 100, growing with |x|; float64 is exact.

    All other types are cast to float32.

    >>> round(hl.evaluate(hl.fast_cos(hl.f32(1))), 4)
    0.5403
    """
    return _half_turns(x, 0.5, "fast_cos", cos)


def _half_turns(angle: ExprLike, ahead: float, name: str, exact: Callable[[ExprLike], Expr]) -> Expr:
    """sin(x + ahead * pi): the sine of what is left of the nearest multiple of pi, negated for odd multiples."""
    node = operand(angle, name)
    if node.type.floating and node.type.nbits == 64:
        return exact(angle)
    x = wrap(convert.cast(FLOAT32, node))
    nearest = round(x * constant(FLOAT32, 1 / math.pi) + constant(FLOAT32, ahead))
    turns = nearest - constant(FLOAT32, ahead)
    part = x - turns * constant(FLOAT32, _PI[0]) - turns * constant(FLOAT32, _PI[1])
    squared = part * part
    value = part + part * squared * polynomial(squared, _SIN)
    return _as_float(_as_bits(value) ^ (cast(INT32, nearest) << 31))


def _as_bits(x: Expr) -> Expr:
    return reinterpret(INT32, x)


def _as_float(x: Expr) -> Expr:
    return reinterpret(FLOAT32, x)


def fast_inverse(x: ExprLike) -> Expr:
    """1 / x for float16 and float32, within a few units in the last place; where x is 0 or infinite it may be NaN.

    >>> hl.evaluate(hl.fast_inverse(hl.f32(4)))
    0.25
    """
    node = _narrow_float(x, "fast_inverse")
    return call(node.type, "fast_inverse", node)


def fast_inverse_sqrt(x: ExprLike) -> Expr:
    """1 / sqrt(x) for float16 and float32, within a few units in the last place; it may be NaN where x is 0.

    >>> hl.evaluate(hl.fast_inverse_sqrt(hl.f32(4)))
    0.5
    """
    node = _narrow_float(x, "fast_inverse_sqrt")
    return call(node.type, "fast_inverse_sqrt", node)


def _narrow_float(x: Any, name: str) -> Node:
    node = operand(x, name)
    if not node.type.floating or node.type.nbits > 32 or node.type.is_bfloat():
        raise DefinitionError(
            f"Error: {name} only takes float16 or float32 arguments, but {node} has type {node.type}."
        )
    return node


# Minimax fits: erf(x) / x - 1 as a function of x^2 for |x| <= 1.125; (1 - erf(x))^(-1/8) for larger x, up to where erf
# is 1.
_ERF_NEAR = (
    0.12837916612625122,
    -0.3761260211467743,
    0.11283256113529205,
    -0.02683922089636326,
    0.0051602525636553764,
    -0.0007765723275952041,
    7.063235534587875e-05,
)
_ERF_FAR = (
    0.9928449392318726,
    0.17512181401252747,
    0.02006894163787365,
    0.10334373265504837,
    -0.050664130598306656,
    0.0239468514919281,
    -0.005191019736230373,
    0.0006397103425115347,
)
_ERF_LIMITS = (1.125, 3.93)


def erf(x: ExprLike) -> Expr:
    """The error function, for float32, within 2 units in the last place.

    >>> round(hl.evaluate(hl.erf(hl.f32(0.5))), 4)
    0.5205
    """
    node = operand(x, "erf")
    if node.type is not FLOAT32:
        raise DefinitionError(f"Error: erf only takes float arguments (float32), but {node} has type {node.type}.")
    value = wrap(node)
    size = abs(value)
    near = value + value * polynomial(value * value, _ERF_NEAR)
    least, most = (constant(FLOAT32, limit) for limit in _ERF_LIMITS)
    root = polynomial(min(size, most), _ERF_FAR)
    for _ in range(3):
        root = root * root
    one = wrap(build.select((value < 0).node, constant(FLOAT32, -1.0).node, constant(FLOAT32, 1.0).node))
    return wrap(Select((size > least).node, (one - one / root).node, near.node))


def constant(type_: Type, value: float) -> Expr:
    """A constant rounded to the type."""
    return wrap(Const(type_, value))


def polynomial(x: Expr, coefficients: Sequence[float]) -> Expr:
    """The polynomial with these coefficients, that of x^0 first."""
    result = constant(x.type(), coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result = result * x + constant(x.type(), coefficient)
    return result
