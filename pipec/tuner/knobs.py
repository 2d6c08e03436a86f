"""Knobs: parameters with a type, each encoded by numbers from 0 to 1, so that numerical techniques can search them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

from pipec.errors import ArgumentError

Point = tuple[float, ...]
"""A configuration as numbers from 0 to 1; equal configurations have equal points."""
Configuration = dict[str, Any]
"""The value of each knob by name."""
MAX_LISTED = 5040
DIGITS = 12
"""Of numbers that encode a Real: a value has the same number after any rounding on the way to it."""
STEP = 0.05
"""What a step changes a number of a continuous knob by."""


class Knob(ABC):
    """A parameter. `width`: how many numbers encode a value; `count`: how many values there are."""

    width: int = 1
    count: float = math.inf

    @abstractmethod
    def value(self, numbers: Sequence[float]) -> Any:
        """Returns the value that these numbers encode."""

    @abstractmethod
    def numbers(self, value: Any) -> Point:
        """Returns the numbers in the middle of those that encode a value. ArgumentError when it is not allowed."""

    @abstractmethod
    def neighbours(self, value: Any) -> list[Any]:
        """Returns the values that are one step away."""

    @abstractmethod
    def options(self) -> Sequence[Any]:
        """Returns all values. ArgumentError where there are too many."""


class _Listed(Knob):
    """A knob with a list of values."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.values = tuple(values)
        self.count = len(self.values)
        if not self.values:
            raise ArgumentError(f"Error: A {type(self).__name__} knob has no values; give at least one.")

    def value(self, numbers: Sequence[float]) -> Any:
        """Returns the value whose part of the numbers from 0 to 1 this one lies in."""
        return self.values[min(int(numbers[0] * len(self.values)), len(self.values) - 1)]

    def numbers(self, value: Any) -> Point:
        """Returns the middle of the part of the numbers from 0 to 1 that stands for the value."""
        if value not in self.values:
            raise ArgumentError(f"Error: {value!r} is none of the values of {self!r}.")
        return ((self.values.index(value) + 0.5) / len(self.values),)

    def neighbours(self, value: Any) -> list[Any]:
        """Returns the values before and after."""
        place = self.values.index(value)
        return [self.values[k] for k in (place - 1, place + 1) if 0 <= k < len(self.values)]

    def options(self) -> Sequence[Any]:
        """Returns all values."""
        return self.values

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self.values)})"


class Integer(_Listed):
    """The integers from `low` to `high`, both allowed, `step` apart.

    >>> hl.tuner.Integer(2, 10, step=4).values
    (2, 6, 10)
    """

    def __init__(self, low: int, high: int, step: int = 1) -> None:
        super().__init__(range(low, high + 1, step))


class PowerOfTwo(_Listed):
    """The powers of two from `low` to `high`.

    >>> hl.tuner.PowerOfTwo(8, 64).values
    (8, 16, 32, 64)
    """

    def __init__(self, low: int, high: int) -> None:
        super().__init__([1 << k for k in range(max(high, 0).bit_length()) if low <= 1 << k <= high])


class Categorical(_Listed):
    """One of some values without an order, such as `Categorical([True, False])`: a step leads to any other one."""

    def neighbours(self, value: Any) -> list[Any]:
        """Returns all other values."""
        return [other for other in self.values if other != value]


class Real(Knob):
    """The numbers from `low` to `high`; `log`: equal steps multiply by equal factors."""

    def __init__(self, low: float, high: float, log: bool = False) -> None:
        if not low < high or (log and low <= 0):
            raise ArgumentError(
                f"Error: Real({low}, {high}, log={log}) is no range: low < high, above 0 with log=True."
            )
        self.low, self.high, self.log = low, high, log

    def value(self, numbers: Sequence[float]) -> float:
        """Returns the number at this share of the range."""
        share = numbers[0]
        between = self.low ** (1 - share) * self.high**share if self.log else self.low + share * (self.high - self.low)
        return min(max(between, self.low), self.high)

    def numbers(self, value: Any) -> Point:
        """Returns the share of the range below a number."""
        if not self.low <= value <= self.high:
            raise ArgumentError(f"Error: {value!r} is not between {self.low} and {self.high}.")
        if self.log:
            return (round(math.log(value / self.low) / math.log(self.high / self.low), DIGITS),)
        return (round((value - self.low) / (self.high - self.low), DIGITS),)

    def neighbours(self, value: Any) -> list[Any]:
        """Returns the numbers a twentieth of the range below and above."""
        (share,) = self.numbers(value)
        return [self.value((other,)) for other in (share - STEP, share + STEP) if 0 <= other <= 1]

    def options(self) -> Sequence[Any]:
        """Raises ArgumentError: they are not countable."""
        raise ArgumentError(
            f"Error: The numbers between {self.low} and {self.high} can't be listed; take Integer, PowerOfTwo or"
            " Categorical."
        )


class Ordering(Knob):
    """The items in any order, encoded by one number each, by which they are sorted (random keys, Bean 1994)."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = tuple(items)
        self.width, self.count = len(self.items), math.factorial(len(self.items))
        if len(set(self.items)) < self.width or not self.items:
            raise ArgumentError(f"Error: Ordering({list(self.items)}) needs items, each once.")

    def value(self, numbers: Sequence[float]) -> tuple[Any, ...]:
        """Returns the items sorted by their numbers."""
        return tuple([self.items[k] for k in sorted(range(self.width), key=numbers.__getitem__)])

    def numbers(self, value: Any) -> Point:
        """Returns evenly spaced numbers in the order of a permutation."""
        if sorted(map(self.items.index, value)) != list(range(self.width)):
            raise ArgumentError(f"Error: {value!r} is no permutation of {list(self.items)}.")
        return tuple([(value.index(item) + 0.5) / self.width for item in self.items])

    def neighbours(self, value: Any) -> list[Any]:
        """Returns the permutations with two neighbouring items exchanged."""
        swapped = range(len(value) - 1)
        return [(*value[:k], value[k + 1], value[k], *value[k + 2 :]) for k in swapped]

    def options(self) -> Sequence[Any]:
        """Returns all permutations. ArgumentError for more than seven items."""
        if self.count > MAX_LISTED:
            raise ArgumentError(
                f"Error: The {self.count:g} orders of {len(self.items)} items are too many to be listed."
            )
        return list(permutations(self.items))


class KnobSpace:
    """All configurations of some knobs.

    >>> space = hl.tuner.KnobSpace({"tile": hl.tuner.PowerOfTwo(8, 64), "order": hl.tuner.Ordering("xy")})
    >>> space.configuration((0.9, 0.8, 0.1))
    {'tile': 64, 'order': ('y', 'x')}
    >>> space.count
    8
    """

    def __init__(self, knobs: Mapping[str, Knob]) -> None:
        wrong = [name for name, knob in knobs.items() if not isinstance(knob, Knob)]
        if wrong or not knobs:
            raise ArgumentError(
                f"Error: {wrong or knobs} are no knobs; give a dictionary such as {{'tile': PowerOfTwo(8, 256)}} of"
                " Integer, PowerOfTwo, Real, Categorical and Ordering."
            )
        self.knobs = dict(knobs)
        self.dimensions = sum([knob.width for knob in self.knobs.values()])
        self.count = math.prod([knob.count for knob in self.knobs.values()])

    def configuration(self, point: Sequence[float]) -> Configuration:
        """Returns the configuration of numbers, which are cut off at 0 and 1."""
        numbers, values, place = [min(max(number, 0.0), 1.0) for number in point], {}, 0
        for name, knob in self.knobs.items():
            values[name] = knob.value(numbers[place : place + knob.width])
            place += knob.width
        return values

    def point(self, configuration: Mapping[str, Any]) -> Point:
        """Returns the numbers of a configuration. ArgumentError where a value is not allowed, or a knob has none."""
        missing = self.knobs.keys() ^ configuration.keys()
        if missing:
            raise ArgumentError(f"Error: A configuration has a value for each of {list(self.knobs)}; see {missing}.")
        return tuple([n for name, knob in self.knobs.items() for n in knob.numbers(configuration[name])])

    def canonical(self, point: Sequence[float]) -> Point:
        """Returns the point that all points of the same configuration share."""
        return self.point(self.configuration(point))

    def neighbours(self, point: Point) -> list[Point]:
        """Returns the points one step of one knob away."""
        configuration = self.configuration(point)
        return [
            self.point({**configuration, name: value})
            for name, knob in self.knobs.items()
            for value in knob.neighbours(configuration[name])
        ]
