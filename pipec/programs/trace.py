"""Traces: the choices that one run of a schedule program has made, in order, as a value."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pipec.errors import ArgumentError
from pipec.records import dataclass

Value = Any
"""Of a draw: a number, text, truth value or None, or a tuple of these."""
_PLAIN = (bool, int, float, str, type(None))


@dataclass(frozen=True)
class ProgramTrace:
    """The value of each draw by name, in the order in which they were made. Equal traces hash equal.

    >>> trace = hl.programs.ProgramTrace((("width", 64), ("lanes", 16)))
    >>> hl.programs.ProgramTrace.from_json(trace.to_json()) == trace
    True
    """

    draws: tuple[tuple[str, Value], ...] = ()

    @property
    def values(self) -> Mapping[str, Value]:
        """The values by name."""
        return dict(self.draws)

    def to_json(self) -> str:
        """The trace as JSON text."""
        return json.dumps([[name, value] for name, value in self.draws])

    @staticmethod
    def from_json(text: str) -> ProgramTrace:
        """The trace that `to_json` wrote; ArgumentError when the text is none."""
        try:
            return trace_of_data(json.loads(text))
        except (ValueError, TypeError, RecursionError) as error:
            raise ArgumentError(f"Error: This text is no trace of a schedule program: {error!r:.200}") from None


def trace_of_data(data: Any) -> ProgramTrace:
    """The trace in data of unknown origin. Raises ValueError or TypeError unless it is one."""
    draws = []
    for name, value in data:
        if not isinstance(name, str):
            raise TypeError(f"{name!r:.80} is no name of a draw")
        draws.append((name, plain(value)))
    return ProgramTrace(tuple(draws))


def plain(value: Any) -> Value:
    """A value that JSON can hold, lists as tuples. Raises TypeError for any other."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, list | tuple):
        return tuple(map(plain, value))
    raise TypeError(f"{value!r:.80} is no number, text, truth value, None or list of these")


def features(values: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """The values by name, those of tuples one by one: what a ranker compares."""
    flat: dict[str, Value] = {}
    for name, value in values:
        if isinstance(value, tuple):
            flat |= features([(f"{name}[{k}]", part) for k, part in enumerate(value)])
        else:
            flat[name] = value
    return flat
