"""Random expressions over values, within the ranges of their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from pipec.autoschedule.random_pipelines import language as hl
from pipec.autoschedule.random_pipelines.layer import TYPES, RandomValue, as_float, single, wide_type, widened

Unary = Callable[[Random, RandomValue], RandomValue]


def combined(r: Random, a: RandomValue, b: RandomValue) -> RandomValue:
    """Two values made one."""
    if a.floating or b.floating:
        return _floats(r, as_float(a), as_float(b))
    return _integers(r, a, b)


def tree(r: Random, values: Sequence[RandomValue]) -> RandomValue:
    """All values in one random expression tree."""
    if len(values) == 1:
        return unary(r, values[0]) if r.random() < 0.15 else values[0]
    cut = r.randint(1, len(values) - 1)
    return combined(r, tree(r, values[:cut]), tree(r, values[cut:]))


def unary(r: Random, value: RandomValue) -> RandomValue:
    """A function of one value."""
    if value.floating:
        return r.choice(_FLOAT_FUNCTIONS)(r, value)
    return r.choice(_INTEGER_FUNCTIONS)(r, value)


def _floats(r: Random, a: RandomValue, b: RandomValue) -> RandomValue:
    low = 0.0 if a.low >= 0 and b.low >= 0 else -1.0
    match r.choice(["add", "add", "subtract", "multiply", "multiply", "min", "max", "divide", "select", "lerp"]):
        case "add":
            return RandomValue((a.expr + b.expr) * 0.5, "f32", low, 1.0)
        case "subtract":
            return RandomValue((a.expr - b.expr) * 0.5, "f32", -1.0, 1.0)
        case "multiply":
            return RandomValue(a.expr * b.expr, "f32", low, 1.0)
        case "min":
            return RandomValue(hl.min(a.expr, b.expr), "f32", low, 1.0)
        case "max":
            return RandomValue(hl.max(a.expr, b.expr), "f32", low, 1.0)
        case "divide":
            return RandomValue(a.expr / (hl.abs(b.expr) + 1.0), "f32", low, 1.0)
        case "lerp":
            return RandomValue(hl.lerp(a.expr, b.expr, hl.abs(a.expr * b.expr)), "f32", low, 1.0)
    # Continuous where the condition changes, so that rounding decides about nothing.
    return RandomValue(hl.select(a.expr < b.expr, a.expr, a.expr * 0.75 + b.expr * 0.25), "f32", low, 1.0)


def _integers(r: Random, a: RandomValue, b: RandomValue) -> RandomValue:
    word = r.choice(["add", "add", "mean", "subtract", "min", "max", "difference", "select", "multiply", "bits"])
    low, high = min(a.low, b.low), max(a.high, b.high)
    if word in ("add", "subtract"):
        ends = (a.low + b.low, a.high + b.high) if word == "add" else (a.low - b.high, a.high - b.low)
        type = wide_type(*ends)
        x, y = widened(a, type), widened(b, type)
        return RandomValue(x + y if word == "add" else x - y, type, *ends)
    type = wide_type(low, high)
    x, y = widened(a, type), widened(b, type)
    match word:
        case "min":
            return RandomValue(hl.min(x, y), type, low, high)
        case "max":
            return RandomValue(hl.max(x, y), type, low, high)
        case "difference" if type == "u16":
            return RandomValue(hl.absd(x, y), type, 0, high)
        case "select":
            return RandomValue(hl.select(x > y, x, y + (x - y) / 2 if type == "i32" else y), type, low, high)
        case "bits" if low >= 0:
            return RandomValue(x ^ y, type, 0, (1 << int(high).bit_length()) - 1)
        case "multiply" if a.largest * b.largest < 1 << 30:
            product = hl.i32(a.expr) * hl.i32(b.expr)
            corners = [p * q for p in (a.low, a.high) for q in (b.low, b.high)]
            return RandomValue(product >> 8, "i32", min(corners) // 256, max(corners) // 256)
    # The mean of two, without overflow.
    wide = wide_type(2 * low, 2 * high + 1)
    return RandomValue((widened(a, wide) + widened(b, wide) + 1) / 2, wide, low, high + 1)


def _activation(r: Random, v: RandomValue) -> RandomValue:
    match r.choice(["relu", "leaky", "tanh", "sigmoid"]):
        case "relu":
            return RandomValue(hl.max(v.expr, 0.0), "f32", 0.0, 1.0)
        case "leaky":
            return RandomValue(hl.select(v.expr > 0, v.expr, v.expr * 0.125), "f32", v.low, 1.0)
        case "tanh":
            return RandomValue(hl.tanh(v.expr), "f32", v.low, 1.0)
    return RandomValue(1.0 / (1.0 + hl.exp(-v.expr)), "f32", 0.0, 1.0)


def activation(r: Random, value: RandomValue) -> RandomValue:
    """What follows a layer of a neural network."""
    return _activation(r, as_float(value))


_FLOAT_FUNCTIONS: list[Unary] = [
    lambda r, v: RandomValue(hl.sqrt(hl.abs(v.expr)), "f32", 0.0, 1.0),
    lambda r, v: RandomValue(hl.exp(-hl.abs(v.expr)), "f32", 0.0, 1.0),
    lambda r, v: RandomValue(hl.log(hl.abs(v.expr) + 1.0), "f32", 0.0, 1.0),
    lambda r, v: RandomValue(hl.sin(v.expr * r.choice([1.0, 3.0])), "f32", -1.0, 1.0),
    lambda r, v: RandomValue(
        hl.pow(hl.abs(v.expr) + single(0.01), single(r.choice([0.45, 2.2]))) * single(0.9), "f32", 0.0, 1.0
    ),
    lambda r, v: RandomValue(v.expr * v.expr, "f32", 0.0, 1.0),
    lambda r, v: RandomValue(hl.clamp(v.expr * 2.0 - 0.25, 0.0, 1.0), "f32", 0.0, 1.0),
    lambda r, v: RandomValue(1.0 - hl.abs(v.expr), "f32", 0.0, 1.0),
    _activation,
]


def _remainder(r: Random, v: RandomValue) -> RandomValue:
    divisor = r.choice([3, 7, 16, 64])
    type = wide_type(min(v.low, 0), max(v.high, divisor))
    return RandomValue(widened(v, type) % divisor, type, 0, divisor - 1)


def _quotient(r: Random, v: RandomValue) -> RandomValue:
    divisor = r.choice([2, 3, 9, 25])
    type = wide_type(v.low, v.high)
    return RandomValue(widened(v, type) / divisor, type, v.low // divisor, v.high // divisor)


def _clamped(r: Random, v: RandomValue) -> RandomValue:
    low, high = int(v.low + (v.high - v.low) * 0.1), int(v.high - (v.high - v.low) * 0.2)
    type = wide_type(v.low, v.high)
    return RandomValue(
        hl.clamp(widened(v, type), hl.cast(TYPES[type], low), hl.cast(TYPES[type], high)), type, low, high
    )


def _inverted(r: Random, v: RandomValue) -> RandomValue:
    type = wide_type(v.low + min(v.high, 0), v.high - min(v.low, 0))
    low, high = int(v.low), int(v.high)
    if low < 0:
        type = "i32"
    return RandomValue(hl.cast(TYPES[type], high) - widened(v, type), type, 0, high - low)


_INTEGER_FUNCTIONS: list[Unary] = [_quotient, _quotient, _clamped, _inverted, _remainder]
