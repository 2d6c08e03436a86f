"""Budgets of time as people write them."""

from __future__ import annotations

import re
from datetime import timedelta

from pipec.errors import ArgumentError

_UNITS = {"s": 1, "sec": 1, "second": 1, "min": 60, "m": 60, "minute": 60, "h": 3600, "hour": 3600}
_FORM = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*")


def seconds_of(budget: str | float | timedelta) -> float:
    """Seconds of a number of them, a timedelta, or a text like "5 min", "90 s", "1 h 30 min".

    >>> from pipec.autoschedule.budget import seconds_of
    >>> seconds_of("5 min"), seconds_of("1 h 30 min"), seconds_of(2)
    (300.0, 5400.0, 2.0)
    """
    if isinstance(budget, timedelta):
        found = budget.total_seconds()
    elif isinstance(budget, str):
        found = _read(budget)
    else:
        found = float(budget)
    if not found > 0:
        raise ArgumentError(f"Error: A budget of {budget!r} leaves no time: give seconds, or a text like '5 min'.")
    return found


def _read(text: str) -> float:
    total, rest = 0.0, text.strip().lower()
    while rest:
        match = _FORM.match(rest)
        unit = None if match is None else _UNITS.get(match[2]) or _UNITS.get(match[2].removesuffix("s"))
        if match is None or unit is None:
            raise ArgumentError(f"Error: {text!r} is no time: write seconds as a number, or '90 s', '5 min', '2 h'.")
        total += float(match[1]) * unit
        rest = rest[match.end() :]
    return total
