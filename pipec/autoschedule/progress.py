"""The progress line of a search on the terminal, and times as text: budgets read, durations written."""

from __future__ import annotations

import re
import sys
import time
from datetime import timedelta
from typing import Any, TextIO

from pipec.errors import ArgumentError

MAX_TIME = 1e30
_UNITS = {"s": 1, "sec": 1, "second": 1, "min": 60, "m": 60, "minute": 60, "h": 3600, "hour": 3600}
_NUMBER = r"\s*(\d+(?:\.\d+)?)\s*"
_FORM = re.compile(rf"{_NUMBER}([a-z]+)\s*")


def seconds_of(budget: str | float | timedelta) -> float:
    """Seconds of a number of them, a timedelta, or a text like "5 min", "90 s", "1 h 30 min", "90".

    >>> from pipec.autoschedule.progress import seconds_of
    >>> seconds_of("5 min"), seconds_of("1 h 30 min"), seconds_of(2)
    (300.0, 5400.0, 2.0)
    """
    if isinstance(budget, timedelta):
        seconds = budget.total_seconds()
    elif isinstance(budget, str):
        seconds = _read(budget)
    else:
        seconds = float(budget)
    if not seconds > 0:
        raise ArgumentError(f"Error: A budget of {budget!r} leaves no time: give seconds, or a text like '5 min'.")
    return seconds


def _read(text: str) -> float:
    if re.fullmatch(_NUMBER, text):
        return float(text)
    total, rest = 0.0, text.strip().lower()
    while rest:
        match = _FORM.match(rest)
        unit = None if match is None else _UNITS.get(match[2]) or _UNITS.get(match[2].removesuffix("s"))
        if match is None or unit is None:
            raise ArgumentError(f"Error: {text!r} is no time: write seconds as a number, or '90 s', '5 min', '2 h'.")
        total += float(match[1]) * unit
        rest = rest[match.end() :]
    return total


def checked_time(data: Any) -> float:
    """The time in data of unknown origin. Raises ValueError unless they are a number that is not negative or huge."""
    if type(data) not in (int, float) or not 0 <= data < MAX_TIME:
        raise ValueError(f"{data!r:.80} is no time")
    return float(data)


# Seconds between two lines.
PAUSE = 0.2


class ProgressLine:
    """The line, rewritten in place. `verbose`: None where stderr is a terminal; True and False decide."""

    def __init__(self, name: str, verbose: bool | None = None, stream: TextIO | None = None) -> None:
        self.name, self.stream = name, stream or sys.stderr
        self.shown = self.stream.isatty() if verbose is None else verbose
        self._last = 0.0
        self._width = 0

    def show(self, text: str) -> None:
        """Show the text, unless another was shown a moment ago."""
        now = time.monotonic()
        if self.shown and now - self._last >= PAUSE:
            self._last = now
            self._write(text)

    def end(self, text: str = "") -> None:
        """Show a last text and leave the line; without a text it is wiped out."""
        if self.shown:
            self._write(text)
            self.stream.write("\n" if text else "\r")
            self.stream.flush()

    def _write(self, text: str) -> None:
        line = f"{self.name}: {text}" if text else ""
        self.stream.write(f"\r{line.ljust(self._width)}")
        self.stream.flush()
        self._width = len(line)


def duration(seconds: float) -> str:
    """Returns a time as text, `1.3 s`, `4 min`.

    >>> from pipec.autoschedule.progress import duration
    >>> duration(0.25), duration(200)
    ('0.2 s', '3 min 20 s')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def milliseconds(value: float) -> str:
    """A run time with three digits.

    >>> from pipec.autoschedule.progress import milliseconds
    >>> milliseconds(0.01234), milliseconds(123.4)
    ('0.0123 ms', '123 ms')
    """
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2 if value >= 0.9995 else 3 if value >= 0.09995 else 4
    return f"{value:.{digits}f} ms"
