"""The layers of random pipelines: images of known size and range, and expressions of known range."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from pipec.autoschedule.random_pipelines import language as hl
from pipec.records import dataclass

TYPES: dict[str, hl.Type] = {
    "u8": hl.UInt(8),
    "u16": hl.UInt(16),
    "i16": hl.Int(16),
    "i32": hl.Int(32),
    "f32": hl.Float(32),
}
# The range of the values of a type; int32 and float32 are small, so that nothing overflows.
RANGES: dict[str, tuple[float, float]] = {
    "u8": (0, 255),
    "u16": (0, 65535),
    "i16": (-32768, 32767),
    "i32": (-(1 << 22), 1 << 22),
    "f32": (-1.0, 1.0),
}


@dataclass(frozen=True)
class RandomValue:
    """An expression, what it is stored as, and its range. Floats lie in [-1, 1]."""

    expr: Any
    type: str
    low: float
    high: float

    @property
    def floating(self) -> bool:
        """Whether the value is a float."""
        return self.type == "f32"

    @property
    def largest(self) -> float:
        """The largest absolute value, at least 1e-6."""
        return max(abs(self.low), abs(self.high), 1e-6)


@dataclass(frozen=True, eq=False)
class Layer:
    """An image that stages may read: a Func or an ImageParam. It may be read anywhere near its extents."""

    func: Any
    type: str
    extents: tuple[int, ...]
    low: float
    high: float

    @property
    def dimensions(self) -> int:
        """The number of dimensions."""
        return len(self.extents)

    @property
    def points(self) -> int:
        """The number of points."""
        count = 1
        for extent in self.extents:
            count *= extent
        return count

    def at(self, *coordinates: Any) -> RandomValue:
        """The value at a point."""
        return RandomValue(self.func[coordinates], self.type, self.low, self.high)


def single(number: float) -> float:
    """The nearest number that a float32 holds."""
    return float(np.float32(number))


def as_float(value: RandomValue) -> RandomValue:
    """The value as a float in [-1, 1]."""
    if value.floating:
        return value
    scale = single(1.0 / value.largest)
    return RandomValue(hl.f32(value.expr) * scale, "f32", value.low * scale, value.high * scale)


def wide_type(low: float, high: float) -> str:
    """The smallest of the types in which integers are added that holds this range."""
    if low >= 0 and high <= 65535:
        return "u16"
    return "i16" if -32768 <= low and high <= 32767 else "i32"


def widened(value: RandomValue, type: str) -> Any:
    """Returns the expression of a value, cast to `type`."""
    return value.expr if value.type == type else hl.cast(TYPES[type], value.expr)


def weighted_sum(values: Sequence[RandomValue], weights: Sequence[float]) -> RandomValue:
    """Sum of products. Weights of integers are whole numbers; weights of floats must add up to 1 at most."""
    if values[0].floating:
        terms = [v.expr * single(w) for v, w in zip(values, weights, strict=True)]
        bound = min(1.0, sum(abs(w) * v.largest for v, w in zip(values, weights, strict=True)))
        low = 0.0 if all(v.low >= 0 and w >= 0 for v, w in zip(values, weights, strict=True)) else -bound
        return RandomValue(reduce(operator.add, terms), "f32", low, bound)
    ends = [sorted((v.low * w, v.high * w)) for v, w in zip(values, weights, strict=True)]
    # Partial sums stay between the sums of all negative and of all positive ends.
    low, high = sum(min(end[0], 0) for end in ends), sum(max(end[1], 0) for end in ends)
    # A negative weight needs a type that holds it, even of values that are all zero.
    type = wide_type(min(low, *weights), high)
    terms = [widened(v, type) * int(w) if w != 1 else widened(v, type) for v, w in zip(values, weights, strict=True)]
    return RandomValue(reduce(operator.add, terms), type, low, high)


def shifted_into(value: RandomValue, type: str) -> RandomValue:
    """Integers shifted right until they fit into the range of `type`, and stored as that; floats as they are."""
    if value.floating:
        return value
    low, high = RANGES[type]
    expr, count = value.expr, 0
    while value.low / (1 << count) < low and low < 0 or value.high / (1 << count) > high:
        count += 1
    if count:
        expr = expr >> count
    ends = value.low // (1 << count), value.high // (1 << count)
    if ends[0] < low:
        expr, ends = hl.max(expr, 0), (0, ends[1])
    return RandomValue(hl.cast(TYPES[type], expr), type, *ends)


def saturated_into(value: RandomValue, type: str) -> RandomValue:
    """Integers cut off at the ends of the range of `type`, and stored as that; floats as they are."""
    if value.floating:
        return value
    low, high = RANGES[type]
    if type == "i32":
        return RandomValue(hl.i32(value.expr), type, value.low, value.high)
    return RandomValue(hl.saturating_cast(TYPES[type], value.expr), type, max(low, value.low), min(high, value.high))
